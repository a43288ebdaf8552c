//! Comparison of two files.

use std::io;

use linkstream::Class;
use linkstream::io::FromStd;
use linkstream_report::diff::{Comparison, DiffError, Options, Side, Tolerance, compare, json};
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::side::open;
use crate::source::{Source, Thrown, failed, sources};
use crate::task;

/// Options of a comparison.
#[wasm_bindgen]
#[derive(Debug, Clone, Copy)]
pub struct DiffOptions {
    /// Numbers count as equal up to this absolute difference.
    pub tolerance: f64,
    /// Numbers count as equal up to this difference relative to the larger one.
    pub relative_tolerance: f64,
    /// Compare data only.
    pub data_only: bool,
    /// Also compare damaged files.
    pub damaged: bool,
    /// Number of sources of the first file; the others belong to the second one.
    pub first: u32,
    /// The files are file sets.
    pub first_set: bool,
    pub second_set: bool,
}

#[wasm_bindgen]
impl DiffOptions {
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default, reason = "for JavaScript, which sets each of them")]
    pub fn new() -> Self {
        Self {
            tolerance: 0.0,
            relative_tolerance: 0.0,
            data_only: false,
            damaged: false,
            first: 1,
            first_set: false,
            second_set: false,
        }
    }
}

/// Prepares the comparison of two files with these names. They have the first `count` sources of the present call. The
/// result is a line of JSON.
#[wasm_bindgen]
pub fn diff(count: u32, a: String, b: String, asked: &DiffOptions) {
    let asked = *asked;
    task::prepare(move || {
        let sources = sources(count);
        let (first, second) = sources.split_at((asked.first as usize).min(sources.len()));
        let comparison = compared([first, second], [&a, &b], &asked)?;
        let mut line = json::object(&a, &b, &comparison).to_string().into_bytes();
        line.push(b'\n');
        Ok(line)
    });
}

fn compared(
    [first, second]: [&[Source]; 2],
    [a, b]: [&str; 2],
    asked: &DiffOptions,
) -> Result<Comparison, JsValue> {
    let named = |side, name: &str| match side {
        Side::First => format!("first file, {name}"),
        Side::Second => format!("second file, {name}"),
    };
    let first = open(Side::First, first, &named(Side::First, a), asked.first_set, asked.damaged)?;
    let second = open(Side::Second, second, &named(Side::Second, b), asked.second_set, asked.damaged)?;
    let tolerance = Tolerance { absolute: asked.tolerance, relative: asked.relative_tolerance };
    let options = Options { tolerance, data_only: asked.data_only };
    let comparison = compare(FromStd(first.source), FromStd(second.source), &options);
    let mut comparison = comparison.map_err(|error| {
        let name = named(error.side(), if error.side() == Side::First { a } else { b });
        not_compared(&error, &name)
    })?;
    comparison.structure.unless_equal("bytes after the last link", &first.surplus, &second.surplus);
    comparison.damage = first.damage.into_iter().chain(second.damage).collect();
    Ok(comparison)
}

fn not_compared(error: &DiffError, name: &str) -> JsValue {
    match error {
        // A comparison keeps only the text of an error of a source. JavaScript has the value that it threw.
        DiffError::Source { message, .. } if *message == Thrown.to_string() => {
            failed(&io::Error::other(Thrown))
        }
        DiffError::Damaged { at, rule, class, message, .. } => {
            Failure::thrown(rule, *class, *at, format!("{name}: {message}"))
        }
        other => Failure::thrown("not-read", Class::Misuse, 0, format!("{name}: {other}")),
    }
}
