//! The command `sample`: writes a small thermalised gauge configuration, with the same bytes on every machine.
//!
//! SU(3), Wilson action, periodic; 200 updates from a cold start, each one heat bath sweep and four of over-relaxation
//! (see `examples/heatbath`), seeded. Single precision, as an ILDG-compatible SciDAC file with the records that QIO
//! writes.

use std::io::BufWriter;
use std::path::Path;

use linkstream::CallbackError;
use linkstream::field::{Encoder, OutgoingMessage, SiteError, SiteMut};
use linkstream::ildg::{Format, GaugeKind};
use linkstream::io::FromStd;
use linkstream::io::{FieldWriter, Fill};
use linkstream::lattice::{Extents, Precision};
use linkstream::scidac::{PrivateFile, PrivateRecord};
use linkstream_heatbath::{Lattice, Rng};

use crate::counting::from_zero;
use crate::failure::{failed, wrong_arguments};
use crate::ildg::extents;
use crate::output::whole;
use crate::system::File;

/// The largest number of sites: an update of it takes seconds.
const LARGEST: u64 = 1 << 20;
const UPDATES: usize = 200;
const OVERRELAXATIONS: usize = 4;

const FILE_XML: &[u8] =
    b"<?xml version=\"1.0\" encoding=\"UTF-8\"?><title>linkstream sample configuration</title>";
const DATE: &str = "Fri Nov 20 12:00:00 2026 UTC";

/// The configuration. The default is the sample in the repository.
#[derive(Debug, Clone, Copy, PartialEq, clap::Args)]
pub struct Configuration {
    /// Seed of the random numbers.
    #[arg(long, default_value_t = 20_261_120, value_parser = from_zero::<u64>)]
    seed: u64,
    /// Extents of the lattice, x first, with at least two sites in each direction.
    #[arg(long, value_name = "4x4x4x8", default_value = "4x4x4x8", value_parser = two_or_more)]
    extents: [u32; 4],
    /// Coupling of the Wilson action.
    #[arg(long, default_value = "6.0", value_parser = beta)]
    beta: f64,
}

fn two_or_more(text: &str) -> Result<[u32; 4], String> {
    let four = extents(text).ok().filter(|extents| extents.iter().all(|extent| *extent > 1));
    four.ok_or_else(|| "expected four numbers like 4x4x4x8, each at least 2".to_owned())
}

fn beta(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|beta| beta.is_finite() && *beta >= 0.0);
    number.ok_or_else(|| "a coupling is a finite number that is not negative".to_owned())
}

impl Configuration {
    /// Writes the sample to `out`, which must not exist unless `force`. An incomplete file never gets that name, and
    /// standard output (`-`) receives all or nothing.
    pub fn run(self, out: &Path, force: bool) -> anyhow::Result<()> {
        let sites = self.extents.iter().map(|extent| u64::from(*extent)).try_fold(1, u64::checked_mul);
        if sites.is_none_or(|sites| sites > LARGEST) {
            wrong_arguments!("a sample has at most {LARGEST} sites, not {}", self.lattice());
        }
        whole(out, force, |file| write(file, &self))
    }

    fn lattice(&self) -> String {
        self.extents.map(|extent| extent.to_string()).join("x")
    }

    fn record_xml(&self) -> String {
        let Self { seed, beta, .. } = self;
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><info>SU(3) Wilson action, beta {beta:?}, {} periodic, \
             {UPDATES} updates of 1 heat bath and {OVERRELAXATIONS} over-relaxation sweeps from a cold start, \
             seed {seed}</info>",
            self.lattice()
        )
    }

    /// Files with other links have other names.
    fn lfn(&self) -> String {
        let name = format!("lfn://linkstream/sample/su3-{}", self.lattice());
        let Self { seed, beta, .. } = self;
        let is_usual = (*seed, *beta) == (20_261_120, 6.0);
        if is_usual { name } else { format!("{name}-beta{beta:?}-seed{seed}") }
    }
}

fn write(file: &File, sample: &Configuration) -> anyhow::Result<()> {
    let extents = Extents::new(&sample.extents)?;
    let mut buffer = [0; 1024];
    let mut writer = FieldWriter::with_encoder(FromStd(BufWriter::new(file)), &mut buffer, Encoder::new());
    writer.write_message(&OutgoingMessage::file(&PrivateFile::new(&extents), FILE_XML)).map_err(failed)?;
    let format = Format::version_1_0(GaugeKind::SU3, Precision::F32, sample.extents);
    let (record, record_xml, lfn) = (record(), sample.record_xml(), sample.lfn());
    let message =
        OutgoingMessage::scidac(&record, record_xml.as_bytes()).with_format(&format).with_bare_lfn(&lfn);
    let lattice = thermal(sample);
    writer.write(&message, Fill::sites(|site| put(&lattice, site))).map_err(|error| match error {
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
fn thermal(sample: &Configuration) -> Lattice {
    let mut lattice = Lattice::cold(sample.extents.map(|extent| extent as usize));
    let mut rng = Rng::new(sample.seed);
    for _ in 0..UPDATES {
        lattice.sweep(sample.beta, &mut rng);
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
