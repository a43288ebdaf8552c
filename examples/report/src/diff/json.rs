//! A comparison in JSON.

use std::ops::Range;

use serde_json::{Value, json};

use super::changes::{Change, Changes};
use super::error::{DiffError, Side};
use super::numbers::{Largest, Number, Numbers};
use super::outcome::{Comparison, Damage, Data, Document, Outcome};
use crate::json::{Integer, SCHEMA, count};
use crate::ranges::Ranges;

/// The object for a comparison. `a` and `b` are the names of the files.
pub fn object(a: &str, b: &str, comparison: &Comparison) -> Value {
    let mut object = json!({
        "schema": SCHEMA,
        "a": a,
        "b": b,
        "same": comparison.is_same(),
        "structure": changes(&comparison.structure),
        "documents_compared": comparison.documents_compared,
        "documents": comparison.documents.as_slice().iter().map(document).collect::<Value>(),
        "data": comparison.data.as_slice().iter().map(data).collect::<Value>(),
        "damage": comparison.damage.as_slice().iter().map(damage).collect::<Value>(),
    });
    let left_out = [
        ("documents_left_out", comparison.documents.left_out()),
        ("data_left_out", comparison.data.left_out()),
        ("damage_left_out", comparison.damage.left_out()),
    ];
    if let Some(object) = object.as_object_mut() {
        for (key, n) in left_out.into_iter().filter(|(_, n)| *n > 0) {
            object.insert(key.to_owned(), json!(count(n)));
        }
    }
    object
}

/// The object for files that could not be compared.
pub fn trouble(a: &str, b: &str, error: &DiffError) -> Value {
    json!({ "schema": SCHEMA, "a": a, "b": b, "same": null, "trouble": error.to_string(), "in": side(error.side()) })
}

fn changes(changes: &Changes) -> Value {
    let all = changes.as_slice().iter();
    let mut list: Vec<_> = all.map(|Change { path, a, b }| json!({ "path": path, "a": a, "b": b })).collect();
    if changes.left_out() > 0 {
        list.push(json!({ "left_out": changes.left_out() }));
    }
    list.into()
}

fn document(document: &Document) -> Value {
    json!({ "name": document.name, "changes": changes(&document.changes) })
}

fn data(data: &Data) -> Value {
    let mut object = match &data.outcome {
        Outcome::Numbers(numbers) => of_numbers(numbers),
        Outcome::Bytes(bytes) => json!({
            "compared_as": "bytes",
            "bytes": bytes.lengths.map(count),
            "differing": count(bytes.differing),
            "first": bytes.first.map(count),
            "ranges": ranges(&bytes.ranges, Some(1)),
            "ranges_left_out": count(bytes.ranges.left_out()),
        }),
        Outcome::Shapes(shapes) => json!({ "compared_as": null, "changes": changes(shapes) }),
    };
    if let Some(object) = object.as_object_mut() {
        object.insert("name".to_owned(), data.name.as_str().into());
        object.insert("same".to_owned(), data.outcome.is_same().into());
    }
    object
}

fn of_numbers(numbers: &Numbers) -> Value {
    json!({
        "compared_as": "numbers",
        "compared": count(numbers.compared),
        "differing": count(numbers.differing),
        "not_finite": count(numbers.not_finite),
        "largest_absolute": numbers.absolute.as_ref().map(largest),
        "largest_relative": numbers.relative.as_ref().map(largest),
        "ranges": ranges(&numbers.ranges, Some(1)),
        "ranges_left_out": count(numbers.ranges.left_out()),
        "bytes_a": ranges(&numbers.ranges, numbers.bytes_of_each.map(|[size, _]| size)),
        "bytes_b": ranges(&numbers.ranges, numbers.bytes_of_each.map(|[_, size]| size)),
    })
}

/// Ranges, as their first numbers and their ends. Each number counts for `size`.
fn ranges(ranges: &Ranges, size: Option<u64>) -> Value {
    let Some(size) = size else { return Value::Null };
    let pair = |range: &Range<u64>| json!([range.start, range.end].map(|n| count(n.saturating_mul(size))));
    ranges.as_slice().iter().map(pair).collect()
}

fn largest(largest: &Largest) -> Value {
    json!({
        "difference": largest.difference,
        "a": number(largest.a),
        "b": number(largest.b),
        "site": largest.place.site,
        "within": largest.place.within,
    })
}

fn number(number: Number) -> Value {
    match number {
        Number::Real(value) => value.into(),
        Number::Integer(value) => json!(Integer(value)),
    }
}

fn damage(damage: &Damage) -> Value {
    json!({ "in": side(damage.side), "offset": damage.at, "message": damage.message })
}

const fn side(side: Side) -> &'static str {
    match side {
        Side::First => "a",
        Side::Second => "b",
    }
}
