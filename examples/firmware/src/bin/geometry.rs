//! Verifies a gauge configuration whose lattice and datatype the program knows. It reads no document but the stored
//! checksum, and takes a third of the flash of `verify`. The code is on the page `guide::known_geometry`.
#![no_std]
#![no_main]

#[path = "../../../../codec/src/guide/known_geometry.rs"]
mod known_geometry;

use embedded_io::Read as _;
use firmware::{Buffers, Failure, File};
use known_geometry::{Doubt, Outcome, Verifier};

firmware::program!(geometry);

/// The number of sites of the lattice.
const SITES: u64 = 4 * 4 * 4 * 8;
/// The size of a site: 4 links of 9 complex numbers of 8 bytes.
const SITE: usize = 288;

static STATE: Buffers<(Verifier<SITE>, [u8; 512])> = Buffers::new((Verifier::new(SITES), [0; 512]));

fn geometry(mut file: File) -> Result<(), Failure> {
    let (verifier, block) = STATE.take().ok_or(Failure::Other("the buffers are lent already"))?;
    loop {
        let n = file.read(block)?;
        let Some(bytes @ [_, ..]) = block.get(..n) else { break };
        verifier.block(bytes)?;
    }
    match verifier.end()? {
        Outcome::Verified(sums) => {
            defmt::info!("{=u64} sites, verified: {}", SITES, sums);
            Ok(())
        }
        Outcome::Mismatch { stored, computed } => {
            defmt::error!("stored {}, computed {}", stored, computed);
            Err(Failure::Other("the data are not those that were written"))
        }
        Outcome::Unverified(doubt) => Err(Failure::Other(match doubt {
            Doubt::NoData => "unverified: no data",
            Doubt::OtherLength => "unverified: the data have another length",
            Doubt::SeveralFields => "unverified: several fields",
            Doubt::NoChecksum => "unverified: no checksum of the data",
            Doubt::SeveralChecksums => "unverified: several checksums",
            Doubt::Malformed => "unverified: the checksum is malformed",
        })),
    }
}
