//! The documents in the fixtures.

use host_tests::fixtures::Fixtures;
use host_tests::manifest::load_fields;
use host_tests::oracle;

/// The payloads of all records of this type in the files of QIO and, for other projects, also in `wild`, each with its
/// file and offset.
pub fn payloads(fixtures: Fixtures, kind: &str) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in load_fields(fixtures) {
        let file = entry.bytes();
        for record in oracle::records(&file) {
            if record.kind == kind.as_bytes() {
                found.push((format!("{} at {}", entry.path, record.offset), record.payload(&file).to_vec()));
            }
        }
    }
    found
}

/// True if a document begins and ends as QIO writes it.
pub fn is_of_qio(payload: &[u8]) -> bool {
    payload.starts_with(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?><") && payload.ends_with(b">\0")
}
