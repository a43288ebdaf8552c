//! Speed of `scda create --compress` relative to zlib-rs, the library it uses, with the same elements, level and number
//! of threads: `cargo bench -p linkstream-cli --bench pack`. The environment variable LINKSTREAM_BENCH_MB sets the size
//! of the data in MB; the default is 200.

use std::process::Command;
use std::time::{Duration, Instant};

use flate2::{Compress, Compression, FlushCompress};

const ELEMENT: usize = 64 << 10;
const LEVELS: [u32; 4] = [1, 3, 6, 9];
/// Number of runs. The fastest counts. Library and program run alternately, so that other work on the machine
/// disturbs both.
const RUNS: usize = 3;

/// Numbers of a smooth field with noise in their last bytes. Like lattice data, they compress to half their size at
/// best.
fn field(bytes: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let numbers = (0..bytes / 8).map(|i| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((i / 16) as f64 * 1e-3).sin().to_bits() & !0xff_ffff | state >> 44
    });
    numbers.flat_map(u64::to_be_bytes).collect()
}

/// Compresses the elements of `data` on `threads` threads. Each thread gets one contiguous part.
fn library(data: &[u8], level: u32, threads: usize) -> Duration {
    let begun = Instant::now();
    let part = data.len().div_ceil(threads).next_multiple_of(ELEMENT);
    std::thread::scope(|scope| {
        for part in data.chunks(part) {
            scope.spawn(move || {
                let mut zlib = Compress::new(Compression::new(level), true);
                let mut stream = Vec::with_capacity(2 * ELEMENT);
                for element in part.chunks(ELEMENT) {
                    zlib.reset();
                    stream.clear();
                    zlib.compress_vec(element, &mut stream, FlushCompress::Finish)
                        .expect("the vector has spare capacity");
                    std::hint::black_box(&stream);
                }
            });
        }
    });
    begun.elapsed()
}

fn program(folder: &std::path::Path, level: u32, threads: usize) -> Duration {
    let begun = Instant::now();
    let status = Command::new(env!("CARGO_BIN_EXE_linkstream"))
        .current_dir(folder)
        .args(["scda", "create", "--force", "--compress", "out"])
        .arg(format!("array:field:{ELEMENT}=data"))
        .args(["--level", &level.to_string(), "--threads", &threads.to_string()])
        .stderr(std::process::Stdio::null())
        .status();
    assert!(status.expect("the program runs").success());
    begun.elapsed()
}

fn main() {
    let megabytes =
        std::env::var("LINKSTREAM_BENCH_MB").ok().and_then(|text| text.parse().ok()).unwrap_or(200);
    let data = field((megabytes * 1_000_000_usize).next_multiple_of(ELEMENT));
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("data"), &data).expect("the temporary folder is writable");
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    println!("{megabytes} MB in elements of {ELEMENT} bytes, {threads} threads");
    for level in LEVELS {
        let runs =
            (0..RUNS).map(|_| (library(&data, level, threads), program(folder.path(), level, threads)));
        let runs: Vec<_> = runs.collect();
        let library = runs.iter().map(|run| run.0).min().expect("a run").as_secs_f64();
        let program = runs.iter().map(|run| run.1).min().expect("a run").as_secs_f64();
        let ratio = library / program;
        println!("level {level}: zlib-rs {library:.2} s, program {program:.2} s, {ratio:.2} of its speed");
    }
}
