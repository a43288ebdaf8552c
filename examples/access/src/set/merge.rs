//! Reads the sites of a field in lexicographic order, by merging the ascending runs of all site lists.
//!
//! A volume of a partition is one run; a volume of a multifile set usually has two runs, the even and the odd sites.
//! Memory use depends on the number of runs and the size of a site, which are both limited.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use linkstream::field::Field;
use linkstream::lattice::SiteOrder;

use super::fault::SetFault;
use super::open::OpenSet;
use super::open_volume::for_each_rank;
use super::run::{Place, Run, Sites};
use crate::source::ReadAtError;
use crate::source::{MAX_SITE, SourceError};

/// Size of the buffers of all runs together in bytes, unless a site per run needs more.
const MEMORY: usize = 64 << 20;
/// Maximum size of the buffer of a run in bytes.
const ROOM: usize = 1 << 20;
/// Maximum number of runs. Each takes about 200 bytes of memory, plus a site.
const MAX_RUNS: usize = 1 << 20;
/// Maximum size in bytes of one site per run, for all runs together.
const MAX_SITES: usize = 256 << 20;

/// Reads a field of a set in lexicographic order.
pub struct Merge<'s, E> {
    runs: Vec<Run<'s, E>>,
    /// The rank of the next site of each run, except the current one.
    waiting: BinaryHeap<Reverse<(u64, usize)>>,
    present: Option<usize>,
    sites: Sites,
    order: SiteOrder,
    left: u64,
    size: usize,
    /// Number of bytes of the next site that have been read.
    taken: usize,
}

/// Why the data of a set could not be read.
#[derive(Debug)]
pub enum MergeError<E> {
    Io(E),
    Fault(SetFault),
}

impl<'s, E: embedded_io::Error + Send> Merge<'s, E> {
    /// A reader at the first byte of the field with this index.
    pub fn new(set: &OpenSet<'s, E>, index: usize, field: &Field) -> Result<Self, MergeError<E>> {
        let sites = Sites { extents: field.extents, region: field.region };
        let size = usize::try_from(field.bytes_per_site).map_err(|_| fault(SetFault::LargeSites))?;
        let mut places = Vec::new();
        for (volume, open) in set.volumes.iter().enumerate() {
            let Some(record) = open.data.get(index).copied().flatten() else { continue };
            let mut found = RunsOf::new(open.decoder.site_list().map_or(0, |list| list.payload_offset()));
            for_each_rank(open, |rank| found.take(rank, &sites)).map_err(of_survey)?;
            if places.len() + found.places.len() > MAX_RUNS {
                return Err(fault(SetFault::Irregular));
            }
            let width = open.decoder.entry_width();
            let mut entries = 0;
            let mut data = record.payload_offset();
            for mut place in found.places {
                place.list += entries * width.bytes() as u64;
                place.data = data;
                entries += place.entries;
                data += place.sites * size as u64;
                places.push((volume, place));
            }
            if data != record.payload_offset() + record.length {
                return Err(fault(SetFault::Changed));
            }
        }
        if size as u64 > MAX_SITE {
            return Err(fault(SetFault::LargeSites));
        }
        if places.len().saturating_mul(size) > MAX_SITES {
            return Err(fault(SetFault::Irregular));
        }
        let room = (MEMORY / places.len().max(1)).clamp(size.max(1), ROOM.max(size));
        let mut merge = Self {
            runs: Vec::new(),
            waiting: BinaryHeap::new(),
            present: None,
            sites,
            order: SiteOrder::new(field.extents, field.region),
            left: field.sites(),
            size,
            taken: 0,
        };
        for (volume, place) in places {
            let open = &set.volumes[volume];
            let (source, width) = (open.source.clone(), open.decoder.entry_width());
            let run = Run::new(source, volume, &place, width, size, &sites, room)
                .map_err(|error| of_part(error, volume))?;
            if let Some(rank) = run.next() {
                merge.waiting.push(Reverse((rank, merge.runs.len())));
            }
            merge.runs.push(run);
        }
        Ok(merge)
    }

    /// Reads the next bytes; 0 at the end of the field.
    pub fn read(&mut self, out: &mut [u8]) -> Result<usize, MergeError<E>> {
        let mut filled = 0;
        while filled < out.len() && self.left > 0 {
            let (size, taken) = (self.size, self.taken);
            let run = self.run()?;
            let volume = run.volume;
            let rest = &run.site().map_err(|error| of_part(error, volume))?[taken..size];
            let n = rest.len().min(out.len() - filled);
            out[filled..filled + n].copy_from_slice(&rest[..n]);
            filled += n;
            self.taken += n;
            if self.taken == size {
                self.step()?;
            }
        }
        Ok(filled)
    }

    /// Skips `n` bytes.
    pub fn skip(&mut self, n: u64) -> Result<(), MergeError<E>> {
        let size = (self.size as u64).max(1);
        for _ in 0..n / size {
            self.run()?;
            self.step()?;
        }
        self.taken = (n % size) as usize;
        Ok(())
    }

    /// The run that has the next site.
    fn run(&mut self) -> Result<&mut Run<'s, E>, MergeError<E>> {
        let expected = self.order.rank();
        let is_next = |run: &Run<'s, E>| run.next() == Some(expected);
        if !self.present.is_some_and(|present| is_next(&self.runs[present])) {
            if let Some(present) = self.present.take()
                && let Some(rank) = self.runs[present].next()
            {
                self.waiting.push(Reverse((rank, present)));
            }
            let Some(Reverse((rank, index))) = self.waiting.pop() else {
                return Err(fault(SetFault::Missing { rank: expected }));
            };
            match rank {
                rank if rank < expected => return Err(fault(SetFault::Repeated { rank })),
                rank if rank > expected => return Err(fault(SetFault::Missing { rank: expected })),
                _ => self.present = Some(index),
            }
        }
        let present = self.present.and_then(|present| self.runs.get_mut(present));
        present.ok_or(fault(SetFault::Missing { rank: expected }))
    }

    /// Goes to the next site. After the last one, no run may have further sites.
    fn step(&mut self) -> Result<(), MergeError<E>> {
        let sites = self.sites;
        let run = self.run()?;
        let volume = run.volume;
        run.step(&sites).map_err(|error| of_part(error, volume))?;
        self.taken = 0;
        self.order.step();
        self.left -= 1;
        let present = self.present.and_then(|present| self.runs[present].next());
        let next = present.or(self.waiting.peek().map(|Reverse((rank, _))| *rank));
        match next.filter(|_| self.left == 0) {
            Some(rank) if rank < self.sites.extents.sites() => Err(fault(SetFault::Repeated { rank })),
            Some(rank) => Err(fault(SetFault::Outside { rank })),
            None => Ok(()),
        }
    }
}

/// Finds the runs of a site list.
struct RunsOf {
    places: Vec<Place>,
    list: u64,
    last: Option<u64>,
}

impl RunsOf {
    const fn new(list: u64) -> Self {
        Self { places: Vec::new(), list, last: None }
    }

    fn take(&mut self, rank: u64, sites: &Sites) {
        let ascends = self.last.is_some_and(|last| last < rank);
        self.last = Some(rank);
        // Runs beyond the limit are counted as one, which the caller refuses.
        if !ascends && self.places.len() <= MAX_RUNS {
            self.places.push(Place { list: self.list, entries: 0, data: 0, sites: 0 });
        }
        if let Some(place) = self.places.last_mut() {
            place.entries += 1;
            place.sites += u64::from(sites.contain(rank));
        }
    }
}

const fn fault<E>(fault: SetFault) -> MergeError<E> {
    MergeError::Fault(fault)
}

fn of_survey<E>(error: SourceError<E>) -> MergeError<E> {
    match error {
        SourceError::Io(error) => MergeError::Io(error),
        SourceError::PositionUnknown | SourceError::NoProgress => fault(SetFault::Changed),
    }
}

fn of_part<E>(error: ReadAtError<E>, volume: usize) -> MergeError<E> {
    match error {
        ReadAtError::Io(error) => MergeError::Io(error),
        ReadAtError::Ended => fault(SetFault::Ended { volume }),
    }
}
