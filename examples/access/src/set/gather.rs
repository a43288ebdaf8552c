//! Reads the data of a set in lexicographic order, using an inverse map of the site lists.

use std::ops::Range;

use linkstream::field::Field;
use linkstream::lattice::SiteOrder;

use crate::data::Data;
use crate::source::{ReadAtError, Source, fill};

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
    /// An empty map for lists that together contain each of `sites` sites exactly once.
    pub fn new(sites: u64) -> Option<Self> {
        let length = usize::try_from(sites).ok()?;
        let indices = if u32::try_from(sites).is_ok() {
            Indices::Narrow(vec![0; length])
        } else {
            Indices::Wide(vec![0; length])
        };
        Some(Self { indices, starts: vec![0] })
    }

    /// Adds the next entry of the current list.
    pub fn add(&mut self, rank: u64, index: u64) {
        // A rank outside the lattice is only possible if a list has changed since the sites were counted.
        let rank = usize::try_from(rank).unwrap_or(usize::MAX);
        match &mut self.indices {
            Indices::Narrow(indices) => {
                indices.get_mut(rank).into_iter().for_each(|place| *place = index as u32);
            }
            Indices::Wide(indices) => indices.get_mut(rank).into_iter().for_each(|place| *place = index),
        }
    }

    /// Begins the next list; `index` is that of its first entry.
    pub fn begin(&mut self, index: u64) {
        self.starts.push(index);
    }

    /// The volume of a site, and its index there.
    fn place(&self, rank: u64) -> (usize, u64) {
        let index = match &self.indices {
            Indices::Narrow(indices) => u64::from(indices[rank as usize]),
            Indices::Wide(indices) => indices[rank as usize],
        };
        if self.starts.len() == 1 {
            return (0, index);
        }
        let volume = self.starts.partition_point(|start| *start <= index).saturating_sub(1);
        (volume, index - self.starts[volume])
    }
}

/// The data of one field in all volumes, each with the offset of its data.
#[expect(missing_debug_implementations, reason = "sources need not implement it")]
pub struct SetBytes<'p, E> {
    pub volumes: Vec<(&'p dyn Source<Error = E>, u64)>,
    /// The places of the sites of the field.
    pub places: &'p Places,
    pub field: &'p Field,
}

/// A site in the order of the volumes: index of the volume, index there, index in the field.
type Placed = (usize, u64, u64);

impl<E: embedded_io::Error + Send> SetBytes<'_, E> {
    /// Fills `out` with whole sites, from the site with the index `first` on. Passes the index of each site in its
    /// volume, and its data, to `each`, in any order.
    pub fn read(
        &self,
        first: u64,
        out: &mut [u8],
        scratch: &mut Vec<u8>,
        mut each: impl FnMut(u64, &[u8]),
    ) -> Result<(), ReadAtError<E>> {
        let size = self.field.bytes_per_site.max(1);
        let mut order = SiteOrder::at(self.field.extents, self.field.region, first);
        let mut sites: Vec<Placed> = (0..out.len() as u64 / size)
            .map(|site| {
                let (volume, index) = self.places.place(order.rank());
                order.step();
                (volume, index, site)
            })
            .collect();
        sites.sort_unstable();
        let near = |a: &Placed, b: &Placed| a.0 == b.0 && (b.1 - a.1) * size <= GAP.max(size);
        for sites in sites.chunk_by(near) {
            let (&[(volume, start, to), ..], Some(&(_, end, last))) = (sites, sites.last()) else { continue };
            let (source, data) = self.volumes[volume];
            let count = sites.len() as u64;
            let range = |site: u64, sites: u64| (site * size) as usize..((site + sites) * size) as usize;
            if end - start + 1 == count && sites.is_sorted_by_key(|(_, _, to)| to) && last - to + 1 == count {
                let out = &mut out[range(to, count)];
                fill(source, data + start * size, out)?;
                (start..).zip(out.chunks_exact(size as usize)).for_each(|(index, site)| each(index, site));
                continue;
            }
            scratch.resize(((end - start + 1) * size) as usize, 0);
            fill(source, data + start * size, scratch)?;
            for (_, index, to) in sites {
                let site = &scratch[range(index - start, 1)];
                each(*index, site);
                out[range(*to, 1)].copy_from_slice(site);
            }
        }
        Ok(())
    }
}

impl<E: embedded_io::Error + Send> Data for SetBytes<'_, E> {
    type Error = E;

    fn fill(&self, range: &Range<u64>, out: &mut [u8]) -> Result<(), ReadAtError<E>> {
        self.read(range.start / self.field.bytes_per_site.max(1), out, &mut Vec::new(), |_, _| {})
    }
}
