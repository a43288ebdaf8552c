//! Errors of readers and writers.

use core::convert::Infallible;
use core::fmt;

use crate::callback::CallbackError;
use crate::error::Error;
use crate::field::{SiteError, SitesError};
use crate::lattice::ByteOrder;
use crate::limits::OverLimit;
use crate::{field, inebin, lime, nersc, scda, volume};

/// Reason why reading stopped.
///
/// ```
/// use linkstream::io::{ReadError, RecordReader};
///
/// let mut buffer = [0; 64];
/// let mut records = RecordReader::new(&b"not a LIME file"[..], &mut buffer);
/// match records.next_record() {
///     Err(ReadError::Format(error)) => println!("{error}"),
///     Err(ReadError::Io(error)) => println!("the source failed: {error}"),
///     other => println!("{other:?}"),
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ReadError<E, K> {
    /// The source failed.
    Io(E),
    /// The file is invalid: it breaks a rule that the [`Mode`](crate::Mode) refuses.
    Format(Error<K>),
    /// An earlier seek failed: the position of the source is unknown.
    Lost,
    /// The buffer given to the reader is empty.
    NoBuffer,
    /// The slice, buffer, or table of [`SectionReader::with_table`](super::SectionReader::with_table) is too short.
    /// Nothing is lost: the call can be repeated with a longer one.
    TooSmall {
        /// Its length must be at least this: in bytes, in entries of a row, or in sizes of a variable array.
        needed: u64,
    },
    /// The slice, table or buffer is too short, and the file claims a size above the [`Limits`](crate::Limits) of the
    /// reader. Nothing is lost: the call can be repeated with a higher limit.
    Limit(OverLimit),
    /// More bytes were requested than are left in the section.
    TooFew {
        /// Number of bytes that were left.
        left: u64,
    },
    /// An earlier call did not complete: the source failed, or its future was dropped. The part that it has delivered
    /// is in its slice, or was passed to its callback, and is not delivered again. Reading of these data continues only
    /// after a call of `resume`, which returns the length of that part. The data of a field cannot be continued.
    Interrupted {
        /// Length of the delivered part, in bytes, entries of a matrix, or sizes of a variable array.
        done: u64,
    },
    /// There are no data to read at this point: no record or section is open, its data were skipped or are all read,
    /// reading by bytes and reading by elements were mixed, or the decoder is inside an entry of a matrix.
    NotOpen,
    /// The decoder neither consumed input nor reported an event. This is a bug in the decoder.
    NoProgress,
}

impl<E, K: fmt::Display> fmt::Display for ReadError<E, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(_) => f.write_str("the source failed"),
            Self::Format(error) => error.fmt(f),
            Self::Lost => f.write_str("an earlier seek failed: the position in the source is unknown"),
            Self::NoBuffer => f.write_str("the reader's buffer is empty; it needs room for at least 1 byte"),
            Self::TooSmall { needed } => {
                write!(
                    f,
                    "the slice, or the table of `with_table`, is too short: its length must be at least {needed}"
                )
            }
            Self::Limit(error) => error.fmt(f),
            Self::TooFew { left } => {
                write!(f, "more bytes were requested than are left in the section: {left}")
            }
            Self::Interrupted { done } => write!(
                f,
                "an earlier call was interrupted after it had delivered a part of the data ({done} bytes or \
                 numbers), which is not delivered again; where the reader has `resume`, it continues after it"
            ),
            Self::NotOpen => f.write_str("no data to read: none are open, or they have been read or skipped"),
            Self::NoProgress => f.write_str("the decoder made no progress, which is a bug in the decoder"),
        }
    }
}

/// [`source`](core::error::Error::source) returns the error of the underlying source of [`Io`](Self::Io).
impl<E: core::error::Error + 'static, K: core::error::Error> core::error::Error for ReadError<E, K> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Format(error) => error.source(),
            _ => None,
        }
    }
}

impl<E, K> From<Error<K>> for ReadError<E, K> {
    fn from(error: Error<K>) -> Self {
        Self::Format(error)
    }
}

impl<E, K> From<OverLimit> for ReadError<E, K> {
    fn from(error: OverLimit) -> Self {
        Self::Limit(error)
    }
}

impl<E, K> From<CallbackError<Self, Infallible>> for ReadError<E, K> {
    fn from(error: CallbackError<Self, Infallible>) -> Self {
        error.into_failed()
    }
}

/// Reason why writing stopped.
///
/// # Example
/// ```
/// use linkstream::io::{RecordWriter, WriteError};
/// use linkstream::lime::{EncodeErrorKind, Header};
///
/// let mut file = [0; 1024];
/// let mut writer = RecordWriter::create(&mut file[..]);
/// let refused = writer.begin(&Header::new(b"type", 0, false, true)?);
/// assert_eq!(refused, Err(WriteError::Refused(EncodeErrorKind::BeginMissing)));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum WriteError<E, K> {
    /// The sink failed. Its content after the last closed record is unknown. All further calls return
    /// [`Broken`](Self::Broken).
    Io(E),
    /// The sink took no bytes: it is full.
    WriteZero,
    /// The encoder refused the call; nothing of it was written.
    Refused(K),
    /// The payload was written out of order and the sink is not at its end: close the record with
    /// [`RecordWriter::end_seeking`](super::RecordWriter::end_seeking).
    NotAtEnd,
    /// The buffer given to the writer is empty.
    NoBuffer,
    /// The sink failed in an earlier call, or the future of an earlier call was dropped.
    Broken,
}

impl<E, K: fmt::Display> fmt::Display for WriteError<E, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(_) => f.write_str("the sink failed"),
            Self::WriteZero => f.write_str("the sink is full: it accepted no bytes"),
            Self::Refused(kind) => kind.fmt(f),
            Self::NotAtEnd => f.write_str("the record was written out of order: close it with `end_seeking`"),
            Self::NoBuffer => f.write_str("the writer's buffer is empty; it needs room for at least 1 byte"),
            Self::Broken => f.write_str(
                "the sink failed in an earlier call, or its future was dropped; nothing more is written",
            ),
        }
    }
}

/// [`source`](core::error::Error::source) returns the error of the underlying sink of [`Io`](Self::Io).
impl<E: core::error::Error + 'static, K: core::error::Error> core::error::Error for WriteError<E, K> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Refused(kind) => kind.source(),
            _ => None,
        }
    }
}

impl<E, K> From<CallbackError<Self, Infallible>> for WriteError<E, K> {
    fn from(error: CallbackError<Self, Infallible>) -> Self {
        error.into_failed()
    }
}

/// A call that an encoder of these modules refuses.
macro_rules! refused {
    ($($module:ident)+) => {$(
        impl<E> From<$module::EncodeErrorKind> for WriteError<E, $module::EncodeErrorKind> {
            fn from(kind: $module::EncodeErrorKind) -> Self {
                Self::Refused(kind)
            }
        }
    )+};
}

refused!(field inebin lime nersc scda volume);

/// Reason why a field could not be read as requested.
///
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::io::{FieldError, FieldReader};
/// # let source = linkstream_example::file();
///
/// let mut buffer = [0; 8192];
/// let mut file = FieldReader::new(source.as_slice(), &mut buffer);
/// let mut field = file.next_field()?.ok_or("no field")?;
/// assert!(matches!(field.read_into(&mut [0.0_f64; 3]), Err(FieldError::Site(_))));
/// field.skip()?;
/// assert_eq!(field.skip(), Err(FieldError::AlreadyRead));
/// // A buffer that holds no site of 8 bytes: the error has the length to write instead of 8.
/// let mut buffer = [0; 8];
/// let mut file = FieldReader::new(source.as_slice(), &mut buffer);
/// let mut field = file.next_field()?.ok_or("no field")?;
/// let error = field.for_each_site(|_| {}).err().ok_or("the buffer is too small")?;
/// assert_eq!(FieldError::from(error), FieldError::BufferTooSmall { needed: 16 });
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum FieldError<E> {
    /// The source failed, or the file is invalid.
    Read(ReadError<E, field::ErrorKind>),
    /// The slice does not have the length of the field, or the field does not consist of floating-point numbers.
    Site(SiteError),
    /// The data cannot be split into sites.
    Sites(SitesError),
    /// The buffer of the reader is too small to hold a site of this field.
    BufferTooSmall {
        /// The length in bytes of the buffer to pass to the constructor.
        needed: u64,
    },
    /// The data of this field have already been read or skipped.
    AlreadyRead,
    /// [`require_match`](crate::Verdict::require_match) or
    /// [`require_not_refuted`](crate::Verdict::require_not_refuted) refused the verdict. No call of a reader returns this
    /// variant: `?` creates it.
    Unverified(field::Unverified),
}

impl<E: fmt::Debug> fmt::Display for FieldError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Site(error) => error.fmt(f),
            Self::Sites(error) => error.fmt(f),
            Self::BufferTooSmall { needed } => {
                write!(f, "the buffer is too small for the sites of this field: it must have {needed} bytes")
            }
            Self::AlreadyRead => f.write_str("the data of this field have already been read or skipped"),
            Self::Unverified(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug> core::error::Error for FieldError<E>
where
    ReadError<E, field::ErrorKind>: core::error::Error,
{
    // The message repeats the message of the cause, so the source is the source of the cause.
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        if let Self::Read(error) = self { error.source() } else { None }
    }
}

impl<E> From<ReadError<E, field::ErrorKind>> for FieldError<E> {
    fn from(error: ReadError<E, field::ErrorKind>) -> Self {
        Self::Read(error)
    }
}

impl<E> From<SiteError> for FieldError<E> {
    fn from(error: SiteError) -> Self {
        Self::Site(error)
    }
}

impl<E> From<SitesError> for FieldError<E> {
    fn from(error: SitesError) -> Self {
        Self::Sites(error)
    }
}

/// Converts the error of a verdict, so that `verdict.require_match()?` ends a function that returns a `FieldError`:
///
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::io::{FieldError, FieldReader};
///
/// /// Fails unless the first field is verified by a stored checksum.
/// fn verify<R: embedded_io::Read>(source: R) -> Result<(), FieldError<R::Error>> {
///     let mut file = FieldReader::new(source, [0; 512]);
///     if let Some(mut field) = file.next_field()? {
///         field.verdict()?.require_match()?;
///     }
///     Ok(())
/// }
/// # let file = linkstream_example::file();
/// assert!(verify(file.as_slice()).is_ok());
/// // Without its last record, which has the checksum.
/// # let (mut records, mut end) = (linkstream::io::RecordReader::new(file.as_slice(), [0; 64]), 0);
/// # while let Some(record) = records.next_record()? { end = usize::try_from(record.offset)?; }
/// assert!(matches!(verify(&file[..end]), Err(FieldError::Unverified(_))));
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
impl<E> From<field::Unverified> for FieldError<E> {
    fn from(error: field::Unverified) -> Self {
        Self::Unverified(error)
    }
}

impl<E> From<CallbackError<Self, Infallible>> for FieldError<E> {
    fn from(error: CallbackError<Self, Infallible>) -> Self {
        error.into_failed()
    }
}

/// Reason why an archive could not be read as requested.
///
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::io::{ArchiveError, ArchiveReader};
/// # let source = linkstream_example::nersc();
///
/// let mut buffer = [0; 512];
/// let mut archive = ArchiveReader::nersc(source.as_slice(), &mut buffer);
/// assert!(matches!(archive.read_into(&mut [0.0_f64; 3]), Err(ArchiveError::Site(_))));
/// archive.skip()?;
/// assert_eq!(archive.skip(), Err(ArchiveError::AlreadyRead));
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ArchiveError<E, K> {
    /// The source failed, or the file is invalid.
    Read(ReadError<E, K>),
    /// The slice does not have the length of the data, or the data are above the limit.
    Site(SiteError),
    /// The data have already been read or skipped.
    AlreadyRead,
    /// The sites are not in natural order: the file has a list of them, which must be read first, with
    /// [`ArchiveReader::for_each_rank`](super::ArchiveReader::for_each_rank).
    SiteList,
    /// The links belong to SU(N) with N above 4: they can be skipped or verified, but not read. The decoder passes
    /// their bytes.
    Colors {
        /// N.
        colors: u8,
    },
    /// The header does not name the byte order. The order was derived from the norm of the first link, but the checksum
    /// shows the other order. The numbers are wrong: read again with
    /// [`with_byte_order`](super::ArchiveReader::with_byte_order).
    ByteOrder {
        /// The byte order of the data.
        stored: ByteOrder,
    },
}

impl<E, K: fmt::Display> fmt::Display for ArchiveError<E, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Site(error) => error.fmt(f),
            Self::AlreadyRead => f.write_str("the data of this archive have already been read or skipped"),
            Self::SiteList => f.write_str(
                "the sites are in the order of a list, which must be read first: use `for_each_rank`",
            ),
            Self::Colors { colors } => {
                write!(
                    f,
                    "links of SU({colors}) are not read by an archive reader: its largest group is SU(4)"
                )
            }
            Self::ByteOrder { stored } => {
                let name = match stored {
                    ByteOrder::Big => "big-endian",
                    ByteOrder::Little => "little-endian",
                };
                write!(
                    f,
                    "the checksum shows that the data are {name}, unlike the first link: use `with_byte_order`"
                )
            }
        }
    }
}

impl<E, K> core::error::Error for ArchiveError<E, K>
where
    E: fmt::Debug,
    K: fmt::Debug + fmt::Display,
    ReadError<E, K>: core::error::Error,
{
    // The message repeats the message of the cause, so the source is the source of the cause.
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        if let Self::Read(error) = self { error.source() } else { None }
    }
}

impl<E, K> From<ReadError<E, K>> for ArchiveError<E, K> {
    fn from(error: ReadError<E, K>) -> Self {
        Self::Read(error)
    }
}

impl<E, K> From<SiteError> for ArchiveError<E, K> {
    fn from(error: SiteError) -> Self {
        Self::Site(error)
    }
}

impl<E, K> From<CallbackError<Self, Infallible>> for ArchiveError<E, K> {
    fn from(error: CallbackError<Self, Infallible>) -> Self {
        error.into_failed()
    }
}

#[cfg(test)]
mod tests {
    use std::string::ToString as _;

    use core::error::Error as _;
    use embedded_io::ErrorKind;

    use super::*;

    #[test]
    fn a_cause_is_in_the_message_or_the_source() {
        let failed = ReadError::<_, lime::ErrorKind>::Io(ErrorKind::BrokenPipe);
        assert_eq!(failed.to_string(), "the source failed");
        let source = failed.source().and_then(|source| source.downcast_ref());
        assert_eq!(source, Some(&ErrorKind::BrokenPipe));

        let format = Error::new(7, lime::ErrorKind::TypeGarbage);
        let failed = ReadError::<ErrorKind, _>::Format(format);
        assert_eq!(failed.to_string(), format.to_string());
        assert!(failed.source().is_none());

        let failed = WriteError::<_, lime::EncodeErrorKind>::Io(ErrorKind::Other);
        assert_eq!(failed.source().and_then(|source| source.downcast_ref()), Some(&ErrorKind::Other));
        let failed = WriteError::<ErrorKind, _>::Refused(lime::EncodeErrorKind::NoRecord);
        assert_eq!((failed.to_string().as_str(), failed.source().is_none()), ("no record is open", true));
    }
}
