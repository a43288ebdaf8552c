//! Explains why the format of a file is not one that can be read, as far as its first bytes show it.

use lexical_parse_float::FromLexical as _;
use linkstream::Class;
use linkstream::sniff::Sniffer;

use crate::findings::{Finding, Level};
use crate::other::other;
use crate::text::shell_word;

/// The rule that a file of unknown format breaks.
pub const UNKNOWN_FORMAT: &str = "format-unknown";

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
    let looks = if !looks_like_text(first) {
        let found: Vec<_> = first.iter().take(Sniffer::LONGEST).map(|byte| format!("{byte:02x}")).collect();
        format!("it begins with {}", found.join(" "))
    } else if first.trim_ascii_start().starts_with(b"<") {
        "it is text that begins like an XML document".to_owned()
    } else if looks_like_numbers(first) {
        "it is text: Aion would read it as CSV, and so does `linkstream inebin from-csv`".to_owned()
    } else {
        "it looks like text".to_owned()
    };
    let message = format!("not a file that linkstream reads: {looks}");
    Finding {
        severity: Level::Error,
        class: Class::Magic,
        rule: UNKNOWN_FORMAT,
        clause: "",
        offset: 0,
        message,
    }
}

/// The rule that a file of a format breaks that is recognised, but not read.
pub const NOT_READ: &str = "format-not-read";

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
        rule: NOT_READ,
        clause: "",
        offset: 0,
        message,
    })
}

/// Returns whether the bytes are UTF-8 without control characters other than tab, line feed and carriage return.
pub fn looks_like_text(first: &[u8]) -> bool {
    let plain = |byte: &u8| *byte >= b' ' && *byte != 0x7f || matches!(byte, b'\t' | b'\n' | b'\r');
    // The last character may be incomplete.
    let utf8 = std::str::from_utf8(first).map_or_else(|error| error.error_len().is_none(), |_| true);
    utf8 && first.iter().all(plain)
}

/// Returns whether a text can be a table of numbers, perhaps with names of columns or rows: an entry is a number, and
/// no byte is one of the marks of other notations.
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
