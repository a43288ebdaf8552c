//! Reading by several processes: the state that all of them share.

use super::decode::Decoder;
use super::error::ErrorKind;
use super::section::{Event, Section, is_text_length};
use crate::bytes::{prefix, suffix};
use crate::counter::{Counter as _, at_most};
use crate::error::{Error, Misuse, Mode};
use crate::frame::{Frame as _, States as _};
use crate::scda::entry::MAX_DATA_PADDING;
use crate::scda::error::ErrorKind as RawErrorKind;
use crate::scda::partition::{ElementPart, PartitionError};
use crate::scda::rank_extent::{SizeLines, Window};
use crate::scda::section::{COUNT_LEN, Letter, SectionType};
use crate::state::{LoadError, Resumable, State, load, resumable, saved, seal, seal_into};
use crate::step::Decode as _;

/// Bytes that hold every header: an inline section that announces a compressed one, and the longest head after it.
const HEADS: u64 = 96 + 128;

/// Result of [`PartDecoder::header`].
///
/// # Example
/// ```
/// use linkstream::Mode;
/// use linkstream::scda::{PartDecoder, PartHeader};
///
/// // An offset where the file ends.
/// let mut decoder = PartDecoder::at(128, Mode::Strict, true, 128);
/// assert_eq!(decoder.header(b"")?, PartHeader::End);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
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

/// Reads an scda file on several processes. Each reads only its own elements. It is the counterpart of the
/// two encoders of parts, [`PartEncoder`](crate::scda::PartEncoder) and
/// [`logical::PartEncoder`](crate::scda::logical::PartEncoder).
///
/// The decoder is the state that all processes share. They make the same calls with the same arguments, and get the
/// same results, errors included. For each section:
///
/// 1. One process reads the [`header_window`](Self::header_window), at most [`HEADER_LEN`](Self::HEADER_LEN) bytes, and
///    broadcasts them. All processes pass them to [`header`](Self::header). The window begins with the last byte and
///    the padding of the previous section, so the padding is judged even if no process reads the data.
/// 2. In a variable array or a compressed array, each process reads the size lines of its own elements
///    ([`sizes`](Self::sizes), [`size`](Self::size)). An exclusive scan of their sums yields its
///    [`DataPart`](crate::scda::DataPart).
/// 3. All processes call [`data`](Self::data) with the number of bytes in the section, which reports truncation.
/// 4. Each process reads its own data, at the window that a [`RankExtent`](crate::scda::RankExtent) of
///    [`Section::raw`] computes. The data of a compressed section are texts for `ElementUnpacker` (feature `inflate`).
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
/// use linkstream::scda::{DataPart, ElementPart, PartDecoder, PartHeader, RankExtent};
/// use linkstream::Mode;
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
/// # let read = |window: linkstream::scda::Window| &file[window.offset() as usize..window.end() as usize];
///
/// // Process 1 of two has the last two elements.
/// let mut decoder = PartDecoder::new(Mode::Strict, true, file.len() as u64);
/// while let header = decoder.header(read(decoder.header_window()))? {
///     let PartHeader::Section(section) = header else { break };
///     if section.offset == 0 { continue } // the file header
///     let own = ElementPart::of(1, [1, 2], section.n)?;
///     let mut lines = decoder.sizes(&own)?;
///     for line in read(decoder.present(lines.window())).as_chunks().0 {
///         decoder.size(&mut lines, line)?;
///     }
///     let data = DataPart::of(1, [3, lines.sum()])?; // an exclusive scan and a sum
///     decoder.data(data.total())?;
///     let extent = RankExtent::varray(1, &section.raw, &own, &data)?;
///     assert_eq!(read(extent.data()), b"three");
/// }
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct PartDecoder {
    sections: Decoder,
    file_length: u64,
}

saved!(struct PartDecoder { sections, file_length });
resumable!(PartDecoder, 24);

impl PartDecoder {
    /// Largest length of a [`header_window`](Self::header_window) in bytes.
    pub const HEADER_LEN: usize = COUNT_LEN + MAX_DATA_PADDING + HEADS as usize;

    /// A decoder for a file of `file_length` bytes from its first byte. Without `decode`, a compressed section is
    /// reported as its two raw sections.
    #[must_use]
    pub const fn new(mode: Mode, decode: bool, file_length: u64) -> Self {
        Self { sections: Decoder::new(mode, decode), file_length }
    }

    /// A decoder for the rest of a file from the absolute byte `offset` on, where a section other than the file header
    /// must begin, or the file must end.
    ///
    /// # Example
    /// ```
    /// use linkstream::Mode;
    /// use linkstream::scda::PartDecoder;
    ///
    /// let decoder = PartDecoder::at(128, Mode::Strict, true, 4096);
    /// let window = decoder.header_window();
    /// assert_eq!((window.offset(), window.length(), decoder.file_length()), (128, 224, 4096));
    /// assert!(window.length() <= PartDecoder::HEADER_LEN as u64);
    /// ```
    #[must_use]
    pub const fn at(offset: u64, mode: Mode, decode: bool, file_length: u64) -> Self {
        Self { sections: Decoder::at(offset, mode, decode), file_length }
    }

    /// Sets whether compressed sections that begin after this call are reported as one section.
    pub const fn set_decode(&mut self, decode: bool) {
        self.sections.set_decode(decode);
    }

    /// The mode.
    #[must_use]
    pub const fn mode(&self) -> Mode {
        self.sections.mode()
    }

    /// Length of the file in bytes, as given.
    #[must_use]
    pub const fn file_length(&self) -> u64 {
        self.file_length
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

    /// Absolute offset of the next raw section. `None` while the sizes of a variable array have not been added up.
    #[must_use]
    pub fn next_offset(&self) -> Option<u64> {
        let raw = self.sections.raw();
        if raw.is_before_sizes() { None } else { raw.section().next_offset(raw.data_length()) }
    }

    /// The bytes that [`header`](Self::header) needs next: the last byte of data of the current section (the last 32 of
    /// a section that may be a damaged first half), its padding, and the longest header that may follow; less at the end
    /// of the file. Empty while the sizes of a variable array have not been added up.
    #[must_use]
    pub fn header_window(&self) -> Window {
        let raw = self.sections.raw();
        let position = raw.position();
        let length = raw.padding_to_come().plus(HEADS);
        let (from, length) = match raw.open_data() {
            // Nothing after the file header is needed to read it.
            _ if position < COUNT_LEN as u64 => (position, SectionType::Header.head_length().minus(position)),
            _ if raw.is_before_sizes() => (position, 0),
            // The padding depends on the last byte of the data.
            Some((start, end)) if end > start && end > position => {
                // Of a section that may be a damaged first half, the last entry is looked at.
                let seen = if self.sections.part.is_like_first() { COUNT_LEN as u64 } else { 1 };
                let from = end.minus(seen.min(end)).max(start).max(position);
                (from, length.plus(end.minus(from)))
            }
            Some(_) | None => (position, length),
        };
        self.present_from(from, length)
    }

    /// The part of a window that is in the file.
    ///
    /// # Example
    /// ```
    /// use linkstream::Mode;
    /// use linkstream::scda::{PartDecoder, Window};
    ///
    /// let decoder = PartDecoder::new(Mode::Strict, true, 200);
    /// let window = decoder.present(Window::new(128, 96).ok_or("beyond 64 bits")?);
    /// assert_eq!((window.offset(), window.length()), (128, 72));
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn present(&self, window: Window) -> Window {
        self.present_from(window.offset(), window.length())
    }

    fn present_from(&self, from: u64, length: u64) -> Window {
        let from = from.min(self.file_length);
        let length = length.min(self.file_length.minus(from));
        Window::new(from, length).unwrap_or(Window::EMPTY)
    }

    /// Reads the next header from the bytes of the [`header_window`](Self::header_window). All of the current section
    /// is passed over. If there are fewer bytes than the window has, the file ends after them.
    ///
    /// # Errors
    /// The errors of [`Decoder`] from the last byte of the current section to the end of the header.
    /// [`Misuse::TotalUnknown`] if the current section is a variable array whose sizes have not been added up
    /// ([`data`](Self::data)); the decoder does not change then.
    pub fn header(&mut self, bytes: &[u8]) -> Result<PartHeader, Error<ErrorKind>> {
        self.sections.check_usable()?;
        let window = self.header_window();
        let bytes = prefix(bytes, at_most(window.length(), bytes.len()));
        let have = bytes.len() as u64;
        let file_end = if have < window.length() { window.offset().plus(have) } else { self.file_length };
        if self.sections.raw().is_before_sizes() {
            self.ends_in_sizes()?;
            return Err(Error::new(self.sections.position(), Misuse::TotalUnknown.into()));
        }
        let mut rest = self.sections.pass_data(window.offset(), bytes);
        loop {
            let step = self.sections.push(rest)?;
            rest = suffix(rest, step.consumed);
            match step.event {
                Some(Event::Section(section)) => return Ok(PartHeader::Section(section)),
                Some(Event::Finding(finding)) => return Ok(PartHeader::Finding(finding)),
                Some(Event::Compressed(SectionType::Varray)) => return Ok(PartHeader::More),
                Some(_) => {}
                None => break,
            }
        }
        if self.sections.position() < file_end {
            return Ok(PartHeader::More);
        }
        while let Some(event) = self.sections.finish()? {
            match event {
                Event::Section(section) => return Ok(PartHeader::Section(section)),
                Event::Finding(finding) => return Ok(PartHeader::Finding(finding)),
                _ => {}
            }
        }
        Ok(PartHeader::End)
    }

    /// Fails if the file ends inside the element sizes.
    fn ends_in_sizes(&mut self) -> Result<(), Error<ErrorKind>> {
        if self.sections.pass_to_end_in_sizes(self.file_length) {
            self.sections.finish()?;
        }
        Ok(())
    }

    /// The lines with the sizes of some elements: in a variable array, or of the texts in a compressed array.
    ///
    /// # Errors
    /// The errors of [`scda::Section::size_lines`](crate::scda::Section::size_lines).
    pub fn sizes(&self, elements: &ElementPart) -> Result<SizeLines, PartitionError> {
        SizeLines::new(&self.section().raw, elements)
    }

    /// The lines with the sizes before compression of some elements of a compressed variable array; after
    /// [`PartHeader::More`] or later. (The size before compression of a block, or of each element of an array, is
    /// [`Section::e`].)
    ///
    /// # Errors
    /// [`PartitionError::OtherType`] if the section is another one, and the errors of
    /// [`scda::Section::size_lines`](crate::scda::Section::size_lines).
    pub fn uncompressed(&self, elements: &ElementPart) -> Result<SizeLines, PartitionError> {
        let section = self.section();
        match section.first_half() {
            Some(first) if section.section_type == SectionType::Varray => SizeLines::new(&first, elements),
            _ => Err(PartitionError::OtherType { section_type: section.section_type }),
        }
    }

    /// Takes the next of these lines and returns the size in it, in bytes.
    ///
    /// # Errors
    /// The line is not a count entry, the sum is too large, or no text of a compressed element can have this size; see
    /// [`SizeLines::size`].
    pub fn size(&self, lines: &mut SizeLines, line: &[u8; COUNT_LEN]) -> Result<u64, Error<ErrorKind>> {
        let at = lines.position();
        match lines.size(line) {
            Ok(found) if lines.letter() == Letter::U || !self.section().is_compressed() => Ok(found),
            Ok(found) if is_text_length(found) => Ok(found),
            Ok(found) => Err(Error::new(at, ErrorKind::TextLength { found: found.into() })),
            Err(error) if lines.letter() == Letter::U && !matches!(error.kind, RawErrorKind::Misuse(_)) => {
                Err(Error::new(error.at, ErrorKind::Uncompressed(error.kind)))
            }
            Err(error) => Err(error.into_kind()),
        }
    }

    /// Takes `S`, the number of bytes in the data of the current raw section: of a variable array or a compressed
    /// array, the sum of the sizes that all processes have read. Must be called for these before the next header;
    /// after the header of another section, a call only checks the length of the file.
    ///
    /// # Errors
    /// The file ends inside the sizes or the data. The error is the same on all processes, and has the offset of the
    /// end of the file.
    ///
    /// The sum is too large for 64-bit offsets ([`RawErrorKind::TooLong`]); pass [`u64::MAX`] if it has overflowed. The
    /// error then has the offset of the last size line. The serial decoder reports the first line that makes the sum too
    /// large: a process finds it by reading its lines again with [`SizeLines::after`].
    ///
    /// [`Misuse::Outside`] if the section has another number of bytes, or if its padding has been read; the decoder
    /// does not change then.
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{Encoder, PartDecoder, PartHeader, Style};
    /// use linkstream::Mode;
    ///
    /// // A variable array of 2 elements in a file that ends after 30 of 40 bytes of data.
    /// let mut encoder = Encoder::append(128, Style::Unix);
    /// let header = encoder.varray(b"words", 2.into())?;
    /// let mut decoder = PartDecoder::at(128, Mode::Strict, true, 128 + 96 + 2 * 32 + 30);
    /// assert!(matches!(decoder.header(header)?, PartHeader::Section(_)));
    /// assert_eq!(decoder.next_offset(), None);
    /// let error = decoder.data(40).err().ok_or("accepted")?;
    /// assert_eq!(error.at, 318);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn data(&mut self, total: u64) -> Result<(), Error<ErrorKind>> {
        self.sections.check_usable()?;
        let raw = self.sections.raw();
        if raw.is_before_sizes() {
            self.ends_in_sizes()?;
            self.sections.pass_sizes(total)?;
        } else if raw.open_data().is_none() || raw.data_length() != total {
            return Err(Error::new(self.sections.position(), Misuse::Outside.into()));
        }
        let is_truncated = self.sections.raw().open_data().is_some_and(|(_, end)| end > self.file_length);
        if is_truncated {
            let _ = self.sections.pass_data(self.file_length, &[]);
            self.sections.finish()?;
        }
        Ok(())
    }

    /// Compares the size of an element of a compressed variable array with the size that was announced for it, both in
    /// bytes. (In blocks and arrays, `ElementUnpacker` compares them.)
    ///
    /// # Errors
    /// [`ErrorKind::SizesDiffer`], at the end of the section's data, as a serial `Unpacker` reports it.
    ///
    /// # Example
    /// ```
    /// use linkstream::Mode;
    /// use linkstream::scda::PartDecoder;
    ///
    /// let decoder = PartDecoder::new(Mode::Strict, true, 4096);
    /// assert!(decoder.check_element(29, 29).is_ok() && decoder.check_element(29, 28).is_err());
    /// ```
    pub fn check_element(&self, announced: u64, size: u64) -> Result<(), Error<ErrorKind>> {
        if announced == size {
            return Ok(());
        }
        let raw = self.sections.raw();
        let end = raw.open_data().map_or(raw.position(), |(_, end)| end);
        Err(Error::new(end, ErrorKind::SizesDiffer))
    }
}

impl Resumable for PartDecoder {
    type Saved<S> = Result<S, Error<ErrorKind>>;

    fn save(&self) -> Result<State<Self>, Error<ErrorKind>> {
        self.sections.check_usable()?;
        Ok(seal(self))
    }

    fn save_into(&self, to: &mut Self::Bytes) -> Result<(), Error<ErrorKind>> {
        self.sections.check_usable()?;
        seal_into(self, to);
        Ok(())
    }

    fn load(saved: &State<Self>) -> Result<Self, LoadError> {
        load(saved, |decoder| decoder.sections.is_consistent())
    }
}
