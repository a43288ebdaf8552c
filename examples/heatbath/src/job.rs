//! A simulation on many ranks: sweeps, checkpoints in scda files, and configurations in ILDG files.

use std::path::Path;

use linkstream::field::Form;
use linkstream::ildg::GaugeKind;
use linkstream::lattice::{Coordinates, Extents, Hypercube, Precision};
use linkstream::scda::SectionType;
use linkstream_parallel::comm::{Comm, CommError, Message};
use linkstream_parallel::error::agree;
use linkstream_parallel::field::{FieldWriter, Layout};
use linkstream_parallel::file::Engine;
use linkstream_parallel::scda::{Elements, ElementsMut, Partition, Reader, WriteOptions, Writer};
use linkstream_parallel::{Error, Fault};

use crate::su3::Matrix;
use crate::{Edge, Part, Slab};

/// Parameters of a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// Extents of the lattice, x first, each even.
    pub extents: [usize; 4],
    /// Coupling of the Wilson action.
    pub beta: f64,
    /// Seed of the random numbers.
    pub seed: u64,
}

/// Title of checkpoints.
const TITLE: &[u8] = b"linkstream heatbath checkpoint";
const PARAMETERS: &[u8] = b"parameters";
const LINKS: &[u8] = b"links";
/// Extents, the bits of beta, seed, and number of sweeps.
const NUMBERS: usize = 7;
/// The acceptance of the heat bath is sensible far beyond all couplings in use.
const LARGEST_BETA: f64 = 1e6;
/// Size of the links of a site in bytes: 4 matrices of 9 complex numbers in double precision.
const SITE: usize = 4 * 18 * 8;

/// A simulation, on one of its ranks. Each rank has some of the time slices, in the order of the ranks. There may be
/// more ranks than slices.
#[derive(Debug)]
pub struct Job<'c, C> {
    comm: &'c C,
    parameters: Parameters,
    slab: Slab,
    slices: usize,
    sweeps: u64,
}

/// Size of the links of a time slice in bytes, at most 2^128.
fn slice_bytes([x, y, z, _]: [usize; 4]) -> u128 {
    [x, y, z].iter().fold(SITE as u128, |bytes, extent| bytes.saturating_mul(*extent as u128))
}

/// First time slice of a rank, if `slices` are divided among `ranks` as evenly as possible.
const fn first_slice(slices: usize, ranks: usize, rank: usize) -> usize {
    let (least, more) = (slices / ranks, slices % ranks);
    least * rank + if rank < more { rank } else { more }
}

impl<'c, C: Comm> Job<'c, C> {
    /// Collective: a simulation that begins with links that are 1.
    ///
    /// # Errors
    /// An extent is odd or 0, or too large; or the coupling is not from 0 to 1,000,000.
    pub fn cold(comm: &'c C, parameters: Parameters) -> Result<Self, Error> {
        let job = Self::with_slab(comm, parameters, 0);
        let mut job = agree(comm, job)?;
        let exchanged = job.exchange(None);
        agree(comm, exchanged.map_err(Fault::from))?;
        Ok(job)
    }

    /// The slab of this rank, with links that are 1.
    fn with_slab(comm: &'c C, parameters: Parameters, sweeps: u64) -> Result<Self, Fault> {
        let Parameters { extents, beta, .. } = parameters;
        let sites = extents.iter().try_fold(SITE, |bytes, extent| bytes.checked_mul(*extent));
        let is_even = extents.iter().all(|extent| *extent > 0 && extent % 2 == 0);
        if sites.is_none() || !is_even || extents.iter().any(|extent| u32::try_from(*extent).is_err()) {
            return Err(Fault::usage(format!("the extents must be even, and fit into memory: {extents:?}")));
        }
        if !(0.0..=LARGEST_BETA).contains(&beta) {
            return Err(Fault::usage(format!(
                "the coupling must be from 0 to {LARGEST_BETA}, but is {beta:e}"
            )));
        }
        let first = first_slice(extents[3], comm.size(), comm.rank());
        let slices = first_slice(extents[3], comm.size(), comm.rank() + 1) - first;
        // The slices of this rank and their halos: the links, and twice four numbers of neighbours.
        let bytes = extents[..3].iter().product::<usize>().checked_mul((slices + 2) * (SITE + 64));
        if bytes.is_none_or(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_err()) {
            return Err(Fault::usage(format!(
                "there is no memory for {slices} slices of the lattice {extents:?}"
            )));
        }
        Ok(Self { comm, parameters, slab: Slab::cold(extents, first, slices), slices, sweeps })
    }

    /// Lattice, coupling and seed.
    pub const fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// Number of sweeps so far.
    pub const fn sweeps(&self) -> u64 {
        self.sweeps
    }

    /// The links of the sites of this rank, in lexicographic order.
    pub fn links(&self) -> &[[Matrix; 4]] {
        self.slab.links()
    }

    /// Collective: updates all links once.
    ///
    /// # Errors
    /// The ranks cannot communicate.
    pub fn sweep(&mut self) -> Result<(), CommError> {
        let Parameters { beta, seed, .. } = self.parameters;
        for part in Part::all() {
            self.slab.update(part, beta, seed, self.sweeps);
            self.exchange(Some(part.direction()))?;
        }
        self.sweeps += 1;
        Ok(())
    }

    /// Gives the links of the outer slices, in one direction or all, to the ranks with the slices beside them.
    fn exchange(&mut self, direction: Option<usize>) -> Result<(), CommError> {
        // Ranks without slices are the last ones: the others form a ring.
        let ring = self.comm.size().min(self.parameters.extents[3]);
        let rank = self.comm.rank();
        let mut messages: Vec<Message> = Vec::new();
        if self.slices > 0 {
            for (edge, to) in [(Edge::Upper, (rank + 1) % ring), (Edge::Lower, (rank + ring - 1) % ring)] {
                // In a ring of one or two, both neighbours are the same rank.
                if messages.last().is_none_or(|message| message.rank != to) {
                    messages.push(Message { rank: to, bytes: Vec::new() });
                }
                if let Some(message) = messages.last_mut() {
                    // The receiver has the slice beyond its opposite edge.
                    message.bytes.push(u8::from(edge.opposite() == Edge::Upper));
                    put_links(&mut message.bytes, self.slab.edge(edge), direction);
                }
            }
        }
        for Message { bytes, .. } in self.comm.exchange(messages)? {
            let mut rest = bytes.as_slice();
            while let Some((edge, after)) = rest.split_first() {
                let beyond = if *edge == 1 { Edge::Upper } else { Edge::Lower };
                rest = take_links(after, self.slab.halo_mut(beyond), direction)
                    .ok_or_else(|| CommError::new("a message with links is malformed"))?;
            }
        }
        Ok(())
    }

    fn numbers(&self) -> [u64; NUMBERS] {
        let Parameters { extents: [x, y, z, t], beta, seed } = self.parameters;
        [x as u64, y as u64, z as u64, t as u64, beta.to_bits(), seed, self.sweeps]
    }

    /// Collective: writes the state of the simulation into an scda file: the parameters, and the links of each time
    /// slice as one compressed element, big-endian.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn checkpoint<E: Engine<C>>(&self, engine: &E, path: &Path) -> Result<(), Error> {
        // The caller gives the file its name.
        let options = WriteOptions { replace: false, ..WriteOptions::default() };
        let mut file = Writer::create(self.comm, engine, path, TITLE, &options)?;
        let numbers: Vec<u8> = self.numbers().iter().flat_map(|number| number.to_be_bytes()).collect();
        // Compressed, because compressed data have a checksum.
        file.block(PARAMETERS, 0, numbers.len() as u64, &numbers, true)?;
        let mut links = Vec::with_capacity(self.links().len() * SITE);
        put_links(&mut links, self.links(), None);
        file.array(
            LINKS,
            Partition::Own(self.slices as u64),
            self.slice_bytes(),
            Elements::Contiguous(&links),
            true,
        )?;
        file.close()
    }

    /// Size of the links of a time slice in bytes.
    fn slice_bytes(&self) -> u64 {
        slice_bytes(self.parameters.extents) as u64
    }

    /// Collective: continues the simulation of a checkpoint, on any number of ranks.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, or is no checkpoint.
    pub fn restart<E: Engine<C>>(comm: &'c C, engine: &E, path: &Path) -> Result<Self, Error> {
        let other = || Fault::usage(format!("{} is not a checkpoint of this program", path.display()));
        let mut file = Reader::open(comm, engine, path, &Default::default())?;
        let header = file.section_header(true)?;
        let is_block = header.is_some_and(|header| {
            header.section_type == SectionType::Block
                && header.userstr == PARAMETERS
                && header.e.get() == 8 * NUMBERS as u128
        });
        agree(comm, if is_block && file.userstr() == TITLE { Ok(()) } else { Err(other()) })?;
        let mut bytes = [0; 8 * NUMBERS];
        file.block_data(0, (comm.rank() == 0).then_some(&mut bytes[..]))?;
        let spread = comm.broadcast(0, &mut bytes).map_err(Fault::from);
        let parameters = spread.and_then(|()| {
            let mut numbers = [0; NUMBERS];
            let (each, _) = bytes.as_chunks();
            numbers.iter_mut().zip(each).for_each(|(to, bytes)| *to = u64::from_be_bytes(*bytes));
            let [x, y, z, t, beta, seed, sweeps] = numbers;
            let extent = |n| usize::try_from(n).map_err(|_| other());
            let extents = [extent(x)?, extent(y)?, extent(z)?, extent(t)?];
            Ok((Parameters { extents, beta: f64::from_bits(beta), seed }, sweeps))
        });
        let (parameters, sweeps) = agree(comm, parameters)?;
        // The file must have the links before there is memory for them.
        let header = file.section_header(true)?;
        let is_array = header.is_some_and(|header| {
            header.section_type == SectionType::Array
                && header.userstr == LINKS
                && (header.n.get(), header.e.get())
                    == (parameters.extents[3] as u128, slice_bytes(parameters.extents))
        });
        agree(comm, if is_array { Ok(()) } else { Err(other()) })?;
        let mut job = agree(comm, Self::with_slab(comm, parameters, sweeps))?;
        let mut links = vec![0; job.links().len() * SITE];
        file.array_data(Partition::Own(job.slices as u64), Some(ElementsMut::Contiguous(&mut links)))?;
        file.close()?;
        let taken = take_links(&links, job.slab.links_mut(), None).map(drop).ok_or_else(other);
        let exchanged = job.exchange(None).map_err(Fault::from);
        agree(comm, exchanged.and(taken))?;
        Ok(job)
    }

    /// Collective: writes the links as a configuration in double precision, in an ILDG file with SciDAC records.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_configuration<E: Engine<C>>(&self, engine: &E, path: &Path) -> Result<(), Error> {
        let layout = self.layout();
        let layout = agree(self.comm, layout)?;
        let mut file = FieldWriter::create(self.comm, engine, path, layout)?;
        let mut numbers: Vec<f64> = Vec::with_capacity(self.links().len() * SITE / 8);
        numbers.extend(self.links().as_flattened().iter().flat_map(Matrix::components));
        file.gauge_field(GaugeKind::SU3, Precision::F64, Form::Both, &numbers[..])?;
        file.finish()
    }

    /// The time slices of this rank.
    fn layout(&self) -> Result<Layout<'static>, Fault> {
        let refused = |error: &dyn std::fmt::Display| Fault::usage(error.to_string());
        let extents = self.parameters.extents.map(|extent| extent as u32);
        let lattice = Extents::new(&extents).map_err(|error| refused(&error))?;
        let (mut lower, mut upper) = ([0; 4], extents.map(|extent| extent - 1));
        lower[3] = first_slice(self.parameters.extents[3], self.comm.size(), self.comm.rank()) as u32;
        upper[3] = lower[3] + (self.slices as u32).saturating_sub(1);
        let cube = match (self.slices, Coordinates::new(&lower), Coordinates::new(&upper)) {
            (1.., Some(lower), Some(upper)) => {
                Some(Hypercube::new(lower, upper, &lattice).map_err(|error| refused(&error))?)
            }
            _ => None,
        };
        Ok(Layout::part(&lattice, cube))
    }
}

/// Appends the links of sites, in one direction or all, big-endian.
fn put_links(bytes: &mut Vec<u8>, links: &[[Matrix; 4]], direction: Option<usize>) {
    for site in links {
        let wanted = direction.map_or(&site[..], |mu| &site[mu..=mu]);
        for number in wanted.iter().flat_map(Matrix::components) {
            bytes.extend_from_slice(&number.to_be_bytes());
        }
    }
}

/// Replaces the links of sites by the output of [`put_links`]. Returns the bytes after them, or `None` if there are too few.
fn take_links<'b>(
    mut bytes: &'b [u8],
    links: &mut [[Matrix; 4]],
    direction: Option<usize>,
) -> Option<&'b [u8]> {
    for site in links {
        let wanted = match direction {
            Some(mu) => &mut site[mu..=mu],
            None => &mut site[..],
        };
        for number in wanted.iter_mut().flat_map(Matrix::components_mut) {
            let (first, rest) = bytes.split_first_chunk()?;
            *number = f64::from_be_bytes(*first);
            bytes = rest;
        }
    }
    Some(bytes)
}
