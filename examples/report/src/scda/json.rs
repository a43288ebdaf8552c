//! An scda file in JSON.

use linkstream::scda::SectionType;
use serde::ser::SerializeMap;

use super::contents::{Compressed, Contents, SectionEntry, text};
use crate::json::{Entries, Object, count, each, hex, left_out};

/// Writes the entries of the line that only this format has.
pub fn entries<M: SerializeMap>(contents: &Contents, line: &mut M) -> Result<(), M::Error> {
    let vendor = &contents.vendor;
    line.serialize_entry("sections", &each(&contents.sections, |entry| Object(Section { entry, vendor })))?;
    left_out(line, "sections_left_out", contents.left_out.count)
}

/// An entry of `sections`.
#[derive(Debug)]
pub(crate) struct Section<'a> {
    pub entry: &'a SectionEntry,
    /// Vendor string of the file.
    pub vendor: &'a [u8],
}

impl Entries for Section<'_> {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let entry = self.entry;
        let section = &entry.section;
        let section_type = section.section_type;
        object.serialize_entry("offset", &count(section.offset))?;
        object.serialize_entry("type", &char::from(section_type.letter()))?;
        object.serialize_entry("user", &text(&entry.user))?;
        object.serialize_entry("user_hex", &hex(&entry.user))?;
        if section_type == SectionType::Header {
            object.serialize_entry("vendor", &text(self.vendor))?;
            object.serialize_entry("vendor_hex", &hex(self.vendor))?;
        }
        if matches!(section_type, SectionType::Array | SectionType::Varray) {
            object.serialize_entry("n", &count(section.n.get()))?;
        }
        if matches!(section_type, SectionType::Block | SectionType::Array) {
            object.serialize_entry("e", &count(section.e.get()))?;
        }
        object.serialize_entry("bytes", &entry.bytes.map(count))?;
        match &entry.compressed {
            None => Ok(()),
            Some(compressed) => object.serialize_entry("compressed", &Object(&**compressed)),
        }
    }
}

impl Entries for Compressed {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("bytes", &self.bytes.map(count))?;
        object.serialize_entry("verified", &self.verified)
    }
}
