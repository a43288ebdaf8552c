//! Repairs a file that ends with an incomplete message of a logical file name: `ildg set-lfn` leaves one if it is
//! killed, or the machine fails, while it appends the name.

use std::fs::OpenOptions;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use linkstream::io::FromStd;
use linkstream::io::Reader;
use linkstream::lime::{Decoder, Event, Header, Record, padding};
use linkstream::{Mode, ildg};

use crate::complain::complain;
use crate::failure::Failure;
use crate::human::{bytes, shown_path};
use crate::system::File;

/// Maximum length of a name in bytes.
pub const MAX_NAME: usize = 64 << 10;
/// Size of a record header in bytes.
const HEADER: usize = 144;
/// Offset of the record type in a header (LIME 1.2, record headers), and of the length, which precedes it.
const TYPE: usize = 16;
const LENGTH: usize = 8;

/// Removes the beginning of a name message at the end of a file. If there is none, the file stays unchanged and
/// `error`, the original error, is returned.
pub fn repaired(path: &Path, file: &File, error: anyhow::Error) -> anyhow::Result<()> {
    let Some((whole, tail)) = tail(file).map_err(Failure::Input)? else { return Err(error) };
    match name_begins(&tail) {
        Begins::No => Err(error),
        Begins::Perhaps => {
            let hint = format!("if a name was being written to it, truncate -s {whole} FILE restores it");
            Err(error.context(hint))
        }
        Begins::Yes => {
            let output = File::from(OpenOptions::new().write(true).open(path).map_err(Failure::Output)?);
            output.set_len(whole).and_then(|()| output.sync_all()).map_err(Failure::Output)?;
            complain(&anyhow::anyhow!(
                "warning: {}: the last {} were the beginning of a logical file name, and are removed",
                shown_path(path),
                bytes(tail.len() as u64)
            ));
            Ok(())
        }
    }
}

/// The end of the last complete message, and the bytes after it. `None` if there is no complete message, if it ends the
/// file, or if it is followed by more bytes than a name message can have.
fn tail(mut file: &File) -> std::io::Result<Option<(u64, Vec<u8>)>> {
    file.rewind()?;
    let mut buffer = vec![0; 64 << 10];
    let mut reader = Reader::new(FromStd(file), &mut buffer, Decoder::new(Mode::Lenient));
    let (mut whole, length) = (0, file.metadata()?.len());
    // An error only ends the loop: the caller has already found it.
    while let Ok(Some(event)) = reader.next() {
        let record = reader.decoder().record();
        match event {
            Event::Record(_) if reader.skip_seeking().is_err() => break,
            // Compared with the length, since the padding may be missing.
            Event::End if record.end && end_of(&record) <= length => whole = end_of(&record),
            _ => {}
        }
    }
    let length = length.saturating_sub(whole);
    if whole == 0 || !(1..(HEADER + MAX_NAME) as u64).contains(&length) {
        return Ok(None);
    }
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(whole))?;
    file.read_to_end(&mut tail)?;
    Ok(Some((whole, tail)))
}

/// Offset of the next record.
pub fn end_of(record: &Record) -> u64 {
    record.payload_offset() + record.length + u64::from(padding(record.length))
}

/// True if bytes are the beginning of a message with a name.
#[derive(Debug, PartialEq, Eq)]
enum Begins {
    No,
    /// Too short to contain the record type.
    Perhaps,
    Yes,
}

fn name_begins(tail: &[u8]) -> Begins {
    let length = tail.get(LENGTH..TYPE).and_then(|length| length.first_chunk());
    let length = length.map_or(0, |length| u64::from_be_bytes(*length));
    let Ok(header) = Header::new(ildg::DATA_LFN.as_bytes(), length, true, true) else { return Begins::No };
    let (front, known) = (tail.len().min(HEADER), tail.len().min(LENGTH));
    let header = header.as_bytes();
    if header[..known] != tail[..known] || (tail.len() >= TYPE && header[..front] != tail[..front]) {
        return Begins::No;
    }
    // `Yes` requires the type and the NUL after it.
    if tail.len() > TYPE + ildg::DATA_LFN.len() { Begins::Yes } else { Begins::Perhaps }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_names_its_type_is_the_beginning_of_a_name() {
        let header = Header::new(ildg::DATA_LFN.as_bytes(), 20, true, true).expect("a header");
        let name = [&header.as_bytes()[..], b"lfn://a/b"].concat();
        for end in 1..name.len() {
            let expected = if end < 30 { Begins::Perhaps } else { Begins::Yes };
            assert_eq!(name_begins(&name[..end]), expected, "{end} bytes");
        }
        let other = Header::new(b"ildg-data-lfn2", 20, true, true).expect("a header");
        assert_eq!(name_begins(other.as_bytes()), Begins::No);
        // The record does not begin a message.
        let inner = Header::new(ildg::DATA_LFN.as_bytes(), 20, false, true).expect("a header");
        assert_eq!(name_begins(inner.as_bytes()), Begins::No);
        assert_eq!(name_begins(b"something else"), Begins::No);
    }
}
