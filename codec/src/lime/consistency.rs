//! Which saved states a LIME decoder can be in: position, record and counters determine each other.

use super::decode::{Decoder, MessageState, Part, STAGES, end_of_record};
use super::event::Record;
use super::header::{HEADER_LEN, MAGIC, VERSION, padding};
use crate::counter::Counter as _;

impl Decoder {
    /// Whether the fields agree with each other, so that all that the decoder promises holds from there on.
    pub(crate) fn is_consistent(&self) -> bool {
        self.filled <= HEADER_LEN && self.record_fits() && self.message_fits() && self.place_fits()
    }

    /// Whether the record can be one that was read, or none was.
    fn record_fits(&self) -> bool {
        let record = &self.record;
        if record.message == 0 {
            return *record == Record::default();
        }
        // A record takes more than 128 bytes, so that there cannot be more of them.
        let most = (record.offset >> 7).plus(1);
        let counted = record.message <= most && (1..=most).contains(&record.number);
        counted && payload_end(record).is_some()
    }

    /// Whether the message is in a state in which the last record can have left it.
    fn message_fits(&self) -> bool {
        let record = &self.record;
        match self.message {
            MessageState::Unknown => record.message == 0,
            MessageState::Closed => record.message == 0 || record.end || record.length == 0,
            MessageState::Open => record.message > 0 && !record.end,
            MessageState::Null => record.message > 0 && !record.end && record.length == 0,
        }
    }

    /// Whether the position follows from the record and what has come since.
    fn place_fits(&self) -> bool {
        let (position, left) = (self.cursor.position(), self.cursor.left());
        let record = &self.record;
        // No more can come than the padding of the record.
        let Some(end) = payload_end(record) else { return false };
        let all = padding(record.length);
        let header = &self.header;
        let is_header = header.magic() == MAGIC && header.version() == VERSION;
        match self.part {
            Part::Payload => {
                self.is_header_of_record()
                    && left <= record.length
                    && self.cursor.end() == Some(end)
                    && self.padding_left == all
            }
            Part::Padding => {
                // A payload can end so close to 2^64 that its padding does not: then no position fits.
                let next = end.saturating_add(u64::from(all));
                let next_fits = match self.padding_left {
                    // What the end of the input has cut off has been given up.
                    0 => (end..next).contains(&position),
                    left => position.checked_add(u64::from(left)) == Some(next),
                };
                self.is_header_of_record() && left == 0 && self.padding_left <= all && next_fits
            }
            Part::Announce => {
                let fits = is_header && end_of_record(position, header.length()).is_some();
                self.filled == HEADER_LEN && self.stage <= STAGES && fits && self.is_after_record()
            }
            Part::Header | Part::Ended => self.is_after_record(),
        }
    }

    /// Whether a record begins at the last header byte but `filled`, after the last record, padding that is missing
    /// and trailing bytes counted.
    fn is_after_record(&self) -> bool {
        let begun = match self.part {
            Part::Announce => self.filled,
            _ if self.header_is_untouched() => 0,
            _ => self.filled,
        };
        let Some(offset) = self.cursor.position().checked_sub(begun as u64) else { return false };
        let can_begin = offset.checked_add(HEADER_LEN as u64).is_some();
        if self.cursor.left() > 0 {
            return false;
        }
        if self.record.message == 0 {
            return can_begin && (self.message == MessageState::Unknown || offset == 0);
        }
        // The last record may end where none can follow.
        let after = payload_end(&self.record).and_then(|end| offset.checked_sub(end));
        let most = u64::from(padding(self.record.length)).plus(HEADER_LEN as u64);
        after.is_some_and(|after| after < most) && (can_begin || begun == 0)
    }

    /// Whether the header is that of the record.
    fn is_header_of_record(&self) -> bool {
        let (header, record) = (&self.header, &self.record);
        let is_header = header.magic() == MAGIC && header.version() == VERSION;
        let flags = header.begins_message() == record.begin && header.ends_message() == record.end;
        self.filled == HEADER_LEN
            && is_header
            && flags
            && header.length() == record.length
            && record.message > 0
    }
}

/// The end of the payload of a record whose padding can be addressed as well.
fn payload_end(record: &Record) -> Option<u64> {
    if record.message == 0 {
        return Some(0);
    }
    let payload = record.offset.checked_add(HEADER_LEN as u64)?;
    end_of_record(payload, record.length)?;
    payload.checked_add(record.length)
}
