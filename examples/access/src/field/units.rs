//! Reading of sites in parts, on several threads.

use std::sync::PoisonError;

use linkstream::lattice::reverse_words;
use linkstream_arithmetic::parallel;
use linkstream_memory as memory;

use super::Field;
use super::pass::{Sums, Target};
use crate::error::Error;
use crate::placement::Scratch;
use crate::selection::Selected;
use crate::sums::Partial;

/// Number of bytes that are read at a time: they are summed and converted while they are in the cache.
const PIECE: u64 = 512 << 10;
/// Maximum number of bytes that a thread reads in one piece of work.
const LONGEST: u64 = 4 << 20;

/// Sites that a thread reads, all in the same time slice.
#[derive(Debug, Clone, Copy)]
struct Unit {
    first: u64,
    sites: u64,
    slice: u64,
}

impl Field {
    /// Reads sites, and adds them to the sums.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "no divisor is 0, and the sites of a unit are sites of the field, whose bytes `bytes_of` has counted"
    )]
    pub(super) fn units(&self, selected: &Selected, target: Target<'_>, sums: &Sums) -> Result<(), Error> {
        let ready = self.placement.ready(&self.layout, sums.order)?;
        let (size, bytes) = (self.layout.bytes_per_site.max(1), self.bytes_of(selected)?);
        // Sites without links, of a lattice of one site: their sums are zero.
        if bytes == 0 {
            return Ok(());
        }
        let piece = if self.placement.is_scattered() { LONGEST } else { PIECE };
        // Several units for each thread, so that all threads end at nearly the same time.
        let longest = (bytes / (parallel::threads() as u64).saturating_mul(8).max(1)).clamp(piece, LONGEST);
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
                    let given = rest.len() as u64;
                    let expected = unit.sites * size;
                    let split = std::mem::take(&mut rest).split_at_mut_checked(expected as usize);
                    let (out, others) = split.ok_or(Error::Length { expected, given })?;
                    items.push((unit, out));
                    rest = others;
                }
                let word = self.array.element.size();
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
                            memory::resize(&mut out, (longest.min(end - site) * size) as usize)?;
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
}

/// Divides the selection into units of at most `longest` sites that are in one time slice each.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "the sites of a run are sites of the field, whose number fits, and `of_slice` is not 0"
)]
fn units(selected: &Selected, longest: u64, of_slice: u64) -> impl Iterator<Item = Unit> {
    let of_slice = of_slice.max(1);
    selected.runs().flat_map(move |run| {
        let (mut at, end) = (run.first, run.first + run.sites);
        std::iter::from_fn(move || {
            let slice = at / of_slice;
            let sites = longest.min(end - at).min(of_slice - at % of_slice);
            let unit = Unit { first: at, sites, slice };
            at += sites;
            (sites > 0).then_some(unit)
        })
    })
}
