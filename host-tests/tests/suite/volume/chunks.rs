//! The decoder reports the same for any cut of a volume and any driver.

use host_tests::drive::Drive;
use linkstream::Mode;
use linkstream::field::Field;
use linkstream::volume::{Decoder, ErrorKind, Event};
use linkstream::{Decode as _, Diagnostic as _, Error};

use crate::volume::support::{Counting, Volume, read, sets, volumes};

const MODES: [Mode; 3] = [Mode::Strict, Mode::Lenient, Mode::Survey];

fn restored(decoder: Decoder) -> Decoder {
    let saved = decoder.save().expect("a decoder without an error can be saved");
    let restored = Decoder::load(&saved).expect("what was saved can be loaded");
    assert_eq!(restored.save(), Ok(saved));
    restored
}

const fn is_payload(event: &Event) -> bool {
    matches!(event, Event::Payload | Event::Data | Event::SiteList)
}

fn note(decoder: &Decoder, _: &Event) -> Vec<u8> {
    let field = decoder.field().map(|field| (field.record, field.sites()));
    format!("{:?} {:?} {:?}", decoder.kind(), field, decoder.entry_width()).into_bytes()
}

fn agree(bytes: &[u8], expected: Option<&Field>, what: &str) {
    for mode in MODES {
        let mut decoder = Decoder::new(mode);
        expected.iter().for_each(|field| decoder.expect_field(field));
        let cuts: Vec<usize> = (1..bytes.len()).filter(|at| *at < 1200 || at % 997 == 0).collect();
        let drive = Drive::new(&decoder, bytes, is_payload).noting(note);
        drive.agree(&format!("{what} {mode:?}"), &cuts, restored);
    }
}

/// Volumes with the descriptions of the first one, and on their own.
fn agree_set(name: &str, volumes: &[Volume]) {
    let fields = read(volumes, Counting::WithMap).fields;
    for (number, bytes) in volumes {
        agree(bytes, fields.first().map(|field| &field.field), &format!("{name} {number}"));
        agree(bytes, None, &format!("{name} {number} alone"));
    }
}

#[test]
fn sets_of_qio() {
    for name in ["multi/multi3_uneven.lime", "multi/part3_uneven.lime", "quirks/part2_append.lime"] {
        agree_set(name, &volumes(&sets("qio")[name]));
    }
}

#[test]
fn broken_sets() {
    for (name, entries) in sets("broken") {
        agree_set(&name, &volumes(&entries));
    }
}

/// Every intact volume is valid on its own, whether or not it is the first.
#[test]
fn a_volume_alone_is_sound() {
    for (name, entries) in sets("qio").into_iter().filter(|(name, _)| !name.contains("append")) {
        for (number, bytes) in volumes(&entries) {
            let mut decoder = Decoder::new(Mode::Strict);
            linkstream::drive(&mut decoder, &bytes, |_, _, _| {})
                .unwrap_or_else(|e| panic!("{name} {number}: {e}"));
            linkstream::finish(&mut decoder, |_, _, _| {}).unwrap_or_else(|e| panic!("{name} {number}: {e}"));
        }
    }
}

/// A single file is refused at its file document, and data without a site list at their header.
#[test]
fn what_is_no_volume() {
    let files = host_tests::manifest::load(host_tests::fixtures::Fixtures::Ours, "qio");
    let file = |path: &str| files.iter().find(|entry| entry.path == path).expect("listed").bytes();
    let error = |bytes: &[u8]| -> Error<ErrorKind> {
        let mut decoder = Decoder::new(Mode::Survey);
        let mut rest = bytes;
        loop {
            match decoder.push(rest) {
                Ok(step) => rest = &rest[step.consumed..],
                Err(error) => return error,
            }
        }
    };
    assert_eq!(error(&file("single/real_f_4x4x4x8.lime")), Error::new(144, ErrorKind::SingleFile));
    let data = linkstream::lime::Header::new(b"scidac-binary-data", 4, true, true).expect("short");
    assert_eq!(error(data.as_bytes()), Error::new(0, ErrorKind::ListMissing));
    assert_eq!(ErrorKind::ListMissing.rule(), "volume-site-list-missing");
}
