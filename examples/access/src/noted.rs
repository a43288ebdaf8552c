//! Notes that data were damaged when they were copied. Such a copy has no checksum, but a program that copies it again
//! can give it one: a file with a note is never taken for a good one.

use linkstream::Class;
use linkstream::scidac;

use crate::findings::{Finding, Level};

/// The rule of a file that was copied from damaged data.
pub const DAMAGE_NOTED: &str = "damage-noted";
/// The type of the record with a note about damage, in files without a text of the user.
pub const DAMAGE_NOTE: &[u8] = b"linkstream-note";
/// The key of the header line with a note about the input, in NERSC archives.
pub(crate) const NOTE_LINE: &str = "LINKSTREAM_NOTE";
/// The message about a file that has a note about damage.
pub(crate) const WHAT: &str = "according to a note, the data were damaged when this copy was made";

/// The end of each note, which no other text has.
const COPIED: &str = "; copied by linkstream with the option damaged";

/// The note about a broken rule. It can be part of an XML comment, so it has no two hyphens in a row.
pub(crate) fn note(rule: &str, offset: u64) -> String {
    format!("the input was damaged: {rule} at byte {offset}{COPIED}")
}

/// The finding about a note in the record, or in the header, at this offset. It is an error even if the form of the
/// copy needs no checksum: data that are certainly not the ones that were written are always an error.
#[must_use]
pub fn finding(offset: u64) -> Finding {
    Finding {
        severity: Level::Error,
        class: Class::Rule,
        rule: DAMAGE_NOTED,
        clause: "",
        offset,
        message: WHAT.to_owned(),
    }
}

/// Returns whether a value of a NERSC header notes damage.
#[must_use]
pub fn is_in_line(value: &[u8]) -> bool {
    let mut search = Search::default();
    search.begin();
    search.feed(value);
    search.is_found
}

/// Searches the records of a LIME file for notes about damage: records of their own, and comments in texts of the user.
#[derive(Debug, Default)]
pub struct Search {
    /// True if the current record is searched.
    is_searched: bool,
    /// The last bytes of the record so far. A note may begin in them.
    last: Vec<u8>,
    is_found: bool,
}

impl Search {
    /// Begins a record of this type.
    pub fn record(&mut self, record_type: &[u8]) {
        *self = Self::default();
        self.is_found = record_type == DAMAGE_NOTE;
        self.is_searched = can_have_note(record_type);
    }

    fn begin(&mut self) {
        self.is_searched = true;
    }

    /// Searches the next piece of the payload.
    pub fn feed(&mut self, piece: &[u8]) {
        if !self.is_searched || self.is_found {
            return;
        }
        let note = COPIED.as_bytes();
        self.last.extend_from_slice(piece);
        self.is_found = self.last.windows(note.len()).any(|part| part == note);
        let rest = self.last.len().saturating_sub(note.len().saturating_sub(1));
        self.last.drain(..rest);
    }

    /// True if the record has a note, as far as its payload has been searched.
    #[must_use]
    pub const fn is_found(&self) -> bool {
        self.is_found
    }
}

/// Returns whether records of this type are texts of the user, which can have a note.
#[must_use]
pub fn can_have_note(record_type: &[u8]) -> bool {
    [scidac::FILE_XML, scidac::RECORD_XML].iter().any(|name| name.as_bytes() == record_type)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_found_wherever_they_are_cut() {
        let text = format!("<a/><!-- {} -->", note("data-length", 7));
        for length in 1..text.len() {
            let mut search = Search::default();
            search.record(b"scidac-record-xml");
            text.as_bytes().chunks(length).for_each(|piece| search.feed(piece));
            assert!(search.is_found(), "{length}");
            search.record(b"scidac-record-xml");
            search.feed(&text.as_bytes()[..20]);
            assert!(!search.is_found());
        }
        assert!(is_in_line(note("data-length", 7).as_bytes()) && !is_in_line(b"a remark"));
    }
}
