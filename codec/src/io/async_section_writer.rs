//! The scda writer, over an asynchronous sink.

use embedded_io_async::Write;

use super::pieces::{Elements, Lines};
use super::section_writer::{SectionWriter, Written, whole_elements};
#[cfg(feature = "inflate")]
use super::stored_text::StoredText;
use crate::scda::logical::Encoder;
use crate::scda::{Count, INLINE_LEN};

/// The same calls over `embedded_io_async`: each does what its namesake without `_async` does.
///
/// ```
/// use linkstream::io::{SectionWriter, WriteError};
/// use linkstream::scda::{EncodeErrorKind, Style, stored_length};
///
/// async fn save<W: embedded_io_async::Write>(sink: W) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
///     let mut file = SectionWriter::create(sink, Style::Unix);
///     file.header_async(b"my program", b"an example").await?;
///     file.inline_async(b"note", b"thirty-two bytes of data, exact\n").await?;
///     file.write_block_async(b"text", b"hello").await?;
///     file.write_array_async(b"ids", 3, b"abcdef").await?;
///     file.write_array_with_async(b"zeros", 5, &mut [0; 2], |_, element| element.fill(0)).await?;
///     file.write_varray_async(b"words", [&b"one"[..], b"", b"three"]).await?;
///     // In pieces.
///     file.block_async(b"pieces", 6.into()).await?;
///     file.write_async(b"pie").await?;
///     file.write_async(b"ces").await?;
///     file.end_async().await?;
///     file.array_async(b"one element", 1.into(), 4.into()).await?;
///     file.write_async(b"data").await?;
///     file.end_async().await?;
///     file.varray_async(b"one word", 1, [4]).await?;
///     file.write_async(b"word").await?;
///     file.end_async().await?;
///     // Compressed, with stored blocks.
///     let text = stored_length(5).unwrap_or_default();
///     file.compressed_block_async(b"block", 5.into(), text).await?;
///     file.stored_async(b"hello").await?;
///     file.end_async().await?;
///     file.compressed_array_async(b"array", 1, 5.into(), [text]).await?;
///     file.stored_async(b"hello").await?;
///     file.end_async().await?;
///     file.compressed_varray_async(b"varray", 1, [5], [text]).await?;
///     file.stored_async(b"hello").await?;
///     file.end_async().await?;
///     file.finish_async().await
/// }
/// ```
impl<W: Write> SectionWriter<W> {
    /// Writes the file header. The vendor string names the writing program.
    ///
    /// # Errors
    /// A string is too long, the header has been written already, or the sink failed.
    pub async fn header_async(&mut self, vendor: &[u8], user: &[u8]) -> Written<W::Error> {
        self.writer.emit_async(|encoder| encoder.raw()?.header(vendor, user)).await
    }

    /// Writes an inline section.
    ///
    /// # Errors
    /// The user string is too long, a section is open, or the sink failed.
    pub async fn inline_async(&mut self, user: &[u8], data: &[u8; INLINE_LEN]) -> Written<W::Error> {
        self.writer.emit_async(|encoder| encoder.raw()?.inline(user)).await?;
        self.write_async(data).await?;
        self.end_async().await
    }

    /// Opens a block of `e` bytes.
    ///
    /// # Errors
    /// The user string is too long, a section is open, or the sink failed.
    pub async fn block_async(&mut self, user: &[u8], e: Count) -> Written<W::Error> {
        self.writer.emit_async(|encoder| encoder.raw()?.block(user, e)).await
    }

    /// Opens an array of `n` elements of `e` bytes each.
    ///
    /// # Errors
    /// As [`SectionWriter::block`].
    pub async fn array_async(&mut self, user: &[u8], n: Count, e: Count) -> Written<W::Error> {
        self.writer.emit_async(|encoder| encoder.raw()?.array(user, n, e)).await
    }

    /// Opens a variable array of `n` elements with these sizes in bytes.
    ///
    /// # Errors
    /// As [`SectionWriter::block`]; there are more or fewer than `n` sizes. Nothing is written then: the iterator is
    /// cloned and run twice.
    pub async fn varray_async(
        &mut self,
        user: &[u8],
        n: u64,
        sizes: impl IntoIterator<Item = u64, IntoIter: Clone>,
    ) -> Written<W::Error> {
        let sizes = sizes.into_iter();
        self.check(|encoder| {
            encoder.raw()?.varray(user, n.into())?;
            sizes.clone().try_for_each(|size| encoder.raw()?.size(size).map(drop))
        })?;
        self.writer.emit_async(|encoder| encoder.raw()?.varray(user, n.into())).await?;
        Ok(self
            .writer
            .run_async(Lines::new(sizes, |encoder: &mut Encoder, size| encoder.raw()?.size(size)))
            .await?)
    }

    /// Writes a block.
    ///
    /// # Errors
    /// As [`block_async`](Self::block_async).
    pub async fn write_block_async(&mut self, user: &[u8], data: &[u8]) -> Written<W::Error> {
        self.block_async(user, (data.len() as u64).into()).await?;
        self.write_async(data).await?;
        self.end_async().await
    }

    /// Writes an array of elements of `e` bytes each; `data` holds all of them.
    ///
    /// # Errors
    /// As [`array_async`](Self::array_async);
    /// [`EncodeErrorKind::DataTooLong`](crate::scda::EncodeErrorKind::DataTooLong) if the last element is
    /// incomplete.
    pub async fn write_array_async(&mut self, user: &[u8], e: usize, data: &[u8]) -> Written<W::Error> {
        let n = whole_elements(data, e)?;
        self.array_async(user, n.into(), (e as u64).into()).await?;
        self.write_async(data).await?;
        self.end_async().await
    }

    /// Writes an array of `n` elements. A callback fills each of them in turn, in the buffer `element`, whose length
    /// is the size of an element.
    ///
    /// # Errors
    /// As [`array_async`](Self::array_async).
    pub async fn write_array_with_async(
        &mut self,
        user: &[u8],
        n: u64,
        element: &mut [u8],
        fill: impl FnMut(u64, &mut [u8]),
    ) -> Written<W::Error> {
        self.array_async(user, n.into(), (element.len() as u64).into()).await?;
        self.writer.run_async(Elements { element, done: 0, n, fill }).await?;
        self.end_async().await
    }

    /// Writes a variable array of these elements. The iterator is cloned and run three times: for the number, the
    /// sizes and the data.
    ///
    /// # Errors
    /// As [`varray_async`](Self::varray_async).
    pub async fn write_varray_async<T: AsRef<[u8]>>(
        &mut self,
        user: &[u8],
        elements: impl IntoIterator<Item = T, IntoIter: Clone>,
    ) -> Written<W::Error> {
        let elements = elements.into_iter();
        let n = elements.clone().count() as u64;
        self.varray_async(user, n, elements.clone().map(|element| element.as_ref().len() as u64)).await?;
        for element in elements {
            self.write_async(element.as_ref()).await?;
        }
        self.end_async().await
    }

    /// Opens a compressed block of `u` bytes before compression. Its text, the compressed and Base64-encoded form
    /// that the file contains, has `text_length` bytes.
    ///
    /// # Errors
    /// As [`SectionWriter::block`]; `text_length` is not a length that such a text can have.
    pub async fn compressed_block_async(
        &mut self,
        user: &[u8],
        u: Count,
        text_length: u64,
    ) -> Written<W::Error> {
        self.writer.emit_async(|encoder| encoder.block(user, u, text_length)).await
    }

    /// Opens a compressed array of `n` elements of `u` bytes each before compression, whose texts have these sizes
    /// in bytes. Only the sum of the sizes is checked; the caller must write each text with its own size.
    ///
    /// # Errors
    /// As [`SectionWriter::varray`]; `text_length` is not a length that such a text can have.
    pub async fn compressed_array_async(
        &mut self,
        user: &[u8],
        n: u64,
        u: Count,
        texts: impl IntoIterator<Item = u64, IntoIter: Clone>,
    ) -> Written<W::Error> {
        let texts = texts.into_iter();
        self.check(|encoder| {
            encoder.array(user, n.into(), u)?;
            texts.clone().try_for_each(|text| encoder.text_size(text).map(drop))
        })?;
        self.writer.emit_async(|encoder| encoder.array(user, n.into(), u)).await?;
        self.text_sizes_async(texts).await
    }

    /// Opens a compressed variable array of `n` elements, with their sizes before compression and the sizes of their
    /// texts, both in bytes.
    ///
    /// # Errors
    /// As [`SectionWriter::compressed_array`].
    pub async fn compressed_varray_async(
        &mut self,
        user: &[u8],
        n: u64,
        sizes: impl IntoIterator<Item = u64, IntoIter: Clone>,
        texts: impl IntoIterator<Item = u64, IntoIter: Clone>,
    ) -> Written<W::Error> {
        let (sizes, texts) = (sizes.into_iter(), texts.into_iter());
        self.check(|encoder| {
            encoder.varray(n.into())?;
            sizes.clone().try_for_each(|size| encoder.uncompressed(size).map(drop))?;
            encoder.second_half(user)?;
            texts.clone().try_for_each(|text| encoder.text_size(text).map(drop))
        })?;
        self.writer.emit_async(|encoder| encoder.varray(n.into())).await?;
        self.writer.run_async(Lines::new(sizes, Encoder::uncompressed)).await?;
        self.writer.emit_async(|encoder| encoder.second_half(user)).await?;
        self.text_sizes_async(texts).await
    }

    async fn text_sizes_async(&mut self, texts: impl IntoIterator<Item = u64>) -> Written<W::Error> {
        Ok(self.writer.run_async(Lines::new(texts, Encoder::text_size)).await?)
    }

    /// Writes data of a section, or text of a compressed section that the caller has compressed.
    ///
    /// # Errors
    /// The bytes are more than the section has room for, or the sink failed.
    pub async fn write_async(&mut self, bytes: &[u8]) -> Written<W::Error> {
        self.writer.write_async(bytes).await
    }

    /// Writes the next element of a compressed section as "stored" deflate blocks, which are not actually compressed
    /// and need no compressor. The size of its text, given when the section was opened, must be
    /// [`stored_length`](crate::scda::stored_length) of its length.
    ///
    /// # Errors
    /// As [`SectionWriter::write`].
    #[cfg(feature = "inflate")]
    pub async fn stored_async(&mut self, element: &[u8]) -> Written<W::Error> {
        self.writer.output.usable()?;
        let text = StoredText::new(&mut self.writer.encoder, element)?;
        Ok(self.writer.run_async(text).await?)
    }

    /// Ends the open section.
    ///
    /// # Errors
    /// Data or sizes are missing, or the sink failed.
    pub async fn end_async(&mut self) -> Written<W::Error> {
        self.writer.emit_async(|encoder| encoder.end()).await
    }

    /// Checks that the file can end here, and flushes the sink. Call it after the last write.
    ///
    /// # Errors
    /// A section is open, there is no header, or the sink failed.
    pub async fn finish_async(&mut self) -> Written<W::Error> {
        self.writer.finish_async().await
    }
}
