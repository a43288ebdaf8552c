//! Validation of saved states of a LIME decoder: position, record and counters determine each other.

use super::decode::{Decoder, MAX_ZEROS, MessageState, Phase, SECTOR, STAGES};
use super::event::Record;
use super::header::{HEADER_LEN, MAGIC, VERSION, end_of_record, padding};
use crate::counter::Counter as _;

impl Decoder {
    /// True if the fields agree with each other. The decoder then keeps all its promises from there on.
    pub(crate) fn is_consistent(&self) -> bool {
        self.filled <= HEADER_LEN && self.record_fits() && self.message_fits() && self.place_fits()
    }

    /// True if no record has been read, or if the record can be the last one read.
    fn record_fits(&self) -> bool {
        let record = &self.record;
        if record.message == 0 {
            return *record == Record::default();
        }
        // A record takes more than 128 bytes, which limits how many there can be before this offset.
        let most = (record.offset >> 7).plus(1);
        let counted = record.message <= most && (1..=most).contains(&record.number);
        counted && payload_end(record).is_some()
    }

    /// True if the last record can have left the message in its current state.
    fn message_fits(&self) -> bool {
        let record = &self.record;
        match self.message {
            MessageState::Unknown => record.message == 0,
            MessageState::Closed => record.message == 0 || record.end || record.length == 0,
            MessageState::Open => record.message > 0 && !record.end,
            MessageState::Null => record.message > 0 && !record.end && record.length == 0,
        }
    }

    /// True if the position is consistent with the last record and the bytes after it.
    fn place_fits(&self) -> bool {
        let (position, left) = (self.cursor.position(), self.cursor.left());
        let record = &self.record;
        // At most the padding of the record can be missing.
        let Some(end) = payload_end(record) else { return false };
        let all = padding(record.length);
        let header = &self.header;
        let is_header = header.magic() == MAGIC && header.version() == VERSION;
        match self.phase {
            Phase::Payload => {
                self.is_header_of_record()
                    && left <= record.length
                    && self.cursor.end() == Some(end)
                    && self.padding_left == all
            }
            Phase::Padding => {
                // The payload can end so close to 2^64 that its padding does not fit; no position is valid then.
                let next = end.saturating_add(u64::from(all));
                let next_fits = match self.padding_left {
                    // The input ended inside the padding; the decoder no longer expects the rest of it.
                    0 => (end..next).contains(&position),
                    left => position.checked_add(u64::from(left)) == Some(next),
                };
                self.is_header_of_record() && left == 0 && self.padding_left <= all && next_fits
            }
            Phase::Announce => {
                let fits = is_header && end_of_record(position, header.length()).is_some();
                self.filled == HEADER_LEN && self.stage <= STAGES && fits && self.is_after_record()
            }
            Phase::Zeros => {
                let is_counted = (HEADER_LEN as u64..MAX_ZEROS.into()).contains(&self.zeros());
                let fits = is_counted && self.message == MessageState::Closed && record.message > 0;
                let is_empty = self.header.as_bytes().iter().all(|byte| *byte == 0);
                self.filled == HEADER_LEN && fits && is_empty && left == 0
            }
            Phase::Header | Phase::Ended => self.is_after_record(),
        }
    }

    /// True if the current header begins where one can begin: at the end of the last record, or a little later after
    /// trailing bytes. The header begins `filled` bytes before the position.
    fn is_after_record(&self) -> bool {
        let begun = match self.phase {
            Phase::Announce => self.filled,
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
        // The last record may end so close to 2^64 that no header can follow.
        let after = payload_end(&self.record).and_then(|end| offset.checked_sub(end));
        // After zeros up to the end of a block, the file has ended.
        let is_padded =
            self.message == MessageState::Closed && begun == 0 && offset.is_multiple_of(SECTOR.into());
        let surplus = if is_padded { MAX_ZEROS } else { HEADER_LEN as u32 };
        let most = u64::from(padding(self.record.length)).plus(u64::from(surplus));
        after.is_some_and(|after| after < most) && (can_begin || begun == 0)
    }

    /// True if the stored header belongs to the stored record.
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

/// End of the payload of a record; `None` if the padding after it cannot be addressed with 64 bits.
fn payload_end(record: &Record) -> Option<u64> {
    if record.message == 0 {
        return Some(0);
    }
    let payload = record.offset.checked_add(HEADER_LEN as u64)?;
    end_of_record(payload, record.length)?;
    payload.checked_add(record.length)
}
