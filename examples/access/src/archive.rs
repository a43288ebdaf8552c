//! Archives: files with one gauge field, as NERSC (of SU(N)), MILC and openQCD (of SU(3)) write them.

use linkstream::field::{DescribedBy, Field, LinkLayout};
use linkstream::ildg::{GaugeKind, MAX_RECONSTRUCTED_COLORS};
use linkstream::lattice::{ByteOrder, Extents, Precision};
use linkstream::lime::Record;
use linkstream::milc;
use linkstream::nersc::{self, LinkFormat, StoredRows};

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
    /// N of SU(N).
    pub colors: u8,
    pub rows: StoredRows,
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
            colors: header.colors(),
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
            colors: 3,
            rows: StoredRows::Full,
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
            colors: 3,
            rows: StoredRows::Full,
            order: Some(ByteOrder::Little),
            has_site_list: false,
            data_at: open_qcd::HEADER_LEN as u64,
        }
    }

    /// The format of the links, given their byte order.
    pub const fn format(&self, order: ByteOrder) -> LinkFormat {
        LinkFormat { precision: self.precision, colors: self.colors, rows: self.rows, order }
    }

    /// The kind of the links, as documents of ILDG name it.
    pub fn kind(&self) -> GaugeKind {
        // Headers have at least two colors.
        GaugeKind::su(self.colors.into()).unwrap_or_default()
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

    /// The value of `DATATYPE` for links of another group, or with other rows, which would have this many bytes in
    /// all; `None` if there is none, or if the data are as long as they should be. Grid once wrote `4D_SU3_GAUGE_3x3`
    /// for any number of colors.
    pub fn other_datatype(&self, bytes: u64) -> Option<String> {
        let links = self.extents.sites().checked_mul(4)?;
        let length = |rows, colors| {
            let format = LinkFormat { rows, colors, ..self.format(ByteOrder::Big) };
            links.checked_mul(format.length() as u64)
        };
        if length(self.rows, self.colors) == Some(bytes) {
            return None;
        }
        let groups = 2..=MAX_RECONSTRUCTED_COLORS as u8;
        let fits = |rows| move |colors: &u8| length(rows, *colors) == Some(bytes);
        let full = groups.clone().find(fits(StoredRows::Full)).map(|n| format!("4D_SU{n}_GAUGE_{n}x{n}"));
        full.or_else(|| groups.clone().find(fits(StoredRows::Reduced)).map(|n| format!("4D_SU{n}_GAUGE")))
    }

    /// The layout of the field with all rows of its links, as in a LIME file.
    pub fn field(&self) -> Field {
        self.with_rows(StoredRows::Full)
    }

    /// The layout of the field with the rows of its links that are stored.
    pub fn stored(&self) -> Field {
        self.with_rows(self.rows)
    }

    fn with_rows(&self, rows: StoredRows) -> Field {
        let record = Record { offset: self.data_at, ..Record::default() };
        let links = LinkLayout::new(4, rows.count(self.colors).into(), self.colors.into(), self.precision);
        Field::with_links(record, DescribedBy::Ildg, self.extents, links)
    }
}
