//! Searches all linked programs for functions that panic.

use std::fs;

use anyhow::{Result, ensure};
use boards_elf::panics;

use crate::board::Board;
use crate::run::{Boards, SHIPPED};
use crate::toolchain::Build;

/// The only program that may contain a panic: Rust makes an `async fn` panic if it is polled again after its end. The
/// program also shows that the search does find panics.
const MAY: [&str; 1] = ["waiting"];

pub fn check(boards: &Boards) -> Result<bool> {
    let mut wrong = 0;
    let mut programs = 0;
    // The other sizes of the checksum's tables in one program on one board, because that code is the same in all.
    let tables = ["crc-small", "crc-fast"]
        .map(|features| (Board::Lm3s6965, Build { features, only: &["speed"], ..SHIPPED }));
    let tables = tables.into_iter().filter(|_| !boards.quick);
    for (board, build) in boards.chosen().map(|board| (board, boards.build())).chain(tables) {
        let folder = build.run(board.target())?;
        for program in build.programs()? {
            programs += 1;
            let found = panics::list(&fs::read(folder.join(&program))?)?;
            let (word, is_wrong) = match (MAY.contains(&program.as_str()), found.is_empty()) {
                (false, true) => ("ok   ", false),
                (false, false) => ("WRONG", true),
                (true, false) => ("async", false),
                // The panic that the program is known to contain was not found: the search is broken.
                (true, true) => ("WRONG: the search finds no panic in", true),
            };
            println!("{word} {} {program} {}", board.name(), build.features);
            for line in &found {
                println!("      {line}");
            }
            wrong += usize::from(is_wrong);
        }
    }
    ensure!(programs > 0, "no program was built");
    println!("{programs} programs, {wrong} wrong");
    Ok(wrong == 0)
}
