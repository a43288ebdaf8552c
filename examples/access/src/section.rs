//! Sections of scda files: sizes, and the bytes of elements, decompressed if necessary.

use std::io;

use embedded_io::{Seek as _, SeekFrom};
use linkstream::io::Reader;
use linkstream::scda::{Count, Decoder, Event, INLINE_LEN, Section as Header, SectionType, Unpacker};
use linkstream::{Class, Decode, Mode};
use linkstream_memory as memory;

use crate::broken::Broken;
use crate::error::Error;
use crate::file::File;
use crate::source::Source;
use crate::source_reader::SourceReader;

/// Number of bytes read at a time.
const BUFFER: usize = 64 << 10;
/// Room for an element that is decompressed; longer ones are delivered in parts.
pub(crate) const ELEMENT: usize = 64 << 10;
/// Decompression makes at most so many bytes from one.
const MOST: u64 = 1032;

/// A reader of the events of one section.
pub(crate) type Events<'r, D> = Reader<SourceReader<'r, io::Error>, Vec<u8>, D>;

/// A section of an open file.
#[derive(Debug, Clone, Copy)]
pub struct Section<'f> {
    file: &'f File,
    header: &'f Header,
}

impl File {
    /// The section with this index, counted from 0.
    ///
    /// # Errors
    /// There is no such section.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use linkstream_access::File;
    ///
    /// # use linkstream::io::{FromStd, SectionWriter};
    /// # use linkstream::scda::Style;
    /// # let mut writer = SectionWriter::create(FromStd(Vec::new()), Style::Unix);
    /// # writer.write_header(b"an example", b"greetings")?;
    /// # writer.write_varray(b"words", ["hello", "there"])?;
    /// # let bytes = writer.finish()?.0;
    /// let file = File::open(Arc::new(bytes))?;
    /// let section = file.section(1)?;
    /// let mut text = vec![0; section.bytes()? as usize];
    /// section.read(&mut text)?;
    /// assert_eq!(text, b"hellothere");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn section(&self, index: usize) -> Result<Section<'_>, Error> {
        let sections = self.sections();
        let (number, count) = (index as u64, sections.len() as u64);
        let entry = sections.get(index).ok_or(Error::NoSuch { what: "section", index: number, count })?;
        Ok(Section { file: self, header: &entry.section })
    }
}

impl<'f> Section<'f> {
    /// Type, counts and offset.
    #[must_use]
    pub const fn header(&self) -> &'f Header {
        self.header
    }

    /// Number of elements, however large; 1 for a block and for inline data.
    #[must_use]
    pub const fn count(&self) -> Count {
        self.header.elements()
    }

    /// Number of elements; 1 for a block and for inline data.
    ///
    /// # Errors
    /// It has more than 64 bits.
    pub fn elements(&self) -> Result<u64, Error> {
        self.header.elements().to_u64().ok_or_else(|| self.large())
    }

    /// Size of each element in bytes; 0 if each has a size of its own.
    ///
    /// # Errors
    /// It has more than 64 bits.
    pub fn element_size(&self) -> Result<u64, Error> {
        match self.header.section_type {
            SectionType::Inline => Ok(INLINE_LEN as u64),
            _ => self.header.e.to_u64().ok_or_else(|| self.large()),
        }
    }

    /// Size of all elements in bytes. A claim that decompression of the whole file could not satisfy is refused.
    ///
    /// # Errors
    /// The sizes cannot be read, or are not possible.
    pub fn bytes(&self) -> Result<u64, Error> {
        let bytes = if self.header.section_type == SectionType::Varray {
            let mut sum = 0_u64;
            self.each_size(|size| {
                sum = sum.checked_add(size).ok_or_else(|| self.large())?;
                Ok(())
            })?;
            sum
        } else {
            let size = u128::from(self.element_size()?);
            let bytes = self.header.elements().get().checked_mul(size);
            bytes.and_then(|bytes| u64::try_from(bytes).ok()).ok_or_else(|| self.large())?
        };
        let length = self.source().length()?;
        if self.header.is_compressed() && bytes > length.saturating_mul(MOST) {
            let message =
                format!("the section claims {bytes} bytes, more than {length} compressed bytes can have");
            return Err(self.broken(message));
        }
        Ok(bytes)
    }

    /// True if a checksum verifies the elements: all compressed data have one.
    #[must_use]
    pub const fn has_checksum(&self) -> bool {
        self.header.is_compressed()
    }

    /// Passes the size of each element to `each`, in order.
    ///
    /// # Errors
    /// The sizes cannot be read, or an error of `each`.
    pub fn each_size(&self, mut each: impl FnMut(u64) -> Result<(), Error>) -> Result<(), Error> {
        if self.header.section_type != SectionType::Varray {
            let size = self.element_size()?;
            return (0..self.elements()?).try_for_each(|_| each(size));
        }
        let mut reader = self.events(self.decoder())?;
        let mut left = self.header.n;
        while left > Count::from(0) {
            each(self.next_size(&mut reader)?)?;
            left = Count::new(left.get().saturating_sub(1)).unwrap_or(Count::from(0));
        }
        Ok(())
    }

    /// Size of the next element of a variable array.
    pub(crate) fn next_size(&self, reader: &mut Events<'_, Decoder>) -> Result<u64, Error> {
        loop {
            match reader.next()? {
                Some(Event::Size(size)) => return Ok(size),
                Some(Event::Data | Event::Text | Event::End) | None => {
                    return Err(self.broken("the sizes of the section end too early"));
                }
                Some(_) => {}
            }
        }
    }

    /// Reads the bytes of all elements into memory of exactly this size.
    ///
    /// # Errors
    /// The memory has another size, or the data cannot be read or are damaged.
    pub fn read(&self, out: &mut [u8]) -> Result<(), Error> {
        let (expected, given) = (self.bytes()?, out.len() as u64);
        if expected != given {
            return Err(Error::Length { expected, given });
        }
        let mut rest = out;
        self.each_piece(&mut |piece| {
            let Some((now, others)) = std::mem::take(&mut rest).split_at_mut_checked(piece.len()) else {
                return Err(self.broken("the section has more bytes than its sizes say"));
            };
            now.copy_from_slice(piece);
            rest = others;
            Ok(true)
        })?;
        if rest.is_empty() {
            Ok(())
        } else {
            Err(self.broken("the section has fewer bytes than its sizes say"))
        }
    }

    /// Passes the bytes of all elements to `each`, in order, until it returns false.
    ///
    /// # Errors
    /// The data cannot be read or are damaged, or an error of `each`.
    pub fn each_piece(&self, each: &mut dyn FnMut(&[u8]) -> Result<bool, Error>) -> Result<(), Error> {
        if self.header.section_type == SectionType::Header {
            return Ok(());
        }
        let mut reader = self.events(Unpacker::new(self.decoder(), memory::zeroed(ELEMENT)?))?;
        loop {
            let piece = match reader.next()? {
                Some(Event::Data) => reader.bytes(),
                Some(Event::Element(_)) => reader.decoder().bytes(),
                Some(Event::End) => return Ok(()),
                None => return Err(self.broken("the section ends too early")),
                Some(_) => continue,
            };
            if !each(piece)? {
                return Ok(());
            }
        }
    }

    pub(crate) fn source(&self) -> &'f dyn Source<Error = io::Error> {
        self.file.source()
    }

    pub(crate) fn decoder(&self) -> Decoder {
        Decoder::at(self.header.offset, Mode::Lenient, true)
    }

    pub(crate) fn events<D: Decode>(&self, decoder: D) -> Result<Events<'f, D>, Error> {
        let mut source = SourceReader::new(self.source());
        source.seek(SeekFrom::Start(self.header.offset))?;
        Ok(Reader::new(source, vec![0; BUFFER], decoder))
    }

    pub(crate) fn large(&self) -> Error {
        self.broken("the section has more bytes than 64 bits can count")
    }

    pub(crate) fn broken(&self, message: impl Into<String>) -> Error {
        let (offset, class, rule, clause) = (self.header.offset, Class::Limit, "", "");
        Broken { file: None, offset, class, rule, clause, message: message.into() }.into()
    }
}
