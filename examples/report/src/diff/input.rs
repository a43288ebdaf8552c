//! One of the two sources. Its errors name the file.

use embedded_io::{Read, ReadExactError, Seek, SeekFrom};

use super::error::{DiffError, Side};

pub struct Input<R> {
    source: R,
    side: Side,
}

impl<R> Input<R> {
    pub const fn new(source: R, side: Side) -> Self {
        Self { source, side }
    }

    pub const fn side(&self) -> Side {
        self.side
    }

    pub const fn source(&mut self) -> &mut R {
        &mut self.source
    }
}

impl<R: Read + Seek> Input<R> {
    pub fn seek(&mut self, to: u64) -> Result<(), DiffError> {
        let sought = self.source.seek(SeekFrom::Start(to));
        sought.map(drop).map_err(|error| DiffError::source(self.side, &error))
    }

    /// The length of the source in bytes. Moves to its start.
    pub fn length(&mut self) -> Result<u64, DiffError> {
        let length = self.source.seek(SeekFrom::End(0));
        let length = length.map_err(|error| DiffError::source(self.side, &error))?;
        self.seek(0)?;
        Ok(length)
    }

    /// Fills the slice. The bytes must exist: if they do not, the file has become shorter since its structure was read.
    pub fn fill(&mut self, out: &mut [u8]) -> Result<(), DiffError> {
        self.source.read_exact(out).map_err(|error| match error {
            ReadExactError::UnexpectedEof => DiffError::Changed { side: self.side },
            ReadExactError::Other(error) => DiffError::source(self.side, &error),
        })
    }
}
