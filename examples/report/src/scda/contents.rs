//! What was found in an scda file.

use linkstream::scda::{Count, Section, SectionType};

use crate::verdict::Coverage;

/// Everything about an scda file but what is wrong with it.
#[derive(Debug, Default)]
pub struct Contents {
    /// Names the program that wrote it.
    pub vendor: Vec<u8>,
    pub sections: Vec<SectionEntry>,
}

impl Contents {
    /// How many sections hold data, and how many are verified: compressed ones have a checksum, the others none.
    pub fn coverage(&self) -> Coverage {
        let sections = self.sections.iter().filter(|entry| entry.section.section_type != SectionType::Header);
        Coverage::of(sections.filter_map(|entry| match &entry.half {
            None if entry.bytes == Some(0) => None,
            None => Some(false),
            Some(Half::Header) => None,
            Some(Half::Data(compressed)) => Some(compressed.verified),
        }))
    }
}

/// A section as stored in the file.
#[derive(Debug)]
pub struct SectionEntry {
    pub section: Section,
    /// The user string; not necessarily text.
    pub user: Vec<u8>,
    /// Bytes of data; `None`: not all of the element sizes that make them up are there.
    pub bytes: Option<u64>,
    /// `None`: a section for itself.
    pub half: Option<Half>,
}

/// What a section is to a compressed one.
#[derive(Debug)]
pub enum Half {
    /// The first: it holds sizes before compression.
    Header,
    /// The second: it holds compressed elements.
    Data(Box<Compressed>),
}

/// What was compressed.
#[derive(Debug)]
pub struct Compressed {
    /// The type it had.
    pub section_type: SectionType,
    /// Bytes of the block, or of each element of an array.
    pub e: Count,
    /// All of its bytes; `None`: more than anything can have.
    pub bytes: Option<u128>,
    /// Every element was unpacked, and its checksum is right.
    pub verified: bool,
}

/// The type in words.
pub const fn words(section_type: SectionType) -> &'static str {
    match section_type {
        SectionType::Header => "file header",
        SectionType::Inline => "inline",
        SectionType::Block => "block",
        SectionType::Array => "array",
        SectionType::Varray => "variable array",
    }
}

/// A string of a file as text; what is not is shown by its replacement character.
pub fn text(string: &[u8]) -> String {
    String::from_utf8_lossy(string).into_owned()
}
