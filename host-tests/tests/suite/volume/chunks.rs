//! The decoder reports the same for any cut of a volume and any driver.

use host_tests::drive::Drive;
use linkstream::Mode;
use linkstream::Resumable as _;
use linkstream::field::{Field, FieldDocuments};
use linkstream::lattice::{Extents, Precision};
use linkstream::scidac::PrivateRecord;
use linkstream::volume::{Decoder, ErrorKind, Event, VolumeKind};
use linkstream::{Decode as _, Diagnostic as _, Error, Misuse, lime};

use crate::volume::broken::volume;
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
        match expected {
            Some(field) => decoder.expect_field(field),
            // Only a survey reads a volume without its fields.
            None if mode == Mode::Survey => {}
            None => decoder.expect_no_field(),
        }
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

/// Every intact volume is valid on its own. The data of a volume other than the first can only be checked with the
/// fields of the first, so that without these only survey mode reads them.
#[test]
fn a_volume_alone_is_valid_but_not_checked() {
    for (name, entries) in sets("qio").into_iter().filter(|(name, _)| !name.contains("append")) {
        for (number, bytes) in volumes(&entries) {
            for mode in MODES {
                let (mut decoder, mut findings) = (Decoder::new(mode), 0);
                let mut note = |event, _: &[u8], _: &Decoder| {
                    findings += usize::from(matches!(event, Event::Finding(_)));
                };
                let read = linkstream::drive(&mut decoder, &bytes, &mut note)
                    .and_then(|_| linkstream::finish(&mut decoder, &mut note));
                let unknown = decoder.kind() == Some(VolumeKind::Other) && mode != Mode::Survey;
                let misuse = read.err().map(|error| Error::from(error).kind.rule());
                assert_eq!(misuse, unknown.then_some("misuse"), "{name} {number} {mode:?}");
                assert!(mode != Mode::Survey || findings == 0, "{name} {number}");
            }
        }
    }
}

/// The error is at the data or, if the volume has none, at its end, in chunks of any size; and it does not change.
#[test]
fn fields_must_be_given() {
    let ranks = [0, 1, 2, 3];
    for (file, at) in [(volume(&ranks, &[&[7; 16]]), 160), (volume(&ranks, &[]), 160)] {
        for (mode, chunk) in [(Mode::Strict, 1), (Mode::Lenient, 7), (Mode::Strict, 1000)] {
            let mut decoder = Decoder::new(mode);
            let read = file
                .chunks(chunk)
                .try_for_each(|chunk| linkstream::drive(&mut decoder, chunk, |_, _, _| {}).map(drop))
                .and_then(|()| linkstream::finish(&mut decoder, |_, _, _| {}));
            let misuse = ErrorKind::Field(lime::ErrorKind::Misuse(Misuse::FieldsUnknown).into());
            assert_eq!(read, Err(Error::new(at, misuse).into()));
            assert_eq!(decoder.finish(), Err(Error::new(at, misuse)));
        }
    }
    // The decoder is unchanged, and reads on when it knows the fields.
    let lattice = Extents::new(&[4, 1]).expect("a lattice");
    let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32));
    let field = field.layout(&lattice).expect("a field");
    let file = volume(&ranks, &[&[7; 16]]);
    let (mut decoder, mut rest, mut refusals, mut data) = (Decoder::new(Mode::Strict), &file[..], 0, 0);
    loop {
        match decoder.push(rest) {
            Ok(step) => {
                data += if step.event == Some(Event::Data) { step.consumed } else { 0 };
                rest = &rest[step.consumed..];
                if step.event.is_none() {
                    break;
                }
            }
            Err(error) => {
                assert_eq!((error.at, error.kind.rule()), (160, "misuse"));
                refusals += 1;
                if refusals == 2 {
                    decoder = Decoder::load(&decoder.save().expect("usable")).expect("what was saved");
                    decoder.expect_field(&field);
                }
            }
        }
    }
    linkstream::finish(&mut decoder, |_, _, _| {}).expect("all data have come");
    assert_eq!((refusals, data), (2, 16));
    let mut decoder = Decoder::new(Mode::Strict);
    linkstream::drive(&mut decoder, &volume(&ranks, &[]), |_, _, _| {}).expect("a list");
    assert!(decoder.finish().is_err());
    decoder.expect_no_field();
    assert_eq!(decoder.finish(), Ok(None));
    // A volume that is known to have no data is read to its end.
    let file = volume(&ranks, &[]);
    let mut decoder = Decoder::new(Mode::Strict);
    decoder.expect_no_field();
    linkstream::drive(&mut decoder, &file, |_, _, _| {}).expect("a list");
    linkstream::finish(&mut decoder, |_, _, _| {}).expect("no data are expected");
    // Data are surplus then.
    let mut decoder = Decoder::new(Mode::Strict);
    decoder.expect_no_field();
    let surplus = linkstream::drive(&mut decoder, &volume(&ranks, &[&[7; 16]]), |_, _, _| {});
    assert_eq!(surplus, Err(Error::new(160, ErrorKind::RecordSurplus).into()));
}

/// A single file is refused at its file document, and data without a site list at their header.
#[test]
fn files_that_are_no_volumes_are_refused() {
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
    let data = lime::Header::new(b"scidac-binary-data", 4, true, true).expect("short");
    assert_eq!(error(data.as_bytes()), Error::new(0, ErrorKind::ListMissing));
    assert_eq!(ErrorKind::ListMissing.rule(), "volume-site-list-missing");
}
