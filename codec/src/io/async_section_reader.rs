//! Sections of scda files one by one, from an asynchronous stream.

use embedded_io_async::Read;

use super::async_reader::AsyncReader;
use super::error::ReadError;
use super::sections::{Place, Sections};
use crate::error::Mode;
#[cfg(feature = "inflate")]
use crate::scda::Unpacker;
use crate::scda::logical::{Decoder, ErrorKind, Section};

/// [`SectionReader`](super::SectionReader) for asynchronous sources. It does not seek.
///
/// ```
/// use linkstream::io::{AsyncSectionReader, ReadError};
/// use linkstream::scda::logical::ErrorKind;
///
/// async fn count<R: embedded_io_async::Read>(source: R) -> Result<u64, ReadError<R::Error, ErrorKind>> {
///     let (mut buffer, mut out, mut count) = ([0; 64], [0; 100], 0);
///     let mut sections = AsyncSectionReader::new(source, &mut buffer);
///     while sections.next_section().await?.is_some() {
///         if sections.user() == b"ids" {
///             while sections.element(&mut out).await?.is_some() {
///                 count += 1;
///             }
///         }
///     }
///     Ok(count)
/// }
/// ```
#[derive(Debug)]
pub struct AsyncSectionReader<'b, R, D = Decoder> {
    reader: AsyncReader<'b, R, D>,
    place: Place<'b>,
}

impl<'b, R> AsyncSectionReader<'b, R> {
    /// A reader of raw sections from the first byte of a file. It accepts what the format's document accepts
    /// ([`Mode::Lenient`]). Any buffer that is not empty will do.
    pub fn new(source: R, buffer: &'b mut [u8]) -> Self {
        Self::with_decoder(source, buffer, Decoder::new(Mode::Lenient, false))
    }
}

#[cfg(feature = "inflate")]
impl<'b, R> AsyncSectionReader<'b, R, Unpacker<&'b mut [u8]>> {
    /// A reader of sections as they were before compression. `elements` holds an element of them, or 32 KiB of a
    /// longer one.
    pub fn unpacking(source: R, buffer: &'b mut [u8], elements: &'b mut [u8]) -> Self {
        let decoder = Decoder::new(Mode::Lenient, true);
        Self::with_decoder(source, buffer, Unpacker::new(decoder, elements))
    }
}

impl<'b, R, D: Sections> AsyncSectionReader<'b, R, D> {
    /// A reader with this decoder, which is before a section: another mode, or in the middle of a file.
    pub fn with_decoder(source: R, buffer: &'b mut [u8], decoder: D) -> Self {
        Self { reader: AsyncReader::new(source, buffer, decoder), place: Place::new(&mut []) }
    }

    /// Lends a table for the sizes of the elements of a variable array.
    #[must_use]
    pub fn with_table(self, table: &'b mut [u64]) -> Self {
        Self { place: self.place.with_table(table), ..self }
    }

    /// The present section, or the last one.
    pub fn section(&self) -> &Section {
        self.reader.decoder().sections().section()
    }

    /// The user string of the present section. Not necessarily text.
    pub fn user(&self) -> &[u8] {
        self.reader.decoder().sections().user()
    }

    /// The vendor string of the file. Not necessarily text.
    pub fn vendor(&self) -> &[u8] {
        self.reader.decoder().sections().vendor()
    }

    /// The decoder.
    pub const fn decoder(&self) -> &D {
        self.reader.decoder()
    }

    /// Gives back the source and the decoder. Bytes that were read ahead are lost to the source.
    pub fn into_parts(self) -> (R, D) {
        self.reader.into_parts()
    }
}

impl<R: Read, D: Sections> AsyncSectionReader<'_, R, D> {
    /// As [`SectionReader::next_section`](super::SectionReader::next_section).
    ///
    /// # Errors
    /// As there.
    pub async fn next_section(&mut self) -> Result<Option<Section>, ReadError<R::Error, ErrorKind>> {
        self.reader.run(|frame| self.place.next(frame)).await
    }

    /// As [`SectionReader::element`](super::SectionReader::element).
    ///
    /// # Errors
    /// As there.
    pub async fn element<'o>(
        &mut self,
        out: &'o mut [u8],
    ) -> Result<Option<&'o mut [u8]>, ReadError<R::Error, ErrorKind>> {
        let Some((size, done)) = self.reader.run(|frame| self.place.element(frame, out)).await? else {
            return Ok(None);
        };
        let element = out.get_mut(..size).unwrap_or_default();
        if !done {
            self.reader.fill(element, &mut self.place.done).await?;
            self.place.element_is_read();
        }
        Ok(Some(element))
    }

    /// As [`SectionReader::sizes`](super::SectionReader::sizes).
    ///
    /// # Errors
    /// As there.
    pub async fn sizes(&mut self, out: &mut [u64]) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        self.reader.run(|frame| self.place.sizes(frame, out)).await
    }

    /// As [`SectionReader::read`](super::SectionReader::read).
    ///
    /// # Errors
    /// As there.
    pub async fn read(&mut self, out: &mut [u8]) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        self.place.done = 0;
        self.some(out).await
    }

    /// As [`SectionReader::read_exact`](super::SectionReader::read_exact).
    ///
    /// # Errors
    /// As there.
    pub async fn read_exact(&mut self, out: &mut [u8]) -> Result<(), ReadError<R::Error, ErrorKind>> {
        loop {
            let needed = self.place.done as u64;
            let rest = out.get_mut(self.place.done..).ok_or(ReadError::TooSmall { needed })?;
            if rest.is_empty() {
                break;
            }
            match self.some(rest).await? {
                0 => return Err(ReadError::NotOpen),
                n => self.place.done = self.place.done.saturating_add(n),
            }
        }
        self.place.done = 0;
        Ok(())
    }

    async fn some(&mut self, out: &mut [u8]) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        match self.reader.run(|frame| self.place.bytes(frame, out)).await? {
            Some(n) => Ok(n),
            None => match self.reader.read(out).await? {
                0 if !out.is_empty() && self.reader.frame.payload() > 0 => Err(self.reader.frame.truncated()),
                n => Ok(n),
            },
        }
    }
}
