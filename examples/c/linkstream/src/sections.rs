//! Sections of scda files.

use std::io;

use embedded_io::{Seek as _, SeekFrom};
use linkstream::io::Reader;
use linkstream::scda::logical::{Decoder, Event, Section, Unpacker};
use linkstream::scda::{Count, INLINE_LEN, SectionType};
use linkstream::{Decode, Mode};
use linkstream_access::SourceReader;

use crate::answer::{Answer, BROKEN, OK, REFUSED, Refused, UNVERIFIED};
use crate::opened::{Opened, item};
use crate::structures::{SectionInfo, text};

/// Number of bytes read at a time.
const BUFFER: usize = 64 << 10;
/// Room for an element that is decompressed; longer ones are delivered in parts.
const ELEMENT: usize = 64 << 10;
/// Decompression makes at most so many bytes from one.
const MOST: u64 = 1032;

/// A reader of the events of one section.
type Events<'r, D> = Reader<SourceReader<'r, io::Error>, Vec<u8>, D>;

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

fn large() -> Refused {
    Refused::new(REFUSED, "the section has more bytes than 64 bits can count")
}

/// Size of each element; 0 in a variable array.
fn element_size(section: &Section) -> Option<u64> {
    match section.section_type {
        SectionType::Inline => Some(INLINE_LEN as u64),
        _ => section.e.to_u64(),
    }
}

impl Opened {
    fn decoder(section: &Section) -> Decoder {
        Decoder::at(section.offset, Mode::Lenient, true)
    }

    fn events<D: Decode>(&self, section: &Section, decoder: D) -> Result<Events<'_, D>, Refused> {
        let mut source = SourceReader::new(self.file.source());
        source.seek(SeekFrom::Start(section.offset))?;
        Ok(Reader::new(source, vec![0; BUFFER], decoder))
    }

    /// The section with this index.
    ///
    /// # Errors
    /// There is none, or its sizes cannot be read.
    pub fn section(&self, index: u64) -> Result<SectionInfo, Refused> {
        let entry = item(self.file.sections(), index, "section")?;
        let section = &entry.section;
        Ok(SectionInfo {
            struct_size: 0,
            offset: section.offset,
            elements: section.elements().to_u64().unwrap_or(u64::MAX),
            element_size: element_size(section).ok_or_else(large)?,
            bytes: self.bytes_of(section)?,
            section_type: letter(section.section_type).into(),
            is_compressed: section.is_compressed().into(),
            // At most 58.
            user_length: entry.user.len() as u32,
            user: text(&entry.user),
        })
    }

    /// Size of all elements. A claim that decompression of the whole file could not satisfy is refused.
    fn bytes_of(&self, section: &Section) -> Result<u64, Refused> {
        let bytes = if section.section_type == SectionType::Varray {
            let mut sum = 0_u64;
            self.each_size(section, |size| {
                sum = sum.checked_add(size).ok_or_else(large)?;
                Ok(())
            })?;
            sum
        } else {
            let elements =
                section.elements().get().checked_mul(u128::from(element_size(section).ok_or_else(large)?));
            elements.and_then(|bytes| u64::try_from(bytes).ok()).ok_or_else(large)?
        };
        let length = self.file.source().length()?;
        if section.is_compressed() && bytes > length.saturating_mul(MOST) {
            let message =
                format!("the section claims {bytes} bytes, more than {length} compressed bytes can have");
            let mut refused = Refused::new(BROKEN, message);
            refused.failure.offset = Some(section.offset);
            return Err(refused);
        }
        Ok(bytes)
    }

    /// Passes the size of each element of a variable array to `each`.
    fn each_size(
        &self,
        section: &Section,
        mut each: impl FnMut(u64) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        let mut reader = self.events(section, Self::decoder(section))?;
        let mut left = section.n;
        while left > Count::from(0) {
            match reader.next()? {
                Some(Event::Size(size)) => {
                    each(size)?;
                    left = Count::new(left.get() - 1).unwrap_or(Count::from(0));
                }
                Some(Event::Data | Event::Text | Event::End) | None => {
                    return Err(Refused::new(BROKEN, "the sizes of the section end too early"));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Reads the sizes of the elements of a variable array.
    ///
    /// # Errors
    /// There is none, the number of elements is another one, or the sizes cannot be read.
    pub fn read_sizes(&self, index: u64, out: &mut [u64]) -> Result<(), Refused> {
        let section = &item(self.file.sections(), index, "section")?.section;
        if section.section_type != SectionType::Varray {
            return Err(Refused::usage(format!("section {index} is no array of elements of variable size")));
        }
        if section.n != Count::from(out.len() as u64) {
            let (expected, given) = (section.n.get(), out.len());
            return Err(Refused::new(
                crate::answer::SIZE,
                format!("the section has {expected} elements, but there are places for {given}"),
            ));
        }
        let mut places = out.iter_mut();
        self.each_size(section, |size| {
            // There are as many as elements.
            places.next().into_iter().for_each(|place| *place = size);
            Ok(())
        })
    }

    /// Reads the bytes of all elements, decompressed if necessary.
    ///
    /// # Errors
    /// There is no such section, the memory has another size, or the data cannot be read or are damaged.
    pub fn read_section(&self, index: u64, out: &mut [u8]) -> Answer {
        let section = &item(self.file.sections(), index, "section")?.section;
        let expected = self.bytes_of(section)?;
        if expected != out.len() as u64 {
            return Err(Refused::size(expected, out.len() as u64));
        }
        if section.section_type == SectionType::Header {
            return Ok(UNVERIFIED);
        }
        let decoder = Unpacker::new(Self::decoder(section), vec![0; ELEMENT]);
        let mut reader = self.events(section, decoder)?;
        let mut rest = out;
        loop {
            let piece = match reader.next()? {
                Some(Event::Data) => reader.bytes(),
                Some(Event::Element(_)) => reader.decoder().bytes(),
                Some(Event::End) => break,
                None => return Err(Refused::new(BROKEN, "the section ends too early")),
                Some(_) => continue,
            };
            let Some((now, others)) = rest.split_at_mut_checked(piece.len()) else {
                return Err(Refused::new(BROKEN, "the section has more bytes than its sizes say"));
            };
            now.copy_from_slice(piece);
            rest = others;
        }
        if !rest.is_empty() {
            return Err(Refused::new(BROKEN, "the section has fewer bytes than its sizes say"));
        }
        Ok(if section.is_compressed() { OK } else { UNVERIFIED })
    }
}
