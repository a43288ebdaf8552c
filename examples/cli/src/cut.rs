//! A damaged LIME file up to where its records end: what is before a cut can be read.

use std::io::{self, Read, Seek, SeekFrom};

use crate::system::File;

/// A file, or the part of it that can be read.
#[derive(Debug)]
pub struct Begin {
    file: File,
    /// `None` for the whole file.
    length: Option<u64>,
}

impl Begin {
    pub fn new(file: File, length: Option<u64>) -> Self {
        Self { file, length }
    }
}

impl Read for Begin {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let Some(length) = self.length else { return self.file.read(out) };
        let at = self.file.stream_position()?;
        self.file.read(within(at, length, out))
    }
}

impl Seek for Begin {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match (self.length, to) {
            (Some(length), SeekFrom::End(back)) => {
                let at = length.checked_add_signed(back).ok_or(io::ErrorKind::InvalidInput)?;
                self.file.seek(SeekFrom::Start(at))
            }
            _ => self.file.seek(to),
        }
    }
}

/// As much of `out` as can be filled from an offset, if only the first `length` bytes of a file count.
pub fn within(at: u64, length: u64, out: &mut [u8]) -> &mut [u8] {
    let left = usize::try_from(length.saturating_sub(at)).unwrap_or(usize::MAX);
    let wanted = out.len().min(left);
    &mut out[..wanted]
}
