//! Every request of every rank for a file set fails in turn: all ranks get the same error, and none waits for ever.

use std::path::Path;

use linkstream::field::{Form, Verdict};
use linkstream::lattice::Precision;
use linkstream::scidac::{PrivateRecord, VolumeFormat};
use linkstream_parallel::comm::{Comm, Threads};
use linkstream_parallel::field::{Grid, SetReader, Volumes};
use linkstream_parallel::file::{Injection, Request, SystemDisk};

use super::super::faults::{Disturbance, Outcomes, disk, every_fault};
use super::set_support::{path_of, read, serial, write};
use super::support::{Memory, What, lattice, layout, numbers};

fn fields() -> Vec<What> {
    vec![
        What::Gauge(Precision::F32, Form::Both),
        What::Record(PrivateRecord::global(Precision::F64, 5)),
        What::Record(PrivateRecord::propagator(Precision::F32)),
    ]
}

/// Runs a job with a disturbance of one request of one rank.
fn disturbed(path: &Path, writes: bool, disturbance: Disturbance) -> Outcomes {
    let (grid, fields) = (Grid::new(&lattice(), &[2, 1, 1, 2]).unwrap(), fields());
    Threads::on_nodes(4, 2).run(|comm| {
        let disk = disk(comm.rank(), disturbance);
        // Several rounds. Written bytes are read again.
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
        (outcome, disk.requests())
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
    let written = |disturbance| disturbed(&path, true, disturbance);
    let after = |request, injection| {
        if (request, injection) == (Request::Write, Injection::Error(28)) {
            assert_unverified(&path);
        }
    };
    let mut faults = every_fault(usize::MAX, written, || volumes(&path) == expected, after);
    let read = |disturbance| disturbed(&whole, false, disturbance);
    faults += every_fault(usize::MAX, read, || volumes(&whole) == expected, |_, _| {});
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
