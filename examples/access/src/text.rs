//! Texts and names from files, which may contain any characters, in messages and in commands for a shell; and numbers
//! in messages.

use std::fmt::Write as _;
use std::path::Path;

use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::Event;

/// Invisible characters: the general category Cf (format characters, which include all that change the direction of
/// writing), Zl and Zp (separators of lines and paragraphs) of Unicode 16, and the tags of plane 14.
const INVISIBLE: [(char, char); 22] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{180e}', '\u{180e}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{2064}'),
    ('\u{2065}', '\u{2065}'),
    ('\u{2066}', '\u{206f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{fff9}', '\u{fffb}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{13430}', '\u{1343f}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e007f}'),
    ('\u{e0080}', '\u{e0fff}'),
];

/// Returns whether a terminal, or another program that shows text, acts on a character instead of showing it: control
/// characters, and invisible ones, which can make a text look like another one. All outputs escape these characters,
/// JSON too.
///
/// ```
/// use linkstream_access::text::is_unprintable;
///
/// assert!("\x1b\u{9b}\u{202e}\u{200b}\u{e0041}".chars().all(is_unprintable));
/// assert!(!"l\u{e4}t \u{3b2}=6.0".chars().any(is_unprintable));
/// ```
#[must_use]
pub fn is_unprintable(c: char) -> bool {
    c.is_control() || (c >= '\u{ad}' && INVISIBLE.iter().any(|(first, last)| (*first..=*last).contains(&c)))
}

/// A name as one word of a shell: unchanged if no character has a meaning there, otherwise in quotes. Unprintable
/// characters are escaped within `$'…'` (POSIX.1-2024, bash, zsh, ksh), so that a terminal never receives them.
///
/// ```
/// use linkstream_access::text::shell_word;
///
/// assert_eq!(shell_word("a/lat.0100.ildg"), "a/lat.0100.ildg");
/// assert_eq!(shell_word("it's $HOME"), r"'it'\''s $HOME'");
/// assert_eq!(shell_word("a\x1b[31m\nb"), r"$'a\x1b[31m\nb'");
/// assert_eq!(shell_word("-rf"), "./-rf");
/// ```
pub fn shell_word(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%".contains(c);
    // Not an option of the command.
    let name = if name.starts_with('-') { format!("./{name}") } else { name.to_owned() };
    if name.chars().any(is_unprintable) {
        return escaped_word(name.as_bytes());
    }
    if !name.is_empty() && name.chars().all(is_plain) {
        return name;
    }
    format!("'{}'", name.replace('\'', r"'\''"))
}

/// A name on a line of its own or within one: unchanged, or, if it has unprintable characters, as [`shell_word`] writes
/// it. Different names are shown differently.
///
/// ```
/// use linkstream_access::text::shown;
///
/// assert_eq!(shown("a b"), "a b");
/// // A line feed, and a backslash with an n.
/// assert_eq!([shown("a\nb"), shown("a\\nb")], [r"$'a\nb'", r"a\nb"]);
/// assert_eq!(shown(r"$'a\nb'"), r"$'$\'a\\nb\''");
/// ```
pub fn shown(name: &str) -> String {
    shown_bytes(name.as_bytes())
}

/// Like [`shown`], for a name that need not be UTF-8. Bytes that are not part of a character are escaped.
///
/// ```
/// use linkstream_access::text::shown_bytes;
///
/// assert_eq!(shown_bytes("l\u{e4}t".as_bytes()), "l\u{e4}t");
/// assert_eq!(shown_bytes(b"\xff\xfebad"), r"$'\xff\xfe'$'bad'");
/// ```
pub fn shown_bytes(name: &[u8]) -> String {
    match std::str::from_utf8(name) {
        Ok(text) if !text.starts_with("$'") && !text.chars().any(is_unprintable) => text.to_owned(),
        _ => escaped_word(name),
    }
}

fn escaped_word(name: &[u8]) -> String {
    let mut out = String::from("$'");
    let mut after_hex = false;
    let hex = |out: &mut String, bytes: &[u8]| {
        for byte in bytes {
            let _ = write!(out, "\\x{byte:02x}");
        }
    };
    for chunk in name.utf8_chunks() {
        for c in chunk.valid().chars() {
            let is_hex = is_unprintable(c) && !matches!(c, '\n' | '\t' | '\r');
            match c {
                '\\' => out.push_str(r"\\"),
                '\'' => out.push_str(r"\'"),
                '\n' => out.push_str(r"\n"),
                '\t' => out.push_str(r"\t"),
                '\r' => out.push_str(r"\r"),
                c if is_hex => hex(&mut out, c.encode_utf8(&mut [0; 4]).as_bytes()),
                // Some shells read more than two digits.
                c if after_hex && c.is_ascii_hexdigit() => {
                    let _ = write!(out, "'$'{c}");
                }
                c => out.push(c),
            }
            after_hex = is_hex;
        }
        hex(&mut out, chunk.invalid());
        after_hex |= !chunk.invalid().is_empty();
    }
    out.push('\'');
    out
}

/// Shows a path on one line. The name need not be UTF-8. Different paths are shown differently.
pub fn shown_path(path: &Path) -> String {
    shown_bytes(path.as_os_str().as_encoded_bytes())
}

/// Escapes text from a file for a terminal, so that it cannot move the cursor or change colors.
pub fn printable(text: &str) -> String {
    escaped(text, |c| is_unprintable(c) && !matches!(c, '\n' | '\t'))
}

/// The text of an error without the number that the system has for it.
#[must_use]
pub fn without_number(mut said: String) -> String {
    while let Some(at) = said.find(" (os error ") {
        let Some(length) = said.get(at..).and_then(|rest| rest.find(')')) else { break };
        said.replace_range(at..=at.saturating_add(length), "");
    }
    said
}

/// Escapes a message, or text from a file, for one line of a terminal.
pub fn one_line(text: &str) -> String {
    escaped(text, is_unprintable)
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_escaped(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// A number with its noun.
pub fn counted(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}

/// The sentence about a thing that does not exist: which one was asked for, and the numbers that exist, from `first`
/// on.
///
/// ```
/// use linkstream_access::text::no_such;
///
/// let one = no_such("field", "fields", "the file", 1, 0, 1);
/// assert_eq!(one, "field 1 does not exist: the file has 1 field, number 0");
/// assert_eq!(no_such("slice", "slices", "it", 8, 0, 8), "slice 8 does not exist: it has 8 slices, 0 to 7");
/// assert_eq!(no_such("record", "records", "message 1", 0, 1, 1), "record 1 does not exist: message 1 has no records");
/// ```
pub fn no_such(
    one: &str,
    many: &str,
    owner: &str,
    count: u64,
    first: u64,
    number: impl std::fmt::Display,
) -> String {
    let has = match count {
        0 => format!("no {many}"),
        1 => format!("1 {one}, number {first}"),
        _ => format!("{count} {many}, {first} to {}", count.saturating_add(first).saturating_sub(1)),
    };
    format!("{one} {number} does not exist: {owner} has {has}")
}

/// A number of bytes.
pub fn bytes(n: impl Into<u128>) -> String {
    let n = n.into();
    if n == 1 { "1 byte".to_owned() } else { format!("{} bytes", thousands(n)) }
}

/// Groups digits by three.
pub fn thousands(n: impl Into<u128>) -> String {
    let digits = n.into().to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && digits.len().saturating_sub(i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The text with U+FFFD in place of all bytes that are not UTF-8 and all characters that XML does not allow.
///
/// ```
/// use linkstream_access::text::xml_text;
///
/// assert_eq!(xml_text(b"a\x01\xff\xc3\xa9\n"), "a\u{fffd}\u{fffd}\u{e9}\n");
/// ```
pub fn xml_text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace(|c| !is_xml(c), "\u{fffd}")
}

/// Returns whether XML allows a character (XML 1.0, section 2.2, production 2).
pub const fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

/// The part of a text that no XML document can have; `None` if there is none: a character, or, in a text that begins like
/// a document, a reference to a character or to an entity without a declaration. Other faults of documents are not found.
///
/// ```
/// use linkstream_access::text::not_xml;
///
/// assert_eq!(not_xml("<a b='&lt;'>&#xe9;&amp;<!-- &#1; --></a>"), None);
/// assert_eq!(not_xml("<a>&#1;</a>").as_deref(), Some("the reference &#1;"));
/// assert_eq!(not_xml("<a>&#+65;</a>").as_deref(), Some("the reference &#+65;"));
/// assert_eq!(not_xml("a\u{1}").as_deref(), Some("the character \\u{1}"));
/// assert_eq!(not_xml("no document: &#1;"), None);
/// ```
#[must_use]
pub fn not_xml(text: &str) -> Option<String> {
    if let Some(c) = text.chars().find(|c| !is_xml(*c)) {
        return Some(format!("the character {}", c.escape_unicode()));
    }
    if !text.trim_start().starts_with('<') {
        return None;
    }
    let mut reader = Reader::from_str(text);
    loop {
        let unknown = match reader.read_event() {
            // A document type can declare entities. Documents that are not well-formed are found when the file is checked.
            Ok(Event::Eof | Event::DocType(_)) | Err(_) => return None,
            Ok(Event::GeneralRef(name)) => unknown_reference(&name),
            Ok(Event::Start(tag) | Event::Empty(tag)) => tag.attributes().flatten().find_map(|attribute| {
                let references = attribute.value.split(|byte| *byte == b'&').skip(1);
                references
                    .filter_map(|rest| rest.split(|byte| *byte == b';').next())
                    .find_map(unknown_reference)
            }),
            Ok(_) => None,
        };
        if let Some(name) = unknown {
            return Some(format!("the reference &{name};"));
        }
    }
}

/// The name in a reference, if XML has no such character and no such entity.
fn unknown_reference(name: &[u8]) -> Option<String> {
    let name = String::from_utf8_lossy(name);
    let number = name.strip_prefix('#').map(|number| match number.strip_prefix('x') {
        Some(digits) => (digits, 16),
        None => (number, 10),
    });
    let is_known = match number {
        Some((digits, radix)) => {
            // A sign is no digit.
            let is_number = digits.chars().all(|digit| digit.is_digit(radix));
            let code = u32::from_str_radix(digits, radix).ok().filter(|_| is_number);
            code.and_then(char::from_u32).is_some_and(is_xml)
        }
        None => resolve_xml_entity(&name).is_some(),
    };
    (!is_known).then(|| one_line(&name))
}

/// Bytes in hexadecimal, two digits each.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 0xf)]).collect()
}

#[cfg(test)]
mod tests {
    use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

    use super::*;

    /// The characters with the property Bidi_Control (Unicode, PropList.txt).
    const BIDI_CONTROL: &str =
        "\u{61c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}";

    #[test]
    fn control_format_and_separator_characters_are_unprintable_and_no_others() {
        use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator, Unassigned};

        assert!(BIDI_CONTROL.chars().all(is_unprintable));
        for c in '\0'..=char::MAX {
            let category = c.general_category();
            let is_inert = matches!(category, Control | Format | LineSeparator | ParagraphSeparator);
            // Plane 14 also has variation selectors, and characters without a meaning yet.
            let is_either = matches!(c, '\u{e0000}'..='\u{e0fff}') || category == Unassigned;
            assert!(is_unprintable(c) == is_inert || (is_either && !is_inert), "{c:?}: {category:?}");
        }
    }

    #[test]
    fn no_unprintable_character_passes() {
        for c in ('\0'..=char::MAX).filter(|c| is_unprintable(*c)) {
            let text = format!("a{c}b");
            assert!(!one_line(&text).chars().any(is_unprintable), "{c:?}");
            assert!(!shown(&text).chars().any(is_unprintable), "{c:?}");
            assert!(!shell_word(&text).chars().any(is_unprintable), "{c:?}");
            let is_kept = matches!(c, '\n' | '\t');
            assert_eq!(printable(&text).chars().any(is_unprintable), is_kept, "{c:?}");
        }
    }
}
