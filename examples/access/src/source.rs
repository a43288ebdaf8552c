//! Sources for several threads, which can read different parts at the same time.

use std::sync::Arc;

use embedded_io::ErrorKind;

pub use linkstream_arithmetic::parallel::WORTHWHILE;

/// A source that can be read at any offset and has no current position: a file, for example.
pub trait Source: Send + Sync {
    /// Reason why the source could not be read.
    type Error: embedded_io::Error + Send;

    /// Length of the source in bytes.
    ///
    /// # Errors
    /// The source failed.
    fn length(&self) -> Result<u64, Self::Error>;

    /// Minimum length of fields that are read by several threads. Shorter ones are read in order, by one thread.
    fn worthwhile(&self) -> u64 {
        WORTHWHILE
    }

    /// A value that is equal for two sources if they are the same file, if such a value is known.
    fn identity(&self) -> Option<(u64, u64)> {
        None
    }

    /// Number of parts of data that one thread may read in any order. It should read a piece of each part in turn;
    /// within a part, the pieces are in order.
    fn places(&self) -> u64 {
        1
    }

    /// True if the source has certainly changed since it was opened. Bytes that were read at different times then need
    /// not belong together.
    ///
    /// # Errors
    /// The source failed, so that it is unknown.
    fn is_changed(&self) -> Result<bool, Self::Error> {
        Ok(false)
    }

    /// Reads some bytes from `offset` on. Returns their number, which is 0 at the end of the source.
    ///
    /// # Errors
    /// The source failed.
    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<usize, Self::Error>;
}

/// A source that belongs to all that read it.
pub type SharedSource<'s, E> = Arc<dyn Source<Error = E> + 's>;

macro_rules! pointers {
    ($($pointer:ty),*) => {$(
        impl<S: Source + ?Sized> Source for $pointer {
            type Error = S::Error;

            fn length(&self) -> Result<u64, S::Error> {
                (**self).length()
            }

            fn worthwhile(&self) -> u64 {
                (**self).worthwhile()
            }

            fn identity(&self) -> Option<(u64, u64)> {
                (**self).identity()
            }

            fn places(&self) -> u64 {
                (**self).places()
            }

            fn is_changed(&self) -> Result<bool, S::Error> {
                (**self).is_changed()
            }

            fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<usize, S::Error> {
                (**self).read_at(offset, out)
            }
        }
    )*};
}

pointers!(&S, Arc<S>);

/// A source whose bytes are followed by zeros. It has the length of the bytes alone.
pub(crate) struct ThenZeros(pub SharedSource<'static, std::io::Error>);

impl Source for ThenZeros {
    type Error = std::io::Error;

    fn length(&self) -> Result<u64, Self::Error> {
        self.0.length()
    }

    fn is_changed(&self) -> Result<bool, Self::Error> {
        self.0.is_changed()
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<usize, Self::Error> {
        let n = self.0.read_at(offset, out)?;
        // Zeros follow only the end of the file.
        if n > 0 || offset < self.0.length()? {
            return Ok(n);
        }
        out.fill(0);
        Ok(out.len())
    }
}

/// Maximum size of a site in bytes. Larger ones, of groups that are not simulated in practice, are not read, so that a
/// document cannot cause unlimited use of memory.
pub const MAX_SITE: u64 = 64 << 20;

/// Maximum number of records or sections of a file that is opened: their list takes some 150 MB.
pub(crate) const MAX_ENTRIES: usize = 1_000_000;

/// Reason why a source could not be read in order. Errors in the file are findings instead.
#[derive(Debug, thiserror::Error)]
pub enum SourceError<E> {
    /// The source failed.
    #[error(transparent)]
    Io(E),
    /// A seek failed: the position of the source is unknown.
    #[error("the position in the file is unknown after a failed seek")]
    PositionUnknown,
    /// A defect of the reader.
    #[error("the reader made no progress")]
    NoProgress,
    /// The caller has ended the work.
    #[error("the work was ended by its caller")]
    Stopped,
}

/// Reason why bytes could not be read.
#[derive(Debug)]
pub enum ReadAtError<E> {
    Io(E),
    /// The source ends before the last of the bytes, or has changed.
    Ended,
}

/// Reads some bytes from `offset` on, again if a signal interrupts it. Returns their number, which is 0 at the end of
/// the source.
///
/// # Errors
/// The source failed.
pub fn read_some<E: embedded_io::Error + Send>(
    source: &dyn Source<Error = E>,
    offset: u64,
    out: &mut [u8],
) -> Result<usize, E> {
    loop {
        match source.read_at(offset, out) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

/// Reads from `offset` on until `out` is full or the source ends. Returns the number of bytes.
///
/// # Errors
/// The source failed.
pub fn fill_most<E: embedded_io::Error + Send>(
    source: &dyn Source<Error = E>,
    offset: u64,
    out: &mut [u8],
) -> Result<usize, E> {
    let mut filled = 0;
    while let Some(rest) = out.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match read_some(source, offset.saturating_add(filled as u64), rest)? {
            0 => break,
            n => filled = filled.saturating_add(n),
        }
    }
    Ok(filled)
}

/// Fills `out` from `offset` on.
///
/// # Errors
/// The source failed, or ends before the last of the bytes.
pub fn fill<E: embedded_io::Error + Send>(
    source: &dyn Source<Error = E>,
    offset: u64,
    out: &mut [u8],
) -> Result<(), ReadAtError<E>> {
    match fill_most(source, offset, out).map_err(ReadAtError::Io)? {
        filled if filled == out.len() => Ok(()),
        _ => Err(ReadAtError::Ended),
    }
}
