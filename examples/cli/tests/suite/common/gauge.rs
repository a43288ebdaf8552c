//! Gauge fields and LIME files made without the library, for the commands that make, name and convert them.

use std::process::Output;

use host_tests::fixtures::Fixtures;
use tempfile::TempDir;

use super::lime::record;
use super::{linkstream, said, status};

/// Runs the program in a directory with this standard input.
pub fn go(folder: &TempDir, arguments: &[&str], input: &[u8]) -> Output {
    let mut program = linkstream();
    program.current_dir(folder.path()).args(arguments).write_stdin(input);
    program.output().expect("the program runs")
}

/// Runs the program, which must succeed. Returns its messages.
pub fn well(folder: &TempDir, arguments: &[&str], input: &[u8]) -> String {
    let output = go(folder, arguments, input);
    assert_eq!(status(&output), 0, "{arguments:?}: {}", said(&output));
    said(&output)
}

/// Runs the program, which must fail with this exit status and these words in a message, and must leave neither a file
/// nor a temporary file.
pub fn refused(folder: &TempDir, arguments: &[&str], input: &[u8], code: i32, words: &str) {
    let before = super::lime::standing(folder, ".");
    let output = go(folder, arguments, input);
    assert_eq!(status(&output), code, "{arguments:?}: {}", said(&output));
    assert!(said(&output).contains(words), "{arguments:?}: {}", said(&output));
    assert_eq!((super::lime::standing(folder, "."), output.stdout), (before, vec![]), "{arguments:?}");
}

pub fn fixture(name: &str) -> Vec<u8> {
    Fixtures::Ours.read(name)
}

/// A record of a LIME file, parsed by the rules of LIME 1.2 without the library.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    pub offset: usize,
    pub message: usize,
    pub record_type: String,
    pub payload: Vec<u8>,
}

pub fn records(bytes: &[u8]) -> Vec<Found> {
    let (mut offset, mut message, mut found) = (0, 0, Vec::new());
    while offset < bytes.len() {
        let header = &bytes[offset..offset + 144];
        assert_eq!(header[..4], [0x45, 0x67, 0x89, 0xab]);
        message += usize::from(header[6] >> 7);
        let length = u64::from_be_bytes(header[8..16].try_into().expect("8 bytes")) as usize;
        let name = header[16..].split(|byte| *byte == 0).next().expect("a name");
        let record_type = String::from_utf8(name.to_vec()).expect("a type");
        let payload = bytes[offset + 144..offset + 144 + length].to_vec();
        found.push(Found { offset, message, record_type, payload });
        offset += 144 + length.next_multiple_of(8);
    }
    found
}

/// Type of each record, with the number of its message.
pub fn types(bytes: &[u8]) -> Vec<(usize, String)> {
    records(bytes).into_iter().map(|found| (found.message, found.record_type)).collect()
}

/// The payloads of all records of this type.
pub fn payloads(bytes: &[u8], record_type: &str) -> Vec<Vec<u8>> {
    let all = records(bytes).into_iter().filter(|found| found.record_type == record_type);
    all.map(|found| found.payload).collect()
}

/// The data of the only data record.
pub fn data(bytes: &[u8]) -> Vec<u8> {
    let all = records(bytes).into_iter().filter(|found| found.record_type.ends_with("-binary-data"));
    let mut all: Vec<_> = all.map(|found| found.payload).collect();
    assert_eq!(all.len(), 1);
    all.remove(0)
}

/// An `ildg-format` document. With 0 for `rows` it has no such element.
pub fn format(version: &str, kind: &str, rows: u32, bits: u32, [x, y, z, t]: [u32; 4]) -> String {
    let rows = if rows > 0 { format!("<rows>{rows}</rows>") } else { String::new() };
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><ildgFormat xmlns=\"http://www.lqcd.org/ildg\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
         xsi:schemaLocation=\"http://www.lqcd.org/ildg/filefmt.xsd\"><version>{version}</version>\
         <field>{kind}</field>{rows}<precision>{bits}</precision><lx>{x}</lx><ly>{y}</ly><lz>{z}</lz>\
         <lt>{t}</lt></ildgFormat>"
    )
}

/// An ILDG file with a single message.
pub fn ildg(format: &str, data: &[u8]) -> Vec<u8> {
    let lfn = record("ildg-data-lfn", b"lfn://test/name", false, false);
    [
        record("ildg-format", format.as_bytes(), true, false),
        lfn,
        record("ildg-binary-data", data, false, true),
    ]
    .concat()
}

pub fn doubles(bytes: &[u8]) -> Vec<f64> {
    bytes.chunks(8).map(|word| f64::from_be_bytes(word.try_into().expect("8 bytes"))).collect()
}

pub fn singles(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks(4).map(|word| f32::from_be_bytes(word.try_into().expect("4 bytes"))).collect()
}

pub fn of_doubles(numbers: &[f64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

pub fn of_singles(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

/// Numbers that are all different.
pub fn numbers(count: usize) -> Vec<f64> {
    (0..count).map(|i| (i as f64 + 0.25) / 3.0 * if i % 3 == 1 { -1.0 } else { 1.0 }).collect()
}

/// The fixture in the style of tmLQCD with the plaquette of its links in `xlf-info`. The fixture has another one there,
/// with as many digits.
pub fn tmlqcd_style() -> Vec<u8> {
    let mut file = fixture("qio/alien/tmlqcd_style.lime");
    let at = file.windows(5).position(|bytes| bytes == b"0.123").expect("a plaquette");
    file[at..at + 5].copy_from_slice(b"0.015");
    file
}
