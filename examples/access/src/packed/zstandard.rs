//! The frames of a Zstandard file (RFC 8878), one after the other.

use std::io::{self, BufRead, ErrorKind, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// Reads the content of all frames. Sums and lengths that frames state are compared (3.1.1).
pub(super) struct Frames<R> {
    source: R,
    decoder: FrameDecoder,
    is_in_frame: bool,
    /// Number of bytes of the frame that were passed on.
    bytes: u64,
}

impl<R: BufRead> Frames<R> {
    pub fn new(source: R) -> Self {
        Self { source, decoder: FrameDecoder::new(), is_in_frame: false, bytes: 0 }
    }

    /// Begins the next frame. Returns whether there is one.
    fn begin(&mut self) -> io::Result<bool> {
        loop {
            if self.source.fill_buf()?.is_empty() {
                return Ok(false);
            }
            match self.decoder.reset(&mut self.source) {
                Ok(()) => {
                    (self.is_in_frame, self.bytes) = (true, 0);
                    return Ok(true);
                }
                // 3.1.2: frames of other programs are passed over.
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let skipped = io::copy(&mut self.source.by_ref().take(length.into()), &mut io::sink())?;
                    if skipped < u64::from(length) {
                        return Err(ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::BadMagicNumber(_))) => {
                    return Err(invalid("a frame is followed by other bytes"));
                }
                Err(FrameDecoderError::WindowSizeTooBig { .. }) => return Err(ErrorKind::OutOfMemory.into()),
                Err(error) => return Err(invalid(error)),
            }
        }
    }

    /// Compares the sum and the length of a frame that has ended.
    fn end(&mut self) -> io::Result<()> {
        self.is_in_frame = false;
        let stored = self.decoder.get_checksum_from_data();
        if stored.is_some() && stored != self.decoder.get_calculated_checksum() {
            return Err(invalid("the checksum of the content differs"));
        }
        let stated = self.decoder.content_size();
        if stated != 0 && stated != self.bytes {
            return Err(invalid(format!("a frame has {} bytes instead of {stated}", self.bytes)));
        }
        Ok(())
    }
}

fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, error)
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.is_in_frame && !self.begin()? {
                return Ok(0);
            }
            if self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.source, one).map_err(invalid)?;
            }
            match self.decoder.read(out)? {
                0 if self.decoder.is_finished() => self.end()?,
                0 => {}
                n => {
                    self.bytes = self.bytes.saturating_add(n as u64);
                    return Ok(n);
                }
            }
        }
    }
}
