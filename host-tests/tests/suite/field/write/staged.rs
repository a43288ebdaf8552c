//! Documents in one buffer: the same bytes as in small pieces.

use super::refusals::{real, two};
use host_tests::cases::{cases, lattice};
use linkstream::Encode as _;
use linkstream::Resumable as _;
use linkstream::field::{EncodeErrorKind, Encoder, OutgoingMessage, Staged, Want};
use linkstream::lattice::{Checksum, Region};
use linkstream::scidac::PrivateFile;
use linkstream::xml::Spacing;

/// The pieces before the data, or after them.
fn pieces(encoder: &mut Encoder, message: &OutgoingMessage<'_>) -> Vec<Vec<u8>> {
    let mut scratch = [0; 1024];
    let begun = encoder.resume(message, &mut scratch).expect("the same message");
    let mut pieces = Vec::new();
    let mut before_data = encoder.site().is_none();
    while let Want::Bytes(bytes) = encoder.next(&begun, &mut scratch).expect("the same message") {
        pieces.push(bytes.to_vec());
        // Data without bytes also end the documents before them.
        if before_data && encoder.site().is_some() {
            break;
        }
        before_data = encoder.site().is_none();
    }
    pieces
}

/// Stages with a buffer of exactly the length that the error names.
fn staged(encoder: &mut Encoder, message: &OutgoingMessage<'_>) -> (u64, Vec<u8>) {
    let mut scratch = [0; 1024];
    let begun = encoder.resume(message, &mut scratch).expect("the same message");
    let before = encoder.clone();
    let needed = match encoder.stage(&begun, &mut []) {
        Err(EncodeErrorKind::BufferTooSmall { needed }) => needed as usize,
        Ok(Staged { bytes: &[], .. }) => 0,
        other => panic!("{other:?}"),
    };
    if needed > 0 {
        let error = EncodeErrorKind::BufferTooSmall { needed: needed as u64 };
        assert_eq!(encoder.stage(&begun, &mut vec![0; needed - 1]), Err(error));
        assert_eq!(*encoder, before, "a refused call changes nothing");
    }
    let (mut buffer, mut larger) = (vec![0xee; needed], vec![0xee; needed + 100]);
    let mut other = before.clone();
    let Staged { offset, bytes, .. } = encoder.stage(&begun, &mut buffer).expect("room for it");
    assert_eq!((bytes.len(), offset), (needed, before.position()));
    assert_eq!(other.stage(&begun, &mut larger).expect("room for it").bytes, bytes);
    assert_eq!(other, *encoder);
    (offset, bytes.to_vec())
}

/// Compares from every position between two pieces.
fn compared(mut encoder: Encoder, message: &OutgoingMessage<'_>) -> Encoder {
    let mut after = encoder.clone();
    let all = pieces(&mut after, message);
    for done in 0..all.len() {
        let mut from_here = Encoder::load(&encoder.save()).expect("a state of an encoder");
        let (offset, bytes) = staged(&mut from_here, message);
        assert_eq!((offset, bytes), (encoder.position(), all[done..].concat()));
        assert_eq!(from_here, after);
        let mut scratch = [0; 1024];
        let begun = encoder.resume(message, &mut scratch).expect("the same message");
        let _ = encoder.next(&begun, &mut scratch).expect("the same message");
    }
    after
}

#[test]
fn the_same_bytes_as_in_pieces() {
    let (file, format, record) = (PrivateFile::new(&lattice(&[2, 1, 1, 1])), two(), real(&Region::Lattice));
    let text = [b'x'; 300];
    let mut file_message = OutgoingMessage::file(&file, &text);
    for form in [Spacing::Line, Spacing::Lines] {
        file_message = file_message.with_spacing(form);
        let messages = [
            OutgoingMessage::foreign(b"own", b"any bytes"),
            OutgoingMessage::foreign(b"own", b""),
            OutgoingMessage::lfn("lfn://x").with_spacing(form),
            OutgoingMessage::ildg(&format).with_update("1").with_lfn("lfn://y").with_checksum(true),
            OutgoingMessage::scidac(&record, b"").with_spacing(form),
            OutgoingMessage::scidac(&record, &text[..8])
                .with_format(&format)
                .with_bare_lfn("z")
                .with_spacing(form),
        ];
        for message in messages {
            let mut encoder = Encoder::new();
            let _ = encoder.begin(&file_message, &mut [0; 1024]).expect("legal");
            let mut encoder = compared(encoder, &file_message);
            let begun = encoder.begin(&message, &mut [0; 1024]).expect("legal");
            let mut encoder = compared(encoder, &message);
            if encoder.site().is_some() {
                let missing = encoder.room();
                let error = EncodeErrorKind::DataMissing { missing };
                assert_eq!(encoder.stage(&begun, &mut [0; 4096]), Err(error));
                encoder.put(&vec![1; missing as usize]).expect("all of them");
                encoder = compared(encoder, &message);
            }
            encoder.finish().expect("complete");
            assert_eq!(encoder.stage(&begun, &mut []).map(|staged| staged.bytes.len()), Ok(0));
        }
    }
}

#[test]
fn another_message_is_refused() {
    let (first, other) = (OutgoingMessage::foreign(b"own", b"a"), OutgoingMessage::foreign(b"own", b"b"));
    let mut encoder = Encoder::new();
    let _ = encoder.begin(&first, &mut []).expect("legal");
    let begun = Encoder::new().begin(&other, &mut []).expect("legal");
    assert_eq!(encoder.stage(&begun, &mut [0; 512]), Err(EncodeErrorKind::MessageOther));
}

/// The number of writes of a message with all its documents, before and after: this is what a process that writes
/// through `next` does, and what it does with `stage`.
#[test]
fn a_gauge_field_with_its_file_message_takes_three_writes() {
    let cases = cases(&[2, 2, 2, 2]);
    let case = cases.iter().find(|case| case.name == "both").expect("in the table");
    let private = PrivateFile::new(&case.lattice);
    let mut encoder = Encoder::new();
    let mut small = Vec::new();
    for message in [OutgoingMessage::file(&private, b"boxes"), case.message()] {
        let _ = encoder.begin(&message, &mut [0; 512]).expect("legal");
        small.extend(pieces(&mut encoder, &message));
    }
    encoder.others(Checksum::default()).expect("data are expected");
    small.extend(pieces(&mut encoder, &case.message()));
    let lengths: Vec<_> = small.iter().map(Vec::len).filter(|length| *length > 0).collect();
    assert_eq!((lengths.len(), lengths.iter().min()), (20, Some(&1)));

    let (encoder, documents) = case.begun();
    let (_, end) = case.end(encoder, Checksum::default());
    let large: Vec<_> = documents.iter().map(Vec::len).chain([end.len()]).collect();
    assert_eq!(large.len(), 3);
    assert_eq!(large.iter().sum::<usize>(), lengths.iter().sum::<usize>());
}
