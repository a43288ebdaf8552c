//! The proof by linking: a linked program that cannot panic contains no function that panics.
//!
//! The linker drops functions that are not reachable. If one of the functions below is left, the program therefore
//! calls it; the branches in its code show where.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};

use crate::functions::{branches, functions};

/// Parts of the names of functions that panic or that handle a panic.
const FORBIDDEN: [&str; 7] = [
    "panicking",
    "panic_",
    "slice_index_fail",
    "unwrap_failed",
    "expect_failed",
    "len_mismatch_fail",
    "rust_begin_unwind",
];

/// True for a function that panics or that handles a panic.
pub fn is_forbidden(name: &str) -> bool {
    FORBIDDEN.iter().any(|word| name.contains(word))
}

/// A line for each function that panics, with its callers.
pub fn list(program: &[u8]) -> Result<Vec<String>> {
    let file = object::File::parse(program)?;
    let functions = functions(&file);
    ensure!(
        functions.iter().any(|function| function.name.contains("linkstream")),
        "the program has no symbol of linkstream: it is stripped, or another program"
    );
    let branches = branches(&file)?;
    let mut lines = Vec::new();
    for function in functions.iter().filter(|function| is_forbidden(&function.name)) {
        let callers = branches.iter().filter(|branch| branch.to == function.address).map(|branch| {
            let caller = functions.iter().find(|caller| caller.contains(branch.from));
            caller.map_or_else(|| format!("{:#x}", branch.from), |caller| caller.name.clone())
        });
        let callers: BTreeSet<_> = callers.filter(|name| !is_forbidden(name)).collect();
        lines.push(if callers.is_empty() {
            function.name.clone()
        } else {
            format!("{}, called by {}", function.name, callers.into_iter().collect::<Vec<_>>().join(", "))
        });
    }
    Ok(lines)
}
