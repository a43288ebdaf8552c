//! Fields of any file, and reading them.

use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use linkstream::field::Field as Layout;
use linkstream::lattice::{ByteOrder, reverse_words};
use linkstream::scidac::RecordData;
use linkstream_arithmetic::parallel;

use crate::array::{Array, Element, slices_of};
use crate::broken::Broken;
use crate::error::Error;
use crate::findings::Finding;
use crate::meter::Meter;
use crate::placement::{Placement, Scratch};
use crate::recorded::{Header as Recorded, Measurement};
use crate::selection::{Selected, Selection};
use crate::source::MAX_SITE;
use crate::sums::{Comparison, Method, Partial, SliceSums, Stored, Sum};

/// Number of bytes that are read at a time: they are summed and converted while they are in the cache.
const PIECE: u64 = 512 << 10;
/// Maximum number of bytes that a thread reads in one piece of work.
const LONGEST: u64 = 4 << 20;
/// Number of bytes that are delivered to a sink at a time, by all threads together.
const WINDOW: u64 = 16 << 20;
/// The same if there is one thread: nothing is read while the sink works.
const WINDOW_OF_ONE: u64 = 1 << 20;
/// Maximum number of runs of sites that are read at a time: each of them needs memory.
const RUNS: u64 = 64 << 10;

/// The byte order of this machine.
const NATIVE: ByteOrder = if cfg!(target_endian = "big") { ByteOrder::Big } else { ByteOrder::Little };

/// Choice to verify data that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Verify {
    /// Compare data with the stored checksum, as far as the selection allows it: see [`Unverified`].
    #[default]
    Yes,
    /// Do not verify data.
    ///
    /// If a NERSC archive does not state its byte order, its numbers are read in the order that normalises the first
    /// link, or as big endian if neither does. Once a read of all data with [`Yes`](Self::Yes) has shown the order, it
    /// is known. Parts of the data are read in the same way also with `Yes`, because a part does not show the order.
    No,
}

/// Result of verifying data that were read. Data that contradict their checksum are an [`Error`] instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "data that are not verified may differ from the written ones"]
pub enum Verdict {
    /// The data have the stored checksum. The SciDAC checksum depends on the place of each site and shows nearly every
    /// change: the data are what a program wrote. `linkstream check` also judges whether it can have meant them, by
    /// their numbers and by the observables in the texts of the file.
    ///
    /// The sums of archives show less: exchanged words, links or sites do not change the sum of NERSC, and words
    /// exchanged at a distance that is a multiple of 899 do not change the sums of MILC. Therefore, the links of a NERSC
    /// archive have also been [measured](Field::is_measured) when all of them were read for the first time: they are in
    /// SU(3), and have the plaquette and the link trace in the header. A contradiction is an [`Error::Broken`].
    Verified,
    Unverified(Unverified),
}

/// Reason why data are not verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unverified {
    /// Verification was not requested.
    NotRequested,
    /// The file has no checksum of the data, or only one of two sums.
    NoChecksum,
    /// The data are time slices, and the whole field has not been verified yet. After that, by [`Field::verify`] or by
    /// reading all of it, time slices are compared with the verified ones.
    NoFullPass,
    /// The data are not whole time slices.
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

/// The data of one record, of all volumes of a file set, or of an archive. Clones share the results of verification.
#[derive(Clone)]
pub struct Field {
    layout: Layout,
    array: Array,
    datatype: Option<String>,
    record: Option<RecordData>,
    stored: Stored,
    method: Option<Method>,
    placement: Arc<Placement>,
    /// The sum of each time slice, once all data have been summed.
    slices: Arc<Mutex<Option<Vec<Sum>>>>,
    /// The values that an archive records about its links; `None` if links are not measured.
    recorded: Option<Arc<Recorded>>,
    meter: Option<Arc<Meter>>,
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

/// The place of data that are read.
enum Target<'a> {
    /// Memory of their length, and the byte order of the numbers there.
    Bytes(&'a mut [u8], ByteOrder),
    /// They are only summed. Their memory is not in use.
    Nowhere(&'a Mutex<Vec<Vec<u8>>>),
}

impl Field {
    pub(crate) fn new(
        layout: Layout,
        array: Array,
        datatype: Option<String>,
        record: Option<RecordData>,
        stored: Stored,
        placement: Placement,
    ) -> Self {
        let method = match (stored, &placement) {
            (_, Placement::Contiguous { .. } | Placement::Set { .. }) => Some(Method::Sites),
            (Stored::Nersc { .. }, _) => Some(Method::Words),
            (Stored::Milc(_), Placement::Links { shape, .. } | Placement::Listed { shape, .. }) => {
                Some(Method::PlacedWords(shape.order.unwrap_or(ByteOrder::Big)))
            }
            _ => None,
        };
        let (placement, slices) = (Arc::new(placement), Arc::default());
        Self {
            layout,
            array,
            datatype,
            record,
            stored,
            method,
            placement,
            slices,
            recorded: None,
            meter: None,
        }
    }

    /// The same field of an archive, whose links are measured while all of them are verified, if its header records what
    /// they can be compared with.
    pub(crate) fn with_recorded(self, recorded: Recorded) -> Self {
        let is_measured = recorded.plaquette.is_some() || recorded.link_trace.is_some();
        Self { recorded: is_measured.then(|| Arc::new(recorded)), ..self }
    }

    /// True if links are measured and compared with the header of their archive when all of them are verified for the
    /// first time. This takes longer than reading them.
    #[must_use]
    pub const fn is_measured(&self) -> bool {
        self.recorded.is_some()
    }

    /// The same field for one call: the meter counts the bytes of data that it reads, and can cancel it. Other calls
    /// that read the field at the same time, from other clones, neither count nor are cancelled with it.
    #[must_use]
    pub fn metered(&self, meter: Arc<Meter>) -> Self {
        Self { meter: Some(meter), ..self.clone() }
    }

    /// The layout of the data: lattice, region, bytes per site. Its record is a record of the file or, for a file set,
    /// of the single file with the same fields. The layout of archives has all rows of the links.
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

    /// The description of an item in the SciDAC record; `None` if the file has no such record.
    #[must_use]
    pub const fn record_data(&self) -> Option<&RecordData> {
        self.record.as_ref()
    }

    /// The checksum that the file has for the data.
    #[must_use]
    pub const fn stored(&self) -> &Stored {
        &self.stored
    }

    /// True if the file has checksums that verify all of the data, also their places.
    pub(crate) fn can_be_verified(&self) -> bool {
        self.stored.is_complete() && self.verified().is_verified()
    }

    /// Offset, length in bytes, and byte order of the data, if they are in one place of one file as their array has
    /// them: not for sets, archives with two rows of each link, and archives with a site list. Data read from there
    /// by other means are not verified. The byte order of a NERSC archive that does not state it is a guess from the
    /// first link until all data have been [verified](Self::verify), and can be the other one from then on.
    #[must_use]
    pub fn contiguous(&self) -> Option<(u64, u64, ByteOrder)> {
        let (offset, order) = self.placement.contiguous()?;
        Some((offset, self.layout.data_length()?, order))
    }

    /// False as long as the byte order of the numbers is a guess: a NERSC archive does not state it, and no checksum has
    /// shown it yet.
    #[must_use]
    pub fn is_order_known(&self) -> bool {
        let is_shown = matches!(self.stored, Stored::Nersc { .. }) && self.slices().is_some();
        is_shown || self.placement.has_order()
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
    /// Errors of [`read`](Self::read).
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
        let sums = self.sums(&selected, verify);
        let mut rest = &mut *out;
        for part in selected.parts(u64::MAX, RUNS) {
            let bytes = self.bytes_of(&part)?;
            let (now, others) = rest.split_at_mut(bytes as usize);
            self.units(&part, Target::Bytes(now, order), &sums)?;
            rest = others;
        }
        let measured = || {
            let mut measurement = self.measurement(order)?;
            measurement.read(out);
            Some(measurement)
        };
        match self.judge(&selected, sums, verify, measured)? {
            Judged::Verdict(verdict) => Ok(verdict),
            // The checksum has shown the byte order of an archive that does not state it.
            Judged::OtherOrder => self.read_bytes(selection, out, order, verify),
        }
    }

    /// Reads the selection in order and passes its bytes to `sink`, in the given byte order. The data are verified only
    /// after the last of them have been passed: after an error, the passed bytes must not be used.
    ///
    /// If a NERSC archive does not state its byte order, all of its data are read once before anything is passed,
    /// unless they have been verified already or `verify` is [`Verify::No`]. Time slices are therefore verified, too.
    ///
    /// # Errors
    /// Errors of [`read`](Self::read), and errors of the sink as [`Error::Sink`].
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
        match self.pass(&selected, order, verify, sink)? {
            Judged::Verdict(verdict) => Ok(verdict),
            // The order is settled before data are delivered.
            Judged::OtherOrder => Err(Error::Changed),
        }
    }

    /// Reads the selection in order, passes its bytes to `sink`, and measures them if they are all links of an archive
    /// that are not verified yet.
    fn pass(
        &self,
        selected: &Selected,
        order: ByteOrder,
        verify: Verify,
        sink: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<Judged, Error> {
        let sums = self.sums(selected, verify);
        let is_all = sums.wanted.as_ref().is_some_and(|slices| slices.end - slices.start == self.slicing().0);
        let is_new = is_all && self.slices().is_none();
        let mut measurement = if is_new { self.measurement(order) } else { None };
        let mut windows = self.windows(selected);
        let (mut ready, mut ahead) = (Vec::new(), Vec::new());
        let read = |window: &Selected, out: &mut Vec<u8>| {
            let length = self.bytes_of(window)?;
            out.resize(length as usize, 0);
            self.units(window, Target::Bytes(out, order), &sums)
        };
        let Some(first) = windows.next() else { return self.judge(selected, sums, verify, || measurement) };
        read(&first, &mut ready)?;
        loop {
            let next = windows.next();
            let mut result = Ok(());
            let work = || {
                if let Some(next) = &next {
                    result = read(next, &mut ahead);
                }
            };
            let deliver = || {
                if let Some(measurement) = &mut measurement {
                    measurement.feed(&ready);
                }
                sink(&ready)
            };
            parallel::beside(work, deliver).map_err(Error::Sink)?;
            result?;
            if next.is_none() {
                return self.judge(selected, sums, verify, || measurement);
            }
            std::mem::swap(&mut ready, &mut ahead);
        }
    }

    /// Reads all data once, without keeping them, and compares them with the stored checksum. Time slices that are read
    /// later are verified by it.
    ///
    /// # Errors
    /// Errors of [`read`](Self::read).
    pub fn verify(&self) -> Result<Verdict, Error> {
        let selected = self.selected(&Selection::All)?;
        if self.recorded.is_some() && self.slices().is_none() {
            return match self.pass(&selected, ByteOrder::Big, Verify::Yes, &mut |_| Ok(()))? {
                Judged::Verdict(verdict) => Ok(verdict),
                // The checksum has shown the byte order: now the links are measured in this order.
                Judged::OtherOrder => self.verify(),
            };
        }
        let (sums, spare) = (self.sums(&selected, Verify::Yes), Mutex::default());
        for window in self.windows(&selected) {
            self.units(&window, Target::Nowhere(&spare), &sums)?;
        }
        Ok(match self.judge(&selected, sums, Verify::Yes, || None)? {
            Judged::Verdict(verdict) => verdict,
            // The checksum has shown the byte order. The sums do not depend on it.
            Judged::OtherOrder => self.verified(),
        })
    }

    /// Like [`verify`](Self::verify), with the sums that another pass over all data has found, by
    /// [`SliceSums::of_slices`]. Time slices that are read later are compared with them, also if the file has no
    /// checksum of the data.
    ///
    /// # Errors
    /// The sums contradict the stored checksum, or belong to another number of time slices: the file is another one.
    pub fn verify_by(&self, slices: Vec<Sum>) -> Result<Verdict, Error> {
        if slices.len() as u64 != self.slicing().0 {
            return Err(Error::Changed);
        }
        let verdict = self.compare_all(&slices)?;
        *self.slices() = Some(slices);
        Ok(verdict)
    }

    /// The sums of all time slices, once all data have been read with [`Verify::Yes`]. Another process, which has opened
    /// the same file, [verifies](Self::verify_by) time slices by them without a pass over all data.
    #[must_use]
    pub fn verified_slices(&self) -> Option<Vec<Sum>> {
        self.slices().clone()
    }

    /// Verifies an archive that does not state its byte order, so that its numbers are delivered in the right one.
    fn settle_order(&self, verify: Verify) -> Result<(), Error> {
        let is_open = matches!(self.stored, Stored::Nersc { order: None, .. });
        let is_known = self.slices().is_some();
        if !is_open || is_known || verify == Verify::No {
            return Ok(());
        }
        self.verify().map(|_| ())
    }

    /// A measurement of the links, delivered in this byte order; `None` if they are not in an archive.
    fn measurement(&self, order: ByteOrder) -> Option<Measurement<'_>> {
        Measurement::of(self.recorded.as_deref()?, &self.layout, order)
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
        selected.parts(bytes / self.layout.bytes_per_site.max(1), RUNS)
    }

    fn bytes_of(&self, selected: &Selected) -> Result<u64, Error> {
        let size = self.layout.bytes_per_site;
        selected.sites().checked_mul(size).ok_or(Error::LargeSites(size))
    }

    /// Number of time slices, and of sites in each. Global data count as one.
    fn slicing(&self) -> (u64, u64) {
        let slices = slices_of(&self.layout);
        (slices, self.layout.sites() / slices.max(1))
    }

    fn slices(&self) -> MutexGuard<'_, Option<Vec<Sum>>> {
        // No code panics while it holds the lock.
        self.slices.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The sums that can verify the selection.
    fn sums(&self, selected: &Selected, verify: Verify) -> Sums {
        let (all, _) = self.slicing();
        let wanted = selected.slices.clone().filter(|slices| {
            let is_all = slices.end - slices.start == all;
            verify == Verify::Yes && (is_all && self.stored != Stored::Absent || self.slices().is_some())
        });
        let method = self.method.filter(|_| wanted.is_some());
        let of_slices = SliceSums::new(&self.layout, method, all, wanted.clone().unwrap_or(0..0));
        let bytes = selected.sites().saturating_mul(self.layout.bytes_per_site);
        Sums {
            wanted: wanted.filter(|_| method.is_some()),
            of_slices,
            order: self.placement.order(),
            several: parallel::is_worthwhile(bytes),
        }
    }

    /// Reads sites, and adds them to the sums.
    fn units(&self, selected: &Selected, target: Target<'_>, sums: &Sums) -> Result<(), Error> {
        let ready = self.placement.ready(&self.layout, sums.order)?;
        let (size, bytes) = (self.layout.bytes_per_site.max(1), self.bytes_of(selected)?);
        let piece = if self.placement.is_scattered() { LONGEST } else { PIECE };
        // Several units for each thread, so that all threads end at nearly the same time.
        let longest = (bytes / (8 * parallel::threads() as u64)).clamp(piece, LONGEST);
        let units = units(selected, (longest / size).max(1), self.slicing().1);
        let longest = (piece / size).max(1);
        let read = |site, out: &mut [u8], scratch: &mut Scratch, partial: &mut Partial| {
            let order = ready.read(&self.layout, site, out, scratch, partial)?;
            self.meter.as_ref().map_or(Ok(()), |meter| meter.add(out.len() as u64))?;
            Ok::<_, Error>(order)
        };
        match target {
            Target::Bytes(mut rest, order) => {
                let mut items = Vec::new();
                for unit in units {
                    let (out, others) = std::mem::take(&mut rest).split_at_mut((unit.sites * size) as usize);
                    items.push((unit, out));
                    rest = others;
                }
                let word = self.array.element.bytes();
                parallel::each(sums.several, items, |(unit, out), scratch: &mut Scratch| {
                    sums.of_slices.add(unit.slice, |partial| {
                        for (at, out) in (0..).zip(out.chunks_mut((longest * size) as usize)) {
                            if read(unit.first + at * longest, out, scratch, partial)? != order {
                                reverse_words(out, word);
                            }
                        }
                        Ok(())
                    })
                })
            }
            Target::Nowhere(spare) => {
                parallel::each(sums.several, units.collect(), |unit: Unit, scratch: &mut Scratch| {
                    // Memory of a thread would be new in each window.
                    let mut out =
                        spare.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
                    sums.of_slices.add(unit.slice, |partial| {
                        let end = unit.first + unit.sites;
                        for site in (unit.first..end).step_by(longest as usize) {
                            out.resize((longest.min(end - site) * size) as usize, 0);
                            read(site, &mut out, scratch, partial)?;
                        }
                        Ok::<_, Error>(())
                    })?;
                    spare.lock().unwrap_or_else(PoisonError::into_inner).push(out);
                    Ok(())
                })
            }
        }
    }

    /// The rule that data with the checksum `computed` break, with its place in the file or in a volume.
    fn mismatch(&self, stored: Sum, computed: Sum) -> Broken {
        self.placement.of_volume(self.stored.mismatch(stored, computed, self.layout.record.offset))
    }

    /// Compares the sums of the selection with the known ones. If all data are verified for the first time, `measured` has
    /// their measurement.
    fn judge<'m>(
        &self,
        selected: &Selected,
        sums: Sums,
        verify: Verify,
        measured: impl FnOnce() -> Option<Measurement<'m>>,
    ) -> Result<Judged, Error> {
        let Some(slices) = sums.wanted else {
            return Ok(Judged::Verdict(Verdict::Unverified(match &selected.slices {
                _ if verify == Verify::No => Unverified::NotRequested,
                _ if self.stored == Stored::Absent || self.method.is_none() => Unverified::NoChecksum,
                Some(_) => Unverified::NoFullPass,
                None => Unverified::PartOfSlices,
            })));
        };
        let of_slices = sums.of_slices.finish();
        let is_all = of_slices.len() as u64 == self.slicing().0;
        let judged = if is_all {
            self.compare_all(&of_slices)?
        } else {
            self.compare_slices(slices, &of_slices)?;
            if self.stored.is_complete() { self.verified() } else { NO_CHECKSUM }
        };
        // Another read may have found the byte order since this one began. Only the order that was used for these data
        // counts.
        if self.placement.order() != sums.order {
            return Ok(Judged::OtherOrder);
        }
        if is_all {
            let is_new = self.slices().as_ref() != Some(&of_slices);
            let measured = if is_new && judged.is_verified() { measured() } else { None };
            if let Some(broken) = measured.and_then(Measurement::finish) {
                return Err(broken.into());
            }
            *self.slices() = Some(of_slices);
        }
        Ok(Judged::Verdict(judged))
    }

    /// Compares the sums of all time slices with the stored checksum.
    fn compare_all(&self, slices: &[Sum]) -> Result<Verdict, Error> {
        let Some(method) = self.method else { return Ok(NO_CHECKSUM) };
        let computed = slices.iter().fold(Sum::default(), |sum, slice| method.combine(sum, *slice));
        let judged = match self.stored.compare(computed) {
            Comparison::Incomplete => {
                // The file cannot verify the data, but an earlier pass over them may have kept the sums.
                self.compare_slices(0..slices.len() as u64, slices)?;
                NO_CHECKSUM
            }
            Comparison::Lost(offset) => return Err(Broken::of(&Finding::sums_lost(offset), None).into()),
            Comparison::Different(stored) => {
                let broken = Box::new(self.mismatch(stored, computed));
                return Err(Error::ChecksumMismatch { stored, computed, broken });
            }
            Comparison::Equal => self.verified(),
            Comparison::EqualIn(order) => {
                self.placement.set_order(order);
                self.verified()
            }
        };
        Ok(judged)
    }

    /// Compares time slices with the slices of an earlier pass over all data.
    fn compare_slices(&self, slices: Range<u64>, sums: &[Sum]) -> Result<(), Error> {
        let known = self.slices();
        let known = known.iter().flatten().skip(slices.start as usize);
        let mut compared = slices.zip(known.zip(sums));
        match compared.find(|(_, (verified, computed))| verified != computed) {
            Some((slice, (&verified, &computed))) => {
                let broken = Box::new(self.mismatch(verified, computed));
                Err(Error::SliceMismatch { slice, verified, computed, broken })
            }
            None => Ok(()),
        }
    }

    /// The verdict on data that have the stored checksum.
    fn verified(&self) -> Verdict {
        match &*self.placement {
            Placement::Listed { .. } => Verdict::Unverified(Unverified::SiteList),
            _ => Verdict::Verified,
        }
    }
}

/// The sums of the time slices that are read, and how they are read.
#[derive(Debug)]
struct Sums {
    /// The slices that are summed; `None` if they could not be compared with anything.
    wanted: Option<Range<u64>>,
    of_slices: SliceSums,
    /// The byte order of an archive. It stays the same from the first byte to the last.
    order: Option<ByteOrder>,
    /// Several threads read: all data are many, also if a window of them is not.
    several: bool,
}

const NO_CHECKSUM: Verdict = Verdict::Unverified(Unverified::NoChecksum);

enum Judged {
    Verdict(Verdict),
    /// The data were read in the wrong byte order.
    OtherOrder,
}

/// Divides the selection into units of at most `longest` sites that are in one time slice each.
fn units(selected: &Selected, longest: u64, of_slice: u64) -> impl Iterator<Item = Unit> {
    let of_slice = of_slice.max(1);
    selected.runs().flat_map(move |run| {
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
