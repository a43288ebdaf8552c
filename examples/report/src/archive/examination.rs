//! Measures links while their bytes are read.

use linkstream::lattice::ByteOrder;
use linkstream::nersc::LinkFormat;
use linkstream_access::archive::Shape;

use super::whole_links::WholeLinks;
use crate::figures::{Measured, Observables};
use crate::options::Options;
use crate::plausibility::{Place, threshold};

/// Number of bytes of whole links that are measured at a time.
const BLOCK: usize = 8 << 20;

/// The place of the links.
pub fn place(shape: &Shape) -> Place {
    Place { data_at: shape.data_at, link_bytes: shape.format(ByteOrder::Big).length() as u64 }
}

/// A measurement in progress.
pub struct Examination {
    shape: Shape,
    observables: Observables,
    /// The links that are not measured yet.
    links: WholeLinks,
}

impl Examination {
    /// A measurement of links in this format. `None` if observables are not requested, or if a list changes the order
    /// of the sites.
    pub fn new(shape: &Shape, format: LinkFormat, options: &Options) -> Option<Self> {
        if !options.observables || shape.has_site_list {
            return None;
        }
        let observables = Observables::of(&shape.field(), Some(shape.kind()), options.slices)?;
        let observables = if options.polyakov_loop { observables.with_polyakov_loop() } else { observables };
        Some(Self { shape: *shape, observables, links: WholeLinks::new(format) })
    }

    /// Processes the next bytes of the data. They may end anywhere.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.links.feed(bytes);
        if self.links.whole().len() >= BLOCK.max(self.observables.row_bytes()) {
            self.measure();
        }
    }

    fn measure(&mut self) {
        let whole = self.links.whole();
        let done = self.observables.feed(whole);
        whole.drain(..done);
    }

    /// The observables, once all data have been read, and the byte order that the measurement assumed.
    pub fn finish_in_order(self) -> Option<(ByteOrder, Measured)> {
        let order = self.links.format().order;
        self.finish().map(|measured| (order, measured))
    }

    /// The observables, once all data have been read.
    pub fn finish(mut self) -> Option<Measured> {
        self.measure();
        let mut measured = self.observables.finish()?;
        measured.threshold = threshold(&measured, &self.shape.field());
        Some(measured)
    }
}
