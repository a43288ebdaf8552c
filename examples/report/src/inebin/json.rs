//! An INEBIN file in JSON.

use linkstream::inebin::{Header, MatrixType};
use serde::ser::SerializeMap;
use serde_json::{Value, json};

use super::contents::Contents;
use super::figures::{Figures, Integers, Parts, Reals};
use crate::json::{count, integer};

/// Writes the entries of the line that only this format has. All keys of a type are present; values that were not read
/// are null.
pub fn entries<M: SerializeMap>(contents: &Contents, line: &mut M) -> Result<(), M::Error> {
    let header = contents.header.as_ref();
    let letter = header.map(|header| char::from(header.matrix_type().letter()));
    line.serialize_entry("type", &letter)?;
    line.serialize_entry("rows", &header.map(Header::rows))?;
    line.serialize_entry("columns", &header.map(Header::columns))?;
    line.serialize_entry("entries", &header.map(|header| count(header.entries())))?;
    line.serialize_entry("data_bytes", &header.map(|header| count(header.data_length())))?;
    for key in header.map_or(&[][..], |header| keys(header.matrix_type())) {
        let value = contents.figures.as_ref().map_or(Value::Null, |figures| figure(figures, key));
        line.serialize_entry(key, &value)?;
    }
    Ok(())
}

/// The keys of the figures of each type.
const fn keys(matrix: MatrixType) -> &'static [&'static str] {
    match matrix {
        MatrixType::Boolean => &["set_bits"],
        MatrixType::Integer => &["min", "max", "mean"],
        MatrixType::Real => &["min", "max", "mean", "nan_count", "inf_count"],
        MatrixType::Complex => &["re", "im", "nan_count", "inf_count"],
    }
}

fn figure(figures: &Figures, key: &str) -> Value {
    match figures {
        Figures::Boolean(set) => count(*set),
        Figures::Integer(integers) => of_integers(integers, key),
        Figures::Real(reals) => of_reals(reals, key),
        Figures::Complex(parts) => of_parts(parts, key),
    }
}

fn of_integers(integers: &Integers, key: &str) -> Value {
    match (key, integers.range) {
        ("min", Some((min, _))) => integer(min),
        ("max", Some((_, max))) => integer(max),
        ("mean", _) => integers.mean().into(),
        _ => Value::Null,
    }
}

/// A figure of real numbers. JSON has no infinities: they are null, and counted in `inf_count`.
fn of_reals(reals: &Reals, key: &str) -> Value {
    match (key, reals.range) {
        ("min", Some((min, _))) => min.into(),
        ("max", Some((_, max))) => max.into(),
        ("mean", _) => reals.mean().into(),
        ("nan_count", _) => count(reals.not_numbers),
        ("inf_count", _) => count(reals.infinite),
        _ => Value::Null,
    }
}

fn of_parts(parts: &Parts, key: &str) -> Value {
    let part = |reals: &Reals| {
        json!({
            "min": of_reals(reals, "min"),
            "max": of_reals(reals, "max"),
            "mean": of_reals(reals, "mean"),
        })
    };
    match key {
        "re" => part(&parts.re),
        "im" => part(&parts.im),
        "nan_count" => count(parts.not_numbers),
        "inf_count" => count(parts.infinite),
        _ => Value::Null,
    }
}
