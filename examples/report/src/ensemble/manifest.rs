//! A manifest: one JSON object per file, in ascending order of the names, and a line at the end that shows that nothing was
//! altered, lost or added.

use std::collections::BTreeMap;
use std::io::{BufRead, Read as _, Write};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::entry::Entry;
use super::name::{Name, NameError};
use crate::json::{SCHEMA, hex};
use crate::json_line::line_of;
use crate::parallel::each;

/// Maximum length of a line. An entry of this program is never longer.
const LONGEST_LINE: usize = 64 << 20;
/// Maximum length of a manifest.
const LONGEST: u64 = 16 << 30;
/// Number of lines that threads make at the same time.
const AT_ONCE: usize = 64;

/// The entries of a manifest, by name.
pub type Entries = BTreeMap<Name, Entry>;

/// The last line.
#[derive(Debug, Serialize, Deserialize)]
struct End {
    schema: u32,
    /// Number of entries.
    entries: u64,
    /// SHA-256 of all lines before this one.
    manifest_sha256: String,
}

/// Reason why a manifest cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error("line {0} has more than {LONGEST_LINE} bytes")]
    LongLine(u64),
    #[error("the manifest has more than {LONGEST} bytes")]
    Long,
    #[error("line 1 is not a line of a manifest, as `linkstream manifest` writes it: {}", in_line(.0))]
    NoManifest(serde_json::Error),
    #[error("line {0}: {what}", what = in_line(.1))]
    Json(u64, serde_json::Error),
    #[error("line {line}: {error}")]
    Name { line: u64, error: NameError },
    #[error("line {line}: {name} is there twice")]
    Twice { line: u64, name: Name },
    #[error("line {line}: {name} is not in the order of the names")]
    Order { line: u64, name: Name },
    #[error("line {0}: version {1} of the entries is not known; {remedy}", remedy = of_version(*.1))]
    Schema(u64, u32),
    #[error(
        "the last line, with the number of entries and their SHA-256, is missing: the manifest is cut, or the run \
         that made it was killed"
    )]
    NoEnd,
    #[error("the last line counts {stated} entries, but there are {found}")]
    Count { stated: u64, found: u64 },
    #[error(
        "the lines do not have the SHA-256 of the last one: the manifest was altered after it was written, if only in the \
         ends of its lines; take another copy of it"
    )]
    Altered,
    #[error("line {0}: there are lines after the last one")]
    AfterEnd(u64),
    #[error("it does not begin as a journal does")]
    NoJournal,
    #[error(
        "the run that wrote it had another --hash, --format, --xml or --no-observables; remove it to begin anew"
    )]
    OtherSettings,
}

/// An error of JSON, without the number of a line, which is another one than in the file.
fn in_line(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((what, _)) if error.line() > 0 => format!("{what} at column {}", error.column()),
        _ => text,
    }
}

const fn of_version(version: u32) -> &'static str {
    if version < SCHEMA {
        "an older linkstream wrote it: make a new manifest"
    } else {
        "a newer linkstream reads it"
    }
}

/// Writes a manifest.
///
/// # Errors
/// Errors of the output.
pub fn write<'e>(entries: impl IntoIterator<Item = &'e Entry>, out: &mut dyn Write) -> std::io::Result<()> {
    let mut count: u64 = 0;
    let mut sha256 = Sha256::new();
    let entries: Vec<&Entry> = entries.into_iter().collect();
    for entries in entries.chunks(AT_ONCE) {
        let mut lines = vec![Vec::new(); entries.len()];
        let work = entries.iter().zip(&mut lines).collect();
        each(entries.len() > 1, work, |(entry, line), (): &mut ()| {
            *line = line_of(entry)?;
            Ok::<(), serde_json::Error>(())
        })?;
        for line in lines {
            sha256.update(&line);
            out.write_all(&line)?;
            count = count.saturating_add(1);
        }
    }
    let end = End { schema: SCHEMA, entries: count, manifest_sha256: hex(&sha256.finalize()) };
    out.write_all(&line_of(&end)?)
}

/// Reads a manifest, and verifies that it is as it was written.
///
/// # Errors
/// It is not, or cannot be read.
pub fn read(source: &mut dyn BufRead) -> Result<Entries, ManifestError> {
    let mut sha256 = Sha256::new();
    let mut entries = Entries::new();
    let mut lines = Lines::new(source);
    let mut count: u64 = 0;
    while let Some(number) = lines.next()? {
        if let Ok(end) = serde_json::from_slice::<End>(&lines.line) {
            if !lines.line.ends_with(b"\n") {
                return Err(ManifestError::NoEnd);
            }
            if end.schema != SCHEMA {
                return Err(ManifestError::Schema(number, end.schema));
            }
            return match lines.next()? {
                Some(number) => Err(ManifestError::AfterEnd(number)),
                None if hex(&sha256.finalize()) != end.manifest_sha256 => Err(ManifestError::Altered),
                None if end.entries != count => {
                    Err(ManifestError::Count { stated: end.entries, found: count })
                }
                None => Ok(entries),
            };
        }
        if !lines.line.ends_with(b"\n") {
            return Err(match parse(number, &lines.line) {
                // The first line may be cut too, but then it is the beginning of an object.
                Err(ManifestError::NoManifest(error)) if !error.is_eof() => ManifestError::NoManifest(error),
                _ => ManifestError::NoEnd,
            });
        }
        sha256.update(&lines.line);
        let entry = parse(number, &lines.line)?;
        count = count.saturating_add(1);
        let name = entry.name.clone();
        if let Some(last) = entries.last_key_value().map(|(last, _)| last).filter(|last| **last >= name) {
            let is_twice = *last == name || entries.contains_key(&name);
            return Err(if is_twice {
                ManifestError::Twice { line: number, name }
            } else {
                ManifestError::Order { line: number, name }
            });
        }
        entries.insert(name, entry);
    }
    Err(ManifestError::NoEnd)
}

/// Reads lines of entries in any order, without the last line of a manifest. Empty lines are passed over.
///
/// # Errors
/// A line is no entry, or two are about the same file.
pub fn entries_of(lines: &str) -> Result<Entries, ManifestError> {
    let mut entries = Entries::new();
    for (number, line) in (1..).zip(lines.lines()).filter(|(_, line)| !line.is_empty()) {
        let entry = parse(number, line.as_bytes())?;
        let name = entry.name.clone();
        if entries.insert(name.clone(), entry).is_some() {
            return Err(ManifestError::Twice { line: number, name });
        }
    }
    Ok(entries)
}

/// The first line of a journal: how the files were read. Entries of a run with other settings are of no use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalHead {
    schema: u32,
    /// Name of the hash function.
    journal_hash: String,
    xml: Vec<String>,
    observables: bool,
}

impl JournalHead {
    /// The head of a journal with these settings.
    #[must_use]
    pub const fn new(journal_hash: String, xml: Vec<String>, observables: bool) -> Self {
        Self { schema: SCHEMA, journal_hash, xml, observables }
    }
}

/// Reads the journal of a run that was killed: entries in any order; the last line may be cut. If there are several
/// entries with a name, the last one counts. Also returns the length of the complete lines. Nothing else is taken for a
/// journal, because a journal is written and removed.
///
/// # Errors
/// It is not a journal, is one of a run with other settings, or cannot be read.
pub fn read_journal(source: &mut dyn BufRead, head: &JournalHead) -> Result<(Entries, u64), ManifestError> {
    let mut entries = Entries::new();
    let mut lines = Lines::new(source);
    let mut complete = 0;
    while let Some(number) = lines.next()? {
        let is_complete = lines.line.ends_with(b"\n");
        match serde_json::from_slice::<JournalHead>(&lines.line) {
            _ if number > 1 => {}
            _ if !is_complete && line_of(head).map_err(std::io::Error::from)?.starts_with(&lines.line) => {}
            Ok(_) if !is_complete => return Err(ManifestError::NoJournal),
            Ok(found) if found != *head => return Err(ManifestError::OtherSettings),
            Ok(_) => {}
            Err(_) => return Err(ManifestError::NoJournal),
        }
        if !is_complete {
            break;
        }
        if number > 1 {
            let entry = parse(number, &lines.line)?;
            entries.insert(entry.name.clone(), entry);
        }
        complete = lines.bytes;
    }
    Ok((entries, complete))
}

/// Reads the line of an entry.
///
/// # Errors
/// It is none.
pub fn entry_of_line(line: &[u8]) -> Result<Entry, ManifestError> {
    parse(1, line)
}

fn parse(number: u64, line: &[u8]) -> Result<Entry, ManifestError> {
    let entry: Entry = serde_json::from_slice(line).map_err(|error| match number {
        1 => ManifestError::NoManifest(error),
        _ => ManifestError::Json(number, error),
    })?;
    if entry.schema != SCHEMA {
        return Err(ManifestError::Schema(number, entry.schema));
    }
    entry.named().map_err(|error| ManifestError::Name { line: number, error })
}

/// The lines of a source; one is kept.
struct Lines<'s> {
    source: &'s mut dyn BufRead,
    line: Vec<u8>,
    number: u64,
    bytes: u64,
}

impl<'s> Lines<'s> {
    fn new(source: &'s mut dyn BufRead) -> Self {
        Self { source, line: Vec::new(), number: 0, bytes: 0 }
    }

    /// Reads the next line, including its line feed. Returns its number; `None` at the end.
    fn next(&mut self) -> Result<Option<u64>, ManifestError> {
        self.line.clear();
        self.number = self.number.saturating_add(1);
        // One byte more than a line may have.
        let most = (LONGEST_LINE as u64).saturating_add(1);
        let n = (&mut *self.source).take(most).read_until(b'\n', &mut self.line)? as u64;
        self.bytes = self.bytes.saturating_add(n);
        match n {
            0 => Ok(None),
            n if n >= most => Err(ManifestError::LongLine(self.number)),
            _ if self.bytes > LONGEST => Err(ManifestError::Long),
            _ => Ok(Some(self.number)),
        }
    }
}

/// A line of the lists that `md5sum -c` and `sha256sum -c` read. Names with a line feed, a carriage return or a backslash are
/// escaped as GNU coreutils do.
#[must_use]
pub fn sum_line(hash: &str, name: &Name) -> Vec<u8> {
    let special = |byte: &u8| matches!(byte, b'\n' | b'\r' | b'\\');
    let mut line = Vec::new();
    if name.as_bytes().iter().any(special) {
        line.push(b'\\');
    }
    line.extend_from_slice(hash.as_bytes());
    line.extend_from_slice(b"  ");
    for byte in name.as_bytes() {
        match byte {
            b'\n' => line.extend_from_slice(b"\\n"),
            b'\r' => line.extend_from_slice(b"\\r"),
            b'\\' => line.extend_from_slice(b"\\\\"),
            other => line.push(*other),
        }
    }
    line.push(b'\n');
    line
}
