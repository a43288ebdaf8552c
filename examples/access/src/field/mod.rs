//! Fields of any file, and reading them.

mod judge;
mod pass;
mod units;
mod verdict;

use std::cell::Cell;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use linkstream::field::Field as Layout;
use linkstream::ildg::GaugeKind;
use linkstream::lattice::ByteOrder;
use linkstream::scidac::RecordData;
use linkstream_arithmetic::parallel;

use self::pass::{Judged, Target};
pub use self::verdict::{Unverified, Verdict, Verify};

use linkstream_memory as memory;

use crate::array::{Array, Element, slices_of};
use crate::error::Error;
use crate::in_planes::Sites;
use crate::links::links_of_kind;
use crate::meter::Meter;
use crate::placement::Placement;
use crate::recorded::{Header as Recorded, Measurement};
use crate::selection::{Selected, Selection};
use crate::source::MAX_SITE;
use crate::sums::{Method, Stored, Sum};

/// Number of bytes that are delivered to a sink at a time, by all threads together.
const WINDOW: u64 = 16 << 20;
/// The same if there is one thread: nothing is read while the sink works.
const WINDOW_OF_ONE: u64 = 1 << 20;
/// Maximum number of runs of sites that are read at a time: each of them needs memory.
const RUNS: u64 = 64 << 10;

/// The byte order of this machine.
const NATIVE: ByteOrder = if cfg!(target_endian = "big") { ByteOrder::Big } else { ByteOrder::Little };

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
            (Stored::Cksum { length, .. }, Placement::Contiguous { .. }) => Some(Method::Bytes(length)),
            (_, Placement::Contiguous { .. } | Placement::Set { .. } | Placement::OpenQcd { .. }) => {
                Some(Method::Sites)
            }
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

    /// The same field of an archive, whose links are measured while all of them are verified, if that is possible and
    /// the header records observables.
    pub(crate) fn with_recorded(self, recorded: Recorded) -> Self {
        let is_measured = !recorded.observables().is_empty()
            && Measurement::of(&recorded, &self.layout, ByteOrder::Big).is_some();
        Self { recorded: is_measured.then(|| Arc::new(recorded)), ..self }
    }

    /// Names of the observables in the header of an archive, `plaquette` and `link trace`, that links are compared with
    /// when all of them are verified for the first time. This takes longer than reading them. Empty if links are not
    /// measured.
    #[must_use]
    pub fn measured(&self) -> Vec<&'static str> {
        self.recorded.as_ref().map_or_else(Vec::new, |recorded| recorded.observables())
    }

    /// The same data as links of this kind, if no document says what they are: the array has the axes of links. `None` if
    /// documents describe links, or if a site has not the size of links of this kind in every direction of the lattice.
    #[must_use]
    pub fn as_links(&self, kind: GaugeKind) -> Option<Self> {
        let mut field = self.clone();
        field.layout.links = Some(links_of_kind(&self.layout, kind)?);
        field.array = Array::of(&field.layout, None);
        Some(field)
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
        let is_all = sums
            .wanted
            .as_ref()
            .is_some_and(|slices| slices.end.checked_sub(slices.start) == Some(self.slicing().0));
        let is_new = is_all && self.slices().is_none();
        let mut measurement = if is_new { self.measurement(order) } else { None };
        let mut windows = self.windows(selected);
        let (mut ready, mut ahead) = (Vec::new(), Vec::new());
        let read = |window: &Selected, out: &mut Vec<u8>| {
            let length = self.bytes_of(window)?;
            memory::resize(out, length as usize)?;
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
        let is_measured = self.recorded.is_some() && self.slices().is_none();
        let (sums, spare) = (self.sums(&selected, Verify::Yes), Mutex::default());
        for window in self.windows(&selected) {
            self.units(&window, Target::Nowhere(&spare), &sums)?;
        }
        // The links are read again, because memory for the plaquettes of data that are read in order would grow with
        // them.
        let failed = Cell::new(None);
        let measured = || {
            let mut measurement = self.measurement(ByteOrder::Big).filter(|_| is_measured)?;
            failed.set(measurement.read_sites(self).err());
            Some(measurement)
        };
        let judged = self.judge(&selected, sums, Verify::Yes, measured);
        if let Some(error) = failed.take() {
            *self.slices() = None;
            return Err(Error::Io(error));
        }
        Ok(match judged? {
            Judged::Verdict(verdict) => verdict,
            // The checksum has shown the byte order: now the links are measured in this order.
            Judged::OtherOrder if is_measured => return self.verify(),
            // The sums do not depend on it.
            Judged::OtherOrder => self.verified(),
        })
    }

    /// Like [`verify`](Self::verify), with the sums that another pass over all data has found, by
    /// [`SliceSums::of_slices`](crate::SliceSums::of_slices). Time slices that are read later are compared with them,
    /// even if the file has no checksum of the data.
    ///
    /// # Errors
    /// The sums contradict the stored checksum, or belong to another number of time slices: the file is another one.
    pub fn verify_by(&self, slices: Vec<Sum>) -> Result<Verdict, Error> {
        if slices.len() as u64 != self.slicing().0 {
            return Err(Error::Changed);
        }
        // Another pass has the sums of sites.
        if matches!(self.method, Some(Method::Bytes(_))) {
            return self.verify();
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
        let is_open = matches!(self.stored, Stored::Nersc { order: None, seen: None, .. });
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
    #[expect(clippy::arithmetic_side_effects, reason = "the divisor is at least 1")]
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
    #[expect(clippy::arithmetic_side_effects, reason = "the divisor is at least 1")]
    fn slicing(&self) -> (u64, u64) {
        let slices = slices_of(&self.layout);
        (slices, self.layout.sites() / slices.max(1))
    }

    fn slices(&self) -> MutexGuard<'_, Option<Vec<Sum>>> {
        // No code panics while it holds the lock.
        self.slices.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sites for Field {
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "extents are not 0, and the sites are sites of the field, whose number fits"
    )]
    fn read(&self, first: u64, out: &mut [u8]) -> io::Result<()> {
        let sites = self.array.sites();
        let count = (out.len() as u64).checked_div(self.layout.bytes_per_site).unwrap_or(0);
        // The rows of a plane: one place along each axis but the last two.
        let mut block: Vec<_> = sites.iter().map(|extent| 0..*extent).collect();
        let mut rest = first;
        let mut axes = block.iter_mut().rev();
        let (Some(x), Some(y)) = (axes.next(), axes.next()) else {
            return Err(io::ErrorKind::Unsupported.into());
        };
        rest /= x.end;
        *y = rest % y.end..(rest % y.end + count / x.end);
        rest /= sites.iter().rev().nth(1).copied().unwrap_or(1);
        for axis in axes {
            let (place, extent) = (rest % axis.end, axis.end);
            (*axis, rest) = (place..place + 1, rest / extent);
        }
        self.read_bytes(&Selection::Block(block), out, ByteOrder::Big, Verify::No).map(drop).map_err(
            |error| match error {
                Error::Io(error) => error,
                other => io::Error::other(other),
            },
        )
    }
}
