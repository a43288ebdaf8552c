//! The proof by linking: a linked program that cannot panic contains no function that panics.
//!
//! The linker drops functions that are not reachable. If one of the functions below is left, the program therefore
//! calls it; the branches in its code show where.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Result, ensure};
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SectionKind, SymbolKind};
use rustc_demangle::demangle;

use crate::board::Board;
use crate::run::SHIPPED;
use crate::toolchain::Build;

/// Parts of the names of functions that panic or that handle a panic.
const FORBIDDEN: [&str; 5] =
    ["panicking", "panic_", "slice_index_fail", "unwrap_failed", "rust_begin_unwind"];
/// The only program that may contain a panic: Rust makes an `async fn` panic if it is polled again after its end. The
/// program also shows that the search does find panics.
const MAY: [&str; 1] = ["waiting"];

pub fn check() -> Result<bool> {
    let mut wrong = 0;
    let mut programs = 0;
    // The other sizes of the checksum's tables on one board only, because that code is the same on all.
    let tables = ["crc-small", "crc-fast"].map(|features| (Board::Lm3s6965, Build { features, ..SHIPPED }));
    for (board, build) in Board::ALL.map(|board| (board, SHIPPED)).into_iter().chain(tables) {
        let folder = build.run(board.target())?;
        for program in SHIPPED.programs()? {
            programs += 1;
            let found = panics(&fs::read(folder.join(&program))?)?;
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

/// A line for each function that panics, with its callers.
fn panics(bytes: &[u8]) -> Result<Vec<String>> {
    let file = object::File::parse(bytes)?;
    let functions = functions(&file);
    ensure!(
        functions.iter().any(|function| function.name.contains("linkstream")),
        "the program has no symbol of linkstream: it is stripped, or another program"
    );
    let mut lines = Vec::new();
    for function in functions.iter().filter(|function| is_forbidden(&function.name)) {
        let callers = callers(&file, &functions, function)?;
        let callers: Vec<_> = callers.into_iter().filter(|name| !is_forbidden(name)).collect();
        lines.push(match callers.as_slice() {
            [] => function.name.clone(),
            callers => format!("{}, called by {}", function.name, callers.join(", ")),
        });
    }
    Ok(lines)
}

fn is_forbidden(name: &str) -> bool {
    FORBIDDEN.iter().any(|word| name.contains(word))
}

#[derive(Debug)]
struct Function {
    name: String,
    address: u64,
    size: u64,
}

fn functions(file: &object::File<'_>) -> Vec<Function> {
    let symbols = file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.size() > 0);
    let function = |name: &str, address: u64, size| Function {
        name: format!("{:#}", demangle(name)),
        // The lowest bit of an address marks Thumb code.
        address: address & !1,
        size,
    };
    symbols.map(|symbol| function(symbol.name().unwrap_or("?"), symbol.address(), symbol.size())).collect()
}

/// Names of the functions with a branch to `target`.
fn callers(file: &object::File<'_>, functions: &[Function], target: &Function) -> Result<Vec<String>> {
    let mut names = BTreeSet::new();
    let is_arm = file.architecture() == object::Architecture::Arm;
    for section in file.sections().filter(|section| section.kind() == SectionKind::Text) {
        let code = section.data()?;
        for at in (0..code.len()).step_by(2) {
            let from = section.address() + at as u64;
            let word = |at: usize| {
                let bytes = code.get(at..at.checked_add(4)?)?;
                Some(u32::from_le_bytes(bytes.try_into().ok()?))
            };
            let Some(first) = word(at) else { break };
            let to = if is_arm { thumb_branch(from, first) } else { riscv_branch(from, first, word(at + 4)) };
            if to != Some(target.address) {
                continue;
            }
            let caller = functions.iter().find(|f| f.address <= from && from < f.address + f.size);
            names.insert(caller.map_or_else(|| format!("{from:#x}"), |caller| caller.name.clone()));
        }
    }
    Ok(names.into_iter().collect())
}

/// Target of `bl` or `b.w` (Arm architecture, encodings T1 of BL and T4 of B). The first halfword of the instruction is
/// in the low half of `word`.
fn thumb_branch(from: u64, word: u32) -> Option<u64> {
    if word & 0x9000_f800 != 0x9000_f000 {
        return None;
    }
    let bit = |n: u32| word >> n & 1;
    let sign = bit(10);
    let (i1, i2) = (1 ^ bit(29) ^ sign, 1 ^ bit(27) ^ sign);
    let offset = sign << 24 | i1 << 23 | i2 << 22 | (word & 0x3ff) << 12 | (word >> 16 & 0x7ff) << 1;
    let offset = (offset << 7) as i32 >> 7;
    Some(from.wrapping_add(4).wrapping_add_signed(offset.into()))
}

/// Target of `jal`, or of `auipc` followed by `jalr`.
fn riscv_branch(from: u64, first: u32, second: Option<u32>) -> Option<u64> {
    let bits = |from: u32, n: u32| first >> from & ((1 << n) - 1);
    let offset = match (first & 0x7f, second) {
        (0x6f, _) => {
            let offset = bits(31, 1) << 20 | bits(12, 8) << 12 | bits(20, 1) << 11 | bits(21, 10) << 1;
            (offset << 11) as i32 >> 11
        }
        (0x17, Some(second)) if second & 0x7f == 0x67 && second >> 15 & 0x1f == bits(7, 5) => {
            ((first & 0xffff_f000) as i32).wrapping_add(second as i32 >> 20)
        }
        _ => return None,
    };
    Some(from.wrapping_add_signed(offset.into()) & 0xffff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_lead_where_the_assembler_meant() {
        // bl . + 4 + 0x100, bl . + 4 - 4, b.w . + 4 + 0x100, bx lr: as encoded by llvm-mc.
        assert_eq!(thumb_branch(0x1000, 0xf880_f000), Some(0x1104));
        assert_eq!(thumb_branch(0x1000, 0xfffe_f7ff), Some(0x1000));
        assert_eq!(thumb_branch(0x1000, 0xb880_f000), Some(0x1104));
        assert_eq!(thumb_branch(0x1000, 0xbf00_4770), None);
        // jal ra, . + 0x100; jal ra, . - 4; auipc ra, 0x1 with jalr -4(ra); addi
        assert_eq!(riscv_branch(0x1000, 0x1000_00ef, None), Some(0x1100));
        assert_eq!(riscv_branch(0x1000, 0xffdf_f0ef, None), Some(0x0ffc));
        assert_eq!(riscv_branch(0x1000, 0x0000_1097, Some(0xffc0_80e7)), Some(0x1ffc));
        assert_eq!(riscv_branch(0x1000, 0x0015_0513, None), None);
    }
}
