//! Whole sites from the bytes of an archive, which arrive in chunks of any size. MILC files have the same links.

use super::data::LinkFormat;
use crate::bytes::{copy, part, prefix, prefix_mut, split, suffix_mut};
use crate::counter::Counter as _;
use crate::lattice::{ByteOrder, reverse_words};

/// Links of a site: x, y, z, t.
pub(crate) const LINKS: usize = 4;
/// The largest number of colors of links that are completed here, in memory of a fixed size.
pub(crate) const MAX_WHOLE_COLORS: u8 = 4;
/// Bytes of the largest link: complex numbers in double precision.
const LINK: usize = 2 * 8 * (MAX_WHOLE_COLORS as usize) * (MAX_WHOLE_COLORS as usize);
/// Bytes of the largest site.
const SITE: usize = LINKS * LINK;

impl LinkFormat {
    /// Converts big-endian links with all rows, one after the other, to their stored form at the front of `links`. Returns
    /// its length. The links have at most [`MAX_WHOLE_COLORS`] colors.
    pub(crate) fn store(&self, links: &mut [u8]) -> usize {
        let (size, whole) = (self.length(), self.whole_length());
        let (mut from, mut length) = (0_usize, 0_usize);
        while whole > 0 && from.plus(whole) <= links.len() {
            // The places overlap.
            let mut link = [0; LINK];
            copy(&mut link, part(links, from..from.plus(size)));
            length.increase(copy(suffix_mut(links, length), prefix(&link, size)));
            from.increase(whole);
        }
        if self.order == ByteOrder::Little {
            reverse_words(prefix_mut(links, length), self.precision.size());
        }
        length
    }
}

/// Converts stored bytes, which arrive in chunks of any size, to big-endian links with all rows.
#[derive(Debug)]
pub(crate) struct WholeLinks {
    format: LinkFormat,
    /// The byte order in `format` is known. Otherwise it is derived from the first link.
    is_known: bool,
    stored: [u8; LINK],
    filled: usize,
    /// Links of a site, with all rows.
    site: [u8; SITE],
    links: usize,
}

impl WholeLinks {
    /// Links in this format. Its byte order is derived from the first link unless it `is_known`.
    pub(crate) const fn new(format: LinkFormat, is_known: bool) -> Self {
        Self { format, is_known, stored: [0; LINK], filled: 0, site: [0; SITE], links: 0 }
    }

    /// Byte order used to read the links.
    pub(crate) const fn order(&self) -> ByteOrder {
        self.format.order
    }

    /// Takes the next bytes of the data, and passes on each site that becomes complete.
    pub(crate) fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(&[u8])) {
        let (size, whole) = (self.format.length(), self.format.whole_length());
        let mut rest = bytes;
        while !rest.is_empty() {
            let n = size.minus(self.filled).min(rest.len());
            let (now, later) = split(rest, n);
            copy(suffix_mut(&mut self.stored, self.filled), now);
            self.filled.increase(n);
            rest = later;
            if self.filled < size {
                continue;
            }
            self.filled = 0;
            // The first link is complete, so its norm shows the byte order.
            if !self.is_known {
                self.guess();
            }
            // Both slices are long enough.
            let _ = self.format.to_whole(&self.stored, suffix_mut(&mut self.site, self.links.times(whole)));
            self.links.increase(1);
            if self.links == LINKS {
                self.links = 0;
                each(prefix(&self.site, whole.times(LINKS)));
            }
        }
    }

    /// Derives the byte order from the first link: little-endian if its first row has norm 1 only in that order,
    /// otherwise big-endian.
    fn guess(&mut self) {
        let little = LinkFormat { order: ByteOrder::Little, ..self.format };
        if !self.format.is_normalised(&self.stored) && little.is_normalised(&self.stored) {
            self.format = little;
        }
        self.is_known = true;
    }
}
