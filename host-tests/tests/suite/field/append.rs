//! Appending to files of other programs: a logical file name in a message of its own (ILDG 1.2, note 4), and further
//! fields.

use crate::field::support::run::{Reported, Run};
use crate::field::write::refusals::{described, zeros};
use crate::sinks::{contents, disk};
use host_tests::fixtures::Fixtures;
use host_tests::manifest::{Entry, load_fields};
use linkstream::Encode as _;
use linkstream::conformance::{Decoder, ErrorKind, Event};
use linkstream::field::{EncodeErrorKind, Encoder, OutgoingMessage, Verdict};
use linkstream::ildg::{Format, GaugeKind};
use linkstream::io::{FieldWriter, Fill};
use linkstream::lattice::{Precision, Region};
use linkstream::scidac::{PrivateFile, PrivateRecord};
use linkstream::{Decode, Mode};

/// Reads a complete file, to append to it.
fn read(file: &[u8]) -> Decoder {
    let mut decoder = Decoder::new(Mode::Strict);
    let mut rest = file;
    loop {
        let step = decoder.push(rest).expect("a valid file");
        rest = &rest[step.consumed..];
        if step.event.is_none() {
            break;
        }
    }
    while decoder.finish().expect("a valid file").is_some() {}
    decoder
}

/// A writer that appends to `file`.
fn behind<'b>(file: &[u8], buffer: &'b mut [u8]) -> FieldWriter<crate::sinks::Disk, &'b mut [u8]> {
    let encoder = Encoder::after(&read(file)).expect("at the end");
    assert_eq!(encoder.position(), file.len() as u64);
    FieldWriter::with_encoder(disk(file.to_vec()), buffer, encoder)
}

fn right_files(fixtures: Fixtures) -> Vec<(Entry, Run)> {
    let whole = |entry: &Entry| entry.set.is_none() && !entry.path.ends_with(".nersc");
    let entries = load_fields(fixtures).into_iter().filter(whole);
    let runs = entries.map(|entry| {
        let run = Run::of(Mode::Strict, &entry.bytes(), 1 << 16);
        (entry, run)
    });
    // Other files can be read, but not in strict mode.
    runs.filter(|(entry, run)| run.error.is_none() && entry.bytes().len() % 8 == 0).collect()
}

/// Verifies that everything reported of the original file is reported again, followed by the new records.
fn goes_on(path: &str, before: &Run, file: &[u8], records: &[&[u8]], fields: usize) -> Run {
    let run = Run::clean(Mode::Strict, file, 4096, path);
    let (old, new) = run.records.split_at(before.records.len());
    assert!(
        old.iter().zip(&before.records).all(|(a, b)| a.payload == b.payload && a.kind == b.kind),
        "{path}"
    );
    assert!(new.iter().map(|record| record.kind.as_slice()).eq(records.iter().copied()), "{path}");
    assert!(new.first().is_some_and(|record| record.header.begin), "{path}: the record must begin a message");
    assert!(new.last().is_some_and(|record| record.header.end), "{path}");
    assert_eq!(run.fields.len(), before.fields.len() + fields, "{path}");
    for (now, then) in run.fields.iter().zip(&before.fields) {
        assert_eq!(now.verdict, then.verdict, "{path}");
        let bytes = |reported: &Reported| {
            reported.sites.iter().flat_map(|site| site.bytes.clone()).collect::<Vec<_>>()
        };
        assert!(bytes(now) == bytes(then), "{path}");
    }
    run
}

fn a_logical_file_name_is_appended_to_every_file_of(fixtures: Fixtures) -> (u32, u32) {
    let (mut appended, mut refused) = (0, 0);
    for (entry, before) in right_files(fixtures) {
        let (file, path) = (entry.bytes(), entry.path.as_str());
        let mut buffer = [0; 512];
        let mut writer = behind(&file, &mut buffer);
        let has_name = before.records.iter().any(|record| record.kind == b"ildg-data-lfn");
        let message = OutgoingMessage::lfn("lfn://example/appended");
        let done = writer.write_message(&message);
        if has_name {
            let Err(linkstream::io::WriteError::Refused(EncodeErrorKind::LfnRepeated)) = done else {
                panic!("{path}: {done:?}")
            };
            assert!(contents(writer.into_parts().0) == file, "{path}: untouched");
            refused += 1;
            continue;
        }
        done.unwrap_or_else(|error| panic!("{path}: {error}"));
        // A second one is refused.
        assert!(writer.write_message(&message).is_err(), "{path}");
        let written = contents(writer.finish().expect("complete"));
        let run = goes_on(path, &before, &written, &[b"ildg-data-lfn"], 0);
        assert!(!run.findings.iter().any(|finding| finding.kind == ErrorKind::LfnMissing), "{path}");
        appended += 1;
    }
    (appended, refused)
}

#[test]
fn a_logical_file_name_is_appended_to_every_file() {
    let (appended, refused) = a_logical_file_name_is_appended_to_every_file_of(Fixtures::Ours);
    assert!(appended > 40 && refused >= 5, "{appended} appended, {refused} refused");
}

fn further_fields_are_appended_to_every_file_of(fixtures: Fixtures) -> (u32, u32) {
    let (mut scidac, mut ildg) = (0, 0);
    for (entry, before) in right_files(fixtures) {
        let (file, path) = (entry.bytes(), entry.path.as_str());
        let mut buffer = [0; 4096];
        let mut writer = behind(&file, &mut buffer);
        let mut records: Vec<&[u8]> = Vec::new();
        let lattice = before.records.iter().find(|record| record.kind == b"scidac-private-file-xml");
        let record = described(&PrivateRecord::new(&Region::Lattice), "QDP_F_Real", "F", 4);
        let message = OutgoingMessage::scidac(&record, b"appended");
        let sum = match lattice {
            Some(lattice) => {
                let extents = PrivateFile::parse(&lattice.payload).expect("read before").extents();
                let again = PrivateFile::new(&extents.expect("read before"));
                assert!(
                    writer.write_message(&OutgoingMessage::file(&again, b"")).is_err(),
                    "{path}: a second file message must be refused"
                );
                writer.write(&message, Fill::sites(|site| site.put(&[site.rank() as f32]))).expect(path);
                records.extend([
                    &b"scidac-private-record-xml"[..],
                    b"scidac-record-xml",
                    b"scidac-binary-data",
                    b"scidac-checksum",
                ]);
                scidac += 1;
                writer.encoder().checksum()
            }
            None => {
                assert!(writer.begin(&message).is_err(), "{path}: a field without a lattice must be refused");
                None
            }
        };
        // No fixture has a field of this kind, so that an update number is required only if other fields have one.
        let format =
            Format::new(GaugeKind::parse(b"so2gauge").expect("a kind"), Precision::F64, [2, 1, 1, 3]);
        let message = OutgoingMessage::ildg(&format).with_update("4711");
        writer.write(&message, Fill::sites(zeros)).expect(path);
        assert!(
            writer.begin(&OutgoingMessage::ildg(&format)).is_err(),
            "{path}: a field without update must be refused"
        );
        records.extend([&b"ildg-format"[..], b"ildg-update", b"ildg-binary-data"]);
        ildg += 1;
        let written = contents(writer.finish().expect("complete"));
        let run = goes_on(path, &before, &written, &records, if lattice.is_some() { 2 } else { 1 });
        if let Some(sum) = sum {
            let reported = &run.fields[before.fields.len()];
            assert_eq!(reported.verdict, Some(Verdict::Match { stored: sum, computed: sum }), "{path}");
            assert!(
                reported.sites.iter().all(|site| site.bytes == (site.rank as f32).to_be_bytes()),
                "{path}"
            );
        }
    }
    (scidac, ildg)
}

#[test]
fn further_fields_are_appended_to_every_file() {
    let (scidac, ildg) = further_fields_are_appended_to_every_file_of(Fixtures::Ours);
    assert!(scidac > 40 && ildg > 45, "{scidac}, {ildg}");
}

/// Appending requires a complete record; anywhere else, the rest of the file is unknown.
#[test]
fn nothing_is_appended_inside_of_a_record() {
    let format = Format::new(GaugeKind::SU3, Precision::F32, [2, 1, 1, 1]);
    let mut buffer = [0; 512];
    let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer, Encoder::new());
    writer.write(&OutgoingMessage::ildg(&format).with_checksum(true), Fill::sites(zeros)).expect("legal");
    let file = contents(writer.into_parts().0);
    let ends: Vec<usize> = host_tests::oracle::records(&file)
        .iter()
        .map(|record| (record.payload_offset + record.length).next_multiple_of(8) as usize)
        .collect();
    for cut in 0..=file.len() {
        let mut decoder = Decoder::new(Mode::Strict);
        let mut rest = &file[..cut];
        loop {
            let step = decoder.push(rest).expect("a valid file");
            rest = &rest[step.consumed..];
            if step.event.is_none() {
                break;
            }
            assert_ne!(step.event, Some(Event::Finding(linkstream::Error::new(0, ErrorKind::LfnMissing))));
        }
        let encoder = Encoder::after(&decoder);
        assert_eq!(encoder.is_some(), cut == 0 || ends.contains(&cut), "{cut}");
        assert!(encoder.is_none_or(|encoder| encoder.position() == cut as u64), "{cut}");
    }
}

#[test]
fn nothing_is_appended_to_one_volume_of_a_set() {
    for (volfmt, is_single) in [(0, true), (1, false), (2, false), (3, false)] {
        let document = format!(
            "<scidacFile><version>1.1</version><spacetime>1</spacetime><dims>4 </dims><volfmt>{volfmt}</volfmt></scidacFile>"
        );
        let records = [("scidac-private-file-xml", document.as_str()), ("scidac-file-xml", "volume")];
        let message = records.map(|(kind, payload)| (kind.as_bytes().to_vec(), payload.as_bytes().to_vec()));
        let file = crate::field::support::build::of_messages(&[message.to_vec()]);
        let mut decoder = Decoder::new(Mode::Survey);
        let mut rest = file.as_slice();
        while !rest.is_empty() {
            rest = &rest[decoder.push(rest).expect("survey mode continues").consumed..];
        }
        while decoder.finish().expect("survey mode continues").is_some() {}
        assert_eq!(Encoder::after(&decoder).is_some(), is_single, "volfmt {volfmt}");
    }
}

host_tests::of_other_projects! {
    fn a_logical_file_name_is_appended_to_every_file() {
        assert_eq!(a_logical_file_name_is_appended_to_every_file_of(Fixtures::OfOthers), (3, 1));
    }

    fn further_fields_are_appended_to_every_file() {
        assert_eq!(further_fields_are_appended_to_every_file_of(Fixtures::OfOthers), (3, 4));
    }
}
