//! Adapts a source that is read at offsets to the traits for reading and seeking.

use embedded_io::{ErrorType, Read, Seek, SeekFrom};

use crate::source::{Source, read_some};

/// A reader of a source, with a current position.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "sources need not implement it")]
pub struct SourceReader<'p, E> {
    source: &'p dyn Source<Error = E>,
    at: u64,
}

impl<'p, E> SourceReader<'p, E> {
    pub const fn new(source: &'p dyn Source<Error = E>) -> Self {
        Self { source, at: 0 }
    }
}

impl<E: embedded_io::Error + Send> ErrorType for SourceReader<'_, E> {
    type Error = E;
}

impl<E: embedded_io::Error + Send> Read for SourceReader<'_, E> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, E> {
        let n = read_some(self.source, self.at, out)?;
        self.at = self.at.saturating_add(n as u64);
        Ok(n)
    }
}

impl<E: embedded_io::Error + Send> Seek for SourceReader<'_, E> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64, E> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            // The reader of volumes never seeks to a position before the start.
            SeekFrom::Current(by) => self.at.saturating_add_signed(by),
            SeekFrom::End(by) => self.source.length()?.saturating_add_signed(by),
        };
        Ok(self.at)
    }
}
