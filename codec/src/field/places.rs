//! The places of a site that a callback has filled.

use core::fmt;
use core::num::NonZeroUsize;
use core::ops::Range;

use super::error::SiteError;
use super::layout::{Field, LinkLayout};
use crate::counter::Counter as _;

/// Blocks that are remembered each by itself.
const BLOCKS: usize = 512;
const BITS: usize = u64::BITS as usize;
const WORDS: usize = BLOCKS / BITS;

/// The numbers of a site that have been put, in bounded memory.
///
/// The site is divided into blocks, of which each is remembered by a bit: single numbers where there are at most 512,
/// else links where there are at most 512, else the whole site. A block of several numbers can be filled at once or
/// in stored order. A place that is filled again counts once.
#[derive(Debug)]
pub(super) struct Places {
    /// Length of the site, of a block and of a link, in bytes.
    site: usize,
    block: NonZeroUsize,
    link: Option<NonZeroUsize>,
    full: [u64; WORDS],
    /// The end of what was put last into a block that is not full.
    next: usize,
}

impl Places {
    /// None of a site of `site` bytes is filled.
    pub(super) fn none(field: &Field, site: usize) -> Self {
        let number = field.precision.and_then(|precision| NonZeroUsize::new(precision.bytes()));
        let link = field.links.as_ref().and_then(LinkLayout::bytes_per_link).and_then(NonZeroUsize::new);
        let few = |block: &NonZeroUsize| count(site, *block) <= BLOCKS;
        let whole = NonZeroUsize::new(site).unwrap_or(NonZeroUsize::MIN);
        let block = number.filter(few).or(link.filter(few)).unwrap_or(whole);
        Self { site, block, link, full: [0; WORDS], next: 0 }
    }

    /// The whole site is filled.
    #[inline]
    pub(super) const fn fill(&mut self) {
        self.full = [u64::MAX; WORDS];
    }

    /// Whether these bytes can be put now, which are then filled.
    ///
    /// # Errors
    /// [`SiteError::NotInOrder`] inside a block that is filled in stored order; nothing is filled then.
    #[inline]
    pub(super) fn put(&mut self, bytes: Range<usize>) -> Result<(), SiteError> {
        let block = self.block.get();
        let (first, last) = (count(bytes.start, self.block), bytes.end / self.block);
        let begins_inside = first.times(block) > bytes.start;
        if begins_inside {
            let index = first.minus(1);
            self.put_inside(index, bytes.start, bytes.end.min(first.times(block)))?;
        }
        self.set(first..last);
        // The rest begins a block, unless all of the bytes lie inside of one.
        if last.times(block) < bytes.end && last >= first {
            self.put_inside(last, last.times(block), bytes.end)?;
        }
        Ok(())
    }

    /// Part of a block. If another one has been begun and is not full, what was put there counts as missing.
    fn put_inside(&mut self, index: usize, from: usize, to: usize) -> Result<(), SiteError> {
        if self.is_full(index) {
            return Ok(());
        }
        let (done, end) = (self.check(from)?, self.bounds(index).1);
        self.next = done.max(to);
        if self.next == end {
            self.set(index..index.plus(1));
        }
        Ok(())
    }

    /// Whether bytes from here on can be put now. Returns up to where the block has been filled.
    pub(super) fn check(&self, from: usize) -> Result<usize, SiteError> {
        let index = from / self.block;
        let (start, end) = self.bounds(index);
        let done = if (start..end).contains(&self.next) { self.next } else { start };
        let is_next = from <= done || self.is_full(index);
        if is_next { Ok(done) } else { Err(SiteError::NotInOrder { next: done as u64 }) }
    }

    /// The bytes of a block.
    fn bounds(&self, index: usize) -> (usize, usize) {
        let start = index.times(self.block.get());
        (start, start.plus(self.block.get()).min(self.site))
    }

    fn set(&mut self, blocks: Range<usize>) {
        for (word, first) in self.full.iter_mut().zip((0..).step_by(BITS)) {
            // Not `clamp`, which can panic.
            let bit = |index: usize| index.max(first).min(first.plus(BITS)).minus(first);
            *word |= below(bit(blocks.end)) & !below(bit(blocks.start));
        }
    }

    fn is_full(&self, index: usize) -> bool {
        let word = self.full.get(index / BITS).copied().unwrap_or(0);
        word & !below(index % BITS) & below((index % BITS).plus(1)) != 0
    }

    /// The first bytes that are missing, of one link at most; `None` if all places are filled.
    #[inline]
    pub(super) fn missing(&self) -> Option<MissingPlace> {
        let blocks = count(self.site, self.block);
        let mut words = self.full.iter().zip((0..).step_by(BITS));
        let is_full = words.all(|(word, first)| *word | !below(blocks.saturating_sub(first)) == u64::MAX);
        if is_full { None } else { self.first_missing(blocks) }
    }

    fn first_missing(&self, blocks: usize) -> Option<MissingPlace> {
        let first = (0..blocks).find(|index| !self.is_full(*index))?;
        let full = (first..blocks).find(|index| self.is_full(*index)).unwrap_or(blocks);
        let (start, until) = self.bounds(first);
        let start = if (start..until).contains(&self.next) { self.next } else { start };
        let end = full.times(self.block.get()).min(self.site);
        let link = self.link.map(|size| start / size);
        let end = match (link, self.link) {
            (Some(link), Some(size)) => end.min(link.plus(1).times(size.get())),
            _ => end,
        };
        let link = link.and_then(|link| u32::try_from(link).ok());
        Some(MissingPlace { link, from: start as u64, to: end as u64 })
    }
}

/// How many blocks `bytes` take, the last of them perhaps in part.
fn count(bytes: usize, block: NonZeroUsize) -> usize {
    let whole = bytes / block;
    if whole.times(block.get()) < bytes { whole.plus(1) } else { whole }
}

/// The lowest `n` bits, all for 64 and more.
const fn below(n: usize) -> u64 {
    if n >= BITS { u64::MAX } else { !(u64::MAX << n) }
}

/// The first place of a site that a callback has not filled.
///
/// ```
/// use linkstream::field::MissingPlace;
///
/// let missing = MissingPlace { link: Some(1), from: 72, to: 144 };
/// assert_eq!(missing.to_string(), "bytes 72 to 143, in the link with index 1");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MissingPlace {
    /// The link, counted from 0 as in [`SiteMut::link_mut`](super::SiteMut::link_mut), if the field is a gauge field.
    pub link: Option<u32>,
    /// The first missing byte, counted from the beginning of the site.
    pub from: u64,
    /// The byte after the last one that is missing there.
    pub to: u64,
}

impl fmt::Display for MissingPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bytes {} to {}", self.from, self.to.saturating_sub(1))?;
        match self.link {
            Some(link) => write!(f, ", in the link with index {link}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;
    use crate::lattice::Precision;
    use crate::lime::Record;

    /// A site of `links` links of `numbers` singles each; without links, of `numbers` singles.
    fn places(links: u32, numbers: u32) -> Places {
        let layout = LinkLayout {
            links,
            rows: 1,
            columns: numbers,
            parts: 1,
            precision: Precision::F32,
            absent_is_ones: false,
        };
        let links_of = (links > 0).then_some(layout);
        let field = Field {
            precision: Some(Precision::F32),
            links: links_of,
            ..Field::undescribed(Record::default())
        };
        Places::none(&field, (links.max(1) * numbers * 4) as usize)
    }

    fn gap(link: u32, from: u64, to: u64) -> Option<MissingPlace> {
        Some(MissingPlace { link: Some(link), from, to })
    }

    /// Numbers in any order, compared with a list of what was put.
    #[test]
    fn numbers_of_a_small_site_are_filled_in_any_order() {
        for (links, numbers) in [(4, 18), (1, 1), (4, 128), (0, 512), (0, 63), (0, 65)] {
            let all = links.max(1) * numbers;
            let mut of = places(links, numbers);
            let mut put = Vec::new();
            // 11 divides none of these numbers.
            for index in (0..all).map(|n| n * 11 % all) {
                let missing = of.missing().expect("not full");
                let first = (0..all).find(|n| !put.contains(n)).expect("not full");
                assert_eq!(missing.from, u64::from(first) * 4, "{links} {numbers} {index}");
                assert!((u64::from(first) + 1) * 4 <= missing.to);
                let start = index as usize * 4;
                assert_eq!(of.put(start..start + 4), Ok(()));
                // Once more counts once.
                assert_eq!(of.put(start..start + 4), Ok(()));
                put.push(index);
            }
            assert_eq!(of.missing(), None, "{links} {numbers}");
        }
    }

    /// More than 512 numbers: links in any order, and inside a link in stored order.
    #[test]
    fn links_of_a_large_site_are_blocks() {
        let mut of = places(4, 200);
        assert_eq!(of.missing(), gap(0, 0, 800));
        assert_eq!(of.put(2400..3200), Ok(()));
        assert_eq!(of.put(0..8), Ok(()));
        assert_eq!(of.put(4..12), Ok(()));
        assert_eq!(of.put(16..20), Err(SiteError::NotInOrder { next: 12 }));
        assert_eq!(of.missing(), gap(0, 12, 800));
        assert_eq!(of.put(12..800), Ok(()));
        assert_eq!(of.missing(), gap(1, 800, 1600));
        // Half of one link, then half of another: the first is not complete by going on there.
        assert_eq!(of.put(800..1200), Ok(()));
        assert_eq!(of.put(1600..2000), Ok(()));
        assert_eq!(of.put(1200..1600), Err(SiteError::NotInOrder { next: 800 }));
        assert_eq!(of.put(2000..2400), Ok(()));
        assert_eq!(of.missing(), gap(1, 800, 1600));
        assert_eq!(of.put(800..1600), Ok(()));
        assert_eq!(of.missing(), None);
        // A place that is full is put again in any order.
        assert_eq!(of.put(1204..1208), Ok(()));
        assert_eq!(of.missing(), None);
    }

    /// Across the bounds of blocks, and at once.
    #[test]
    fn a_large_site_without_links_is_filled_in_stored_order() {
        let mut of = places(0, 513);
        assert_eq!(of.put(4..8), Err(SiteError::NotInOrder { next: 0 }));
        assert_eq!(of.put(0..2048), Ok(()));
        assert_eq!(of.missing(), Some(MissingPlace { link: None, from: 2048, to: 2052 }));
        assert_eq!(of.put(2048..2052), Ok(()));
        assert_eq!(of.missing(), None);
        let mut of = places(3, 200);
        assert_eq!(of.put(0..1000), Ok(()));
        assert_eq!(of.missing(), gap(1, 1000, 1600));
        assert_eq!(of.put(1000..2400), Ok(()));
        assert_eq!(of.missing(), None);
        let mut of = places(3, 200);
        of.fill();
        assert_eq!(of.missing(), None);
        // More links than are remembered.
        let mut of = places(513, 2);
        assert_eq!(of.put(8..16), Err(SiteError::NotInOrder { next: 0 }));
        assert_eq!(of.put(0..8), Ok(()));
        assert_eq!(of.missing(), gap(1, 8, 16));
    }
}
