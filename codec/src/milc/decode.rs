//! Reading: the push state machine for one file.
//!
//! # Invariants
//! | field | holds | changes |
//! |---|---|---|
//! | `phase` | header, site list if the header announces one, sums, data, bytes after the end: in this order | where the last byte of the part is consumed |
//! | `filled` | bytes of `raw`, after the header of `stored` | 0 with the header; then with the bytes of the sums |
//! | `cursor` | `left` belongs to the site list, then to the data. The whole file fits into 64 bits, as `Header` checks | opened with the header, and after the sums |
//! | `seen` | bytes of the list, then of the data, that `list` or `summing` has taken | 0 at the end of the list |
//! | `out_of_range` | the first entry with a rank that the lattice lacks | once |

use super::error::ErrorKind;
use super::header::{HEADER_LEN, Header, SITE_LEN, SUMS_LEN, order_of};
use super::sums::{SiteList, Summing, Sums, Verdict};
use crate::bytes::{accumulate, prefix};
use crate::counter::{Counter as _, at_most};
use crate::error::{Error, Mode};
use crate::failed::{Failed, Stopped};
use crate::lattice::ByteOrder;
use crate::machine::{DecoderBase as _, StateMachine, decoder};
use crate::payload::{PayloadCursor, Seen, Trailing};
use crate::state::saved;
use crate::step::{Demand, Step};

/// The events of a [`Decoder`].
///
/// # Example
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::milc::{Decoder, Event};
/// use linkstream::{Mode, drive, finish};
/// # let file = linkstream_example::milc();
///
/// let mut decoder = Decoder::new(Mode::Strict);
/// let (mut bytes, mut verdict) = (0, None);
/// drive(&mut decoder, &file, |event, data, _| match event {
///     Event::Data => bytes += data.len(),
///     Event::Verdict(found) => verdict = Some(found.is_match()),
///     _ => {}
/// })?;
/// finish(&mut decoder, |_, _, _| {})?;
/// assert_eq!((bytes, verdict), (288, Some(true)));
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Event {
    /// Extents and byte order are known.
    Header(Header),
    /// The bytes consumed by this step belong to the site list, which contains the rank (x fastest, 32 bits) of each
    /// site in the order of the data.
    SiteList,
    /// The stored checksums. The data follow.
    Stored(Sums),
    /// The bytes consumed by this step are data: for each site the links in the directions x, y, z, t.
    Data,
    /// The data are complete; the file should end here.
    Verdict(Verdict),
    /// A broken rule that the [`Mode`](crate::Mode) does not refuse, or a remark. Reading continues.
    Finding(Error<ErrorKind>),
}

/// An [`Event`] without its contents, which the decoder has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    Header,
    SiteList,
    Stored,
    Data,
    Verdict,
    Finding,
}

/// Part of the file that the next byte belongs to, or the event that is due next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Header,
    List,
    Sums,
    Data,
    /// The data are complete, and a finding about their checksums has been reported.
    Judged,
    After,
    /// [`Decode::finish`] has been called.
    Ended,
}

saved!(enum Phase: Header, List, Sums, Data, Judged, After, Ended);

/// Reads a MILC file of version 5 from input in chunks of any size. It stores the header and a few counters (see
/// [`State`](crate::State)), but no data.
///
/// # Example
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::Resumable;
/// use linkstream::milc::{Decoder, Event, Sums};
/// use linkstream::{Decode, Mode};
/// # let file = linkstream_example::milc();
///
/// let mut decoder = Decoder::new(Mode::Strict);
/// let step = decoder.push(&file)?;
/// assert_eq!((step.consumed, decoder.header().map(|header| header.data_length())), (88, Some(288)));
///
/// // Continue elsewhere: the state is a few bytes.
/// let mut decoder = Decoder::load(&decoder.save()?)?;
/// let step = decoder.push(&file[88..])?;
/// assert_eq!(step.event, Some(Event::Stored(Sums { sum29: 2, sum31: 2 })));
/// assert_eq!(decoder.stored(), Some(Sums { sum29: 2, sum31: 2 }));
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
#[derive(Debug, Clone)]
pub struct Decoder {
    mode: Mode,
    phase: Phase,
    raw: [u8; HEADER_LEN],
    stored: [u8; SUMS_LEN as usize],
    /// Number of bytes read of the header, later of the checksums.
    filled: usize,
    header: Option<Header>,
    list: SiteList,
    /// Offset and rank of the first entry of the site list that is out of range.
    out_of_range: Option<Entry>,
    summing: Summing,
    /// Bytes of the site list, later of the data, that have been summed.
    seen: Seen,
    trailing: Trailing,
    cursor: PayloadCursor,
    failed: Failed<ErrorKind>,
}

saved!(struct Decoder {
    mode, phase, raw, stored, filled, header, list, out_of_range, summing, seen, trailing, cursor
} skipping { failed });

/// An entry of the site list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    at: u64,
    rank: u32,
}

saved!(struct Entry { at, rank });

impl Decoder {
    /// A decoder for a file from its first byte.
    #[must_use]
    pub const fn new(mode: Mode) -> Self {
        Self {
            mode,
            phase: Phase::Header,
            raw: [0; HEADER_LEN],
            stored: [0; SUMS_LEN as usize],
            filled: 0,
            header: None,
            list: SiteList::new(),
            out_of_range: None,
            summing: Summing::new(ByteOrder::Big),
            seen: Seen::new(),
            trailing: Trailing::new(),
            cursor: PayloadCursor::at(0),
            failed: Failed::new(),
        }
    }

    /// Extents, time and byte order; `None` until the header is complete.
    #[must_use]
    pub const fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// The stored checksums; `None` until they have been read.
    #[must_use]
    pub fn stored(&self) -> Option<Sums> {
        let header = self.header.filter(|_| self.is_after_sums())?;
        let (words, _) = self.stored.as_chunks::<4>();
        let &[sum29, sum31] = words else { return None };
        Some(Sums { sum29: header.order().u32(sum29), sum31: header.order().u32(sum31) })
    }

    const fn is_after_sums(&self) -> bool {
        matches!(self.phase, Phase::Data | Phase::Judged | Phase::After | Phase::Ended)
    }

    /// Length in bytes of the open payload, or of the last one.
    fn payload_length(&self, header: &Header) -> u64 {
        match self.phase {
            Phase::List => header.list_length(),
            Phase::Header | Phase::Sums => 0,
            Phase::Data | Phase::Judged | Phase::After | Phase::Ended => header.data_length(),
        }
    }

    fn push_header(&mut self, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        let consumed = accumulate(&mut self.raw, &mut self.filled, input);
        self.cursor.advance(consumed);
        if self.filled < HEADER_LEN {
            return Ok(Step::more(consumed));
        }
        match Header::from_bytes(&self.raw) {
            Ok(header) => {
                self.header = Some(header);
                self.filled = 0;
                self.summing = Summing::new(header.order());
                self.phase = if header.has_site_list() { Phase::List } else { Phase::Sums };
                self.cursor.open(header.list_length());
                Ok(Step::event(consumed, Signal::Header))
            }
            Err(kind @ ErrorKind::Extent { index }) => self.fail(4_u64.plus(u64::from(index).times(4)), kind),
            Err(kind @ ErrorKind::SizeOverflow) => self.fail(4, kind),
            Err(kind) => self.fail(0, kind),
        }
    }

    fn push_list(&mut self, input: &[u8]) -> Step<Signal> {
        let Some(header) = self.header else { return Step::more(0) };
        let mut next = self.seen.length();
        let (n, new) = self.seen.consume(&mut self.cursor, header.list_length(), input);
        if n == 0 {
            return Step::more(0);
        }
        for byte in new {
            let at = next;
            next.increase(1);
            // An entry is complete with its fourth byte, so its offset is three bytes before this one.
            let Some(word) = self.list.byte(at, *byte) else { continue };
            let rank = header.order().u32(word);
            self.list.add(rank);
            if u64::from(rank) >= header.extents().sites() && self.out_of_range.is_none() {
                self.out_of_range = Some(Entry { at: at.minus(3).plus(HEADER_LEN as u64), rank });
            }
        }
        Step::event(n, Signal::SiteList)
    }

    /// The broken rule of a complete site list, if any, and its offset.
    fn list_finding(&self) -> Option<(u64, ErrorKind)> {
        if let Some(Entry { at, rank }) = self.out_of_range {
            return Some((at, ErrorKind::SiteRange { rank }));
        }
        let header = self.header?;
        // Not for a list with bytes that were skipped: its sums are incomplete.
        let is_wrong =
            self.seen.length() == header.list_length() && !self.list.is_complete(header.extents().sites());
        is_wrong.then_some((HEADER_LEN as u64, ErrorKind::SiteList))
    }

    fn end_list(&mut self, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        let finding = self.list_finding();
        self.phase = Phase::Sums;
        self.seen = Seen::new();
        match finding {
            Some((at, kind)) => self.report(0, at, kind),
            None => Ok(self.push_sums(input)),
        }
    }

    fn push_sums(&mut self, input: &[u8]) -> Step<Signal> {
        let consumed = accumulate(&mut self.stored, &mut self.filled, input);
        self.cursor.advance(consumed);
        if self.filled < self.stored.len() {
            return Step::more(consumed);
        }
        self.phase = Phase::Data;
        self.cursor.open(self.header.map_or(0, |header| header.data_length()));
        Step::event(consumed, Signal::Stored)
    }

    fn push_data(&mut self, input: &[u8]) -> Step<Signal> {
        let length = self.open_length().unwrap_or(0);
        let (n, new) = self.seen.consume(&mut self.cursor, length, input);
        self.summing.feed(new);
        if n == 0 { Step::more(0) } else { Step::event(n, Signal::Data) }
    }

    /// Compares the checksums after all data have been read.
    fn end_data(&mut self) -> Result<Step<Signal>, Stopped> {
        self.phase = Phase::Judged;
        match self.verdict() {
            Verdict::Mismatch { stored, computed } => {
                let at = self.header.map_or(0, |header| header.data_at().minus(SUMS_LEN));
                self.report(0, at, ErrorKind::Checksum { stored, computed })
            }
            _ => Ok(self.end_judged()),
        }
    }

    const fn end_judged(&mut self) -> Step<Signal> {
        self.phase = Phase::After;
        Step::event(0, Signal::Verdict)
    }

    /// Result of comparing the checksums.
    fn verdict(&self) -> Verdict {
        let is_whole = self.header.is_some_and(|header| self.seen.length() == header.data_length());
        match self.stored().filter(|_| is_whole) {
            None => Verdict::Unchecked,
            Some(stored) => {
                let computed = self.summing.sums();
                if stored == computed {
                    Verdict::Match { stored, computed }
                } else {
                    Verdict::Mismatch { stored, computed }
                }
            }
        }
    }

    fn push_after(&mut self, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        match self.trailing.take(&mut self.cursor, input) {
            Some(at) => self.report(0, at, ErrorKind::Trailing),
            None => Ok(Step::more(input.len())),
        }
    }

    /// Error if the input ends inside the header: truncated if the bytes so far fit, otherwise another format.
    fn end_in_header(&mut self) -> Result<Step<Signal>, Stopped> {
        let [m0, m1, m2, m3, ..] = self.raw;
        let magics = [super::MAGIC.to_be_bytes(), super::MAGIC.to_le_bytes()];
        let seen = prefix(&self.raw, at_most(4, self.filled));
        if order_of([m0, m1, m2, m3]).is_some() || magics.iter().any(|magic| magic.starts_with(seen)) {
            return self.fail(self.cursor.position(), ErrorKind::HeaderTruncated { have: self.filled as u8 });
        }
        self.fail(0, ErrorKind::Magic { found: [m0, m1, m2, m3] })
    }
}

impl StateMachine for Decoder {
    fn take_input(&mut self, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        match self.phase {
            Phase::Data if self.cursor.left() > 0 => Ok(self.push_data(input)),
            Phase::Data => self.end_data(),
            Phase::Header => self.push_header(input),
            Phase::List if self.cursor.left() > 0 => Ok(self.push_list(input)),
            // A finding of the complete list is due at once. Without one, the list ends with the first byte after it.
            Phase::List if input.is_empty() && self.list_finding().is_none() => Ok(Step::more(0)),
            Phase::List => self.end_list(input),
            Phase::Sums => Ok(self.push_sums(input)),
            Phase::Judged => Ok(self.end_judged()),
            Phase::After => self.push_after(input),
            Phase::Ended if input.is_empty() => Ok(Step::more(0)),
            Phase::Ended => Err(Stopped),
        }
    }

    fn take_end(&mut self) -> Result<Step<Signal>, Stopped> {
        let (at, left) = (self.cursor.position(), self.cursor.left());
        match self.phase {
            Phase::Header => self.end_in_header(),
            Phase::List if left > 0 => self.fail(at, ErrorKind::ListTruncated { missing: left }),
            Phase::List if self.list_finding().is_some() => self.end_list(&[]),
            Phase::List => self.fail(at, ErrorKind::SumsTruncated { have: 0 }),
            Phase::Sums => self.fail(at, ErrorKind::SumsTruncated { have: self.filled as u8 }),
            Phase::Data if left > 0 => {
                let place = self.open_length().map_or(0, |length| self.cursor.place(length));
                let sites = place.checked_div(SITE_LEN as u64).unwrap_or(0);
                self.fail(at, ErrorKind::DataTruncated { sites, missing: left })
            }
            // Events that are already due come first.
            Phase::Data | Phase::Judged => self.take_input(&[]),
            Phase::After | Phase::Ended => {
                self.phase = Phase::Ended;
                Ok(Step::more(0))
            }
        }
    }

    #[inline(never)]
    fn event(&mut self, signal: Signal) -> Option<Event> {
        match signal {
            Signal::Header => self.header.map(Event::Header),
            Signal::SiteList => Some(Event::SiteList),
            Signal::Stored => self.stored().map(Event::Stored),
            Signal::Data => Some(Event::Data),
            Signal::Verdict => Some(Event::Verdict(self.verdict())),
            Signal::Finding => Some(Event::Finding(self.finding())),
        }
    }

    fn next_demand(&self) -> Demand {
        let left = self.cursor.left();
        match self.phase {
            Phase::Header => Demand::Bytes(HEADER_LEN.minus(self.filled) as u64),
            Phase::List | Phase::Data if left > 0 => Demand::Skip(left),
            Phase::List if self.list_finding().is_none() => Demand::Bytes(SUMS_LEN),
            Phase::Sums => Demand::Bytes(SUMS_LEN.minus(self.filled as u64)),
            Phase::List | Phase::Data | Phase::Judged => Demand::Bytes(0),
            Phase::After => Demand::Bytes(1),
            Phase::Ended => Demand::End,
        }
    }

    fn open_length(&self) -> Option<u64> {
        let is_open = matches!(self.phase, Phase::List | Phase::Data);
        self.header.filter(|_| is_open).map(|header| self.payload_length(&header))
    }

    fn is_consistent(&self) -> bool {
        let (position, left) = (self.cursor.position(), self.cursor.left());
        let Some(header) = &self.header else {
            let is_fresh =
                self.seen == Seen::new() && self.list == SiteList::new() && self.out_of_range.is_none();
            let is_start = self.filled < HEADER_LEN && position == self.filled as u64 && left == 0;
            return self.phase == Phase::Header && is_start && is_fresh && !self.trailing.is_reported();
        };
        // A header that can be read has extents and lengths that fit.
        let is_header = Header::from_bytes(&self.raw) == Ok(*header);
        if !is_header || self.phase == Phase::Header {
            return false;
        }
        let data_at = header.data_at();
        let place_fits = match self.phase {
            Phase::List => {
                let is_fresh = header.has_site_list() && self.filled == 0;
                is_fresh && self.cursor.end() == Some(data_at.minus(SUMS_LEN))
            }
            Phase::Sums => {
                let filled = self.filled as u64;
                filled < SUMS_LEN && left == 0 && position == data_at.minus(SUMS_LEN).plus(filled)
            }
            Phase::Data => self.cursor.end() == Some(header.file_length()),
            _ => self.trailing.fits(&self.cursor, header.file_length()),
        };
        let may_trail = matches!(self.phase, Phase::After | Phase::Ended);
        let length = self.payload_length(header);
        // Before the data, `seen` counts bytes of the site list.
        let summed = if self.is_after_sums() { self.seen.length() } else { 0 };
        place_fits
            && (may_trail || !self.trailing.is_reported())
            && left <= length
            && self.seen.length() <= length
            && self.summing.is_consistent(header.order(), summed)
    }
}

decoder!(Decoder, 19);
