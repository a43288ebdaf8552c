//! One site of a field that is being written: its places, and the record of the places that a callback has filled.

use super::error::{EncodeErrorKind, MissingPlace, SiteError};
use super::layout::{Field, LinkLayout};
use super::site::SitePosition;
use crate::bytes::prefix;
use crate::callback::{CallbackError, Outcome};
use crate::counter::Counter as _;
use crate::lattice::{Float, Precision, Word};
use core::num::NonZeroUsize;
use core::ops::{ControlFlow, Range};

/// One site to be filled: its position in the lattice, and its bytes.
///
/// A callback must fill every place of the site; otherwise the writer returns
/// [`SiteNotFilled`](super::EncodeErrorKind::SiteNotFilled), which names the first place that is missing. A place that
/// is filled again is overwritten, and counts once. Put zeros before you set only numbers that are not zero.
/// [`bytes_mut`](Self::bytes_mut) counts as all of the site.
///
/// Numbers can be set in any order if the site has at most 512. In a larger site, links can be put in any order, but
/// single numbers must be set in stored order: link after link, or from the beginning of the site if there are no links
/// or more than 512.
///
/// # Example
/// ```
/// use linkstream::field::{Encoder, OutgoingMessage, SiteError};
/// use linkstream::ildg::{Format, GaugeKind};
/// use linkstream::io::{FieldWriter, Fill};
/// use linkstream::lattice::Precision;
///
/// let format = Format::new(GaugeKind::SU3, Precision::F32, [3, 1, 1, 1]);
/// let (mut file, mut buffer) = ([0; 2048], [0; 1024]);
/// let mut writer = FieldWriter::with_encoder(&mut file[..], &mut buffer, Encoder::new());
/// let sites = Fill::sites(|site| -> Result<(), SiteError> {
///     assert_eq!((site.rank() as usize, site.coordinates().len()), (site.index(), 4));
///     assert_eq!(site.bytes_mut().len(), 72);
///     let unit = [1.0_f32, 0., 0., 0., 0., 0., 0., 0., 1., 0., 0., 0., 0., 0., 0., 0., 1., 0.];
///     match site.index() {
///         // All numbers of the site, as the field stores them or rounded to its precision.
///         0 => site.put(&unit),
///         1 => site.put_rounded(&unit.map(f64::from)),
///         // Or one by one.
///         _ => {
///             site.put(&[0.0_f32; 18])?;
///             (0..3).try_for_each(|i| site.set(8 * i, 1.0))
///         }
///     }
/// });
/// writer.write(&OutgoingMessage::ildg(&format), sites)?;
/// writer.finish()?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SiteMut<'a> {
    position: SitePosition<'a>,
    bytes: &'a mut [u8],
    precision: Option<Precision>,
    links: Option<&'a LinkLayout>,
    places: Places,
}

/// Lets a callback fill `bytes`, the site at `position`.
///
/// # Errors
/// The error of the callback; [`EncodeErrorKind::SiteNotFilled`] if it continues, but has not filled all of the site.
pub(crate) fn fill_site<O: Outcome>(
    field: &Field,
    position: SitePosition<'_>,
    bytes: &mut [u8],
    fill: impl FnOnce(&mut SiteMut<'_>) -> O,
) -> Result<ControlFlow<()>, CallbackError<EncodeErrorKind, O::Error>> {
    bytes.fill(0);
    let places = Places::none(field, bytes.len());
    let mut site =
        SiteMut { position, bytes, precision: field.precision, links: field.links.as_ref(), places };
    let outcome = fill(&mut site).into_result().map_err(CallbackError::Callback)?;
    match site.places.missing() {
        Some(missing) if outcome.is_continue() => Err(EncodeErrorKind::SiteNotFilled { missing }.into()),
        _ => Ok(outcome),
    }
}

impl SiteMut<'_> {
    /// Rank in the full lattice, where coordinate 0 (x) runs fastest; 0 for global data.
    #[must_use]
    pub fn rank(&self) -> u64 {
        self.position.rank
    }

    /// Index among the sites of this field, or of this field in a volume of a set, in stored order, from 0. For a field
    /// on the full lattice in a single file it equals the rank. `usize::MAX` if it does not fit in `usize`.
    #[must_use]
    pub fn index(&self) -> usize {
        self.position.index()
    }

    /// Coordinates in the full lattice, in sites, x first.
    #[must_use]
    pub fn coordinates(&self) -> &[u32] {
        self.position.coordinates.as_slice()
    }

    /// The bytes as they will be in the file, where numbers are big-endian. They are zero unless they have been put.
    /// Changes of these bytes cannot be tracked, so the whole site counts as filled. All other calls are tracked.
    #[must_use]
    pub const fn bytes_mut(&mut self) -> &mut [u8] {
        self.places.fill();
        self.bytes
    }

    /// Fills the whole site with words of the type that the field stores, in native byte order. A field that stores no
    /// floating-point numbers takes integers of any width: 32 bits for the precisions `I` and `S`, 8 bits for `U`.
    ///
    /// # Errors
    /// [`SiteError::WordType`] if the field stores floating-point numbers, and the words are of another type or
    /// precision; [`SiteError::NotNumbers`] for floating-point numbers in a field that stores none;
    /// [`SiteError::Length`] for too few or too many words.
    #[inline]
    pub fn put<T: Word>(&mut self, words: &[T]) -> Result<(), SiteError> {
        put(words, self.precision, self.bytes, || {
            self.places.fill();
            Ok(())
        })
    }

    /// Fills the whole site with `f32` or `f64` numbers, which are converted to the field's precision, rounded to
    /// nearest if necessary.
    ///
    /// # Errors
    /// [`SiteError::NotNumbers`]; [`SiteError::Length`] for too few or too many numbers; [`SiteError::Overflow`].
    #[inline]
    pub fn put_rounded<T: Float>(&mut self, numbers: &[T]) -> Result<(), SiteError> {
        let precision = self.precision.ok_or(SiteError::NotNumbers)?;
        let given = (numbers.len() as u64).times(precision.size() as u64);
        if given != self.bytes.len() as u64 {
            return Err(SiteError::Length { needed: self.bytes.len() as u64, given });
        }
        check_overflow(precision, numbers, 0)?;
        precision.store(numbers, self.bytes);
        self.places.fill();
        Ok(())
    }

    /// Sets the floating-point number with this index in stored order, rounded to the field's precision.
    ///
    /// # Errors
    /// [`SiteError::NotNumbers`] if the data are not floating-point numbers; [`SiteError::NoSuchElement`] for an index
    /// outside of the site; [`SiteError::Overflow`]; [`SiteError::NotInOrder`] in a site of more than 512 numbers.
    pub fn set(&mut self, index: usize, value: f64) -> Result<(), SiteError> {
        let precision = self.precision.ok_or(SiteError::NotNumbers)?;
        let from = index.checked_mul(precision.size()).filter(|from| *from < self.bytes.len());
        let from = from.ok_or(SiteError::NoSuchElement)?;
        check_overflow(precision, &[value], index)?;
        self.places.put(from..from.plus(precision.size()).min(self.bytes.len()))?;
        precision.write(self.bytes, index, value).ok_or(SiteError::NoSuchElement)
    }

    /// The link with index `mu`, counted from 0 over the directions that have links.
    ///
    /// # Errors
    /// [`SiteError::NoLinks`] if the field is not a gauge field, [`SiteError::NoSuchLink`] if the site has fewer
    /// links; [`SiteError::NotInOrder`] for links that are not the next one in a site of more than 512 links.
    pub fn link_mut(&mut self, mu: usize) -> Result<LinkMut<'_>, SiteError> {
        let layout = self.links.ok_or(SiteError::NoLinks)?;
        let place = layout.place(mu).ok_or(layout.no_such_link(mu))?;
        let at = place.start;
        self.places.check(at)?;
        let bytes = self.bytes.get_mut(place).ok_or(layout.no_such_link(mu))?;
        Ok(LinkMut { bytes, layout, at, places: &mut self.places })
    }
}

/// Refuses numbers that would become infinite; `first` is the index of the first of them.
pub(crate) fn check_overflow<T: Float>(
    precision: Precision,
    numbers: &[T],
    first: usize,
) -> Result<(), SiteError> {
    match precision.overflow(numbers) {
        Some(index) => Err(SiteError::Overflow { index: first.plus(index) as u64 }),
        None => Ok(()),
    }
}

/// Puts words, after `filled` has recorded that their place is filled.
#[inline]
fn put<T: Word>(
    words: &[T],
    precision: Option<Precision>,
    bytes: &mut [u8],
    filled: impl FnOnce() -> Result<(), SiteError>,
) -> Result<(), SiteError> {
    match precision {
        Some(stored) if !stored.is_of::<T>() => return Err(SiteError::WordType { stored }),
        None if T::FLOAT.is_some() => return Err(SiteError::NotNumbers),
        _ => {}
    }
    let given = (words.len() as u64).times(T::BYTES as u64);
    let wrong = SiteError::Length { needed: bytes.len() as u64, given };
    if given != bytes.len() as u64 {
        return Err(wrong);
    }
    filled()?;
    T::put(words, bytes).ok_or(wrong)
}

/// One link to be filled: a matrix of `rows` x `columns` complex or real numbers, stored row by row.
///
/// # Example
/// ```
/// use linkstream::field::{Encoder, OutgoingMessage, SiteError};
/// use linkstream::ildg::{Format, GaugeKind};
/// use linkstream::io::{FieldWriter, Fill};
/// use linkstream::lattice::Precision;
///
/// let format = Format::new(GaugeKind::SU3, Precision::F32, [2, 1, 1, 1]);
/// let (mut file, mut buffer) = ([0; 2048], [0; 1024]);
/// let mut writer = FieldWriter::with_encoder(&mut file[..], &mut buffer, Encoder::new());
/// let sites = Fill::sites(|site| -> Result<(), SiteError> {
///     let is_last = site.index() == 1;
///     let mut link = site.link_mut(0)?;
///     if is_last {
///         // An open boundary: no link leads from the last slice.
///         link.set_unphysical();
///         return Ok(());
///     }
///     link.put(&[0.0_f32; 18])?;
///     (0..3).try_for_each(|i| link.set(i, i, [1.0, 0.0]))
/// });
/// writer.write(&OutgoingMessage::ildg(&format), sites)?;
/// writer.finish()?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LinkMut<'a> {
    bytes: &'a mut [u8],
    layout: &'a LinkLayout,
    /// Offset of the link in the site.
    at: usize,
    /// The filled places of the site.
    places: &'a mut Places,
}

impl LinkMut<'_> {
    /// Fills the whole link with words of the type that the field stores, in native byte order: row by row, real
    /// part before imaginary part.
    ///
    /// # Errors
    /// [`SiteError::WordType`] and [`SiteError::Length`], see [`SiteMut::put`].
    #[inline]
    pub fn put<T: Word>(&mut self, words: &[T]) -> Result<(), SiteError> {
        let place = self.at..self.at.plus(self.bytes.len());
        put(words, Some(self.layout.precision), self.bytes, || self.places.put(place))
    }

    /// Sets the element in `row` and `column`, both counted from 0, to `[real part, imaginary part]`, rounded to the
    /// field's precision. For real kinds the imaginary part is not stored.
    ///
    /// # Errors
    /// [`SiteError::NoSuchElement`] if the element is not stored; [`SiteError::Overflow`];
    /// [`SiteError::NotInOrder`] in a site of more than 512 numbers.
    pub fn set(&mut self, row: usize, column: usize, [re, im]: [f64; 2]) -> Result<(), SiteError> {
        let index = self.layout.element(row, column).ok_or(SiteError::NoSuchElement)?;
        let (precision, is_complex) = (self.layout.precision, self.layout.is_complex());
        let parts = if is_complex { 2 } else { 1 };
        let (first, size) = (index.times(parts), precision.size());
        let from = self.at.plus(first.times(size));
        check_overflow(precision, prefix(&[re, im], parts), first)?;
        self.places.put(from..from.plus(parts.times(size)))?;
        let written = precision.write(self.bytes, first, re);
        let written =
            if is_complex { written.and(precision.write(self.bytes, first.plus(1), im)) } else { written };
        written.ok_or(SiteError::NoSuchElement)
    }

    /// Marks the link as one that does not physically exist, at an open or Dirichlet boundary: with all bits clear,
    /// or, in the kind `u1phase`, all bits set (ILDG 1.2, section 2.5.1). The link is then filled.
    pub fn set_unphysical(&mut self) {
        self.bytes.fill(if self.layout.absent_is_ones { 0xff } else { 0 });
        // This cannot fail: `link_mut` refuses links that cannot be put now.
        let _ = self.places.put(self.at..self.at.plus(self.bytes.len()));
    }
}

/// Maximum number of blocks that are tracked individually.
const BLOCKS: usize = 512;
const BITS: usize = u64::BITS as usize;
const WORDS: usize = BLOCKS / BITS;

/// The numbers of a site that have been put, in bounded memory.
///
/// The site is divided into blocks, each with a bit. A block is a single number if there are at most 512 numbers, else
/// a link if there are at most 512 links, else the whole site. A block of several numbers can be filled at once or in
/// stored order. A place that is filled again counts once.
///
/// # Invariants
/// * Bit `i` of `full` is set if all bytes of block `i` are filled. Bits beyond the last block mean nothing: `fill`
///   sets them, and [`missing`](Self::missing) does not look at them.
/// * `next` lies in the one block that is being filled in order, at the end of its filled part; 0 and the start of a
///   block mean that nothing of it is filled. A block that is begun later takes its place.
#[derive(Debug)]
pub(super) struct Places {
    /// Length of the site, of a block and of a link, in bytes.
    site: usize,
    block: NonZeroUsize,
    link: Option<NonZeroUsize>,
    full: [u64; WORDS],
    /// End of the filled part of the block that is being filled in stored order.
    next: usize,
}

impl Places {
    /// The places of a site of `site` bytes, none of them filled.
    pub(super) fn none(field: &Field, site: usize) -> Self {
        let number = field.precision.and_then(|precision| NonZeroUsize::new(precision.size()));
        let link = field.links.as_ref().and_then(LinkLayout::bytes_per_link).and_then(NonZeroUsize::new);
        let few = |block: &NonZeroUsize| count(site, *block) <= BLOCKS;
        let whole = NonZeroUsize::new(site).unwrap_or(NonZeroUsize::MIN);
        let block = number.filter(few).or(link.filter(few)).unwrap_or(whole);
        Self { site, block, link, full: [0; WORDS], next: 0 }
    }

    /// Marks the whole site as filled.
    #[inline]
    pub(super) const fn fill(&mut self) {
        self.full = [u64::MAX; WORDS];
    }

    /// Marks these bytes as filled.
    ///
    /// # Errors
    /// [`SiteError::NotInOrder`] inside a block that is filled in stored order; nothing is filled then.
    #[inline]
    pub(super) fn put(&mut self, bytes: Range<usize>) -> Result<(), SiteError> {
        let block = self.block.get();
        // The blocks `first..last` lie inside the bytes as a whole. A part of the one before and of `last` can be left.
        let (first, last) = (count(bytes.start, self.block), bytes.end / self.block);
        let begins_inside = first.times(block) > bytes.start;
        if begins_inside {
            let index = first.minus(1);
            // First, since only this part can be refused: then no bit is set yet.
            self.put_inside(index, bytes.start, bytes.end.min(first.times(block)))?;
        }
        self.set(first..last);
        // The rest begins a block, unless all bytes are inside one block.
        if last.times(block) < bytes.end && last >= first {
            self.put_inside(last, last.times(block), bytes.end)?;
        }
        Ok(())
    }

    /// Marks a part of a block. If another block has been begun and is not full, its filled part counts as missing
    /// again, since only one end is remembered.
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

    /// Checks that bytes from here on can be put now. Returns the end of the filled part of the block.
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
            // `clamp` can panic, which the link-time proof would find.
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

/// Number of blocks in `bytes`, including a last one that is incomplete.
fn count(bytes: usize, block: NonZeroUsize) -> usize {
    let whole = bytes / block;
    if whole.times(block.get()) < bytes { whole.plus(1) } else { whole }
}

/// The lowest `n` bits, all for 64 and more.
const fn below(n: usize) -> u64 {
    if n >= BITS { u64::MAX } else { !(u64::MAX << n) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::Precision;
    use crate::lime::Record;
    use std::vec::Vec;

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

    /// Numbers in any order, compared with a list of the places that were put.
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
