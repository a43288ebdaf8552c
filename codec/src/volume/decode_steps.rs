//! The steps of the decoder of a volume: the events and findings that it adds to, or reports instead of, the events and
//! findings of the field decoder inside.
//!
//! | phase | place in the LIME decoder | due |
//! |---|---|---|
//! | `Bytes` | any | bytes, which the decoder inside takes |
//! | `Begins` | first byte of the payload of data | `Event::Field`, or why nothing describes the data |
//! | `Ends`, `Closes`, `Last` | after a record and its padding | its finding; the end of data or of a checksum; `Event::End` |
//!
//! Between two calls:
//!
//! | field | invariant |
//! |---|---|
//! | `kind` | `First` if a file document came before a site list, else `Other`; `None` before both, and then never changed (QIO 2.3, section 2.2) |
//! | `list`, `list_crc` | the first complete list; later ones are compared with it, and `probe` is not fed with them |
//! | `described` | 0, or the message whose record document has not been followed by data |
//! | `expected` | only with `expects`; `None` once its data have come |
//! | `in_data` | only in the record of `data`, whose bytes are then `Event::Data` |
//! | `unsettled` | only in the first volume, from the end of data to their checksum or other data |
//!
//! `Decoder::is_consistent` checks them in a loaded state.

use super::decoder::{Decoder, Phase, VolumeKind};
use super::entry::EntryWidth;
use super::error::{ErrorKind, Event, VolumeRecord};
use crate::bytes::{self, suffix};
use crate::counter::{Counter as _, Watch};
use crate::crc::crc32;
use crate::error::{Error, Misuse, Mode};
use crate::failed::Failed;
use crate::field::layout::Documents;
use crate::field::read::phases::Judge;
use crate::field::{self, Field};
use crate::lattice::Region;
use crate::lime::{self, HEADER_LEN, Record};
use crate::machine::DecoderBase as _;
use crate::scidac::{PrivateFile, VolumeFormat};
use crate::step::{Decode, Demand, Step};

/// Reports the findings of the field decoder, except for two that are not errors in a volume: it belongs to a file
/// set, and no document describes the data of a volume other than the first.
#[derive(Debug, Clone, Copy)]
struct VolumeJudge {
    is_other: bool,
}

impl Judge for VolumeJudge {
    type Kind = field::ErrorKind;

    const WATCHES: bool = false;

    fn failed<'j>(&'j self, decoder: &'j field::Decoder) -> &'j Failed<field::ErrorKind> {
        &decoder.failed
    }

    fn failed_mut<'j>(&'j mut self, decoder: &'j mut field::Decoder) -> &'j mut Failed<field::ErrorKind> {
        &mut decoder.failed
    }

    fn begins(&mut self, decoder: &field::Decoder, record: &Record) {
        ().begins(decoder, record);
    }

    fn reads(&self, decoder: &field::Decoder) -> bool {
        ().reads(decoder)
    }

    fn text(&self, decoder: &field::Decoder, byte: u8, at: u64) -> Option<Error<field::ErrorKind>> {
        ().text(decoder, byte, at)
    }

    fn reported(&mut self, error: &Error<field::ErrorKind>) {
        ().reported(error);
    }

    fn byte_taken(&mut self, decoder: &field::Decoder, byte: u8) {
        ().byte_taken(decoder, byte);
    }

    fn finding(
        &self,
        decoder: &field::Decoder,
        phase: field::read::decoder::Phase,
        index: u8,
    ) -> Option<Error<field::ErrorKind>> {
        ().finding(decoder, phase, index).filter(|error| match error.kind {
            // An error for a single file only.
            field::ErrorKind::VolumeSet(_) => false,
            // The documents of a set are in its first volume.
            field::ErrorKind::Undescribed => !self.is_other,
            _ => true,
        })
    }

    fn phase_ended(&mut self, decoder: &field::Decoder, phase: field::read::decoder::Phase) {
        ().phase_ended(decoder, phase);
    }
}

impl Decoder {
    /// Fails with the error of a decoder that has stopped.
    pub(super) fn check_usable(&self) -> Result<(), Error<ErrorKind>> {
        self.failed.check()?;
        self.inner.check_usable_for(&self.judge()).map_err(Error::into_kind)
    }

    /// True if a volume other than the first lacks expected data.
    const fn is_incomplete(&self) -> bool {
        self.expected.is_some() && matches!(self.kind, Some(VolumeKind::Other))
    }

    /// True if the fields of a volume other than the first were not given. Only survey mode does not need them.
    fn lacks_fields(&self) -> bool {
        !self.expects && self.kind == Some(VolumeKind::Other) && self.inner.lime().mode() != Mode::Survey
    }

    fn fields_unknown(at: u64) -> Error<ErrorKind> {
        Error::new(at, lime::ErrorKind::Misuse(Misuse::FieldsUnknown).into())
    }

    const fn judge(&self) -> VolumeJudge {
        VolumeJudge { is_other: matches!(self.kind, Some(VolumeKind::Other)) }
    }

    /// Refuses or reports, depending on the mode.
    fn report(&mut self, at: u64, kind: ErrorKind) -> Result<Event, Error<ErrorKind>> {
        let error = Error::new(at, kind);
        match self.failed.report(self.inner.lime().mode(), 0, error, ()) {
            Ok(_) => {
                // A finding is returned at once: kept, it would stop the next call.
                self.failed.put(None);
                Ok(Event::Finding(error))
            }
            Err(_) => Err(error),
        }
    }

    /// The next event that needs no bytes.
    fn pending_event(&mut self) -> Result<Option<Event>, Error<ErrorKind>> {
        let record = self.inner.lime().record();
        loop {
            match self.phase {
                Phase::Bytes => return Ok(None),
                Phase::Begins => {
                    if self.list.is_some() && self.lacks_fields() {
                        // A misuse: the decoder stays at the data until it knows whether they are expected.
                        return Err(Self::fields_unknown(record.offset));
                    }
                    self.phase = Phase::Bytes;
                    let described = self.describe(&record);
                    if self.kind == Some(VolumeKind::Other) {
                        // It describes one record; another one is in excess.
                        self.expected = None;
                    }
                    // Messages are counted from 1. The documents describe one record, too.
                    self.described = 0;
                    match described {
                        Ok(Some(field)) => {
                            self.data = Some(field);
                            self.in_data = true;
                            return Ok(Some(Event::Field));
                        }
                        Ok(None) => {}
                        Err(error) => return self.report(error.at, error.kind).map(Some),
                    }
                }
                Phase::Ends => {
                    self.phase = Phase::Closes;
                    if let Some(error) = self.end_finding(&record) {
                        return self.report(error.at, error.kind).map(Some);
                    }
                }
                Phase::Closes => {
                    self.phase = Phase::Last;
                    if let Some(event) = self.close(&record) {
                        return Ok(Some(event));
                    }
                }
                Phase::Last => {
                    self.phase = Phase::Bytes;
                    return Ok(Some(Event::End));
                }
            }
        }
    }

    /// The layout of the data record that has just begun; `None` if nothing describes it.
    fn describe(&self, record: &Record) -> Result<Option<Field>, Error<ErrorKind>> {
        let at_header = |kind| Error::new(record.offset, kind);
        let list = self.list.ok_or(at_header(ErrorKind::ListMissing))?;
        let mut field = Field::undescribed(*record);
        match self.kind {
            Some(VolumeKind::First) if self.described == record.message => self.by_documents(&mut field)?,
            Some(VolumeKind::Other) if self.expects => {
                let expected = self.expected.ok_or(at_header(ErrorKind::RecordSurplus))?;
                field = Field { record: *record, ..expected };
            }
            _ => return Ok(None),
        }
        let (length, size) = (record.length, field.bytes_per_site);
        let all = field.sites();
        // The volume has some of the sites, and the length of its data says how many: no document does.
        // Sites without bytes take no space, however many there are.
        let sites = length.checked_div(size).unwrap_or(0);
        if sites > all
            || sites.checked_mul(size) != Some(length)
            || (field.region == Region::Global && sites != 1)
        {
            let kind = ErrorKind::DataLength { length, bytes_per_site: size, sites: all };
            return Err(at_header(kind));
        }
        // A field on the whole lattice has every site of the list, so that both lengths give the width of an entry. For a
        // hypercube, only the entries show the number of its sites.
        if field.region == Region::Lattice && size > 0 && EntryWidth::of(list.length, sites).is_none() {
            return Err(Error::new(list.offset, ErrorKind::ListSites { length: list.length, sites }));
        }
        Ok(Some(field))
    }

    /// Describes the field by the documents of the first volume.
    fn by_documents(&self, field: &mut Field) -> Result<(), Error<ErrorKind>> {
        let extents = self.content().private_file().and_then(PrivateFile::extents);
        let format_here = self.inner.format_message() == field.record.message;
        let documents = Documents {
            lattice: extents.as_ref().map_or(&[], |extents| extents.as_slice()),
            record: self.content().private_record(),
            format: self.inner.format().filter(|_| format_here),
        };
        match documents.describe(field, None) {
            Ok(_) => Ok(()),
            Err(error) => Err(Error::new(field.record.offset, field::ErrorKind::from(error).into())),
        }
    }

    /// The error that the end of a record shows.
    fn end_finding(&self, record: &Record) -> Option<Error<ErrorKind>> {
        let in_payload = |kind| Some(Error::new(record.offset.saturating_add(HEADER_LEN as u64), kind));
        match (self.current, self.list) {
            (VolumeRecord::PrivateFile, _) => {
                let single = self.content().private_file()?.volume_format() == VolumeFormat::Single;
                if single { in_payload(ErrorKind::SingleFile) } else { None }
            }
            // Entries have 4 or 8 bytes.
            (VolumeRecord::List, None) if !record.length.is_multiple_of(4) => {
                Some(Error::new(record.offset, ErrorKind::ListLength { length: record.length }))
            }
            // QIO repeats the list when it appends. An equal one changes nothing here; by another one, the data after it
            // would have other sites than the data before it.
            (VolumeRecord::List, Some(list)) if list.length == record.length && self.list_crc == self.crc => {
                Some(Error::new(record.offset, ErrorKind::ListRepeated))
            }
            (VolumeRecord::List, Some(_)) => Some(Error::new(record.offset, ErrorKind::ListDiffers)),
            _ => None,
        }
    }

    /// Ends a record, after its finding. Returns the event of the end of data or of a checksum.
    fn close(&mut self, record: &Record) -> Option<Event> {
        match self.current {
            VolumeRecord::PrivateRecord if self.content().private_record().is_some() => {
                self.described = record.message
            }
            // Of several lists, the first one counts: data may have been placed by it.
            VolumeRecord::List if self.list.is_none() => {
                self.list = Some(*record);
                self.list_crc = self.crc;
            }
            VolumeRecord::Data if core::mem::take(&mut self.in_data) => {
                // The checksum of the whole field is in the first volume only.
                self.unsettled = self.kind == Some(VolumeKind::First);
                return Some(Event::FieldEnd);
            }
            VolumeRecord::Checksum if self.unsettled && !self.inner.document_is_spoilt() => {
                self.unsettled = false;
                return Some(Event::Checksum);
            }
            _ => {}
        }
        None
    }

    /// Begins a record: its header is complete.
    fn begin(&mut self, record: &Record) {
        self.current = VolumeRecord::of(self.inner.record_type());
        self.in_data = false;
        match self.current {
            // The first of file document and list decides: only first volumes have the document, before their list.
            VolumeRecord::PrivateFile => self.kind = self.kind.or(Some(VolumeKind::First)),
            VolumeRecord::List => {
                self.kind = self.kind.or(Some(VolumeKind::Other));
                self.crc = 0;
            }
            VolumeRecord::Data => {
                // A checksum that follows is not the one of the data before.
                self.unsettled = false;
                // Data without a description pass as payload, with no further event.
                if self.lacks_fields() || !matches!(self.describe(record), Ok(None)) {
                    self.phase = Phase::Begins;
                }
            }
            VolumeRecord::PrivateRecord | VolumeRecord::Checksum | VolumeRecord::Foreign => {}
        }
    }

    /// Translates an event of the decoder inside, which has consumed `bytes`.
    fn take(&mut self, event: field::Event, bytes: &[u8]) -> Result<Option<Event>, Error<ErrorKind>> {
        Ok(Some(match event {
            field::Event::Record(record) => {
                self.begin(&record);
                Event::Record(record)
            }
            field::Event::Payload | field::Event::Data if self.current == VolumeRecord::List => {
                self.crc = crc32(self.crc, bytes);
                if self.list.is_none() {
                    self.probe.take(bytes);
                }
                Event::SiteList
            }
            field::Event::Payload | field::Event::Data => {
                if self.in_data {
                    Event::Data
                } else {
                    Event::Payload
                }
            }
            field::Event::End => {
                // Reported by `pending_event`, after the findings about the record.
                self.phase = Phase::Ends;
                return Ok(None);
            }
            field::Event::Finding(error) => Event::Finding(error.into_kind()),
            // The decoder inside does not describe data of volumes: the file document of the first volume states a file
            // set, and the others have no documents. If it does, an `ildg-format` alone describes data of a single
            // file.
            field::Event::Field | field::Event::FieldEnd(_) | field::Event::Verdict(_) => {
                return self.report(self.inner.lime().record().offset, ErrorKind::SingleFile).map(Some);
            }
        }))
    }
}

impl Decoder {
    #[cold]
    fn internal_error(&mut self) -> Error<ErrorKind> {
        let kind = |misuse| field::ErrorKind::Lime(lime::ErrorKind::Misuse(misuse)).into();
        let position = self.inner.position();
        self.failed.internal_error(position, kind)
    }

    /// A step, during which a mistake of this crate is not noticed.
    fn push_unwatched(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        self.failed.check()?;
        let mut consumed = 0_usize;
        loop {
            if let Some(event) = self.pending_event()? {
                return Ok(Step::event(consumed, event));
            }
            let mut judge = self.judge();
            let rest = suffix(input, consumed);
            let step = self.inner.push_for(&mut judge, rest).map_err(Error::into_kind)?;
            let before = consumed;
            consumed.increase(step.consumed);
            let Some(event) = step.event else { return Ok(Step::more(consumed)) };
            if let Some(event) = self.take(event, bytes::part(input, before..consumed))? {
                return Ok(Step::event(consumed, event));
            }
        }
    }

    /// The end, during which a mistake of this crate is not noticed.
    fn finish_unwatched(&mut self) -> Result<Option<Event>, Error<ErrorKind>> {
        self.failed.check()?;
        loop {
            if let Some(event) = self.pending_event()? {
                return Ok(Some(event));
            }
            let mut judge = self.judge();
            let event = self.inner.finish_for(&mut judge).map_err(Error::into_kind)?;
            if let Some(event) = event {
                if let Some(event) = self.take(event, &[])? {
                    return Ok(Some(event));
                }
            } else if self.list.is_none() {
                return self.report(self.position(), ErrorKind::ListMissing).map(Some);
            } else if self.lacks_fields() {
                return Err(Self::fields_unknown(self.position()));
            } else if self.is_incomplete() {
                self.expected = None;
                return self.report(self.position(), ErrorKind::RecordMissing).map(Some);
            } else {
                return Ok(None);
            }
        }
    }
}

impl Decode for Decoder {
    type Event = Event;
    type ErrorKind = ErrorKind;

    fn push(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        let watch = Watch::begin();
        let step = self.push_unwatched(input);
        if watch.has_seen_mistake() { Err(self.internal_error()) } else { step }
    }

    fn finish(&mut self) -> Result<Option<Event>, Error<ErrorKind>> {
        let watch = Watch::begin();
        let event = self.finish_unwatched();
        if watch.has_seen_mistake() { Err(self.internal_error()) } else { event }
    }

    fn demand(&self) -> Demand {
        match (self.phase, self.inner.demand_for(&self.judge())) {
            // The list is needed, although the decoder inside takes it for a record that can be skipped.
            (Phase::Bytes, Demand::Skip(n)) if self.current == VolumeRecord::List => Demand::Bytes(n),
            // The end is still to be refused.
            (Phase::Bytes, Demand::End) if self.is_incomplete() || self.lacks_fields() => Demand::Bytes(0),
            (Phase::Bytes, demand) => demand,
            _ => Demand::Bytes(0),
        }
    }

    fn skip(&mut self, n: u64) -> Result<(), Error<ErrorKind>> {
        self.check_usable()?;
        let judge = self.judge();
        if n > 0 && !matches!(self.demand(), Demand::Skip(_)) {
            let misuse = Misuse::SkipTooFar { asked: n, available: 0 };
            return Err(Error::new(self.position(), lime::ErrorKind::Misuse(misuse).into()));
        }
        self.inner.skip_for(&judge, n).map_err(Error::into_kind)
    }

    fn position(&self) -> u64 {
        self.inner.position()
    }
}
