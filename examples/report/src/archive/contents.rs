//! What was found in an archive.

use linkstream::field::{Field, LinkLayout, Source};
use linkstream::lattice::{ByteOrder, Extents, Precision, Region};
use linkstream::lime::Record;
use linkstream::milc;
use linkstream::nersc::{self, LinkFormat, Rows};

use crate::figures::Measured;
use crate::lime::Recorded;
use crate::verdict::Coverage;

/// Everything about an archive but what is wrong with it.
#[derive(Debug, Default)]
pub struct Contents {
    /// `None`: the header cannot be read.
    pub shape: Option<Shape>,
    /// Keys and values of the header, as far as they are text.
    pub header: Vec<(String, String)>,
    pub sums: Vec<Sum>,
    /// `None`: the data were not read to their end.
    pub agreement: Option<Agreement>,
    pub measured: Option<Measured>,
    /// What the header has about the field.
    pub recorded: Vec<Recorded>,
}

/// Whether stored checksums are those of the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    Match,
    Mismatch,
    /// None is stored.
    Absent,
}

/// A checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sum {
    pub name: &'static str,
    pub stored: Option<u32>,
    /// `None`: the data were not read to their end.
    pub computed: Option<u32>,
}

/// How the links are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    pub extents: Extents,
    pub precision: Precision,
    pub rows: Rows,
    /// `None`: the header leaves it open, and the data were not read.
    pub order: Option<ByteOrder>,
    /// A list names the site of each of the data.
    pub has_site_list: bool,
    /// Offset of the first link, at which what is wrong with the figures is reported, too.
    pub data_at: u64,
}

impl Shape {
    /// Of a NERSC archive whose header ends at this offset.
    pub fn of_nersc(header: &nersc::Header, data_at: u64) -> Self {
        Self {
            extents: *header.extents(),
            precision: header.precision(),
            rows: header.rows(),
            order: header.order(),
            has_site_list: false,
            data_at,
        }
    }

    /// Of a MILC file.
    pub fn of_milc(header: &milc::Header) -> Self {
        Self {
            extents: *header.extents(),
            precision: Precision::F32,
            rows: Rows::Three,
            order: Some(header.order()),
            has_site_list: header.has_site_list(),
            data_at: header.file_length() - header.data_length(),
        }
    }

    /// The links if they have this byte order.
    pub const fn format(&self, order: ByteOrder) -> LinkFormat {
        LinkFormat { precision: self.precision, rows: self.rows, order }
    }

    /// Those whose first row of the first link has norm 1, which is the byte order that an archive without a name for
    /// it has; big endian if it has in neither.
    pub fn guessed(&self, first: &[u8]) -> ByteOrder {
        let is_normalised = |order| self.format(order).is_normalised(first);
        if !is_normalised(ByteOrder::Big) && is_normalised(ByteOrder::Little) {
            ByteOrder::Little
        } else {
            ByteOrder::Big
        }
    }

    /// The field of links with all their rows, as a LIME file would have it.
    pub fn field(&self) -> Field {
        let links = LinkLayout {
            links: 4,
            rows: 3,
            columns: 3,
            parts: 2,
            precision: self.precision,
            absent_is_ones: false,
        };
        Field {
            record: Record { offset: self.data_at, ..Record::default() },
            source: Source::Ildg,
            extents: self.extents,
            region: Region::Lattice,
            bytes_per_site: 4 * 18 * self.precision.bytes() as u64,
            precision: Some(self.precision),
            links: Some(links),
        }
    }
}

impl Contents {
    /// All data are one part.
    pub fn coverage(&self) -> Coverage {
        Coverage::of(self.shape.iter().map(|_| self.agreement == Some(Agreement::Match)))
    }
}
