//! A file system that reports success for bytes that it does not write: reading them again shows it.

use std::cell::Cell;
use std::fs::File;
use std::io;
use std::path::Path;
use std::rc::Rc;

use linkstream::field::Form;
use linkstream::lattice::Precision;
use linkstream::scidac::PrivateRecord;
use linkstream_parallel::Error;
use linkstream_parallel::comm::{Comm, ThreadComm, Threads};
use linkstream_parallel::field::{FieldWriter, Grid, SetWriter, Volumes};
use linkstream_parallel::file::{Access, Disk, IoRanks, RankFile, SystemDisk};

use super::support::{Memory, What, lattice, layout, numbers};

/// Loses the write request with this number.
#[derive(Debug, Clone)]
struct Losing {
    left: Rc<Cell<Option<usize>>>,
}

#[derive(Debug)]
struct LosingFile {
    file: File,
    left: Rc<Cell<Option<usize>>>,
}

impl Losing {
    fn file(&self, file: File) -> LosingFile {
        LosingFile { file, left: Rc::clone(&self.left) }
    }
}

impl Disk for Losing {
    type File = LosingFile;

    fn open(&self, path: &Path, access: Access) -> io::Result<LosingFile> {
        SystemDisk.open(path, access).map(|file| self.file(file))
    }

    fn open_created(&self, path: &Path) -> io::Result<LosingFile> {
        SystemDisk.open_created(path).map(|file| self.file(file))
    }
}

impl RankFile for LosingFile {
    fn read_at(&self, offset: u64, to: &mut [u8]) -> io::Result<usize> {
        RankFile::read_at(&self.file, offset, to)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        let left = self.left.get();
        self.left.set(left.and_then(|left| left.checked_sub(1)));
        if left == Some(0) { Ok(bytes.len()) } else { RankFile::write_at(&self.file, offset, bytes) }
    }

    fn size(&self) -> io::Result<u64> {
        RankFile::size(&self.file)
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }
}

/// Writes two fields to a file or a set, in several rounds, and reads everything again.
fn write(comm: &ThreadComm, disk: Losing, path: &Path, is_set: bool) -> Result<(), Error> {
    let grid = Grid::new(&lattice(), &[2, 1, 1, 2]).unwrap();
    let layout = layout(&grid, comm.rank(), Memory::F64);
    let gauge = numbers(&grid, comm.rank(), &What::Gauge(Precision::F32, Form::Both), Memory::F64);
    let record = PrivateRecord::real_field(Precision::F64);
    let real = numbers(&grid, comm.rank(), &What::Record(record.clone()), Memory::F64);
    let kind = linkstream::ildg::GaugeKind::SU3;
    if is_set {
        let set = SetWriter::create(comm, disk, path, layout, Volumes::each_node(comm))?;
        let mut set = set.with_memory(4000).verify_written(true);
        set.gauge_field(kind, Precision::F32, Form::Both, &gauge[..])?;
        set.scidac_field(record, &real[..])?;
        set.finish()
    } else {
        let engine = IoRanks::new(comm, disk).unwrap();
        let file = FieldWriter::create(comm, &engine, path, layout)?;
        let mut file = file.with_memory(4000).verify_written(true);
        file.gauge_field(kind, Precision::F32, Form::Both, &gauge[..])?;
        file.scidac_field(record, &real[..])?;
        file.finish()
    }
}

#[test]
fn every_lost_write_is_an_error_on_all_ranks_if_verification_is_requested() {
    let mut lost = 0;
    for is_set in [false, true] {
        for rank in [0, 2] {
            for number in 0.. {
                // A new directory each time: the bytes of an earlier run would hide the loss.
                let directory = tempfile::tempdir().unwrap();
                let path = directory.path().join("file");
                let outcomes = Threads::on_nodes(4, 2).run(|comm| {
                    let left = Rc::new(Cell::new((comm.rank() == rank).then_some(number)));
                    let outcome = write(comm, Losing { left: Rc::clone(&left) }, &path, is_set);
                    (outcome, left.get().is_none())
                });
                let (outcome, is_lost) = &outcomes[rank];
                assert!(outcomes.iter().all(|(each, _)| each == outcome), "{outcomes:?}");
                if !is_lost {
                    assert_eq!(*outcome, Ok(()));
                    break;
                }
                assert!(outcome.is_err(), "{is_set}: request {number} of rank {rank}");
                lost += 1;
            }
        }
    }
    assert!(lost > 20, "{lost}");
}
