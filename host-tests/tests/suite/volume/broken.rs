//! Broken file sets: each causes a typed finding with its volume and offset, and none causes an endless loop.

use host_tests::fixtures::Fixtures;
use linkstream::Diagnostic as _;
use linkstream::lime::Header;
use linkstream::volume::ErrorKind;

use crate::volume::support::{Counting, Volume, read, sets, volumes};

/// A finding: volume, rule, offset.
type Found = (Option<u64>, &'static str, u64);

/// The findings in each set of `broken/part`.
const EXPECTED: &[(&str, &[Found])] = &[
    ("good", &[]),
    ("sitelist-64bit", &[]),
    // The list has 60 bytes, whereas the data have 16 sites.
    ("sitelist-missing-rank", &[(Some(0), "volume-site-list-sites", 296), (None, "volume-missing", 0)]),
    (
        "sitelist-length-odd",
        &[
            (Some(0), "volume-site-list-length", 296),
            (Some(0), "volume-site-list-sites", 296),
            (None, "volume-missing", 0),
        ],
    ),
    ("sitelist-duplicate", &[(Some(0), "volume-site-repeated", 444), (None, "volume-sites-missing", 0)]),
    ("sitelist-out-of-range", &[(Some(0), "volume-site-outside", 500), (None, "volume-sites-missing", 0)]),
    ("sitelist-permuted", &[(Some(0), "volume-sites-unordered", 444)]),
    ("sitelist-little-endian", &[(Some(0), "volume-site-outside", 444), (None, "volume-sites-missing", 0)]),
    ("sitelist-overlap", &[(Some(1), "volume-site-repeated", 144), (None, "volume-sites-missing", 0)]),
    ("volume-data-truncated", &[(Some(1), "lime-payload-truncated", 0)]),
    ("volume-missing", &[(None, "volume-missing", 0)]),
    ("volumes-swapped", &[(None, "volume-first-misplaced", 0)]),
    (
        "volume-same-twice",
        &[
            (Some(1), "volume-first-repeated", 0),
            (Some(1), "volume-surplus", 440),
            (None, "volume-sites-missing", 0),
        ],
    ),
];

#[test]
fn every_broken_set_has_its_findings() {
    let sets = sets("broken");
    assert_eq!(sets.len(), EXPECTED.len());
    for (name, expected) in EXPECTED {
        let files = volumes(&sets[&format!("part/{name}/p.lime")]);
        let set = read(&files, Counting::WithMap);
        println!("{name}: {:?}", set.findings);
        let rules: Vec<_> = expected.iter().map(|(volume, rule, _)| (*volume, *rule)).collect();
        assert_eq!(set.rules(), rules, "{name}");
        for ((_, error), (_, rule, at)) in set.findings.iter().zip(*expected) {
            assert!(*at == 0 || error.at == *at, "{name} {rule}: at {}", error.at);
        }
        // Errors in the lists that the lists alone do not show are detected by the stored checksum of the data.
        let verdict = set.fields.first().map(|field| field.verdict().is_match());
        let intact = ["good", "sitelist-64bit", "volumes-swapped"].contains(name);
        assert_eq!(verdict == Some(true), intact, "{name}");
    }
}

/// A volume with these site list entries and these data.
pub fn volume(entries: &[u32], data: &[&[u8]]) -> Vec<u8> {
    let record = |kind: &[u8], payload: &[u8]| {
        let mut bytes =
            Header::new(kind, payload.len() as u64, true, true).expect("short").as_bytes().to_vec();
        bytes.extend_from_slice(payload);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes
    };
    let list: Vec<u8> = entries.iter().flat_map(|rank| rank.to_be_bytes()).collect();
    let mut file = record(b"scidac-sitelist", &list);
    data.iter().for_each(|data| file.extend(record(b"scidac-binary-data", data)));
    file
}

/// The intact set of 32 sites with 4 bytes each. Volume 1 has the ranks from 16 on.
fn with_other(other: Vec<u8>) -> Vec<Volume> {
    let mut files = volumes(&sets("broken")["part/good/p.lime"]);
    files[1].1 = other;
    files
}

/// A case for each rule about sets that the fixtures do not break.
pub fn cases() -> Vec<(&'static str, Vec<Volume>, &'static str)> {
    let ranks: Vec<u32> = (16..32).collect();
    let data = [7; 64];
    let mut repeated = volume(&ranks, &[&data]);
    repeated.extend(volume(&ranks[1..], &[]));
    let first = volumes(&sets("broken")["part/good/p.lime"])[0].1.clone();
    let mut other_format = first.clone();
    let at = other_format.windows(8).position(|bytes| bytes == b"<volfmt>").expect("a document") + 8;
    other_format[at] = b'1';
    let hypercubes = volumes(&sets("qio")["multi/part2.lime"]);
    let mut in_box = hypercubes.clone();
    // The hypercube's data in the other volume begin at 1152: one site is missing.
    let [_, (_, other)] = &mut in_box[..] else { panic!("two volumes") };
    let header = Header::new(b"scidac-binary-data", 88, true, true).expect("short");
    other.splice(1152..1152 + 144 + 96, header.as_bytes().iter().copied().chain([0; 88]));
    vec![
        (
            "the data of another lattice",
            with_other(volume(&ranks[..8], &[&data[..30]])),
            "volume-data-length",
        ),
        ("no data", with_other(volume(&ranks, &[])), "volume-record-missing"),
        ("two fields", with_other(volume(&ranks, &[&data, &data])), "volume-record-surplus"),
        ("another list", with_other(repeated), "volume-site-list-differs"),
        ("no volume", with_other(vec![]), "volume-site-list-missing"),
        (
            "a single file",
            with_other(Fixtures::Ours.read("qio/single/real_f_4x4x4x8.lime")),
            "volume-single-file",
        ),
        ("no first volume", vec![(1, volume(&ranks, &[&data]))], "volume-first-missing"),
        ("another format", with_other(other_format), "volume-format-mixed"),
        ("fewer sites of a hypercube", in_box, "volume-data-sites"),
        (
            "a surplus volume",
            [volumes(&sets("broken")["part/good/p.lime"]), vec![(2, volume(&ranks, &[&data]))]].concat(),
            "volume-surplus",
        ),
    ]
}

#[test]
fn every_other_broken_set_has_its_finding() {
    for (what, files, rule) in cases() {
        for counting in [Counting::WithMap, Counting::WithoutMap] {
            let set = read(&files, counting);
            let found = set.rules().iter().any(|(_, found)| *found == rule);
            // Without a map, the sums only show that some site is wrong.
            let summed = set.rules().iter().any(|(_, found)| *found == "volume-sites-missing");
            assert!(found || (counting == Counting::WithoutMap && summed), "{what}: {:?}", set.findings);
        }
    }
}

/// Two entries of a list are exchanged: no site is missing, but the checksum differs.
#[test]
fn exchanged_entries_are_seen_in_the_checksum() {
    let mut files = volumes(&sets("qio")["multi/multi2.lime"]);
    let (_, other) = &mut files[1];
    let (a, b) = (144..148, 148..152);
    let (first, second) = (other[a.clone()].to_vec(), other[b.clone()].to_vec());
    other[a].copy_from_slice(&second);
    other[b].copy_from_slice(&first);
    let set = read(&files, Counting::WithMap);
    assert_eq!(set.findings, []);
    assert!(set.fields.iter().any(|field| !field.verdict().is_match()));
}

/// A short file that claims to have a thousand million sites.
#[test]
fn a_claim_is_not_believed() {
    let length = 4_000_000_000;
    let mut file = Header::new(b"scidac-sitelist", length, true, true).expect("short").as_bytes().to_vec();
    file.extend_from_slice(&[0; 40]);
    let set = read(&with_other(file), Counting::WithMap);
    let (volume, error) = set.findings[0];
    assert_eq!((volume, error.kind.rule(), error.at), (Some(1), "lime-payload-truncated", 184));
    assert!(
        matches!(set.findings.last(), Some((None, error)) if error.kind == ErrorKind::Missing { count: 16 })
    );
}
