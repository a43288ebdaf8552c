//! What the formats of archives have in common: a header, perhaps a list of sites, and the links.

use core::fmt::Debug;

use crate::bytes::{copy, prefix, split, suffix_mut};
use crate::counter::Counter as _;
use crate::error::Error;
use crate::field::{Field, LinkLayout, Source};
use crate::lattice::{ByteOrder, Extents, Precision, Region};
use crate::lime::Record;
use crate::nersc::{LinkFormat, Rows};
use crate::step::Decode;
use crate::{milc, nersc};

/// Links of a site: x, y, z, t.
const LINKS: usize = 4;
/// Bytes of the largest link.
const LINK: usize = 144;

/// Implemented by the decoders that an [`ArchiveReader`](crate::io::ArchiveReader) can use:
/// [`nersc::Decoder`] and [`milc::Decoder`]. `Header` and `Verdict` are the types of the same name in their modules.
///
/// ```
/// use linkstream::io::{Archive, ArchiveError, ArchiveReader, Buffer};
///
/// /// The number of links of an archive of either format.
/// fn links<R: embedded_io::Read, B: Buffer, D: Archive>(
///     archive: &mut ArchiveReader<R, B, D>,
/// ) -> Result<usize, ArchiveError<R::Error, D::ErrorKind>> {
///     Ok(archive.numbers()? / 18)
/// }
/// ```
pub trait Archive: sealed::ArchiveFormat {}

impl<D: sealed::ArchiveFormat> Archive for D {}

pub(super) mod sealed {
    use super::{ByteOrder, Debug, Decode, Layout, Signal};

    pub trait ArchiveFormat: Decode<ErrorKind: Copy> {
        type Header: Copy + Debug;
        type Verdict: Copy + Debug;

        /// The header, once it is complete.
        fn found(&self) -> Option<(Self::Header, Layout)>;

        fn signal(event: &Self::Event) -> Signal<Self::Verdict, Self::ErrorKind>;

        /// The byte order that the checksum proves.
        fn proven(verdict: &Self::Verdict) -> Option<ByteOrder>;
    }
}

/// What an event means for a reader.
#[derive(Debug)]
pub enum Signal<V, K> {
    /// The header is complete.
    Header {
        /// The data follow directly.
        is_last: bool,
    },
    /// The step has consumed a part of the list of sites, or of the data.
    Payload,
    /// The data follow.
    Data,
    Verdict(V),
    Finding(Error<K>),
    Nothing,
}

/// How the links are stored.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    pub(super) extents: Extents,
    pub(super) precision: Precision,
    pub(super) rows: Rows,
    /// `None` if the header does not name it.
    pub(super) order: Option<ByteOrder>,
    pub(super) has_list: bool,
}

impl Layout {
    /// The links with all their rows, as a field.
    pub(super) fn field(&self) -> Field {
        let format = LinkFormat { precision: self.precision, rows: self.rows, order: ByteOrder::Big };
        let (precision, bytes_per_site) =
            (self.precision, (LINKS as u64).saturating_mul(format.whole_bytes() as u64));
        let links = LinkLayout {
            links: LINKS as u32,
            rows: 3,
            columns: 3,
            parts: 2,
            precision,
            absent_is_ones: false,
        };
        Field {
            record: Record::default(),
            source: Source::Ildg,
            extents: self.extents,
            region: Region::Lattice,
            bytes_per_site,
            precision: Some(precision),
            links: Some(links),
        }
    }
}

impl sealed::ArchiveFormat for nersc::Decoder {
    type Header = nersc::Header;
    type Verdict = nersc::Verdict;

    fn found(&self) -> Option<(nersc::Header, Layout)> {
        let header = self.header()?;
        let (precision, rows) = (header.precision(), header.rows());
        let layout =
            Layout { extents: *header.extents(), precision, rows, order: header.order(), has_list: false };
        Some((*header, layout))
    }

    fn signal(event: &nersc::Event) -> Signal<nersc::Verdict, nersc::ErrorKind> {
        match event {
            nersc::Event::Header(_) => Signal::Header { is_last: true },
            nersc::Event::Data => Signal::Payload,
            nersc::Event::Verdict(verdict) => Signal::Verdict(*verdict),
            nersc::Event::Finding(error) => Signal::Finding(*error),
            nersc::Event::Line => Signal::Nothing,
        }
    }

    fn proven(verdict: &nersc::Verdict) -> Option<ByteOrder> {
        if let nersc::Verdict::Match { computed, .. } = verdict { Some(computed.order) } else { None }
    }
}

impl sealed::ArchiveFormat for milc::Decoder {
    type Header = milc::Header;
    type Verdict = milc::Verdict;

    fn found(&self) -> Option<(milc::Header, Layout)> {
        let header = self.header()?;
        let layout = Layout {
            extents: *header.extents(),
            precision: Precision::F32,
            rows: Rows::Three,
            order: Some(header.order()),
            has_list: header.has_site_list(),
        };
        Some((*header, layout))
    }

    fn signal(event: &milc::Event) -> Signal<milc::Verdict, milc::ErrorKind> {
        match event {
            milc::Event::Header(_) => Signal::Header { is_last: false },
            milc::Event::Stored(_) => Signal::Data,
            milc::Event::SiteList | milc::Event::Data => Signal::Payload,
            milc::Event::Verdict(verdict) => Signal::Verdict(*verdict),
            milc::Event::Finding(error) => Signal::Finding(*error),
        }
    }

    fn proven(_: &milc::Verdict) -> Option<ByteOrder> {
        None
    }
}

/// Makes big-endian links with all rows of the stored bytes, which arrive in chunks of any size.
#[derive(Debug)]
pub(super) struct WholeLinks {
    format: LinkFormat,
    /// The byte order is that of `format`; otherwise the first link shows it.
    is_known: bool,
    stored: [u8; LINK],
    filled: usize,
    /// Whole links of a site.
    site: [u8; LINKS * LINK],
    links: usize,
}

impl WholeLinks {
    /// `order` is of use if the header names none.
    pub(super) fn new(layout: &Layout, order: Option<ByteOrder>) -> Self {
        let known = layout.order.or(order);
        let format = LinkFormat {
            precision: layout.precision,
            rows: layout.rows,
            order: known.unwrap_or(ByteOrder::Big),
        };
        Self {
            format,
            is_known: known.is_some(),
            stored: [0; LINK],
            filled: 0,
            site: [0; LINKS * LINK],
            links: 0,
        }
    }

    /// The byte order in which the links were read.
    pub(super) const fn order(&self) -> ByteOrder {
        self.format.order
    }

    /// Takes the next bytes of the data, and passes on each site that becomes complete.
    pub(super) fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(&[u8])) {
        let (size, whole) = (self.format.bytes(), self.format.whole_bytes());
        let mut rest = bytes;
        while !rest.is_empty() {
            let n = size.minus(self.filled).min(rest.len());
            let (now, later) = split(rest, n);
            copy(suffix_mut(&mut self.stored, self.filled), now);
            self.filled.increase(n);
            rest = later;
            if self.filled < size {
                continue;
            }
            self.filled = 0;
            if !self.is_known {
                self.guess();
            }
            // Both slices are long enough.
            let _ = self.format.to_whole(&self.stored, suffix_mut(&mut self.site, self.links.times(whole)));
            self.links.increase(1);
            if self.links == LINKS {
                self.links = 0;
                each(prefix(&self.site, whole.times(LINKS)));
            }
        }
    }

    /// Sets the byte order in which the first link is a matrix of SU(3): big endian, unless only the other is.
    fn guess(&mut self) {
        let little = LinkFormat { order: ByteOrder::Little, ..self.format };
        if !self.format.is_normalised(&self.stored) && little.is_normalised(&self.stored) {
            self.format = little;
        }
        self.is_known = true;
    }
}
