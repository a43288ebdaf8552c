//! Errors when reading a field.

use core::convert::Infallible;
use core::fmt;

use super::error::ReadError;
use crate::callback::CallbackError;
use crate::field::{ErrorKind, SiteError, SitesError};

/// Why a field could not be read as requested.
///
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::io::{FieldError, FieldReader};
/// # let source = linkstream_example::file();
///
/// let mut buffer = [0; 4096];
/// let mut file = FieldReader::new(source.as_slice(), &mut buffer);
/// let mut field = file.next_field()?.ok_or("no field")?;
/// assert!(matches!(field.read_into(&mut [0.0_f64; 3]), Err(FieldError::Site(_))));
/// field.skip()?;
/// assert_eq!(field.skip(), Err(FieldError::AlreadyRead));
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
    /// The sites cannot be passed to a callback: one is larger than the site buffer.
    Sites(SitesError),
    /// The data of this field have already been read or skipped, at least in part.
    AlreadyRead,
}

impl<E: fmt::Debug> fmt::Display for FieldError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Site(error) => error.fmt(f),
            Self::Sites(error) => error.fmt(f),
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
