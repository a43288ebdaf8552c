//! LIME files made without the library, and `linkstream lime` in a directory.

use std::process::Output;

use tempfile::TempDir;

use super::linkstream;

/// A record with its padding, written by the appendix of LIME 1.2 without the library.
pub fn record(record_type: &str, payload: &[u8], begin: bool, end: bool) -> Vec<u8> {
    let flags = u8::from(begin) << 7 | u8::from(end) << 6;
    let mut bytes =
        [&[0x45, 0x67, 0x89, 0xab, 0, 1, flags, 0][..], &(payload.len() as u64).to_be_bytes()].concat();
    bytes.extend_from_slice(record_type.as_bytes());
    bytes.resize(144, 0);
    bytes.extend_from_slice(payload);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}

/// Runs `linkstream lime` in a directory with this standard input.
pub fn in_folder(folder: &TempDir, arguments: &[&str], input: &[u8]) -> Output {
    let mut program = linkstream();
    program.current_dir(folder.path()).arg("lime").args(arguments);
    program.write_stdin(input).output().expect("the program runs")
}

pub fn put(folder: &TempDir, name: &str, bytes: impl AsRef<[u8]>) {
    std::fs::write(folder.path().join(name), bytes).expect("the temporary folder is writable");
}

pub fn read(folder: &TempDir, name: &str) -> Vec<u8> {
    std::fs::read(folder.path().join(name)).expect("a file")
}

/// The names in the subdirectory `name`, including temporary files.
pub fn standing(folder: &TempDir, name: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path().join(name)).expect("a readable folder");
    let names =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name"));
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}
