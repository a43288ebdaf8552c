//! The text of the checksum, for programs that compare it as text.

use std::io::{Seek as _, SeekFrom, Write as _};

use linkstream::Mode;
use linkstream::io::FromStd;
use linkstream::io::{ReadError, Reader};
use linkstream::lime::{Decoder, Event, Header, Record, padding};
use linkstream::scidac::{CHECKSUM, StoredChecksum};
use linkstream_memory as memory;

use super::error::Error;
use crate::system::File;

/// Rewrites the sums in the checksum of a new file, which is its last record, without leading zeros: padded with spaces
/// to 8 characters if `is_padded`, as GPT expects them, otherwise without padding, as SIMULATeQCD does. If a sum has
/// fewer than 8 digits, no form is right for both.
///
/// # Errors
/// The last record is no checksum, or the file cannot be read or written.
pub fn respell_sums(mut file: &File, is_padded: bool) -> Result<(), Error> {
    let (record, text) = last_checksum(file)?;
    let unexpected = |why: &dyn std::fmt::Display| Error::ReadBack(why.to_string());
    let stored = StoredChecksum::parse(&text).map_err(|error| unexpected(&error))?;
    let mut text = String::from_utf8_lossy(&text).into_owned();
    for (name, sum) in [("suma", stored.suma()), ("sumb", stored.sumb())] {
        let sum = sum.ok_or_else(|| unexpected(&"a sum is missing"))?;
        let digits = if is_padded { format!("{sum:8x}") } else { format!("{sum:x}") };
        text = text.replace(&format!("<{name}>{sum:08x}<"), &format!("<{name}>{digits}<"));
    }
    let length = text.len() as u64;
    let header = Header::new(CHECKSUM.as_bytes(), length, record.begin, record.end);
    let header = header.map_err(|error| unexpected(&error))?;
    let padding = vec![0; padding(length).into()];
    let bytes = [header.as_bytes(), text.as_bytes(), &padding].concat();
    let written = file.seek(SeekFrom::Start(record.offset)).and_then(|_| file.write_all(&bytes));
    let end = record.offset.saturating_add(bytes.len() as u64);
    written.and_then(|()| file.set_len(end)).map_err(Error::Output)
}

/// The last record, which must be a checksum, and its payload.
fn last_checksum(mut file: &File) -> Result<(Record, Vec<u8>), Error> {
    let failed = |error| match error {
        ReadError::Io(error) => Error::Output(error),
        other => Error::ReadBack(other.to_string()),
    };
    file.rewind().map_err(Error::Output)?;
    let mut buffer = vec![0; 64 << 10];
    let mut reader = Reader::new(FromStd(file), &mut buffer, Decoder::new(Mode::Lenient));
    let mut last = None;
    let mut text = Vec::new();
    while let Some(event) = reader.next().map_err(failed)? {
        let is_checksum = reader.decoder().record_type() == CHECKSUM.as_bytes();
        match event {
            Event::Record(record) => {
                last = Some(record).filter(|_| is_checksum);
                text.clear();
                if !is_checksum {
                    reader.skip_seeking().map_err(failed)?;
                }
            }
            Event::Payload => memory::unwinding::extend(&mut text, reader.bytes()),
            _ => {}
        }
    }
    let last = last.ok_or_else(|| Error::ReadBack("the checksum is not the last record".to_owned()))?;
    Ok((last, text))
}
