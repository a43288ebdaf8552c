//! The documents of a field that is to be written, made together so that they describe the same data.

use super::message::OutgoingMessage;
use crate::field::layout::Field;
use crate::field::write_error::EncodeErrorKind;
use crate::ildg::{Format, GaugeKind};
use crate::lattice::{Extents, Precision};
use crate::scidac::{Date, PrivateRecord};

/// The form in which a gauge field is written.
///
/// ```
/// use linkstream::field::{FieldDocuments, Form};
/// use linkstream::ildg::GaugeKind;
/// use linkstream::lattice::{Extents, Precision};
///
/// let lattice = Extents::new(&[4, 4, 4, 8])?;
/// let documents = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, &lattice)?;
/// assert_eq!(documents.layout(&lattice)?.bytes_per_site, 4 * 9 * 2 * 4);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Form {
    /// SciDAC programs: a private record, the data as `scidac-binary-data`, and the checksum.
    Scidac,
    /// ILDG 1.2 only: an `ildg-format`, and the data as `ildg-binary-data` with one link in each direction that has
    /// more than one site. A `scidac-checksum` follows, which ILDG allows.
    Ildg,
    /// Both, as QIO writes ILDG files: a private record, an `ildg-format` of version 1.0, and four links at each
    /// site whatever the extents.
    Both,
}

/// The documents of one field: a SciDAC record, an `ildg-format`, or both. [`message`](Self::message) is what an
/// [`Encoder`](crate::field::Encoder) and the writers take.
///
/// ```
/// use linkstream::field::{Encoder, FieldDocuments, Form};
/// use linkstream::ildg::GaugeKind;
/// use linkstream::io::FieldWriter;
/// use linkstream::lattice::{Extents, Precision};
///
/// let lattice = Extents::new(&[2, 2, 2, 2])?;
/// let documents = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F64, Form::Ildg, &lattice)?;
/// let (mut file, mut buffer) = ([0; 12_000], [0; 1024]);
/// let mut writer = FieldWriter::with_encoder(&mut file[..], &mut buffer, Encoder::new());
/// writer.field(&documents.message(b""), |site| site.put(&[0.5_f64; 72]))?;
/// writer.finish()?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldDocuments {
    record: Option<PrivateRecord>,
    format: Option<Format>,
    /// A date was given, but no document has a place for it.
    has_stray_date: bool,
}

impl FieldDocuments {
    /// The documents of a gauge field whose links are stored with all rows.
    ///
    /// # Errors
    /// [`EncodeErrorKind::FormUnsuited`] if the form does not support this field: SciDAC has no datatype for links
    /// of real numbers, and ILDG lattices have 4 dimensions.
    pub fn gauge_field(
        kind: GaugeKind,
        precision: Precision,
        form: Form,
        lattice: &Extents,
    ) -> Result<Self, EncodeErrorKind> {
        let extents = <[u32; 4]>::try_from(lattice.as_slice());
        if form != Form::Ildg && kind.is_real() {
            return Err(EncodeErrorKind::FormUnsuited);
        }
        // QDP stores a link for each dimension, QIO's files with an `ildg-format` have 4 of them.
        let record = (form != Form::Ildg)
            .then(|| PrivateRecord::gauge_field(kind.colors(), precision, u32::from(lattice.dimensions())));
        let format = match form {
            Form::Scidac => None,
            Form::Ildg => {
                Some(Format::new(kind, precision, extents.map_err(|_| EncodeErrorKind::FormUnsuited)?))
            }
            Form::Both => Some(Format::version_1_0(
                kind,
                precision,
                extents.map_err(|_| EncodeErrorKind::FormUnsuited)?,
            )),
        };
        Ok(Self { record, format, has_stray_date: false })
    }

    /// The documents of data that a SciDAC record describes; see the constructors of [`PrivateRecord`].
    #[must_use]
    pub const fn scidac(record: PrivateRecord) -> Self {
        Self { record: Some(record), format: None, has_stray_date: false }
    }

    /// The same with this date. Only a SciDAC record has a place for it: without one, the message of these documents
    /// is refused ([`EncodeErrorKind::NoPlaceForText`]).
    #[must_use]
    pub fn dated(mut self, date: Date) -> Self {
        match &mut self.record {
            Some(record) => record.set_date(date),
            None => self.has_stray_date = true,
        }
        self
    }

    /// The message of this field, checksum included. `text` is the user's text about the record. Only a SciDAC record
    /// has a place for it: without one, a message with a text that is not empty is refused
    /// ([`EncodeErrorKind::NoPlaceForText`]).
    #[must_use]
    pub fn message<'a>(&'a self, text: &'a [u8]) -> OutgoingMessage<'a> {
        let has_stray_text = self.has_stray_date || (self.record.is_none() && !text.is_empty());
        let message = match (&self.record, &self.format) {
            (Some(record), Some(format)) => OutgoingMessage::scidac(record, text).with_format(format),
            (Some(record), None) => OutgoingMessage::scidac(record, text),
            (None, Some(format)) => OutgoingMessage::ildg(format).with_checksum(true),
            (None, None) => OutgoingMessage::default(),
        };
        OutgoingMessage { has_stray_text, ..message }
    }

    /// The layout of the data on this lattice.
    ///
    /// # Errors
    /// As [`Encoder::begin`](crate::field::Encoder::begin).
    pub fn layout(&self, lattice: &Extents) -> Result<Field, EncodeErrorKind> {
        self.message(b"").layout(Some(*lattice))
    }

    /// Whether a file message with the lattice must come before it.
    pub(crate) const fn is_scidac(&self) -> bool {
        self.record.is_some()
    }
}
