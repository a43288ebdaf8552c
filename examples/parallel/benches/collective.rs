//! Time of writing and reading a gauge field of 415 MB with one and two ranks, as a multiple of the serial program.
//!
//! `cargo bench -p linkstream-parallel --bench collective` writes into a temporary directory (`TMPDIR`), which should be
//! in memory, and prints minima of several rounds and their ratios. The extent of the fourth direction is 22, or the
//! number in the environment variable `TIMES`.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use linkstream::field::{FieldDocuments, Form};
use linkstream::ildg::GaugeKind;
use linkstream::io::FromStd;
use linkstream::lattice::{Extents, Precision};
use linkstream_parallel::comm::{Comm, Solo, Threads};
use linkstream_parallel::field::{FieldReader, FieldWriter, Grid, Layout};
use linkstream_parallel::file::{Direct, Engine, IoRanks, SystemDisk};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Numbers of a site.
const SITE: usize = 72;
const ROUNDS: usize = 7;
const BUFFER: usize = 1 << 20;

fn main() -> Result<(), Failure> {
    // Tests only compile it.
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let times = std::env::var("TIMES").ok().map_or(Ok(22), |times| times.parse())?;
    let lattice = Extents::new(&[32, 32, 32, times])?;
    let folder = tempfile::tempdir()?;
    let [serial, own] = ["serial", "ranks"].map(|name| folder.path().join(name));
    let links: Vec<f64> = (0..lattice.sites() as usize * SITE).map(|i| (i % 1001) as f64 / 1001.0).collect();
    let mut again = vec![0.0; links.len()];
    println!("{} bytes of links, minima of {ROUNDS} rounds", links.len() * 8);

    let mut least = [Duration::MAX; 9];
    for _ in 0..ROUNDS {
        let times = [
            timed(|| {
                again.copy_from_slice(std::hint::black_box(&links));
                Ok(())
            })?,
            timed(|| write_alone(&serial, &lattice, &links))?,
            timed(|| write(&Solo, &Direct::<SystemDisk>::default(), &own, &lattice, &links))?,
            timed(|| write(&Solo, &IoRanks::new(&Solo, SystemDisk)?, &own, &lattice, &links))?,
            timed(|| {
                two(links.chunks(links.len() / 2), |comm, links| {
                    write(comm, &IoRanks::new(comm, SystemDisk)?, &own, &lattice, links)
                })
            })?,
            timed(|| read_alone(&serial, &mut again))?,
            timed(|| read(&Solo, &Direct::<SystemDisk>::default(), &own, &lattice, &mut again))?,
            timed(|| read(&Solo, &IoRanks::new(&Solo, SystemDisk)?, &own, &lattice, &mut again))?,
            timed(|| {
                let half = again.len() / 2;
                two(again.chunks_mut(half), |comm, links| {
                    read(comm, &IoRanks::new(comm, SystemDisk)?, &own, &lattice, links)
                })
            })?,
        ];
        least.iter_mut().zip(times).for_each(|(least, time)| *least = time.min(*least));
        if std::fs::read(&serial)? != std::fs::read(&own)? || again != links {
            return Err("the ranks have written or read other bytes than the serial program".into());
        }
    }
    let names = [
        "memcpy",
        "write: serial program",
        "write: one rank, direct",
        "write: one rank, I/O rank",
        "write: two ranks, I/O rank",
        "read: serial program",
        "read: one rank, direct",
        "read: one rank, I/O rank",
        "read: two ranks, I/O rank",
    ];
    for (index, (name, time)) in names.into_iter().zip(least).enumerate() {
        let of = |other: usize| time.as_secs_f64() / least[other].as_secs_f64();
        let serial = if index < 5 { 1 } else { 5 };
        println!(
            "{name:28} {:.3} s, {:5.2} of memcpy, {:.2} of serial",
            time.as_secs_f64(),
            of(0),
            of(serial)
        );
    }
    Ok(())
}

fn timed(work: impl FnOnce() -> Result<(), Failure>) -> Result<Duration, Failure> {
    let begin = Instant::now();
    work()?;
    Ok(begin.elapsed())
}

/// Runs two ranks, each with its part.
fn two<P: Send>(
    parts: impl Iterator<Item = P>,
    run: impl Fn(&linkstream_parallel::comm::ThreadComm, P) -> Result<(), Failure> + Sync,
) -> Result<(), Failure> {
    let parts: Vec<_> = parts.map(|part| std::sync::Mutex::new(Some(part))).collect();
    let outcomes = Threads::new(2).run(|comm| {
        let part = parts[comm.rank()].lock().map_err(|_| "poisoned")?.take().ok_or("a part for each rank")?;
        run(comm, part)
    });
    outcomes.into_iter().collect()
}

fn write_alone(path: &Path, lattice: &Extents, links: &[f64]) -> Result<(), Failure> {
    let mut buffer = vec![0; BUFFER];
    let mut file = linkstream::io::FieldWriter::create(FromStd(File::create(path)?), &mut buffer, *lattice)?;
    let field = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F64, Form::Both, lattice)?;
    file.write(&field.message(b""), links)?;
    file.finish()?.0.sync_all()?;
    Ok(())
}

fn read_alone(path: &Path, links: &mut [f64]) -> Result<(), Failure> {
    let mut buffer = vec![0; BUFFER];
    let mut file = linkstream::io::FieldReader::new(FromStd(File::open(path)?), &mut buffer);
    let mut field = file.next_field()?.ok_or("a field")?;
    field.read_into(links)?.require_match()?;
    Ok(())
}

/// The layout of a rank: slices of the last direction.
fn layout<C: Comm>(comm: &C, lattice: &Extents) -> Result<Layout<'static>, Failure> {
    Ok(Layout::grid(&Grid::new(lattice, &[1, 1, 1, comm.size() as u32])?, comm.rank()))
}

fn write<C: Comm, E: Engine<C>>(
    comm: &C,
    engine: &E,
    path: &Path,
    lattice: &Extents,
    links: &[f64],
) -> Result<(), Failure> {
    let mut file = FieldWriter::create(comm, engine, path, layout(comm, lattice)?)?;
    file.gauge_field(GaugeKind::SU3, Precision::F64, Form::Both, links)?;
    file.finish()?;
    Ok(())
}

fn read<C: Comm, E: Engine<C>>(
    comm: &C,
    engine: &E,
    path: &Path,
    lattice: &Extents,
    links: &mut [f64],
) -> Result<(), Failure> {
    let mut file = FieldReader::open(comm, engine, path)?;
    file.read(0, &layout(comm, lattice)?, links)?.require_match()?;
    file.close()?;
    Ok(())
}
