//! The contents of an scda file, as far as they were found.

use linkstream::scda::{Section, SectionType};

use crate::left_out::LeftOut;
use crate::verdict::Coverage;

/// Everything about an scda file except its findings.
#[derive(Debug, Default)]
pub struct Contents {
    /// The vendor string, which names the program that wrote the file.
    pub vendor: Vec<u8>,
    /// At most [`MAX_ENTRIES`](crate::left_out::MAX_ENTRIES).
    pub sections: Vec<SectionEntry>,
    pub left_out: LeftOut,
}

impl Contents {
    /// Number of sections with data, and how many of them are verified: only compressed sections have a checksum.
    pub fn coverage(&self) -> Coverage {
        Coverage::of(self.sections.iter().filter_map(SectionEntry::is_verified)).and(self.left_out.coverage)
    }
}

/// A section. A compressed one, which is two raw sections in the file, is one entry.
#[derive(Debug)]
pub struct SectionEntry {
    /// Offset, type and counts; of a compressed section, before compression.
    pub section: Section,
    /// The user string; not necessarily text.
    pub user: Vec<u8>,
    /// Length of the data in bytes, before compression; `None` if not all element sizes could be read, or if it
    /// overflows.
    pub bytes: Option<u128>,
    /// `None` if the section is not compressed.
    pub compressed: Option<Box<Compressed>>,
}

impl SectionEntry {
    /// Returns whether a checksum verifies the data; `None` if the section has none.
    pub(crate) fn is_verified(&self) -> Option<bool> {
        match &self.compressed {
            _ if self.section.section_type == SectionType::Header => None,
            Some(compressed) => Some(compressed.verified),
            None if self.bytes == Some(0) => None,
            None => Some(false),
        }
    }
}

/// The data of a compressed section as they are in the file.
#[derive(Debug)]
pub struct Compressed {
    /// Offset of the second raw section, which has the data. The first has the sizes before compression.
    pub second: u64,
    /// Length of the texts in bytes; `None` if not all of their sizes could be read.
    pub bytes: Option<u64>,
    /// Every element was decompressed, and its checksum is OK.
    pub verified: bool,
}

/// The type as words.
pub const fn words(section_type: SectionType) -> &'static str {
    match section_type {
        SectionType::Header => "file header",
        SectionType::Inline => "inline",
        SectionType::Block => "block",
        SectionType::Array => "array",
        SectionType::Varray => "variable array",
    }
}

/// A string of a file as text. Bytes that are not UTF-8 become replacement characters.
pub fn text(string: &[u8]) -> String {
    String::from_utf8_lossy(string).into_owned()
}
