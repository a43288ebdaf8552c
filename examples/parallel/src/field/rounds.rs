//! Rounds of writing or reading the data of a field, so that each rank needs bounded memory.

use std::ops::Range;

use super::boxes::BoxPart;
use linkstream::field::Field;

use super::layout::OwnPart;
use crate::error::{ErrorKind, Fault};

/// Memory for the data of a round on each rank, unless another size is requested, in bytes.
pub const ROUND: usize = 8 << 20;

/// A run is long if it has at least this many bytes: it is worth a request of its own.
const LONG_RUN: u64 = 1 << 20;

/// The rounds of one field. All ranks have the same.
///
/// If the sites of each rank are few long runs of the file, each rank writes its own next bytes in each round.
/// Otherwise, a round is one stretch of the file, and each rank writes its part of it: the stretch is as long as the
/// memory of the rank with the largest part in it permits, so that the bytes of all ranks together are contiguous.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rounds {
    /// Sites of a round: of the field, or of each rank.
    step: u64,
    /// True if a round is a part of the rank's sites.
    is_own: bool,
    pub(super) number: u64,
}

/// The numbers that ranks compare to agree on their rounds: the largest of each.
pub(super) const NUMBERS: usize = 3;

impl Rounds {
    /// The requirements of one rank.
    pub(super) fn require(field: &Field, part: &OwnPart, memory: usize) -> [u64; NUMBERS] {
        let base = sites_in(field, memory);
        let is_short = part.sites() > 0
            && part.sites_per_run().is_none_or(|run| run.saturating_mul(field.bytes_per_site) < LONG_RUN);
        // A stretch is a power of two times the memory of one rank.
        let levels = field.sites().div_ceil(base).next_power_of_two().trailing_zeros();
        let fits = |level: &u32| {
            let step = base << level;
            let mut starts = (0..field.sites()).step_by(usize::try_from(step).unwrap_or(usize::MAX));
            starts.all(|start| part.sites_stored(start..start.saturating_add(step)) <= base)
        };
        let level = (0..=levels).rev().find(fits).unwrap_or(0);
        [u64::from(is_short), u64::from(63 - level), part.sites().div_ceil(base)]
    }

    /// The rounds that meet the largest requirements.
    pub(super) fn new(field: &Field, memory: usize, largest: &[u64]) -> Self {
        let base = sites_in(field, memory);
        let [short, level, own] = [0, 1, 2].map(|i| largest.get(i).copied().unwrap_or(0));
        if short == 0 {
            return Self { step: base, is_own: true, number: own };
        }
        let step = base << 63_u64.saturating_sub(level);
        Self { step, is_own: false, number: field.sites().div_ceil(step) }
    }

    /// The windows of a rank in a round.
    pub(super) fn windows(&self, part: &OwnPart, round: u64) -> Vec<BoxPart> {
        let sites = |most: u64| -> Range<u64> {
            let start = round.saturating_mul(self.step).min(most);
            start..start.saturating_add(self.step).min(most)
        };
        let mut windows =
            if self.is_own { part.own(sites(part.sites())) } else { part.stored(sites(u64::MAX)) };
        windows.retain(|window| window.sites() > 0);
        windows
    }
}

/// Number of sites whose data fit into this memory, at least one.
fn sites_in(field: &Field, memory: usize) -> u64 {
    (memory as u64).checked_div(field.bytes_per_site).unwrap_or(u64::MAX >> 1).clamp(1, u64::MAX >> 1)
}

/// Combines the outcomes of the steps of a collective call: the first fault is kept, but a consequence of another
/// rank's error yields to an own cause. Returns an error only if the ranks cannot communicate any more.
pub(super) fn note(outcome: &mut Result<(), Fault>, step: Result<(), Fault>) -> Result<(), Fault> {
    match step {
        Ok(()) => {}
        Err(fault) if fault.kind == ErrorKind::Communication => return Err(fault),
        Err(fault) => match outcome {
            Err(earlier) if earlier.kind != ErrorKind::Elsewhere => {}
            _ => *outcome = Err(fault),
        },
    }
    Ok(())
}
