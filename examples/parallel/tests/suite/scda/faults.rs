//! Every request of every rank fails in turn: all ranks get the same error, and none waits for ever.

use std::path::Path;

use linkstream::scda::Style;
use linkstream_parallel::comm::{Comm, Threads};
use linkstream_parallel::file::{Direct, Faulty, Injection, IoRanks, SystemDisk};
use linkstream_parallel::scda::Reader;
use linkstream_parallel::{Error, ErrorKind};

use super::model::{Section, assert_same, joined, read, sections, serial, write};

const RANKS: usize = 4;

/// Outcome and number of requests of each rank.
type Outcomes<T> = Vec<(Result<T, Error>, usize)>;

/// A rank, the number of one of its requests, and the disturbance of it.
type Disturbance = Option<(usize, usize, Injection)>;

fn written(path: &Path, is_direct: bool, sections: &[Section], disturbance: Disturbance) -> Outcomes<()> {
    Threads::on_nodes(RANKS, 2).run(|comm| {
        let disk = disk(comm.rank(), disturbance);
        let io = IoRanks::with(comm, disk.clone(), comm.node_leader() == comm.rank(), 0).unwrap();
        let outcome = match is_direct {
            true => write(comm, &Direct { disk: disk.clone() }, path, sections, Style::Unix, 5),
            false => write(comm, &io, path, sections, Style::Unix, 5),
        };
        (outcome, disk.requests().list.len())
    })
}

fn read_again(path: &Path, is_direct: bool, sections: &[Section], disturbance: Disturbance) -> Outcomes<()> {
    let outcomes = Threads::on_nodes(RANKS, 2).run(|comm| {
        let disk = disk(comm.rank(), disturbance);
        let io = IoRanks::with(comm, disk.clone(), comm.node_leader() == comm.rank(), 0).unwrap();
        let options = Default::default();
        let parts = match is_direct {
            true => Reader::open(comm, &Direct { disk: disk.clone() }, path, &options)
                .and_then(|reader| read(comm, reader, true, 6, false)),
            false => {
                Reader::open(comm, &io, path, &options).and_then(|reader| read(comm, reader, true, 6, false))
            }
        };
        (parts, disk.requests().list.len())
    });
    let (parts, outcomes): (Vec<_>, Vec<_>) = outcomes
        .into_iter()
        .map(|(parts, requests)| match parts {
            Ok(parts) => (Some(parts), (Ok(()), requests)),
            Err(error) => (None, (Err(error), requests)),
        })
        .unzip();
    // Data that all ranks have read without an error are right.
    if let Some(parts) = parts.into_iter().collect() {
        assert_same(&joined(parts), sections, "all ranks");
    }
    outcomes
}

fn disk(rank: usize, disturbance: Disturbance) -> Faulty<SystemDisk> {
    let own = disturbance.filter(|(disturbed, ..)| *disturbed == rank);
    Faulty::new(SystemDisk, own.map(|(_, number, injection)| (number, injection)))
}

#[test]
fn every_fault_of_a_request_is_the_same_error_on_all_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let (path, whole) = (folder.path().join("file"), folder.path().join("whole"));
    let sections = sections(4);
    let expected = serial(&sections, Style::Unix);
    std::fs::write(&whole, &expected).unwrap();
    let (mut faults, mut ends) = (0, 0);
    for (is_direct, writes) in [(false, true), (false, false), (true, true), (true, false)] {
        let run = |disturbance| match writes {
            true => written(&path, is_direct, &sections, disturbance),
            false => read_again(&whole, is_direct, &sections, disturbance),
        };
        for (rank, (outcome, requests)) in run(None).into_iter().enumerate() {
            assert_eq!(outcome, Ok(()));
            for number in (0..requests).step_by(requests.div_ceil(24).max(1)) {
                for injection in [Injection::Short, Injection::Interrupted] {
                    for (outcome, _) in run(Some((rank, number, injection))) {
                        assert_eq!(outcome, Ok(()), "{injection:?} of request {number} of rank {rank}");
                    }
                    assert!(!writes || std::fs::read(&path).unwrap() == expected);
                }
                for injection in [Injection::Error(5), Injection::Error(28), Injection::Ends] {
                    let outcomes: Vec<_> = run(Some((rank, number, injection)))
                        .into_iter()
                        .map(|(outcome, _)| outcome)
                        .collect();
                    assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]), "{outcomes:?}");
                    match (&outcomes[0], injection) {
                        // Only requests that read can find the end of the file.
                        (Ok(()), Injection::Ends) => {}
                        (Err(_), Injection::Ends) => ends += 1,
                        (Err(error), _) => {
                            assert_eq!((error.rank, error.fault.kind), (rank, ErrorKind::System), "{error}");
                            faults += 1;
                        }
                        (Ok(()), _) => panic!("{injection:?} of request {number} of rank {rank}"),
                    }
                }
            }
        }
    }
    assert!(faults > 300 && ends > 30, "{faults}, {ends}");
}
