//! The common structure of NERSC archives and MILC files (a header, in some files a list of sites, and the links), and
//! the jobs of [`ArchiveReader`](crate::io::ArchiveReader), which track the part of a file that has been read.

use core::fmt::Debug;
use core::ops::ControlFlow;
use core::task::{Poll, ready};

use crate::bytes::{copy, prefix, split, suffix_mut};
use crate::callback::Outcome;
use crate::counter::Counter as _;
use crate::error::Error;
use crate::field::{Field, LinkLayout, Source};
use crate::io::buffer::Buffer;
use crate::io::error::{ArchiveError, ReadError};
use crate::io::findings::Findings;
use crate::io::frame::{Delivery, Frame, Job};
use crate::lattice::{ByteOrder, Extents, Precision, Region};
use crate::lime::Record;
use crate::nersc::{LinkFormat, Rows};
use crate::step::Decode;
use crate::{milc, nersc};

/// Links of a site: x, y, z, t.
const LINKS: usize = 4;
/// The largest number of colors of links that are delivered: they are completed in memory of a fixed size.
const MAX_COLORS: u8 = 4;
/// Bytes of the largest link.
pub(super) const LINK: usize = 2 * 8 * (MAX_COLORS as usize) * (MAX_COLORS as usize);
/// Bytes of the largest site.
pub(super) const SITE: usize = LINKS * LINK;

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

/// A decoder that is lent, for example one in a `static`.
impl<D: sealed::ArchiveFormat> sealed::ArchiveFormat for &mut D {
    type Header = D::Header;
    type Verdict = D::Verdict;

    fn found(&self) -> Option<(D::Header, Layout)> {
        D::found(self)
    }

    fn signal(event: &D::Event) -> Signal<D::Verdict, D::ErrorKind> {
        D::signal(event)
    }

    fn proven(verdict: &D::Verdict) -> Option<ByteOrder> {
        D::proven(verdict)
    }
}

/// Meaning of an event for a reader.
#[derive(Debug)]
pub enum Signal<V, K> {
    /// The header is complete.
    Header {
        /// The data follow directly.
        is_last: bool,
    },
    /// The step has consumed a part of the site list, or of the data.
    Payload,
    /// The data follow.
    Data,
    Verdict(V),
    Finding(Error<K>),
    Nothing,
}

/// Storage format of the links.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    pub(super) extents: Extents,
    pub(super) precision: Precision,
    pub(super) colors: u8,
    pub(super) rows: Rows,
    /// `None` if the header does not name it.
    pub(super) order: Option<ByteOrder>,
    pub(super) has_list: bool,
}

impl Layout {
    /// The layout of the links of a NERSC archive.
    pub(super) const fn of(header: &nersc::Header) -> Self {
        let (precision, colors, rows) = (header.precision(), header.colors(), header.rows());
        Self { extents: *header.extents(), precision, colors, rows, order: header.order(), has_list: false }
    }

    /// True if the links are small enough to be delivered.
    pub(super) const fn is_small(&self) -> bool {
        self.colors <= MAX_COLORS
    }

    fn format(&self, order: ByteOrder) -> LinkFormat {
        let Self { precision, colors, rows, .. } = *self;
        LinkFormat { precision, colors, rows, order }
    }

    /// The links with all their rows, as a field.
    pub(super) fn field(&self) -> Field {
        let format = self.format(ByteOrder::Big);
        let (precision, bytes_per_site) =
            (self.precision, (LINKS as u64).saturating_mul(format.whole_bytes() as u64));
        let links = LinkLayout {
            links: LINKS as u32,
            rows: self.colors.into(),
            columns: self.colors.into(),
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
        Some((*header, Layout::of(header)))
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
            colors: 3,
            rows: Rows::Full,
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

/// Converts stored bytes, which arrive in chunks of any size, to big-endian links with all rows.
#[derive(Debug)]
pub(super) struct WholeLinks {
    format: LinkFormat,
    /// The byte order in `format` is known. Otherwise it is derived from the first link.
    is_known: bool,
    stored: [u8; LINK],
    filled: usize,
    /// Links of a site, with all rows.
    site: [u8; SITE],
    links: usize,
}

impl WholeLinks {
    /// `order` is used if the header names no byte order.
    pub(super) fn new(layout: &Layout, order: Option<ByteOrder>) -> Self {
        let known = layout.order.or(order);
        Self {
            format: layout.format(known.unwrap_or(ByteOrder::Big)),
            is_known: known.is_some(),
            stored: [0; LINK],
            filled: 0,
            site: [0; SITE],
            links: 0,
        }
    }

    /// Byte order used to read the links.
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
            // The first link is complete, so its norm shows the byte order.
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

    /// Derives the byte order from the first link: little-endian if its first row has norm 1 only in that order,
    /// otherwise big-endian.
    fn guess(&mut self) {
        let little = LinkFormat { order: ByteOrder::Little, ..self.format };
        if !self.format.is_normalised(&self.stored) && little.is_normalised(&self.stored) {
            self.format = little;
        }
        self.is_known = true;
    }
}

/// Stages of reading, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    Nothing,
    Header,
    /// Everything before the data has been read.
    Data,
    /// The data, and the verdict on them.
    Judged,
    Ended,
}

/// Use of the data so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Untouched,
    /// A call delivers them, or was interrupted.
    Delivered,
    /// They were delivered to their end, or skipped.
    Done,
}

/// The part of the file that has been read, its verdict, and the findings.
#[derive(Debug)]
pub(super) struct Progress<V, K> {
    pub(super) stage: Stage,
    access: Access,
    /// Amount delivered, in bytes of the file.
    pub(super) delivery: Delivery,
    /// The caller has all ranks of a site list.
    pub(super) has_ranks: bool,
    pub(super) verdict: Option<V>,
    pub(super) findings: Findings<K>,
}

impl<V: Copy, K: Copy> Progress<V, K> {
    pub(super) const START: Self = Self {
        stage: Stage::Nothing,
        access: Access::Untouched,
        delivery: Delivery::NONE,
        has_ranks: false,
        verdict: None,
        findings: Findings::NONE,
    };

    /// Begins a call that delivers the data. One that was interrupted before it had delivered anything can be repeated.
    pub(super) fn begin<E>(&mut self) -> Result<(), ArchiveError<E, K>> {
        self.delivery.begin()?;
        if self.access == Access::Done || self.stage > Stage::Data {
            return Err(ArchiveError::AlreadyRead);
        }
        self.access = Access::Delivered;
        Ok(())
    }

    /// Begins a call that skips the data.
    pub(super) fn skip<E>(&mut self) -> Result<(), ArchiveError<E, K>> {
        self.begin()?;
        self.access = Access::Done;
        Ok(())
    }

    pub(super) fn settled<E>(&self) -> Result<V, ReadError<E, K>> {
        self.verdict.ok_or(ReadError::NoProgress)
    }

    /// Reads up to a stage, and passes payload before it to a callback. The bytes are counted if the call `delivers`.
    pub(super) fn advance<E, D>(
        &mut self,
        frame: &mut Frame<impl Buffer, D>,
        to: Stage,
        delivers: bool,
        each: &mut impl FnMut(&[u8]),
    ) -> Job<(), E, K>
    where
        D: sealed::ArchiveFormat<Verdict = V, ErrorKind = K>,
    {
        while self.stage < to {
            let Some(event) = ready!(frame.next()?) else {
                self.stage = Stage::Ended;
                break;
            };
            match D::signal(&event) {
                Signal::Header { is_last } => self.stage = if is_last { Stage::Data } else { Stage::Header },
                Signal::Data => self.stage = Stage::Data,
                Signal::Payload => {
                    each(frame.last());
                    // Payload that a call only passes is not delivered, so such a call can be repeated.
                    if delivers {
                        self.delivery.add(frame.last().len());
                    }
                }
                Signal::Verdict(verdict) => (self.verdict, self.stage) = (Some(verdict), Stage::Judged),
                Signal::Finding(finding) => self.findings.note(finding),
                Signal::Nothing => {}
            }
        }
        Poll::Ready(Ok(()))
    }

    /// Reads up to a stage.
    pub(super) fn pass<E, D>(&mut self, frame: &mut Frame<impl Buffer, D>, to: Stage) -> Job<(), E, K>
    where
        D: sealed::ArchiveFormat<Verdict = V, ErrorKind = K>,
    {
        self.advance(frame, to, false, &mut |_| {})
    }

    /// Delivers the data. A call is complete here: it is interrupted only if the source fails.
    pub(super) fn deliver<E, D>(
        &mut self,
        frame: &mut Frame<impl Buffer, D>,
        each: &mut impl FnMut(&[u8]),
    ) -> Job<(), E, K>
    where
        D: sealed::ArchiveFormat<Verdict = V, ErrorKind = K>,
    {
        let advanced = ready!(self.advance(frame, Stage::Judged, true, each));
        self.access = Access::Done;
        self.delivery.end();
        Poll::Ready(advanced)
    }
}

/// Splits a site list into ranks.
pub(super) struct Ranks<F, X> {
    pub(super) each: F,
    pub(super) word: [u8; 4],
    pub(super) filled: usize,
    /// Outcome of the callback, which is not called again after it has failed or stopped.
    pub(super) outcome: Result<ControlFlow<()>, X>,
}

impl<O: Outcome, F: FnMut(u64) -> O> Ranks<F, O::Error> {
    pub(super) fn feed(&mut self, bytes: &[u8], order: ByteOrder) {
        for byte in bytes {
            if let Some(place) = self.word.get_mut(self.filled) {
                *place = *byte;
            }
            self.filled.increase(1);
            if self.filled == self.word.len() {
                self.filled = 0;
                if matches!(self.outcome, Ok(ControlFlow::Continue(()))) {
                    self.outcome = (self.each)(order.u32(self.word).into()).into_result();
                }
            }
        }
    }
}
