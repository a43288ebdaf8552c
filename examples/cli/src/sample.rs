//! The command `sample`: a small gauge configuration, thermal, and the same bytes everywhere.
//!
//! SU(3), Wilson action, β = 6.0, 4x4x4x8, periodic; 200 updates from a cold start, each one heat bath sweep
//! and four of over-relaxation (see `heatbath.rs`), seeded. Single precision, as an ILDG-compatible SciDAC
//! file with the records that QIO writes.

use std::fs::File;
use std::path::Path;

use embedded_io_adapters::std::FromStd;
use linkstream::ildg::{self, Format, GaugeKind};
use linkstream::io::{WriteError, Writer};
use linkstream::lattice::{Checksum, Extents, Precision, Region};
use linkstream::lime::{Encoder, Header, WriteKind};
use linkstream::scidac::{self, PrivateFile, PrivateRecord, StoredChecksum};

use crate::heatbath::{Lattice, Rng};
use crate::output::{OutputError, blame, whole};

const EXTENTS: [u32; 4] = [4, 4, 4, 8];
const BETA: f64 = 6.0;
const UPDATES: usize = 200;
const OVERRELAXATIONS: usize = 4;
const SEED: u64 = 20_261_120;

const FILE_XML: &[u8] =
    b"<?xml version=\"1.0\" encoding=\"UTF-8\"?><title>linkstream sample configuration</title>\0";
const RECORD_XML: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?><info>SU(3) Wilson action, beta 6.0, \
    4x4x4x8 periodic, 200 updates of 1 heat bath and 4 over-relaxation sweeps from a cold start, \
    seed 20261120</info>\0";
const DATE: &str = "Fri Nov 20 12:00:00 2026 UTC";
const LFN: &[u8] = b"lfn://linkstream/sample/su3-4x4x4x8";

/// Writes the sample to `out`, which must not exist unless `force`d. A file that is not complete never has
/// that name; nor does a pipe (`-`) get a part of it.
pub fn run(out: &Path, force: bool) -> anyhow::Result<()> {
    whole(out, force, |file| {
        let written = write(file).map_err(|error| match error {
            WriteError::Io(error) => OutputError(error).into(),
            other => other.into(),
        });
        written.map_err(|error| blame(error, out, out))
    })
}

fn write(file: &File) -> Result<(), WriteError<std::io::Error, WriteKind>> {
    let extents = Extents::new(&EXTENTS).map_err(|_| WriteError::Broken)?;
    let mut writer = Writer::new(FromStd::new(file), Encoder::new());
    let mut buffer = [0; 1024];

    let length = PrivateFile::new(&extents).emit(&mut buffer).unwrap_or(0);
    writer.record(scidac::PRIVATE_FILE_XML.as_bytes(), true, false, &buffer[..length])?;
    writer.record(scidac::FILE_XML.as_bytes(), false, true, FILE_XML)?;

    let length = record().emit(&mut buffer).unwrap_or(0);
    writer.record(scidac::PRIVATE_RECORD_XML.as_bytes(), true, false, &buffer[..length])?;
    writer.record(scidac::RECORD_XML.as_bytes(), false, false, RECORD_XML)?;
    let format = Format::version_1_0(GaugeKind::SU3, Precision::F32, EXTENTS);
    let length = format.emit(&mut buffer).unwrap_or(0);
    writer.record(ildg::FORMAT.as_bytes(), false, false, &buffer[..length])?;
    writer.record(ildg::DATA_LFN.as_bytes(), false, false, LFN)?;

    let size = format.data_length().unwrap_or(0);
    writer.begin(&Header::new(ildg::BINARY_DATA.as_bytes(), size, false, false)?)?;
    let checksum = data(&extents, |site| writer.write(site))?;
    writer.end()?;

    let length = StoredChecksum::new(checksum).emit(&mut buffer).unwrap_or(0);
    writer.record(scidac::CHECKSUM.as_bytes(), false, true, &buffer[..length])?;
    writer.finish()
}

fn record() -> PrivateRecord {
    let mut record = PrivateRecord::new(&Region::Lattice);
    record.date = DATE.try_into().unwrap_or_default();
    record.datatype = "USQCD_F3_ColorMatrix".try_into().unwrap_or_default();
    record.precision = "F".try_into().unwrap_or_default();
    record.colors = 3;
    record.typesize = 72;
    record.datacount = 4;
    record
}

/// Makes the configuration and hands out its sites in rank order.
fn data<E>(extents: &Extents, mut put: impl FnMut(&[u8]) -> Result<(), E>) -> Result<Checksum, E> {
    let mut lattice = Lattice::cold(EXTENTS.map(|extent| extent as usize));
    let mut rng = Rng::new(SEED);
    for _ in 0..UPDATES {
        lattice.sweep(BETA, &mut rng);
        for _ in 0..OVERRELAXATIONS {
            lattice.overrelax();
        }
    }
    let mut checksum = Checksum::default();
    for (site, rank) in (0..extents.sites()).enumerate() {
        let bytes: Vec<u8> = (0..4)
            .flat_map(|mu| lattice.link(site, mu).components().to_vec())
            .flat_map(|number| (number as f32).to_be_bytes())
            .collect();
        put(&bytes)?;
        checksum.add(rank, &bytes);
    }
    Ok(checksum)
}
