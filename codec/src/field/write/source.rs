//! Sources of the data that are written: numbers, bytes, or sites that a callback fills.
//!
//! A source knows what it has, an encoder which sites come next and how its file stores them. So there are two traits:
//! [`Source`](sealed::Source) for the three sources, and [`TakesData`] for the encoders of fields, volumes and archives.

use core::convert::Infallible;
use core::ops::ControlFlow;

use crate::bytes::{prefix, prefix_mut, suffix};
use crate::callback::{CallbackError, Outcome};
use crate::counter::Counter as _;
use crate::field::error::{EncodeErrorKind, SiteError};
use crate::field::layout::Field;
use crate::field::site::SitePosition;
use crate::field::site_mut::{SiteMut, check_overflow, fill_site};
use crate::lattice::{Float, Precision, SiteOrder};
use crate::lime;

/// Reason why a source cannot be the data of a field, or its own error.
pub(crate) type SourceError<C> = CallbackError<EncodeErrorKind, C>;
/// The next data, to be written to the file; none after the last. The source can fail with `C`.
pub(crate) type NextData<'s, K, C> = Result<Option<&'s [u8]>, CallbackError<K, C>>;

/// Data of a field: what [`FieldWriter`](crate::io::FieldWriter), [`VolumeWriter`](crate::io::VolumeWriter) and
/// [`ArchiveWriter`](crate::io::ArchiveWriter) write, and [`Encoder::fill`](super::encoder::Encoder::fill) returns as the
/// bytes of the file. The sites are in stored order; in a volume in the order of its ranks.
///
/// | source | data |
/// |---|---|
/// | `&[f32]`, `&[f64]` | numbers, converted to the precision of the field: `f32` to `f64` exactly, `f64` to `f32` rounded to nearest |
/// | `&[u8]` | bytes as they are in the file |
/// | [`Fill`] | sites that a callback fills |
///
/// Of a site of a gauge field, the link of direction 0 comes first; of each link the elements, row by row; of each
/// element the real part, then the imaginary part. An archive takes numbers and sites with all rows of each link, even
/// if its file leaves out the last row.
///
/// Data in several calls:
///
/// | | a part of a site | more than is left |
/// |---|---|---|
/// | numbers | are taken, except by archives: [`SiteError::Length`]. After bytes that end inside a number [`EncodeErrorKind::InsideSite`] | [`SiteError::Length`] |
/// | bytes | are taken | the error of [`Encode::put`](crate::Encode::put) |
/// | sites | [`EncodeErrorKind::SiteNotFilled`]; after numbers or bytes that end inside a site [`EncodeErrorKind::InsideSite`] | are not asked for |
///
/// Nothing is written then, except the sites before the one that is not filled.
///
/// Sealed: other crates cannot implement it.
///
/// ```
/// use linkstream::field::OutgoingMessage;
/// use linkstream::io::{FieldWriter, Fill};
/// use linkstream::lattice::{Extents, Precision};
/// use linkstream::scidac::PrivateRecord;
///
/// // Four times the number 0.5 at each of two sites.
/// let record = PrivateRecord::real_field(Precision::F32);
/// let message = OutgoingMessage::scidac(&record, b"");
/// let (mut sink, mut buffer) = ([0; 8192], [0; 512]);
/// let mut file = FieldWriter::create(&mut sink[..], &mut buffer, Extents::new(&[2])?)?;
/// file.write(&message, &[0.5_f32, 0.5][..])?;
/// file.write(&message, &[0.5_f64, 0.5][..])?;
/// file.write(&message, b"\x3f\0\0\0\x3f\0\0\0".as_slice())?;
/// file.write(&message, Fill::sites(|site| site.put(&[0.5_f32])))?;
/// file.finish()?;
/// assert_eq!(sink.windows(8).filter(|bytes| bytes == b"\x3f\0\0\0\x3f\0\0\0").count(), 4);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub trait FieldSource: sealed::Source {}

impl<S: sealed::Source> FieldSource for S {}

pub(crate) mod sealed {
    use super::{Extent, NextData, Room, SourceError, TakesData};

    /// The requests of a writer to a source.
    pub trait Source {
        /// The error of the source: of a callback, or of numbers that do not fit.
        type Error;

        /// Checks data before they are written. `buffer` is the size of the buffer.
        fn check(&self, room: &Room, extent: Extent, buffer: usize) -> Result<(), SourceError<Self::Error>>;

        /// Number of bytes that are written as they are.
        fn raw_bytes(&self) -> usize {
            0
        }

        /// Passes the next data, which have been checked, to the encoder and returns them; `None` after the last.
        fn next<'s, E: TakesData>(
            &'s mut self,
            encoder: &mut E,
            buffer: &'s mut [u8],
        ) -> NextData<'s, E::ErrorKind, Self::Error>;
    }
}

/// The data that are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All data of a source, which are all missing data.
    Whole,
    /// All data of a source, and others follow.
    Part,
    /// The data that are returned next.
    Front,
}

/// The data that an encoder expects, as sites with all their numbers.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    pub(crate) precision: Option<Precision>,
    pub(crate) bytes_per_site: u64,
    /// Number of bytes that are missing.
    pub(crate) left: u64,
    /// Number of bytes of the next site that have been taken.
    pub(crate) in_site: u64,
    /// Numbers are taken as whole sites.
    pub(crate) whole_sites: bool,
}

impl Room {
    /// The room for all data of a field that have `left` bytes.
    pub(crate) const fn of(field: &Field, left: u64) -> Self {
        let (precision, bytes_per_site) = (field.precision, field.bytes_per_site);
        Self { precision, bytes_per_site, left, in_site: 0, whole_sites: false }
    }

    /// Bytes of the numbers that are taken together: one number or one site.
    const fn unit(&self, precision: Precision) -> u64 {
        if self.whole_sites { self.bytes_per_site } else { precision.size() as u64 }
    }
}

/// An encoder that takes the data of a source. It counts them and adds them to its checksum; the caller writes the bytes
/// that it returns.
pub trait TakesData {
    type ErrorKind: From<EncodeErrorKind>;

    /// The room for the data that are missing. Refused if none are expected.
    fn data_room(&self) -> Result<Room, Self::ErrorKind>;

    /// Takes the next numbers or sites, which are big endian and complete. Returns the bytes of the file.
    fn pass<'b>(&mut self, numbers: &'b mut [u8]) -> Result<&'b mut [u8], Self::ErrorKind>;

    /// Takes the next bytes of the file.
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Self::ErrorKind>;

    /// Lets a callback fill the next sites at the front of `buffer`: as many as fit, at most `most`.
    fn sites<'b, O: Outcome>(
        &mut self,
        most: u64,
        fill: impl FnMut(&mut SiteMut<'_>) -> O,
        buffer: &'b mut [u8],
    ) -> Result<Filled<'b, O::Error>, Self::ErrorKind>;
}

/// Sites that were filled, and how the callback ended.
#[derive(Debug)]
pub struct Filled<'b, C> {
    /// The bytes of the file; before the encoder of an archive has converted them, sites with all rows.
    pub(crate) bytes: &'b mut [u8],
    pub(crate) sites: u64,
    /// The callback continues or stops, or the error of the next site, which is not among the bytes.
    pub(crate) outcome: Result<ControlFlow<()>, SourceError<C>>,
}

/// Fills the places of sites at the front of `buffer`, as many as fit, at most `most`.
pub(crate) fn fill_places<'b, C>(
    field: &Field,
    most: u64,
    buffer: &'b mut [u8],
    mut fill: impl FnMut(&mut [u8]) -> Result<ControlFlow<()>, SourceError<C>>,
) -> Result<Filled<'b, C>, EncodeErrorKind> {
    let needed = field.bytes_per_site;
    let Some(size) = usize::try_from(needed).ok().filter(|size| (1..=buffer.len()).contains(size)) else {
        // Sites without a byte need no filling.
        let nothing = Filled { bytes: &mut [], sites: 0, outcome: Ok(ControlFlow::Continue(())) };
        return if needed == 0 { Ok(nothing) } else { Err(EncodeErrorKind::SiteTooLarge { needed }) };
    };
    let (mut sites, mut outcome) = (0_usize, Ok(ControlFlow::Continue(())));
    let places = buffer.chunks_exact_mut(size).take(usize::try_from(most).unwrap_or(usize::MAX));
    for place in places {
        outcome = fill(place);
        if !matches!(outcome, Ok(ControlFlow::Continue(()))) {
            break;
        }
        sites.increase(1);
    }
    Ok(Filled { bytes: prefix_mut(buffer, sites.times(size)), sites: sites as u64, outcome })
}

/// Fills the sites of a field from `walk` on, in stored order.
pub(crate) fn fill_in_order<'b, O: Outcome>(
    field: &Field,
    mut walk: SiteOrder,
    most: u64,
    buffer: &'b mut [u8],
    mut fill: impl FnMut(&mut SiteMut<'_>) -> O,
) -> Result<Filled<'b, O::Error>, EncodeErrorKind> {
    let left = field.sites().minus(walk.done());
    fill_places(field, left.min(most), buffer, |place| {
        let position =
            SitePosition { rank: walk.rank(), index: walk.done(), coordinates: walk.coordinates() };
        let outcome = fill_site(field, position, place, &mut fill)?;
        if outcome.is_continue() {
            walk.step();
        }
        Ok(outcome)
    })
}

/// Sites that a callback fills, as a [`FieldSource`]. The callback may fail or stop (see [`Outcome`]); the next call
/// then continues with that site.
///
/// ```
/// use linkstream::field::OutgoingMessage;
/// use linkstream::io::{FieldWriter, Fill};
/// use linkstream::lattice::{Extents, Precision};
/// use linkstream::scidac::PrivateRecord;
///
/// let (mut sink, mut buffer) = ([0; 4096], [0; 512]);
/// let mut file = FieldWriter::create(&mut sink[..], &mut buffer, Extents::new(&[2, 2])?)?;
/// let record = PrivateRecord::real_field(Precision::F64);
/// file.write(&OutgoingMessage::scidac(&record, b"ranks"), Fill::sites(|site| site.put(&[site.rank() as f64])))?;
/// file.finish()?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Fill<F, C> {
    fill: F,
    left: u64,
    /// Error of the next site. It is returned after the sites before it have been written.
    failed: Option<SourceError<C>>,
}

impl<F, C> Fill<F, C> {
    /// All sites that are left of the field, each filled by this callback.
    pub const fn sites<O: Outcome<Error = C>>(fill: F) -> Self
    where
        F: FnMut(&mut SiteMut<'_>) -> O,
    {
        Self { fill, left: u64::MAX, failed: None }
    }

    /// At most the next `count` sites.
    #[must_use]
    pub fn at_most(self, count: u64) -> Self {
        Self { left: count, ..self }
    }
}

impl<O: Outcome, F: FnMut(&mut SiteMut<'_>) -> O> sealed::Source for Fill<F, O::Error> {
    type Error = O::Error;

    fn check(&self, room: &Room, _: Extent, buffer: usize) -> Result<(), SourceError<O::Error>> {
        let needed = room.bytes_per_site;
        if needed > buffer as u64 {
            return Err(EncodeErrorKind::SiteTooLarge { needed }.into());
        }
        if room.in_site > 0 { Err(EncodeErrorKind::InsideSite.into()) } else { Ok(()) }
    }

    fn next<'s, E: TakesData>(
        &'s mut self,
        encoder: &mut E,
        buffer: &'s mut [u8],
    ) -> NextData<'s, E::ErrorKind, O::Error> {
        if let Some(error) = self.failed.take() {
            return Err(error.map_failed(E::ErrorKind::from));
        }
        if self.left == 0 {
            return Ok(None);
        }
        let filled = encoder.sites(self.left, &mut self.fill, buffer)?;
        self.left.take_away(filled.sites);
        match filled.outcome {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => self.left = 0,
            Err(error) if filled.sites == 0 => return Err(error.map_failed(E::ErrorKind::from)),
            Err(error) => self.failed = Some(error),
        }
        let bytes: &[u8] = filled.bytes;
        Ok((filled.sites > 0).then_some(bytes))
    }
}

impl<T: Float> sealed::Source for &[T] {
    type Error = SiteError;

    fn check(&self, room: &Room, extent: Extent, buffer: usize) -> Result<(), SourceError<SiteError>> {
        let precision = room.precision.ok_or(CallbackError::Callback(SiteError::NotNumbers))?;
        let unit = room.unit(precision);
        if unit > buffer as u64 {
            return Err(EncodeErrorKind::SiteTooLarge { needed: unit }.into());
        }
        let most = if extent == Extent::Front { buffer } else { usize::MAX };
        let front = most.checked_div(precision.size()).unwrap_or(0).min(self.len());
        check_overflow(precision, prefix(self, front), 0).map_err(CallbackError::Callback)?;
        let given = (self.len() as u64).saturating_mul(precision.size() as u64);
        let needed = if extent == Extent::Whole || given > room.left {
            room.left
        } else {
            given.checked_next_multiple_of(unit).unwrap_or(u64::MAX)
        };
        if given != needed {
            return Err(CallbackError::Callback(SiteError::Length { needed, given }));
        }
        let is_inside_unit = room.in_site.checked_rem(unit) != Some(0) && !self.is_empty();
        if is_inside_unit { Err(EncodeErrorKind::InsideSite.into()) } else { Ok(()) }
    }

    fn next<'s, E: TakesData>(
        &'s mut self,
        encoder: &mut E,
        buffer: &'s mut [u8],
    ) -> NextData<'s, E::ErrorKind, SiteError> {
        if self.is_empty() {
            return Ok(None);
        }
        let room = encoder.data_room()?;
        let precision = room.precision.ok_or(CallbackError::Callback(SiteError::NotNumbers))?;
        // As many whole units as fit; the lengths below are at most its length.
        let unit = usize::try_from(room.unit(precision)).unwrap_or(usize::MAX);
        let fitting = buffer.len().checked_div(unit).unwrap_or(0).saturating_mul(unit);
        let count = fitting.checked_div(precision.size()).unwrap_or(0).min(self.len());
        let bytes = prefix_mut(buffer, count.times(precision.size()));
        precision.store(self, bytes);
        let bytes: &[u8] = encoder.pass(bytes)?;
        *self = suffix(self, count);
        // Nothing fits: the check refuses such a buffer.
        Ok((count > 0).then_some(bytes))
    }
}

impl sealed::Source for &[u8] {
    type Error = Infallible;

    fn check(&self, room: &Room, extent: Extent, _: usize) -> Result<(), SourceError<Infallible>> {
        if extent != Extent::Whole {
            // The encoder refuses too many.
            return Ok(());
        }
        let (needed, given) = (room.left, self.len() as u64);
        if given > needed {
            let kind = lime::EncodeErrorKind::PayloadTooLong { offered: given, room: needed };
            return Err(EncodeErrorKind::Lime(kind).into());
        }
        let missing = needed.saturating_sub(given);
        if missing == 0 { Ok(()) } else { Err(EncodeErrorKind::DataMissing { missing }.into()) }
    }

    fn raw_bytes(&self) -> usize {
        self.len()
    }

    fn next<'s, E: TakesData>(
        &'s mut self,
        encoder: &mut E,
        _: &'s mut [u8],
    ) -> NextData<'s, E::ErrorKind, Infallible> {
        if self.is_empty() {
            return Ok(None);
        }
        encoder.bytes(self)?;
        Ok(Some(core::mem::take(self)))
    }
}
