//! Sources of which several threads read different parts at once.

use embedded_io::ErrorKind;

pub use linkstream_arithmetic::parallel::WORTHWHILE;

/// A source that can be read anywhere without moving: a file, for example.
pub trait Parts: Sync {
    /// Why it cannot be read.
    type Error: embedded_io::Error + Send;

    /// Bytes of the source.
    ///
    /// # Errors
    /// The source failed.
    fn length(&self) -> Result<u64, Self::Error>;

    /// Fields of fewer bytes are read in order, by one thread.
    fn worthwhile(&self) -> u64 {
        WORTHWHILE
    }

    /// What is equal for two sources that are the same file, if that is known.
    fn identity(&self) -> Option<(u64, u64)> {
        None
    }

    /// At how many places data should be read in turn, each in order, by one thread that needs them in no order.
    fn places(&self) -> u64 {
        1
    }

    /// Reads some bytes from `offset` on. Returns their number; 0 at the end of the source.
    ///
    /// # Errors
    /// The source failed.
    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<usize, Self::Error>;
}

/// Why bytes could not be had.
#[derive(Debug)]
pub enum PartError<E> {
    Io(E),
    /// The source ends before them.
    Ended,
}

/// Fills `out` from `offset` on.
pub fn fill<E: embedded_io::Error + Send>(
    parts: &dyn Parts<Error = E>,
    offset: u64,
    out: &mut [u8],
) -> Result<(), PartError<E>> {
    let (mut offset, mut rest) = (offset, out);
    while !rest.is_empty() {
        match parts.read_at(offset, rest) {
            Ok(0) => return Err(PartError::Ended),
            Ok(n) => {
                rest = &mut rest[n..];
                offset += n as u64;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(PartError::Io(error)),
        }
    }
    Ok(())
}
