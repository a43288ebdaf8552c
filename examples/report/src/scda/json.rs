//! An scda file in JSON.

use linkstream::scda::SectionType;
use serde::ser::{Serialize, SerializeMap, SerializeSeq as _, Serializer};
use serde_json::{Map, Value};

use super::contents::{Contents, Half, SectionEntry, text};
use crate::json::{count, hex};

/// Writes the entries of the line that only this format has.
pub fn entries<M: SerializeMap>(contents: &Contents, line: &mut M) -> Result<(), M::Error> {
    line.serialize_entry("sections", &Sections(contents))
}

/// The sections, converted to JSON one at a time, because a file can have millions.
struct Sections<'a>(&'a Contents);

impl Serialize for Sections<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let sections = &self.0.sections;
        let mut list = serializer.serialize_seq(Some(sections.len()))?;
        for entry in sections {
            list.serialize_element(&section(entry, &self.0.vendor))?;
        }
        list.end()
    }
}

fn section(entry: &SectionEntry, vendor: &[u8]) -> Value {
    let section = &entry.section;
    let section_type = section.section_type;
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    put("offset", count(section.offset));
    put("type", char::from(section_type.letter()).to_string().into());
    put("user", text(&entry.user).into());
    put("user_hex", hex(&entry.user).into());
    if section_type == SectionType::Header {
        put("vendor", text(vendor).into());
        put("vendor_hex", hex(vendor).into());
    }
    if matches!(section_type, SectionType::Array | SectionType::Varray) {
        put("n", count(section.n.get()));
    }
    if matches!(section_type, SectionType::Block | SectionType::Array) {
        put("e", count(section.e.get()));
    }
    // Null if not all element sizes could be read.
    put("bytes", entry.bytes.map_or(Value::Null, count));
    match &entry.half {
        None => {}
        Some(Half::Header) => {
            put("convention", "header".into());
        }
        Some(Half::Data(compressed)) => {
            put("convention", "data".into());
            put("uncompressed_type", char::from(compressed.section_type.letter()).to_string().into());
            if matches!(compressed.section_type, SectionType::Block | SectionType::Array) {
                put("uncompressed_e", count(compressed.e.get()));
            }
            put("uncompressed_bytes", compressed.bytes.map_or(Value::Null, count));
            put("verified", compressed.verified.into());
        }
    }
    Value::Object(object)
}
