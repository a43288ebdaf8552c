//! Time of reading a field, verified and in native byte order, as a multiple of reading its bytes and reversing them.
//!
//! `cargo bench -p linkstream-access --bench reading` writes a gauge field of 1.2 GB in four forms into a temporary
//! directory (`TMPDIR`), which should be in memory, and prints minima of several rounds and their ratios. The extent of
//! the fourth direction is 64, or the number in the environment variable `TIMES`.

use std::fs::File as Disk;
use std::io::{BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use linkstream::field::{FieldDocuments, OutgoingMessage, SiteMut};
use linkstream::io::FromStd;
use linkstream::io::{Fill, VolumeWriter};
use linkstream::lattice::{Checksum, Extents, Precision, reverse_words};
use linkstream::scidac::{PrivateFile, PrivateRecord, VolumeFormat};
use linkstream::volume::{Encoder, Mesh, NodeOrder, VolumeKind};
use linkstream_access::set::{SetAsFile, VolumeSource, volumes_of};
use linkstream_access::{File, FileSource, Selection, Verify};

type Failure = Box<dyn std::error::Error>;

/// Bytes of the links of a site.
const SITE: usize = 576;
const ROUNDS: usize = 7;

fn main() -> Result<(), Failure> {
    // Tests only compile it.
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let times = std::env::var("TIMES").ok().map_or(Ok(64), |times| times.parse())?;
    let lattice = Extents::new(&[32, 32, 32, times])?;
    let folder = tempfile::tempdir()?;
    let files = write(&lattice, folder.path())?;
    let bytes = lattice.sites() as usize * SITE;
    println!("{bytes} bytes of links, minima of {ROUNDS} rounds");
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        pool.install(|| measure(&files, bytes, threads)).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Measures all files in turn, so that other work on the machine affects them alike.
fn measure(files: &[(&'static str, PathBuf)], bytes: usize, threads: usize) -> Result<(), String> {
    let mut least = vec![Duration::MAX; files.len() + 1];
    for _ in 0..ROUNDS {
        let plain = timed(|| plain(&files[0].1)).map_err(|error| error.to_string())?;
        least[0] = least[0].min(plain);
        for ((_, path), least) in files.iter().zip(&mut least[1..]) {
            let read = timed(|| verified(path, bytes)).map_err(|error| error.to_string())?;
            *least = (*least).min(read);
        }
    }
    let (plain, single) = (least[0].as_secs_f64(), least[1].as_secs_f64());
    println!("threads: {threads}");
    println!("  {:24} {plain:.3} s", "plain read, reversed");
    for ((name, _), time) in files.iter().zip(&least[1..]) {
        let time = time.as_secs_f64();
        println!(
            "  {name:24} {time:.3} s, {:.2} of plain, {:.2} of a single file",
            time / plain,
            time / single
        );
    }
    Ok(())
}

fn timed(work: impl FnOnce() -> Result<(), Failure>) -> Result<Duration, Failure> {
    let begin = Instant::now();
    work()?;
    Ok(begin.elapsed())
}

/// The steps of a program that verifies nothing.
fn plain(path: &Path) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    Disk::open(path)?.read_to_end(&mut bytes)?;
    reverse_words(&mut bytes, 8);
    std::hint::black_box(&bytes);
    Ok(())
}

fn verified(path: &Path, bytes: usize) -> Result<(), Failure> {
    let file = File::open_path(path)?;
    let mut numbers = vec![0.0_f64; bytes / 8];
    let verdict = file.field(0)?.read(&Selection::All, &mut numbers, Verify::Yes)?;
    assert!(verdict.is_verified(), "{verdict:?}");
    std::hint::black_box(&numbers);
    Ok(())
}

/// The numbers of a site: different links of SU(3), which are measured in archives.
fn links(rank: u64) -> [f64; 72] {
    let mut numbers = [0.0; 72];
    for (index, link) in numbers.as_chunks_mut::<18>().0.iter_mut().enumerate() {
        let angle = (rank * 4 + index as u64) as f64;
        for (row, angle) in [angle, 0.3 * angle, -1.3 * angle].into_iter().enumerate() {
            (link[8 * row], link[8 * row + 1]) = (angle.cos(), angle.sin());
        }
    }
    numbers
}

/// Writes the field as a file set of both kinds, as a single file, and as a NERSC archive.
fn write(lattice: &Extents, folder: &Path) -> Result<Vec<(&'static str, PathBuf)>, Failure> {
    let multifile = set(lattice, &folder.join("multi"), VolumeFormat::Multifile, NodeOrder::EvenOdd)?;
    let partition = set(lattice, &folder.join("part"), VolumeFormat::Partition, NodeOrder::Lexicographic)?;
    let single = folder.join("single");
    joined(&partition, &single)?;
    let [three, two] = [3, 2].map(|rows| (rows, folder.join(format!("nersc{rows}"))));
    for (rows, path) in [&three, &two] {
        nersc(lattice, *rows, path)?;
    }
    let named = [("single file", single), ("multifile set", multifile), ("partition set", partition)];
    Ok(named.into_iter().chain([("NERSC, three rows", three.1), ("NERSC, two rows", two.1)]).collect())
}

fn set(lattice: &Extents, name: &Path, format: VolumeFormat, order: NodeOrder) -> Result<PathBuf, Failure> {
    let nodes = [1, 1, 2, 2];
    let mesh = Mesh::new(lattice, &nodes, &nodes)?;
    let file = PrivateFile::new(lattice).with_volume_format(format);
    let field = FieldDocuments::scidac(PrivateRecord::gauge_field(3, Precision::F64, 4));
    let mut others = Checksum::default();
    for index in (0..4).rev() {
        let kind = if index == 0 { VolumeKind::First } else { VolumeKind::Other };
        let path = name.with_extension(format!("vol{index:04}"));
        let mut buffer = [0; 4096];
        let sink = FromStd(BufWriter::with_capacity(1 << 20, Disk::create(path)?));
        let encoder = Encoder::new(kind, lattice.sites() / 4, lattice.sites() - 1);
        let mut volume = VolumeWriter::with_encoder(sink, &mut buffer, encoder);
        let ranks = || mesh.ranks(index, order);
        volume.write_file(&OutgoingMessage::file(&file, b"-"), ranks())?;
        let put = |site: &mut SiteMut<'_>| {
            let rank = site.rank();
            site.put(&links(rank))
        };
        let checksum = volume.write(&field.message(b"-"), ranks(), Fill::sites(put))?;
        if kind == VolumeKind::First {
            volume.write_checksum(&field.message(b"-"), others)?;
        }
        others = others.combine(checksum);
        volume.finish()?.0.flush()?;
    }
    Ok(name.to_owned())
}

/// Copies a set to a single file.
fn joined(set: &Path, path: &Path) -> Result<(), Failure> {
    let volumes = volumes_of(set)?.ok_or("a set")?;
    let open = |(number, path): (Option<u64>, PathBuf)| {
        let source = std::sync::Arc::new(FileSource::open(&path)?);
        Ok(VolumeSource { name: path.display().to_string(), number, source: source as _ })
    };
    let sources: Vec<_> = volumes.into_iter().map(open).collect::<std::io::Result<_>>()?;
    std::io::copy(
        &mut SetAsFile::open(&sources)?,
        &mut BufWriter::with_capacity(1 << 20, Disk::create(path)?),
    )?;
    Ok(())
}

fn nersc(lattice: &Extents, rows: usize, path: &Path) -> Result<(), Failure> {
    let datatype = if rows == 3 { "4D_SU3_GAUGE_3x3" } else { "4D_SU3_GAUGE" };
    let stored = |rank| {
        let links = links(rank);
        let rows = links.chunks_exact(18).flat_map(move |link| link[..6 * rows].to_vec());
        rows.flat_map(f64::to_be_bytes).collect::<Vec<u8>>()
    };
    let mut sum = 0_u32;
    for rank in 0..lattice.sites() {
        let site = stored(rank);
        sum = site.as_chunks().0.iter().fold(sum, |sum, word| sum.wrapping_add(u32::from_be_bytes(*word)));
    }
    let mut file = BufWriter::with_capacity(1 << 20, Disk::create(path)?);
    writeln!(file, "BEGIN_HEADER\nDATATYPE = {datatype}")?;
    for (direction, extent) in (1..).zip(lattice.as_slice()) {
        writeln!(file, "DIMENSION_{direction} = {extent}")?;
    }
    writeln!(file, "CHECKSUM = {sum:x}\nFLOATING_POINT = IEEE64BIG\nEND_HEADER")?;
    for rank in 0..lattice.sites() {
        file.write_all(&stored(rank))?;
    }
    Ok(file.flush()?)
}
