//! Verifies the oracle: it must agree with every fact in the manifests, which come from other programs.

use super::*;
use crate::fixtures::Fixtures;
use crate::formula::{site_bytes, su3_site};
use crate::manifest::{Entry, LogicalRecord, load, sha256};
use std::collections::{BTreeMap, BTreeSet};

/// The payloads of the records whose type has this suffix.
fn payloads<'a>(file: &'a [u8], kind_end: &str) -> Vec<&'a [u8]> {
    let records = records(file).into_iter();
    records.filter(|r| r.kind.ends_with(kind_end.as_bytes())).map(|r| r.payload(file)).collect()
}

/// Compares the data of one site with the formula; `file` names the file in messages.
fn assert_site(record: &LogicalRecord, rank: u64, site: &[u8], file: &str) {
    let place = || format!("{file} record {} rank {rank}", record.index);
    if record.formula != "su3" {
        assert!(site == site_bytes(record, rank), "{}", place());
        return;
    }
    let (numbers, tolerance): (Vec<f64>, f64) = match record.precision.as_str() {
        "F" => (words(site).map(|word| f32::from_be_bytes(word).into()).collect(), 2e-7),
        _ => (words(site).map(f64::from_be_bytes).collect(), 1e-14),
    };
    let stored = usize::try_from(record.typesize / record.word_size).expect("small");
    let matrices = su3_site(record.seed.expect("seed"), rank, record.datacount);
    let expected: Vec<f64> = matrices.chunks(18).flat_map(|matrix| &matrix[..stored]).copied().collect();
    assert_eq!(numbers.len(), expected.len(), "{}", place());
    for (number, expected) in numbers.iter().zip(&expected) {
        assert!((number - expected).abs() <= tolerance, "{}: {number} instead of {expected}", place());
    }
}

/// Verifies content, checksum and observables of a payload in rank order.
fn assert_payload(record: &LogicalRecord, dims: &[u64], payload: &[u8], file: &str) {
    let ranks = record.ranks(dims);
    assert_eq!(payload.len(), ranks.len() * record.site_len(), "{file} record {}", record.index);
    for (site, &rank) in payload.chunks(record.site_len()).zip(&ranks) {
        assert_site(record, rank, site, file);
    }
    if let Some(expected) = record.checksum() {
        let found = checksum(payload, record.site_len(), ranks.into_iter());
        assert_eq!(found, expected, "checksum of {file} record {}", record.index);
    }
    if let Some((plaquette, link_trace)) = record.plaquette.zip(record.link_trace) {
        let found = observables(payload, dims, 8 * u32::try_from(record.word_size).expect("small"));
        assert!((found.plaquette - plaquette).abs() < 1e-12, "{file}: plaquette {found:?}");
        assert!((found.link_trace - link_trace).abs() < 1e-12, "{file}: link trace {found:?}");
    }
}

/// A NERSC payload in big-endian order. One of the files is little-endian.
fn native_order(entry: &Entry, payload: &[u8]) -> Vec<u8> {
    if !entry.path.contains("_little") {
        return payload.to_vec();
    }
    words(payload).flat_map(|word| u32::from_le_bytes(word).to_be_bytes()).collect()
}

/// True if the manifest describes the file as a complete one, not as a volume of a file set.
fn is_whole(entry: &Entry) -> bool {
    entry.set.is_none()
}

fn records_equal_the_manifests_of(fixtures: Fixtures, folders: [&str; 2]) {
    for folder in folders {
        for entry in load(fixtures, folder) {
            let bytes = entry.bytes();
            let (mut found, end) = scan(&bytes);
            let Some(listed) = entry.records() else {
                assert!(found.is_empty(), "{} is not a LIME file", entry.path);
                continue;
            };
            if entry.path == "quirks/single_append_overwrites.lime" {
                // The manifest's scanner took the stale tail for another header, but it has no magic number.
                assert_eq!((end, found.len()), (1696, 6));
                assert_eq!((listed[6].offset, listed.len()), (end, 7));
                assert_eq!(found, listed[..6]);
                continue;
            }
            assert_eq!(end, bytes.len() as u64, "{} ends cleanly", entry.path);
            assert_eq!(Some(found.len()), entry.record_count(), "{}", entry.path);
            if entry.lime_truncated {
                found.truncate(listed.len());
            }
            assert_eq!(found, listed, "{}", entry.path);
        }
    }
}

#[test]
fn records_equal_the_manifests() {
    records_equal_the_manifests_of(Fixtures::Ours, ["lime", "qio"]);
}

#[test]
fn records_of_broken_files_equal_the_manifest() {
    for entry in load(Fixtures::Ours, "broken") {
        let bytes = entry.bytes();
        let (found, end) = scan(&bytes);
        // Without a list, the first header is already invalid.
        let listed = entry.records().unwrap_or_default();
        assert!(listed.starts_with(&found), "{}", entry.path);
        // A header with a wrong magic number is listed last, unless it is the first.
        if let [beyond, ..] = &listed[found.len()..] {
            assert_eq!((beyond.offset, listed.len()), (end, found.len() + 1), "{}", entry.path);
        }
    }
}

#[test]
fn complete_files_agree_with_the_formulas() {
    let (mut fields, mut with_sums, mut with_plaquette) = (0, 0, 0);
    for entry in load(Fixtures::Ours, "qio").into_iter().filter(is_whole) {
        let logical = entry.logical_records();
        if logical.is_empty() {
            continue;
        }
        let bytes = entry.bytes();
        let data = match entry.header_bytes {
            Some(header) => vec![native_order(&entry, &bytes[header..])],
            None => payloads(&bytes, "-binary-data").into_iter().map(<[u8]>::to_vec).collect(),
        };
        assert_eq!(data.len(), logical.len(), "{}", entry.path);
        for (record, payload) in logical.iter().zip(data) {
            assert_payload(record, entry.dims(), &payload, &entry.path);
            fields += 1;
            with_sums += u32::from(record.checksum().is_some());
            with_plaquette += u32::from(record.plaquette.is_some());
        }
    }
    assert!(fields > 150 && with_sums > 140 && with_plaquette > 20, "{fields} {with_sums} {with_plaquette}");
}

/// The checksum record of the file itself, parsed in the simplest way: `<suma>hex</suma>`.
fn stored_sums(text: &[u8]) -> Option<(u32, u32)> {
    let text = std::str::from_utf8(text).expect("XML");
    let value = |name: &str| {
        let (_, rest) = text.split_once(&format!("<{name}>"))?;
        u32::from_str_radix(rest.split_once('<')?.0.trim(), 16).ok()
    };
    value("suma").zip(value("sumb"))
}

#[test]
fn checksums_equal_the_stored_and_the_reported_ones() {
    let (mut stored, mut reported) = (0, 0);
    for entry in load(Fixtures::Ours, "qio").iter().filter(|entry| is_whole(entry)) {
        let bytes = entry.bytes();
        let sums: Vec<_> = payloads(&bytes, "scidac-checksum").into_iter().map(stored_sums).collect();
        for (record, sums) in entry.logical_records().iter().zip(sums) {
            // The reference writer omits both sums if one of them is zero.
            let written = record.checksum().filter(|(a, b)| *a != 0 && *b != 0);
            assert_eq!(sums, written, "{} record {}", entry.path, record.index);
            stored += 1;
        }
        let data = payloads(&bytes, "-binary-data");
        for (payload, sums) in data.iter().zip(entry.reported_checksums()) {
            // The reference reader does not report the size of a site. All fields have the extents of the manifest, or
            // 8x4x4x4.
            let dims = entry.dims.clone().unwrap_or(vec![8, 4, 4, 4]);
            let volume = if payload.len() == 12 { 1 } else { dims.iter().product::<u64>() };
            let site = payload.len() / usize::try_from(volume).expect("volume");
            assert_eq!(checksum(payload, site, 0..volume), sums, "{}", entry.path);
            reported += 1;
        }
    }
    assert_eq!((stored, reported), (139, 10));
}

#[test]
fn converted_nersc_files_have_the_sums_of_the_manifest() {
    let entries = load(Fixtures::Ours, "qio");
    let converted: Vec<&Entry> = entries.iter().filter(|e| e.reported_crc32.is_some()).collect();
    assert!(converted.len() >= 14);
    for entry in converted {
        let bytes = entry.bytes();
        let [payload] = payloads(&bytes, "-binary-data")[..] else { panic!("one data record") };
        let volume: u64 = entry.dims().iter().product();
        let site = payload.len() / usize::try_from(volume).expect("volume");
        let sums = checksum(payload, site, 0..volume);
        assert_eq!(Some(sums), entry.checksum(), "{}", entry.path);
        assert_eq!(Some(sums), stored_sums(payloads(&bytes, "scidac-checksum")[0]), "{}", entry.path);
    }
}

/// For files with two stored rows, the manifest has the facts of the three-row field in the precision of the file. A
/// third row computed from the two therefore gives nearly the same plaquette (within 1e-8 in single precision), but
/// another checksum.
#[test]
fn two_row_files_have_the_observables_of_the_full_field() {
    let mut count = 0;
    for entry in load(Fixtures::Ours, "qio").into_iter().filter(|entry| entry.rows == Some(2)) {
        let mut record = entry.logical_records().remove(0);
        record.typesize = record.word_size * 18;
        let payload: Vec<u8> =
            record.ranks(entry.dims()).into_iter().flat_map(|rank| site_bytes(&record, rank)).collect();
        let found = observables(&payload, entry.dims(), 8 * u32::try_from(record.word_size).expect("small"));
        let plaquette = entry.plaquette.expect("plaquette");
        let link_trace = entry.link_trace.expect("link trace");
        assert!((found.plaquette - plaquette).abs() < 1e-12, "{}: {found:?} {plaquette}", entry.path);
        assert!((found.link_trace - link_trace).abs() < 1e-12, "{}: {found:?} {link_trace}", entry.path);
        count += 1;
    }
    assert!(count >= 6);
}

#[test]
fn volumes_agree_with_the_formulas() {
    let entries = load(Fixtures::Ours, "qio");
    let mut sets: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
    for entry in &entries {
        if let Some(set) = &entry.set {
            sets.entry(set).or_default().push(entry);
        }
    }
    assert!(sets.len() >= 15, "{} sets", sets.len());
    for (set, volumes) in sets {
        let dims = volumes[0].dims();
        let logical = logical_records_of_set(set, &volumes, &entries);
        let mut fields: Vec<BTreeMap<u64, Vec<u8>>> = vec![BTreeMap::new(); logical.len()];
        let mut owned = Vec::new();
        for (n, volume) in volumes.iter().enumerate() {
            let bytes = volume.bytes();
            let lists = payloads(&bytes, "scidac-sitelist");
            assert!(lists.iter().all(|list| *list == lists[0]), "{set}: appending repeats the list");
            if let Some(expected) = &volume.sitelist_sha256 {
                assert_eq!(&sha256(lists[0]), expected, "{}", volume.path);
            }
            let sites = sitelist(lists[0], 4);
            assert_eq!(sites.len() as u64, volume.sites_in_volume.unwrap_or(sites.len() as u64));
            owned.extend(sites.clone());

            // Global records are in the first volume only.
            let here = (0..).zip(&logical).filter(|(_, record)| n == 0 || record.recordtype != 1);
            let data = payloads(&bytes, "-binary-data");
            assert_eq!(data.len(), here.clone().count(), "{}", volume.path);
            for ((field, record), payload) in here.zip(data) {
                let all: BTreeSet<u64> = record.ranks(dims).into_iter().collect();
                let ranks: Vec<u64> = match record.recordtype {
                    1 => vec![0],
                    _ => sites.iter().copied().filter(|rank| all.contains(rank)).collect(),
                };
                assert_eq!(payload.len(), ranks.len() * record.site_len(), "{}", volume.path);
                let items = payload.chunks(record.site_len()).map(<[u8]>::to_vec);
                fields[field].extend(ranks.into_iter().zip(items));
            }
        }
        owned.sort_unstable();
        assert!(owned.into_iter().eq(0..dims.iter().product()), "{set}: every site once");
        for (record, sites) in logical.iter().zip(fields) {
            let payload: Vec<u8> = sites.into_values().flatten().collect();
            assert_payload(record, dims, &payload, set);
        }
    }
}

/// The records of a file set: as listed for its first volume or, for a converted set, for its original file.
fn logical_records_of_set(set: &str, volumes: &[&Entry], entries: &[Entry]) -> Vec<LogicalRecord> {
    let made_by = volumes[0].made_by.as_deref().unwrap_or_default();
    let source = made_by.rsplit_once(" from ").map(|(_, path)| path);
    let source = source.and_then(|path| entries.iter().find(|entry| entry.path == path));
    let logical = source.unwrap_or(volumes[0]).logical_records();
    assert!(!logical.is_empty(), "{set}: no record known");
    logical
}

#[test]
fn converted_back_files_hold_the_data_of_the_original() {
    let entries = load(Fixtures::Ours, "qio");
    let find = |path: &str| entries.iter().find(|entry| entry.path == path).expect("listed");
    for (back, original) in [
        ("convert/sci_back_scidac.lime", "convert/sci_single.lime"),
        ("convert/sci_back_ildg.lime", "convert/sci_single.lime"),
        ("convert/ildg_back_scidac.lime", "convert/ildg_single.lime"),
        ("convert/ildg_back_ildg.lime", "convert/ildg_single.lime"),
    ] {
        let (entry, original) = (find(back), find(original).bytes());
        let bytes = entry.bytes();
        assert_eq!(Some(bytes == original), entry.byte_identical_to_original, "{back}");
        assert_eq!(payloads(&bytes, "-binary-data"), payloads(&original, "-binary-data"), "{back}");
    }
}

crate::of_other_projects! {
    fn records_equal_the_manifests() {
        records_equal_the_manifests_of(Fixtures::OfOthers, ["wild", "qio"]);
    }

    fn wild_files_have_the_sums_and_observables_of_the_manifest() {
        for entry in load(Fixtures::OfOthers, "wild") {
            let bytes = entry.bytes();
            let [payload] = payloads(&bytes, "-binary-data")[..] else { panic!("one data record") };
            let site = entry.bytes_per_site.expect("bytes per site");
            let volume = entry.dims().iter().product();
            let sums = checksum(payload, usize::try_from(site).expect("small"), 0..volume);
            assert_eq!(Some(sums), entry.checksum(), "{}", entry.path);
            let stored = payloads(&bytes, "scidac-checksum").first().and_then(|text| stored_sums(text));
            assert_eq!(stored, entry.stored_checksum(), "{}", entry.path);
            if let Some(plaquette) = entry.plaquette {
                let found = observables(payload, entry.dims(), if site == 288 { 32 } else { 64 });
                // This manifest has 9 decimals of the averages, and 4 digits of the deviation.
                assert!((found.plaquette - plaquette).abs() < 6e-10, "{found:?}");
                assert!((found.link_trace - entry.link_trace.expect("link trace")).abs() < 6e-10, "{found:?}");
                let deviation = entry.max_unitarity_deviation.expect("deviation");
                assert!((found.max_unitarity_deviation - deviation).abs() <= 1e-3 * deviation, "{found:?}");
            }
        }
    }
}
