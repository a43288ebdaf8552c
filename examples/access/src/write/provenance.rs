//! Notes in the output about its input: data that were not verified, or that are damaged, must not look better than
//! they are.

use std::io::{BufWriter, Seek, SeekFrom, Write};

use linkstream::io::FromStd;
use linkstream::io::RecordWriter;
use linkstream::io::WriteError;

use super::error::Error;
use super::input::Trust;
use crate::noted::{self, DAMAGE_NOTE};

/// The note beside data that had no checksum before this copy was made.
const UNVERIFIED: &str =
    "the input had no checksum that verifies these data, so that they were unverified until this copy";

/// The note about the data record with this index, counted from 0; `None` if they were verified.
#[must_use]
pub fn note(trust: &Trust, index: usize) -> Option<String> {
    let is_verified = trust.verified.get(index).copied().unwrap_or(false);
    match &trust.damage {
        Some(damage) => Some(damage.note()),
        None => (!is_verified).then(|| UNVERIFIED.to_owned()),
    }
}

/// Appends a note to a LIME file without SciDAC documents, which has no text of the user, as a message of its own.
pub(super) fn note_at_end(file: &mut (impl Write + Seek), note: &str) -> Result<(), Error> {
    file.seek(SeekFrom::End(0)).map_err(Error::Output)?;
    let mut writer = RecordWriter::create(FromStd(BufWriter::new(file)));
    writer.write_message([(DAMAGE_NOTE, note.as_bytes())]).and_then(|()| writer.complete()).map_err(|error| {
        match error {
            WriteError::Io(error) => Error::Output(error),
            other => Error::Output(std::io::Error::other(other)),
        }
    })
}

/// Appends a note as a comment, which an XML document can have after its root element.
pub(super) fn note_in(text: &mut Vec<u8>, note: &str) {
    text.extend_from_slice(format!("<!-- {note} -->").as_bytes());
}

/// Returns whether a comment is a note of this program.
pub(super) fn is_note(comment: &str) -> bool {
    comment == UNVERIFIED || noted::is_in_line(comment.as_bytes())
}
