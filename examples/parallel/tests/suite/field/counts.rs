//! The numbers of requests and of small collective calls do not depend on the number of ranks.

use linkstream::field::Form;
use linkstream::ildg::GaugeKind;
use linkstream::lattice::Precision;
use linkstream_parallel::comm::{Comm, ThreadComm, Threads};
use linkstream_parallel::field::{FieldReader, FieldWriter, Grid, Layout};
use linkstream_parallel::file::{Direct, Faulty, IoRanks, Request, SystemDisk};

use super::support::{Memory, What, lattice, numbers};

/// Small collective calls of the steps of a job on one rank: create, field, finish, open, read, close.
type Steps = [u64; 6];

fn steps<E: linkstream_parallel::file::Engine<ThreadComm>>(
    comm: &ThreadComm,
    engine: &E,
    path: &std::path::Path,
    grid: &Grid,
    verify: bool,
) -> Steps {
    let mut before = comm.traffic().small;
    let mut step = || {
        let now = comm.traffic().small;
        std::mem::replace(&mut before, now).abs_diff(now)
    };
    let layout = || Layout::grid(grid, comm.rank());
    let mut links = numbers(grid, comm.rank(), &What::Gauge(Precision::F64, Form::Both), Memory::F64);
    let mut file = FieldWriter::create(comm, engine, path, layout()).unwrap().verify_written(verify);
    let mut steps = [step(), 0, 0, 0, 0, 0];
    file.set_title("title");
    file.gauge_field(GaugeKind::SU3, Precision::F64, Form::Both, &links[..]).unwrap();
    steps[1] = step();
    file.finish().unwrap();
    steps[2] = step();
    let mut file = FieldReader::open(comm, engine, path).unwrap();
    steps[3] = step();
    assert!(file.read(0, &layout(), &mut links[..]).unwrap().is_match());
    steps[4] = step();
    file.close().unwrap();
    steps[5] = step();
    steps
}

#[test]
fn small_collective_calls_and_requests_at_4_and_100_ranks() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    for (ranks, extents) in [(4, &[2, 1, 1, 2]), (100, &[4, 4, 1, 6])] {
        let grid = Grid::new(&lattice(), extents).unwrap();
        let jobs = Threads::on_nodes(ranks, ranks);
        // Without the engine, which adds one call for each round.
        for steps in jobs.run(|comm| steps(comm, &Direct::<SystemDisk>::default(), &path, &grid, false)) {
            assert_eq!(steps, [3, 5, 3, 4, 6, 2]);
        }
        for steps in jobs.run(|comm| steps(comm, &Direct::<SystemDisk>::default(), &path, &grid, true)) {
            assert_eq!(steps, [3, 6, 3, 4, 6, 2]);
        }
        let counts = jobs.run(|comm| {
            let disk = Faulty::new(SystemDisk, None);
            let engine = IoRanks::new(comm, disk.clone()).unwrap();
            let before = comm.traffic();
            let steps = steps(comm, &engine, &path, &grid, false);
            let requests = disk.requests();
            let counts = [Request::Open, Request::Write, Request::Read, Request::Size, Request::Sync]
                .map(|request| requests.count(request));
            (steps, comm.traffic().exchanges - before.exchanges, counts)
        });
        for (rank, (steps, exchanges, counts)) in counts.into_iter().enumerate() {
            // One round, written with one exchange and read with two.
            assert_eq!((steps, exchanges), ([3, 6, 3, 4, 7, 2], 3), "rank {rank}");
            // Rank 0 writes the documents in two requests and reads them in two; the data are one more of each. It writes
            // the beginning of the file after all of this is on the storage device.
            let expected = if rank == 0 { [2, 4, 3, 1, 2] } else { [0; 5] };
            assert_eq!(counts, expected, "rank {rank}");
        }
    }
}

/// A rank needs memory for one round: pieces of at most this size, whatever the number of its sites.
#[test]
fn rounds_are_as_long_as_the_memory_of_the_ranks_permits() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    // 96 ranks of two sites; together they have 192 sites of 576 bytes.
    for (extents, memory, rounds) in [
        (&[4, 4, 1, 6], 2 * 576, 1),
        // A round of half a time slice: z = 0 or z = 1.
        (&[4, 4, 1, 6], 576, 12),
        // Two ranks, divided in x: a round has half of its sites on each.
        (&[2, 1, 1, 1], 24 * 576, 4),
        // Divided in t, in two contiguous parts: each rank writes its own next bytes in a round.
        (&[1, 1, 1, 2], 24 * 576, 4),
    ] {
        let grid = Grid::new(&lattice(), extents).unwrap();
        let exchanges = Threads::new(grid.ranks()).run(|comm| {
            let engine = IoRanks::new(comm, SystemDisk).unwrap();
            let links = numbers(&grid, comm.rank(), &What::Gauge(Precision::F64, Form::Both), Memory::F64);
            let file = FieldWriter::create(comm, &engine, &path, Layout::grid(&grid, comm.rank())).unwrap();
            let mut file = file.with_memory(memory);
            let before = comm.traffic().exchanges;
            file.gauge_field(GaugeKind::SU3, Precision::F64, Form::Both, &links[..]).unwrap();
            let exchanges = comm.traffic().exchanges - before;
            file.finish().unwrap();
            exchanges
        });
        assert!(exchanges.iter().all(|exchanges| *exchanges == rounds), "{extents:?}: {exchanges:?}");
    }
}
