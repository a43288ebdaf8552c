//! Saved states are the bytes in `golden.txt`, so that the layout cannot change without a new version.
//!
//! After a change of a layout: raise `VERSION` in `codec/src/saved/state.rs`, then write the file again with
//! `LINKSTREAM_WRITE_STATES=1 cargo test -p host-tests --test suite states::golden`. A state that differs but has the
//! version of the file is never written.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::{env, fs};

use crate::milc::support::{LIST, good};
use crate::nersc::support::{LINES, file as archive};
use crate::states::decoders::{file, matrix, read};
use linkstream::field::{FieldDocuments, OutgoingMessage};
use linkstream::inebin::{Entries, MatrixType};
use linkstream::lattice::{ByteOrder, Extents, Precision};
use linkstream::scidac::{PrivateRecord, RecordData};
use linkstream::volume::{EntryWidth, SiteStream, VolumeKind};
use linkstream::{
    Encode as _, Mode, Resumable, State, conformance, field, inebin, lime, milc, nersc, scda, volume,
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/states/golden.txt");

/// States by the name of their type and what has been done.
type States = BTreeMap<String, Vec<u8>>;

fn put<T: Resumable>(states: &mut States, name: &str, state: State<T>) {
    assert_eq!(states.insert(name.to_owned(), state.as_bytes().to_vec()), None, "{name} twice");
}

fn decoders(states: &mut States) {
    let file = file();
    for (what, place) in [("in a document", 600), ("in the data", 2300)] {
        let decoder = read(lime::Decoder::new(Mode::Survey), &file[..place]);
        put(states, &format!("lime::Decoder {what}"), decoder.save().expect("sound"));
        let decoder = read(field::Decoder::new(Mode::Lenient), &file[..place]);
        put(states, &format!("field::Decoder {what}"), decoder.save().expect("sound"));
        let decoder = read(conformance::Decoder::new(Mode::Strict), &file[..place]);
        if let Some(boundaries) = conformance::Boundaries::of(decoder.content()) {
            put(states, &format!("conformance::Boundaries {what}"), boundaries.save());
        }
        put(states, &format!("conformance::Decoder {what}"), decoder.save().expect("sound"));
    }
    let decoder = read(volume::Decoder::new(Mode::Survey), &file[..144]);
    put(states, "volume::Decoder after a header", decoder.save().expect("sound"));
    let archive = archive(&LINES);
    for (what, place) in [("in a line", 40), ("in the data", archive.len() - 9)] {
        let decoder = read(nersc::Decoder::new(Mode::Survey), &archive[..place]);
        put(states, &format!("nersc::Decoder {what}"), decoder.save().expect("sound"));
    }
    let links = good(Some(&LIST), false);
    for (what, place) in [("in the site list", 90), ("in the data", links.len() - 9)] {
        let decoder = read(milc::Decoder::new(Mode::Survey), &links[..place]);
        put(states, &format!("milc::Decoder {what}"), decoder.save().expect("sound"));
    }
    let (header, matrix) = matrix(MatrixType::Complex, 2, 2);
    let decoder = read(inebin::Decoder::new(Mode::Lenient), &matrix[..21]);
    put(states, "inebin::Decoder in the data", decoder.save().expect("sound"));
    let mut entries = Entries::<inebin::Complex>::new(&header).expect("of this type");
    entries.feed(&matrix[16..37], |_| {}).expect("not more than there are");
    put(states, "inebin::Entries in an entry", entries.save());
}

fn sections(states: &mut States) {
    let mut encoder = scda::Encoder::new(scda::Style::Mime);
    let mut file = encoder.header(b"vendor", b"user").expect("first").to_vec();
    file.extend_from_slice(encoder.varray(b"v", 2.into()).expect("legal"));
    file.extend_from_slice(&encoder.size(3).expect("expected"));
    put(states, "scda::Encoder among sizes", encoder.save());
    let decoder = read(scda::PlainDecoder::new(Mode::Survey), &file);
    put(states, "scda::PlainDecoder among sizes", decoder.save().expect("sound"));

    let mut encoder = scda::Encoder::new(scda::Style::Unix);
    let mut file = encoder.header(b"vendor", b"user").expect("first").to_vec();
    file.extend_from_slice(encoder.compressed_varray(2.into()).expect("legal"));
    file.extend_from_slice(&encoder.uncompressed(1).expect("expected"));
    put(states, "scda::Encoder among sizes before compression", encoder.save());
    file.extend_from_slice(b"U 1 ---");
    let decoder = read(scda::Decoder::new(Mode::Survey, true), &file);
    put(states, "scda::Decoder in an entry", decoder.save().expect("sound"));
}

fn encoders(states: &mut States) {
    let mut encoder = lime::Encoder::new();
    encoder.begin(&lime::Header::new(b"type", 100, true, false).expect("short")).expect("first");
    encoder.payload(10).expect("there is room");
    encoder.seek(40).expect("inside");
    encoder.payload(5).expect("there is room");
    put(states, "lime::Encoder in two pieces", encoder.save());

    let mut encoder = field::Encoder::new();
    let _ = encoder.begin(&OutgoingMessage::foreign(b"own", b"payload"), &mut [0; 64]).expect("legal");
    put(states, "field::Encoder in a record", encoder.save());
    put(states, "volume::Encoder new", volume::Encoder::new(VolumeKind::First, 4, 7).save());

    let lattice = Extents::new(&[4, 2]).expect("small");
    let data = RecordData { typesize: 1, datacount: 1, ..RecordData::default() };
    let record =
        PrivateRecord::new(&linkstream::lattice::Region::Lattice).with_data(data).expect("they agree");
    let described = FieldDocuments::scidac(record).layout(&lattice).expect("described");
    let mut stream = SiteStream::new(&described, EntryWidth::Bits32);
    let _ = stream.push(&[0, 0, 0, 5, 0, 0], &[]);
    put(states, "volume::SiteStream after a site", stream.save());

    let (header, _) = matrix(MatrixType::Boolean, 3, 5);
    let mut encoder = inebin::Encoder::new(&header);
    assert_eq!(encoder.encode(&mut [true; 10].into_iter(), &mut [0; 1]), Ok(1));
    put(states, "inebin::Encoder in a byte", encoder.save());

    let extents = Extents::new(&[1, 2, 1, 1]).expect("small");
    let header = nersc::Header::new(extents, Precision::F32, nersc::StoredRows::Reduced, ByteOrder::Big)
        .expect("four");
    let mut encoder = nersc::Encoder::new(&header, 300).expect("small");
    encoder.put(&[7; 3]).expect("there is room");
    put(states, "nersc::Encoder in the data", encoder.save());
}

fn now() -> States {
    let mut states = States::new();
    decoders(&mut states);
    sections(&mut states);
    encoders(&mut states);
    states
}

/// The second byte of a state is its version.
const fn version(state: &[u8]) -> u8 {
    state[1]
}

/// A line for each state: its name, and its bytes in hexadecimal, more than four zeros as their number in parentheses.
fn text(states: &States) -> String {
    let mut text = String::new();
    for (name, state) in states {
        let _ = write!(text, "{name}: ");
        let mut rest = &state[..];
        while let Some((first, after)) = rest.split_first() {
            let zeros = rest.iter().take_while(|byte| **byte == 0).count();
            rest = if zeros > 4 {
                let _ = write!(text, "({zeros})");
                &rest[zeros..]
            } else {
                let _ = write!(text, "{first:02x}");
                after
            };
        }
        text.push('\n');
    }
    text
}

/// The version in a line of [`text`].
fn version_in(line: &str) -> Option<u8> {
    u8::from_str_radix(line.split_once(": ")?.1.get(2..4)?, 16).ok()
}

#[test]
fn states_belong_to_this_version() {
    let (states, committed) = (now(), fs::read_to_string(FILE).unwrap_or_default());
    let text = text(&states);
    let of =
        |name: &str| committed.lines().find(|line| line.split_once(": ").is_some_and(|(own, _)| own == name));
    for (line, (name, state)) in text.lines().zip(&states) {
        if let Some(before) = of(name).filter(|before| *before != line) {
            assert_ne!(
                version_in(before),
                Some(version(state)),
                "the layout of {name} has changed: raise VERSION in codec/src/saved/state.rs, then see {FILE}"
            );
        }
    }
    if env::var_os("LINKSTREAM_WRITE_STATES").is_some() {
        fs::write(FILE, &text).expect("writable");
    } else {
        assert!(text == committed, "{FILE} is not that of this version: LINKSTREAM_WRITE_STATES=1 writes it");
    }
}

/// Each type that can be saved has a line.
#[test]
fn every_type_with_a_state_is_listed() {
    let states = now();
    let tags: std::collections::BTreeSet<u8> = states.values().map(|state| state[0]).collect();
    let mut types: Vec<&str> = states.keys().filter_map(|name| name.split(' ').next()).collect();
    types.dedup();
    assert_eq!(tags.len(), types.len(), "two types have the same tag");
    let codec = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../codec/src");
    let declared: usize = crate::examples::rust_files(&codec)
        .iter()
        .map(|file| fs::read_to_string(file).expect("readable"))
        .map(|source| {
            let begins = |line: &&str| {
                ["decoder!(", "nested_decoder!(", "saved_encoder!(", "resumable!("]
                    .iter()
                    .any(|name| line.starts_with(name))
            };
            source.lines().filter(begins).count()
        })
        .sum();
    assert_eq!(types.len(), declared, "{types:?}: a type with a state is missing in states/golden.rs");
}
