//! The scda writer over an asynchronous stream.

use embedded_io_async::Write;

use super::async_sink::AsyncSink;
use super::error::WriteError;

use crate::scda::logical::Encoder;
use crate::scda::{Count, EncodeErrorKind, INLINE_LEN, MAX_USER_LEN, Style};

/// [`AsyncSectionWriter`](super::AsyncSectionWriter) for asynchronous sinks. After a failure of the sink, or a call of which
/// the future was dropped, every call is refused.
///
/// ```
/// use linkstream::io::{AsyncSectionWriter, WriteError};
/// use linkstream::scda::{EncodeErrorKind, Style};
///
/// async fn ids<W: embedded_io_async::Write>(sink: W) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
///     let mut file = AsyncSectionWriter::new(sink, Style::Unix);
///     file.header(b"example", b"demo").await?;
///     file.write_array(b"ids", 3, b"abcdef").await?;
///     file.finish().await
/// }
/// ```
#[derive(Debug)]
pub struct AsyncSectionWriter<W> {
    sink: AsyncSink<W>,
    encoder: Encoder,
}

/// What writing gives.
type Written<W> = Result<(), WriteError<<W as embedded_io::ErrorType>::Error, EncodeErrorKind>>;

impl<W> AsyncSectionWriter<W> {
    /// A writer of a new file.
    pub fn new(sink: W, style: Style) -> Self {
        Self::resume(sink, Encoder::new(crate::scda::Encoder::new(style)))
    }

    /// Continues in `sink` at the position of `encoder`.
    pub const fn resume(sink: W, encoder: Encoder) -> Self {
        Self { sink: AsyncSink::new(sink), encoder }
    }

    /// The encoder, to be asked for its position.
    pub const fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// Gives back the sink and the encoder, also inside a section: to go on elsewhere.
    pub fn into_parts(self) -> (W, Encoder) {
        (self.sink.into_inner(), self.encoder)
    }
}

impl<W: Write> AsyncSectionWriter<W> {
    /// As [`SectionWriter::header`](super::SectionWriter::header).
    ///
    /// # Errors
    /// As there.
    pub async fn header(&mut self, vendor: &[u8], user: &[u8]) -> Written<W> {
        self.sink.usable()?;
        self.sink.put(self.encoder.raw()?.header(vendor, user)?).await
    }

    /// As [`SectionWriter::inline`](super::SectionWriter::inline).
    ///
    /// # Errors
    /// As there.
    pub async fn inline(&mut self, user: &[u8], data: &[u8; INLINE_LEN]) -> Written<W> {
        self.sink.usable()?;
        self.sink.put(self.encoder.raw()?.inline(user)?).await?;
        self.write(data).await?;
        self.end().await
    }

    /// As [`SectionWriter::block`](super::SectionWriter::block).
    ///
    /// # Errors
    /// As there.
    pub async fn block(&mut self, user: &[u8], e: Count) -> Written<W> {
        self.sink.usable()?;
        self.sink.put(self.encoder.raw()?.block(user, e)?).await
    }

    /// As [`SectionWriter::array`](super::SectionWriter::array).
    ///
    /// # Errors
    /// As there.
    pub async fn array(&mut self, user: &[u8], n: Count, e: Count) -> Written<W> {
        self.sink.usable()?;
        self.sink.put(self.encoder.raw()?.array(user, n, e)?).await
    }

    /// As [`SectionWriter::varray`](super::SectionWriter::varray).
    ///
    /// # Errors
    /// As there.
    pub async fn varray(&mut self, user: &[u8], n: u64, sizes: impl IntoIterator<Item = u64>) -> Written<W> {
        self.sink.usable()?;
        self.sink.put(self.encoder.raw()?.varray(user, n.into())?).await?;
        for size in sizes {
            let entry = self.encoder.raw()?.size(size)?;
            self.sink.put(&entry).await?;
        }
        Ok(())
    }

    /// As [`SectionWriter::write_block`](super::SectionWriter::write_block).
    ///
    /// # Errors
    /// As there.
    pub async fn write_block(&mut self, user: &[u8], data: &[u8]) -> Written<W> {
        self.block(user, (data.len() as u64).into()).await?;
        self.write(data).await?;
        self.end().await
    }

    /// As [`SectionWriter::write_array`](super::SectionWriter::write_array).
    ///
    /// # Errors
    /// As there.
    pub async fn write_array(&mut self, user: &[u8], e: usize, data: &[u8]) -> Written<W> {
        let offered = data.len() as u64;
        let n = offered.checked_div(e as u64).unwrap_or(0);
        let room = n.saturating_mul(e as u64);
        if room < offered {
            return Err(EncodeErrorKind::DataTooLong { offered, room }.into());
        }
        self.array(user, n.into(), (e as u64).into()).await?;
        self.write(data).await?;
        self.end().await
    }

    /// As [`SectionWriter::write_array_with`](super::SectionWriter::write_array_with).
    ///
    /// # Errors
    /// As there.
    pub async fn write_array_with(
        &mut self,
        user: &[u8],
        n: u64,
        element: &mut [u8],
        mut fill: impl FnMut(u64, &mut [u8]),
    ) -> Written<W> {
        self.array(user, n.into(), (element.len() as u64).into()).await?;
        // Of elements without bytes there can be any number.
        for index in 0..if element.is_empty() { 0 } else { n } {
            fill(index, element);
            self.write(element).await?;
        }
        self.end().await
    }

    /// As [`SectionWriter::write_varray`](super::SectionWriter::write_varray).
    ///
    /// # Errors
    /// As there.
    pub async fn write_varray<T: AsRef<[u8]>>(
        &mut self,
        user: &[u8],
        elements: impl IntoIterator<Item = T, IntoIter: Clone>,
    ) -> Written<W> {
        let elements = elements.into_iter();
        let n = elements.clone().count() as u64;
        self.varray(user, n, elements.clone().map(|element| element.as_ref().len() as u64)).await?;
        for element in elements {
            self.write(element.as_ref()).await?;
        }
        self.end().await
    }

    /// As [`SectionWriter::compressed_block`](super::SectionWriter::compressed_block).
    ///
    /// # Errors
    /// As there.
    pub async fn compressed_block(&mut self, user: &[u8], u: Count, text_length: u64) -> Written<W> {
        self.sink.usable()?;
        self.sink.put(self.encoder.block(user, u, text_length)?).await
    }

    /// As [`SectionWriter::compressed_array`](super::SectionWriter::compressed_array).
    ///
    /// # Errors
    /// As there.
    pub async fn compressed_array(
        &mut self,
        user: &[u8],
        n: u64,
        u: Count,
        texts: impl IntoIterator<Item = u64>,
    ) -> Written<W> {
        self.sink.usable()?;
        self.sink.put(self.encoder.array(user, n.into(), u)?).await?;
        self.text_sizes(texts).await
    }

    /// As [`SectionWriter::compressed_varray`](super::SectionWriter::compressed_varray).
    ///
    /// # Errors
    /// As there.
    pub async fn compressed_varray(
        &mut self,
        user: &[u8],
        n: u64,
        sizes: impl IntoIterator<Item = u64>,
        texts: impl IntoIterator<Item = u64>,
    ) -> Written<W> {
        self.sink.usable()?;
        // Wanted only for the second half, when it would be too late to refuse it.
        if user.len() > MAX_USER_LEN {
            return Err(EncodeErrorKind::StringTooLong { length: user.len(), limit: MAX_USER_LEN }.into());
        }
        self.sink.put(self.encoder.varray(n.into())?).await?;
        for size in sizes {
            let entry = self.encoder.uncompressed(size)?;
            self.sink.put(&entry).await?;
        }
        self.sink.put(self.encoder.second_half(user)?).await?;
        self.text_sizes(texts).await
    }

    async fn text_sizes(&mut self, texts: impl IntoIterator<Item = u64>) -> Written<W> {
        for length in texts {
            let entry = self.encoder.text_size(length)?;
            self.sink.put(&entry).await?;
        }
        Ok(())
    }

    /// As [`SectionWriter::write`](super::SectionWriter::write).
    ///
    /// # Errors
    /// As there.
    pub async fn write(&mut self, bytes: &[u8]) -> Written<W> {
        self.sink.usable()?;
        self.encoder.data(bytes)?;
        self.sink.put(bytes).await
    }

    /// As [`SectionWriter::stored`](super::SectionWriter::stored).
    ///
    /// # Errors
    /// As there.
    #[cfg(feature = "inflate")]
    pub async fn stored(&mut self, element: &[u8]) -> Written<W> {
        let length = element.len() as u64;
        // On trial, so that no part of a text is written that does not fit.
        self.encoder.data(&[])?;
        let (offered, room) = (crate::scda::stored_length(length).unwrap_or(u64::MAX), self.encoder.room());
        if offered > room {
            return Err(EncodeErrorKind::DataTooLong { offered, room }.into());
        }
        let mut stored = crate::scda::Stored::new(length, self.encoder.style());
        let mut text = [0; 512];
        let mut rest = element;
        while !stored.is_done() {
            let (read, written) = stored.encode(rest, &mut text);
            rest = rest.get(read..).unwrap_or_default();
            self.write(text.get(..written).unwrap_or_default()).await?;
        }
        Ok(())
    }

    /// As [`SectionWriter::end`](super::SectionWriter::end).
    ///
    /// # Errors
    /// As there.
    pub async fn end(&mut self) -> Written<W> {
        self.sink.usable()?;
        self.sink.put(self.encoder.end()?).await
    }

    /// As [`SectionWriter::finish`](super::SectionWriter::finish).
    ///
    /// # Errors
    /// As there.
    pub async fn finish(&mut self) -> Written<W> {
        self.sink.usable()?;
        self.encoder.finish()?;
        self.sink.flush().await
    }
}
