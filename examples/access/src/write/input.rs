//! The input of a conversion: a source in LIME form, and how far it can be trusted.

use std::fmt;
use std::io::{Read, Result, Seek, SeekFrom};

use linkstream::Mode;

use crate::noted;
use crate::sums::Sum;
use crate::system::File;

/// Number of bytes read or written at a time.
pub(super) const BUFFER: usize = 256 << 10;

/// A source in LIME form that can be read again from its start: a file, a file set read as one file, or an
/// archive converted to one.
pub trait Rereadable: Read + Seek {
    /// The place of a byte, for messages. In a set, it is in one of several files.
    fn place(&self, at: u64) -> Place {
        Place::byte(at)
    }
}

impl Rereadable for std::fs::File {}

impl Rereadable for File {}

impl<T: AsRef<[u8]>> Rereadable for std::io::Cursor<T> {}

/// Length of a source in bytes. Moves the position of the source.
///
/// # Errors
/// The source cannot seek.
pub fn length(source: &mut (impl Seek + ?Sized)) -> Result<u64> {
    source.seek(SeekFrom::End(0))
}

/// The place of a byte in the input.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    pub(super) at: u64,
    /// The file, if there are several.
    file: Option<String>,
}

impl Place {
    /// A byte of the only file.
    #[must_use]
    pub const fn byte(at: u64) -> Self {
        Self { at, file: None }
    }

    /// A byte of one of several files, which is shown as `file`.
    #[must_use]
    pub const fn byte_of(at: u64, file: String) -> Self {
        Self { at, file: Some(file) }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}", self.at)?;
        self.file.iter().try_for_each(|file| write!(f, " of {file}"))
    }
}

/// Trustworthiness of the data of an input. The caller has read and checked the input; the default is an input without
/// damage whose data no checksum has verified.
#[derive(Debug, Clone, Default)]
pub struct Trust {
    /// True for each data record that a checksum verified.
    pub verified: Vec<bool>,
    /// The checksum of each time slice, for each data record; `None` if the judgement did not keep them.
    pub slice_sums: Vec<Option<Vec<Sum>>>,
    /// The first error, if the input is damaged and is converted nevertheless.
    pub damage: Option<Damage>,
    /// The texts that record observables which data that a checksum verifies do not have: they are about another
    /// configuration, and are not copied.
    pub stale: StaleTexts,
}

/// Texts of the user that are about another configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StaleTexts {
    /// True for the text about the file.
    pub file: bool,
    /// Indices of the data records with such a text, counted from 0.
    pub records: Vec<usize>,
}

impl Trust {
    /// The mode for reading the input: damage that is permitted must not end the reading.
    #[must_use]
    pub const fn mode(&self) -> Mode {
        if self.damage.is_some() { Mode::Survey } else { Mode::Lenient }
    }
}

/// An error of an input that is used nevertheless.
#[derive(Debug, Clone)]
pub struct Damage {
    /// The rule that is broken.
    pub rule: &'static str,
    /// The absolute offset in bytes.
    pub offset: u64,
    /// Description of the error.
    pub message: String,
}

impl Damage {
    /// The note for texts of the output. It can be part of an XML comment, so it has no two hyphens in a row.
    #[must_use]
    pub fn note(&self) -> String {
        noted::note(self.rule, self.offset)
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {} [{}]", self.offset, self.message, self.rule)
    }
}
