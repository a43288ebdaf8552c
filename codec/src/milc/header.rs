//! The file header: 88 bytes, before the site list or the checksums.
//!
//! It is parsed without nom: the header is an array of binary words at fixed offsets, so nothing has to be searched and
//! the input cannot end early. The first word shows the byte order.

use super::error::ErrorKind;
use crate::bytes::{copy, part};
use crate::counter::{plus, times};
use crate::lattice::{ByteOrder, Extents};
use crate::state::saved;

/// Length of a header in bytes.
pub const HEADER_LEN: usize = 88;
/// The number that every file of version 5 begins with, in the byte order of the machine that wrote it.
pub const MAGIC: u32 = 20103;
/// Size of a site in bytes: links in the directions x, y, z, t, each of 3x3 complex numbers in single precision.
pub const SITE_LEN: usize = 288;
/// Length of the two checksums in bytes.
pub(super) const SUMS_LEN: u64 = 8;

/// Extents, time and byte order of a file. The length of the file fits in 64 bits.
///
/// # Example
/// ```
/// use linkstream::lattice::ByteOrder;
/// use linkstream::milc::{HEADER_LEN, Header, MAGIC};
///
/// let mut bytes = [0; HEADER_LEN];
/// for (place, word) in bytes.chunks_exact_mut(4).zip([MAGIC, 4, 4, 4, 8]) {
///     place.copy_from_slice(&word.to_le_bytes());
/// }
/// bytes[20..44].copy_from_slice(b"Wed Jan  3 04:05:06 2024");
/// let header = Header::from_bytes(&bytes)?;
/// assert_eq!((header.extents().as_slice(), header.order()), (&[4, 4, 4, 8][..], ByteOrder::Little));
/// assert_eq!((header.time_stamp(), header.has_site_list()), (&b"Wed Jan  3 04:05:06 2024"[..], false));
/// assert_eq!((header.data_length(), header.file_length()), (288 * 512, 96 + 288 * 512));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Header {
    order: ByteOrder,
    extents: Extents,
    time_stamp: [u8; 64],
    has_site_list: bool,
}

saved!(struct Header { order, extents, time_stamp, has_site_list });

impl Header {
    /// A header from the first 88 bytes of a file.
    ///
    /// # Errors
    /// [`ErrorKind::Magic`], [`ErrorKind::Extent`], [`ErrorKind::SizeOverflow`].
    pub fn from_bytes(bytes: &[u8; HEADER_LEN]) -> Result<Self, ErrorKind> {
        let (words, _) = bytes.as_chunks::<4>();
        let &[magic, nx, ny, nz, nt, ..] = words else { return Err(ErrorKind::SizeOverflow) };
        let order = order_of(magic).ok_or(ErrorKind::Magic { found: magic })?;
        let extents = [nx, ny, nz, nt].map(|word| order.u32(word));
        // MILC stores signed numbers.
        let is_extent = |extent: &u32| (1..=u32::MAX >> 1).contains(extent);
        if let Some(index) = extents.iter().position(|extent| !is_extent(extent)) {
            return Err(ErrorKind::Extent { index: index as u8 });
        }
        let extents = Extents::new(&extents).map_err(|_| ErrorKind::SizeOverflow)?;
        let mut time_stamp = [0; 64];
        copy(&mut time_stamp, part(bytes, 20..84));
        let has_site_list = words.last() != Some(&[0; 4]);
        let header = Self { order, extents, time_stamp, has_site_list };
        header.checked_length().map(|_| header).ok_or(ErrorKind::SizeOverflow)
    }

    /// The byte order of all numbers in the file.
    #[must_use]
    pub const fn order(&self) -> ByteOrder {
        self.order
    }

    /// Extents of the lattice: x, y, z, t.
    #[must_use]
    pub const fn extents(&self) -> &Extents {
        &self.extents
    }

    /// The local time of writing as text, such as `Wed Jan  3 04:05:06 2024`, without trailing NULs.
    #[must_use]
    pub fn time_stamp(&self) -> &[u8] {
        self.time_stamp.split(|byte| *byte == 0).next().unwrap_or_default()
    }

    /// True if the file has a site list. Otherwise the sites are in natural order, x fastest.
    #[must_use]
    pub const fn has_site_list(&self) -> bool {
        self.has_site_list
    }

    /// Length of the site list in bytes.
    pub(super) fn list_length(&self) -> u64 {
        if self.has_site_list { times(self.extents.sites(), 4) } else { 0 }
    }

    /// Length of the data in bytes.
    #[must_use]
    pub fn data_length(&self) -> u64 {
        times(self.extents.sites(), SITE_LEN as u64)
    }

    /// Length of the whole file in bytes.
    #[must_use]
    pub fn file_length(&self) -> u64 {
        plus(self.data_at(), self.data_length())
    }

    /// Absolute offset of the first link.
    pub(super) fn data_at(&self) -> u64 {
        plus(plus(HEADER_LEN as u64, self.list_length()), SUMS_LEN)
    }

    /// Length of the file; `None` if it does not fit in 64 bits. If it fits, so do the lengths of all parts.
    fn checked_length(&self) -> Option<u64> {
        let site = if self.has_site_list { 292 } else { SITE_LEN as u64 };
        self.extents.sites().checked_mul(site)?.checked_add(96)
    }
}

/// The byte order of a magic number; `None` if the bytes are not a magic number.
pub(super) fn order_of(magic: [u8; 4]) -> Option<ByteOrder> {
    [ByteOrder::Big, ByteOrder::Little].into_iter().find(|order| order.u32(magic) == MAGIC)
}
