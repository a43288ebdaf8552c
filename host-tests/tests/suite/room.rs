//! The contract of `Encode::room`, for every encoder in every state: so many bytes can be put next, and no more.

use linkstream::Encode;
use linkstream::field::{self, OutgoingMessage, Want};
use linkstream::ildg::{Format, GaugeKind};
use linkstream::lattice::{ByteOrder, Extents, Precision};
use linkstream::lime::{self, Header};
use linkstream::scda::{self, Count, Style};
use linkstream::{inebin, nersc};

/// Checks an encoder in one state, and returns its room.
fn keeps<E: Encode + Clone>(encoder: &E, what: &str) -> u64 {
    let room = encoder.room();
    let put = |n: usize| encoder.clone().put(&vec![0; n]);
    if let Ok(room) = usize::try_from(room) {
        for n in [1, room / 2, room].into_iter().filter(|n| (1..=room).contains(n)) {
            let mut after = encoder.clone();
            after.put(&vec![0; n]).unwrap_or_else(|error| panic!("{what}: {n} of {room} bytes: {error}"));
            assert_eq!(after.room(), (room - n) as u64, "{what}: {n} of {room} bytes");
        }
        assert!(put(room + 1).is_err(), "{what}: {room} bytes and one more");
    }
    room
}

#[test]
fn of_lime() {
    let mut encoder = lime::Encoder::new();
    assert_eq!(keeps(&encoder, "a new file"), 0);
    for length in [0, 5, 16] {
        let header = Header::new(b"type", length, true, true).expect("a short type");
        encoder.begin(&header).expect("between records");
        assert_eq!(keeps(&encoder, "a record"), length);
        encoder.put(&vec![0; length as usize]).expect("its payload");
        assert_eq!(keeps(&encoder, "its padding"), 0);
        encoder.end().expect("complete");
        assert_eq!(keeps(&encoder, "between records"), 0);
    }
}

#[test]
fn of_fields() {
    let kind = GaugeKind::parse(b"u1phase").expect("a kind");
    let format = Format::new(kind, Precision::F32, [4, 1, 1, 1]);
    let message = OutgoingMessage::ildg(&format);
    let (mut encoder, mut scratch) = (field::Encoder::new(), [0; 512]);
    assert_eq!(keeps(&encoder, "a new file"), 0);
    let begun = encoder.begin(&message, &mut scratch).expect("large enough");
    let mut rooms = Vec::new();
    loop {
        rooms.push(keeps(&encoder, "a message"));
        match encoder.next(&begun, &mut scratch).expect("as begun") {
            Want::Bytes(_) => {}
            Want::Data(n) => {
                assert_eq!(keeps(&encoder, "the data"), n);
                encoder.put(&vec![0; n as usize]).expect("all data");
            }
            Want::Nothing => break,
        }
    }
    assert_eq!(keeps(&encoder, "the end"), 0);
    assert!(rooms.contains(&0), "{rooms:?}");
}

#[test]
fn of_matrices() {
    for (rows, columns) in [(0, 0), (3, 5)] {
        let header = inebin::Header::new(inebin::MatrixType::Boolean, rows, columns).expect("a small matrix");
        let mut encoder = inebin::Encoder::new(&header);
        let room = keeps(&encoder, "a matrix");
        encoder.put(&vec![0; room as usize]).expect("all entries");
        assert_eq!(keeps(&encoder, "its end"), 0);
    }
}

#[test]
fn of_archives() {
    let extents = Extents::new(&[2, 2, 2, 2]).expect("a lattice");
    let header = nersc::Header::new(extents, Precision::F32, nersc::StoredRows::Full, ByteOrder::Big)
        .expect("four dimensions");
    let mut encoder = nersc::Encoder::new(&header, 400).expect("a header");
    let room = keeps(&encoder, "an archive");
    assert_eq!(room, 16 * 4 * 9 * 8);
    encoder.put(&vec![0; room as usize]).expect("all links");
    assert_eq!(keeps(&encoder, "its end"), 0);
}

#[test]
fn of_sections() {
    let mut encoder = scda::Encoder::new(Style::Unix);
    assert_eq!(keeps(&encoder, "a new file"), 0);
    encoder.header(b"", b"").expect("the header");
    assert_eq!(keeps(&encoder, "after the header"), 0);
    encoder.inline(b"").expect("between sections");
    assert_eq!(keeps(&encoder, "inline"), 32);
    encoder.put(&[0; 32]).and_then(|()| encoder.end().map(drop)).expect("complete");
    encoder.block(b"", Count::from(0)).expect("between sections");
    assert_eq!(keeps(&encoder, "an empty block"), 0);
    encoder.end().expect("complete");
    encoder.array(b"", Count::from(3), Count::from(7)).expect("between sections");
    assert_eq!(keeps(&encoder, "an array"), 21);
    encoder.put(&[0; 21]).and_then(|()| encoder.end().map(drop)).expect("complete");
    encoder.varray(b"", Count::from(2)).expect("between sections");
    // The sizes come first.
    assert_eq!(keeps(&encoder, "without sizes"), 0);
    encoder.size(5).expect("the first size");
    assert_eq!(keeps(&encoder, "with one size"), 0);
    encoder.size(6).expect("the second size");
    assert_eq!(keeps(&encoder, "with both sizes"), 11);
    encoder.put(&[0; 11]).and_then(|()| encoder.end().map(drop)).expect("complete");
    assert_eq!(keeps(&encoder, "between sections"), 0);
}

#[test]
fn of_compressed_sections() {
    let mut encoder = scda::Encoder::new(Style::Unix);
    encoder.header(b"", b"").expect("the header");
    assert_eq!(keeps(&encoder, "after the header"), 0);
    encoder.compressed_block(b"", 29.into(), 38).expect("between sections");
    assert_eq!(keeps(&encoder, "a block"), 38);
    encoder.put(&[0; 38]).and_then(|()| encoder.end().map(drop)).expect("complete");
    encoder.compressed_array(b"", 2.into(), 29.into()).expect("between sections");
    assert_eq!(keeps(&encoder, "an array without sizes"), 0);
    for _ in 0..2 {
        encoder.size(38).expect("its size");
    }
    assert_eq!(keeps(&encoder, "an array"), 76);
    encoder.put(&[0; 76]).and_then(|()| encoder.end().map(drop)).expect("complete");
    encoder.compressed_varray(2.into()).expect("between sections");
    for n in 0..2 {
        assert_eq!(keeps(&encoder, "a variable array without sizes"), 0, "{n}");
        encoder.uncompressed(29).expect("the size of an element");
    }
    assert_eq!(keeps(&encoder, "the first half"), 0);
    encoder.second_half(b"").expect("all sizes are there");
    assert_eq!(keeps(&encoder, "the second half"), 0);
    encoder.size(38).expect("the first text");
    assert_eq!(keeps(&encoder, "with one text"), 0);
    encoder.size(38).expect("the second text");
    assert_eq!(keeps(&encoder, "with both texts"), 76);
    encoder.put(&[0; 76]).and_then(|()| encoder.end().map(drop)).expect("complete");
    assert_eq!(keeps(&encoder, "the end"), 0);
}
