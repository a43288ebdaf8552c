//! JSON values that all formats share.

use serde::ser::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::findings::Finding;

/// Entries, and a function that converts each of them to JSON.
#[derive(Debug)]
pub struct Each<'a, T, F>(pub &'a [T], pub F);

impl<T, F: Fn(&T) -> Value> Serialize for Each<'_, T, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(&self.1))
    }
}

/// An entry of `findings`.
pub fn finding(finding: &Finding) -> Value {
    json!({
        "severity": finding.severity.as_str(),
        "class": finding.class.as_str(),
        "rule": finding.rule,
        "clause": Some(finding.clause).filter(|clause| !clause.is_empty()),
        "offset": finding.offset,
        "message": finding.message,
    })
}

/// Integers whose absolute value is larger are strings in JSON, because many readers convert every number to a double.
const EXACT: i64 = 1 << 53;

/// An integer of a file.
pub fn integer(n: i64) -> Value {
    if n.unsigned_abs() > EXACT.unsigned_abs() { n.to_string().into() } else { n.into() }
}

/// A count.
pub fn count(n: impl Into<u128>) -> Value {
    let n = n.into();
    match u64::try_from(n) {
        Ok(n) if n <= EXACT.unsigned_abs() => n.into(),
        _ => n.to_string().into(),
    }
}

/// Bytes in hexadecimal, for names that need not be text.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
