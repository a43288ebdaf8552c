//! The decoder of fields: its events, its state, and its accessors.

use super::apart::Apart;
use super::record::{Data, Description, Origin, Reading, RecordKind};
use crate::error::{Error, Misuse, Mode};
use crate::failed::Failed;
use crate::field::error::ErrorKind;
use crate::field::layout::Field;
use crate::ildg::Format;
use crate::lattice::Checksum;
use crate::lime;
use crate::machine::nested_decoder;
use crate::scidac::{PrivateFile, PrivateRecord, StoredChecksum};
use crate::state::saved;
use crate::step::{Decode, Demand, SeekPayload as _, Step};
use core::fmt;

/// The events of a [`Decoder`](crate::field::Decoder), and of a [`conformance::Decoder`](crate::conformance::Decoder),
/// whose findings have another `Kind`.
///
/// # Example
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::field::{Decoder, Event};
/// use linkstream::{Mode, drive, finish};
/// # let file = linkstream_example::file();
///
/// let mut decoder = Decoder::new(Mode::Strict);
/// let (mut records, mut bytes, mut verdict) = (0, 0, None);
/// drive(&mut decoder, &file, |event, data, _| match event {
///     Event::Record(_) => records += 1,
///     Event::Data => bytes += data.len(),
///     Event::FieldEnd(checksum) => assert!(checksum.is_some()),
///     Event::Verdict(reported) => verdict = Some(reported),
///     _ => {}
/// })?;
/// finish(&mut decoder, |_, _, _| {})?;
/// assert_eq!((records, bytes), (6, 128));
/// assert!(verdict.is_some_and(|verdict| verdict.is_match()));
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Event<Kind = ErrorKind> {
    /// A record begins; its type is in [`Decoder::record_type`](crate::field::Decoder::record_type).
    Record(lime::Record),
    /// The bytes consumed by this step are payload: of a document, of a record of another type, or of data without a
    /// description.
    Payload,
    /// The record that has just begun contains data that a document describes: a field, a hypercube, or global data.
    /// Their layout is in [`Decoder::field`](crate::field::Decoder::field).
    Field,
    /// The bytes consumed by this step are data of the field.
    Data,
    /// The data are complete. Contains their checksum, unless bytes were skipped.
    FieldEnd(Option<Checksum>),
    /// The record is complete. If it is a document, the decoder now has its values.
    End,
    /// The result of comparing the checksum of the last field with the stored one. Reported when the stored one has
    /// been read, or the message is over. If a checksum record follows in another message, a second verdict on the same
    /// field is reported when that record has been read.
    Verdict(Verdict),
    /// A broken rule that the mode does not refuse, or a remark. Reading continues.
    Finding(Error<Kind>),
}

/// The result of comparing the checksum of a field with the stored one. It is
/// [`Verdict::Absent`](crate::Verdict::Absent) if only one of the two sums is stored and agrees.
///
/// # Example
/// ```
/// use linkstream::field::Verdict;
/// use linkstream::lattice::Checksum;
///
/// let sums = Checksum { suma: 1, sumb: 2 };
/// assert_eq!(Verdict::Match { stored: sums, computed: sums }.require_match()?, sums);
/// # Ok::<(), linkstream::field::Unverified>(())
/// ```
pub type Verdict = crate::Verdict<Checksum>;

/// The checksum of a field was not verified.
///
/// # Example
/// ```
/// use linkstream::field::{Unverified, Verdict};
/// use linkstream::lattice::Checksum;
///
/// let verdict = Verdict::Absent { computed: Checksum::default() };
/// let error: Unverified = verdict.require_match().err().ok_or("no checksum is stored")?;
/// assert_eq!(error.to_string(), "no checksum is stored with the data");
/// # Ok::<(), &str>(())
/// ```
pub type Unverified = crate::Unverified<Checksum>;

impl fmt::Display for Unverified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.verdict {
            Verdict::Mismatch { stored, .. } => {
                write!(f, "checksum mismatch: the file contains {stored}")
            }
            Verdict::Absent { .. } => f.write_str("no checksum is stored with the data"),
            Verdict::Unchecked => f.write_str(
                "data were skipped or are missing, so the checksum of all of them was not computed",
            ),
            Verdict::Match { computed, .. } => {
                write!(f, "the checksum of the data matches the stored one, {computed}")
            }
        }
    }
}

/// An [`Event`] without its contents, which are in the decoder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    Record,
    Payload,
    Field,
    Data,
    FieldEnd,
    End,
    Match,
    Mismatch,
    Absent,
    Unchecked,
    /// A finding of this decoder or of the LIME decoder.
    Finding,
}

/// The next task of the decoder: bytes, or a report about the bytes taken. Each phase first reports its findings, then
/// does its work, which may return an event, and enters another phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The LIME decoder takes bytes.
    Bytes,
    /// The last field's checksum cannot follow any more: its verdict is due.
    ChecksumDue,
    /// A message is over.
    MessageEnds,
    /// A record's header has been reported.
    RecordBegins,
    /// A record's payload and padding are complete.
    RecordEnds,
    /// The event of the complete record (end of a field, verdict) has been reported.
    RecordEnded,
    /// The input is over.
    FileEnds,
    Ended,
}

saved!(enum Phase: Bytes, ChecksumDue, MessageEnds, RecordBegins, RecordEnds, RecordEnded, FileEnds, Ended);

/// Reads SciDAC and ILDG content from input in chunks of any size; see the [module](crate::field).
///
/// It reports errors that make data unreadable or wrong. It does not check the other rules of ILDG and QIO;
/// [`conformance::Decoder`](crate::conformance::Decoder) does.
///
/// An incomplete site in [`Sites`](crate::field::Sites) is not part of the saved state; see
/// [`Sites::resume`](crate::field::Sites::resume).
///
/// # Example
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::Resumable;
/// use linkstream::field::{Decoder, Event};
/// use linkstream::{Decode, Mode};
/// # let file = linkstream_example::file();
///
/// let mut decoder = Decoder::new(Mode::Strict);
/// let mut rest = &file[..];
/// let verdict = loop {
///     let step = decoder.push(rest)?;
///     rest = &rest[step.consumed..];
///     match step.event {
///         Some(Event::Field) => {
///             assert_eq!(decoder.field().map(|field| field.data_length()), Some(Some(128)));
///             assert!(decoder.private_file().is_some() && decoder.private_record().is_some());
///             assert!(decoder.format().is_none() && decoder.record_type() == b"scidac-binary-data");
///             assert!(!decoder.format_describes_field());
///             assert_eq!(decoder.lime().record().length, 128);
///             // Continue elsewhere: the state is a few bytes.
///             decoder = Decoder::load(&decoder.save()?)?;
///         }
///         Some(Event::Verdict(verdict)) => break verdict,
///         Some(_) => {}
///         None => return Err("the file has a field and its checksum".into()),
///     }
/// };
/// assert!(verdict.is_match() && decoder.stored_checksum().checksum().is_some());
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
#[derive(Debug, Clone)]
pub struct Decoder {
    pub(super) lime: lime::Decoder,
    pub(super) phase: Phase,
    /// Findings of this phase that have been reported.
    pub(super) reported: u8,
    /// The phase after `ChecksumDue` and `MessageEnds`.
    pub(super) after: Phase,
    /// The message is over, not only the wait for a checksum.
    pub(super) message_over: bool,
    pub(super) kind: RecordKind,
    pub(super) reading: Reading,
    pub(super) file: Description<PrivateFile>,
    pub(super) record: Description<PrivateRecord>,
    pub(super) record_origin: Origin,
    pub(super) format: Description<Format>,
    pub(super) format_origin: Origin,
    pub(super) stored: StoredChecksum,
    pub(super) data: Option<Data>,
    /// The data are complete, and there has been no verdict on them.
    pub(super) unsettled: bool,
    /// Checksum records that do not follow their data in the same message, and the field that waits for one.
    pub(super) apart: Apart,
    /// An error of this layer. Errors of the LIME decoder stay there.
    pub(crate) failed: Failed<ErrorKind>,
}

saved!(struct Decoder {
    lime, phase, reported, after, message_over, kind, reading, file, record, record_origin, format, format_origin,
    stored, data, unsettled, apart,
} skipping { failed });

nested_decoder!(Decoder, 3, "field", |decoder| decoder.lime.mode);

impl Decoder {
    /// A decoder for a file from its first byte.
    // Inlined into another function, its fields would be assembled on the stack and copied.
    #[must_use]
    #[inline(never)]
    pub const fn new(mode: Mode) -> Self {
        Self {
            lime: lime::Decoder::new(mode),
            phase: Phase::Bytes,
            reported: 0,
            after: Phase::Bytes,
            message_over: false,
            kind: RecordKind::Foreign,
            reading: Reading::new(false),
            file: Description::NO_FILE,
            record: Description::NO_RECORD,
            record_origin: Origin::NONE,
            format: Description::NO_FORMAT,
            format_origin: Origin::NONE,
            stored: StoredChecksum::EMPTY,
            data: None,
            unsettled: false,
            apart: Apart::NONE,
            failed: Failed::new(),
        }
    }

    /// The type of the current record: its bytes before the first NUL.
    #[must_use]
    pub fn record_type(&self) -> &[u8] {
        self.lime.record_type()
    }

    /// The LIME decoder inside.
    #[must_use]
    pub const fn lime(&self) -> &lime::Decoder {
        &self.lime
    }

    /// The field of the current data record or, between two data records, of the previous one.
    #[must_use]
    pub const fn field(&self) -> Option<&Field> {
        match &self.data {
            Some(data) => Some(data.field()),
            None => None,
        }
    }

    /// The file document, once one has been read.
    #[must_use]
    pub fn private_file(&self) -> Option<&PrivateFile> {
        self.file.state.is_good().then_some(&self.file.document)
    }

    /// The last record document, once one has been read.
    #[must_use]
    pub fn private_record(&self) -> Option<&PrivateRecord> {
        self.record.state.is_good().then_some(&self.record.document)
    }

    /// The last `ildg-format`, once one has been read.
    #[must_use]
    pub fn format(&self) -> Option<&Format> {
        self.format.state.is_good().then_some(&self.format.document)
    }

    /// The last checksum document; empty before the first.
    #[must_use]
    pub const fn stored_checksum(&self) -> &StoredChecksum {
        &self.stored
    }

    /// Absolute offset of the checksum record for the field of the last [`Event::Verdict`]; `None` if the file has none.
    /// The sums are in [`stored_checksum`](Self::stored_checksum), unless the record could not be read.
    #[must_use]
    pub const fn checksum_offset(&self) -> Option<u64> {
        self.apart.compared_at()
    }

    /// Supplies the checksum of data that the decoder has skipped but that were read elsewhere, for example by
    /// several threads. Allowed after all data of the field have been skipped and before [`Event::FieldEnd`]. The
    /// data then count as read, and their checksum is compared with the stored one.
    ///
    /// ```
    /// use linkstream::field::{Decoder, Event};
    /// use linkstream::lattice::Checksum;
    /// use linkstream::{Decode, Mode};
    /// # let file = linkstream_example::file();
    ///
    /// let (mut decoder, mut at, mut verified) = (Decoder::new(Mode::Strict), 0, false);
    /// loop {
    ///     let step = decoder.push(&file[at..])?;
    ///     at += step.consumed;
    ///     match (step.event, decoder.field()) {
    ///         (Some(Event::Field), Some(field)) => {
    ///             let length = usize::try_from(field.record.length)?;
    ///             let site = usize::try_from(field.bytes_per_site)?;
    ///             let mut checksum = Checksum::default();
    ///             for (rank, site) in (0..).zip(file[at..at + length].chunks(site)) {
    ///                 checksum.add(rank, site);
    ///             }
    ///             decoder.skip(length as u64)?;
    ///             decoder.supply_checksum(checksum)?;
    ///             at += length;
    ///         }
    ///         (Some(Event::Verdict(verdict)), _) => verified = verdict.is_match(),
    ///         (Some(_), _) => {}
    ///         (None, _) => break,
    ///     }
    /// }
    /// assert!(verified);
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Misuse::NoPayload`](crate::Misuse::NoPayload) if the decoder is not at the end of a field's data, or the end
    /// has been reported already.
    pub fn supply_checksum(&mut self, checksum: Checksum) -> Result<(), Error<ErrorKind>> {
        self.failed.check()?;
        let place = self.lime.payload_position();
        match &mut self.data {
            Some(data)
                if self.kind == RecordKind::Data
                    && self.phase == Phase::Bytes
                    && place == Some(data.field().record.length) =>
            {
                data.take_all(checksum);
                Ok(())
            }
            _ => {
                Err(Error::new(self.position(), ErrorKind::Lime(lime::ErrorKind::Misuse(Misuse::NoPayload))))
            }
        }
    }

    /// Returns whether the fields of a loaded state agree with each other, so that the decoder keeps its contract.
    pub(crate) fn is_consistent(&self) -> bool {
        if !self.lime.is_consistent() {
            return false;
        }
        let record = self.lime.record();
        let place = self.lime.payload_position();
        let before_after = matches!(self.phase, Phase::ChecksumDue | Phase::MessageEnds);
        // `ChecksumDue` and `MessageEnds` come in between: the phase after them must fit the place in the file.
        let leads_to = if before_after { self.after } else { self.phase };
        let phase = match leads_to {
            Phase::Bytes => true,
            Phase::RecordBegins => place == Some(0),
            Phase::RecordEnds | Phase::RecordEnded => !before_after && place.is_none(),
            Phase::FileEnds => self.lime.demand() == Demand::End,
            Phase::Ended => !before_after && self.lime.demand() == Demand::End,
            Phase::ChecksumDue | Phase::MessageEnds => false,
        };
        let kind = place.is_none() || self.kind == RecordKind::of(self.lime.header());
        let documents = [self.record_origin, self.format_origin];
        let documents =
            documents.iter().all(|origin| origin.message <= record.message && origin.at <= record.offset);
        let in_data = self.kind == RecordKind::Data && leads_to != Phase::RecordBegins;
        let data = match &self.data {
            Some(data) => {
                let of = data.field().record;
                // Without a gap, as many bytes have been read as the LIME decoder has passed in this record.
                let read =
                    data.read().is_none_or(|read| read == place.filter(|_| in_data).unwrap_or(of.length));
                data.field().data_length() == Some(of.length)
                    && if in_data { of == record } else { of.offset < record.offset }
                    && read
            }
            None => !self.unsettled,
        };
        phase && kind && documents && data && self.apart.is_consistent()
    }

    /// The message of the last `ildg-format`.
    pub(crate) const fn format_message(&self) -> u64 {
        self.format_origin.message
    }

    /// Fails with the error of a decoder that has stopped.
    fn check_usable(&self) -> Result<(), Error<ErrorKind>> {
        self.check_usable_for(&())
    }

    pub(crate) const fn kind(&self) -> RecordKind {
        self.kind
    }

    pub(crate) const fn reading(&self) -> &Reading {
        &self.reading
    }

    /// The last record document, whatever its state.
    pub(crate) const fn record_described(&self) -> (&Description<PrivateRecord>, Origin) {
        (&self.record, self.record_origin)
    }

    /// The last format, whatever its state.
    pub(crate) const fn format_described(&self) -> (&Description<Format>, Origin) {
        (&self.format, self.format_origin)
    }

    /// True if a checksum record that comes now belongs to a field in a message before.
    pub(crate) const fn has_field_apart(&self) -> bool {
        self.apart.has_field() && self.data.is_some()
    }

    /// True if a checksum record has come that belongs to the next data without one.
    pub(crate) const fn has_checksum_apart(&self) -> bool {
        self.apart.waits()
    }

    /// The field that waits for its verdict.
    pub(crate) const fn unsettled(&self) -> Option<&Data> {
        match &self.data {
            Some(data) if self.unsettled => Some(data),
            _ => None,
        }
    }
}

impl Decode for Decoder {
    type Event = Event;
    type ErrorKind = ErrorKind;

    fn push(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        self.push_for(&mut (), input)
    }

    fn finish(&mut self) -> Result<Option<Event>, Error<ErrorKind>> {
        self.finish_for(&mut ())
    }

    fn demand(&self) -> Demand {
        self.demand_for(&())
    }

    fn skip(&mut self, n: u64) -> Result<(), Error<ErrorKind>> {
        self.skip_for(&(), n)
    }

    fn position(&self) -> u64 {
        self.lime.position()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::Encode as _;
    use crate::field::{Encoder, OutgoingMessage, Want};
    use crate::ildg::GaugeKind;
    use crate::lattice::Precision;
    use crate::state::Resumable as _;
    use std::vec::Vec;

    /// A field of 4 sites and 4 bytes at each.
    fn file() -> Vec<u8> {
        let format = Format::new(GaugeKind::parse(b"u1phase").unwrap(), Precision::F32, [4, 1, 1, 1]);
        let message = OutgoingMessage::ildg(&format);
        let (mut encoder, mut scratch, mut file) = (Encoder::new(), [0; 512], Vec::new());
        let begun = encoder.begin(&message, &mut scratch).unwrap();
        loop {
            match encoder.next(&begun, &mut scratch).unwrap() {
                Want::Bytes(bytes) => file.extend_from_slice(bytes),
                Want::Data(n) => {
                    encoder.put(&[1; 16]).unwrap();
                    file.extend_from_slice(&[1; 16]);
                    assert_eq!(n, 16);
                }
                Want::Nothing => return file,
            }
        }
    }

    /// A decoder that has read `rest` bytes less than all.
    fn read_but(rest: usize) -> Decoder {
        let file = file();
        let mut decoder = Decoder::new(Mode::Strict);
        let mut input = &file[..file.len() - rest];
        while let Step { consumed, event: Some(_) } = decoder.push(input).unwrap() {
            input = &input[consumed..];
        }
        decoder
    }

    fn loads(decoder: &Decoder) -> bool {
        Decoder::load(&decoder.save().unwrap()).is_ok()
    }

    #[test]
    fn a_state_at_any_byte_is_loaded() {
        for rest in 0..=file().len() {
            assert!(loads(&read_but(rest)), "{rest}");
        }
    }

    #[test]
    fn a_checksum_is_supplied_once_all_data_are_passed_over() {
        let supplied = Checksum { suma: 1, sumb: 2 };
        let whole = read_but(0);
        let (mut decoder, file) = (Decoder::new(Mode::Strict), file());
        assert!(decoder.supply_checksum(supplied).is_err());
        let mut at = 0;
        while !matches!(decoder.demand(), Demand::Skip(16)) {
            at += decoder.push(&file[at..]).unwrap().consumed;
        }
        assert!(decoder.supply_checksum(supplied).is_err());
        decoder.skip(15).unwrap();
        assert!(decoder.supply_checksum(supplied).is_err());
        decoder.skip(1).unwrap();
        decoder.supply_checksum(supplied).unwrap();
        assert!(loads(&decoder));
        let end = decoder.push(&file[at + 16..]).unwrap();
        assert_eq!(end.event, Some(Event::FieldEnd(Some(supplied))));
        let mut after = decoder.clone();
        assert!(after.supply_checksum(supplied).is_err());
        // As if it had been read.
        assert_eq!(whole.data.unwrap().read(), decoder.data.unwrap().read());
    }

    #[test]
    fn the_parts_of_a_loaded_state_belong_together() {
        // 6 bytes of the data are missing: one site is complete but for 2 bytes.
        let decoder = read_but(6);
        let data = decoder.data.clone().unwrap();
        assert_eq!(data.read(), Some(10));
        let altered: [fn(&mut Decoder); 9] = [
            |decoder| decoder.kind = RecordKind::Foreign,
            |decoder| decoder.kind = RecordKind::Checksum,
            |decoder| decoder.phase = Phase::RecordBegins,
            |decoder| decoder.phase = Phase::RecordEnded,
            |decoder| decoder.phase = Phase::FileEnds,
            |decoder| decoder.data.as_mut().unwrap().take(&[1]),
            |decoder| decoder.format_origin.at = 1 << 40,
            |decoder| decoder.format_origin.message = 2,
            |decoder| (decoder.data, decoder.unsettled) = (None, true),
        ];
        for (i, alter) in altered.iter().enumerate() {
            let mut decoder = decoder.clone();
            alter(&mut decoder);
            assert!(!loads(&decoder), "{i}");
        }
    }
}
