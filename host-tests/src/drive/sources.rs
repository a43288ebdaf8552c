//! Sources that are difficult for a reader.

use crate::formula::mix64;
use embedded_io::ErrorKind;
use std::task::Poll;

/// Reproducible pseudorandom numbers.
#[derive(Debug, Clone)]
pub struct Random(pub u64);

impl Random {
    /// A number in `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        usize::try_from(mix64(self.0) % n as u64).expect("below n")
    }
}

/// A source that returns few bytes at a time, is interrupted, and in its asynchronous form is sometimes pending.
#[derive(Debug, Clone)]
pub struct Fitful<'a> {
    input: &'a [u8],
    at: u64,
    random: Random,
    waited: bool,
}

/// The only error of a [`Fitful`] source, which is harmless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("interrupted")
    }
}

impl core::error::Error for Interrupted {}

impl embedded_io::Error for Interrupted {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Interrupted
    }
}

impl<'a> Fitful<'a> {
    pub fn new(input: &'a [u8], seed: u64) -> Self {
        Self { input, at: 0, random: Random(seed), waited: false }
    }
}

impl embedded_io::ErrorType for Fitful<'_> {
    type Error = Interrupted;
}

impl embedded_io::Read for Fitful<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, Interrupted> {
        if self.random.below(4) == 0 {
            return Err(Interrupted);
        }
        let start = usize::try_from(self.at).map_or(self.input.len(), |at| at.min(self.input.len()));
        let rest = &self.input[start..];
        // Mostly few bytes, so that reads end inside every state; sometimes all that was asked for.
        let most = if self.random.below(8) == 0 { out.len() } else { 1 + self.random.below(200) };
        let n = rest.len().min(out.len()).min(most);
        out[..n].copy_from_slice(&rest[..n]);
        self.at += n as u64;
        Ok(n)
    }
}

impl embedded_io_async::Read for Fitful<'_> {
    async fn read(&mut self, out: &mut [u8]) -> Result<usize, Interrupted> {
        std::future::poll_fn(|_| {
            self.waited = !self.waited && self.random.below(3) == 0;
            if self.waited { Poll::Pending } else { Poll::Ready(embedded_io::Read::read(self, out)) }
        })
        .await
    }
}

impl embedded_io_async::Seek for Fitful<'_> {
    async fn seek(&mut self, to: embedded_io::SeekFrom) -> Result<u64, Interrupted> {
        embedded_io::Seek::seek(self, to)
    }
}

impl embedded_io::Seek for Fitful<'_> {
    /// Like a file, this allows positions beyond the end.
    fn seek(&mut self, to: embedded_io::SeekFrom) -> Result<u64, Interrupted> {
        self.at = match to {
            embedded_io::SeekFrom::Start(to) => to,
            embedded_io::SeekFrom::End(by) => {
                (self.input.len() as u64).checked_add_signed(by).expect("inside")
            }
            embedded_io::SeekFrom::Current(by) => self.at.checked_add_signed(by).expect("inside"),
        };
        Ok(self.at)
    }
}
