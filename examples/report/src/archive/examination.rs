//! Measuring links while their bytes pass by.

use linkstream::ildg::GaugeKind;
use linkstream::lattice::ByteOrder;
use linkstream::nersc::LinkFormat;

use super::contents::Shape;
use crate::figures::{Measured, Observables};
use crate::lime::threshold;
use crate::options::Options;

/// Bytes of whole links that are measured at a time.
const BLOCK: usize = 8 << 20;

/// A measurement under way.
pub struct Examination {
    shape: Shape,
    format: LinkFormat,
    observables: Observables,
    /// The stored bytes of a link that is incomplete.
    stored: Vec<u8>,
    /// Big-endian links with all rows that are not measured yet.
    whole: Vec<u8>,
}

impl Examination {
    /// Of links that are stored in this way; `None` if nothing is to be measured, or the sites are in another order.
    pub fn new(shape: &Shape, format: LinkFormat, options: &Options) -> Option<Self> {
        if !options.observables || shape.has_site_list {
            return None;
        }
        let observables = Observables::of(&shape.field(), Some(GaugeKind::SU3), options.slices)?;
        Some(Self { shape: *shape, format, observables, stored: Vec::new(), whole: Vec::new() })
    }

    /// Data come, cut anywhere.
    pub fn feed(&mut self, mut bytes: &[u8]) {
        let size = self.format.bytes();
        if !self.stored.is_empty() {
            let missing = (size - self.stored.len()).min(bytes.len());
            self.stored.extend_from_slice(&bytes[..missing]);
            bytes = &bytes[missing..];
            if self.stored.len() < size {
                return;
            }
            let stored = std::mem::take(&mut self.stored);
            self.link(&stored);
        }
        let links = bytes.chunks_exact(size);
        let rest = links.remainder();
        links.for_each(|link| self.link(link));
        self.stored.extend_from_slice(rest);
        if self.whole.len() >= BLOCK.max(self.observables.row_bytes()) {
            self.measure();
        }
    }

    fn link(&mut self, stored: &[u8]) {
        let end = self.whole.len();
        self.whole.resize(end + self.format.whole_bytes(), 0);
        // Both slices are as long as the format says.
        let _ = self.format.to_whole(stored, &mut self.whole[end..]);
    }

    fn measure(&mut self) {
        let done = self.observables.feed(&self.whole);
        self.whole.drain(..done);
    }

    /// All data have come, and the checksum shows their byte order, if it does. `None` if the figures are those of
    /// bytes in the wrong order.
    pub fn finish(mut self, order: Option<ByteOrder>) -> Option<Measured> {
        self.measure();
        if order.is_some_and(|order| order != self.format.order) {
            return None;
        }
        let mut measured = self.observables.finish()?;
        measured.threshold = threshold(&measured, &self.shape.field());
        Some(measured)
    }
}
