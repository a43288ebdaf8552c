//! The buffers of readers and writers.

/// Implemented by every type that can be the buffer of a reader or writer, which is every type that lends its bytes. A
/// `&mut [u8]` or `&mut [u8; 4096]` is borrowed. An array, a `Vec<u8>` or a `Box<[u8]>` is owned, so that the reader
/// can be returned, stored in a structure or sent to another thread together with it.
///
/// The code of a reader is compiled once for each type of its buffer. If code size matters, pass a slice
/// (`&mut buffer[..]`): it has the same type for all lengths.
///
/// ```
/// use linkstream::io::{Buffer, ReadError, RecordReader};
/// use linkstream::lime::{ErrorKind, Header};
///
/// /// A reader that owns its buffer.
/// fn open(file: &[u8]) -> RecordReader<&[u8], [u8; 512]> {
///     RecordReader::new(file, [0; 512])
/// }
///
/// /// Counts records, for any buffer.
/// fn count<R: embedded_io::Read, B: Buffer>(
///     mut records: RecordReader<R, B>,
/// ) -> Result<u64, ReadError<R::Error, ErrorKind>> {
///     let mut count = 0;
///     while records.next_record()?.is_some() {
///         count += 1;
///     }
///     Ok(count)
/// }
///
/// let file = Header::new(b"greeting", 0, true, true)?;
/// assert_eq!(count(open(file.as_bytes()))?, 1);
/// assert_eq!(count(RecordReader::new(&file.as_bytes()[..], vec![0; 64]))?, 1);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub trait Buffer: AsRef<[u8]> + AsMut<[u8]> {}

impl<B: AsRef<[u8]> + AsMut<[u8]>> Buffer for B {}
