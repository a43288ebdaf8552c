//! Data and checks that several cases use.

use std::ops::Range;
use std::path::{Path, PathBuf};

use linkstream_mpi::World;
use linkstream_parallel::comm::Comm;
use linkstream_parallel::error::agree;
use linkstream_parallel::file::{Engine, Piece};
use linkstream_parallel::{Error, ErrorKind, Fault};

/// The ranks, the engine, and the place for files.
pub struct Job<'a, E> {
    /// The ranks.
    pub world: &'a World,
    /// The engine as users have it.
    pub engine: E,
    /// The engine with small buffers, so that calls have several rounds.
    pub small: E,
    /// Directory of the files.
    pub directory: &'a Path,
    /// True if the engine notices bytes that several ranks write.
    pub sees_overlaps: bool,
}

impl<E: Engine<World>> Job<'_, E> {
    /// A file of a case.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// Collective: rank 0 writes a file by the calls of the system.
    pub fn write_alone(&self, path: &Path, bytes: &[u8]) -> Result<(), Fault> {
        let written = if self.rank() == 0 { std::fs::write(path, bytes) } else { Ok(()) };
        agree(self.world, written.map_err(|error| Fault::system(None, &error))).map_err(failed)
    }

    /// Number of this rank.
    pub fn rank(&self) -> usize {
        self.world.rank()
    }

    /// Number of ranks.
    pub fn size(&self) -> usize {
        self.world.size()
    }
}

/// A test. It is run by all ranks, which agree on the outcome afterwards.
pub struct Case<E> {
    /// Name of the case.
    pub name: &'static str,
    /// The test, on one rank.
    pub run: fn(&Job<'_, E>) -> Result<(), Fault>,
}

// Derived implementations would require that engines can be copied.
impl<E> Copy for Case<E> {}
impl<E> Clone for Case<E> {
    fn clone(&self) -> Self {
        *self
    }
}

/// An error that all ranks have agreed on, as the outcome of a case.
pub fn failed(error: Error) -> Fault {
    Fault { message: format!("rank {}: {}", error.rank, error.fault.message), ..error.fault }
}

/// Collective: checks on rank 0 that a file has these bytes.
pub fn same_bytes<E: Engine<World>>(job: &Job<'_, E>, path: &Path, expected: &[u8]) -> Result<(), Fault> {
    let compared = if job.rank() == 0 {
        let found = std::fs::read(path).map_err(|error| Fault::system(None, &error));
        found.and_then(|found| {
            let first = found.iter().zip(expected).position(|(found, expected)| found != expected);
            ensure(found == expected, || {
                let (length, wanted) = (found.len(), expected.len());
                format!(
                    "other bytes than the serial writer's: {length} instead of {wanted}, first at {first:?}"
                )
            })
        })
    } else {
        Ok(())
    };
    agree(job.world, compared).map_err(failed)
}

/// Checks that all ranks have agreed on an error of this kind.
pub fn is_error<T>(outcome: Result<T, Error>, kind: ErrorKind, text: &str) -> Result<(), Fault> {
    match outcome {
        Err(error) if error.fault.kind == kind && error.to_string().contains(text) => Ok(()),
        Err(error) => Err(Fault::usage(format!("{kind:?} was expected: {error}"))),
        Ok(_) => Err(Fault::usage(format!("{kind:?} was expected"))),
    }
}

/// A fault unless the condition is true.
pub fn ensure(condition: bool, message: impl FnOnce() -> String) -> Result<(), Fault> {
    if condition { Ok(()) } else { Err(Fault::usage(message())) }
}

/// Bytes that look random: the same on all ranks.
pub fn content(seed: u64, length: usize) -> Vec<u8> {
    let mut random = Random(seed);
    (0..length).map(|_| random.next() as u8).collect()
}

/// Numbers that look random (SplitMix64).
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below another one.
    pub const fn below(&mut self, limit: u64) -> u64 {
        if limit == 0 { 0 } else { self.next() % limit }
    }
}

/// A random division of bytes among ranks. One of several ranks has nothing. Returns the parts of a rank,
/// at most `longest` bytes each.
pub fn parts(seed: u64, length: usize, longest: u64, rank: usize, ranks: usize) -> Vec<Range<usize>> {
    let mut random = Random(seed);
    let idle = if ranks > 1 { random.below(ranks as u64) } else { u64::MAX };
    let (mut parts, mut at) = (Vec::new(), 0);
    while at < length {
        let mut owner = random.below(ranks as u64);
        if owner == idle {
            owner = (owner + 1) % ranks as u64;
        }
        let end = length.min(at + 1 + random.below(longest) as usize);
        if owner == rank as u64 {
            parts.push(at..end);
        }
        at = end;
    }
    parts
}

/// Pieces with the bytes of these parts.
pub fn pieces<'a>(content: &'a [u8], parts: &[Range<usize>], offset: u64) -> Vec<Piece<'a>> {
    parts
        .iter()
        .map(|part| Piece { offset: offset + part.start as u64, bytes: &content[part.clone()] })
        .collect()
}
