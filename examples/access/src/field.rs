//! Fields of any file, and reading them.

use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use linkstream::field::Field as Layout;
use linkstream::lattice::{ByteOrder, reverse_words};
use linkstream_arithmetic::parallel;

use crate::array::{Array, Element};
use crate::broken::Broken;
use crate::error::Error;
use crate::placement::{Placement, Scratch};
use crate::selection::{Run, Selected, Selection};
use crate::source::MAX_SITE;
use crate::sums::{Comparison, Method, Partial, Stored, Sum};

/// Number of bytes that are read at a time: they are summed and converted while they are in the cache.
const PIECE: u64 = 512 << 10;
/// Maximum number of bytes that a thread reads in one piece of work.
const LONGEST: u64 = 4 << 20;
/// Number of bytes that are delivered to a sink at a time, by all threads together.
const WINDOW: u64 = 16 << 20;
/// The same if there is one thread: nothing is read while the sink works.
const WINDOW_OF_ONE: u64 = 1 << 20;

/// The byte order of this machine.
const NATIVE: ByteOrder = if cfg!(target_endian = "big") { ByteOrder::Big } else { ByteOrder::Little };

/// Whether data are compared with the stored checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Verify {
    #[default]
    Yes,
    No,
}

/// What is known about data that were read. Data that contradict their checksum are an [`Error`] instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "data that are not verified may not be those that were written"]
pub enum Verdict {
    /// They are those of which the file has the checksum.
    Verified,
    Unverified(Unverified),
}

/// Reason why data are not verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unverified {
    /// This was not requested.
    NotRequested,
    /// The file has no checksum of them, or only one of two sums.
    NoChecksum,
    /// They are time slices, and the whole field has not been verified yet. Once it has been, by
    /// [`Field::verify`] or by reading all of it, time slices are compared with those that were verified.
    NoFullPass,
    /// They are no whole time slices.
    PartOfSlices,
    /// The links are verified, but not their places: the checksum does not cover the site list.
    SiteList,
}

impl Verdict {
    #[must_use]
    pub const fn is_verified(self) -> bool {
        matches!(self, Self::Verified)
    }
}

/// The data of one record, of all volumes of a set, or of an archive. Clones share what is known about the data.
#[derive(Clone)]
pub struct Field {
    layout: Layout,
    array: Array,
    datatype: Option<String>,
    stored: Stored,
    method: Option<Method>,
    placement: Arc<Placement>,
    /// The sum of each time slice, once all data have been verified.
    slices: Arc<Mutex<Option<Vec<Sum>>>>,
}

impl fmt::Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { layout, array, datatype, stored, .. } = self;
        let mut this = f.debug_struct("Field");
        this.field("layout", layout)
            .field("array", array)
            .field("datatype", datatype)
            .field("stored", stored);
        this.finish_non_exhaustive()
    }
}

/// Sites that a thread reads, all in the same time slice.
#[derive(Debug, Clone, Copy)]
struct Unit {
    first: u64,
    sites: u64,
    slice: u64,
}

impl Field {
    pub(crate) fn new(
        layout: Layout,
        array: Array,
        datatype: Option<String>,
        stored: Stored,
        placement: Placement,
    ) -> Self {
        let method = match stored {
            Stored::Absent => None,
            Stored::Scidac { .. } => Some(Method::Sites),
            Stored::Nersc { .. } => Some(Method::Words),
            Stored::Milc(_) => match &placement {
                Placement::Links { shape, .. } | Placement::Listed { shape, .. } => {
                    Some(Method::PlacedWords(shape.order.unwrap_or(ByteOrder::Big)))
                }
                _ => None,
            },
        };
        let (placement, slices) = (Arc::new(placement), Arc::default());
        Self { layout, array, datatype, stored, method, placement, slices }
    }

    /// The layout of the data: lattice, region, bytes per site. The record is that of the file or, for a set, of the
    /// single file with the same fields. For archives it is the layout with all rows of the links.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Type, shape and axes of the data as an array.
    #[must_use]
    pub const fn array(&self) -> &Array {
        &self.array
    }

    /// The SciDAC datatype, or the kind of gauge field in an `ildg-format`.
    #[must_use]
    pub fn datatype(&self) -> Option<&str> {
        self.datatype.as_deref()
    }

    /// The checksum that the file has for the data.
    #[must_use]
    pub const fn stored(&self) -> &Stored {
        &self.stored
    }

    /// Whether the file has checksums that verify all of the data, also their places.
    pub(crate) fn can_be_verified(&self) -> bool {
        let is_complete = match self.stored {
            Stored::Absent | Stored::Scidac { suma: None, .. } | Stored::Scidac { sumb: None, .. } => false,
            Stored::Scidac { .. } | Stored::Nersc { .. } | Stored::Milc(_) => true,
        };
        is_complete && !matches!(*self.placement, Placement::Listed { .. })
    }

    /// Offset, length in bytes, and byte order of the data, if they are in one place of one file as their array has
    /// them: not for sets, archives with two rows of each link, and archives with a site list. Data read from there
    /// by other means are not verified.
    #[must_use]
    pub fn contiguous(&self) -> Option<(u64, u64, ByteOrder)> {
        let (offset, order) = self.placement.contiguous()?;
        Some((offset, self.layout.data_length()?, order))
    }

    /// Reads numbers in the byte order of this machine into `out`, on several threads if they are many. All numbers of
    /// the selection are read: see [`Selection::array`] for their shape.
    ///
    /// # Errors
    /// The numbers have another type, `out` has another length, the selection is not inside the field, the source
    /// failed, or the data contradict their checksum. In the last case they are in `out` for examination.
    pub fn read<T: Element>(
        &self,
        selection: &Selection,
        out: &mut [T],
        verify: Verify,
    ) -> Result<Verdict, Error> {
        if T::TYPE != self.array.element {
            return Err(Error::ElementType { stored: self.array.element, requested: T::TYPE });
        }
        self.read_bytes(selection, bytemuck::cast_slice_mut(out), NATIVE, verify)
    }

    /// Like [`read`](Self::read), with numbers of any type as bytes in the given byte order. LIME files have big-endian
    /// numbers.
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    pub fn read_bytes(
        &self,
        selection: &Selection,
        out: &mut [u8],
        order: ByteOrder,
        verify: Verify,
    ) -> Result<Verdict, Error> {
        let selected = self.selected(selection)?;
        let expected = self.bytes_of(&selected)?;
        if out.len() as u64 != expected {
            return Err(Error::Length { expected, given: out.len() as u64 });
        }
        let mut sums = self.sums(&selected, verify);
        self.units(&selected, expected, out, order, &mut sums)?;
        match self.judge(&selected, sums, verify)? {
            Judged::Verdict(verdict) => Ok(verdict),
            // The checksum has shown the byte order of an archive that does not state it.
            Judged::OtherOrder => self.read_bytes(selection, out, order, verify),
        }
    }

    /// Reads the selection in order and passes its bytes to `sink`, in the given byte order. The data are verified only
    /// after the last of them have been passed: after an error, what was passed must not be used.
    ///
    /// # Errors
    /// Those of [`read`](Self::read), and those of the sink as [`Error::Io`].
    pub fn stream(
        &self,
        selection: &Selection,
        order: ByteOrder,
        verify: Verify,
        sink: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<Verdict, Error> {
        let selected = self.selected(selection)?;
        self.bytes_of(&selected)?;
        self.settle_order(verify)?;
        let mut sums = self.sums(&selected, verify);
        let mut windows = self.windows(&selected);
        let (mut ready, mut ahead) = (Vec::new(), Vec::new());
        let read = |window: &Selected, out: &mut Vec<u8>, sums: &mut Sums| {
            let length = self.bytes_of(window)?;
            out.resize(length as usize, 0);
            self.units(window, length, out, order, sums)
        };
        let Some(first) = windows.next() else { return self.verdict(&selected, sums, verify) };
        read(&first, &mut ready, &mut sums)?;
        loop {
            let next = windows.next();
            let mut result = Ok(());
            let work = || {
                if let Some(next) = &next {
                    result = read(next, &mut ahead, &mut sums);
                }
            };
            parallel::beside(work, || sink(&ready))?;
            result?;
            if next.is_none() {
                return self.verdict(&selected, sums, verify);
            }
            std::mem::swap(&mut ready, &mut ahead);
        }
    }

    /// Reads all data once, without keeping them, and compares them with the stored checksum. Time slices that are read
    /// later are verified by it.
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    pub fn verify(&self) -> Result<Verdict, Error> {
        self.stream(&Selection::All, NATIVE, Verify::Yes, &mut |_| Ok(()))
    }

    /// Verifies an archive that does not state its byte order, so that its numbers are delivered in the right one.
    fn settle_order(&self, verify: Verify) -> Result<(), Error> {
        let is_open = matches!(self.stored, Stored::Nersc { order: None, .. });
        let is_known = self.slices().is_some();
        if !is_open || is_known || verify == Verify::No {
            return Ok(());
        }
        let selected = self.selected(&Selection::All)?;
        let mut sums = self.sums(&selected, Verify::Yes);
        let mut buffer = Vec::new();
        for window in self.windows(&selected) {
            let length = self.bytes_of(&window)?;
            buffer.resize(length as usize, 0);
            self.units(&window, length, &mut buffer, NATIVE, &mut sums)?;
        }
        self.judge(&selected, sums, Verify::Yes).map(|_| ())
    }

    fn verdict(&self, selected: &Selected, sums: Sums, verify: Verify) -> Result<Verdict, Error> {
        match self.judge(selected, sums, verify)? {
            Judged::Verdict(verdict) => Ok(verdict),
            // The order is settled before data are delivered.
            Judged::OtherOrder => Err(Error::Changed),
        }
    }

    fn selected(&self, selection: &Selection) -> Result<Selected, Error> {
        if self.layout.bytes_per_site > MAX_SITE {
            return Err(Error::LargeSites(self.layout.bytes_per_site));
        }
        Ok(selection.sites(&self.array.sites())?)
    }

    /// The parts of the selection that are delivered to a sink one after the other.
    fn windows(&self, selected: &Selected) -> impl Iterator<Item = Selected> + use<> {
        // Fewer seeks are needed for more sites at a time.
        let is_large = parallel::threads() > 1 || self.placement.is_scattered();
        let bytes = if is_large { WINDOW } else { WINDOW_OF_ONE };
        windows(selected, bytes / self.layout.bytes_per_site.max(1))
    }

    fn bytes_of(&self, selected: &Selected) -> Result<u64, Error> {
        let size = self.layout.bytes_per_site;
        selected.sites().checked_mul(size).ok_or(Error::LargeSites(size))
    }

    /// Number of time slices, and of sites in each. Global data count as one.
    fn slicing(&self) -> (u64, u64) {
        let slices = self.array.sites().first().copied().unwrap_or(1);
        (slices, self.layout.sites() / slices.max(1))
    }

    fn slices(&self) -> MutexGuard<'_, Option<Vec<Sum>>> {
        // No code panics while it holds the lock.
        self.slices.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The sums that can verify the selection.
    fn sums(&self, selected: &Selected, verify: Verify) -> Sums {
        let wanted = selected.slices.clone().filter(|slices| {
            let (all, _) = self.slicing();
            verify == Verify::Yes
                && self.method.is_some()
                && (slices.end - slices.start == all || self.slices().is_some())
        });
        let count = wanted.as_ref().map_or(0, |slices| slices.end - slices.start);
        Sums { wanted, of_slices: vec![Sum::default(); count as usize] }
    }

    /// Reads sites into `out`, which has their length, and adds them to the sums.
    fn units(
        &self,
        selected: &Selected,
        bytes: u64,
        out: &mut [u8],
        order: ByteOrder,
        sums: &mut Sums,
    ) -> Result<(), Error> {
        let ready = self.placement.ready(&self.layout)?;
        let size = self.layout.bytes_per_site.max(1);
        let method = self.method.filter(|_| sums.wanted.is_some());
        let piece = if self.placement.is_scattered() { LONGEST } else { PIECE };
        let longest = (bytes / (8 * parallel::threads() as u64)).clamp(piece, LONGEST);
        let (mut rest, mut items) = (out, Vec::new());
        let (_, sites_of_slice) = self.slicing();
        for unit in units(&selected.runs, (longest / size).max(1), sites_of_slice) {
            let (out, others) = std::mem::take(&mut rest).split_at_mut((unit.sites * size) as usize);
            items.push((unit, out));
            rest = others;
        }
        let first = sums.wanted.as_ref().map_or(0, |slices| slices.start);
        let of_slices = Mutex::new(&mut sums.of_slices);
        let word = self.array.element.bytes();
        let piece = (piece / size).max(1) * size;
        parallel::each(parallel::is_worthwhile(bytes), items, |(unit, out), scratch: &mut Scratch| {
            let mut partial = Partial::new(method, size);
            for (at, out) in (0..).zip(out.chunks_mut(piece as usize)) {
                let site = unit.first + at * (piece / size);
                let stored = ready.read(&self.layout, site, out, scratch, &mut partial)?;
                if stored != order {
                    reverse_words(out, word);
                }
            }
            if let Some(method) = method {
                let sum = partial.finish();
                let mut of_slices = of_slices.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(slice) = of_slices.get_mut((unit.slice - first) as usize) {
                    *slice = method.combine(*slice, sum);
                }
            }
            Ok(())
        })
    }

    /// The rule that data with the checksum `computed` break, with its place in the file or in a volume.
    fn mismatch(&self, stored: Sum, computed: Sum) -> Broken {
        self.placement.of_volume(self.stored.mismatch(stored, computed, self.layout.record.offset))
    }

    /// Compares the sums of the selection with what is known.
    fn judge(&self, selected: &Selected, sums: Sums, verify: Verify) -> Result<Judged, Error> {
        let unverified = |reason| Ok(Judged::Verdict(Verdict::Unverified(reason)));
        let Some(method) = self.method.filter(|_| verify == Verify::Yes) else {
            let reason = if verify == Verify::No { Unverified::NotRequested } else { Unverified::NoChecksum };
            return unverified(reason);
        };
        let Some(slices) = sums.wanted else {
            let is_whole = selected.slices.is_some();
            return unverified(if is_whole { Unverified::NoFullPass } else { Unverified::PartOfSlices });
        };
        let verified = match &*self.placement {
            Placement::Listed { .. } => Verdict::Unverified(Unverified::SiteList),
            _ => Verdict::Verified,
        };
        let (all, _) = self.slicing();
        if slices.end - slices.start < all {
            let known = self.slices();
            let known =
                known.as_ref().and_then(|known| known.get(slices.start as usize..slices.end as usize));
            let differs =
                known.into_iter().flatten().zip(&sums.of_slices).zip(slices).find(|((a, b), _)| a != b);
            return match differs {
                Some(((verified, computed), slice)) => {
                    let (verified, computed) = (*verified, *computed);
                    let broken = Box::new(self.mismatch(verified, computed));
                    Err(Error::SliceMismatch { slice, verified, computed, broken })
                }
                None => Ok(Judged::Verdict(verified)),
            };
        }
        let computed = sums.of_slices.iter().fold(Sum::default(), |sum, slice| method.combine(sum, *slice));
        match self.stored.compare(computed) {
            Comparison::Incomplete => unverified(Unverified::NoChecksum),
            Comparison::Lost(offset) => Err(lost(offset)),
            Comparison::Different(stored) => {
                let broken = Box::new(self.mismatch(stored, computed));
                Err(Error::ChecksumMismatch { stored, computed, broken })
            }
            Comparison::EqualIn(order) if self.placement.set_order(order) => {
                *self.slices() = Some(sums.of_slices);
                Ok(Judged::OtherOrder)
            }
            Comparison::Equal | Comparison::EqualIn(_) => {
                *self.slices() = Some(sums.of_slices);
                Ok(Judged::Verdict(verified))
            }
        }
    }
}

/// The sums of time slices.
#[derive(Debug)]
struct Sums {
    /// The slices that are summed; `None` if they could not be compared with anything.
    wanted: Option<Range<u64>>,
    of_slices: Vec<Sum>,
}

enum Judged {
    Verdict(Verdict),
    /// The data were read in the wrong byte order.
    OtherOrder,
}

fn lost(offset: u64) -> Error {
    Broken {
        file: None,
        offset,
        class: linkstream::Class::Checksum,
        rule: "checksum-sums-lost",
        clause: "QIO 2.3, section 2.1.1",
        message: "the checksum record has no sums, although neither of those of the data is zero: they have been lost"
            .to_owned(),
    }
    .into()
}

/// Divides runs into units of at most `longest` sites that are in one time slice each.
fn units(runs: &[Run], longest: u64, of_slice: u64) -> impl Iterator<Item = Unit> {
    let of_slice = of_slice.max(1);
    runs.iter().flat_map(move |run| {
        let (mut at, end) = (run.first, run.first + run.sites);
        std::iter::from_fn(move || {
            let slice = at / of_slice;
            let sites = longest.min(end - at).min((slice + 1) * of_slice - at);
            let unit = Unit { first: at, sites, slice };
            at += sites;
            (sites > 0).then_some(unit)
        })
    })
}

/// Divides the selection into parts of at most so many sites, in order.
fn windows(selected: &Selected, sites: u64) -> impl Iterator<Item = Selected> + use<> {
    let longest = sites.max(1);
    let mut parts = units(&selected.runs, longest, u64::MAX).collect::<Vec<_>>().into_iter().peekable();
    std::iter::from_fn(move || {
        let (mut runs, mut count) = (Vec::new(), 0);
        while let Some(unit) = parts.next_if(|unit| count == 0 || count + unit.sites <= longest) {
            runs.push(Run { first: unit.first, sites: unit.sites });
            count += unit.sites;
        }
        (count > 0).then_some(Selected { runs, slices: None })
    })
}
