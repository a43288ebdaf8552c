//! The limit on sizes that a file claims.

use core::fmt;

/// The largest size that a reader returns for allocating memory.
///
/// The sizes in a file are claims: a file of a few hundred bytes can describe a field of any size. Calls that return
/// a size for allocating memory ([`FieldData::number_count`](crate::io::FieldData::number_count), for example)
/// therefore fail with [`OverLimit`] above a limit, and so do calls that would otherwise report such a size as
/// required.
///
/// | constructor | largest size |
/// |---|---|
/// | [`source`](Self::source), [`of_source`](Self::of_source) | what a source of this length can hold: for files and slices |
/// | [`new`](Self::new) | a number of bytes: for a device with little memory |
/// | [`DEFAULT`](Self::DEFAULT) | 512 GiB, of a reader that is given no other: for streams of unknown length |
///
/// The limit applies to the size of the data in the file, in bytes, after decompression. Boolean entries have 1 bit
/// each in the file and count as 1 byte each. Numbers of 4 bytes that are read as `f64` take twice the limited size.
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::Limits;
/// use linkstream::io::FieldReader;
/// # let source = linkstream_example::file();
///
/// let mut buffer = [0; 8192];
/// let limits = Limits::source(source.len() as u64);
/// let mut file = FieldReader::new(source.as_slice(), &mut buffer).with_limits(limits);
/// let mut field = file.next_field()?.ok_or("no field")?;
/// assert_eq!(field.number_count()?, 16);
/// field.verdict()?.require_match()?;
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Limits {
    bytes: u64,
    /// `bytes` is the length of the source: data can be longer than their representation there.
    is_source: bool,
}

/// Largest ratio between the sizes of data and their text in an scda file: Deflate (RFC 1951, section 3.2.5) has at
/// best 258 bytes for 2 bits.
const DEFLATE_RATIO: u64 = 1032;

impl Limits {
    /// 512 GiB, the limit of a reader that is not given another one. The largest field known to us, a gauge field of
    /// 128³x256 sites in double precision, has 288 GiB.
    pub const DEFAULT: Self = Self::new(1 << 39);

    /// At most this number of bytes.
    #[must_use]
    pub const fn new(bytes: u64) -> Self {
        Self { bytes, is_source: false }
    }

    /// Limit for the content of a source of this length in bytes: no more bytes than it has, except for compressed data and for
    /// Boolean entries, which can become 1,032 and 8 times as long. [`of_source`](Self::of_source) asks a source for
    /// its length.
    ///
    /// ```
    /// use linkstream::Limits;
    /// use linkstream::scda::element_size;
    ///
    /// let file = b"AAAAAAAAAB16eNrLSM3JyVfIwE4CAKMQCuU==\n";
    /// let limits = Limits::source(file.len() as u64);
    /// assert!(limits.check(38).is_ok() && limits.check(39).is_err());
    /// assert_eq!(element_size(file, limits)?, Some(29));
    /// # Ok::<(), linkstream::OverLimit>(())
    /// ```
    #[must_use]
    pub const fn source(length: u64) -> Self {
        Self { bytes: length, is_source: true }
    }

    /// The limit of data that are compressed in the source.
    pub(crate) const fn decompressed(self) -> Self {
        self.expanded(DEFLATE_RATIO)
    }

    /// The limit of data that are packed in the source. Each byte there becomes up to `ratio` bytes.
    pub(crate) const fn expanded(self, ratio: u64) -> Self {
        if self.is_source { Self::new(self.bytes.saturating_mul(ratio)) } else { self }
    }

    /// Returns a claimed number of bytes as `usize`.
    ///
    /// ```
    /// use linkstream::Limits;
    ///
    /// assert_eq!(Limits::new(100).check(100)?, 100);
    /// let error = Limits::new(100).check(101).err().ok_or("within the limit")?;
    /// assert_eq!((error.claimed, error.limit), (101, 100));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The number is above the limit, or above the size of the address space.
    pub fn check(self, claimed: u64) -> Result<usize, OverLimit> {
        let addressable = u64::try_from(isize::MAX).unwrap_or(u64::MAX);
        let limit = self.bytes.min(addressable);
        match usize::try_from(claimed) {
            Ok(bytes) if claimed <= limit => Ok(bytes),
            _ => Err(OverLimit { claimed, limit }),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The file claims a size above the [`Limits`] of the reader. Nothing has been read.
///
/// ```
/// use linkstream::Limits;
///
/// let error = Limits::new(100).check(101).err().ok_or("within the limit")?;
/// assert_eq!(
///     error.to_string(),
///     "the file claims 101 bytes of data, but the limit is 100: if the file is that long, raise the limit with \
///      `with_limits`"
/// );
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct OverLimit {
    /// The size that the file claims, in bytes.
    pub claimed: u64,
    /// The largest size that is allowed, in bytes.
    pub limit: u64,
}

impl fmt::Display for OverLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { claimed, limit } = self;
        write!(
            f,
            "the file claims {claimed} bytes of data, but the limit is {limit}: if the file is that long, raise the \
             limit with `with_limits`"
        )
    }
}

impl core::error::Error for OverLimit {}
