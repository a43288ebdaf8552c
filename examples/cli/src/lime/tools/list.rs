//! The list of `lime_pack` (LIME 1.2, section 4): one line per record, with the path of a file and a type. A empty line
//! separates messages.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use linkstream::lime::Header;
use linkstream_memory as memory;

/// A record to be written.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its line in the list, from 1.
    pub line: usize,
    pub path: PathBuf,
    pub record_type: Vec<u8>,
    /// True if it is the first record of its message.
    pub begin: bool,
    /// True if it is the last record of its message.
    pub end: bool,
}

/// Why a line of a list is invalid.
#[derive(Debug, PartialEq, Eq)]
pub enum ListError {
    /// A path without a type.
    NoType { line: usize },
    /// More words than a path and a type.
    TooManyWords { line: usize, found: usize },
    /// A path that is invalid on this system.
    NoPath { line: usize },
}

impl fmt::Display for ListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoType { line } => {
                write!(f, "line {line} of the list must have a path and a type, but has one word")
            }
            Self::TooManyWords { line, found } => write!(
                f,
                "line {line} of the list has {found} words; expected a path and a type without spaces"
            ),
            Self::NoPath { line } => {
                write!(f, "line {line} of the list begins with what is no path on this system")
            }
        }
    }
}

impl std::error::Error for ListError {}

/// Parses a list. Several empty lines count as one, and those at the beginning and end are ignored.
pub fn read(text: &[u8]) -> Result<Vec<Entry>, ListError> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut begin = true;
    for (line, text) in (1..).zip(text.split(|byte| *byte == b'\n')) {
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let words = memory::unwinding::collect(text.split(is_blank).filter(|word| !word.is_empty()));
        let (name, record_type) = match words[..] {
            [] => {
                begin = true;
                continue;
            }
            [_] => return Err(ListError::NoType { line }),
            [name, record_type] => (name, record_type),
            _ => return Err(ListError::TooManyWords { line, found: words.len() }),
        };
        if let Some(before) = entries.last_mut() {
            before.end = begin;
        }
        let path = path(name).ok_or(ListError::NoPath { line })?;
        let record_type = memory::unwinding::copied(record_type);
        memory::unwinding::push(&mut entries, Entry { line, path, record_type, begin, end: true });
        begin = false;
    }
    Ok(entries)
}

/// Formats a line of a list; `None` if it would be parsed as another path or type, or if no record can have this type.
pub fn line(path: &Path, record_type: &[u8]) -> Option<Vec<u8>> {
    let path = written(path);
    let path = &*path;
    let is_word = |word: &[u8]| !word.is_empty() && !word.iter().any(|byte| byte.is_ascii_whitespace());
    // Other programs also treat a vertical tab as a space.
    let is_word = |word: &[u8]| is_word(word) && !word.contains(&0x0b);
    let is_written = Header::new(record_type, 0, true, true).is_ok();
    (is_word(path) && is_word(record_type) && is_written).then(|| [path, b" ", record_type, b"\n"].concat())
}

/// A path as it is in a list. Windows accepts the slash of other systems, but they do not accept its backslash.
fn written(path: &Path) -> Cow<'_, [u8]> {
    let path = path.as_os_str().as_encoded_bytes();
    #[cfg(windows)]
    return Cow::Owned(path.iter().map(|byte| if *byte == b'\\' { b'/' } else { *byte }).collect());
    #[cfg(not(windows))]
    Cow::Borrowed(path)
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

#[cfg(unix)]
fn path(name: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    Some(OsStr::from_bytes(name).into())
}

#[cfg(not(unix))]
fn path(name: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(name).ok().map(|name| OsStr::new(name).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Path, type, MB, ME.
    fn entries(text: &str) -> Vec<(String, String, bool, bool)> {
        let entries = read(text.as_bytes()).expect("a list");
        let each = entries.into_iter().map(|entry| {
            let record_type = String::from_utf8(entry.record_type).expect("text");
            (entry.path.display().to_string(), record_type, entry.begin, entry.end)
        });
        each.collect()
    }

    #[test]
    fn the_list_of_the_document() {
        let entry = |path: &str, record_type: &str, begin, end| (path.into(), record_type.into(), begin, end);
        let expected = [
            entry("file1", "type1", true, false),
            entry("file2", "type2", false, true),
            entry("file3", "type3", true, true),
        ];
        assert_eq!(entries("file1 type1\nfile2 type2\n\nfile3 type3\n"), expected);
        assert_eq!(entries("\n \t\r\nfile1\t type1 \r\nfile2 type2\n\n\n\nfile3 type3\n\n"), expected);
        assert_eq!(entries("\n\n"), []);
        // There are no comments.
        assert_eq!(entries("# x"), [entry("#", "x", true, true)]);
    }

    #[test]
    fn lines_of_other_words_are_refused() {
        assert_eq!(read(b"a b\n\nc\n"), Err(ListError::NoType { line: 3 }));
        assert_eq!(read(b"a b c\n"), Err(ListError::TooManyWords { line: 1, found: 3 }));
    }

    #[test]
    fn what_is_written_reads_back() {
        let long = "long/".repeat(1000);
        for (path, record_type) in [("a/b", &b"type"[..]), ("a", b"\xff\x01"), (&long, &[b'T'; 127])] {
            let line = line(Path::new(path), record_type).expect("a line");
            let entries = read(&line).expect("a list");
            assert_eq!((&entries[0].path, &entries[0].record_type[..]), (&path.into(), record_type));
        }
        assert_eq!(line(Path::new("a"), &[b'T'; 128]), None);
        for (path, record_type) in [("a", ""), ("a", "b c"), ("a", "b\n"), ("a", "\x0b"), ("a b", "c")] {
            assert_eq!(line(Path::new(path), record_type.as_bytes()), None, "{path:?} {record_type:?}");
        }
    }
}
