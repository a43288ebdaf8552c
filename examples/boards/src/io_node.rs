//! Runs the I/O node of `examples/firmware/io-node`. Its emulated network and card are in a workspace of their own.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use crate::board::Board;
use crate::stack;
use crate::toolchain::{Build, firmware};

#[derive(Args)]
pub struct Choice {
    /// The file that is put on the node [default: examples/su3-4x4x4x8.lime]
    file: Option<PathBuf>,
    /// Print flash, memory and instructions a byte instead
    #[arg(long, conflicts_with = "file")]
    figures: bool,
}

const NODE: Build<'_> = Build {
    workspace: "io-node",
    features: "board",
    only: &["io-node"],
    // As in examples/firmware/io-node/run-tests, which gives the reason.
    arguments: &["-C", "llvm-args=-inline-threshold=30 -enable-pre=false"],
    keeps_addresses: false,
    ..Build::new("io-node", "release")
};

/// The largest bound of the stack. With the statics, which are 13,132 bytes, it is within the 28 KiB of the node.
const STACK: u64 = 14_700;

pub fn run(choice: &Choice) -> Result<bool> {
    let program = NODE.run(Board::Lm3s6965.target())?.join("io-node");
    if choice.figures {
        let bound = stack::bytes(&program)?;
        println!("memory, bound of the stack: {bound} bytes");
        ensure!(bound <= STACK, "BUDGET VIOLATED: the limit is {STACK}");
    }
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(["run", "--quiet", "--package", "io-node-host", "--manifest-path"])
        .arg(firmware().join("io-node/Cargo.toml"))
        .args(["--", if choice.figures { "figures" } else { "run" }])
        .args(&choice.file)
        .env("IO_NODE", program);
    Ok(cargo.status().with_context(|| format!("{cargo:?} cannot be run"))?.success())
}
