//! Errors when reading a field.

use core::convert::Infallible;
use core::fmt;

use crate::callback::CallbackError;
use crate::field::{ErrorKind, SiteError, SitesError};
use crate::io::error::ReadError;

/// Why a field could not be read as requested.
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
    Read(ReadError<E, ErrorKind>),
    /// The slice does not have the length of the field, or the field does not consist of floating-point numbers.
    Site(SiteError),
    /// The data cannot be split into sites.
    Sites(SitesError),
    /// The buffer of the reader is too small for the sites of this field, which are to be passed to a callback.
    BufferTooSmall {
        /// The length in bytes of the buffer to pass to the constructor: to `new` or `with_mode` the one buffer, to
        /// `with_decoder` the site buffer.
        needed: u64,
    },
    /// The data of this field have already been read or skipped.
    AlreadyRead,
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
        }
    }
}

impl<E: fmt::Debug> core::error::Error for FieldError<E>
where
    ReadError<E, ErrorKind>: core::error::Error,
{
    // The message is that of the cause, so the source is the cause's own.
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        if let Self::Read(error) = self { error.source() } else { None }
    }
}

impl<E> From<ReadError<E, ErrorKind>> for FieldError<E> {
    fn from(error: ReadError<E, ErrorKind>) -> Self {
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

impl<E> From<CallbackError<Self, Infallible>> for FieldError<E> {
    fn from(error: CallbackError<Self, Infallible>) -> Self {
        error.into_failed()
    }
}
