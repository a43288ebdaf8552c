//! Recognises the format of a file from its first bytes.

use embedded_io::{Error as _, ErrorKind, Read};
use lexical_parse_float::FromLexical as _;
use linkstream::Class;
use linkstream::sniff::{FOREIGN_LEN, Format, Sniff, Sniffer};
use linkstream_access::UNKNOWN_FORMAT;
use linkstream_access::text::shell_word;

use crate::findings::{Finding, Level};
use crate::other::other;

/// The first bytes of files of each known format, for messages.
const KNOWN: &str = "a LIME file begins with 45 67 89 ab, an INEBIN file with INEBIN, an scda file with scdata0, a NERSC archive with \
     BEGIN_HEADER, a MILC file with 00 00 4e 87 or 87 4e 00 00";

/// Reads the bytes that identify the format, and no more of a file in a supported format. If the file ends before its
/// format is certain, the format that it may be the beginning of is returned; an empty file has no format.
pub fn identify<R: Read>(source: &mut R) -> Result<(Vec<u8>, Option<Format>), R::Error> {
    let mut sniffer = Sniffer::new();
    let mut first = Vec::new();
    let mut format = None;
    let mut is_unknown = false;
    while !is_unknown && first.len() < Sniffer::LONGEST || is_unknown && first.len() < FOREIGN_LEN {
        let mut piece = [0; FOREIGN_LEN];
        let most = if is_unknown { FOREIGN_LEN } else { Sniffer::LONGEST };
        let room = most - first.len();
        let n = match source.read(&mut piece[..room]) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            read => read?,
        };
        if n == 0 {
            return Ok((first, format));
        }
        first.extend_from_slice(&piece[..n]);
        if is_unknown {
            continue;
        }
        match sniffer.push(&piece[..n]) {
            Sniff::Is(format) => return Ok((first, Some(format))),
            Sniff::More(beginning) => format = beginning,
            // Reading continues, so that the message about the file does not depend on how its first bytes were
            // divided.
            Sniff::Unknown => (is_unknown, format) = (true, None),
        }
    }
    Ok((first, None))
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

/// The finding for an empty file. By the LIME specification, it is a stream without records; more likely, it was never
/// written.
pub fn empty() -> Finding {
    Finding {
        severity: Level::Error,
        class: Class::Truncated,
        rule: "file-empty",
        clause: "",
        offset: 0,
        message: "the file is empty".to_owned(),
    }
}

/// The finding for a file whose first bytes, `first`, match none of the known formats.
pub fn unknown(first: &[u8], size: Option<u64>, name: &str) -> Finding {
    if let Some(finding) = not_read(first, size, name) {
        return finding;
    }
    let found: Vec<_> = first.iter().take(Sniffer::LONGEST).map(|byte| format!("{byte:02x}")).collect();
    let mut message =
        format!("the file begins with {}, which no known format does; {KNOWN}", found.join(" "));
    if looks_like_text(first) && first.trim_ascii_start().starts_with(b"<") {
        message += "; this is text that begins like an XML document";
    } else if looks_like_text(first) && looks_like_numbers(first) {
        message += "; this is text: Aion would read it as CSV, and so does `linkstream inebin from-csv`";
    } else if looks_like_text(first) {
        message += "; this is text";
    }
    Finding {
        severity: Level::Error,
        class: Class::Magic,
        rule: UNKNOWN_FORMAT,
        clause: "",
        offset: 0,
        message,
    }
}

/// The finding for a file of a known format that cannot be read; `None` for other files.
pub fn not_read(first: &[u8], size: Option<u64>, name: &str) -> Option<Finding> {
    let format = other(first, size)?;
    let mut message = format!("this is {}", format.name);
    match format.unpack {
        Some(command) => {
            // The bytes of a name that is not UTF-8 are not known here.
            let is_known = name != "-" && !name.contains(char::REPLACEMENT_CHARACTER);
            let file = if is_known { shell_word(name) } else { "FILE".to_owned() };
            message += &format!(": `{command} {file} | linkstream check -` reads what is in it");
        }
        None => message += ", which is recognised but not read",
    }
    if let Some(advice) = format.advice {
        message += &format!("; {advice}");
    }
    Some(Finding {
        severity: Level::Error,
        class: Class::Unsupported,
        rule: "format-not-read",
        clause: "",
        offset: 0,
        message,
    })
}

/// Whether the bytes are UTF-8 without control characters other than tab, line feed and carriage return.
pub fn looks_like_text(first: &[u8]) -> bool {
    let plain = |byte: &u8| *byte >= b' ' && *byte != 0x7f || matches!(byte, b'\t' | b'\n' | b'\r');
    // The last character may be incomplete.
    let utf8 = std::str::from_utf8(first).map_or_else(|error| error.error_len().is_none(), |_| true);
    utf8 && first.iter().all(plain)
}

/// Whether a text can be a table of numbers, perhaps with names of columns or rows: a field is a number, and no byte is
/// one of the marks of other notations.
fn looks_like_numbers(text: &[u8]) -> bool {
    let is_mark = |byte: &u8| b"{}[]=:<>".contains(byte);
    let is_between = |byte: &u8| b",; \t\r\n()".contains(byte);
    // An imaginary unit ends a number, and a sign is between both parts of one.
    let is_number = |field: &[u8]| {
        let field = field.strip_suffix(b"i").or(field.strip_suffix(b"j")).unwrap_or(field);
        let part = field.rsplit(|byte| matches!(byte, b'+' | b'-')).next().unwrap_or(field);
        let of = |field: &[u8]| f64::from_lexical(field).is_ok();
        of(field) || of(part)
    };
    !text.iter().any(is_mark) && text.split(is_between).any(is_number)
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
        let table = b"1,2,3\n4,5,6\n".repeat(FOREIGN_LEN);
        let whole = identify(&mut &table[..]).unwrap();
        assert_eq!(identify(&mut Slowly(&table)), Ok(whole.clone()));
        assert_eq!(whole, (table[..FOREIGN_LEN].to_vec(), None));
        assert_eq!(identify(&mut Slowly(b"1,2")), Ok((b"1,2".to_vec(), None)));
        assert_eq!(identify(&mut Slowly(b"INEB")), Ok((b"INEB".to_vec(), Some(Format::Inebin))));
    }
}
