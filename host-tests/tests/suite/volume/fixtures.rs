//! The file sets of QIO, with any layout, are read as one field each. Sites, ranks, checksums and site lists are as in
//! the manifest.

use host_tests::formula;
use host_tests::manifest::{LogicalRecord, sha256};
use linkstream::ildg::{Format, GaugeKind};
use linkstream::lattice::Precision;
use linkstream::scidac::VolumeFormat;
use linkstream::volume::{Decoder, Event};
use linkstream::xml::Spacing;
use linkstream::{Diagnostic as _, Mode, lime};

use crate::volume::support::{Counting, ReadSet, read, sets, volumes};

const FORMATS: [VolumeFormat; 4] = [
    VolumeFormat::Single,
    VolumeFormat::Multifile,
    VolumeFormat::Partition,
    VolumeFormat::PartitionDirectory,
];

/// Verifies that each site of each record is present with the bytes of its formula.
fn compare(name: &str, set: &ReadSet, records: &[LogicalRecord], dims: &[u64]) {
    assert_eq!(set.fields.len(), records.len(), "{name}");
    for (read, record) in set.fields.iter().zip(records) {
        let ranks = record.ranks(dims);
        assert_eq!(read.sites.keys().copied().collect::<Vec<_>>(), ranks, "{name} {}", record.index);
        let checksum = read.tally.checksum();
        assert_eq!(Some((checksum.suma, checksum.sumb)), record.checksum(), "{name} {}", record.index);
        assert!(read.verdict().is_match() && read.tally.is_complete(), "{name} {}", record.index);
        for rank in ranks.into_iter().filter(|_| record.formula != "su3") {
            assert_eq!(
                read.sites[&rank],
                formula::site_bytes(record, rank),
                "{name} {} {rank}",
                record.index
            );
        }
    }
}

/// A format describes the links of its own message only, not later data of the same size.
#[test]
fn a_format_belongs_to_its_message() {
    let record = |first, last, kind: &[u8], payload: &[u8]| {
        let header = lime::Header::new(kind, payload.len() as u64, first, last).expect("legal");
        let mut bytes = [&header.as_bytes()[..], payload].concat();
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes
    };
    let file = b"<?xml version=\"1.0\"?><scidacFile><version>1.1</version><spacetime>4</spacetime>\
        <dims>1 1 1 2 </dims><volfmt>1</volfmt></scidacFile>";
    let described = |datatype| {
        format!(
            "<?xml version=\"1.0\"?><scidacRecord><version>1.1</version><recordtype>0</recordtype>\
             <datatype>{datatype}</datatype><precision>F</precision><colors>3</colors><typesize>72</typesize>\
             <datacount>4</datacount></scidacRecord>"
        )
    };
    let format = Format::new(GaugeKind::SU3, Precision::F32, [1, 1, 1, 2]);
    let (mut scratch, data) = ([0; 512], [0; 288]);
    let length = format.emit(Spacing::Line, &mut scratch).expect("there is room");
    let format = &scratch[..length];
    let matrices = described("QDP_F3_ColorMatrix");
    // Without a format, links are recognised by the data type.
    let other = described("QDP_F3_Other");
    let volume = [
        record(true, false, b"scidac-private-file-xml", file),
        record(false, true, b"scidac-sitelist", &[0, 0, 0, 1]),
        record(true, false, b"scidac-private-record-xml", matrices.as_bytes()),
        record(false, false, b"ildg-format", format),
        record(false, true, b"ildg-binary-data", &data),
        record(true, false, b"scidac-private-record-xml", other.as_bytes()),
        record(false, true, b"scidac-binary-data", &data),
        record(true, false, b"scidac-private-record-xml", other.as_bytes()),
        record(false, false, b"ildg-format", format),
        record(false, true, b"ildg-binary-data", &data),
    ]
    .concat();
    let (mut decoder, mut links) = (Decoder::new(Mode::Survey), Vec::new());
    linkstream::drive(&mut decoder, &volume, |event, _, decoder| {
        if event == Event::Field {
            links.push(decoder.field().and_then(|field| field.links).map(|layout| layout.links));
        }
    })
    .expect("a survey");
    assert_eq!(links, [Some(4), None, Some(4)]);
}

#[test]
fn sets_of_qio_are_read_as_one_field() {
    let mut compared = 0;
    for (name, entries) in sets("qio") {
        let records = entries[0].1.logical_records();
        let set = read(&volumes(&entries), Counting::WithMap);
        let expected: &[&str] = if name.contains("append") { &["volume-site-list-repeated"] } else { &[] };
        for (volume, error) in &set.findings {
            assert!(expected.contains(&error.kind.rule()), "{name} {volume:?} {error}");
        }
        for (number, entry) in &entries {
            if let Some(hash) = &entry.sitelist_sha256 {
                let list: Vec<u8> =
                    set.lists[number].iter().flat_map(|rank| (*rank as u32).to_be_bytes()).collect();
                assert_eq!(&sha256(&list), hash, "{name} {number}");
            }
            if let Some(sites) = entry.sites_in_volume {
                assert_eq!(set.lists[number].len() as u64, sites, "{name} {number}");
            }
        }
        let first = &entries[0].1;
        if let Some(format) = first.volfmt {
            assert_eq!(set.format, Some(FORMATS[format as usize]), "{name}");
        }
        if !records.is_empty() && expected.is_empty() {
            let dims = first.dims.clone().expect("a lattice");
            compare(&name, &set, &records, &dims);
            compared += 1;
        }
        for field in set.fields.iter().filter(|_| expected.is_empty()) {
            assert!(field.verdict().is_match(), "{name}");
        }
    }
    assert!(compared >= 10, "{compared}");
}

#[test]
fn the_sums_show_the_same_without_a_map() {
    for (name, entries) in sets("qio").into_iter().filter(|(name, _)| !name.contains("append")) {
        let set = read(&volumes(&entries), Counting::WithoutMap);
        assert!(set.findings.is_empty(), "{name} {:?}", set.findings);
    }
}

/// The order of the volumes and their numbers do not matter.
#[test]
fn volumes_come_in_any_order() {
    let entries = &sets("qio")["multi/multi4.lime"];
    let mut files = volumes(entries);
    let expected = read(&files, Counting::WithMap);
    files.rotate_left(2);
    let set = read(&files, Counting::WithMap);
    assert_eq!(set.findings, []);
    for (a, b) in set.fields.iter().zip(&expected.fields) {
        assert_eq!((a.tally, &a.sites), (b.tally, &b.sites));
    }
}
