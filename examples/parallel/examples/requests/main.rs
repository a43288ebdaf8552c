//! Prints the requests of collective calls on 100, 1,000 and 10,000 ranks, which are threads:
//!
//!     cargo run --release -p linkstream-parallel --example requests
//!
//! With numbers of ranks as arguments, only on these: any of 100, 1000 and 10000.

mod measure;

use std::process::ExitCode;

use measure::{Counts, measure};

/// Number of ranks, and their grid.
const JOBS: [(u32, [u32; 4]); 3] = [(100, [5, 5, 2, 2]), (1000, [10, 5, 5, 4]), (10_000, [10, 10, 10, 10])];

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for (ranks, grid) in JOBS {
        if !wanted.is_empty() && !wanted.contains(&ranks.to_string()) {
            continue;
        }
        let folder = match tempfile::tempdir() {
            Ok(folder) => folder,
            Err(error) => {
                eprintln!("there is no directory for temporary files: {error}");
                return ExitCode::FAILURE;
            }
        };
        match measure(grid, folder.path()) {
            Ok(calls) => {
                println!("{ranks} ranks on 10 nodes. Requests of rank 0, and the most of any other rank:\n");
                println!(
                    "{:30} {:>6} {:>7} {:>7} {:>7} {:>11} {:>10} {:>15}",
                    "call", "small", "engine", "reads", "writes", "collective", "exchanges", "bytes"
                );
                for call in calls {
                    let both = |of: fn(Counts) -> u64| format!("{} / {}", of(call.first), of(call.others));
                    println!(
                        "{:30} {:>6} {:>7} {:>7} {:>7} {:>11} {:>10} {:>15}",
                        call.name,
                        call.first.small,
                        call.first.engine,
                        both(|counts| counts.reads),
                        both(|counts| counts.writes),
                        call.first.collective,
                        call.first.exchanges,
                        both(|counts| counts.bytes),
                    );
                }
                println!();
            }
            Err(error) => {
                eprintln!("{ranks} ranks: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
