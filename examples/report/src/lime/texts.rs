//! The texts of records: what is kept of them, and which belong to a field.

use linkstream::lime::Record;

use super::contents::{Contents, FieldEntry, RecordEntry};

/// Texts are kept up to this length; of what is longer the beginning.
pub const LONGEST: usize = 64 << 10;
/// All texts of a file together are kept up to this length, as a file can have millions.
pub const LONGEST_IN_ALL: usize = 4 << 20;

/// Of a message with several fields, at most this many records are looked at for each of them.
const MANY: usize = 1000;

/// The payload of a record, as long as it looks like text.
#[derive(Debug, Default)]
pub struct Text {
    bytes: Vec<u8>,
    /// It is longer.
    pub cut: bool,
}

impl Text {
    /// Up to the first NUL, which ends the texts of QIO; what is not UTF-8 is shown by its replacement character.
    pub fn shown(&self) -> String {
        let end = self.bytes.iter().position(|byte| *byte == 0).unwrap_or(self.bytes.len());
        String::from_utf8_lossy(&self.bytes[..end]).into_owned()
    }
}

/// What is left of the room for texts.
#[derive(Debug)]
pub struct Room(usize);

impl Room {
    pub const fn new() -> Self {
        Self(LONGEST_IN_ALL)
    }

    /// More payload of a record. It is no text any more once a byte is none.
    pub fn take(&mut self, bytes: &[u8], entry: &mut RecordEntry) {
        let Some(text) = &mut entry.text else { return };
        let is_text = |byte: &u8| *byte >= b' ' || matches!(byte, b'\t' | b'\n' | b'\r' | 0);
        if !bytes.iter().all(is_text) {
            self.0 += text.bytes.len();
            entry.text = None;
            return;
        }
        let kept = bytes.len().min(LONGEST.saturating_sub(text.bytes.len())).min(self.0);
        text.bytes.extend_from_slice(&bytes[..kept]);
        text.cut |= kept < bytes.len();
        self.0 -= kept;
    }
}

impl Contents {
    /// The records whose texts are about a field: those of its message, and all of a file that has no other field.
    pub fn records_about<'c>(
        &'c self,
        field: &FieldEntry,
    ) -> impl Iterator<Item = &'c RecordEntry> + use<'c> {
        let message = field.field.record.message;
        let about = if self.fields.len() == 1 {
            &self.records[..]
        } else {
            let begin = self.records.partition_point(|entry| entry.record.message < message);
            let rest = &self.records[begin..];
            let end = rest.partition_point(|entry| entry.record.message == message);
            &rest[..end.min(MANY)]
        };
        about.iter()
    }

    /// The text of the last record of a type that is about a field, without white space around it. Those in the message
    /// of the field come before others.
    pub fn text_about(&self, field: &FieldEntry, record_type: &str) -> Option<String> {
        let is_beside = |record: &Record| record.message == field.field.record.message;
        let of_type = self.records_about(field).filter(|entry| entry.record_type == record_type.as_bytes());
        let last = of_type.enumerate().max_by_key(|(index, entry)| (is_beside(&entry.record), *index))?.1;
        Some(last.text.as_ref()?.shown().trim().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(text: Option<Text>) -> RecordEntry {
        let record = Record { offset: 0, message: 1, number: 1, length: 0, begin: true, end: true };
        RecordEntry { record, record_type: Vec::new(), text }
    }

    #[test]
    fn what_is_longer_is_cut() {
        let mut room = Room::new();
        let mut long = entry(Some(Text::default()));
        room.take(&vec![b'a'; LONGEST], &mut long);
        assert!(!long.text.as_ref().unwrap().cut);
        room.take(b"b", &mut long);
        let text = long.text.unwrap();
        assert!(text.cut && text.shown().len() == LONGEST);
    }

    #[test]
    fn all_texts_together_are_bounded() {
        let mut room = Room::new();
        let mut kept = 0;
        for _ in 0..100 {
            let mut long = entry(Some(Text::default()));
            room.take(&vec![b'a'; LONGEST], &mut long);
            kept += long.text.unwrap().shown().len();
        }
        assert_eq!(kept, LONGEST_IN_ALL);
    }

    #[test]
    fn what_turns_out_to_be_binary_is_dropped() {
        let mut room = Room::new();
        let mut binary = entry(Some(Text::default()));
        room.take(b"begins like text", &mut binary);
        room.take(&[0xff, 1], &mut binary);
        assert!(binary.text.is_none());
        assert_eq!(room.0, LONGEST_IN_ALL);
    }

    #[test]
    fn a_nul_ends_a_text() {
        let mut read = entry(Some(Text::default()));
        Room::new().take(b"<a/>\0 rest", &mut read);
        assert_eq!(read.text.unwrap().shown(), "<a/>");
    }
}
