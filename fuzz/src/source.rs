//! A source for the pull reader that returns fewer bytes than asked for and can seek.

use core::convert::Infallible;

use embedded_io::{ErrorType, Read, Seek, SeekFrom};

use crate::Dice;

/// A file in memory, read at most 200 bytes at a time.
pub struct Trickle<'a> {
    file: &'a [u8],
    at: u64,
    dice: Dice,
}

impl<'a> Trickle<'a> {
    #[must_use]
    pub fn new(file: &'a [u8]) -> Self {
        Self { file, at: 0, dice: Dice::from_bytes(file) }
    }
}

impl ErrorType for Trickle<'_> {
    type Error = Infallible;
}

impl Read for Trickle<'_> {
    fn read(&mut self, to: &mut [u8]) -> Result<usize, Infallible> {
        let rest = usize::try_from(self.at).ok().and_then(|at| self.file.get(at..)).unwrap_or_default();
        let most = rest.len().min(to.len());
        let n = most.min(1 + self.dice.below(200));
        to[..n].copy_from_slice(&rest[..n]);
        self.at += n as u64;
        Ok(n)
    }
}

impl Seek for Trickle<'_> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64, Infallible> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::End(by) => {
                (self.file.len() as u64).checked_add_signed(by).expect("the target is inside the file")
            }
            SeekFrom::Current(by) => self.at.checked_add_signed(by).expect("the target is inside the file"),
        };
        Ok(self.at)
    }
}
