//! The reader of scda sections.

use embedded_io::{Read, Seek};

use super::sections::{SectionState, Sections, Sought};
use crate::bytes::prefix_mut;
use crate::counter::Counter as _;
use crate::error::{Error, Misuse, Mode};
use crate::io::buffer::Buffer;
use crate::io::error::ReadError;
use crate::io::format_reader::FormatReader;
#[cfg(feature = "inflate")]
use crate::scda::Unpacker;
use crate::scda::{COUNT_LEN, Count, Decoder, ErrorKind, Letter, Section, SectionType};

/// Reads the sections of an scda file one after the other, and their data by elements or as bytes. Data that are not
/// read are skipped. The first section is the file header. The source is any [`embedded_io::Read`].
///
/// [`new`](Self::new) reads the sections as they are stored: a compressed section appears as two.
/// `unpacking` (feature `inflate`) decompresses: it reads such a pair as the one section that was compressed. After
/// a call that was interrupted by a failure of the source, reading continues with [`resume`](FormatReader::resume): the
/// next call of [`element`](FormatReader::element) reads the rest of an element that was interrupted.
///
/// The sizes of a variable array come before its data. There are three ways to read one: provide a table for the
/// sizes ([`with_table`](Self::with_table)) and read by [`element`](Self::element); read the [`sizes`](Self::sizes)
/// and then the bytes ([`read_exact`](Self::read_exact)); or, if the source can seek, use
/// [`element_seeking`](Self::element_seeking). A compressed variable array needs no table for `element` if it is
/// read with `unpacking`.
///
/// ```
/// use linkstream::io::SectionReader;
/// use linkstream::scda::SectionType;
/// # use linkstream::io::SectionWriter;
/// # let mut file = [0; 448];
/// # let mut writer = SectionWriter::create(&mut file[..], linkstream::scda::Style::Unix);
/// # writer.write_header(b"libsc", b"demo")?;
/// # writer.write_inline(b"note", b"thirty-two bytes of data, exact\n")?;
/// # writer.begin_varray(b"words", 3, [3, 0, 5])?;
/// # writer.put(b"onethree")?;
/// # writer.end()?;
/// # writer.finish()?;
///
/// let (mut buffer, mut table, mut out) = ([0; 64], [0; 10], [0; 32]);
/// let mut sections = SectionReader::new(&file[..], &mut buffer).with_table(&mut table);
/// let mut words = Vec::new();
/// while let Some(section) = sections.next_section()? {
///     if section.section_type == SectionType::Varray && sections.user() == b"words" {
///         while let Some(word) = sections.element(&mut out)? {
///             words.push(word.to_vec());
///         }
///     }
/// }
/// assert_eq!(words, [&b"one"[..], b"", b"three"]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// The decoder of a reader [`with_decoder`](FormatReader::with_decoder) is a [`Decoder`], an `Unpacker`, or a mutable
/// reference to one.
pub type SectionReader<'t, R, B, D = Decoder> = FormatReader<R, B, D, SectionState<'t, D>>;

impl<R, B: Buffer> SectionReader<'_, R, B> {
    /// A reader of the sections as they are stored, from the first byte of a file, in [`Mode::Strict`]. The buffer must not be empty.
    /// [`Mode::Lenient`] accepts everything that the specification allows a reader to accept.
    pub const fn new(source: R, buffer: B) -> Self {
        Self::with_decoder(source, buffer, Decoder::new(Mode::Strict, false))
    }
}

#[cfg(feature = "inflate")]
impl<R, B: Buffer, E: Buffer> SectionReader<'_, R, B, Unpacker<E>> {
    /// A reader that decompresses, in [`Mode::Strict`]. The buffer `elements` must hold the longest decompressed
    /// element, or at least 32 KiB if elements are longer.
    ///
    /// ```
    /// use linkstream::Encode;
    /// use linkstream::io::{SectionReader, SectionWriter};
    /// use linkstream::scda::{Style, stored_length};
    ///
    /// let mut file = [0; 1024];
    /// let mut writer = SectionWriter::create(&mut file[..], Style::Unix);
    /// writer.write_header(b"my program", b"an example")?;
    /// writer.begin_compressed_block(b"text", 5.into(), stored_length(5).ok_or("too long")?)?;
    /// writer.put_stored(b"hello")?;
    /// writer.end()?;
    /// let length = writer.encoder().position() as usize;
    ///
    /// let (mut buffer, mut elements, mut out) = ([0; 64], [0; 64], [0; 64]);
    /// let mut sections = SectionReader::unpacking(&file[..length], &mut buffer, &mut elements);
    /// while sections.next_section()?.is_some() && sections.user() != b"text" {}
    /// assert_eq!(sections.element(&mut out)?.as_deref(), Some(&b"hello"[..]));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn unpacking(source: R, buffer: B, elements: E) -> Self {
        let decoder = Decoder::new(Mode::Strict, true);
        Self::with_decoder(source, buffer, Unpacker::new(decoder, elements))
    }
}

impl<'t, R, B: Buffer, D: Sections> SectionReader<'t, R, B, D> {
    /// Sets a table for the sizes of the elements of a variable array: one `u64` for each element of the longest
    /// array. Sizes that were read before are not in it: the current section can then only be read by bytes.
    #[must_use]
    pub fn with_table(mut self, table: &'t mut [u64]) -> Self {
        self.progress.state.lend_table(table);
        self
    }

    /// The current section, or the last one.
    pub fn section(&self) -> &Section {
        self.decoder().sections().section()
    }

    /// The user string of the current section. It may contain any bytes.
    pub fn user(&self) -> &[u8] {
        self.decoder().sections().user()
    }

    /// The vendor string of the file. It may contain any bytes.
    pub fn vendor(&self) -> &[u8] {
        self.decoder().sections().vendor()
    }
}

impl<R: Read, B: Buffer, D: Sections> SectionReader<'_, R, B, D> {
    /// Goes to the next section; `None` at the end of the file. The unread rest of the current one is read and
    /// discarded.
    ///
    /// # Errors
    /// The source failed, or the file is invalid.
    pub fn next_section(&mut self) -> Result<Option<Section>, ReadError<R::Error, ErrorKind>> {
        self.reader.run(|frame| self.progress.next(frame))
    }

    /// Reads the next element into the front of `out` and returns that part of `out`; `None` after the last one. A
    /// block or an inline section is one element; an array whose elements have 0 bytes has none.
    ///
    /// # Errors
    /// The source failed, or the file is invalid; [`ReadError::TooSmall`] if `out` does not hold the element:
    /// repeat the call with more room; or if the table does not hold all sizes, which are then still unread: repeat
    /// the call after [`with_table`](Self::with_table); [`ReadError::Limit`] if what is missing is also above the
    /// limit; [`ReadError::NotOpen`] if no section is open, it was skipped or read by bytes, or sizes were read
    /// without a table that holds them; [`ReadError::Interrupted`].
    pub fn element<'o>(
        &mut self,
        out: &'o mut [u8],
    ) -> Result<Option<&'o mut [u8]>, ReadError<R::Error, ErrorKind>> {
        self.progress.delivery.begin()?;
        let size = self.reader.run_into(out, |frame, target| self.progress.element(frame, target))?;
        Ok(size.map(|size| prefix_mut(out, size)))
    }

    /// Reads the next sizes of the elements of a variable array (in bytes) into the front of `out` and returns their
    /// number; 0 after the last one, and in other sections. Must be called before data are read.
    ///
    /// # Errors
    /// The source failed, or the file is invalid; [`ReadError::NotOpen`] if no section is open, or its data were
    /// read or skipped, or are decompressed; [`ReadError::Interrupted`].
    pub fn sizes(&mut self, out: &mut [u64]) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        self.progress.delivery.begin()?;
        self.reader.run(|frame| self.progress.sizes(frame, out))
    }

    /// Reads the next bytes of data into the front of `out`, across elements, and returns their number; 0 after the
    /// last one.
    ///
    /// # Errors
    /// The source failed, or the file is invalid; [`ReadError::NotOpen`] if no section is open, or it was skipped or
    /// read by element; [`ReadError::Interrupted`].
    pub fn read(&mut self, out: &mut [u8]) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        self.progress.delivery.begin()?;
        self.reader.run_into(out, |frame, target| self.progress.bytes(frame, target))
    }

    /// Fills `out` with the next bytes of data.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn core::error::Error>> {
    /// use linkstream::io::SectionReader;
    /// # use linkstream_example::Disk;
    /// # let mut file = vec![0; 544];
    /// # let mut writer = linkstream::io::SectionWriter::create(&mut file[..], linkstream::scda::Style::Unix);
    /// # writer.write_header(b"my program", b"an example")?;
    /// # writer.write_array(b"ids", 3, b"abcdef")?;
    /// # writer.write_varray(b"words", [&b"one"[..], b"", b"three"])?;
    /// # let disk = Disk::default();
    /// # disk.bytes.borrow_mut().extend_from_slice(&file);
    ///
    /// // The sizes of a variable array, then its bytes.
    /// let (mut buffer, mut sizes, mut bytes) = ([0; 64], [0; 3], [0; 8]);
    /// let mut sections = SectionReader::new(disk, &mut buffer);
    /// while sections.next_section()?.is_some() && sections.user() != b"words" {}
    /// assert_eq!((sections.sizes(&mut sizes)?, sizes), (3, [3, 0, 5]));
    /// sections.read_exact(&mut bytes)?;
    /// assert_eq!(&bytes, b"onethree");
    /// # Ok(())
    /// # }
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
    /// ```
    ///
    /// # Errors
    /// The errors of [`read`](Self::read); [`ReadError::TooFew`] if fewer bytes are left in the section. None of them
    /// is read then, unless they are decompressed: their number is known only at the end. In that case they are in
    /// `out`, and the call counts as interrupted.
    pub fn read_exact(&mut self, out: &mut [u8]) -> Result<(), ReadError<R::Error, ErrorKind>> {
        self.progress.delivery.begin()?;
        let mut is_new = true;
        self.reader.run_into(out, |frame, target| self.progress.exact(frame, target, &mut is_new))
    }
}

impl<R: Read + Seek, B: Buffer, D: Sections> SectionReader<'_, R, B, D> {
    /// Skips the data of the current section by seeking. If the file ends inside the data,
    /// [`next_section`](Self::next_section) reports it.
    ///
    /// # Errors
    /// The source failed, or the file is invalid.
    pub fn skip_seeking(&mut self) -> Result<(), ReadError<R::Error, ErrorKind>> {
        self.reader.run(|frame| self.progress.pass_sizes(frame))?;
        self.progress.close(&mut self.reader.frame);
        self.reader.skip_seeking()
    }
}

impl<R: Read + Seek, B: Buffer, D: Sections> SectionReader<'_, R, B, D> {
    /// Reads element `index`, counted from 0, of a section that is not compressed into the front of `out` and returns
    /// that part of `out`. The position of the other calls does not change. To find an element of a variable array, the
    /// sizes of all elements before it are read; after an earlier call for a lower index, only the sizes from that
    /// index on.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn core::error::Error>> {
    /// use linkstream::io::SectionReader;
    /// # use linkstream_example::Disk;
    /// # let mut file = vec![0; 544];
    /// # let mut writer = linkstream::io::SectionWriter::create(&mut file[..], linkstream::scda::Style::Unix);
    /// # writer.write_header(b"my program", b"an example")?;
    /// # writer.write_array(b"ids", 3, b"abcdef")?;
    /// # writer.write_varray(b"words", [&b"one"[..], b"", b"three"])?;
    /// # let disk = Disk::default();
    /// # disk.bytes.borrow_mut().extend_from_slice(&file);
    ///
    /// let (mut buffer, mut out) = ([0; 64], [0; 8]);
    /// let mut sections = SectionReader::new(disk, &mut buffer);
    /// while sections.next_section()?.is_some() && sections.user() != b"words" {}
    /// assert_eq!(sections.element_seeking(2, &mut out)?, b"three");
    /// assert_eq!(sections.element_seeking(0, &mut out)?, b"one");
    /// # Ok(())
    /// # }
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
    /// ```
    ///
    /// # Errors
    /// The source failed or ends too early, or the file is invalid; [`Misuse::Outside`] if there is no such element;
    /// [`ReadError::TooSmall`], [`ReadError::Limit`]; [`ReadError::NotOpen`] if no section is open or its data are
    /// compressed.
    pub fn element_seeking<'o>(
        &mut self,
        index: u64,
        out: &'o mut [u8],
    ) -> Result<&'o mut [u8], ReadError<R::Error, ErrorKind>> {
        let section = *self.section();
        if !self.progress.state.is_open() || section.is_compressed() {
            return Err(ReadError::NotOpen);
        }
        let outside = || ReadError::from(Error::new(section.offset, Misuse::Outside.into()));
        let start = section.data_offset().ok_or_else(outside)?;
        let (offset, size) = match section.section_type {
            SectionType::Array if Count::from(index) < section.n => {
                let size = section.e.to_u64().ok_or_else(outside)?;
                (index.checked_mul(size).ok_or_else(outside)?, size)
            }
            SectionType::Varray if Count::from(index) < section.n => self.seek_sizes(&section, index)?,
            SectionType::Inline | SectionType::Block if index == 0 => {
                (0, section.data_length().ok_or_else(outside)?)
            }
            _ => return Err(outside()),
        };
        let room = usize::try_from(size).ok().and_then(|size| out.get_mut(..size));
        let element = room.ok_or_else(|| self.progress.too_small(size, 1))?;
        let at = start.saturating_add(offset);
        let there = self.reader.read_at(at, element)? as u64;
        if there < size {
            let kind = ErrorKind::DataTruncated { missing: size.minus(there) };
            return Err(Error::new(at.saturating_add(there), kind).into());
        }
        Ok(element)
    }

    /// Offset of an element of a variable array within the data, and its size.
    fn seek_sizes(
        &mut self,
        section: &Section,
        index: u64,
    ) -> Result<(u64, u64), ReadError<R::Error, ErrorKind>> {
        // From the last element that was found, unless the section is another one or the element is further back.
        let Sought { index: first, mut offset, .. } = Some(self.progress.state.sought)
            .filter(|sought| sought.section == section.offset && sought.index <= index)
            .unwrap_or_default();
        let lines = section.offset.plus(section.section_type.head_length());
        let (mut element, mut at) = (first, lines.plus(first.times(COUNT_LEN as u64)));
        loop {
            let mut line = [0; COUNT_LEN];
            let there = self.reader.read_at(at, &mut line)?;
            if there < COUNT_LEN {
                let missing = index.minus(element).plus(1);
                return Err(Error::new(at.plus(there as u64), ErrorKind::SizesTruncated { missing }).into());
            }
            let size = section.size_in(&line, Letter::E, at)?;
            let end = offset.checked_add(size).filter(|end| section.next_offset(*end).is_some());
            let Some(end) = end else {
                return Err(Error::new(at, ErrorKind::TooLong { count: size.into() }).into());
            };
            if element == index {
                self.progress.state.sought = Sought { section: section.offset, index, offset };
                return Ok((offset, end.minus(offset)));
            }
            (element, offset, at) = (element.plus(1), end, at.plus(COUNT_LEN as u64));
        }
    }
}
