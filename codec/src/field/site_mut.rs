//! One site of a field that is being written, as a callback fills it.

use core::ops::ControlFlow;

use super::error::SiteError;
use super::layout::{Field, LinkLayout};
use super::places::Places;
use super::site::SitePosition;
use super::write_error::EncodeErrorKind;
use crate::bytes::prefix;
use crate::callback::{CallbackError, Outcome};
use crate::counter::Counter as _;
use crate::lattice::{Float, Precision, Word};

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
/// use linkstream::io::FieldWriter;
/// use linkstream::lattice::Precision;
///
/// let format = Format::new(GaugeKind::SU3, Precision::F32, [3, 1, 1, 1]);
/// let (mut file, mut buffer) = ([0; 2048], [0; 1024]);
/// let mut writer = FieldWriter::with_encoder(&mut file[..], &mut buffer, Encoder::new());
/// writer.field(&OutgoingMessage::ildg(&format), |site| -> Result<(), SiteError> {
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
/// })?;
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

/// Has a callback fill `bytes`, which are the site at `position`.
///
/// # Errors
/// What the callback returned; [`EncodeErrorKind::SiteNotFilled`] if it continues, but did not fill all of the site.
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
    /// It cannot be known which of them you change: the site counts as filled. All other calls are checked.
    #[must_use]
    pub const fn bytes_mut(&mut self) -> &mut [u8] {
        self.places.fill();
        self.bytes
    }

    /// Fills the whole site with words of the type that the field stores, in native byte order. A field that stores no
    /// floating-point numbers takes integers of any width: 32 bits are those of the precisions `I` and `S`, 8 bits of `U`.
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
        let given = (numbers.len() as u64).times(precision.bytes() as u64);
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
    /// [`SiteError::NotNumbers`], [`SiteError::NoSuchElement`], [`SiteError::Overflow`]; [`SiteError::NotInOrder`] in a site of more than 512
    /// numbers.
    pub fn set(&mut self, index: usize, value: f64) -> Result<(), SiteError> {
        let precision = self.precision.ok_or(SiteError::NotNumbers)?;
        let from = index.checked_mul(precision.bytes()).filter(|from| *from < self.bytes.len());
        let from = from.ok_or(SiteError::NoSuchElement)?;
        check_overflow(precision, &[value], index)?;
        self.places.put(from..from.plus(precision.bytes()).min(self.bytes.len()))?;
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

/// Puts words that fit, once `filled` has noted that their place is filled.
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
/// use linkstream::io::FieldWriter;
/// use linkstream::lattice::Precision;
///
/// let format = Format::new(GaugeKind::SU3, Precision::F32, [2, 1, 1, 1]);
/// let (mut file, mut buffer) = ([0; 2048], [0; 1024]);
/// let mut writer = FieldWriter::with_encoder(&mut file[..], &mut buffer, Encoder::new());
/// writer.field(&OutgoingMessage::ildg(&format), |site| -> Result<(), SiteError> {
///     let is_last = site.index() == 1;
///     let mut link = site.link_mut(0)?;
///     assert_eq!((link.rows(), link.columns()), (3, 3));
///     if is_last {
///         // An open boundary: no link leads from the last slice.
///         link.set_unphysical();
///         return Ok(());
///     }
///     link.put(&[0.0_f32; 18])?;
///     (0..3).try_for_each(|i| link.set(i, i, [1.0, 0.0]))
/// })?;
/// writer.finish()?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LinkMut<'a> {
    bytes: &'a mut [u8],
    layout: &'a LinkLayout,
    /// Where the link begins in the site.
    at: usize,
    /// The filled places of the site.
    places: &'a mut Places,
}

impl LinkMut<'_> {
    /// Number of stored rows; less than the number of columns in reduced storage.
    #[must_use]
    pub const fn rows(&self) -> u32 {
        self.layout.rows
    }

    /// Number of columns.
    #[must_use]
    pub const fn columns(&self) -> u32 {
        self.layout.columns
    }

    /// Fills the whole link with words of the type that the field stores, in native byte order: row by row, real
    /// part before imaginary part.
    ///
    /// # Errors
    /// [`SiteError::WordType`], [`SiteError::Length`], as [`SiteMut::put`].
    #[inline]
    pub fn put<T: Word>(&mut self, words: &[T]) -> Result<(), SiteError> {
        let place = self.at..self.at.plus(self.bytes.len());
        put(words, Some(self.layout.precision), self.bytes, || self.places.put(place))
    }

    /// Sets the element in `row` and `column`, both counted from 0, to `[real part, imaginary part]`, rounded to the
    /// field's precision. For real kinds the imaginary part is not stored.
    ///
    /// # Errors
    /// [`SiteError::NoSuchElement`] if the element is not stored; [`SiteError::Overflow`]; [`SiteError::NotInOrder`] in a site of more than 512
    /// numbers.
    pub fn set(&mut self, row: usize, column: usize, [re, im]: [f64; 2]) -> Result<(), SiteError> {
        let index = self.layout.element(row, column).ok_or(SiteError::NoSuchElement)?;
        let (precision, is_complex) = (self.layout.precision, self.layout.is_complex());
        let parts = if is_complex { 2 } else { 1 };
        let (first, size) = (index.times(parts), precision.bytes());
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
        // Links that cannot be put now are refused by `link_mut`.
        let _ = self.places.put(self.at..self.at.plus(self.bytes.len()));
    }
}
