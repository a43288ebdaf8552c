//! Every request of every rank for a file set fails in turn: all ranks get the same error, and none waits for ever.

use std::path::Path;

use linkstream::field::{Form, Verdict};
use linkstream::lattice::Precision;
use linkstream::scidac::{PrivateRecord, VolumeFormat};
use linkstream_parallel::comm::{Comm, Threads};
use linkstream_parallel::field::{Grid, SetReader, Volumes};
use linkstream_parallel::file::{Faulty, Injection, Request, SystemDisk};
use linkstream_parallel::{Error, ErrorKind};

use super::set_support::{path_of, read, serial, write};
use super::support::{Memory, What, lattice, layout, numbers};

fn fields() -> Vec<What> {
    vec![
        What::Gauge(Precision::F32, Form::Both),
        What::Record(PrivateRecord::global(Precision::F64, 5)),
        What::Record(PrivateRecord::propagator(Precision::F32)),
    ]
}

/// The requests of a rank.
type List = Vec<(Request, usize)>;

/// Runs a job with a disturbance of one request of one rank. Returns the outcome of each rank and its requests.
fn disturbed(
    path: &Path,
    writes: bool,
    disturbance: Option<(usize, usize, Injection)>,
) -> Vec<(Result<(), Error>, List)> {
    let (grid, fields) = (Grid::new(&lattice(), &[2, 1, 1, 2]).unwrap(), fields());
    Threads::on_nodes(4, 2).run(|comm| {
        let injection = disturbance.filter(|(rank, ..)| *rank == comm.rank());
        let disk = Faulty::new(SystemDisk, injection.map(|(_, number, injection)| (number, injection)));
        // Several rounds. What is written is read again.
        let (held, memory) = (Memory::F64, 30_000);
        let outcome = if writes {
            let data = |field: &What| numbers(&grid, comm.rank(), field, held);
            let layout = layout(&grid, comm.rank(), held);
            let volumes = Volumes::each_node(comm);
            write(comm, disk.clone(), path, layout, data, &fields, (volumes, memory, true))
        } else {
            // Rank 3 reads nothing itself.
            read(comm, disk.clone(), path, &grid, &fields, held, memory).map(drop)
        };
        (outcome, disk.requests().list)
    })
}

#[test]
fn every_fault_of_a_request_is_the_same_error_on_all_ranks() {
    let directory = tempfile::tempdir().unwrap();
    let [path, whole] = ["written", "whole"].map(|name| directory.path().join(name));
    let grid = Grid::new(&lattice(), &[2, 1, 1, 2]).unwrap();
    let mut lists = vec![(0, Vec::new()), (2, Vec::new())];
    for site in 0..lattice().sites() {
        let rank = grid.rank_of(&lattice().coordinates(site).unwrap());
        lists[rank / 2].1.push(site);
    }
    serial(&whole, &fields(), &lists, VolumeFormat::Partition);
    let volumes =
        |set: &Path| [0, 2].map(|n| std::fs::read(path_of(set, VolumeFormat::Partition, n)).unwrap());
    let expected = volumes(&whole);
    let mut faults = 0;
    for writes in [true, false] {
        let path = if writes { &path } else { &whole };
        let undisturbed = disturbed(path, writes, None);
        for (rank, (_, requests)) in undisturbed.into_iter().enumerate() {
            for (number, (request, _)) in requests.into_iter().enumerate() {
                for injection in [Injection::Short, Injection::Interrupted] {
                    for (outcome, _) in disturbed(path, writes, Some((rank, number, injection))) {
                        assert_eq!(outcome, Ok(()), "{injection:?} of request {number} of rank {rank}");
                    }
                    assert!(volumes(path) == expected);
                }
                for injection in [Injection::Error(5), Injection::Error(28), Injection::Ends] {
                    let outcomes = disturbed(path, writes, Some((rank, number, injection)));
                    let outcomes: Vec<_> = outcomes.into_iter().map(|(outcome, _)| outcome).collect();
                    assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]), "{outcomes:?}");
                    match (&outcomes[0], injection) {
                        // Only requests that read can find the end of the file.
                        (Ok(()), Injection::Ends) => {}
                        (Err(_), Injection::Ends) => faults += 1,
                        (Err(error), _) => {
                            assert_eq!((error.rank, error.fault.kind), (rank, ErrorKind::System), "{error}");
                            faults += 1;
                        }
                        (Ok(()), _) => panic!("{injection:?} of request {number} of rank {rank}"),
                    }
                    if request == Request::Write && injection == Injection::Error(28) {
                        assert_unverified(path);
                    }
                }
            }
        }
    }
    assert!(faults > 100, "{faults}");
}

/// A set that was given up is not taken for complete.
fn assert_unverified(path: &Path) {
    let verdicts = Threads::new(1).run(|comm| {
        let grid = Grid::new(&lattice(), &[1]).unwrap();
        // The fields before the failed one can be complete.
        let set = SetReader::open(comm, SystemDisk, path)?;
        let complete = set.fields().iter().filter(|found| found.checksum().is_some());
        if complete.count() < fields().len() {
            return Ok(vec![Verdict::Unchecked]);
        }
        read(comm, SystemDisk, path, &grid, &fields(), Memory::F64, 1 << 20)
    });
    assert!(!verdicts[0].as_ref().is_ok_and(|verdicts| verdicts.iter().all(Verdict::is_match)));
}
