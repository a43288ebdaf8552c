//! Calls that are refused, and the number of pieces of each process.

use linkstream::scda::{EncodeErrorKind, Style, deflate};
use linkstream_parallel::scda::parts::{DataPart, ElementPart, PartEncoder, PartError, Pieces};

fn encoder(q: usize) -> PartEncoder {
    PartEncoder::append(q, 128, Style::Unix)
}

fn elements(q: usize) -> ElementPart {
    ElementPart::of(q, [2_u64, 0, 1], 3.into()).expect("a partition")
}

fn refused<D: AsRef<[u8]>>(found: Result<Pieces<'_, D>, PartError>) -> EncodeErrorKind {
    match found.err().expect("refused") {
        PartError::Encode(kind) => kind,
        other => panic!("{other}"),
    }
}

/// Calls of an encoder that must be refused, and leave it as it was.
#[test]
fn refused_calls_of_compressed_sections_change_nothing() {
    type Kind = EncodeErrorKind;
    let texts = [deflate(b"one", 9, Style::Unix), deflate(b"", 9, Style::Unix)];
    let length = texts.concat().len() as u64;
    let (all, data) = (elements(0), DataPart::of(0, [length, 0, 30]).expect("small"));
    let mut own = encoder(0);
    let before = own.clone();

    assert_eq!(refused(own.compressed_block(b"b", 3.into(), 25, 0, &texts)), Kind::TextLength { found: 25 });
    let kind = refused(own.compressed_block(b"b", 3.into(), 34, 1, &texts));
    assert!(matches!(kind, Kind::DataTooLong { .. }), "{kind}");
    let kind = refused(own.compressed_array(b"a", 3.into(), &all, &data, &texts[..1]));
    assert_eq!(kind, Kind::SizesMissing { missing: 1 });
    let kind = refused(own.compressed_array(b"a", 3.into(), &all, &data, &[&b"no text"[..], b""]));
    assert_eq!(kind, Kind::TextLength { found: 7 });
    let kind = refused(own.compressed_array(b"a", 3.into(), &all, &data, &[&texts[0], &texts[0]]));
    assert!(matches!(kind, Kind::DataTooLong { .. }), "{kind}");
    let kind = refused(own.compressed_varray(b"v", &all, &data, &[3], &texts));
    assert_eq!(kind, Kind::SizesMissing { missing: 1 });
    assert_eq!(refused(own.compressed_varray(b"v", &all, &data, &[3, 0, 0], &texts)), Kind::SizeUnexpected);
    let long = [0; 59];
    let kind = refused(own.compressed_varray(&long, &all, &data, &[3, 0], &texts));
    assert_eq!(kind, Kind::StringTooLong { length: 59, limit: 58 });
    assert!(own == before);
    let mut new = PartEncoder::new(0, Style::Unix);
    assert_eq!(refused(new.compressed_array(b"a", 3.into(), &all, &data, &texts)), Kind::HeaderOrder);
}

/// Process 0 has the head, the last process with data the padding. Rows: inline, block, array, variable array.
#[test]
fn number_of_pieces() {
    let data = |q| DataPart::of(q, [7, 0, 2]).expect("small");
    let own: [&[&[u8]]; 3] = [&[b"1234567"], &[], &[b"89"]];
    let sizes: [&[u64]; 3] = [&[3, 4], &[], &[2]];
    let counts = [0, 1, 2].map(|q| {
        let mut part = encoder(q);
        let root = usize::from(q == 0);
        let inline = [[b'i'; 32]];
        let inline = part.inline(b"", 0, &inline[..root]).expect("inline").writes().count();
        let block = [b"block"];
        let block = part.block(b"", 5.into(), 0, &block[..root]).expect("a block").writes().count();
        let array: [&[&[u8]]; 3] = [&[b"ab"], &[], &[b"c"]];
        let array = part.array(b"", 1.into(), &elements(q), array[q]).expect("an array").writes().count();
        let pieces = part.varray(b"", &elements(q), &data(q), sizes[q], own[q]);
        [inline, block, array, pieces.expect("a variable array").writes().count()]
    });
    assert_eq!(counts, [[2, 3, 2, 3], [0, 0, 0, 0], [0, 0, 2, 3]]);
}
