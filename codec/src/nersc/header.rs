//! The header of an archive.

use super::error::EncodeErrorKind;
use super::link_format::{LinkFormat, Rows};
use crate::counter::times;
use crate::lattice::{ByteOrder, Extents, Precision};
use crate::scidac::Text;
use crate::state::saved;

/// The values of a header that describe the data or can be compared with them. The other lines, such as
/// `ENSEMBLE_LABEL`, are reported one by one: see [`Decoder::line`](super::Decoder::line).
///
/// # Example
/// ```
/// use linkstream::lattice::{ByteOrder, Extents, Precision};
/// use linkstream::nersc::{Header, Rows};
///
/// let extents = Extents::new(&[4, 4, 4, 8])?;
/// let mut header = Header::new(extents, Precision::F64, Rows::Three, ByteOrder::Big)?;
/// header.plaquette = "0.598712345678901".try_into()?;
/// assert_eq!((header.extents(), header.data_length()), (&extents, 512 * 4 * 144));
/// assert_eq!((header.precision(), header.rows(), header.order()), (Precision::F64, Rows::Three, Some(ByteOrder::Big)));
/// assert_eq!(header.floating_point(), "IEEE64BIG");
/// assert_eq!(header.link_format(ByteOrder::Big).bytes(), 144);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Header {
    extents: Extents,
    precision: Precision,
    rows: Rows,
    order: Option<ByteOrder>,
    /// `CHECKSUM`.
    pub checksum: Option<u32>,
    /// `PLAQUETTE` as it is written; empty if the header has none.
    pub plaquette: Text<32>,
    /// `LINK_TRACE` as it is written; empty if the header has none.
    pub link_trace: Text<32>,
}

saved!(struct Header { extents, precision, rows, order, checksum, plaquette, link_trace });

impl Header {
    /// A header for a lattice with the four extents x, y, z, t.
    ///
    /// # Errors
    /// [`EncodeErrorKind::Dimensions`], [`EncodeErrorKind::SizeOverflow`].
    pub fn new(
        extents: Extents,
        precision: Precision,
        rows: Rows,
        order: ByteOrder,
    ) -> Result<Self, EncodeErrorKind> {
        Self::described(extents, precision, rows, Some(order))
    }

    pub(super) fn described(
        extents: Extents,
        precision: Precision,
        rows: Rows,
        order: Option<ByteOrder>,
    ) -> Result<Self, EncodeErrorKind> {
        let header = Self {
            extents,
            precision,
            rows,
            order,
            checksum: None,
            plaquette: Text::new(),
            link_trace: Text::new(),
        };
        if extents.dimensions() != 4 {
            return Err(EncodeErrorKind::Dimensions { found: extents.dimensions() });
        }
        let length = extents.sites().checked_mul(header.site_bytes());
        length.map(|_| header).ok_or(EncodeErrorKind::SizeOverflow)
    }

    /// Extents of the lattice: x, y, z, t.
    #[must_use]
    pub const fn extents(&self) -> &Extents {
        &self.extents
    }

    /// The precision of the numbers.
    #[must_use]
    pub const fn precision(&self) -> Precision {
        self.precision
    }

    /// The number of stored rows of a link.
    #[must_use]
    pub const fn rows(&self) -> Rows {
        self.rows
    }

    /// The byte order; `None` if the header does not state it: `IEEE32`, `IEEE64` and a missing `FLOATING_POINT`
    /// mean either byte order, depending on the program that wrote the file.
    #[must_use]
    pub const fn order(&self) -> Option<ByteOrder> {
        self.order
    }

    /// The value of `FLOATING_POINT`.
    #[must_use]
    pub const fn floating_point(&self) -> &'static str {
        match (self.precision, self.order) {
            (Precision::F32, None) => "IEEE32",
            (Precision::F32, Some(ByteOrder::Big)) => "IEEE32BIG",
            (Precision::F32, Some(ByteOrder::Little)) => "IEEE32LITTLE",
            (Precision::F64, None) => "IEEE64",
            (Precision::F64, Some(ByteOrder::Big)) => "IEEE64BIG",
            (Precision::F64, Some(ByteOrder::Little)) => "IEEE64LITTLE",
        }
    }

    /// The storage format of a link, with this byte order.
    #[must_use]
    pub const fn link_format(&self, order: ByteOrder) -> LinkFormat {
        LinkFormat { precision: self.precision, rows: self.rows, order }
    }

    /// Length of the data in bytes.
    #[must_use]
    pub fn data_length(&self) -> u64 {
        // Checked where a header is made or loaded.
        self.extents.sites().wrapping_mul(self.site_bytes())
    }

    /// Size in bytes of a site, which has links in the directions x, y, z, t.
    pub(super) const fn site_bytes(&self) -> u64 {
        times(self.link_format(ByteOrder::Big).bytes() as u64, 4)
    }

    pub(super) fn is_consistent(&self) -> bool {
        Self::described(self.extents, self.precision, self.rows, self.order).is_ok()
    }
}
