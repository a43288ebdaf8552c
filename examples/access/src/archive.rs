//! Archives: files with one gauge field of SU(3), as NERSC, MILC and openQCD write them.

use linkstream::field::{Field, LinkLayout, Source};
use linkstream::lattice::{ByteOrder, Extents, Precision};
use linkstream::lime::Record;
use linkstream::milc;
use linkstream::nersc::{self, LinkFormat, Rows};

use crate::open_qcd;

/// Maximum number of lines of a header that are kept. Archives have about 25.
const MAX_LINES: usize = 1000;

/// Adds the line that the decoder has reported to the lines of a NERSC header: key and value, as far as they are text.
pub fn keep_line(decoder: &nersc::Decoder, header: &mut Vec<(String, String)>) {
    let line = decoder.line().filter(|_| header.len() < MAX_LINES);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    header.extend(line.map(|(key, value)| (text(key), text(value))));
}

/// Layout of the stored links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    pub extents: Extents,
    pub precision: Precision,
    pub rows: Rows,
    /// `None` if the header does not name the byte order and the data were not read.
    pub order: Option<ByteOrder>,
    /// True if a list gives the order of the sites.
    pub has_site_list: bool,
    /// Offset of the first link. Findings about the observables are reported at this offset too.
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
            data_at: header.file_length().saturating_sub(header.data_length()),
        }
    }

    /// The shape of the links of openQCD. Their order is another one.
    pub fn of_open_qcd(header: &open_qcd::Header) -> Self {
        Self {
            extents: *header.extents(),
            precision: Precision::F64,
            rows: Rows::Three,
            order: Some(ByteOrder::Little),
            has_site_list: false,
            data_at: open_qcd::HEADER_LEN as u64,
        }
    }

    /// The format of the links, given their byte order.
    pub const fn format(&self, order: ByteOrder) -> LinkFormat {
        LinkFormat { precision: self.precision, rows: self.rows, order }
    }

    /// The byte order that gives the first row of the first link the norm 1, or big endian if neither does. For an
    /// archive that does not name its byte order.
    pub fn guessed(&self, first: &[u8]) -> ByteOrder {
        let is_normalised = |order| self.format(order).is_normalised(first);
        if !is_normalised(ByteOrder::Big) && is_normalised(ByteOrder::Little) {
            ByteOrder::Little
        } else {
            ByteOrder::Big
        }
    }

    /// The only byte order that gives the first row of the first link the norm 1; `None` if none or both do.
    pub fn seen(&self, first: &[u8]) -> Option<ByteOrder> {
        let is_normalised = |order| self.format(order).is_normalised(first);
        match [ByteOrder::Big, ByteOrder::Little].map(is_normalised) {
            [true, false] => Some(ByteOrder::Big),
            [false, true] => Some(ByteOrder::Little),
            _ => None,
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
