//! Reading by several processes: the state that all of them share.

use linkstream::scda::{COUNT_LEN, Count, Decoder, ErrorKind, Event, Section, SectionType};
use linkstream::{Decode as _, Error, Misuse, Mode};

use super::extent::Window;
use super::partition::{ElementPart, PartitionError};
use super::size_lines::SizeLines;

/// Largest length of the padding after data, in bytes (scda 2.1.2).
const PADDING: usize = 38;
/// Bytes that hold every header: an inline section that announces a compressed one, and the longest head after it.
const HEADS: usize = 96 + 128;

/// Result of [`PartDecoder::header`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartHeader {
    /// The header of a section is complete. Of a compressed section, this includes both halves.
    Section(Section),
    /// The header continues elsewhere: the section is a compressed variable array, and its second half begins after
    /// the sizes before compression. Read the next [`header_window`](PartDecoder::header_window).
    More,
    /// A broken rule that the mode accepts. Read the next [`header_window`](PartDecoder::header_window).
    Finding(Error<ErrorKind>),
    /// The file ends here, after a complete section.
    End,
}

/// Reads an scda file on several processes. Each reads only its own elements. It is the counterpart of
/// [`PartEncoder`](super::PartEncoder).
///
/// The decoder is the state that all processes share. They make the same calls with the same arguments, and get the
/// same results, errors included. For each section:
///
/// 1. One process reads the [`header_window`](Self::header_window), at most [`HEADER_LEN`](Self::HEADER_LEN) bytes, and
///    broadcasts them. All processes pass them to [`header`](Self::header). The window begins with the last byte and
///    the padding of the previous section, so the padding is checked even if no process reads the data.
/// 2. In a variable array or a compressed array, each process reads the size lines of its own elements
///    ([`sizes`](Self::sizes)). An exclusive scan of their sums yields its
///    [`DataPart`](super::DataPart).
/// 3. All processes call [`data`](Self::data) with the number of bytes in the section, which reports truncation.
/// 4. Each process reads its own data, at the window that a [`RankExtent`](super::RankExtent) of
///    [`Section::stored`] computes. The data of a compressed section are texts for [`ElementUnpacker`](linkstream::scda::ElementUnpacker).
///
/// Steps 3 and 4 may be left out, except that step 3 is required after the sizes of a variable array: the offset of the
/// next section follows from it. No process reads the size lines of another one.
///
/// Errors in size lines and in elements are seen only by the process that reads them. The program must agree on them:
/// the error with the least offset is the one that a serial [`Decoder`] reports. The serial decoder reads everything in
/// the order of the file. This leaves four differences:
///
/// * Sizes whose sum is too large: see [`data`](Self::data).
/// * Damage in the sizes before compression of a variable array is noticed after damage in the header of its second
///   half, if a program reads both headers first.
/// * Two lists of sizes that differ are reported for the first element that differs, instead of once for the section;
///   rule and offset are the same.
/// * A text whose end contradicts its size: an `ElementUnpacker` has one text and reports its fault; an `Unpacker` has
///   all texts, and finds the end of each in its compressed stream.
///
/// ```
/// use linkstream::Mode;
/// use linkstream_parallel::scda::parts::{DataPart, ElementPart, PartDecoder, PartHeader, RankExtent, Window};
///
/// let file = b"\
/// scdata0 libsc -----------------\n\
/// F demo -------------------------\
/// -------------------------------\n\
/// \n=============================\n\n\
/// V words ------------------------\
/// -------------------------------\n\
/// N 3 ---------------------------\n\
/// E 3 ---------------------------\n\
/// E 0 ---------------------------\n\
/// E 5 ---------------------------\n\
/// onethree\n=====================\n\n";
/// # let read = |window: Window| &file[window.offset() as usize..window.end() as usize];
///
/// // Process 1 of two has the last two elements.
/// let mut decoder = PartDecoder::new(Mode::Strict, true, file.len() as u64);
/// while let header = decoder.header(read(decoder.header_window()))? {
///     let PartHeader::Section(section) = header else { break };
///     if section.offset == 0 { continue } // the file header
///     let own = ElementPart::of(1, [1, 2], section.n)?;
///     let mut lines = decoder.sizes(&own)?;
///     for line in read(decoder.present(lines.window())).as_chunks().0 {
///         lines.size(line)?;
///     }
///     let data = DataPart::of(1, [3, lines.sum()])?; // an exclusive scan and a sum
///     decoder.data(data.total())?;
///     let extent = RankExtent::varray(1, &section.stored(), &own, &data)?;
///     assert_eq!(read(extent.data()), b"three");
/// }
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct PartDecoder {
    sections: Decoder,
    file_length: u64,
    /// Number of bytes in the data of the current variable array, after [`data`](Self::data).
    total: Option<u64>,
}

impl PartDecoder {
    /// Largest length of a [`header_window`](Self::header_window) in bytes.
    pub const HEADER_LEN: usize = COUNT_LEN + PADDING + HEADS;

    /// A decoder for a file of `file_length` bytes from its first byte. Without `decode`, a compressed section is
    /// reported as its two raw sections.
    #[must_use]
    pub const fn new(mode: Mode, decode: bool, file_length: u64) -> Self {
        Self { sections: Decoder::new(mode, decode), file_length, total: None }
    }

    /// Sets whether compressed sections that begin after this call are reported as one section.
    pub const fn set_decode(&mut self, decode: bool) {
        self.sections.set_decode(decode);
    }

    /// The current section; between two sections, the previous one. After [`PartHeader::More`], its `raw` is the first
    /// half.
    #[must_use]
    pub const fn section(&self) -> &Section {
        self.sections.section()
    }

    /// The user string of the current section. It may contain any bytes.
    #[must_use]
    pub fn user(&self) -> &[u8] {
        self.sections.user()
    }

    /// The vendor string of the file. It may contain any bytes.
    #[must_use]
    pub fn vendor(&self) -> &[u8] {
        self.sections.vendor()
    }

    /// True if the sizes of the elements of a variable array come next.
    fn is_before_sizes(&self) -> bool {
        let raw = self.section().stored();
        let is_varray = raw.section_type == SectionType::Varray && raw.n > Count::default();
        is_varray && raw.data_offset().is_some_and(|data| self.sections.position() < data)
    }

    /// Number of bytes in the data of the current section. `None` while the sizes of a variable array have not been
    /// added up.
    fn data_length(&self) -> Option<u64> {
        let raw = self.section().stored();
        let none = (raw.n == Count::default()).then_some(0);
        raw.data_length().or(self.total).or(none)
    }

    /// Range of the data of the current section, unless something after them has been read.
    fn open_data(&self) -> Option<(u64, u64)> {
        let start = self.section().stored().data_offset()?;
        let end = start.checked_add(self.data_length()?)?;
        (self.sections.position() <= end).then_some((start, end))
    }

    /// The bytes that [`header`](Self::header) needs next: the last bytes of data of the current section, at most 32,
    /// its padding, and the longest header that may follow; less at the end of the file. Empty while the sizes of a
    /// variable array have not been added up.
    #[must_use]
    pub fn header_window(&self) -> Window {
        let position = self.sections.position();
        let file_header = SectionType::Header.head_length();
        if position < COUNT_LEN as u64 {
            return self.present_from(position, file_header - position);
        }
        if self.is_before_sizes() {
            return self.present_from(position, 0);
        }
        // The padding depends on the last byte of the data. The last 32 show whether the section is a first half of a
        // compressed one with a damaged header.
        let from = match self.open_data() {
            Some((start, end)) => end.saturating_sub(COUNT_LEN as u64).max(start).max(position),
            None => position,
        };
        self.present_from(from, Self::HEADER_LEN as u64)
    }

    /// The part of a window that is in the file.
    #[must_use]
    pub fn present(&self, window: Window) -> Window {
        self.present_from(window.offset(), window.length())
    }

    fn present_from(&self, from: u64, length: u64) -> Window {
        let from = from.min(self.file_length);
        Window::new(from, length.min(self.file_length - from)).unwrap_or(Window::EMPTY)
    }

    /// Reads the next header from the bytes of the [`header_window`](Self::header_window). All of the current section
    /// is passed over. If there are fewer bytes than the window has, the file ends after them.
    ///
    /// # Errors
    /// The errors of [`Decoder`] from the last bytes of the current section to the end of the header.
    /// [`Misuse::Outside`] if the current section is a variable array whose sizes have not been added up
    /// ([`data`](Self::data)); the decoder does not change then.
    pub fn header(&mut self, bytes: &[u8]) -> Result<PartHeader, Error<ErrorKind>> {
        let window = self.header_window();
        let bytes = &bytes[..bytes.len().min(window.length() as usize)];
        let have = bytes.len() as u64;
        let file_end = if have < window.length() { window.offset() + have } else { self.file_length };
        self.sections.check_end(file_end)?;
        if self.is_before_sizes() {
            return Err(Error::new(self.sections.position(), Misuse::Outside.into()));
        }
        let mut rest = bytes;
        if window.offset() >= self.sections.position() {
            rest = &rest[self.sections.pass_data(window.offset(), bytes)?..];
        }
        loop {
            let step = self.sections.push(rest)?;
            rest = &rest[step.consumed..];
            match step.event {
                Some(Event::Section(section)) => return Ok(self.begin(section)),
                Some(Event::Finding(finding)) => return Ok(PartHeader::Finding(finding)),
                Some(Event::Compressed(SectionType::Varray)) => {
                    self.total = None;
                    return Ok(PartHeader::More);
                }
                Some(_) => {}
                None => break,
            }
        }
        if self.sections.position() < file_end {
            return Ok(PartHeader::More);
        }
        while let Some(event) = self.sections.finish()? {
            match event {
                Event::Section(section) => return Ok(self.begin(section)),
                Event::Finding(finding) => return Ok(PartHeader::Finding(finding)),
                _ => {}
            }
        }
        Ok(PartHeader::End)
    }

    const fn begin(&mut self, section: Section) -> PartHeader {
        self.total = None;
        PartHeader::Section(section)
    }

    /// The lines with the sizes of some elements: in a variable array, or of the texts in a compressed array.
    ///
    /// # Errors
    /// [`PartitionError::OtherTotal`], [`PartitionError::OtherType`], [`PartitionError::TooLong`].
    pub fn sizes(&self, elements: &ElementPart) -> Result<SizeLines, PartitionError> {
        SizeLines::of(self.section(), elements)
    }

    /// The lines with the sizes before compression of some elements of a compressed variable array; after
    /// [`PartHeader::More`] or later. (The size before compression of a block, or of each element of an array, is
    /// [`Section::e`].)
    ///
    /// # Errors
    /// The errors of [`sizes`](Self::sizes).
    pub fn uncompressed(&self, elements: &ElementPart) -> Result<SizeLines, PartitionError> {
        SizeLines::before_compression(self.section(), elements)
    }

    /// Takes `S`, the number of bytes in the data of the current section: of a variable array or a compressed
    /// array, the sum of the sizes that all processes have read. Must be called for these before the next header;
    /// after the header of another section, a call only checks the length of the file.
    ///
    /// # Errors
    /// The file ends inside the sizes or the data. The error is the same on all processes, and has the offset of the
    /// end of the file.
    ///
    /// The sum is too large for 64-bit offsets ([`TooLong`](linkstream::scda::ErrorKind::TooLong)); pass [`u64::MAX`] if
    /// it has overflowed. The error then has the offset of the last size line. The serial decoder reports the first line
    /// that makes the sum too large: a process finds it by reading its lines again with [`SizeLines::after`].
    ///
    /// [`Misuse::Outside`] if the section has another number of bytes, or if its padding has been read; the decoder
    /// does not change then.
    pub fn data(&mut self, total: u64) -> Result<(), Error<ErrorKind>> {
        if self.is_before_sizes() {
            self.sections.check_end(self.file_length)?;
            self.sections.pass_sizes(total)?;
            self.total = Some(total);
        } else if self.open_data().is_none() || self.data_length() != Some(total) {
            return Err(Error::new(self.sections.position(), Misuse::Outside.into()));
        }
        self.sections.check_end(self.file_length)
    }

    /// Compares the size of an element of a compressed variable array with the size that was announced for it, both in
    /// bytes. (In blocks and arrays, [`ElementUnpacker`](linkstream::scda::ElementUnpacker) compares them.)
    ///
    /// # Errors
    /// [`ErrorKind::SizesDiffer`], at the end of the section's data, as a serial decoder reports it.
    pub fn check_element(&self, announced: u64, size: u64) -> Result<(), Error<ErrorKind>> {
        if announced == size {
            return Ok(());
        }
        let end = self.open_data().map_or(self.sections.position(), |(_, end)| end);
        Err(Error::new(end, ErrorKind::SizesDiffer))
    }
}
