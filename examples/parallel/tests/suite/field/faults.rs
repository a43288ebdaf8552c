//! Every request of every rank fails in turn: all ranks get the same error, and none waits for ever.

use std::path::Path;

use linkstream::field::Form;
use linkstream::lattice::Precision;
use linkstream::scidac::PrivateRecord;
use linkstream_parallel::comm::{Comm, Threads};
use linkstream_parallel::field::Grid;
use linkstream_parallel::file::{Direct, Injection, IoRanks};

use super::super::faults::{Disturbance, Outcomes, disk, every_fault};
use super::support::{Memory, What, lattice, read, serial, write};

const RANKS: usize = 4;

/// More than 1 MiB of data, so that the second I/O rank has some.
fn fields() -> Vec<What> {
    let mut fields = vec![What::Record(PrivateRecord::propagator(Precision::F64)); 3];
    fields.insert(0, What::Gauge(Precision::F32, Form::Both));
    fields
}

/// Runs a job with a disturbance of one request of one rank.
fn disturbed(path: &Path, is_direct: bool, writes: bool, disturbance: Disturbance) -> Outcomes {
    let (grid, fields) = (Grid::new(&lattice(), &[2, 1, 1, 2]).unwrap(), fields());
    Threads::on_nodes(RANKS, 2).run(|comm| {
        let disk = disk(comm.rank(), disturbance);
        let io = IoRanks::with(comm, disk.clone(), comm.node_leader() == comm.rank(), 0).unwrap();
        let direct = Direct { disk: disk.clone() };
        // Several rounds. Written bytes are read again.
        let (held, memory) = (Memory::F64, 60_000);
        let outcome = match (writes, is_direct) {
            (true, true) => write(comm, &direct, path, &grid, &fields, held, memory),
            (true, false) => write(comm, &io, path, &grid, &fields, held, memory),
            (false, true) => read(comm, &direct, path, &grid, &fields, held, memory).map(drop),
            (false, false) => read(comm, &io, path, &grid, &fields, held, memory).map(drop),
        };
        (outcome, disk.requests())
    })
}

#[test]
fn every_fault_of_a_request_is_the_same_error_on_all_ranks() {
    let directory = tempfile::tempdir().unwrap();
    let (path, whole) = (directory.path().join("file"), directory.path().join("whole"));
    let expected = serial(&fields());
    std::fs::write(&whole, &expected).unwrap();
    let mut faults = 0;
    for (is_direct, writes) in [(false, true), (false, false), (true, true), (true, false)] {
        let path = if writes { &path } else { &whole };
        let run = |disturbance| disturbed(path, is_direct, writes, disturbance);
        // With `Direct`, each stretch of the file is a request.
        faults += every_fault(16, run, || std::fs::read(path).unwrap() == expected, |_, _| {});
    }
    assert!(faults > 100, "{faults}");
}

/// After an error, the file does not begin like a LIME file.
#[test]
fn a_file_that_was_given_up_is_not_taken_for_complete() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    for number in 0.. {
        let outcomes = disturbed(&path, false, true, Some((2, number, Injection::Error(28))));
        if outcomes[0].0.is_ok() {
            assert!(number > 2);
            break;
        }
        // Rank 2 does not write the beginning: without its bytes, the file begins with zeros.
        let left = std::fs::read(&path).unwrap();
        assert!(left.is_empty() || left.starts_with(&[0; 128]), "{number}");
    }
}
