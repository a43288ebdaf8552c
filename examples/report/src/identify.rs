//! Recognises the format of a file from its first bytes.

use std::path::Path;

use embedded_io::{Error as _, ErrorKind, Read};
use linkstream::sniff::{Format, Sniff, Sniffer};
use linkstream_access::other::LENGTH;

use crate::archive::state;

pub use linkstream_access::unknown::{empty, looks_like_text, not_read, unknown};

/// Reads the bytes that identify the format, and no more of a file in a supported format, except for the header of a NERSC
/// archive, which shows whether it has a random-number state. If the file ends before its
/// format is certain, the format that it may be the beginning of is returned; an empty file has no format.
pub fn identify<R: Read>(source: &mut R) -> Result<(Vec<u8>, Option<Format>), R::Error> {
    let mut sniffer = Sniffer::new();
    let mut first = Vec::new();
    let mut format = None;
    let mut is_unknown = false;
    while !is_unknown && first.len() < Sniffer::LONGEST || is_unknown && first.len() < LENGTH {
        let mut piece = [0; LENGTH];
        let most = if is_unknown { LENGTH } else { Sniffer::LONGEST };
        let room = most.saturating_sub(first.len()).min(piece.len());
        let n = match source.read(piece.get_mut(..room).unwrap_or_default()) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            read => read?,
        };
        if n == 0 {
            return Ok((first, format));
        }
        // A source that follows the contract of `Read` never reports more than there was room for.
        let piece = piece.get(..n.min(room)).unwrap_or_default();
        first.extend_from_slice(piece);
        if is_unknown {
            continue;
        }
        match sniffer.push(piece) {
            Sniff::Is(Format::Nersc) => return nersc(source, first),
            Sniff::Is(format) => return Ok((first, Some(format))),
            Sniff::More(beginning) => format = beginning,
            // Reading continues, so that the message about the file does not depend on how its first bytes were
            // divided.
            Sniff::Unknown => (is_unknown, format) = (true, None),
        }
    }
    Ok((first, None))
}

/// Reads the header of an archive that begins with these bytes.
fn nersc<R: Read>(source: &mut R, mut first: Vec<u8>) -> Result<(Vec<u8>, Option<Format>), R::Error> {
    while !state::has_header(&first) {
        let mut piece = [0; LENGTH];
        match source.read(&mut piece) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Ok(0) => break,
            read => first.extend_from_slice(piece.get(..read?).unwrap_or_default()),
        }
    }
    Ok((first, Some(Format::Nersc)))
}

/// Extensions of the formats.
const ENDINGS: [&str; 6] = ["lime", "ildg", "scidac", "scda", "inebin", "nersc"];

/// True if a file is named like one of a known format. Such a file is never unrelated: an unknown beginning is taken for
/// damage.
#[must_use]
pub fn has_ending(path: &Path) -> bool {
    let ending = path.extension();
    ENDINGS.iter().any(|known| ending.is_some_and(|ending| ending.eq_ignore_ascii_case(known)))
}

/// The name of a format.
pub const fn name(format: Format) -> &'static str {
    match format {
        Format::Lime => "LIME",
        Format::Inebin => "INEBIN",
        Format::Scda => "scda",
        Format::Nersc => "NERSC",
        Format::Milc => "MILC",
        _ => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    struct Slowly<'a>(&'a [u8]);

    impl embedded_io::ErrorType for Slowly<'_> {
        type Error = Infallible;
    }

    impl Read for Slowly<'_> {
        fn read(&mut self, out: &mut [u8]) -> Result<usize, Infallible> {
            let n = out.len().min(self.0.len()).min(1);
            out[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    #[test]
    fn a_file_is_unknown_for_the_same_bytes_however_they_come() {
        let table = b"1,2,3\n4,5,6\n".repeat(LENGTH);
        let whole = identify(&mut &table[..]).unwrap();
        assert_eq!(identify(&mut Slowly(&table)), Ok(whole.clone()));
        assert_eq!(whole, (table[..LENGTH].to_vec(), None));
        assert_eq!(identify(&mut Slowly(b"1,2")), Ok((b"1,2".to_vec(), None)));
        assert_eq!(identify(&mut Slowly(b"INEB")), Ok((b"INEB".to_vec(), Some(Format::Inebin))));
    }
}
