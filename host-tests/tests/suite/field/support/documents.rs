//! The documents in the fixtures.

use std::path::Path;

use host_tests::manifest::load;
use host_tests::oracle;

/// The payloads of all records of a type in the folders `wild` and `qio`, with the file and the offset they
/// were found at.
pub fn payloads(fixtures: &Path, kind: &str) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in ["wild", "qio"].iter().flat_map(|folder| load(fixtures, folder)) {
        let file = entry.bytes();
        for record in oracle::records(&file) {
            if record.kind == kind.as_bytes() {
                found.push((format!("{} at {}", entry.path, record.offset), record.payload(&file).to_vec()));
            }
        }
    }
    found
}

/// As QIO begins and ends every document.
pub fn is_of_qio(payload: &[u8]) -> bool {
    payload.starts_with(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?><") && payload.ends_with(b">\0")
}
