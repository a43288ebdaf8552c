//! The contents of an archive, as far as they were found.

use linkstream::field::{Field, LinkLayout, Source};
use linkstream::lattice::{ByteOrder, Extents, Precision};
use linkstream::lime::Record;
use linkstream::milc;
use linkstream::nersc::{self, LinkFormat, Rows};

use crate::figures::Measured;
use crate::lime::Recorded;
use crate::verdict::Coverage;

/// Everything about an archive except its findings.
#[derive(Debug, Default)]
pub struct Contents {
    /// `None` if the header cannot be read.
    pub shape: Option<Shape>,
    /// Keys and values of the header, as far as they are text.
    pub header: Vec<(String, String)>,
    pub sums: Vec<Sum>,
    /// `None` if the data were not read to their end.
    pub agreement: Option<Agreement>,
    pub measured: Option<Measured>,
    /// The figures that the header records.
    pub recorded: Vec<Recorded>,
}

/// Whether the stored checksums match the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    Match,
    Mismatch,
    /// No checksum is stored.
    Absent,
}

/// A checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sum {
    pub name: &'static str,
    pub stored: Option<u32>,
    /// `None` if the data were not read to their end.
    pub computed: Option<u32>,
}

/// How the links are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    pub extents: Extents,
    pub precision: Precision,
    pub rows: Rows,
    /// `None` if the header does not name the byte order and the data were not read.
    pub order: Option<ByteOrder>,
    /// Whether a list gives the order of the sites.
    pub has_site_list: bool,
    /// Offset of the first link. Findings about the figures are reported at this offset too.
    pub data_at: u64,
}

impl Shape {
    /// The shape of a NERSC archive whose header ends at offset `data_at`.
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

    /// The shape of a MILC file.
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

    /// The format of the links, given their byte order.
    pub const fn format(&self, order: ByteOrder) -> LinkFormat {
        LinkFormat { precision: self.precision, rows: self.rows, order }
    }

    /// The byte order, for an archive that does not name it: the one in which the first row of the first link has norm
    /// 1, or big endian if that is so in neither.
    pub fn guessed(&self, first: &[u8]) -> ByteOrder {
        let is_normalised = |order| self.format(order).is_normalised(first);
        if !is_normalised(ByteOrder::Big) && is_normalised(ByteOrder::Little) {
            ByteOrder::Little
        } else {
            ByteOrder::Big
        }
    }

    /// The layout of the field with all rows of its links, as in a LIME file.
    pub fn field(&self) -> Field {
        self.with_rows(Rows::Three)
    }

    /// The layout of the field with the rows of its links that are stored.
    pub fn stored(&self) -> Field {
        self.with_rows(self.rows)
    }

    fn with_rows(&self, rows: Rows) -> Field {
        let record = Record { offset: self.data_at, ..Record::default() };
        let links = LinkLayout::new(4, rows.count().into(), 3, self.precision);
        Field::with_links(record, Source::Ildg, self.extents, links)
    }
}

impl Contents {
    /// How much of the data is verified. All data are one part. The checksums of a MILC file do not include its site
    /// list, so that the places of the links in a file that has one are not verified.
    pub fn coverage(&self) -> Coverage {
        let is_match = self.agreement == Some(Agreement::Match);
        Coverage::of(self.shape.iter().map(|shape| is_match && !shape.has_site_list))
    }
}
