//! Measures the programs of `examples/firmware/dma-ring`, prints a table, and compares it with their budget.

use std::fs;

use anyhow::{Context as _, Result};
use dma_ring_host::figures::{PROGRAMS, Row, measure};

use crate::budget::{Budget, Figures};
use crate::figures::in_flash;
use crate::input::configuration;
use crate::stack;
use crate::toolchain::Build;

const BUILD: Build<'_> =
    Build { workspace: "dma-ring", features: "board", only: &PROGRAMS, ..Build::new("dma-ring", "release") };
const TARGET: &str = "riscv64imac-unknown-none-elf";

pub fn check() -> Result<bool> {
    let programs = BUILD.run(TARGET)?;
    let path = configuration();
    let contents = fs::read(&path).with_context(|| path.display().to_string())?;
    let mut rows = measure(&programs, &contents)?;
    let sizes = PROGRAMS.iter().map(|program| Ok(in_flash(&programs.join(program))? as f64));
    rows.push(Row { name: "code and constants", figures: sizes.collect::<Result<_>>()? });
    let bounds = PROGRAMS.iter().map(|program| Ok(stack::bytes(&programs.join(program))? as f64));
    rows.push(Row { name: "bound of the stack", figures: bounds.collect::<Result<_>>()? });

    println!("| | {} |", PROGRAMS.join(" | "));
    println!("|---|{}", "---|".repeat(PROGRAMS.len()));
    let mut figures = Figures::new();
    for Row { name, figures: values } in rows {
        let cells: Vec<String> = values.iter().map(f64::to_string).collect();
        println!("| {name} | {} |", cells.join(" | "));
        let values = PROGRAMS.iter().map(|program| (*program).to_owned()).zip(values);
        figures.insert(name.to_owned(), values.collect());
    }
    let violations = Budget::read(&BUILD.source())?.violations(&figures);
    for violation in &violations {
        println!("BUDGET VIOLATED: {violation}");
    }
    Ok(violations.is_empty())
}
