//! The layout of the data of one record.

use crate::lattice::{Extents, Precision, Region};
use crate::lime::Record;
use crate::state::saved;

/// The document that describes the layout.
///
/// # Example
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::Mode;
/// use linkstream::field::{Decoder, Source};
/// use linkstream::drive;
/// # let file = linkstream_example::file();
///
/// let mut decoder = Decoder::new(Mode::Strict);
/// drive(&mut decoder, &file, |_, _, decoder| {
///     if let Some(field) = decoder.field() {
///         assert_eq!(field.source, Source::Scidac);
///     }
/// })?;
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Source {
    /// A `scidac-private-record-xml`, with or without an `ildg-format`.
    Scidac,
    /// An `ildg-format` without a `scidac-private-record-xml`.
    Ildg,
}

saved!(enum Source: Scidac, Ildg);

/// The layout of the links in the data of a site: `links` matrices one after the other, each stored row by row.
///
/// # Example
/// ```
/// use linkstream::field::LinkLayout;
/// use linkstream::lattice::Precision;
///
/// // Links of SU(3) in single precision.
/// let layout =
///     LinkLayout { links: 4, rows: 3, columns: 3, parts: 2, precision: Precision::F32, absent_is_ones: false };
/// assert_eq!(layout.bytes_per_link(), Some(72));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LinkLayout {
    /// Number of links at a site, direction x first. In ILDG 1.2 this is the number of directions with more than one
    /// site; QIO, and other programs before that revision, store 4 whatever the extents.
    pub links: u32,
    /// Number of rows stored of each matrix.
    pub rows: u32,
    /// Number of columns, which is the number of colors.
    pub columns: u32,
    /// Numbers per element: 2 (real part, imaginary part) for complex elements, 1 for real elements.
    pub parts: u32,
    /// Precision of a number.
    pub precision: Precision,
    /// A link that does not exist is stored with all bits set (ILDG kind `u1phase`) instead of all bits clear.
    pub absent_is_ones: bool,
}

saved!(struct LinkLayout { links, rows, columns, parts, precision, absent_is_ones });

impl LinkLayout {
    /// Size of a link in bytes; `None` if it does not fit in `usize`.
    #[must_use]
    pub fn bytes_per_link(&self) -> Option<usize> {
        let [rows, columns, parts] = [self.rows, self.columns, self.parts].map(usize::try_from);
        let numbers = rows.ok()?.checked_mul(columns.ok()?)?.checked_mul(parts.ok()?)?;
        numbers.checked_mul(self.precision.bytes())
    }
}

/// The data of one record: their position in the file, the sites that they cover, and what a site holds.
///
/// # Example
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::Mode;
/// use linkstream::field::{Decoder, Event, Source};
/// use linkstream::io::Reader;
/// # let file = linkstream_example::file();
///
/// let mut buffer = [0; 512];
/// let mut reader = Reader::new(file.as_slice(), &mut buffer, Decoder::new(Mode::Strict));
/// while let Some(event) = reader.next()? {
///     let (Event::Field, Some(field)) = (event, reader.decoder().field()) else { continue };
///     assert_eq!((field.source, field.extents.as_slice()), (Source::Scidac, &[2, 2, 2, 2][..]));
///     assert_eq!((field.sites(), field.bytes_per_site, field.data_length()), (16, 8, Some(128)));
///     assert!(field.links.is_none());
/// }
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Field {
    /// The LIME record of the data.
    pub record: Record,
    /// The document that describes the layout.
    pub source: Source,
    /// The lattice.
    pub extents: Extents,
    /// The sites of the lattice that the data cover.
    pub region: Region,
    /// Bytes per site; of all data for a global record.
    pub bytes_per_site: u64,
    /// Precision of the numbers, if the data are floating-point numbers.
    pub precision: Option<Precision>,
    /// Layout of the links of a site, if the field is a gauge field.
    pub links: Option<LinkLayout>,
}

saved!(struct Field { record, source, extents, region, bytes_per_site, precision, links });

impl Field {
    /// The data of this record, of which nothing else is known.
    pub(crate) const fn undescribed(record: Record) -> Self {
        Self {
            record,
            source: Source::Scidac,
            extents: Extents::ONE_SITE,
            region: Region::Lattice,
            bytes_per_site: 0,
            precision: None,
            links: None,
        }
    }

    /// The number of sites that the data cover; 1 for a global record.
    #[must_use]
    pub fn sites(&self) -> u64 {
        self.region.sites(&self.extents)
    }

    /// Length of the data in bytes; `None` if it does not fit in 64 bits.
    // Called from many places, and a product of 64 bits takes many instructions where there is none for it.
    #[must_use]
    #[inline(never)]
    pub fn data_length(&self) -> Option<u64> {
        self.sites().checked_mul(self.bytes_per_site)
    }
}
