//! Errors when reading an archive.

use core::convert::Infallible;
use core::fmt;

use crate::callback::CallbackError;
use crate::field::SiteError;
use crate::io::error::ReadError;
use crate::lattice::ByteOrder;

/// Why an archive could not be read as requested.
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
    /// The slice does not have the length of the data, or these are above the limit.
    Site(SiteError),
    /// The data have already been read or skipped.
    AlreadyRead,
    /// The sites are not in natural order: the file has a list of them, which must be read first, with
    /// [`ArchiveReader::for_each_rank`](super::super::ArchiveReader::for_each_rank).
    SiteList,
    /// The header does not name the byte order, and the checksum is right for the other order than the one in which
    /// the first link has a norm of 1. The numbers are wrong: read again after
    /// [`with_byte_order`](super::super::ArchiveReader::with_byte_order).
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
    // The message is that of the cause, so the source is the cause's own.
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
