//! File sets of QIO. The input is several volumes: the number of volumes modulo 4, less one, as a byte; the length of
//! each but the last, in two bytes (little-endian); and the volumes.

use std::sync::Arc;

use linkstream_access::File;
use linkstream_access::set::VolumeSource;
use linkstream_report::job::Open;

use super::{access, report, seeds};

/// The volumes in an input.
fn volumes(input: &[u8]) -> Vec<&[u8]> {
    let [count, rest @ ..] = input else { return vec![] };
    let lengths = usize::from(count % 4);
    let Some((lengths, mut rest)) = rest.split_at_checked(2 * lengths) else { return vec![] };
    let mut volumes = Vec::new();
    for length in lengths.as_chunks::<2>().0 {
        let (volume, others) = rest.split_at(usize::from(u16::from_le_bytes(*length)).min(rest.len()));
        volumes.push(volume);
        rest = others;
    }
    volumes.push(rest);
    volumes
}

/// Checks the reports on this set, and opening and reading it.
pub fn check(input: &[u8]) {
    let volumes = volumes(input);
    if volumes.is_empty() {
        return;
    }
    let sources = || {
        let source = |(number, volume): (u64, &&[u8])| VolumeSource {
            name: format!("a.lime.vol{number:04}"),
            number: Some(number),
            source: Arc::new(volume.to_vec()),
        };
        (0..).zip(&volumes).map(source).collect()
    };
    report::report_all(|| Open::volumes(sources(), "a.lime".to_owned()));
    let opened: Vec<VolumeSource<'static, _>> = sources();
    [File::open_set(&opened), File::open_damaged_set(&opened)].iter().flatten().for_each(access::read);
}

/// Sets of the fixtures.
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    seeds::sets().into_iter().map(|(name, volumes)| (name, packed(&volumes))).collect()
}

fn packed(volumes: &[Vec<u8>]) -> Vec<u8> {
    let (_, but_last) = volumes.split_last().expect("a set has volumes");
    let lengths = but_last.iter().map(|volume| u16::try_from(volume.len()).expect("volumes are short"));
    let lengths: Vec<u8> = lengths.flat_map(u16::to_le_bytes).collect();
    [vec![but_last.len() as u8], lengths, volumes.concat()].concat()
}
