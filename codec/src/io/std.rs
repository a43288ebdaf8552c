//! Sources and sinks of the standard library.

use std::io;

use embedded_io::{ErrorType, Read, Seek, SeekFrom, Write};

/// Adapts a source or sink of `std::io` to `embedded_io`: `FromStd(file)` is an `embedded_io::Read` if `file` is a
/// `std::io::Read`, and likewise for `Write` and `Seek`. Only with the feature `std`.
///
/// ```no_run
/// use linkstream::io::{FieldReader, FromStd};
///
/// let (file, mut buffer) = (FromStd(std::fs::File::open("l1616.lime")?), [0; 8192]);
/// let mut file = FieldReader::new(file, &mut buffer);
/// while let Some(mut field) = file.next_field()? {
///     field.verdict()?.require_not_refuted()?;
/// }
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FromStd<T>(
    /// The source or sink.
    pub T,
);

impl<T> ErrorType for FromStd<T> {
    type Error = io::Error;
}

impl<T: io::Read> Read for FromStd<T> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, io::Error> {
        self.0.read(out)
    }
}

impl<T: io::Write> Write for FromStd<T> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, io::Error> {
        match self.0.write(bytes)? {
            // `embedded_io` does not allow a result of 0 unless the slice is empty.
            0 if !bytes.is_empty() => Err(io::ErrorKind::WriteZero.into()),
            n => Ok(n),
        }
    }

    fn flush(&mut self) -> Result<(), io::Error> {
        self.0.flush()
    }
}

impl<T: io::Seek> Seek for FromStd<T> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64, io::Error> {
        self.0.seek(to.into())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::vec::Vec;

    use super::*;

    #[test]
    fn a_file_of_the_standard_library_is_source_and_sink() {
        let mut file = FromStd(Cursor::new(Vec::new()));
        assert_eq!(file.write(b"hello").ok(), Some(5));
        assert!(file.flush().is_ok());
        assert_eq!(file.seek(SeekFrom::End(-3)).ok(), Some(2));
        let mut out = [0; 8];
        assert_eq!(file.read(&mut out).ok(), Some(3));
        assert_eq!(&out[..3], b"llo");
        let mut full = FromStd(&mut [][..]);
        assert_eq!(full.write(b"x").map_err(|error| error.kind()), Err(io::ErrorKind::WriteZero));
    }
}
