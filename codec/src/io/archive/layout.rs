//! The common structure of NERSC archives and MILC files (a header, in some files a list of sites, and the links), and
//! the jobs of [`ArchiveReader`](crate::io::ArchiveReader), which track the part of a file that has been read.

use core::fmt::Debug;
use core::ops::ControlFlow;
use core::task::{Poll, ready};

use crate::callback::Outcome;
use crate::counter::Counter as _;
use crate::error::Error;
use crate::field::{DescribedBy, Field, LinkLayout};
use crate::io::buffer::Buffer;
use crate::io::error::ArchiveError;
use crate::io::format_reader::{FormatFrame, Progress, ReadState};
use crate::io::frame::Job;
use crate::io::once::Once;
use crate::lattice::{ByteOrder, Extents, Precision, Region};
use crate::lime::Record;
use crate::nersc::{LINKS, LinkFormat, MAX_WHOLE_COLORS, StoredRows, WholeLinks};
use crate::step::Decode;
use crate::{milc, nersc};

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
///     Ok(archive.number_count()? / 18)
/// }
/// ```
pub trait Archive: sealed::ArchiveFormat {}

impl<D: sealed::ArchiveFormat> Archive for D {}

pub(super) mod sealed {
    use super::{ByteOrder, Debug, Decode, Layout, Signal};

    pub trait ArchiveFormat: Decode {
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
    pub(super) rows: StoredRows,
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
        self.colors <= MAX_WHOLE_COLORS
    }

    fn format(&self, order: ByteOrder) -> LinkFormat {
        let Self { precision, colors, rows, .. } = *self;
        LinkFormat { precision, colors, rows, order }
    }

    /// The links of a file, in byte order `order` if the header names none.
    pub(super) fn whole_links(&self, order: Option<ByteOrder>) -> WholeLinks {
        let known = self.order.or(order);
        WholeLinks::new(self.format(known.unwrap_or(ByteOrder::Big)), known.is_some())
    }

    /// The links with all their rows, as a field.
    pub(super) fn field(&self) -> Field {
        let format = self.format(ByteOrder::Big);
        let (precision, bytes_per_site) =
            (self.precision, (LINKS as u64).saturating_mul(format.whole_length() as u64));
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
            described_by: DescribedBy::Ildg,
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
            rows: StoredRows::Full,
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

/// The frame of a reader of archives.
pub(super) type ArchiveFrame<B, D> = FormatFrame<B, D, ArchiveState<D>>;

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

/// The part of an archive that has been read, and the use of its data.
#[derive(Debug)]
pub struct ArchiveState<D: sealed::ArchiveFormat> {
    pub(super) stage: Stage,
    pub(super) data: Once<D::Verdict>,
    /// The caller has all ranks of a site list.
    pub(super) has_ranks: bool,
    /// Ranks were passed that the caller does not have.
    pub(super) is_list_passed: bool,
    /// The byte order of data whose header does not name it, from the caller.
    pub(super) order: Option<ByteOrder>,
}

impl<D: sealed::ArchiveFormat> ReadState for ArchiveState<D> {
    type Decoder = D;
    type ErrorKind = D::ErrorKind;

    const START: Self = Self {
        stage: Stage::Nothing,
        data: Once::START,
        has_ranks: false,
        is_list_passed: false,
        order: None,
    };
}

impl<D: sealed::ArchiveFormat> Progress<ArchiveState<D>> {
    /// Begins a call that delivers the data.
    pub(super) fn begin<E>(&mut self) -> Result<(), ArchiveError<E, D::ErrorKind>> {
        self.delivery.begin()?;
        let is_first = self.state.data.begin() && self.state.stage <= Stage::Data;
        if is_first { Ok(()) } else { Err(ArchiveError::AlreadyRead) }
    }

    /// Begins a call that skips the data.
    pub(super) fn begin_skip<E>(&mut self) -> Result<(), ArchiveError<E, D::ErrorKind>> {
        self.begin()?;
        self.state.data.give_up();
        Ok(())
    }

    /// Reads up to a stage, and passes payload before it to a callback. The bytes are counted if the call `delivers`.
    pub(super) fn advance<E>(
        &mut self,
        frame: &mut ArchiveFrame<impl Buffer, D>,
        to: Stage,
        delivers: bool,
        each: &mut impl FnMut(&[u8]),
    ) -> Job<(), E, D::ErrorKind> {
        let state = &mut self.state;
        while state.stage < to {
            let Some(event) = ready!(frame.next()?) else {
                state.stage = Stage::Ended;
                break;
            };
            match D::signal(&event) {
                Signal::Header { is_last } => state.stage = if is_last { Stage::Data } else { Stage::Header },
                Signal::Data => state.stage = Stage::Data,
                Signal::Payload => {
                    each(frame.last());
                    // Payload that a call only passes is not delivered, so such a call can be repeated. A later call
                    // cannot deliver it.
                    match state.stage {
                        _ if delivers => self.delivery.add(frame.last().len()),
                        Stage::Data => state.data.give_up(),
                        _ => state.is_list_passed = true,
                    }
                }
                Signal::Verdict(verdict) => {
                    (state.data.verdict, state.stage) = (Some(verdict), Stage::Judged)
                }
                Signal::Finding(finding) => self.findings.note(finding),
                Signal::Nothing => {}
            }
        }
        Poll::Ready(Ok(()))
    }

    /// Reads up to a stage.
    pub(super) fn pass<E>(
        &mut self,
        frame: &mut ArchiveFrame<impl Buffer, D>,
        to: Stage,
    ) -> Job<(), E, D::ErrorKind> {
        self.advance(frame, to, false, &mut |_| {})
    }

    /// Delivers the data.
    pub(super) fn deliver<E>(
        &mut self,
        frame: &mut ArchiveFrame<impl Buffer, D>,
        each: &mut impl FnMut(&[u8]),
    ) -> Job<(), E, D::ErrorKind> {
        let advanced = ready!(self.advance(frame, Stage::Judged, true, each));
        self.state.data.complete(&mut self.delivery);
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
