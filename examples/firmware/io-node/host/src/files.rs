//! Files to put on the node: the fixtures of the project, and generated ones.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use linkstream::field::{FieldDocuments, Form};
use linkstream::ildg::GaugeKind;
use linkstream::io::{ArchiveWriter, FieldWriter, Fill, FromStd};
use linkstream::lattice::{ByteOrder, Extents, Precision};
use linkstream::nersc::{Header, StoredRows};

use crate::random::Random;

/// A file that tests put on a node, under a name of eight characters.
#[derive(Debug, Clone)]
pub struct Sample {
    pub path: PathBuf,
    pub name: String,
    pub contents: Vec<u8>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../..")
}

/// A gauge configuration that every clone of the repository has.
pub fn sample() -> PathBuf {
    root().join("examples/su3-4x4x4x8.lime")
}

/// A gauge configuration of 149,800 bytes.
pub fn configuration() -> Result<Vec<u8>> {
    let path = root().join("host-tests/fixtures/qio/ildg/ildg_f_4x4x4x8.lime");
    fs::read(&path).with_context(|| path.display().to_string())
}

/// All fixtures, sorted by their paths.
pub fn fixtures() -> Result<Vec<Sample>> {
    let mut paths = Vec::new();
    collect(&root().join("host-tests/fixtures"), &mut paths)?;
    paths.sort();
    ensure!(paths.len() > 200, "only {} fixtures are there", paths.len());
    let mut samples = Vec::new();
    for (index, path) in paths.into_iter().enumerate() {
        let contents = fs::read(&path)?;
        samples.push(Sample { path, name: format!("F{index:04}.BIN"), contents });
    }
    Ok(samples)
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension != "toml" && extension != "md") {
            paths.push(path);
        }
    }
    Ok(())
}

/// A gauge configuration on this lattice with random links, as SciDAC and ILDG programs read it.
pub fn gauge(extents: [u32; 4], seed: u64) -> Result<Vec<u8>> {
    let extents = Extents::new(&extents)?;
    let mut random = Random::new(seed);
    let mut file = vec![0; 288 * extents.sites() as usize + 16_384];
    let mut buffer = [0; 4096];
    let mut writer = FieldWriter::create(&mut file[..], &mut buffer, extents)?;
    let field = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, &extents)?;
    let sites = Fill::sites(|site| {
        let links: Vec<f32> = (0..72).map(|_| (random.bits() >> 40) as f32 / 16_777_216.0 - 0.5).collect();
        site.put(&links[..])
    });
    writer.write(&field.message(b""), sites)?;
    let rest = writer.finish()?.len();
    file.truncate(file.len() - rest);
    Ok(file)
}

/// A NERSC archive with random numbers.
pub fn archive(
    extents: [u32; 4],
    precision: Precision,
    rows: StoredRows,
    order: ByteOrder,
    seed: u64,
) -> Result<Vec<u8>> {
    let extents = Extents::new(&extents)?;
    let header = Header::new(extents, precision, rows, order)?;
    let mut random = Random::new(seed);
    let numbers: Vec<f32> =
        (0..72 * extents.sites()).map(|_| random.bits() as i16 as f32 / 32_768.0).collect();
    let mut file = Cursor::new(Vec::new());
    let mut buffer = [0; 2048];
    let mut writer = ArchiveWriter::create(FromStd(&mut file), &mut buffer, &header, &[])?;
    writer.put(&numbers[..])?;
    writer.finish_seeking()?;
    Ok(file.into_inner())
}
