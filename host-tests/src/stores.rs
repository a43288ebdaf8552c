//! A store of small files as a collaboration has it, made from a seed without linkstream: an ensemble of NERSC archives, one
//! of ILDG files, and other files.

use std::collections::BTreeMap;

use crate::archives;
use crate::formula::splitmix;

/// Names and contents.
pub type Store = BTreeMap<String, Vec<u8>>;

/// Number of files of each ensemble in a small store.
pub const FILES: u64 = 40;
/// Number of files of each ensemble in a large one, which has 20,000 files.
pub const MANY: u64 = 10_000;
/// Sites of the lattice of the files: 2x2x2x2, or 2x2x2x4.
const SITES: usize = 16;

/// Properties of a configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct Configuration {
    pub seed: u64,
    pub update: u64,
    /// Number that the logical file name has.
    pub lfn: u64,
    /// Extent in time: 2 or 4.
    pub time: usize,
    pub is_double: bool,
    pub beta: &'static str,
    pub ensemble: &'static str,
    pub boundary: &'static str,
    /// Largest angle of a link: the larger, the smaller the plaquette.
    pub roughness: f64,
}

impl Configuration {
    /// A usual configuration.
    #[must_use]
    pub const fn new(seed: u64, update: u64) -> Self {
        Self {
            seed,
            update,
            lfn: update,
            time: 2,
            is_double: true,
            beta: "6.3",
            ensemble: "24c",
            boundary: "PERIODIC",
            roughness: 0.3,
        }
    }

    /// Big-endian numbers of the links: diagonal matrices of SU(3).
    #[must_use]
    pub fn data(&self) -> Vec<u8> {
        let links = 4 * SITES * self.time / 2;
        let angle = |n: usize| {
            let uniform = (splitmix(self.seed ^ 0x5f0e, n as u64) >> 11) as f64 / (1_u64 << 53) as f64;
            (2.0 * uniform - 1.0) * self.roughness
        };
        let mut data = Vec::new();
        for link in 0..links {
            let (a, b) = (angle(2 * link), angle(2 * link + 1));
            let mut numbers = [0_f64; 18];
            for (row, angle) in [a, b, -(a + b)].into_iter().enumerate() {
                (numbers[8 * row], numbers[8 * row + 1]) = (angle.cos(), angle.sin());
            }
            for number in numbers {
                if self.is_double {
                    data.extend(number.to_be_bytes());
                } else {
                    data.extend((number as f32).to_be_bytes());
                }
            }
        }
        data
    }

    /// A NERSC archive, whose checksum verifies the data.
    #[must_use]
    pub fn nersc(&self) -> Vec<u8> {
        let data = self.data();
        let mut lines = vec!["DATATYPE = 4D_SU3_GAUGE_3x3".to_owned(), "STORAGE_FORMAT = 1.0".to_owned()];
        lines.extend((1..=3).map(|axis| format!("DIMENSION_{axis} = 2")));
        lines.push(format!("DIMENSION_4 = {}", self.time));
        lines.push(format!("CHECKSUM = {:x}", archives::word_sum(&data, true)));
        lines.extend((1..=4).map(|axis| format!("BOUNDARY_{axis} = {}", self.boundary)));
        lines.push(format!("ENSEMBLE_ID = {}", self.ensemble));
        lines.push(format!("BETA = {}", self.beta));
        lines.push(format!("SEQUENCE_NUMBER = {}", self.update));
        lines.push(format!("FLOATING_POINT = {}", if self.is_double { "IEEE64BIG" } else { "IEEE32BIG" }));
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        archives::nersc(&lines, &data)
    }

    /// An ILDG file without a checksum.
    #[must_use]
    pub fn ildg(&self) -> Vec<u8> {
        let bits = if self.is_double { 64 } else { 32 };
        let format = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><ildgFormat xmlns=\"http://www.lqcd.org/ildg\" \
             xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
             xsi:schemaLocation=\"http://www.lqcd.org/ildg/filefmt.xsd\"><version>1.0</version>\
             <field>su3gauge</field><precision>{bits}</precision><lx>2</lx><ly>2</ly><lz>2</lz><lt>{}</lt>\
             </ildgFormat>",
            self.time
        );
        let parameters = format!("<parameters><action><beta>{}</beta></action></parameters>", self.beta);
        let lfn = format!("lfn://collaboration/{}/lat.{}", self.ensemble, self.lfn);
        [
            record("ildg-format", format.as_bytes(), true, false),
            record("parameters", parameters.as_bytes(), false, false),
            record("ildg-data-lfn", lfn.as_bytes(), false, false),
            record("ildg-update", self.update.to_string().as_bytes(), false, false),
            record("ildg-binary-data", &self.data(), false, true),
        ]
        .concat()
    }
}

/// A record of a LIME file with its padding.
#[must_use]
pub fn record(record_type: &str, payload: &[u8], begin: bool, end: bool) -> Vec<u8> {
    let flags = u8::from(begin) << 7 | u8::from(end) << 6;
    let mut bytes =
        [&[0x45, 0x67, 0x89, 0xab, 0, 1, flags, 0][..], &(payload.len() as u64).to_be_bytes()].concat();
    bytes.extend_from_slice(record_type.as_bytes());
    bytes.resize(144, 0);
    bytes.extend_from_slice(payload);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}

/// Name of a NERSC archive with this number.
#[must_use]
pub fn nersc_name(number: u64) -> String {
    format!("24c/ckpoint_lat.{number}")
}

/// Name of an ILDG file with this number.
#[must_use]
pub fn ildg_name(number: u64) -> String {
    format!("32c/b6.3/lat.{number:04}.ildg")
}

/// The numbers of the files of an ensemble of so many files.
pub fn numbers(files: u64) -> impl Iterator<Item = u64> {
    (1..=files).map(|index| 10 * index)
}

/// A configuration of the ensemble of NERSC archives.
#[must_use]
pub const fn of_nersc(seed: u64, number: u64) -> Configuration {
    Configuration::new(seed.wrapping_mul(1_000_000).wrapping_add(number), number)
}

/// A configuration of the ensemble of ILDG files.
#[must_use]
pub const fn of_ildg(seed: u64, number: u64) -> Configuration {
    Configuration {
        ensemble: "32c",
        ..Configuration::new(seed.wrapping_mul(1_000_000).wrapping_add(500_000 + number), number)
    }
}

/// The small store of a seed, without troubles.
#[must_use]
pub fn store(seed: u64) -> Store {
    store_of(seed, FILES)
}

/// The store of a seed with so many files in each ensemble, without troubles.
#[must_use]
pub fn store_of(seed: u64, files: u64) -> Store {
    let mut store = Store::new();
    for number in numbers(files) {
        store.insert(nersc_name(number), of_nersc(seed, number).nersc());
        store.insert(ildg_name(number), of_ildg(seed, number).ildg());
    }
    let matrix = |n: u64| {
        let mut bytes = b"INEBIN\0R".to_vec();
        bytes.extend([2_u32, 2].iter().flat_map(|extent| extent.to_le_bytes()));
        bytes.extend((0..4).flat_map(|i| ((splitmix(seed, 4 * n + i) % 1000) as f64).to_le_bytes()));
        bytes
    };
    for (n, name) in (0..).zip(["corr/pion.bin", "corr/rho.bin", "corr/nucleon.bin"]) {
        store.insert(name.to_owned(), matrix(n));
    }
    store.insert("README".to_owned(), format!("Configurations of seed {seed}.\n").into_bytes());
    store.insert("24c/run.log".to_owned(), b"trajectory 10 accepted\n".to_vec());
    store
}
