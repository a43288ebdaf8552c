//! The checks of the fuzz targets, one module per target. The input of a target is a file, so that any file of the
//! format can be a seed. There are three exceptions: the input of `write` is a source of random choices, the input
//! of `usqcd` is the texts that a file contains, and the input of `sets` is several files.
//!
//! To add a target, add a module here with a `check` and `seeds`, a line in [`TARGETS`], a file in fuzz_targets/ and a
//! `[[bin]]` in Cargo.toml; then `LINKSTREAM_WRITE_SEEDS=1 cargo test` writes its seeds.

pub mod field;
pub mod inebin;
pub mod lime;
pub mod milc;
pub mod nersc;
pub mod raw;
pub mod scda;
pub mod source;
pub mod stream;
pub mod usqcd;
pub mod verdict;
pub mod volume;
pub mod write;

/// A target: its name, its checks, and its seeds by name.
pub struct Target {
    pub name: &'static str,
    pub check: fn(&[u8]),
    pub seeds: fn() -> Vec<(String, Vec<u8>)>,
}

pub const TARGETS: &[Target] = &[
    Target { name: "lime", check: lime::check, seeds: lime::seeds },
    Target { name: "field", check: field::check, seeds: field::seeds },
    Target { name: "inebin", check: inebin::check, seeds: inebin::seeds },
    Target { name: "nersc", check: nersc::check, seeds: nersc::seeds },
    Target { name: "milc", check: milc::check, seeds: milc::seeds },
    Target { name: "scda", check: scda::check, seeds: scda::seeds },
    Target { name: "scda_compressed", check: scda::compressed::check, seeds: scda::compressed::seeds },
    Target { name: "scda_entry", check: scda::entry::check, seeds: scda::entry::seeds },
    Target { name: "usqcd", check: usqcd::check, seeds: usqcd::seeds },
    Target { name: "volume", check: volume::check, seeds: volume::seeds },
    Target { name: "report", check: verdict::report::check, seeds: verdict::report::seeds },
    Target { name: "access", check: verdict::access::check, seeds: verdict::access::seeds },
    Target { name: "archives", check: verdict::archives::check, seeds: verdict::archives::seeds },
    Target { name: "sets", check: verdict::sets::check, seeds: verdict::sets::seeds },
    Target { name: "write", check: write::check, seeds: write::seeds },
];

/// Random numbers that depend only on the input, so that a failure can be reproduced (xorshift64*).
pub struct Dice(u64);

impl Dice {
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self(u64::from(linkstream::crc::crc32(0, bytes)) << 8 | 1)
    }

    /// A number below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize;
        high.checked_rem(n).unwrap_or(0)
    }
}
