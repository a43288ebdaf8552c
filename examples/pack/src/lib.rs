//! Compresses elements of scda sections with a zlib that is faster than the codec's own.

use std::io;

use flate2::{Compress, Compression, FlushCompress, Status};
use linkstream::scda::{Style, put_deflated};
use linkstream_memory::Short;

/// The state of a thread. It is reused because making it takes longer than compressing a short element.
///
/// ```
/// use linkstream::scda::Style;
/// use linkstream_pack::Compressor;
///
/// let mut compressor = Compressor::new(9);
/// let mut text = Vec::new();
/// compressor.put(b"hello hello hello hello hello", Style::Unix, &mut text)?;
/// assert!(text.starts_with(b"AAAAAAAAAB16eN") && text.ends_with(b"=\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Compressor {
    zlib: Compress,
    stream: Vec<u8>,
}

/// Maximum number of bytes that a stream can have more than its element, in addition to one in every 256: header,
/// check value, and headers of stored blocks.
const LONGER: usize = 64;

impl Compressor {
    /// `level` is between 0 (not compressed) and 9; higher ones are as 9.
    #[must_use]
    pub fn new(level: u32) -> Self {
        Self { zlib: Compress::new(Compression::new(level.min(9)), true), stream: Vec::new() }
    }

    /// Appends the compressed text of an element (scda 3.1).
    ///
    /// # Errors
    /// There is not enough memory; part of the text may have been appended.
    pub fn put(&mut self, element: &[u8], style: Style, texts: &mut Vec<u8>) -> io::Result<()> {
        self.zlib.reset();
        self.stream.clear();
        let mut rest = element;
        loop {
            let longest = rest.len().saturating_add(rest.len() / 256).saturating_add(LONGER);
            self.stream.try_reserve(longest).map_err(|_| Short)?;
            let before = self.zlib.total_in();
            let status = self.zlib.compress_vec(rest, &mut self.stream, FlushCompress::Finish)?;
            // The cast is lossless.
            let taken = self.zlib.total_in().saturating_sub(before) as usize;
            #[expect(clippy::indexing_slicing, reason = "the stream takes no more than the rest")]
            let left = &rest[taken..];
            rest = left;
            if status == Status::StreamEnd {
                break;
            }
        }
        // The text has four bytes for three of the stream, and line breaks.
        let longest = (self.stream.len() / 2).saturating_mul(3).saturating_add(LONGER);
        texts.try_reserve(longest).map_err(|_| Short)?;
        put_deflated(element.len() as u64, &self.stream, style, texts);
        Ok(())
    }
}
