//! The programs of the board.

use std::env;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use dma_ring_host::link::Datagrams;
use dma_ring_host::machine::Machine;

/// The variable with the directory of the programs.
const PROGRAMS: &str = "DMA_RING";

pub fn path(program: &str) -> Result<PathBuf> {
    let folder = env::var_os(PROGRAMS).with_context(|| {
        format!("the environment variable {PROGRAMS} must be a directory; run-tests sets it")
    })?;
    Ok(PathBuf::from(folder).join(program))
}

pub fn start(program: &str) -> Result<(Machine, Datagrams)> {
    Machine::start(&path(program)?)
}
