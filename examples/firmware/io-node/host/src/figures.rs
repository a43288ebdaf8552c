//! Costs of the program of the board: flash, memory, and instructions a byte.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};
use std::fs;

use anyhow::{Context as _, Result, ensure};
use boards_elf::crates::Crates;
use boards_elf::flash;

use crate::card::{Card, SMALL};
use crate::files;
use crate::machine::{Machine, program};

/// QEMU executes an instruction in a nanosecond of the board's time, and the clock has 50 MHz.
const INSTRUCTIONS_PER_TICK: f64 = 20.0;
/// Parts of the node whose ticks it counts.
const PARTS: [&str; 5] = ["network", "written", "read", "codec", "digest"];

/// Size of the program in bytes.
#[derive(Debug)]
pub struct Size {
    pub flash: u64,
    /// Code by crate. The code of the compiler's library is counted for the crate that calls it.
    pub crates: BTreeMap<String, u64>,
    /// Places that may panic, by crate.
    pub panics: BTreeMap<String, BTreeSet<String>>,
}

/// Memory in bytes, and instructions a byte of a file that is put: from the command to the answer, without sleep.
#[derive(Debug)]
pub struct Cost {
    pub statics: u64,
    pub stack: u64,
    pub all: f64,
    /// Receiving, with acknowledgements and the copy out of the socket's buffer.
    pub network: f64,
    /// Transfer to the card, of the file, the directory and the list of files.
    pub card_write: f64,
    /// Transfer from the card, of the same.
    pub card_read: f64,
    pub codec: f64,
    pub digest: f64,
}

impl Cost {
    /// The rest: the FAT library with its copies, and the loop of the node.
    pub fn rest(&self) -> f64 {
        self.all - self.network - self.card_write - self.card_read - self.codec - self.digest
    }
}

/// Measures the program without running it.
pub fn size() -> Result<Size> {
    let path = program()?;
    let crates = Crates::read(&path)?;
    Ok(Size { flash: flash::size(&fs::read(path)?)?, crates: crates.sizes()?, panics: crates.panics()? })
}

/// Puts a configuration of 2.4 MB.
pub fn cost() -> Result<Cost> {
    let card = Card::new(SMALL)?;
    let machine = Machine::start(&card)?;
    let client = machine.client();
    client.command("list")?;
    let contents = files::gauge([16, 8, 8, 8], 11)?;
    let figures = || {
        let names = ["ticks", "idle", "bytes"].iter().chain(&PARTS);
        names.map(|part| client.figure(part)).collect::<Result<Vec<_>>>()
    };
    let before = figures()?;
    ensure!(client.put("A.LIM", &contents)?.answer.starts_with("ok stored "));
    let after = figures()?;
    let bytes = contents.len() as f64;
    let mut differences = after.iter().zip(before).map(|(after, before)| (after - before) as f64);
    let mut next = || differences.next().context("a figure is missing");
    let (ticks, idle, counted) = (next()?, next()?, next()?);
    ensure!(counted == bytes, "the node has counted {counted} bytes of {bytes}");
    let per_byte = |ticks: f64| ticks * INSTRUCTIONS_PER_TICK / bytes;
    Ok(Cost {
        statics: client.figure("statics")?,
        stack: client.figure("stack")?,
        all: per_byte(ticks - idle),
        network: per_byte(next()?),
        card_write: per_byte(next()?),
        card_read: per_byte(next()?),
        codec: per_byte(next()?),
        digest: per_byte(next()?),
    })
}

impl Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "flash: {} bytes", self.flash)?;
        let mut crates: Vec<_> = self.crates.iter().collect();
        crates.sort_by_key(|(_, size)| std::cmp::Reverse(**size));
        for (name, size) in crates.iter().take(8) {
            writeln!(f, "flash, code of {name}: {size} bytes")?;
        }
        let rest: u64 = crates.iter().skip(8).map(|(_, size)| **size).sum();
        let constants = self.flash.saturating_sub(self.crates.values().sum());
        writeln!(f, "flash, code of other crates: {rest} bytes")?;
        writeln!(f, "flash, constants and vectors: {constants} bytes")?;
        for (name, places) in &self.panics {
            writeln!(f, "places that may panic in {name}: {}", places.len())?;
        }
        Ok(())
    }
}

impl Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "memory: {} bytes", self.statics + self.stack)?;
        writeln!(f, "memory, statics: {} bytes", self.statics)?;
        writeln!(f, "memory, deepest stack: {} bytes", self.stack)?;
        writeln!(f, "instructions a byte: {:.1}", self.all)?;
        for (name, figure) in [
            ("network", self.network),
            ("card, written", self.card_write),
            ("card, read back", self.card_read),
            ("codec", self.codec),
            ("digest", self.digest),
            ("FAT and node", self.rest()),
        ] {
            writeln!(f, "instructions a byte, {name}: {figure:.1}")?;
        }
        Ok(())
    }
}
