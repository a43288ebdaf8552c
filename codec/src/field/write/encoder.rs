//! The state of the encoder of SciDAC and ILDG content. Its methods are also in the other files of this directory.
//!
//! # Invariants
//! | fields | hold |
//! |---|---|
//! | `phase`, `part` | the piece that comes next: `Header`, `Text`, `Terminator` and `Padding` of a document, `Header`, `Data` and `Padding` of the data; `Idle` between two messages |
//! | `lime` | its record is open in all phases but `Idle` and `Header`, and belongs to `part` |
//! | `message`, `number` | the current message and its last record, counted from 1; a header of 144 bytes was written for each |
//! | `begun` | fingerprint of the message, which every further call must bring again |
//! | `data` | the last field, from the header of its data on: its checksum follows in a record of its own |
//!
//! `is_consistent` checks them when a state is loaded.

use super::message::{Fingerprint, Part};
use crate::encode::Encode;
use crate::field::error::EncodeErrorKind;
use crate::field::inventory::Inventory;
use crate::field::layout::{DescribedBy, Field};
use crate::field::read::decoder::Decoder;
use crate::field::read::record::Data;
use crate::lattice::{Checksum, Extents, SiteOrder};
use crate::lime::{self, HEADER_LEN, Record};
use crate::scidac::VolumeFormat;
use crate::state::{saved, saved_encoder};

/// The encoder's position within a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Between messages.
    Idle,
    Header,
    Text,
    /// The NUL after a text.
    Terminator,
    Data,
    Padding,
}

saved!(enum Phase: Idle, Header, Text, Terminator, Data, Padding);

/// Writes SciDAC and ILDG files: messages of documents and data, in the order and with the flags that the
/// specifications require.
///
/// [`begin`](Self::begin) checks an [`OutgoingMessage`](crate::field::OutgoingMessage) as a whole. Then the caller
/// repeatedly calls [`next`](Self::next) with the [`BegunMessage`](crate::field::BegunMessage) and writes the bytes
/// that it returns. When it requests data, the caller writes them and passes them to [`put`](Self::put), which
/// computes the checksum. A call that returns an error changes nothing. For the same input, the output equals the
/// output of QIO byte for byte, except that QIO omits both sums of a checksum if one is zero.
///
/// The message is not part of the saved state: [`resume`](Self::resume) takes it.
///
/// ```
/// use linkstream::Encode;
/// use linkstream::field::{Encoder, OutgoingMessage, Want};
/// use linkstream::ildg::{Format, GaugeKind};
/// use linkstream::lattice::Precision;
///
/// let kind = GaugeKind::parse(b"u1phase").ok_or("a kind of gauge field")?;
/// let format = Format::new(kind, Precision::F64, [2, 1, 1, 1]);
/// let message = OutgoingMessage::ildg(&format).with_lfn("lfn://example/two.links");
///
/// let (mut encoder, mut scratch, mut file) = (Encoder::new(), [0; 512], Vec::new());
/// let begun = encoder.begin(&message, &mut scratch)?;
/// loop {
///     match encoder.next(&begun, &mut scratch)? {
///         Want::Bytes(bytes) => file.extend_from_slice(bytes),
///         Want::Data(_) => {
///             let phase = 0.5_f64.to_be_bytes();
///             encoder.put(&phase)?;
///             file.extend_from_slice(&phase);
///         }
///         Want::Nothing => break,
///     }
/// }
/// encoder.finish()?;
/// assert_eq!(file.len() as u64, encoder.position());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoder {
    pub(super) lime: lime::Encoder,
    /// The lattice of the file message.
    pub(super) extents: Option<Extents>,
    pub(super) inventory: Inventory,
    pub(super) part: Part,
    pub(super) phase: Phase,
    /// Numbers of the current message and of its last record, from 1.
    pub(super) message: u64,
    pub(super) number: u64,
    /// Fingerprint of the current message, or of the last one.
    pub(super) begun: Fingerprint,
    pub(super) data: Option<Data>,
}

saved!(struct Encoder {
    lime, extents, inventory, part, phase, message, number, begun, data,
});

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}

saved_encoder!(Encoder, 11, Self::new);

impl Encoder {
    /// An encoder for a new file.
    #[must_use]
    pub const fn new() -> Self {
        Self::of(lime::Encoder::new())
    }

    /// Begins another file. Of use for an encoder in a `static`, which is not moved.
    ///
    /// ```
    /// use linkstream::Resumable;
    /// use linkstream::field::{Encoder, OutgoingMessage};
    ///
    /// const NEW: Encoder = Encoder::new();
    /// let (mut encoder, mut scratch) = (NEW, [0; 512]);
    /// encoder.begin(&OutgoingMessage::foreign(b"my-notes", b"any bytes"), &mut scratch)?;
    /// encoder.reset();
    /// assert_eq!(encoder.save(), NEW.save());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn reset(&mut self) {
        *self = Self::new();
    }

    const fn of(lime: lime::Encoder) -> Self {
        Self {
            lime,
            extents: None,
            inventory: Inventory::EMPTY,
            part: Part::Foreign,
            phase: Phase::Idle,
            message: 0,
            number: 0,
            begun: Fingerprint::NONE,
            data: None,
        }
    }

    /// An encoder that appends to the file that `decoder` has read, with this `inventory`.
    pub(crate) fn continuing(decoder: &Decoder, inventory: Inventory) -> Option<Self> {
        let mut encoder = Self::of(lime::Encoder::after(decoder.lime())?);
        if let Some(file) = decoder.private_file() {
            encoder.extents = file.extents();
            if file.volume_format() != VolumeFormat::Single {
                return None;
            }
        }
        encoder.inventory = inventory;
        let record = decoder.lime().record();
        (encoder.message, encoder.number) = (record.message, record.number);
        Some(encoder)
    }

    /// The LIME encoder inside.
    #[must_use]
    pub const fn lime(&self) -> &lime::Encoder {
        &self.lime
    }

    /// The field whose data are being or were last written; `None` after the next message has begun.
    #[must_use]
    pub const fn field(&self) -> Option<&Field> {
        match &self.data {
            Some(data) => Some(data.field()),
            None => None,
        }
    }

    /// The site of the next byte, while data are expected.
    #[must_use]
    pub fn site(&self) -> Option<SiteOrder> {
        self.data.as_ref().filter(|_| self.phase == Phase::Data).map(Data::site_order)
    }

    /// True if the next byte begins a site, or no data are expected.
    #[must_use]
    pub fn is_between_sites(&self) -> bool {
        self.data.as_ref().is_none_or(|data| data.in_site() == 0)
    }

    /// The checksum of the data of [`field`](Self::field) that were passed to this encoder.
    #[must_use]
    pub fn checksum(&self) -> Option<Checksum> {
        self.data.as_ref().map(Data::sum)
    }

    pub(super) fn sum(&self) -> Checksum {
        self.checksum().unwrap_or_default()
    }
}

impl Encode for Encoder {
    type ErrorKind = EncodeErrorKind;

    /// The number of bytes of data that are missing.
    fn room(&self) -> u64 {
        if self.phase == Phase::Data { self.lime.missing() } else { 0 }
    }

    /// Counts the next bytes of data, which the caller writes, and adds them to the checksum: big-endian numbers, sites
    /// in stored order, in pieces of any size.
    ///
    /// # Errors
    /// There are more bytes than the field has left, or the bytes belong to sites that have already been written, or
    /// no data are expected.
    fn put(&mut self, bytes: &[u8]) -> Result<(), EncodeErrorKind> {
        let data = self.data.as_mut().filter(|_| self.phase == Phase::Data).ok_or(EncodeErrorKind::NoData)?;
        let n = bytes.len() as u64;
        if self.lime.would_overwrite(n) {
            return Err(EncodeErrorKind::SitesRepeated);
        }
        self.lime.payload(n)?;
        data.take(bytes);
        // The padding follows all data, even if the last bytes were written in the middle.
        if self.lime.missing() == 0 {
            self.lime.seek(self.lime.payload_length())?;
        }
        Ok(())
    }

    fn position(&self) -> u64 {
        self.lime.position()
    }

    /// Checks that the file can end here.
    ///
    /// # Errors
    /// [`EncodeErrorKind::MessageOpen`].
    fn finish(&self) -> Result<(), EncodeErrorKind> {
        if self.phase == Phase::Idle { Ok(()) } else { Err(EncodeErrorKind::MessageOpen) }
    }
}

impl Encoder {
    /// Returns whether the fields of a loaded state agree with each other, so that the encoder keeps its contract.
    pub(super) fn is_consistent(&self) -> bool {
        let lattice_known = !(Part::PrivateFile..=Part::RecordXml).contains(&self.part);
        self.lime.is_consistent()
            && self.inventory.is_consistent()
            && self.record_fits()
            && self.counters_fit()
            && self.data_fits()
            && (lattice_known || self.extents.is_some())
    }

    /// Returns whether the open record, or its absence, agrees with part and phase, and so does its number of bytes.
    fn record_fits(&self) -> bool {
        let open = !matches!(self.phase, Phase::Idle | Phase::Header);
        if self.lime.record_is_open() != open {
            return false;
        }
        if !open {
            return self.phase == Phase::Header || self.part == Part::Foreign;
        }
        let (room, missing, length) = (self.lime.room(), self.lime.missing(), self.lime.payload_length());
        let place_fits = match self.phase {
            Phase::Idle | Phase::Header => true,
            Phase::Text => self.part != Part::Data && room == length && missing == length,
            // Only the NUL is missing.
            Phase::Terminator => self.part != Part::Data && room == missing && missing <= 1,
            Phase::Data => self.part == Part::Data,
            Phase::Padding => room == 0 && missing == 0,
        };
        place_fits && self.part.has_type(self.lime.header().record_type())
    }

    /// Returns whether the counted messages and records fit into the bytes before this position.
    fn counters_fit(&self) -> bool {
        let Some(before) = self.message.checked_sub(1) else {
            return self.number == 0 && self.phase == Phase::Idle;
        };
        // Each message before has a record, and each record a header.
        let headers = before.checked_add(self.number).and_then(|n| n.checked_mul(HEADER_LEN as u64));
        let numbered = match self.phase {
            Phase::Header => self.lime.message_is_open() == (self.number > 0),
            Phase::Idle => self.number > 0,
            _ => self.number > 0 && self.lime.header().begins_message() == (self.number == 1),
        };
        numbered && headers.is_some_and(|headers| headers <= self.lime.position())
    }

    /// Returns whether there are data exactly if the message has begun them, in a record of this file.
    fn data_fits(&self) -> bool {
        let in_record = self.part == Part::Data && matches!(self.phase, Phase::Data | Phase::Padding);
        match &self.data {
            None => !in_record && self.part != Part::Checksum,
            Some(data) => {
                let field = data.field();
                let record = &field.record;
                let place_fits = if in_record { self.is_in(data) } else { self.is_after(record) };
                let lattice_fits =
                    field.described_by != DescribedBy::Scidac || self.extents == Some(field.extents);
                place_fits
                    && lattice_fits
                    && field.data_length() == Some(record.length)
                    && data.checksum().is_some()
            }
        }
    }

    /// Returns whether the open record contains the data, and the next byte is at the right place in it.
    fn is_in(&self, data: &Data) -> bool {
        let header = self.lime.header();
        let open = Record {
            offset: self.lime.offset(),
            length: header.length(),
            message: self.message,
            number: self.number,
            begin: header.begins_message(),
            end: header.ends_message(),
        };
        let record = data.field().record;
        let at = data.site_order().done().checked_mul(data.field().bytes_per_site);
        let at = at.and_then(|at| at.checked_add(data.in_site())?.checked_add(record.payload_offset()));
        // All data are written, or others write the rest.
        let complete = self.lime.missing() == 0 && self.lime.room() == 0;
        open == record && (complete || at == Some(self.lime.position()))
    }

    /// Returns whether this record of the current message was the last one written, or the last one before the
    /// checksum: nothing else can follow data.
    fn is_after(&self, record: &Record) -> bool {
        let idle = self.phase == Phase::Idle;
        let position = if idle { self.lime.position() } else { self.lime.offset() };
        let checksum =
            Record { offset: record.next_offset(), length: self.lime.header().length(), ..Record::default() };
        let ends_here = match self.number.checked_sub(record.number) {
            Some(0) => record.next_offset() == position,
            Some(1) if idle => checksum.next_offset() == position,
            Some(1) => checksum.offset == position,
            _ => false,
        };
        ends_here && record.message == self.message && (idle || self.part == Part::Checksum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::OutgoingMessage;

    /// Between messages there is no part, and before a header there is one.
    #[test]
    fn a_part_without_an_open_record_is_about_to_be_written() {
        let mut encoder = Encoder::new();
        assert!(encoder.is_consistent());
        encoder.part = Part::Lfn;
        assert!(!encoder.record_fits());
        encoder.part = Part::Foreign;
        assert!(encoder.record_fits());
        let _ = encoder.begin(&OutgoingMessage::lfn("name"), &mut []).unwrap();
        assert_eq!((encoder.phase, encoder.part), (Phase::Header, Part::Lfn));
        assert!(encoder.is_consistent() && encoder.record_fits());
    }
}
