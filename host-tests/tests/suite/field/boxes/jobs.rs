//! `FieldWriter`, `FieldReader` and `BoxReader` with boxes.

use super::positioned::Memory;
use super::support::{Case, cases, checkerboard, cube, grid, grids, lattice, part};
use crate::sinks::{Fault, disk};
use embedded_io::ErrorKind;
use linkstream::field::{BoxError, BoxPart, EncodeErrorKind, Encoder, Form, OutgoingMessage, SiteError};
use linkstream::ildg::GaugeKind;
use linkstream::io::{BoxReader, FieldError, FieldReader, FieldWriter, Positioned, ReadError, WriteError};
use linkstream::lattice::{Checksum, Hypercube, Precision, SiteOrder};
use linkstream::scidac::{PrivateFile, PrivateRecord};
use linkstream::{CallbackError, Mode};

const EXTENTS: [u32; 4] = [2, 3, 1, 3];

/// The numbers of a part in memory, in stored order.
fn numbers(case: &Case, part: &BoxPart) -> Vec<f64> {
    let mut site = match part.first_site() {
        Some(site) => site,
        None => return Vec::new(),
    };
    (0..part.box_sites())
        .flat_map(|_| {
            let numbers = case.site(site.rank());
            site.step();
            numbers
        })
        .collect()
}

/// Writes a field by the processes of a grid, each with a buffer of this length. Returns the numbers of writes.
fn written(case: &Case, processes: &[u32; 4], buffer: usize, sink: &Memory, places: bool) -> Vec<usize> {
    let private = PrivateFile::new(&case.lattice);
    let title = OutgoingMessage::file(&private, b"boxes");
    let message = case.message();
    let mut counts = Vec::new();
    let boxes = grid(&EXTENTS, processes);
    let mut writers: Vec<_> = (0..boxes.len())
        .map(|q| FieldWriter::part(sink.clone(), vec![0; buffer], Encoder::new(), q == 0))
        .collect();
    for (writer, cube) in writers.iter_mut().zip(&boxes) {
        let before = sink.calls.borrow().len();
        if case.has_file() {
            writer.message(&title).expect("memory does not fail");
        }
        writer.begin(&message).expect("memory does not fail");
        let part = part(writer.encoder().field().expect("a field"), *cube);
        let stored = numbers(case, &part);
        if places {
            let count = case.count();
            let mut placed = vec![0.0; stored.len()];
            let mut site = part.first_site();
            for numbers in stored.chunks(count) {
                let site = site.as_mut().expect("a site");
                placed[checkerboard(&part, site) * count..][..count].copy_from_slice(numbers);
                site.step();
            }
            let place = |site: &SiteOrder| checkerboard(&part, site);
            writer.box_from_places(*cube, &placed, place).expect("memory does not fail");
        } else {
            writer.box_from(*cube, &stored).expect("memory does not fail");
        }
        counts.push(sink.calls.borrow().len() - before);
    }
    let sums: Vec<_> =
        writers.iter().map(|writer| writer.encoder().checksum().expect("of the box")).collect();
    for (q, mut writer) in writers.into_iter().enumerate() {
        let others = sums.iter().enumerate().filter(|(other, _)| *other != q);
        let others = others.fold(Checksum::default(), |sum, (_, other)| sum.combine(*other));
        let before = sink.calls.borrow().len();
        writer.end_with(&message, others).expect("memory does not fail");
        counts[q] += sink.calls.borrow().len() - before;
        writer.finish().expect("complete");
    }
    counts
}

#[test]
fn every_grid_writes_the_file_of_one_process() {
    for case in cases(&EXTENTS) {
        let (serial, site) = (case.serial(), case.layout().bytes_per_site as usize);
        for (processes, i) in grids(&EXTENTS).iter().zip(0..) {
            let (mut sink, buffer) = (Memory::default(), 512.max(site) + i % 3 * 1000);
            sink.most = [0, 0, 100][i % 3];
            written(&case, processes, buffer, &sink, i % 2 == 0);
            assert!(sink.contents() == serial, "{} on {processes:?}", case.name);
        }
    }
}

/// Three writes for documents and one for each run: besides the data, only the root writes.
#[test]
fn documents_take_three_writes() {
    let cases = cases(&EXTENTS);
    let case = cases.iter().find(|case| case.name == "both").expect("in the table");
    let sink = Memory::default();
    assert_eq!(written(case, &[1, 1, 1, 1], 1 << 16, &sink, false), [3 + 1]);
    let sink = Memory::default();
    // Two processes in x: a run for each site.
    assert_eq!(written(case, &[2, 1, 1, 1], 4096, &sink, false), [3 + 9, 9]);
    let sink = Memory::default();
    assert_eq!(written(case, &[1, 1, 1, 3], 4096, &sink, false), [3 + 1, 1, 1]);
    // With the smallest buffer, documents are still the same bytes.
    let small = Memory::default();
    written(case, &[1, 1, 1, 3], 512, &small, false);
    assert_eq!(small.contents(), sink.contents());
}

#[test]
fn planned_fields_of_boxes() {
    let extents = lattice(&[4, 2, 2, 2]);
    let links: Vec<f32> = (0..32 * 72).map(|n| n as f32).collect();
    let mut serial = Vec::new();
    let mut writer =
        FieldWriter::create(linkstream::io::FromStd(&mut serial), vec![0; 4096], extents).expect("room");
    writer.set_title("an ensemble").expect("in time");
    let su3 = GaugeKind::SU3;
    writer.gauge_field_from(su3, Precision::F32, Form::Both, &links).expect("memory does not fail");
    writer.scidac_field_from(PrivateRecord::real_field(Precision::F64), &links[..32]).expect("memory");
    writer.finish().expect("complete");

    let sink = Memory::default();
    let boxes = [
        Some(cube(&[0; 4], &[2, 1, 1, 1], &extents)),
        None,
        Some(cube(&[3, 0, 0, 0], &[3, 1, 1, 1], &extents)),
    ];
    let mut writers: Vec<_> = (0..3)
        .map(|q| FieldWriter::create_part(sink.clone(), vec![0; 4096], extents, q == 2).expect("room"))
        .collect();
    let of_box = |cube: &Option<Hypercube>, count: usize| -> Vec<f32> {
        let inside = |rank: &usize| {
            let site = extents.coordinates(*rank as u64).expect("inside");
            cube.is_some_and(|cube| cube.contains(&site))
        };
        (0..32).filter(inside).flat_map(|rank| links[rank * count..][..count].to_vec()).collect()
    };
    for round in 0..2 {
        let documents: Vec<_> = writers
            .iter_mut()
            .zip(&boxes)
            .map(|(writer, cube)| {
                if round == 0 {
                    writer.set_title("an ensemble").expect("in time");
                    writer.gauge_field_box_from(su3, Precision::F32, Form::Both, *cube, &of_box(cube, 72))
                } else {
                    let record = PrivateRecord::real_field(Precision::F64);
                    writer.scidac_field_box_from(record, *cube, &of_box(cube, 1))
                }
                .expect("memory does not fail")
            })
            .collect();
        let sums: Vec<_> = writers.iter().map(|writer| writer.encoder().checksum().expect("a box")).collect();
        for (q, (writer, documents)) in writers.iter_mut().zip(&documents).enumerate() {
            let others = sums[(q + 1) % 3].combine(sums[(q + 2) % 3]);
            writer.end_part(documents, others).expect("memory does not fail");
        }
    }
    writers.into_iter().for_each(|writer| drop(writer.finish().expect("complete")));
    assert!(sink.contents() == serial);
}

type Refused = CallbackError<WriteError<Fault, EncodeErrorKind>, BoxError>;

/// A box is written once for each field, before other data; what is refused writes nothing and changes nothing.
#[test]
fn boxes_in_the_wrong_place() {
    let case = &cases(&[2, 2, 2, 2])[5];
    let (mut buffer, sink) = ([0; 512], Memory::default());
    let all = Some(cube(&[0; 4], &[1; 4], &case.lattice));
    let private = PrivateFile::new(&case.lattice);
    let mut writer = FieldWriter::part(sink.clone(), &mut buffer[..], Encoder::new(), true);
    let kind = |kind| Err(Refused::Failed(WriteError::Refused(kind)));
    assert_eq!(writer.box_from(all, &[0.0; 32]), kind(EncodeErrorKind::NoData));
    writer.message(&OutgoingMessage::file(&private, b"")).expect("memory does not fail");
    writer.begin(&case.message()).expect("memory does not fail");
    let (before, calls) = (writer.encoder().clone(), sink.calls.borrow().len());
    let wrong = |error: BoxError| Err(Refused::Callback(error));
    let length = BoxError::Site(SiteError::Length { needed: 256, given: 248 });
    assert_eq!(writer.box_from(all, &[0.0; 31]), wrong(length));
    let outside = cube(&[0; 4], &[2, 1, 1, 1], &lattice(&[3, 2, 2, 2]));
    let refused = writer.box_from(Some(outside), &[0.0; 24]);
    assert_eq!(refused, wrong(BoxError::Cube(linkstream::lattice::HypercubeError::Outside)));
    assert_eq!((writer.encoder(), sink.calls.borrow().len()), (&before, calls), "nothing is changed");
    let place = |site: &SiteOrder| 1 + site.done() as usize;
    let error = BoxError::NoSuchPlace { rank: 15, place: 16, places: 16 };
    assert_eq!(writer.box_from_places(all, &[0.5; 32], place), wrong(error));
    assert_eq!(writer.encoder(), &before);

    writer.box_from(all, &[0.5; 32]).expect("repeated with the right slice");
    assert_eq!(writer.box_from(all, &[0.5; 32]), kind(EncodeErrorKind::NoData));
    let refused = |kind| Err(WriteError::Refused(kind));
    assert_eq!(writer.data(&[0; 8]), refused(EncodeErrorKind::NoData));
    assert_eq!(writer.seek(0), refused(EncodeErrorKind::NoData));
    assert_eq!(writer.end(&case.message()), refused(EncodeErrorKind::OthersMissing));
    assert_eq!(writer.complete(), refused(EncodeErrorKind::MessageOpen));
    // The state can be saved here, too.
    let (sink, encoder) = writer.into_parts();
    let mut loaded = Encoder::load(&encoder.save()).expect("a state of an encoder");
    assert_eq!(loaded, encoder);
    let begun = loaded.resume(&case.message(), &mut [0; 512]).expect("the same message");
    assert_eq!(loaded.next(&begun, &mut [0; 512]), Err(EncodeErrorKind::OthersMissing));
    assert_eq!(loaded.stage(&begun, &mut [0; 512]), Err(EncodeErrorKind::OthersMissing));
    assert_eq!(loaded.missing(), 0);
    let mut buffer = [0; 512];
    let mut writer = FieldWriter::part(sink, &mut buffer[..], loaded, true);
    writer.end_with(&case.message(), Checksum::default()).expect("memory does not fail");
    assert_eq!(
        writer.end_with(&case.message(), Checksum::default()),
        Err(WriteError::Refused(EncodeErrorKind::NoData))
    );
    // After data in pieces, a box could overlap them.
    let sink = Memory::default();
    let mut buffer = [0; 512];
    let mut writer = FieldWriter::part(sink, &mut buffer[..], Encoder::new(), true);
    writer.message(&OutgoingMessage::file(&private, b"")).expect("memory does not fail");
    writer.begin(&case.message()).expect("memory does not fail");
    writer.data(&[0; 3]).expect("memory does not fail");
    assert_eq!(writer.box_from(all, &[0.0; 32]), kind(EncodeErrorKind::SitesRepeated));
}

#[test]
fn a_sink_that_fails_at_any_write() {
    let case = &cases(&EXTENTS)[3];
    let halves = grid(&EXTENTS, &[2, 1, 1, 1]);
    for fails in 0..14 {
        let sink = Memory::default().failing(fails);
        let mut writer = FieldWriter::part(sink.clone(), vec![0; 4096], Encoder::new(), true);
        let private = PrivateFile::new(&case.lattice);
        let failed = (|| {
            writer.message(&OutgoingMessage::file(&private, b"boxes"))?;
            writer.begin(&case.message())?;
            let part = part(writer.encoder().field().expect("a field"), halves[0]);
            writer.box_from(halves[0], &numbers(case, &part)).map_err(|error| match error {
                CallbackError::Failed(error) => error,
                CallbackError::Callback(error) => panic!("{error}"),
            })?;
            writer.end_with(&case.message(), Checksum::default())
        })();
        if fails < 12 {
            assert_eq!(failed, Err(WriteError::Io(Fault(ErrorKind::Other))));
            assert_eq!(writer.box_from(None, &[0.0_f32; 0]), Err(Refused::Failed(WriteError::Broken)));
        } else {
            assert_eq!(failed, Ok(()));
        }
    }
}

/// Every grid reads back its numbers through both readers, and the sum of all boxes is verified.
#[test]
fn boxes_are_read_and_verified() {
    for case in cases(&EXTENTS) {
        let (file, site) = (case.serial(), case.layout().bytes_per_site as usize);
        for (processes, i) in grids(&EXTENTS).iter().zip(0..).step_by(3) {
            let buffer = vec![0; 2 * site * (1 + i % 4)];
            let mut reader = FieldReader::new(disk(Vec::new()), vec![0; 8192]);
            assert!(reader.next_field().expect("an empty file").is_none());
            let mut source = std::io::Cursor::new(&file);
            let mut reader = FieldReader::new(linkstream::io::FromStd(&mut source), buffer);
            let mut field = reader.next_field().expect("legal").expect("a field");
            let layout = *field.layout().expect("described");
            let mut memory = Memory::new(&file);
            memory.most = [0, 0, 7][i % 3];
            let mut boxes = BoxReader::new(memory, vec![0; site * (1 + i % 4)]);
            let mut sum = Checksum::default();
            for cube in grid(&EXTENTS, processes) {
                let part = part(&layout, cube);
                let expected = numbers(&case, &part);
                let mut found = vec![0.0; expected.len()];
                let checksum = boxes.read_into(&part, &mut found).expect("legal");
                assert_eq!(found, expected);
                found.fill(0.0);
                assert_eq!(
                    boxes.read_to(&part, |site| site.done() as usize, &mut found).expect("legal"),
                    checksum
                );
                assert_eq!(found, expected);
                sum = sum.combine(checksum);
                let Some(cube) = cube else { continue };
                let mut found = vec![0.0_f32; expected.len()];
                assert_eq!(field.read_box_into(cube, &mut found).expect("legal"), checksum);
                assert!(found.iter().zip(&expected).all(|(found, expected)| f64::from(*found) == *expected));
                let mut placed = vec![0.0_f32; expected.len()];
                let place = |site: &SiteOrder| checkerboard(&part, site);
                assert_eq!(field.read_box_to(cube, place, &mut placed).expect("legal"), checksum);
                let (count, mut site) = (case.count(), part.first_site());
                for found in found.chunks(count) {
                    let site = site.as_mut().expect("a site");
                    assert_eq!(placed[place(site) * count..][..count], *found);
                    site.step();
                }
            }
            field.verify_sum(sum).expect("legal").require_match().expect("the sum of the file");
            assert!(matches!(field.verify_sum(sum), Err(FieldError::AlreadyRead)));
            assert!(reader.next_field().expect("legal").is_none());
        }
    }
}

/// After boxes, the field can be read as usual; a wrong sum is a mismatch.
#[test]
fn boxes_leave_the_field_unread() {
    let case = &cases(&EXTENTS)[5];
    // The file begins inside the source.
    let file = [&b"something else"[..], &case.serial()].concat();
    let all = cube(&[0; 4], &EXTENTS.map(|extent| extent - 1), &case.lattice);
    let open = || {
        let mut source = std::io::Cursor::new(file.clone());
        source.set_position(14);
        FieldReader::with_mode(linkstream::io::FromStd(source), vec![0; 64], Mode::Survey)
    };
    let mut numbers = [0.0_f64; 36];
    let mut reader = open();
    let mut field = reader.next_field().expect("legal").expect("a field");
    let sum = field.read_box_into(all, &mut numbers).expect("legal");
    let mut again = [0.0_f64; 36];
    field.read_into(&mut again).expect("legal").require_match().expect("a checksum");
    assert_eq!(numbers, again);
    // Also after the data have been read.
    assert_eq!(field.read_box_into(all, &mut again).expect("legal"), sum);
    assert!(reader.next_field().expect("legal").is_none());

    let mut reader = open();
    let mut field = reader.next_field().expect("legal").expect("a field");
    let wrong = Checksum { suma: sum.suma ^ 1, ..sum };
    assert!(!field.verify_sum(wrong).expect("a survey").is_match());

    let mut reader = open();
    let mut field = reader.next_field().expect("legal").expect("a field");
    let length = SiteError::Length { needed: 288, given: 280 };
    let error = field.read_box_into(all, &mut [0.0_f64; 35]).expect_err("too short");
    assert!(matches!(error, FieldError::Box(BoxError::Site(found)) if found == length), "{error}");
    let outside = cube(&[0; 4], &[9; 4], &lattice(&[10; 4]));
    let error = field.read_box_into(outside, &mut numbers).expect_err("outside");
    assert!(matches!(error, FieldError::Box(BoxError::Cube(_))), "{error}");
    let error = field.read_box_to(all, |_| 36, &mut numbers).expect_err("no such place");
    assert!(
        matches!(error, FieldError::Box(BoxError::NoSuchPlace { rank: 0, place: 36, places: 18 })),
        "{error}"
    );
    field.verdict().expect("legal").require_match().expect("the position is not lost");

    let mut source = std::io::Cursor::new(case.serial());
    let mut reader = FieldReader::new(linkstream::io::FromStd(&mut source), vec![0; 31]);
    let mut field = reader.next_field().expect("legal").expect("a field");
    let error = field.read_box_into(all, &mut numbers).expect_err("half of the buffer holds no site");
    assert!(matches!(error, FieldError::BufferTooSmall { needed: 32 }), "{error}");
}

/// The error has the offset where the source ends, and what is missing of the record.
#[test]
fn truncated_sources() {
    let case = &cases(&EXTENTS)[5];
    let file = case.serial();
    let layout = *case.begun().0.field().expect("a field");
    let start = layout.record.payload_offset() as usize;
    let late = cube(&[0, 0, 0, 1], &EXTENTS.map(|extent| extent - 1), &case.lattice);
    let part = BoxPart::new(&layout, late).expect("inside");
    let first = start + 6 * 16;
    for end in start..start + 18 * 16 {
        let cut = &file[..end];
        let missing = (start + 18 * 16 - end.max(first)) as u64;
        let kind =
            linkstream::field::ErrorKind::Lime(linkstream::lime::ErrorKind::PayloadTruncated { missing });
        let mut numbers = [0.0_f64; 24];
        let mut boxes = BoxReader::new(Memory::new(cut), [0; 50]);
        let error = linkstream::Error::new(end.max(first) as u64, kind);
        let found = boxes.read_into(&part, &mut numbers);
        assert_eq!(found, Err(FieldError::Read(ReadError::Format(error))));
        let mut source = std::io::Cursor::new(cut);
        let mut reader = FieldReader::new(linkstream::io::FromStd(&mut source), vec![0; 100]);
        let mut field = reader.next_field().expect("legal").expect("a field");
        let error = field.read_box_into(late, &mut numbers).expect_err("truncated");
        assert!(matches!(error, FieldError::Read(ReadError::Format(_))), "{error}");
        assert!(matches!(field.verify_sum(Checksum::default()), Err(FieldError::Read(ReadError::Format(_)))));
    }
}

#[test]
fn a_source_that_fails_at_any_read() {
    let case = &cases(&EXTENTS)[5];
    let layout = *case.begun().0.field().expect("a field");
    let left = cube(&[0; 4], &[0, 2, 0, 2], &case.lattice);
    let part = BoxPart::new(&layout, left).expect("inside");
    for fails in 0..9 {
        let memory = Memory::new(&case.serial()).failing(fails);
        let error =
            BoxReader::new(memory, [0; 64]).read_into(&part, &mut [0.0_f64; 18]).expect_err("it fails");
        assert!(matches!(error, FieldError::Read(ReadError::Io(_))), "{error}");
    }
    let memory = Memory::new(&case.serial()).failing(9);
    BoxReader::new(memory, [0; 64]).read_into(&part, &mut [0.0_f64; 18]).expect("nine runs");
    // A file that can seek is a positioned source.
    let mut boxes = BoxReader::new(Positioned::new(disk(case.serial())), [0; 64]);
    boxes.read_into(&part, &mut [0.0_f64; 18]).expect("legal");
    drop(boxes.into_inner().into_inner());
}
