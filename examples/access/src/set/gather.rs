//! Reads the data of a set in lexicographic order, using an inverse map of the site lists.

use std::ops::Range;

use linkstream::field::Field;

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
        let volume = self.starts.partition_point(|start| *start <= index).saturating_sub(1);
        (volume, index - self.starts[volume])
    }
}

/// The data of one field in all volumes, each with the offset of its data.
#[expect(missing_debug_implementations, reason = "sources need not implement it")]
pub struct SetBytes<'p, E> {
    pub volumes: Vec<(&'p dyn Source<Error = E>, u64)>,
    pub places: &'p Places,
    pub field: &'p Field,
}

impl<E: embedded_io::Error + Send> Data for SetBytes<'_, E> {
    type Error = E;

    fn fill(&self, range: &Range<u64>, out: &mut [u8]) -> Result<(), ReadAtError<E>> {
        let size = self.field.bytes_per_site;
        let first = range.start / size;
        let mut sites: Vec<(usize, u64, u64)> = (first..range.end / size)
            .map(|rank| {
                let (volume, index) = self.places.place(rank);
                (volume, index, rank)
            })
            .collect();
        sites.sort_unstable();
        let mut run = Vec::new();
        let near =
            |a: &(usize, u64, u64), b: &(usize, u64, u64)| a.0 == b.0 && (b.1 - a.1) * size <= GAP.max(size);
        for sites in sites.chunk_by(near) {
            let (&[(volume, start, _), ..], Some((_, end, _))) = (sites, sites.last()) else { continue };
            run.resize(((end - start + 1) * size) as usize, 0);
            let (source, data) = self.volumes[volume];
            fill(source, data + start * size, &mut run)?;
            for (_, index, rank) in sites {
                let from = ((index - start) * size) as usize;
                let site = &run[from..from + size as usize];
                let to = ((rank - first) * size) as usize;
                out[to..to + size as usize].copy_from_slice(site);
            }
        }
        Ok(())
    }
}
