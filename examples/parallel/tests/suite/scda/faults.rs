//! Every request of every rank fails in turn: all ranks get the same error, and none waits for ever.

use std::path::Path;

use linkstream::scda::Style;
use linkstream_parallel::comm::{Comm, Threads};
use linkstream_parallel::file::{Direct, IoRanks};
use linkstream_parallel::scda::Reader;

use super::super::faults::{Disturbance, Outcomes, disk, every_fault};
use super::model::{Section, assert_same, joined, read, sections, serial, write};

const RANKS: usize = 4;

fn written(path: &Path, is_direct: bool, sections: &[Section], disturbance: Disturbance) -> Outcomes {
    Threads::on_nodes(RANKS, 2).run(|comm| {
        let disk = disk(comm.rank(), disturbance);
        let io = IoRanks::with(comm, disk.clone(), comm.node_leader() == comm.rank(), 0).unwrap();
        let outcome = match is_direct {
            true => write(comm, &Direct { disk: disk.clone() }, path, sections, Style::Unix, 5),
            false => write(comm, &io, path, sections, Style::Unix, 5),
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
        let write = |disturbance| written(&path, is_direct, &sections, disturbance);
        faults += every_fault(24, write, || std::fs::read(&path).unwrap() == expected, |_, _| {});
        let read = |disturbance| read_again(&whole, is_direct, &sections, disturbance);
        faults += every_fault(24, read, || true, |_, _| {});
    }
    assert!(faults > 300, "{faults}");
}
