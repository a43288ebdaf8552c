//! The writer of scda sections.

use embedded_io::Write;

use crate::bytes::prefix;
use crate::callback::{CallbackError, Outcome};
use crate::counter::Counter as _;
use crate::encode::Encode as _;
use crate::io::writer::{Taken, Writer, Written};
use crate::scda::{Count, EncodeErrorKind, Encoder, INLINE_LEN, Style};

/// Size lines that are written at once.
const LINES: usize = 16;

/// Writes the sections of an scda file to any [`embedded_io::Write`].
///
/// Short and interrupted writes are continued; a sink that accepts no bytes is an error ([`WriteError::WriteZero`](crate::io::WriteError::WriteZero)).
/// After an error of the sink, every call returns [`WriteError::Broken`](crate::io::WriteError::Broken).
///
/// ```
/// use linkstream::io::SectionWriter;
/// use linkstream::scda::Style;
///
/// let mut file = [0; 448];
/// let mut writer = SectionWriter::create(&mut file[..], Style::Unix);
/// writer.write_header(b"libsc", b"demo")?;
/// writer.write_inline(b"note", b"thirty-two bytes of data, exact\n")?;
/// let words = [&b"one"[..], b"", b"three"];
/// writer.begin_varray(b"words", 3, words.iter().map(|word| word.len() as u64))?;
/// for word in words {
///     writer.put(word)?;
/// }
/// writer.end()?;
/// writer.finish()?;
/// assert!(file[416..].starts_with(b"onethree\n==="));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// [`with_encoder`](Writer::with_encoder) continues a file, or appends to it:
/// ```
/// use linkstream::io::SectionWriter;
/// use linkstream::scda::{Encoder, Style};
///
/// let mut file = [0; 384];
/// let (start, rest) = file.split_at_mut(128);
/// SectionWriter::create(start, Style::Unix).write_header(b"my program", b"an example")?;
///
/// // Append a section.
/// let mut writer = SectionWriter::with_encoder(rest, Encoder::append(128, Style::Unix));
/// writer.write_block(b"text", b"hello")?;
/// writer.finish()?;
/// assert_eq!(&file[128..134], b"B text");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub type SectionWriter<W> = Writer<W, Encoder>;

impl<W> SectionWriter<W> {
    /// A writer of a new file.
    pub const fn create(sink: W, style: Style) -> Self {
        Self::with_encoder(sink, Encoder::new(style))
    }

    /// Opens a section with all its sizes in a copy of the encoder, so that an error is returned before anything is
    /// written.
    fn check<E>(
        &self,
        open: impl FnOnce(&mut Encoder) -> Result<(), EncodeErrorKind>,
    ) -> Written<E, EncodeErrorKind> {
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
    pub fn write_header(&mut self, vendor: &[u8], user: &[u8]) -> Written<W::Error, EncodeErrorKind> {
        self.emit(|encoder| encoder.header(vendor, user))
    }

    /// Writes an inline section.
    ///
    /// # Errors
    /// The user string is too long, a section is open, or the sink failed.
    pub fn write_inline(
        &mut self,
        user: &[u8],
        data: &[u8; INLINE_LEN],
    ) -> Written<W::Error, EncodeErrorKind> {
        self.emit(|encoder| encoder.inline(user))?;
        self.put(data)?;
        self.end()
    }

    /// Opens a block of `e` bytes.
    ///
    /// # Errors
    /// The user string is too long, a section is open, or the sink failed.
    pub fn begin_block(&mut self, user: &[u8], e: Count) -> Written<W::Error, EncodeErrorKind> {
        self.emit(|encoder| encoder.block(user, e))
    }

    /// Opens an array of `n` elements of `e` bytes each.
    ///
    /// # Errors
    /// The errors of [`SectionWriter::begin_block`].
    pub fn begin_array(&mut self, user: &[u8], n: Count, e: Count) -> Written<W::Error, EncodeErrorKind> {
        self.emit(|encoder| encoder.array(user, n, e))
    }

    /// Opens a variable array of `n` elements with these sizes in bytes.
    ///
    /// # Errors
    /// The errors of [`SectionWriter::begin_block`]; there are more or fewer than `n` sizes. Nothing is written then: the
    /// iterator is cloned and run twice.
    pub fn begin_varray(
        &mut self,
        user: &[u8],
        n: u64,
        sizes: impl IntoIterator<Item = u64, IntoIter: Clone>,
    ) -> Written<W::Error, EncodeErrorKind> {
        let sizes = sizes.into_iter();
        self.check(|encoder| {
            encoder.varray(user, n.into())?;
            sizes.clone().try_for_each(|size| encoder.size(size).map(drop))
        })?;
        self.emit(|encoder| encoder.varray(user, n.into()))?;
        self.lines(sizes, Encoder::size)
    }

    /// Writes a block.
    ///
    /// # Errors
    /// The errors of [`begin_block`](Self::begin_block).
    pub fn write_block(&mut self, user: &[u8], data: &[u8]) -> Written<W::Error, EncodeErrorKind> {
        self.begin_block(user, (data.len() as u64).into())?;
        self.put(data)?;
        self.end()
    }

    /// Writes an array of elements of `e` bytes each; `data` holds all of them.
    ///
    /// # Errors
    /// The errors of [`begin_array`](Self::begin_array); [`EncodeErrorKind::DataTooLong`] if the last element is incomplete.
    pub fn write_array(&mut self, user: &[u8], e: usize, data: &[u8]) -> Written<W::Error, EncodeErrorKind> {
        let n = whole_elements(data, e)?;
        self.begin_array(user, n.into(), (e as u64).into())?;
        self.put(data)?;
        self.end()
    }

    /// Writes an array of `n` elements. A callback fills each of them in turn, in the buffer `element`, whose length
    /// is the size of an element. The bytes are zero before each call, so bytes that the callback does not set are
    /// written as zeros. The callback may fail or stop (see [`Outcome`]): the section
    /// is then still open, and can be completed with [`put`](Self::put) and [`end`](Self::end).
    ///
    /// ```
    /// # let mut file = [0; 2048];
    /// # let mut writer = linkstream::io::SectionWriter::create(&mut file[..], linkstream::scda::Style::Unix);
    /// # writer.write_header(b"my program", b"an example")?;
    /// writer.write_array_with(b"squares", 5, &mut [0; 2], |index, square| square.fill((index * index) as u8))?;
    /// writer.finish()?;
    /// assert!(file.windows(10).any(|bytes| bytes == [0, 0, 1, 1, 4, 4, 9, 9, 16, 16]));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The error of the callback, and the errors of [`begin_array`](Self::begin_array) and [`end`](Self::end).
    pub fn write_array_with<O: Outcome>(
        &mut self,
        user: &[u8],
        n: u64,
        element: &mut [u8],
        mut fill: impl FnMut(u64, &mut [u8]) -> O,
    ) -> Taken<W::Error, EncodeErrorKind, O::Error> {
        self.begin_array(user, n.into(), (element.len() as u64).into())?;
        // There can be any number of elements without bytes: they are not counted through.
        let indices = if element.is_empty() { 0..0 } else { 0..n };
        for index in indices {
            // Bytes that the callback does not set are zeros, not bytes of the previous element.
            element.fill(0);
            if fill(index, element).into_result().map_err(CallbackError::Callback)?.is_break() {
                break;
            }
            self.put(element)?;
        }
        Ok(self.end()?)
    }

    /// Writes a variable array of these elements. The iterator is cloned and run three times: for the number, the
    /// sizes and the data.
    ///
    /// # Errors
    /// The errors of [`begin_varray`](Self::begin_varray).
    pub fn write_varray<T: AsRef<[u8]>>(
        &mut self,
        user: &[u8],
        elements: impl IntoIterator<Item = T, IntoIter: Clone>,
    ) -> Written<W::Error, EncodeErrorKind> {
        let elements = elements.into_iter();
        let n = elements.clone().count() as u64;
        self.begin_varray(user, n, elements.clone().map(|element| element.as_ref().len() as u64))?;
        for element in elements {
            self.put(element.as_ref())?;
        }
        self.end()
    }

    /// Opens a compressed block of `u` bytes before compression. Its text, the compressed and Base64-encoded form
    /// that the file contains, has `text_length` bytes.
    ///
    /// # Errors
    /// The errors of [`SectionWriter::begin_block`]; [`EncodeErrorKind::TextLength`] if no text can have this length.
    pub fn begin_compressed_block(
        &mut self,
        user: &[u8],
        u: Count,
        text_length: u64,
    ) -> Written<W::Error, EncodeErrorKind> {
        self.emit(|encoder| encoder.compressed_block(user, u, text_length))
    }

    /// Opens a compressed array of `n` elements of `u` bytes each before compression, whose texts have these sizes
    /// in bytes. Only the sum of the sizes is checked; the caller must write each text with its own size.
    ///
    /// # Errors
    /// The errors of [`SectionWriter::begin_varray`]; [`EncodeErrorKind::TextLength`] if no text can have one of these
    /// lengths.
    pub fn begin_compressed_array(
        &mut self,
        user: &[u8],
        n: u64,
        u: Count,
        texts: impl IntoIterator<Item = u64, IntoIter: Clone>,
    ) -> Written<W::Error, EncodeErrorKind> {
        let texts = texts.into_iter();
        self.check(|encoder| {
            encoder.compressed_array(user, n.into(), u)?;
            texts.clone().try_for_each(|text| encoder.size(text).map(drop))
        })?;
        self.emit(|encoder| encoder.compressed_array(user, n.into(), u))?;
        self.lines(texts, Encoder::size)
    }

    /// Opens a compressed variable array of `n` elements, with their sizes before compression and the sizes of their
    /// texts, both in bytes.
    ///
    /// # Errors
    /// The errors of [`SectionWriter::begin_compressed_array`].
    pub fn begin_compressed_varray(
        &mut self,
        user: &[u8],
        n: u64,
        sizes: impl IntoIterator<Item = u64, IntoIter: Clone>,
        texts: impl IntoIterator<Item = u64, IntoIter: Clone>,
    ) -> Written<W::Error, EncodeErrorKind> {
        let (sizes, texts) = (sizes.into_iter(), texts.into_iter());
        self.check(|encoder| {
            encoder.compressed_varray(n.into())?;
            sizes.clone().try_for_each(|size| encoder.uncompressed(size).map(drop))?;
            encoder.second_half(user)?;
            texts.clone().try_for_each(|text| encoder.size(text).map(drop))
        })?;
        self.emit(|encoder| encoder.compressed_varray(n.into()))?;
        self.lines(sizes, Encoder::uncompressed)?;
        self.emit(|encoder| encoder.second_half(user))?;
        self.lines(texts, Encoder::size)
    }

    /// Ends the open section.
    ///
    /// # Errors
    /// Data or sizes are missing, or the sink failed.
    pub fn end(&mut self) -> Written<W::Error, EncodeErrorKind> {
        self.emit(|encoder| encoder.end())
    }

    /// Writes a line for each of these numbers.
    fn lines<const N: usize>(
        &mut self,
        numbers: impl IntoIterator<Item = u64>,
        line: impl Fn(&mut Encoder, u64) -> Result<[u8; N], EncodeErrorKind>,
    ) -> Written<W::Error, EncodeErrorKind> {
        let (mut numbers, mut lines) = (numbers.into_iter(), [[0; N]; LINES]);
        loop {
            let (mut filled, mut refused) = (0_usize, Ok(()));
            for (to, number) in lines.iter_mut().zip(&mut numbers) {
                match line(&mut self.encoder, number) {
                    Ok(line) => *to = line,
                    Err(kind) => {
                        refused = Err(kind);
                        break;
                    }
                }
                filled.increase(1);
            }
            // The lines before the one that is refused have been counted.
            self.output.put(prefix(&lines, filled).as_flattened())?;
            refused?;
            if filled < LINES {
                return Ok(());
            }
        }
    }
}

/// Number of elements of `e` bytes in `data`. An incomplete element is refused.
fn whole_elements(data: &[u8], e: usize) -> Result<u64, EncodeErrorKind> {
    let offered = data.len() as u64;
    let n = offered.checked_div(e as u64).unwrap_or(0);
    let room = n.saturating_mul(e as u64);
    if room < offered { Err(EncodeErrorKind::DataTooLong { offered, room }) } else { Ok(n) }
}
