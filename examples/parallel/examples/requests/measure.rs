//! Counts of the requests of collective calls, with threads as ranks. Also used by the tests.

use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;

use linkstream::field::Form;
use linkstream::ildg::GaugeKind;
use linkstream::lattice::{Extents, Precision};
use linkstream_parallel::comm::{Comm, ThreadComm, Threads};
use linkstream_parallel::field::{FieldReader, FieldWriter, Grid, Layout, SetReader, SetWriter, Volumes};
use linkstream_parallel::file::{
    Access, Engine, Faulty, IoRanks, Piece, PieceMut, Request, SharedFile, SystemDisk,
};
use linkstream_parallel::scda::{Elements, ElementsMut, Partition, Reader, Writer};
use linkstream_parallel::{Error, Fault};

/// Number of requests of one rank in a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Small collective calls (`MPI_Allreduce`, `MPI_Exscan`, `MPI_Bcast`), without the calls of the engine.
    pub small: u64,
    /// Small collective calls of the engine, inside of collective accesses.
    pub engine: u64,
    /// Independent reads, and questions for the size of the file.
    pub reads: u64,
    /// Independent writes.
    pub writes: u64,
    /// Collective accesses to the file.
    pub collective: u64,
    /// Exchanges between ranks, also the ones of the engine.
    pub exchanges: u64,
    /// Bytes that the rank passes to small collective calls and sends to other ranks.
    pub bytes: u64,
}

impl Counts {
    fn minus(self, before: Self) -> Self {
        Self {
            small: self.small - before.small,
            engine: self.engine - before.engine,
            reads: self.reads - before.reads,
            writes: self.writes - before.writes,
            collective: self.collective - before.collective,
            exchanges: self.exchanges - before.exchanges,
            bytes: self.bytes - before.bytes,
        }
    }

    fn max(self, other: Self) -> Self {
        Self {
            small: self.small.max(other.small),
            engine: self.engine.max(other.engine),
            reads: self.reads.max(other.reads),
            writes: self.writes.max(other.writes),
            collective: self.collective.max(other.collective),
            exchanges: self.exchanges.max(other.exchanges),
            bytes: self.bytes.max(other.bytes),
        }
    }
}

/// Requests of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Name of the call.
    pub name: &'static str,
    /// Requests of rank 0.
    pub first: Counts,
    /// The largest numbers of requests of the other ranks.
    pub others: Counts,
}

/// An engine that counts the requests of its rank.
#[derive(Debug, Clone)]
struct Counting<E> {
    engine: E,
    counts: Rc<Cell<Counts>>,
}

#[derive(Debug)]
struct CountingFile<F> {
    file: F,
    counts: Rc<Cell<Counts>>,
}

fn add(counts: &Cell<Counts>, change: impl FnOnce(&mut Counts)) {
    let mut changed = counts.get();
    change(&mut changed);
    counts.set(changed);
}

impl<E: Engine<ThreadComm>> Engine<ThreadComm> for Counting<E> {
    type File = CountingFile<E::File>;

    fn open(&self, comm: &ThreadComm, path: &Path, access: Access) -> Result<Self::File, Fault> {
        Ok(CountingFile { file: self.engine.open(comm, path, access)?, counts: Rc::clone(&self.counts) })
    }
}

impl<F> CountingFile<F> {
    /// Counts a collective access, and the small collective calls in it.
    fn collective<T>(&mut self, comm: &ThreadComm, run: impl FnOnce(&mut F) -> T) -> T {
        let before = comm.traffic().small;
        let outcome = run(&mut self.file);
        add(&self.counts, |counts| {
            counts.collective += 1;
            counts.engine += comm.traffic().small - before;
        });
        outcome
    }
}

impl<F: SharedFile<ThreadComm>> SharedFile<ThreadComm> for CountingFile<F> {
    fn write_at(&mut self, piece: Piece<'_>) -> Result<(), Fault> {
        add(&self.counts, |counts| counts.writes += 1);
        self.file.write_at(piece)
    }

    fn read_at(&mut self, piece: PieceMut<'_>) -> Result<usize, Fault> {
        add(&self.counts, |counts| counts.reads += 1);
        self.file.read_at(piece)
    }

    fn size(&mut self) -> Result<u64, Fault> {
        add(&self.counts, |counts| counts.reads += 1);
        self.file.size()
    }

    fn write_all(&mut self, comm: &ThreadComm, pieces: &[Piece<'_>]) -> Result<(), Fault> {
        self.collective(comm, |file| file.write_all(comm, pieces))
    }

    fn read_all(&mut self, comm: &ThreadComm, pieces: &mut [PieceMut<'_>]) -> Result<(), Fault> {
        self.collective(comm, |file| file.read_all(comm, pieces))
    }

    fn sync(&mut self, comm: &ThreadComm) -> Result<(), Fault> {
        self.file.sync(comm)
    }

    fn close(&mut self, comm: &ThreadComm) -> Result<(), Fault> {
        self.file.close(comm)
    }
}

/// The calls of one rank so far, and its counts after the last one.
struct Meter<'c> {
    comm: &'c ThreadComm,
    counts: Rc<Cell<Counts>>,
    /// The file system of file sets, which have no engine.
    disk: Faulty<SystemDisk>,
    before: Counts,
    calls: Vec<(&'static str, Counts)>,
}

impl<'c> Meter<'c> {
    fn new(comm: &'c ThreadComm) -> Self {
        let disk = Faulty::new(SystemDisk, None);
        let mut meter =
            Self { comm, counts: Rc::default(), disk, before: Counts::default(), calls: Vec::new() };
        meter.before = meter.now();
        meter
    }

    fn engine<E>(&self, engine: E) -> Counting<E> {
        Counting { engine, counts: Rc::clone(&self.counts) }
    }

    fn now(&self) -> Counts {
        let (counts, traffic) = (self.counts.get(), self.comm.traffic());
        let disk = self.disk.requests();
        let of_disk = |request| disk.count(request) as u64;
        Counts {
            small: traffic.small - counts.engine,
            reads: counts.reads + of_disk(Request::Read) + of_disk(Request::Size),
            writes: counts.writes + of_disk(Request::Write),
            exchanges: traffic.exchanges,
            bytes: traffic.bytes,
            ..counts
        }
    }

    /// Ends a call.
    fn record(&mut self, name: &'static str) {
        let now = self.now();
        self.calls.push((name, now.minus(self.before)));
        self.before = now;
    }
}

/// Runs all calls on this many ranks, and returns their requests. Each rank has two elements, or two sites.
///
/// # Errors
/// A call failed.
pub fn measure(grid: [u32; 4], folder: &Path) -> Result<Vec<Call>, Error> {
    let ranks = grid.iter().product::<u32>() as usize;
    let job = Threads::on_nodes(ranks, ranks.div_ceil(10));
    let mut calls: Vec<Call> = Vec::new();
    for (rank, outcome) in job.run(|comm| of_rank(comm, grid, folder)).into_iter().enumerate() {
        for (i, (name, counts)) in outcome?.into_iter().enumerate() {
            if rank == 0 {
                calls.push(Call { name, first: counts, others: Counts::default() });
            } else {
                calls[i].others = calls[i].others.max(counts);
            }
        }
    }
    Ok(calls)
}

fn of_rank(comm: &ThreadComm, grid: [u32; 4], folder: &Path) -> Result<Vec<(&'static str, Counts)>, Error> {
    let lost = |fault| Error { rank: comm.rank(), fault };
    let ranks = IoRanks::new(comm, SystemDisk).map_err(lost)?;
    let mut meter = Meter::new(comm);
    let engine = meter.engine(ranks);
    write_scda(comm, &engine, &folder.join("file.scda"), &mut meter)?;
    read_scda(comm, &engine, &folder.join("file.scda"), &mut meter)?;

    let usage =
        |error: &dyn std::fmt::Display| Error { rank: comm.rank(), fault: Fault::usage(error.to_string()) };
    let [x, y, z, t] = grid;
    let lattice = Extents::new(&[2 * x, y, z, t]).map_err(|error| usage(&error))?;
    let grid = Grid::new(&lattice, &[x, y, z, t]).map_err(|error| usage(&error))?;
    let (path, layout) = (folder.join("file.lime"), || Layout::grid(&grid, comm.rank()));
    let mut links = [comm.rank() as f32; 2 * 72];
    let mut file = FieldWriter::create(comm, &engine, &path, layout())?;
    meter.record("field file: open to write");
    file.gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, &links[..])?;
    meter.record("write gauge field");
    file.finish()?;
    meter.record("finish");
    let mut file = FieldReader::open(comm, &engine, &path)?;
    meter.record("field file: open to read");
    let verdict = file.read(0, &layout(), &mut links[..])?;
    verdict.require_match().map_err(|error| usage(&error))?;
    meter.record("read and verify gauge field");
    file.close()?;
    meter.record("close");

    let (path, volumes, disk) = (folder.join("set.lime"), Volumes::each_node(comm), meter.disk.clone());
    let mut set = SetWriter::create(comm, disk.clone(), &path, layout(), volumes)?;
    meter.record("file set: open to write");
    set.gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, &links[..])?;
    meter.record("write first gauge field");
    set.gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, &links[..])?;
    meter.record("write next gauge field");
    set.finish()?;
    meter.record("finish");
    let mut set = SetReader::open(comm, disk, &path)?;
    meter.record("file set: open to read");
    let verdict = set.read(0, &layout(), &mut links[..])?;
    verdict.require_match().map_err(|error| usage(&error))?;
    meter.record("read and verify gauge field");
    set.close()?;
    meter.record("close");
    Ok(meter.calls)
}

fn write_scda<E: Engine<ThreadComm>>(
    comm: &ThreadComm,
    engine: &E,
    path: &Path,
    meter: &mut Meter<'_>,
) -> Result<(), Error> {
    let table = vec![2; comm.size()];
    let last = comm.size() - 1;
    let mut file = Writer::create(comm, engine, path, b"requests", &Default::default())?;
    meter.record("scda: open to write");
    file.inline(b"inline", last, &[b'i'; 32])?;
    meter.record("inline");
    file.block(b"block", last, 100, &[b'b'; 100], false)?;
    meter.record("block");
    file.block(b"block", last, 100, &[b'b'; 100], true)?;
    meter.record("block, encoded");
    for (encode, name) in [(false, "array"), (true, "array, encoded")] {
        file.array(b"array", Partition::Table(&table), 8, Elements::Contiguous(b"12345678abcdefgh"), encode)?;
        meter.record(name);
    }
    for (encode, name) in [(false, "varray"), (true, "varray, encoded")] {
        let data = Elements::Contiguous(b"12345678");
        file.varray(b"varray", Partition::Table(&table), &[3, 5], data, encode)?;
        meter.record(name);
    }
    file.close()?;
    meter.record("close");
    Ok(())
}

fn read_scda<E: Engine<ThreadComm>>(
    comm: &ThreadComm,
    engine: &E,
    path: &Path,
    meter: &mut Meter<'_>,
) -> Result<(), Error> {
    let table = vec![2; comm.size()];
    let last = comm.size() - 1;
    let root = comm.rank() == last;
    let mut file = Reader::open(comm, engine, path, &Default::default())?;
    meter.record("scda: open to read");
    file.section_header(true)?;
    meter.record("header of a section");
    file.inline_data(last, root.then_some(&mut [0; 32]))?;
    meter.record("read inline");
    for (header, name) in
        [("header of a block", "read block"), ("header of a block, encoded", "read block, encoded")]
    {
        file.section_header(true)?;
        meter.record(header);
        file.block_data(last, root.then_some(&mut [0; 100][..]))?;
        meter.record(name);
    }
    for (header, name) in
        [("header of an array", "read array"), ("header of an array, encoded", "read array, encoded")]
    {
        file.section_header(true)?;
        meter.record(header);
        file.array_data(Partition::Table(&table), Some(ElementsMut::Contiguous(&mut [0; 16])))?;
        meter.record(name);
    }
    for (header, sizes_name, name) in [
        ("header of a varray", "read varray sizes", "read varray data"),
        ("header of a varray, encoded", "read varray sizes, encoded", "read varray data, encoded"),
    ] {
        file.section_header(true)?;
        meter.record(header);
        let mut sizes = [0; 2];
        file.varray_sizes(Partition::Table(&table), Some(&mut sizes))?;
        meter.record(sizes_name);
        file.varray_data(Partition::Table(&table), &sizes, Some(ElementsMut::Contiguous(&mut [0; 8])))?;
        meter.record(name);
    }
    file.close()
}
