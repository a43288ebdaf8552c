//! Runs the programs of `examples/firmware` on emulated boards, and measures their size, memory and speed.

mod board;
mod budget;
mod code;
mod compare;
mod contents;
mod dma_ring;
mod figures;
mod graph;
mod input;
mod io_node;
mod qemu;
mod run;
mod stack;
mod symbols;
mod toolchain;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(version, about = "Runs linkstream on emulated boards, and measures it there")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the programs, and compare their output with examples/firmware/expected
    Run(run::Choice),
    /// Run one program on a file of your choice
    On(run::One),
    /// Search the linked programs for panic functions; only `waiting` may contain one
    Symbols(run::Boards),
    /// Compute upper bounds of the stack from the call graphs, and compare them with the budget
    Stack(stack::Choice),
    /// Measure flash, memory, stack and instructions, and compare them with the budget
    Figures,
    /// Measure what a byte costs that is verified in the receive ring of an Ethernet controller, and one that is copied
    DmaRing,
    /// Run the I/O node with a file, or measure it
    IoNode(io_node::Choice),
}

fn main() -> anyhow::Result<ExitCode> {
    let all_well = match Arguments::parse().command {
        Command::Run(choice) => run::all(&choice)?,
        Command::On(one) => run::one(&one)?,
        Command::Symbols(boards) => symbols::check(&boards)?,
        Command::Stack(choice) => stack::check(&choice)?,
        Command::Figures => figures::check()?,
        Command::DmaRing => dma_ring::check()?,
        Command::IoNode(choice) => io_node::run(&choice)?,
    };
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
