//! Reads the data of a set in lexicographic order, using an inverse map of the site lists.

use std::alloc::Layout;
use std::ops::Range;

use linkstream::field::Field;
use linkstream::lattice::{Region, SiteOrder};
use linkstream_memory::{self as memory, Zeroable};

use super::open::OpenSet;
use super::open_volume::for_each_rank;
use crate::data::Data;
use crate::source::{ReadAtError, Source, SourceError, fill};

/// Sites whose distance in the file is smaller than this number of bytes are read at once.
const GAP: u64 = 4 << 10;

/// The place of each site of the lattice. Needs 4 bytes per site, or 8 if the lattice has more than 2^32 sites.
#[derive(Debug)]
pub struct Places {
    /// The index of each site, counted through all lists one after the other.
    indices: Indices,
    /// The index of the first entry of each list.
    starts: Vec<u64>,
}

#[derive(Debug)]
enum Indices {
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
}

impl Places {
    /// The places of the sites of a field of a file set. All fields with the same sites have the same places. The file
    /// set has each site once, as [`count_sites`](super::count_sites) has found. `None` if the lattice has more sites
    /// than memory can hold.
    ///
    /// # Errors
    /// A volume cannot be read, or its list is not the one that was counted.
    pub fn of_set<E: embedded_io::Error + Send>(
        set: &OpenSet<'_, E>,
        field: &Field,
    ) -> Result<Option<Self>, ReadAtError<E>> {
        let Some(mut places) = Self::new(field.extents.sites()) else { return Ok(None) };
        let mut at = 0_u64;
        for (nth, volume) in set.volumes.iter().enumerate() {
            if nth > 0 {
                places.begin(at);
            }
            let ranks = for_each_rank(volume, |rank| {
                if covers(field, rank) {
                    places.add(rank, at);
                    at = at.saturating_add(1);
                }
            });
            ranks.map_err(|error| match error {
                SourceError::Io(error) => ReadAtError::Io(error),
                SourceError::PositionUnknown | SourceError::NoProgress | SourceError::Stopped => {
                    ReadAtError::Ended
                }
            })?;
        }
        if at == field.sites() { Ok(Some(places)) } else { Err(ReadAtError::Ended) }
    }

    /// An empty map for lists that together contain each of `sites` sites exactly once.
    pub(crate) fn new(sites: u64) -> Option<Self> {
        let length = usize::try_from(sites).ok()?;
        let indices = if u32::try_from(sites).is_ok() {
            Indices::Narrow(zeros(length)?)
        } else {
            Indices::Wide(zeros(length)?)
        };
        Some(Self { indices, starts: vec![0] })
    }

    /// Adds the next entry of the current list.
    pub(crate) fn add(&mut self, rank: u64, index: u64) {
        // A rank outside the lattice is only possible if a list has changed since the sites were counted.
        let rank = usize::try_from(rank).unwrap_or(usize::MAX);
        match &mut self.indices {
            Indices::Narrow(indices) => {
                indices.get_mut(rank).into_iter().for_each(|place| *place = index as u32);
            }
            Indices::Wide(indices) => indices.get_mut(rank).into_iter().for_each(|place| *place = index),
        }
    }

    /// Begins the next list; `index` is the index of its first entry.
    pub(crate) fn begin(&mut self, index: u64) {
        self.starts.push(index);
    }

    /// The volume of a site, and its index there; `None` if the site is not in the lattice.
    fn place(&self, rank: u64) -> Option<(usize, u64)> {
        let rank = usize::try_from(rank).ok()?;
        let index = match &self.indices {
            Indices::Narrow(indices) => u64::from(*indices.get(rank)?),
            Indices::Wide(indices) => *indices.get(rank)?,
        };
        if self.starts.len() == 1 {
            return Some((0, index));
        }
        let volume = self.starts.partition_point(|start| *start <= index).checked_sub(1)?;
        Some((volume, index.checked_sub(*self.starts.get(volume)?)?))
    }
}

/// So many zeros; `None` if no memory can hold them.
fn zeros<T: Zeroable>(length: usize) -> Option<Vec<T>> {
    Layout::array::<T>(length).ok()?;
    Some(memory::unwinding::zeroed(length))
}

/// Returns whether a field has data at the site with this rank.
pub(crate) fn covers(field: &Field, rank: u64) -> bool {
    match &field.region {
        Region::Hypercube(cube) => field.extents.coordinates(rank).is_some_and(|site| cube.contains(&site)),
        Region::Lattice | Region::Global => true,
    }
}

/// The data of one field in all volumes, each with the offset of its data.
#[expect(missing_debug_implementations, reason = "sources need not implement it")]
pub struct SetBytes<'p, E> {
    pub(crate) volumes: Vec<(&'p dyn Source<Error = E>, u64)>,
    /// The places of the sites of the field.
    pub(crate) places: &'p Places,
    pub(crate) field: &'p Field,
}

/// A site in the order of the volumes: index of the volume, index there, index in the field.
type Placed = (usize, u64, u64);

/// Sorts sites. Volumes mostly have them in the order of the field, so that it suffices to put each to its volume.
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "each volume is less than `volumes`, because its list has begun, and the places count the sites"
)]
fn in_order(mut sites: Vec<Placed>, volumes: usize) -> Vec<Placed> {
    if volumes > sites.len() {
        sites.sort_unstable();
        return sites;
    }
    // The place of the next site of each volume.
    let mut places = memory::unwinding::zeroed::<usize>(volumes);
    for (volume, ..) in &sites {
        places[*volume] += 1;
    }
    let mut before = 0;
    for place in &mut places {
        before += std::mem::replace(place, before);
    }
    let mut sorted = memory::unwinding::zeroed(sites.len());
    sorted.copy_from_slice(&sites);
    for site in sites {
        let place = &mut places[site.0];
        sorted[*place] = site;
        *place += 1;
    }
    for of_volume in sorted.chunk_by_mut(|a, b| a.0 == b.0) {
        if !of_volume.is_sorted() {
            of_volume.sort_unstable();
        }
    }
    sorted
}

impl<'p, E: embedded_io::Error + Send> SetBytes<'p, E> {
    /// The data of the field with the index `number` in a set.
    pub fn of_set(set: &'p OpenSet<'_, E>, number: usize, field: &'p Field, places: &'p Places) -> Self {
        let data = set.volumes.iter().map(|volume| {
            let record = volume.data.get(number).copied().flatten();
            (&*volume.source as _, record.map_or(0, |record| record.payload_offset()))
        });
        Self { volumes: data.collect(), places, field }
    }

    /// Fills `out` with whole sites, from the site with the index `first` on. Passes the index of each site in its
    /// volume, and its data, to `each`, in any order.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "`size` is not 0, `in_order` has sorted the indices of a volume, and `to` counts the sites of `out`"
    )]
    pub(crate) fn read(
        &self,
        first: u64,
        out: &mut [u8],
        scratch: &mut Vec<u8>,
        mut each: impl FnMut(u64, &[u8]),
    ) -> Result<(), ReadAtError<E>> {
        let size = self.field.bytes_per_site.max(1);
        let mut order = SiteOrder::at(self.field.extents, self.field.region, first);
        let count = out.len() as u64 / size;
        let mut sites = memory::unwinding::or_end(memory::room(count as usize));
        for site in 0..count {
            let (volume, index) = self.places.place(order.rank()).ok_or(ReadAtError::Ended)?;
            sites.push((volume, index, site));
            order.step();
        }
        // In the order of the volumes, sites that are near each other can be read together.
        let sites = in_order(sites, self.volumes.len());
        let near =
            |a: &Placed, b: &Placed| a.0 == b.0 && a.1.abs_diff(b.1).saturating_mul(size) <= GAP.max(size);
        for sites in sites.chunk_by(near) {
            let (&[(volume, start, to), ..], Some(&(_, end, last))) = (sites, sites.last()) else { continue };
            let Some(&(source, data)) = self.volumes.get(volume) else { return Err(ReadAtError::Ended) };
            // No volume is as long as an offset that does not fit.
            let at =
                start.checked_mul(size).and_then(|from| data.checked_add(from)).ok_or(ReadAtError::Ended)?;
            let count = sites.len() as u64;
            let range = |site: u64, sites: u64| (site * size) as usize..((site + sites) * size) as usize;
            if end - start + 1 == count && sites.is_sorted_by_key(|(_, _, to)| to) && last - to + 1 == count {
                let out = out.get_mut(range(to, count)).ok_or(ReadAtError::Ended)?;
                fill(source, at, out)?;
                (start..).zip(out.chunks_exact(size as usize)).for_each(|(index, site)| each(index, site));
                continue;
            }
            memory::unwinding::resize(scratch, ((end - start + 1) * size) as usize);
            fill(source, at, scratch)?;
            for (_, index, to) in sites {
                let places = (scratch.get(range(index - start, 1)), out.get_mut(range(*to, 1)));
                let (Some(site), Some(out)) = places else { return Err(ReadAtError::Ended) };
                each(*index, site);
                out.copy_from_slice(site);
            }
        }
        Ok(())
    }
}

impl<E: embedded_io::Error + Send> Data for SetBytes<'_, E> {
    type Error = E;

    #[expect(clippy::arithmetic_side_effects, reason = "the divisor is at least 1")]
    fn fill(&self, range: &Range<u64>, out: &mut [u8]) -> Result<(), ReadAtError<E>> {
        self.read(range.start / self.field.bytes_per_site.max(1), out, &mut Vec::new(), |_, _| {})
    }
}

#[cfg(test)]
mod tests {
    use super::{Places, in_order};

    #[test]
    fn a_lattice_that_memory_cannot_hold_is_no_panic() {
        for sites in [1 << 60, u64::MAX] {
            assert!(Places::new(sites).is_none(), "{sites}");
        }
    }

    #[test]
    fn sites_are_sorted_by_volumes_and_places() {
        let mut sites: Vec<_> = (0..40).map(|site| (site as usize * 7 % 5, site * 13 % 11, site)).collect();
        let expected = {
            let mut sorted = sites.clone();
            sorted.sort_unstable();
            sorted
        };
        for volumes in [5, 6, 40, 41, 1000] {
            assert_eq!(in_order(sites.clone(), volumes), expected);
        }
        // In the order of the field.
        sites.iter_mut().for_each(|(_, index, site)| *index = *site);
        let mut expected = sites.clone();
        expected.sort_unstable();
        assert_eq!(in_order(sites, 5), expected);
        assert_eq!(in_order(Vec::new(), 3), []);
    }
}
