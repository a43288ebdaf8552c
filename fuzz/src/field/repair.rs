//! Repairs lengths and checksums that no longer fit after a mutation. Without this, few inputs would pass the checks of
//! record lengths, and none the checks of checksums.

use linkstream::Mode;
use linkstream::conformance::{ErrorKind, Event};
use linkstream::field;
use linkstream::lattice::Checksum;

use super::drive;
use crate::raw::{HEADER, MAGIC, Raw};

/// Maximum length of the data that are supplied if a description requires them.
const MOST: u64 = 4096;

struct Record {
    flags: u16,
    record_type: Vec<u8>,
    payload: Vec<u8>,
}

enum Repair {
    Length(usize),
    Sums(Checksum),
}

/// The file with consistent record lengths, padding, data lengths and checksums. `None` if they were consistent
/// already, or if the file has no LIME record.
pub fn repaired(file: &[u8]) -> Option<Vec<u8>> {
    let mut records = records(file);
    // Twice: the first pass repairs lengths, and checksums are only verified if the length is right.
    for _ in 0..2 {
        for (index, repair) in repairs(&joined(&records)) {
            let payload = &mut records[index].payload;
            match repair {
                Repair::Length(length) => payload.resize(length, 0x3f),
                Repair::Sums(Checksum { suma, sumb }) => *payload = checksum(suma, sumb).into_bytes(),
            }
        }
    }
    let repaired = joined(&records);
    (!records.is_empty() && repaired != file).then_some(repaired)
}

/// The records that the mutated file still has. Each begins at a magic number.
fn records(file: &[u8]) -> Vec<Record> {
    let starts: Vec<usize> =
        (0..file.len()).filter(|at| file[*at..].starts_with(&MAGIC)).chain([file.len()]).collect();
    let record = |ends: &[usize]| {
        let part = &file[ends[0]..ends[1]];
        let mut header = part.to_vec();
        header.resize(HEADER, 0);
        let length = u64::from_be_bytes(*header[8..].first_chunk().expect("the header has 144 bytes"));
        let payload = part.get(HEADER..).unwrap_or_default();
        let padded = length.checked_next_multiple_of(8) == Some(payload.len() as u64);
        let length = if padded { length as usize } else { payload.len() };
        Record {
            flags: u16::from_be_bytes([header[6], header[7]]),
            record_type: header[16..].to_vec(),
            payload: payload[..length].to_vec(),
        }
    };
    starts.windows(2).map(record).collect()
}

fn joined(records: &[Record]) -> Vec<u8> {
    let raw = |record: &Record| Raw::record(record.flags, &record.record_type, &record.payload).bytes;
    records.iter().flat_map(raw).collect()
}

/// The repairs that the decoder's findings call for, with the index of the record.
fn repairs(file: &[u8]) -> Vec<(usize, Repair)> {
    let mut repairs = Vec::new();
    let mut records = 0_usize;
    drive(file, Mode::Survey, |_, event, _| match event {
        Event::Record(_) => records += 1,
        Event::Finding(error) => match error.kind {
            ErrorKind::Field(field::ErrorKind::DataLength { expected, .. }) if expected <= MOST => {
                repairs.push((records - 1, Repair::Length(expected as usize)));
            }
            ErrorKind::Field(field::ErrorKind::ChecksumMismatch { computed, .. }) => {
                repairs.push((records - 1, Repair::Sums(computed)))
            }
            _ => {}
        },
        _ => {}
    });
    repairs
}

pub fn checksum(suma: u32, sumb: u32) -> String {
    format!(
        "<scidacChecksum><version>1.0</version><suma>{suma:x}</suma><sumb>{sumb:x}</sumb></scidacChecksum>\0"
    )
}
