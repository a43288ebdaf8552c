//! Speed of collective writing and reading beside plain MPI-IO, in one run: `speed FILE MIB [RATIO]`.
//!
//! An array of MIB MiB in elements of 8 bytes, in equal parts, is written to FILE and read again: as an scda section by
//! `linkstream-parallel`, and by `MPI_File_write_at_all` and `MPI_File_read_at_all`. Each time is the smallest of several
//! rounds, from opening the file until it is closed, of the slowest rank. With RATIO, the status is 1 if the section
//! takes longer than RATIO times plain MPI-IO. `examples/c/bench/run scda` does the same in C.
#![allow(unsafe_code, reason = "MPI-IO is called without the checks of the library")]

use std::ffi::CString;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use linkstream_mpi::mpi::ffi;
use linkstream_mpi::{World, start};
use linkstream_parallel::Error;
use linkstream_parallel::comm::{Comm, Op};
use linkstream_parallel::file::{IoRanks, SystemDisk};
use linkstream_parallel::scda::{Elements, ElementsMut, Partition, Reader, WriteOptions, Writer};

/// Number of times that everything is done.
const ROUNDS: usize = 7;
/// Size of an element in bytes.
const SIZE: u64 = 8;

/// A way to write and read the array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Section,
    Plain,
}

/// The part of this rank.
struct Part<'w> {
    world: &'w World,
    path: &'w Path,
    counts: Vec<u64>,
    bytes: Vec<u8>,
}

impl Part<'_> {
    fn section(&mut self, engine: &IoRanks<SystemDisk>, writes: bool) -> Result<(), Error> {
        let partition = Partition::Table(&self.counts);
        if writes {
            let mut writer =
                Writer::create(self.world, engine, self.path, b"speed", &WriteOptions::default())?;
            writer.array(b"array", partition, SIZE, Elements::Contiguous(&self.bytes), false)?;
            return writer.close();
        }
        let mut reader = Reader::open(self.world, engine, self.path, &Default::default())?;
        reader.section_header(false)?;
        reader.array_data(partition, Some(ElementsMut::Contiguous(&mut self.bytes)))?;
        reader.close()
    }

    /// Ends the job if a call of MPI fails: the default of MPI for files is to return the error.
    fn plain(&mut self, writes: bool) {
        let name = CString::new(self.path.as_os_str().as_encoded_bytes()).expect("no zero byte");
        let mode = if writes { ffi::MPI_MODE_CREATE | ffi::MPI_MODE_WRONLY } else { ffi::MPI_MODE_RDONLY };
        let offset = i64::try_from(self.first() * SIZE).expect("small");
        let length = i32::try_from(self.bytes.len()).expect("less than 2 GiB for each rank");
        // SAFETY: a constant that the C code of rsmpi defines.
        let comm = unsafe { ffi::RSMPI_COMM_WORLD };
        // SAFETY: as before.
        let no_info = unsafe { ffi::RSMPI_INFO_NULL };
        // SAFETY: as before.
        let byte = unsafe { ffi::RSMPI_UINT8_T };
        // SAFETY: as before.
        let no_status = unsafe { ffi::RSMPI_STATUS_IGNORE };
        // SAFETY: as before.
        let mut file = unsafe { ffi::RSMPI_FILE_NULL };
        // SAFETY: the name ends with a zero byte, and `file` is a place for a file.
        let opened = unsafe { ffi::MPI_File_open(comm, name.as_ptr(), mode as i32, no_info, &raw mut file) };
        let room = self.bytes.as_mut_ptr().cast();
        let done = if writes {
            // SAFETY: the room has so many bytes.
            unsafe { ffi::MPI_File_write_at_all(file, offset, room, length, byte, no_status) }
        } else {
            // SAFETY: the room has so many bytes, and nothing else uses them.
            unsafe { ffi::MPI_File_read_at_all(file, offset, room, length, byte, no_status) }
        };
        // SAFETY: the file was opened above.
        let closed = unsafe { ffi::MPI_File_close(&raw mut file) };
        assert_eq!([opened, done, closed], [ffi::MPI_SUCCESS as i32; 3], "MPI-IO");
    }

    /// Number of elements of the ranks before this one: the number in its first element.
    fn first(&self) -> u64 {
        self.counts[..self.world.rank()].iter().sum()
    }

    /// Seconds of the slowest rank. The data are compared.
    fn timed(&mut self, engine: &IoRanks<SystemDisk>, way: Way, writes: bool) -> Result<f64, Error> {
        let first = self.first();
        for (element, number) in self.bytes.as_chunks_mut().0.iter_mut().zip(first..) {
            *element = if writes { number } else { u64::MAX }.to_ne_bytes();
        }
        let failed = |error: linkstream_parallel::comm::CommError| Error { rank: 0, fault: error.into() };
        self.world.combine(Op::Max, &mut [0]).map_err(failed)?;
        let begin = Instant::now();
        match way {
            Way::Section => self.section(engine, writes)?,
            Way::Plain => self.plain(writes),
        }
        let mut nanoseconds = [u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX >> 1)];
        self.world.combine(Op::Max, &mut nanoseconds).map_err(failed)?;
        let same = self.bytes.as_chunks().0.iter().zip(first..);
        assert!(same.map(|(element, number)| u64::from_ne_bytes(*element) == number).all(|same| same));
        Ok(nanoseconds[0] as f64 / 1e9)
    }
}

fn main() -> ExitCode {
    start(|world| {
        let arguments: Vec<String> = std::env::args().collect();
        let [_, path, mib, rest @ ..] = &arguments[..] else { return Ok(2) };
        let (mib, limit): (u64, Option<f64>) =
            (mib.parse()?, rest.first().map(|ratio| ratio.parse()).transpose()?);
        let own = (mib << 17) / world.size() as u64;
        let (path, counts) = (Path::new(path), vec![own; world.size()]);
        let bytes = vec![0; usize::try_from(own * SIZE)?];
        let mut part = Part { world, path, counts, bytes };
        let engine = IoRanks::new(world, SystemDisk)?;
        let mut best = [[f64::INFINITY; 2]; 2];
        for _ in 0..ROUNDS {
            for way in [Way::Section, Way::Plain] {
                if world.rank() == 0 {
                    let _ = std::fs::remove_file(path);
                }
                for writes in [true, false] {
                    let best = &mut best[way as usize][usize::from(writes)];
                    *best = best.min(part.timed(&engine, way, writes)?);
                }
            }
        }
        if world.rank() > 0 {
            return Ok(0);
        }
        std::fs::remove_file(path)?;
        let mut status = 0;
        for (way, name) in [(Way::Section, "linkstream"), (Way::Plain, "MPI-IO")] {
            for (writes, what) in [(true, "written"), (false, "read")] {
                let seconds = best[way as usize][usize::from(writes)];
                let ratio = seconds / best[Way::Plain as usize][usize::from(writes)];
                println!("{} ranks  {what:8} {name:10} {seconds:8.3} s {ratio:8.2}", world.size());
                if limit.is_some_and(|limit| ratio > limit) {
                    status = 1;
                }
            }
        }
        Ok(status)
    })
}
