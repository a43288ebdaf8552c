//! The writer of scda sections.

use crate::encode::Encode as _;
use embedded_io::Write;

use crate::callback::{CallbackError, Outcome};
use crate::io::error::WriteError;
use crate::io::writer::{Elements, Lines, Writer};
use crate::scda::{Count, EncodeErrorKind, Encoder, INLINE_LEN, Style};

/// Writes the sections of an scda file to any [`embedded_io::Write`].
///
/// Short and interrupted writes are continued; a sink that accepts no bytes is an error ([`WriteError::WriteZero`]).
/// After an error of the sink, every call returns [`WriteError::Broken`].
///
/// ```
/// use linkstream::io::SectionWriter;
/// use linkstream::scda::Style;
///
/// let mut file = [0; 448];
/// let mut writer = SectionWriter::create(&mut file[..], Style::Unix);
/// writer.header(b"libsc", b"demo")?;
/// writer.inline(b"note", b"thirty-two bytes of data, exact\n")?;
/// let words = [&b"one"[..], b"", b"three"];
/// writer.varray(b"words", 3, words.iter().map(|word| word.len() as u64))?;
/// for word in words {
///     writer.write(word)?;
/// }
/// writer.end()?;
/// writer.finish()?;
/// assert!(file[416..].starts_with(b"onethree\n==="));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// [`new`](Writer::new) with a given encoder continues a file, or appends to it:
/// ```
/// use linkstream::io::SectionWriter;
/// use linkstream::scda::{Encoder, Style};
///
/// let mut file = [0; 384];
/// let (start, rest) = file.split_at_mut(128);
/// SectionWriter::create(start, Style::Unix).header(b"my program", b"an example")?;
///
/// // Append a section.
/// let mut writer = SectionWriter::new(rest, Encoder::append(128, Style::Unix));
/// writer.write_block(b"text", b"hello")?;
/// writer.finish()?;
/// assert_eq!(&file[128..134], b"B text");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub type SectionWriter<W> = Writer<W, Encoder>;

/// Result of a call that takes a callback.
type Filled<E, C> = Result<(), CallbackError<WriteError<E, EncodeErrorKind>, C>>;
/// Result of a call that writes.
pub(super) type Written<E> = Result<(), WriteError<E, EncodeErrorKind>>;

impl<W> SectionWriter<W> {
    /// A writer of a new file.
    pub const fn create(sink: W, style: Style) -> Self {
        Self::new(sink, Encoder::new(style))
    }

    /// Opens a section with all its sizes in a copy of the encoder, so that an error is returned before anything is
    /// written.
    pub(super) fn check<E>(
        &self,
        open: impl FnOnce(&mut Encoder) -> Result<(), EncodeErrorKind>,
    ) -> Written<E> {
        self.output.usable()?;
        let mut trial = self.encoder().clone();
        open(&mut trial)?;
        // Refused if a size is missing.
        Ok(trial.put(&[])?)
    }
}

impl<W: Write> SectionWriter<W> {
    /// Writes the file header. The vendor string names the writing program.
    ///
    /// # Errors
    /// A string is too long, the header has been written already, or the sink failed.
    pub fn header(&mut self, vendor: &[u8], user: &[u8]) -> Written<W::Error> {
        self.emit(|encoder| encoder.header(vendor, user))
    }

    /// Writes an inline section.
    ///
    /// # Errors
    /// The user string is too long, a section is open, or the sink failed.
    pub fn inline(&mut self, user: &[u8], data: &[u8; INLINE_LEN]) -> Written<W::Error> {
        self.emit(|encoder| encoder.inline(user))?;
        self.write(data)?;
        self.end()
    }

    /// Opens a block of `e` bytes.
    ///
    /// # Errors
    /// The user string is too long, a section is open, or the sink failed.
    pub fn block(&mut self, user: &[u8], e: Count) -> Written<W::Error> {
        self.emit(|encoder| encoder.block(user, e))
    }

    /// Opens an array of `n` elements of `e` bytes each.
    ///
    /// # Errors
    /// The errors of [`SectionWriter::block`].
    pub fn array(&mut self, user: &[u8], n: Count, e: Count) -> Written<W::Error> {
        self.emit(|encoder| encoder.array(user, n, e))
    }

    /// Opens a variable array of `n` elements with these sizes in bytes.
    ///
    /// # Errors
    /// The errors of [`SectionWriter::block`]; there are more or fewer than `n` sizes. Nothing is written then: the
    /// iterator is cloned and run twice.
    pub fn varray(
        &mut self,
        user: &[u8],
        n: u64,
        sizes: impl IntoIterator<Item = u64, IntoIter: Clone>,
    ) -> Written<W::Error> {
        let sizes = sizes.into_iter();
        self.check(|encoder| {
            encoder.varray(user, n.into())?;
            sizes.clone().try_for_each(|size| encoder.size(size).map(drop))
        })?;
        self.emit(|encoder| encoder.varray(user, n.into()))?;
        Ok(self.run(Lines::new(sizes, Encoder::size))?)
    }

    /// Writes a block.
    ///
    /// # Errors
    /// The errors of [`block`](Self::block).
    pub fn write_block(&mut self, user: &[u8], data: &[u8]) -> Written<W::Error> {
        self.block(user, (data.len() as u64).into())?;
        self.write(data)?;
        self.end()
    }

    /// Writes an array of elements of `e` bytes each; `data` holds all of them.
    ///
    /// # Errors
    /// The errors of [`array`](Self::array); [`EncodeErrorKind::DataTooLong`] if the last element is incomplete.
    pub fn write_array(&mut self, user: &[u8], e: usize, data: &[u8]) -> Written<W::Error> {
        let n = whole_elements(data, e)?;
        self.array(user, n.into(), (e as u64).into())?;
        self.write(data)?;
        self.end()
    }

    /// Writes an array of `n` elements. A callback fills each of them in turn, in the buffer `element`, whose length
    /// is the size of an element. The bytes are zero before each call, so bytes that the callback does not set are
    /// written as zeros. The callback may fail or stop (see [`Outcome`]): the section
    /// is then still open, and can be completed with [`write`](Self::write) and [`end`](Self::end).
    ///
    /// ```
    /// # let mut file = [0; 2048];
    /// # let mut writer = linkstream::io::SectionWriter::create(&mut file[..], linkstream::scda::Style::Unix);
    /// # writer.header(b"my program", b"an example")?;
    /// writer.write_array_with(b"squares", 5, &mut [0; 2], |index, square| square.fill((index * index) as u8))?;
    /// writer.finish()?;
    /// assert!(file.windows(10).any(|bytes| bytes == [0, 0, 1, 1, 4, 4, 9, 9, 16, 16]));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The error of the callback, and the errors of [`array`](Self::array) and [`end`](Self::end).
    pub fn write_array_with<O: Outcome>(
        &mut self,
        user: &[u8],
        n: u64,
        element: &mut [u8],
        fill: impl FnMut(u64, &mut [u8]) -> O,
    ) -> Filled<W::Error, O::Error> {
        self.array(user, n.into(), (element.len() as u64).into())?;
        self.run(Elements { element, done: 0, n, fill })?;
        Ok(self.end()?)
    }

    /// Writes a variable array of these elements. The iterator is cloned and run three times: for the number, the
    /// sizes and the data.
    ///
    /// # Errors
    /// The errors of [`varray`](Self::varray).
    pub fn write_varray<T: AsRef<[u8]>>(
        &mut self,
        user: &[u8],
        elements: impl IntoIterator<Item = T, IntoIter: Clone>,
    ) -> Written<W::Error> {
        let elements = elements.into_iter();
        let n = elements.clone().count() as u64;
        self.varray(user, n, elements.clone().map(|element| element.as_ref().len() as u64))?;
        for element in elements {
            self.write(element.as_ref())?;
        }
        self.end()
    }

    /// Opens a compressed block of `u` bytes before compression. Its text, the compressed and Base64-encoded form
    /// that the file contains, has `text_length` bytes.
    ///
    /// # Errors
    /// The errors of [`SectionWriter::block`]; [`EncodeErrorKind::TextLength`] if no text can have this length.
    pub fn compressed_block(&mut self, user: &[u8], u: Count, text_length: u64) -> Written<W::Error> {
        self.emit(|encoder| encoder.compressed_block(user, u, text_length))
    }

    /// Opens a compressed array of `n` elements of `u` bytes each before compression, whose texts have these sizes
    /// in bytes. Only the sum of the sizes is checked; the caller must write each text with its own size.
    ///
    /// # Errors
    /// The errors of [`SectionWriter::varray`]; [`EncodeErrorKind::TextLength`] if no text can have one of these
    /// lengths.
    pub fn compressed_array(
        &mut self,
        user: &[u8],
        n: u64,
        u: Count,
        texts: impl IntoIterator<Item = u64, IntoIter: Clone>,
    ) -> Written<W::Error> {
        let texts = texts.into_iter();
        self.check(|encoder| {
            encoder.compressed_array(user, n.into(), u)?;
            texts.clone().try_for_each(|text| encoder.size(text).map(drop))
        })?;
        self.emit(|encoder| encoder.compressed_array(user, n.into(), u))?;
        self.text_sizes(texts)
    }

    /// Opens a compressed variable array of `n` elements, with their sizes before compression and the sizes of their
    /// texts, both in bytes.
    ///
    /// # Errors
    /// The errors of [`SectionWriter::compressed_array`].
    pub fn compressed_varray(
        &mut self,
        user: &[u8],
        n: u64,
        sizes: impl IntoIterator<Item = u64, IntoIter: Clone>,
        texts: impl IntoIterator<Item = u64, IntoIter: Clone>,
    ) -> Written<W::Error> {
        let (sizes, texts) = (sizes.into_iter(), texts.into_iter());
        self.check(|encoder| {
            encoder.compressed_varray(n.into())?;
            sizes.clone().try_for_each(|size| encoder.uncompressed(size).map(drop))?;
            encoder.second_half(user)?;
            texts.clone().try_for_each(|text| encoder.size(text).map(drop))
        })?;
        self.emit(|encoder| encoder.compressed_varray(n.into()))?;
        self.run(Lines::new(sizes, Encoder::uncompressed))?;
        self.emit(|encoder| encoder.second_half(user))?;
        self.text_sizes(texts)
    }

    fn text_sizes(&mut self, texts: impl IntoIterator<Item = u64>) -> Written<W::Error> {
        Ok(self.run(Lines::new(texts, Encoder::size))?)
    }

    /// Ends the open section.
    ///
    /// # Errors
    /// Data or sizes are missing, or the sink failed.
    pub fn end(&mut self) -> Written<W::Error> {
        self.emit(|encoder| encoder.end())
    }
}

/// Number of elements of `e` bytes in `data`. An incomplete element is refused.
pub(super) fn whole_elements(data: &[u8], e: usize) -> Result<u64, EncodeErrorKind> {
    let offered = data.len() as u64;
    let n = offered.checked_div(e as u64).unwrap_or(0);
    let room = n.saturating_mul(e as u64);
    if room < offered { Err(EncodeErrorKind::DataTooLong { offered, room }) } else { Ok(n) }
}
