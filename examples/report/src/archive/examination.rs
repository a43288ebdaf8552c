//! Measuring links while their bytes pass by.

use linkstream::ildg::GaugeKind;
use linkstream::lattice::ByteOrder;
use linkstream::nersc::LinkFormat;

use super::contents::Shape;
use super::whole_links::WholeLinks;
use crate::figures::{Measured, Observables};
use crate::lime::threshold;
use crate::options::Options;

/// Bytes of whole links that are measured at a time.
const BLOCK: usize = 8 << 20;

/// A measurement under way.
pub struct Examination {
    shape: Shape,
    observables: Observables,
    /// Those that are not measured yet.
    links: WholeLinks,
}

impl Examination {
    /// Of links that are stored in this way; `None` if nothing is to be measured, or the sites are in another order.
    pub fn new(shape: &Shape, format: LinkFormat, options: &Options) -> Option<Self> {
        if !options.observables || shape.has_site_list {
            return None;
        }
        let observables = Observables::of(&shape.field(), Some(GaugeKind::SU3), options.slices)?;
        Some(Self { shape: *shape, observables, links: WholeLinks::new(format) })
    }

    /// Data come, cut anywhere.
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

    /// All data have come, and the checksum shows their byte order, if it does. `None` if the figures are those of
    /// bytes in the wrong order.
    pub fn finish(mut self, order: Option<ByteOrder>) -> Option<Measured> {
        self.measure();
        if order.is_some_and(|order| order != self.links.format().order) {
            return None;
        }
        let mut measured = self.observables.finish()?;
        measured.threshold = threshold(&measured, &self.shape.field());
        Some(measured)
    }
}
