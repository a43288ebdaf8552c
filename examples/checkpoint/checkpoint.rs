//! Checkpoints of a simulation in scda files: `checkpoint DIRECTORY STEPS [ABORT]`. Copy it, and replace the
//! simulation.
//!
//! The simulation continues from the newest checkpoint in the directory, on any number of ranks, and writes one every
//! [`EVERY`] steps. Two files take turns, so the two newest checkpoints are kept. Each appears under its name when it is
//! complete: a job that is killed at any time leaves the older ones. ABORT is a step: the job ends while it writes that
//! checkpoint, for tests. `checkpoint.c` and `checkpoint.f90` write the same bytes.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use linkstream::scda::SectionType;
use linkstream_mpi::{World, start};
use linkstream_parallel::comm::{Comm, Op};
use linkstream_parallel::file::{IoRanks, SystemDisk};
use linkstream_parallel::scda::{
    Elements, ElementsMut, Partition, Reader, SectionHeader, WriteOptions, Writer,
};
use linkstream_parallel::{Error, Fault};

/// Number of cells of all ranks.
const CELLS: u64 = 1000;
/// Number of values of each cell.
const VALUES: usize = 3;
/// Number of bytes of each cell.
const SIZE: u64 = 8 * VALUES as u64;
/// Number of steps between checkpoints.
const EVERY: u64 = 10;

/// A known number, written as this computer has it in memory: a reader finds other bytes if its own order differs.
const KNOWN: u64 = 0x0102_0304_0506_0708;

/// The cells of this rank. They are bytes in the order of this computer in the file.
struct State {
    n_q: Vec<u64>,
    /// Number of the first cell.
    first: u64,
    cells: Vec<[f64; VALUES]>,
}

impl State {
    fn new(world: &World) -> Self {
        let (rank, ranks) = (world.rank() as u64, world.size() as u64);
        let below = |rank: u64| CELLS * rank / ranks;
        let n_q: Vec<_> = (0..ranks).map(|rank| below(rank + 1) - below(rank)).collect();
        let cells = vec![[0.0; VALUES]; n_q[world.rank()] as usize];
        Self { n_q, first: below(rank), cells }
    }

    /// One step of the simulation: each cell by itself, so the result does not depend on the number of ranks.
    fn simulate(&mut self, step: u64) {
        for (cell, i) in self.cells.iter_mut().zip(self.first..) {
            cell[0] += step as f64;
            cell[1] += 0.5 * (i % 16) as f64;
            cell[2] -= 0.25 * step as f64;
        }
    }

    /// Writes a checkpoint.
    fn save(
        &self,
        world: &World,
        engine: &IoRanks<SystemDisk>,
        path: &Path,
        step: u64,
        aborts: bool,
    ) -> Result<(), Error> {
        let mut known = [b' '; 32];
        known[..8].copy_from_slice(&KNOWN.to_ne_bytes());
        known[31] = b'\n';
        // By default, the file gets its name in `close`.
        let mut writer = Writer::create(world, engine, path, b"checkpoint", &WriteOptions::default())?;
        writer.inline(b"known number", 0, &known)?;
        writer.block(b"step", 0, 8, &step.to_ne_bytes(), false)?;
        let bytes: Vec<u8> = self.cells.iter().flatten().flat_map(|value| value.to_ne_bytes()).collect();
        // With `true`, each cell is compressed, with a checksum: worth it for cells of 1 kB or more.
        writer.array(b"cells", Partition::Table(&self.n_q), SIZE, Elements::Contiguous(&bytes), false)?;
        if aborts && world.rank() == world.size() - 1 {
            world.abort(9);
        }
        writer.close()
    }

    /// Reads a checkpoint; without `cells`, only its step. `None` without a file.
    fn load(
        &mut self,
        world: &World,
        engine: &IoRanks<SystemDisk>,
        path: &Path,
        with_cells: bool,
    ) -> Result<Option<u64>, Error> {
        let mut reader = match Reader::open(world, engine, path, &Default::default()) {
            Err(error) if error.fault.code == ENOENT => return Ok(None),
            opened => opened?,
        };
        let (mut known, mut step) = ([0; 32], [0; 8]);
        expect(reader.section_header(true)?, SectionType::Inline, (0, 0), b"known number")?;
        reader.inline_data(0, Some(&mut known))?;
        expect(reader.section_header(true)?, SectionType::Block, (0, 8), b"step")?;
        reader.block_data(0, Some(&mut step))?;
        expect(reader.section_header(true)?, SectionType::Array, (CELLS, SIZE), b"cells")?;
        let mut bytes = vec![0; self.cells.len() * SIZE as usize];
        // Without cells, this skips them, and finds whether the file is as long as it claims.
        let room = with_cells.then_some(ElementsMut::Contiguous(&mut bytes));
        reader.array_data(Partition::Table(&self.n_q), room)?;
        reader.close()?;
        world
            .broadcast(0, &mut known)
            .and_then(|()| world.broadcast(0, &mut step))
            .map_err(|error| failed(error.into()))?;
        let known = u64::from_ne_bytes(known[..8].try_into().expect("8 bytes"));
        let order: fn([u8; 8]) -> u64 = if known == KNOWN {
            u64::from_ne_bytes
        } else if known == KNOWN.swap_bytes() {
            |bytes| u64::from_ne_bytes(bytes).swap_bytes()
        } else {
            return Err(failed(Fault::usage("the known number is in no order of bytes")));
        };
        if with_cells {
            if known != KNOWN && world.rank() == 0 {
                println!("{}: from a computer with another order of bytes", path.display());
            }
            for (value, bytes) in self.cells.iter_mut().flatten().zip(bytes.as_chunks().0) {
                *value = f64::from_bits(order(*bytes));
            }
        }
        Ok(Some(order(step)))
    }
}

/// There is no such file.
const ENOENT: i32 = 2;

/// An error that all ranks have.
fn failed(fault: Fault) -> Error {
    Error { rank: 0, fault }
}

/// Checks a header.
fn expect(
    header: Option<SectionHeader>,
    section_type: SectionType,
    (n, e): (u64, u64),
    userstr: &[u8],
) -> Result<(), Error> {
    let is_right = header.is_some_and(|header| {
        header.section_type == section_type
            && (header.n.to_u64(), header.e.to_u64()) == (Some(n), Some(e))
            && header.userstr == userstr
    });
    if is_right { Ok(()) } else { Err(failed(Fault::usage("this is no checkpoint of this program"))) }
}

fn main() -> ExitCode {
    start(|world| {
        let arguments: Vec<String> = std::env::args().collect();
        let [_, directory, steps, rest @ ..] = &arguments[..] else { return Ok(2) };
        let (steps, abort): (u64, Option<u64>) =
            (steps.parse()?, rest.first().map(|step| step.parse()).transpose()?);
        let engine = IoRanks::new(world, SystemDisk)?;
        let mut state = State::new(world);
        let report = |path: &Path, error: &Error| {
            if world.rank() == 0 {
                eprintln!("{}: {error}", path.display());
            }
        };

        // The newest checkpoint, or the other one if that cannot be read.
        let paths: Vec<PathBuf> =
            (0..2).map(|slot| Path::new(directory).join(format!("state.{slot}.scda"))).collect();
        let mut found = Vec::new();
        let mut is_there = false;
        for path in &paths {
            match state.load(world, &engine, path, false) {
                Ok(None) => {}
                Ok(Some(step)) => found.push((step, path.clone())),
                Err(error) => {
                    is_there = true;
                    report(path, &error);
                }
            }
        }
        found.sort();
        let mut step = None;
        while let (None, Some((_, path))) = (step, found.pop()) {
            is_there = true;
            match state.load(world, &engine, &path, true) {
                Ok(loaded) => step = loaded,
                Err(error) => report(&path, &error),
            }
            if let (Some(step), 0) = (step, world.rank()) {
                println!("continued from {}, step {step}", path.display());
            }
        }
        if step.is_none() && is_there {
            // A simulation that began again would overwrite what may still be saved.
            return Err("no checkpoint can be read".into());
        }

        let mut step = step.unwrap_or(0);
        while step < steps {
            step += 1;
            state.simulate(step);
            if step % EVERY == 0 {
                state.save(world, &engine, &paths[(step / EVERY % 2) as usize], step, abort == Some(step))?;
            }
        }
        // Quarters are whole numbers, which the ranks add as such.
        let sum: f64 = state.cells.iter().flatten().sum();
        let mut quarters = [(4.0 * sum) as u64];
        world.combine(Op::Sum, &mut quarters)?;
        if world.rank() == 0 {
            println!("step {step}, sum {:.2}", quarters[0] as f64 / 4.0);
        }
        Ok(0)
    })
}
