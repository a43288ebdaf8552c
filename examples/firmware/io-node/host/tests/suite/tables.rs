//! Allocation tables that a power failure has left without their last entries.

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt as _;

use anyhow::{Context as _, Result, ensure};
use io_node_host::card::{Card, Geometry, LARGE, PARTITION, SMALL};
use io_node_host::files;
use io_node_host::local::{Local, Socket};

/// Marks the last cluster that is used as free, in both copies of the table. The entry before still leads to it.
fn free_last_cluster(card: &Card, geometry: Geometry) -> Result<()> {
    let file = OpenOptions::new().read(true).write(true).open(card.path())?;
    let partition = u64::from(PARTITION) * 512;
    let mut boot = [0; 512];
    file.read_exact_at(&mut boot, partition)?;
    let half = |at: usize| u64::from(u16::from_le_bytes([boot[at], boot[at + 1]]));
    let (width, length) = if geometry.fat == 32 { (4, half(36)) } else { (2, half(22)) };
    let start = partition + half(14) * 512;
    let mut table = vec![0; length as usize * 512];
    file.read_exact_at(&mut table, start)?;
    let last = table.chunks(width).rposition(|entry| entry.iter().any(|&byte| byte != 0));
    let at = (last.context("no cluster is used")? * width) as u64;
    for copy in 0..2 {
        file.write_all_at(&[0; 4][..width], start + copy * length * 512 + at)?;
    }
    Ok(())
}

fn continues(geometry: Geometry) -> Result<()> {
    let card = Card::new(geometry)?;
    let socket = Socket::new(&card)?;
    let (first, second) = (files::gauge([8, 8, 8, 8], 12)?, files::configuration()?);
    // The node has recorded 512 KiB when its power fails.
    Local::new(&socket).begin("A", &first, 600_000);
    free_last_cluster(&card, geometry)?;
    let mut node = Local::new(&socket);
    // Another file takes the first free cluster.
    ensure!(node.put("B", &second)?.starts_with("ok stored B "));
    let answer = node.send_rest("A", &first, 524_288)?;
    ensure!(answer.starts_with("ok stored A "), "{answer}");
    ensure!(card.read("A")? == first && card.read("B")? == second);
    card.check()
}

#[test]
fn a_chain_without_its_end_is_repaired_on_fat16() -> Result<()> {
    continues(SMALL)
}

#[test]
fn a_chain_without_its_end_is_repaired_on_fat32() -> Result<()> {
    continues(LARGE)
}
