//! Which saved states an encoder can be in: the position in the message, the open record, the counters and the
//! data determine each other.

use super::encoder::{Encoder, Phase};
use super::message::Part;
use crate::field::layout::Source;
use crate::field::read::data::Data;
use crate::lime::{HEADER_LEN, Record};

impl Encoder {
    /// Whether the fields agree with each other, so that all that the encoder promises holds from there on.
    pub(super) fn is_consistent(&self) -> bool {
        let lattice_known = !(Part::PrivateFile..=Part::RecordXml).contains(&self.part);
        self.lime.is_consistent()
            && self.inventory.is_consistent()
            && self.record_fits()
            && self.counters_fit()
            && self.data_fits()
            && (lattice_known || self.extents.is_some())
    }

    /// Whether the record that is open, or none, is what part and phase say, and has as many bytes as they say.
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
            // What is missing is the NUL.
            Phase::Terminator => self.part != Part::Data && room == missing && missing <= 1,
            Phase::Data => self.part == Part::Data,
            Phase::Padding => room == 0 && missing == 0,
        };
        place_fits && self.part.has_type(self.lime.header().record_type())
    }

    /// Whether there can be so many messages and records up to here.
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

    /// Whether there are data where the message has had some, and they are those of a record of this file.
    fn data_fits(&self) -> bool {
        let in_record = self.part == Part::Data && matches!(self.phase, Phase::Data | Phase::Padding);
        match &self.data {
            None => !in_record && self.part != Part::Checksum,
            Some(data) => {
                let field = data.field();
                let record = &field.record;
                let place_fits = if in_record { self.is_in(data) } else { self.is_after(record) };
                let lattice_fits = field.source != Source::Scidac || self.extents == Some(field.extents);
                place_fits
                    && lattice_fits
                    && field.data_length() == Some(record.length)
                    && data.checksum().is_some()
            }
        }
    }

    /// Whether the open record is that of the data, and the next byte is where it belongs.
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
        let at = data.walk().done().checked_mul(data.field().bytes_per_site);
        let at = at.and_then(|at| at.checked_add(data.in_site())?.checked_add(record.payload_offset()));
        // All data are written, or others write the rest.
        let complete = self.lime.missing() == 0 && self.lime.room() == 0;
        open == record && (complete || at == Some(self.lime.position()))
    }

    /// Whether this record of the current message was written last, or before the checksum, which alone can follow.
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
