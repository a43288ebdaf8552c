//! Sources of the data of a field that is written.

use core::convert::Infallible;
use core::ops::ControlFlow;

use crate::bytes::suffix;
use crate::callback::{CallbackError, Outcome};
use crate::counter::Counter as _;
use crate::encode::Encode as _;
use crate::field::{EncodeErrorKind, Encoder, Field, SiteError, SiteMut, check_overflow};
use crate::io::writer::NextPiece;
use crate::lattice::Float;
use crate::lime;

/// Reason why a source cannot be the data of a field, or its own error.
pub(super) type SourceError<C> = CallbackError<EncodeErrorKind, C>;

/// Data of a field that [`FieldWriter`](crate::io::FieldWriter) writes, with the sites in stored order:
///
/// | source | data |
/// |---|---|
/// | `&[f32]`, `&[f64]` | numbers, converted to the precision of the field: `f32` to `f64` exactly, `f64` to `f32` rounded to nearest |
/// | `&[u8]` | bytes as they are in the file: big-endian numbers |
/// | [`Fill`] | sites that a callback fills |
///
/// Of a site of a gauge field, the link of direction 0 comes first; of each link the elements, row by row; of each
/// element the real part, then the imaginary part.
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

pub(in crate::io) mod sealed {
    use super::{EncodeErrorKind, Encoder, Field, NextPiece, SourceError};

    /// The requests of the writer to a source.
    pub trait Source {
        /// The error of the source: of a callback, or of numbers that do not fit.
        type Error;

        /// Checks, before anything is written, that the source has the data of this whole field. `room` is the size of
        /// the buffer.
        fn check(&self, field: &Field, room: usize) -> Result<(), SourceError<Self::Error>>;

        /// Passes the next data to the encoder and returns them; `None` after the last.
        fn next<'s>(
            &'s mut self,
            encoder: &mut Encoder,
            buffer: &'s mut [u8],
        ) -> NextPiece<'s, EncodeErrorKind, Self::Error>;
    }
}

/// Sites that a callback fills, as the source of [`FieldWriter::write`](crate::io::FieldWriter::write). The callback may
/// fail or stop (see [`Outcome`]).
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

    /// At most the next `count` sites, for [`FieldWriter::put`](crate::io::FieldWriter::put).
    #[must_use]
    pub fn at_most(self, count: u64) -> Self {
        Self { left: count, ..self }
    }
}

impl<O: Outcome, F: FnMut(&mut SiteMut<'_>) -> O> sealed::Source for Fill<F, O::Error> {
    type Error = O::Error;

    fn check(&self, field: &Field, room: usize) -> Result<(), SourceError<O::Error>> {
        let needed = field.bytes_per_site;
        let fits = needed <= room as u64;
        if fits { Ok(()) } else { Err(EncodeErrorKind::SiteTooLarge { needed }.into()) }
    }

    fn next<'s>(
        &'s mut self,
        encoder: &mut Encoder,
        buffer: &'s mut [u8],
    ) -> NextPiece<'s, EncodeErrorKind, O::Error> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        if self.left == 0 {
            return Ok(None);
        }
        // `Err(None)` means that the callback stops.
        let fill = |site: &mut SiteMut<'_>| match (self.fill)(site).into_result() {
            Ok(ControlFlow::Continue(())) => Ok(()),
            Ok(ControlFlow::Break(())) => Err(None),
            Err(error) => Err(Some(error)),
        };
        let filled = encoder.fill(buffer, self.left, fill)?;
        self.left.take_away(filled.sites);
        match filled.outcome {
            Ok(()) => {}
            Err(CallbackError::Callback(None)) => self.left = 0,
            Err(CallbackError::Callback(Some(error))) => self.failed = Some(CallbackError::Callback(error)),
            Err(CallbackError::Failed(kind)) => self.failed = Some(CallbackError::Failed(kind)),
        }
        let is_last = filled.sites == 0 && self.failed.is_none();
        Ok((!is_last).then_some(filled.bytes))
    }
}

impl<T: Float> sealed::Source for &[T] {
    type Error = SiteError;

    fn check(&self, field: &Field, _: usize) -> Result<(), SourceError<SiteError>> {
        let precision = field.precision.ok_or(CallbackError::Callback(SiteError::NotNumbers))?;
        check_overflow(precision, self, 0).map_err(CallbackError::Callback)?;
        let needed = field.data_length().unwrap_or(u64::MAX);
        let given = (self.len() as u64).saturating_mul(precision.size() as u64);
        let fits = needed == given;
        if fits { Ok(()) } else { Err(CallbackError::Callback(SiteError::Length { needed, given })) }
    }

    fn next<'s>(
        &'s mut self,
        encoder: &mut Encoder,
        buffer: &'s mut [u8],
    ) -> NextPiece<'s, EncodeErrorKind, SiteError> {
        if self.is_empty() {
            return Ok(None);
        }
        let (bytes, count) = encoder.store(buffer, self)?;
        *self = suffix(self, count);
        Ok(Some(bytes))
    }
}

impl sealed::Source for &[u8] {
    type Error = Infallible;

    fn check(&self, field: &Field, _: usize) -> Result<(), SourceError<Infallible>> {
        let (needed, given) = (field.data_length().unwrap_or(u64::MAX), self.len() as u64);
        if given > needed {
            let kind = lime::EncodeErrorKind::PayloadTooLong { offered: given, room: needed };
            return Err(EncodeErrorKind::Lime(kind).into());
        }
        let missing = needed.saturating_sub(given);
        if missing == 0 { Ok(()) } else { Err(EncodeErrorKind::DataMissing { missing }.into()) }
    }

    fn next<'s>(
        &'s mut self,
        encoder: &mut Encoder,
        _: &'s mut [u8],
    ) -> NextPiece<'s, EncodeErrorKind, Infallible> {
        if self.is_empty() {
            return Ok(None);
        }
        encoder.put(self)?;
        Ok(Some(core::mem::take(self)))
    }
}
