//! Calls in the wrong order, with another message, at invalid positions or with too small a buffer are refused. A
//! refused call changes neither the encoder nor the output.

use crate::field::write::refusals::{
    described, failed, in_data, lattice, never, not_begun, real, refused, steps, su3, two, write, zeros,
};
use crate::sinks::{contents, disk};
use linkstream::CallbackError;
use linkstream::Encode as _;
use linkstream::Resumable as _;
use linkstream::field::{EncodeErrorKind, Encoder, OutgoingMessage, Want};
use linkstream::ildg::Format;
use linkstream::io::{FieldWriter, Fill, WriteError};
use linkstream::lattice::{Checksum, Precision, Region};
use linkstream::scidac::PrivateRecord;
use linkstream::xml::Spacing;

#[test]
fn calls_in_the_wrong_order() {
    let format = two();
    let message = OutgoingMessage::ildg(&format).with_checksum(true);
    let no_data = "no data are expected: no message is open, or its data are complete";
    let open = "a message is open and must be ended first; a file whose message cannot be completed must be given up";
    let mut encoder = Encoder::new();
    for _ in 0..2 {
        refused(&mut encoder, |encoder| encoder.put(&[]), EncodeErrorKind::NoData, no_data);
        refused(&mut encoder, |encoder| encoder.seek(0), EncodeErrorKind::NoData, no_data);
        refused(
            &mut encoder,
            |encoder| encoder.others(Checksum::default()),
            EncodeErrorKind::NoData,
            no_data,
        );
        assert_eq!(encoder.finish(), Ok(()));
        let begun = Encoder::new().begin(&message, &mut [0; 1024]).expect("legal");
        assert_eq!(encoder.next(&begun, &mut []), Ok(Want::Nothing));
        let resume = |encoder: &mut Encoder| encoder.resume(&message, &mut [0; 1024]);
        refused(&mut encoder, resume, EncodeErrorKind::NoData, no_data);
        write(&mut encoder, &OutgoingMessage::foreign(b"own", b""));
    }
    let before = encoder.clone();
    let begun = encoder.begin(&message, &mut [0; 1024]).expect("legal");
    let mut in_data = 0;
    while encoder != before && encoder.finish().is_err() {
        not_begun(&mut encoder, &message, EncodeErrorKind::MessageOpen, open);
        not_begun(&mut encoder, &OutgoingMessage::lfn("x"), EncodeErrorKind::MessageOpen, open);
        refused(&mut encoder, |encoder| encoder.finish(), EncodeErrorKind::MessageOpen, open);
        let mut scratch = [0; 1024];
        match encoder.next(&begun, &mut scratch).expect("the same message") {
            Want::Bytes(_) => {}
            Want::Data(missing) => {
                assert_eq!(missing, 16);
                // Calling `next` again does not advance.
                assert_eq!(encoder.next(&begun, &mut []), Ok(Want::Data(16)));
                encoder.put(&[1; 16]).expect("all of them");
                in_data += 1;
                refused(&mut encoder, |encoder| encoder.seek(0), EncodeErrorKind::NoData, no_data);
            }
            Want::Nothing => unreachable!("the message is not complete"),
        }
        if encoder.site().is_none() {
            refused(&mut encoder, |encoder| encoder.put(&[1]), EncodeErrorKind::NoData, no_data);
            refused(&mut encoder, |encoder| encoder.seek(0), EncodeErrorKind::NoData, no_data);
            refused(
                &mut encoder,
                |encoder| encoder.others(Checksum::default()),
                EncodeErrorKind::NoData,
                no_data,
            );
        }
    }
    assert_eq!(in_data, 1);
}

/// Only the message that was begun can be continued, and every letter must be the same.
#[test]
fn another_message_is_not_gone_on_with() {
    let sentence = "the message differs from the one passed to `begin`";
    let (format, other_format) = (two(), Format::new(two().kind(), Precision::F64, [1, 2, 1, 1]));
    let file = lattice(&[2, 1, 1, 1]);
    let record = real(&Region::Lattice);
    let other_record = described(&record, "QDP_D_Rael", "D", 8);
    let right =
        OutgoingMessage::scidac(&record, b"text").with_format(&format).with_update("12").with_lfn("name");
    let wrong = [
        OutgoingMessage::default(),
        OutgoingMessage::lfn("name"),
        OutgoingMessage::ildg(&format),
        OutgoingMessage::scidac(&other_record, b"text")
            .with_format(&format)
            .with_update("12")
            .with_lfn("name"),
        OutgoingMessage::scidac(&record, b"texu").with_format(&format).with_update("12").with_lfn("name"),
        right.with_format(&other_format),
        right.with_update("13"),
        right.with_lfn("eman"),
        right.with_checksum(false),
        right.with_spacing(Spacing::Lines),
        OutgoingMessage::foreign(b"own", b"text"),
    ];
    let mut encoder = Encoder::new();
    write(&mut encoder, &OutgoingMessage::file(&file, b""));
    // Messages that can be begun here, and then be passed instead of the right one.
    let mut others = Vec::new();
    for message in &wrong {
        others.extend(encoder.clone().begin(message, &mut [0; 1024]));
    }
    assert_eq!(others.len(), wrong.len() - 2, "all but the empty message and that of two precisions");
    let begun = encoder.begin(&right, &mut [0; 1024]).expect("legal");
    let mut expected = encoder.clone();
    let mut bytes = Vec::new();
    loop {
        if encoder.room() == 0 {
            for other in &others {
                let call = |encoder: &mut Encoder| encoder.next(other, &mut [0; 1024]).map(|_| ());
                refused(&mut encoder, call, EncodeErrorKind::MessageOther, sentence);
            }
            for message in &wrong {
                let call = |encoder: &mut Encoder| encoder.resume(message, &mut [0; 1024]);
                refused(&mut encoder, call, EncodeErrorKind::MessageOther, sentence);
            }
        }
        let mut scratch = [0; 1024];
        match encoder.next(&begun, &mut scratch).expect("the message that was begun") {
            Want::Bytes(more) => bytes.extend_from_slice(more),
            Want::Data(n) => encoder.put(&vec![0; n as usize]).expect("the lengths are equal"),
            Want::Nothing => break,
        }
        if encoder.finish().is_ok() {
            break;
        }
    }
    let mut whole = steps(&mut expected, &right);
    expected.put(&[0; 16]).expect("the lengths are equal");
    whole.extend(steps(&mut expected, &right));
    assert!(bytes == whole && encoder == expected);
}

/// Even if only the type of a record differs.
#[test]
fn another_type_is_another_message() {
    let mut encoder = Encoder::new();
    let _ = encoder.begin(&OutgoingMessage::foreign(b"own", b"text"), &mut []).expect("legal");
    for other in [OutgoingMessage::foreign(b"awn", b"text"), OutgoingMessage::foreign(b"ownt", b"ext")] {
        assert_eq!(encoder.resume(&other, &mut []), Err(EncodeErrorKind::MessageOther));
        let other = Encoder::new().begin(&other, &mut []).expect("legal");
        assert_eq!(encoder.next(&other, &mut []), Err(EncodeErrorKind::MessageOther));
    }
    // Even if only the bytes after a text differ.
    let mut encoder = Encoder::new();
    let _ = encoder.begin(&OutgoingMessage::lfn("name"), &mut []).expect("legal");
    let other = OutgoingMessage::lfn("name").with_spacing(Spacing::Line);
    assert_eq!(encoder.resume(&other, &mut []), Err(EncodeErrorKind::MessageOther));
}

/// The same place in memory and the same lengths, but another record: this must not be the message that was begun.
#[test]
fn another_record_at_the_same_address_is_another_message() {
    let lattice = lattice(&[2, 1, 1, 1]);
    let mut buffer = [0; 1024];
    let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer, Encoder::new());
    writer.write_message(&OutgoingMessage::file(&lattice, b"")).expect("legal");
    let mut record = PrivateRecord::complex_field(Precision::F32);
    let mut text = *b"text";
    writer.begin(&OutgoingMessage::scidac(&record, &text)).expect("legal");
    writer.put(&[0_u8; 16][..]).expect("all of them");
    record = PrivateRecord::real_field(Precision::F64);
    assert_eq!(kind(writer.end(&OutgoingMessage::scidac(&record, &text))), EncodeErrorKind::MessageOther);
    record = PrivateRecord::complex_field(Precision::F32);
    text = *b"tent";
    assert_eq!(kind(writer.end(&OutgoingMessage::scidac(&record, &text))), EncodeErrorKind::MessageOther);
    text = *b"text";
    writer.end(&OutgoingMessage::scidac(&record, &text)).expect("the message that was begun");
    writer.finish().expect("complete");
}

#[test]
fn sites_and_data() {
    let format = Format::new(two().kind(), Precision::F64, [6, 1, 1, 1]);
    let message = OutgoingMessage::ildg(&format);
    let inside = "the last site is incomplete: its remaining bytes must be written first";
    let repeated = "these sites have already been written";
    let mut encoder = in_data(&message);
    refused(
        &mut encoder,
        |encoder| encoder.seek(7),
        EncodeErrorKind::NoSuchSite { index: 7, sites: 6 },
        "there is no site with index 7: the field has 6 sites (counted from 0)",
    );
    assert_eq!(encoder.seek(u64::MAX), Err(EncodeErrorKind::NoSuchSite { index: u64::MAX, sites: 6 }));
    encoder.put(&[1; 3]).expect("there is room");
    refused(&mut encoder, |encoder| encoder.seek(0), EncodeErrorKind::InsideSite, inside);
    refused(&mut encoder, |encoder| encoder.others(Checksum::default()), EncodeErrorKind::InsideSite, inside);
    encoder.put(&[1; 5]).expect("there is room");
    // Beyond the end, even if the write begins in the middle.
    let too_long = encoder.clone().put(&[0; 41]).expect_err("one byte more");
    let EncodeErrorKind::Lime(kind) = too_long else { panic!("{too_long:?}") };
    refused(&mut encoder, |encoder| encoder.put(&[0; 41]), too_long, &kind.to_string());
    encoder.seek(6).expect("the end is a valid position");
    assert!(encoder.clone().put(&[0]).is_err());
    encoder.seek(4).expect("a site");
    encoder.put(&[1; 8]).expect("not written");
    for index in [0, 4] {
        encoder.seek(index).expect("a site");
        refused(&mut encoder, |encoder| encoder.put(&[1]), EncodeErrorKind::SitesRepeated, repeated);
        refused(&mut encoder, |encoder| encoder.put(&[1; 8]), EncodeErrorKind::SitesRepeated, repeated);
        assert_eq!(encoder.put(&[]), Ok(()));
    }
    encoder.seek(2).expect("a site");
    refused(&mut encoder, |encoder| encoder.put(&[1; 17]), EncodeErrorKind::SitesRepeated, repeated);
    encoder.put(&[1; 16]).expect("it ends where written data begin");
    assert_eq!(encoder.room(), 16);
    let begun = encoder.resume(&message, &mut [0; 512]).expect("the message that was begun");
    assert_eq!(encoder.next(&begun, &mut []), Ok(Want::Data(16)));
    let sum = encoder.checksum().expect("of four sites");
    encoder.others(Checksum { suma: 5, sumb: 6 }).expect("between sites");
    let no_data = "no data are expected: no message is open, or its data are complete";
    let twice = |encoder: &mut Encoder| encoder.others(Checksum { suma: 5, sumb: 6 });
    refused(&mut encoder, twice, EncodeErrorKind::NoData, no_data);
    assert_eq!(encoder.checksum(), Some(sum.combine(Checksum { suma: 5, sumb: 6 })));
    assert_eq!(encoder.room(), 0);
    steps(&mut encoder, &message);
    assert_eq!(encoder.finish(), Ok(()));
    // The field is available until the next message.
    assert!(encoder.field().is_some_and(|field| field.record.number == 2 && field.record.message == 1));
    let _ = encoder.begin(&OutgoingMessage::lfn("x"), &mut []).expect("legal");
    assert!(encoder.field().is_none() && encoder.checksum().is_none());
}

/// With a scratch buffer of exactly the size of the longest document, a file is written; with one byte less, nothing
/// is.
#[test]
fn scratch_of_exactly_the_required_size() {
    let (file, format) = (lattice(&[2, 1, 1, 1]), two());
    let record = described(&real(&Region::Lattice), &"&".repeat(64), "D", 8);
    let messages = [
        OutgoingMessage::file(
            &file,
            b"a text that needs no scratch, and is longer than what does: ............",
        ),
        OutgoingMessage::scidac(&record, b"text").with_format(&format),
        OutgoingMessage::ildg(&format).with_checksum(true),
    ];
    for (n, message) in messages.iter().enumerate() {
        let mut longest = 0;
        let mut room = vec![0; 2048];
        if n == 0 {
            longest = file.emit(Spacing::Line, &mut room).expect("there is room");
        } else if n == 1 {
            longest = longest
                .max(record.emit(Spacing::Line, &mut room).expect("there is room"))
                .max(format.emit(Spacing::Line, &mut room).expect("there is room"));
        } else {
            longest = format.emit(Spacing::Lines, &mut room).expect("there is room");
        }
        let mut start = Encoder::new();
        if n == 1 {
            write(&mut start, &messages[0]);
        }
        let mut expected = None;
        for (size, does) in
            [(longest + 999, true), (longest, true), (longest - 1, false), (longest / 2, false)]
        {
            let mut buffer = vec![0xaa; size];
            let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer, start.clone());
            let done = if n == 0 {
                writer.write_message(message)
            } else {
                writer.write(message, Fill::sites(zeros)).map_err(failed)
            };
            assert_eq!(done.is_ok(), does, "{n}, {size}: {done:?}");
            if !does {
                let Err(WriteError::Refused(kind @ EncodeErrorKind::Emit(name, _))) = done else {
                    panic!("{done:?}")
                };
                let sentence =
                    format!("{name}: the document takes {longest} bytes, more than the buffer holds");
                assert_eq!(kind.to_string(), sentence);
            }
            let (sink, encoder) = writer.into_parts();
            let written = contents(sink);
            assert_eq!(written.is_empty(), !does, "a refused message must not be written");
            assert_eq!(encoder == start, !does);
            if does {
                assert_eq!(*expected.get_or_insert(written.clone()), written);
            }
        }
        // A smaller buffer than at the beginning.
        let mut encoder = start.clone();
        let begun = encoder.begin(message, &mut room).expect("there is room");
        let before = encoder.save();
        assert!(matches!(encoder.next(&begun, &mut []), Err(EncodeErrorKind::Emit(..))));
        assert!(encoder.save() == before);
    }
}

type Refused = WriteError<std::io::Error, EncodeErrorKind>;

fn kind(result: Result<(), Refused>) -> EncodeErrorKind {
    match result {
        Err(WriteError::Refused(kind)) => kind,
        other => panic!("{other:?}"),
    }
}

#[test]
fn writers_in_the_wrong_order() {
    let (format, own) = (two(), OutgoingMessage::foreign(b"own", b"x"));
    let message = OutgoingMessage::ildg(&format).with_checksum(true);
    let mut buffer = [0; 512];
    let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer, Encoder::new());
    let unexpected = "messages with data and messages without data are written by different calls";
    for kind in [
        kind(writer.write_message(&message)),
        kind(writer.begin(&own)),
        kind(writer.write(&own, Fill::sites(zeros)).map_err(failed)),
    ] {
        assert_eq!((kind, kind.to_string().as_str()), (EncodeErrorKind::DataUnexpected, unexpected));
    }
    for result in [
        writer.end(&message),
        writer.put(Fill::sites(zeros).at_most(1)).map_err(failed),
        writer.put(&b""[..]).map_err(CallbackError::into_failed),
    ] {
        assert_eq!(kind(result), EncodeErrorKind::NoData);
    }
    assert_eq!(writer.encoder(), &Encoder::new());
    writer.begin(&message).expect("legal");
    assert_eq!(kind(writer.begin(&message)), EncodeErrorKind::MessageOpen);
    assert_eq!(kind(writer.write_message(&own)), EncodeErrorKind::MessageOpen);
    assert_eq!(kind(writer.complete()), EncodeErrorKind::MessageOpen);
    writer.put(&[1_u8; 3][..]).expect("there is room");
    assert_eq!(kind(writer.put(Fill::sites(never).at_most(1)).map_err(failed)), EncodeErrorKind::InsideSite);
    let missing = kind(writer.end(&message));
    assert_eq!(missing, EncodeErrorKind::DataMissing { missing: 13 });
    let sentence = "the message cannot be ended: 13 bytes of its data were never written";
    assert_eq!(missing.to_string(), sentence);
    writer.put(&[1_u8; 5][..]).expect("there is room");
    writer.put(Fill::sites(never).at_most(0)).expect("nothing to do");
    let mut seen = Vec::new();
    let sites = Fill::sites(|site| {
        seen.push(site.rank());
        zeros(site)
    });
    writer.put(sites.at_most(9)).expect("the sites that are left");
    assert_eq!(seen, [1]);
    writer.put(Fill::sites(never).at_most(9)).expect("nothing to do");
    let before = writer.encoder().clone();
    assert_eq!(kind(writer.end(&OutgoingMessage::ildg(&format))), EncodeErrorKind::MessageOther);
    assert_eq!(*writer.encoder(), before);
    writer.end(&message).expect("complete");
    assert_eq!(kind(writer.end(&message)), EncodeErrorKind::NoData);
    writer.finish().expect("complete");

    // A site that is larger than the buffer.
    let large = su3([2, 2, 2, 2]);
    let message = OutgoingMessage::ildg(&large);
    let mut buffer = [0; 575];
    let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer, Encoder::new());
    writer.begin(&message).expect("documents are shorter");
    let before = writer.encoder().clone();
    let kind = kind(writer.put(Fill::sites(never).at_most(1)).map_err(failed));
    assert_eq!(kind, EncodeErrorKind::SiteTooLarge { needed: 576 });
    assert_eq!(kind.to_string(), "the buffer is too small: a site takes 576 bytes");
    assert_eq!(*writer.encoder(), before);
}

/// One encoder that writes its sites in any order makes the same file. The records after the data follow all of them,
/// whichever site was written last.
#[test]
fn sites_in_any_order_make_the_same_file() {
    // 3 sites of 4 bytes, so that there is padding.
    let format = Format::new(two().kind(), Precision::F32, [3, 1, 1, 1]);
    let message = OutgoingMessage::ildg(&format).with_checksum(true);
    let files = [[0, 1, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0]].map(|order| {
        let mut file = vec![0xee; 2048];
        let mut encoder = Encoder::new();
        let begun = encoder.begin(&message, &mut [0; 512]).expect("legal");
        let mut sites = order.into_iter();
        loop {
            let (position, mut scratch) = (encoder.position() as usize, [0; 512]);
            match encoder.next(&begun, &mut scratch).expect("the same message") {
                Want::Bytes(bytes) => file[position..position + bytes.len()].copy_from_slice(bytes),
                Want::Data(_) => {
                    let site = sites.next().expect("some are missing");
                    encoder.seek(u64::from(site)).expect("a site");
                    let at = encoder.position() as usize;
                    encoder.put(&[site; 4]).expect("not written");
                    file[at..at + 4].copy_from_slice(&[site; 4]);
                }
                Want::Nothing => break,
            }
        }
        file.truncate(encoder.position() as usize);
        file
    });
    assert!(files.iter().all(|file| *file == files[0]));
    assert_eq!(host_tests::oracle::records(&files[0]).len(), 3);
}
