//! The command `sample`: writes a small thermalised gauge configuration, with the same bytes on every machine.
//!
//! SU(3), Wilson action, β = 6.0, 4x4x4x8, periodic; 200 updates from a cold start, each one heat bath sweep
//! and four of over-relaxation (see `examples/heatbath`), seeded. Single precision, as an ILDG-compatible SciDAC
//! file with the records that QIO writes.

use std::io::BufWriter;
use std::path::Path;

use linkstream::CallbackError;
use linkstream::field::{Encoder, OutgoingMessage, SiteError, SiteMut};
use linkstream::ildg::{Format, GaugeKind};
use linkstream::io::FieldWriter;
use linkstream::io::FromStd;
use linkstream::lattice::{Extents, Precision};
use linkstream::scidac::{PrivateFile, PrivateRecord};
use linkstream_heatbath::{Lattice, Rng};

use crate::failure::failed;
use crate::output::whole;
use crate::system::File;

const EXTENTS: [u32; 4] = [4, 4, 4, 8];
const BETA: f64 = 6.0;
const UPDATES: usize = 200;
const OVERRELAXATIONS: usize = 4;
const SEED: u64 = 20_261_120;

const FILE_XML: &[u8] =
    b"<?xml version=\"1.0\" encoding=\"UTF-8\"?><title>linkstream sample configuration</title>";
const RECORD_XML: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?><info>SU(3) Wilson action, beta 6.0, \
    4x4x4x8 periodic, 200 updates of 1 heat bath and 4 over-relaxation sweeps from a cold start, \
    seed 20261120</info>";
const DATE: &str = "Fri Nov 20 12:00:00 2026 UTC";
const LFN: &str = "lfn://linkstream/sample/su3-4x4x4x8";

/// Writes the sample to `out`, which must not exist unless `force`. An incomplete file never gets that name, and
/// standard output (`-`) receives all or nothing.
pub fn run(out: &Path, force: bool) -> anyhow::Result<()> {
    whole(out, force, write)
}

fn write(file: &File) -> anyhow::Result<()> {
    let extents = Extents::new(&EXTENTS)?;
    let mut buffer = [0; 1024];
    let mut writer = FieldWriter::with_encoder(FromStd(BufWriter::new(file)), &mut buffer, Encoder::new());
    writer.message(&OutgoingMessage::file(&PrivateFile::new(&extents), FILE_XML)).map_err(failed)?;
    let format = Format::version_1_0(GaugeKind::SU3, Precision::F32, EXTENTS);
    let record = record();
    let message = OutgoingMessage::scidac(&record, RECORD_XML).with_format(&format).with_bare_lfn(LFN);
    let lattice = thermal();
    writer.field(&message, |site| put(&lattice, site)).map_err(|error| match error {
        CallbackError::Failed(error) => failed(error),
        CallbackError::Callback(error) => anyhow::Error::from(error),
    })?;
    writer.finish().map_err(failed).map(drop)
}

fn record() -> PrivateRecord {
    let mut record = PrivateRecord::gauge_field(3, Precision::F32, 4);
    record.date = DATE.try_into().unwrap_or_default();
    record
}

/// Generates the configuration.
fn thermal() -> Lattice {
    let mut lattice = Lattice::cold(EXTENTS.map(|extent| extent as usize));
    let mut rng = Rng::new(SEED);
    for _ in 0..UPDATES {
        lattice.sweep(BETA, &mut rng);
        for _ in 0..OVERRELAXATIONS {
            lattice.overrelax();
        }
    }
    lattice
}

/// Sets the four links of one site, with each number rounded to single precision.
fn put(lattice: &Lattice, site: &mut SiteMut<'_>) -> Result<(), SiteError> {
    let rank = site.rank() as usize;
    for mu in 0..4 {
        let numbers: Vec<_> =
            lattice.link(rank, mu).components().iter().map(|number| *number as f32).collect();
        site.link_mut(mu)?.put(&numbers)?;
    }
    Ok(())
}
