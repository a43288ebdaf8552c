//! Every request of every rank fails in turn: all ranks get the same error, and none waits for ever.

use std::path::Path;

use linkstream::scda::Style;
use linkstream_parallel::comm::{Comm, Threads};
use linkstream_parallel::file::{Direct, Injection, IoRanks, beside};
use linkstream_parallel::scda::{Reader, WriteOptions};

use super::super::faults::{Disturbance, Outcomes, disk, every_fault};
use super::model::{Section, assert_same, joined, options, read, sections, serial, write_with};

const RANKS: usize = 4;

fn written(
    path: &Path,
    is_direct: bool,
    replace: bool,
    sections: &[Section],
    disturbance: Disturbance,
) -> Outcomes {
    Threads::on_nodes(RANKS, 2).run(|comm| {
        let disk = disk(comm.rank(), disturbance);
        let io = IoRanks::with(comm, disk.clone(), comm.node_leader() == comm.rank(), 0).unwrap();
        let options = WriteOptions { replace, ..options(Style::Unix) };
        let outcome = match is_direct {
            true => write_with(comm, &Direct { disk: disk.clone() }, path, sections, &options, 5),
            false => write_with(comm, &io, path, sections, &options, 5),
        };
        (outcome, disk.requests())
    })
}

fn read_again(path: &Path, is_direct: bool, sections: &[Section], disturbance: Disturbance) -> Outcomes {
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
        (parts, disk.requests())
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

#[test]
fn every_fault_of_a_request_is_the_same_error_on_all_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let (path, whole) = (folder.path().join("file"), folder.path().join("whole"));
    let sections = sections(4);
    let expected = serial(&sections, Style::Unix);
    std::fs::write(&whole, &expected).unwrap();
    let mut faults = 0;
    for is_direct in [false, true] {
        for replace in [false, true] {
            let write = |disturbance| {
                std::fs::write(&path, b"old").unwrap();
                written(&path, is_direct, replace, &sections, disturbance)
            };
            let after = |_, injection| {
                let left = std::fs::read(&path).unwrap();
                // Whatever has failed, what is left is the old file, or no scda file. (Writing finds no early end.)
                match (replace, injection) {
                    (_, Injection::Ends) => assert!(left == expected),
                    (true, _) => assert_eq!(left, b"old"),
                    (false, _) => {
                        assert!(left == expected || left == b"old" || !left.starts_with(b"sc"));
                    }
                }
                assert!(!beside(&path).exists());
            };
            faults += every_fault(24, write, || std::fs::read(&path).unwrap() == expected, after);
        }
        let read = |disturbance| read_again(&whole, is_direct, &sections, disturbance);
        faults += every_fault(24, read, || true, |_, _| {});
    }
    assert!(faults > 300, "{faults}");
}
