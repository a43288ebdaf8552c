//! A small ensemble of SU(3) gauge fields on a lattice of 4x4x4x8, for demonstrations:
//!
//! ```console
//! $ cargo run --release -p linkstream-heatbath --features job --example ensemble -- DIRECTORY 12 2
//! ```
//!
//! writes 12 configurations `cfg-000.ildg`, `cfg-001.ildg`, … after every 2 sweeps from a cold start. The files are the
//! same to the bit in each run.

use std::error::Error;
use std::path::Path;

use linkstream_heatbath::job::{Job, Parameters};
use linkstream_parallel::comm::Solo;
use linkstream_parallel::file::{IoRanks, SystemDisk};

const PARAMETERS: Parameters = Parameters { extents: [4, 4, 4, 8], beta: 6.0, seed: 20_261_126 };

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, configurations, sweeps] = &arguments[..] else {
        return Err("expected: DIRECTORY, number of configurations, sweeps between them".into());
    };
    let (configurations, sweeps): (u32, u32) = (configurations.parse()?, sweeps.parse()?);
    let engine = IoRanks::new(&Solo, SystemDisk)?;
    let mut job = Job::cold(&Solo, PARAMETERS)?;
    for number in 0..configurations {
        for _ in 0..sweeps {
            job.sweep()?;
        }
        job.write_configuration(&engine, &Path::new(directory).join(format!("cfg-{number:03}.ildg")))?;
    }
    Ok(())
}
