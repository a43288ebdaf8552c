//! Sections of scda files.

use linkstream::scda::SectionType;
use linkstream_access::Section;

use crate::answer::{Answer, OK, Refused, SIZE, UNVERIFIED};
use crate::opened::{Opened, item};
use crate::structures::{SectionInfo, text};

/// The letter of a type.
const fn letter(section_type: SectionType) -> u8 {
    match section_type {
        SectionType::Header => b'F',
        SectionType::Inline => b'I',
        SectionType::Block => b'B',
        SectionType::Array => b'A',
        SectionType::Varray => b'V',
    }
}

impl Opened {
    fn of_file(&self, index: u64) -> Result<Section<'_>, Refused> {
        item(self.file.sections(), index, "section")?;
        // The index exists.
        Ok(self.file.section(index as usize)?)
    }

    /// The section with this index.
    ///
    /// # Errors
    /// There is none, or its sizes cannot be read.
    pub fn section(&self, index: u64) -> Result<SectionInfo, Refused> {
        let section = self.of_file(index)?;
        let (header, user) = (section.header(), &item(self.file.sections(), index, "section")?.user);
        Ok(SectionInfo {
            struct_size: 0,
            offset: header.offset,
            elements: header.elements().to_u64().unwrap_or(u64::MAX),
            element_size: section.element_size()?,
            bytes: section.bytes()?,
            section_type: letter(header.section_type).into(),
            is_compressed: header.is_compressed().into(),
            // At most 58.
            user_length: user.len() as u32,
            user: text(user),
        })
    }

    /// Reads the sizes of the elements of a variable array.
    ///
    /// # Errors
    /// There is none, the number of elements is another one, or the sizes cannot be read.
    pub fn read_sizes(&self, index: u64, out: &mut [u64]) -> Result<(), Refused> {
        let section = self.of_file(index)?;
        if section.header().section_type != SectionType::Varray {
            return Err(Refused::usage(format!(
                "section {index} is not an array of elements of variable size"
            )));
        }
        let (expected, given) = (section.elements()?, out.len());
        if expected != given as u64 {
            let message = format!("the section has {expected} elements, but there are places for {given}");
            return Err(Refused::new(SIZE, message));
        }
        let mut places = out.iter_mut();
        section.each_size(|size| {
            // There are as many as elements.
            places.next().into_iter().for_each(|place| *place = size);
            Ok(())
        })?;
        Ok(())
    }

    /// Reads the bytes of all elements, decompressed if necessary.
    ///
    /// # Errors
    /// There is no such section, the memory has another size, or the data cannot be read or are damaged.
    pub fn read_section(&self, index: u64, out: &mut [u8]) -> Answer {
        let section = self.of_file(index)?;
        section.read(out)?;
        Ok(if section.has_checksum() { OK } else { UNVERIFIED })
    }
}
