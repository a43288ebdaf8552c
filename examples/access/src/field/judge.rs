//! Comparison of data with the checksum of the file, and with the sums of an earlier pass.

use std::ops::Range;

use linkstream_arithmetic::parallel;

use super::Field;
use super::pass::{Judged, Sums};
use super::verdict::{Unverified, Verdict, Verify};
use crate::broken::Broken;
use crate::changed::Changed;
use crate::error::Error;
use crate::findings::Finding;
use crate::placement::Placement;
use crate::recorded::Measurement;
use crate::selection::Selected;
use crate::sums::{Comparison, SliceSums, Stored, Sum};

const NO_CHECKSUM: Verdict = Verdict::Unverified(Unverified::NoChecksum);

impl Field {
    /// The sums that can verify the selection.
    pub(super) fn sums(&self, selected: &Selected, verify: Verify) -> Sums {
        let (all, _) = self.slicing();
        let wanted = selected.slices.clone().filter(|slices| {
            let is_all = slices.end.checked_sub(slices.start) == Some(all);
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

    /// The rule that data with the checksum `computed` break, with its place in the file or in a volume.
    fn mismatch(&self, stored: Sum, computed: Sum) -> Broken {
        let broken = self.stored.mismatch(stored, computed, self.layout.record.offset);
        let is_scidac = matches!(self.stored, Stored::Scidac { .. });
        let changed = Some(&self.layout).filter(|_| is_scidac);
        let changed = changed.and_then(|layout| Changed::of(layout, computed, stored, None));
        self.placement.located(broken, changed.as_ref())
    }

    /// Compares the sums of the selection with the known ones. If all data are verified for the first time, `measured` has
    /// their measurement.
    pub(super) fn judge<'m>(
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
            let is_compared = judged.is_verified() || self.stored == Stored::Plaquette;
            let measured = if is_new && is_compared { measured() } else { None };
            if let Some(broken) = measured.and_then(Measurement::finish) {
                return Err(broken.into());
            }
            *self.slices() = Some(of_slices);
        }
        Ok(Judged::Verdict(judged))
    }

    /// Compares the sums of all time slices with the stored checksum.
    pub(super) fn compare_all(&self, slices: &[Sum]) -> Result<Verdict, Error> {
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
    pub(super) fn verified(&self) -> Verdict {
        match &*self.placement {
            Placement::Listed { .. } => Verdict::Unverified(Unverified::SiteList),
            _ => Verdict::Verified,
        }
    }
}
