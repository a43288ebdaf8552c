//! Calls that are refused, and the number of pieces of each process.

use linkstream::scda::{
    DataPart, ElementPart, EncodeErrorKind, PartEncoder, Pieces, PositionedWrite, Style, deflate, logical,
};

const NONE: [&[u8]; 0] = [];

fn encoder(q: usize) -> PartEncoder {
    PartEncoder::append(q, 128, Style::Unix)
}

fn elements(q: usize) -> ElementPart {
    ElementPart::of(q, [2_u64, 0, 1], 3.into()).expect("a partition")
}

fn refused<D: AsRef<[u8]>>(found: Result<Pieces<'_, D>, EncodeErrorKind>) -> EncodeErrorKind {
    found.err().expect("refused")
}

/// Calls of an encoder that must be refused, and leave it as it was.
#[test]
fn refused_calls_change_nothing() {
    type Kind = EncodeErrorKind;
    let mut own = encoder(0);
    let before = own.clone();
    let (all, data) = (elements(0), DataPart::of(0, [7, 0, 2]).expect("small"));
    let mut lines = [[0; 32]; 2];
    let mut one = [[0; 32]; 1];
    let long = [0; 59];
    let kind = refused(own.inline_pieces(b"i", 0, &[b"31 bytes"]));
    assert_eq!(kind, Kind::DataTooShort { missing: 24 });
    let kind = refused(own.block_pieces(b"b", 3.into(), 1, &[b"not ours"]));
    assert_eq!(kind, Kind::DataTooLong { offered: 8, room: 0 });
    let kind = refused(own.block_pieces(&long, 0.into(), 0, &NONE));
    assert_eq!(kind, Kind::StringTooLong { length: 59, limit: 58 });
    let kind = refused(own.array_pieces(b"a", 2.into(), &all, &[&b"ab"[..], b"c"]));
    assert!(matches!(kind, Kind::DataTooLong { .. } | Kind::DataTooShort { missing: 1 }), "{kind}");
    for (sizes, expected) in [
        (&[3_u64, 4][..], None),
        (&[7], Some(Kind::SizesMissing { missing: 1 })),
        (&[3, 3], Some(Kind::SizeSum { sum: 6, expected: 7 })),
        (&[3, 4, 0], Some(Kind::SizeUnexpected)),
    ] {
        let mut copy = own.clone();
        let sizes = sizes.iter().copied();
        let found = copy.varray_pieces(b"v", &all, &data, sizes, &mut lines, &[b"1234567"]).err();
        assert_eq!(found, expected);
        assert_eq!(copy == before, expected.is_some());
    }
    let kind = refused(own.varray_pieces(b"v", &all, &data, [3, 4], &mut one, &[b"1234567"]));
    assert_eq!(kind, Kind::LinesTooShort { needed: 2 });
    assert!(own == before);

    own.block(b"open", 1.into(), 0).expect("opened");
    let open = own.clone();
    assert_eq!(refused(own.inline_pieces(b"i", 0, &[[0; 32]])), Kind::SectionOpen);
    assert!(own == open);
    let mut new = PartEncoder::new(0, Style::Unix);
    assert_eq!(refused(new.inline_pieces(b"i", 0, &[[0; 32]])), Kind::HeaderOrder);
}

#[test]
fn refused_calls_of_compressed_sections_change_nothing() {
    type Kind = EncodeErrorKind;
    let texts = [deflate(b"one", 9, Style::Unix), deflate(b"", 9, Style::Unix)];
    let length = texts.concat().len() as u64;
    let (all, data) = (elements(0), DataPart::of(0, [length, 0, 30]).expect("small"));
    let mut own = logical::PartEncoder::new(encoder(0));
    let before = own.clone();
    let mut lines = [[0; 32]; 4];
    let mut three = [[0; 32]; 3];
    let mut one = [[0; 32]; 1];

    assert_eq!(refused(own.block(b"b", 3.into(), 25, 0, &texts)), Kind::TextLength { found: 25 });
    let kind = refused(own.block(b"b", 3.into(), 34, 1, &texts));
    assert!(matches!(kind, Kind::DataTooLong { .. }), "{kind}");
    assert_eq!(
        refused(own.array(b"a", 3.into(), &all, &data, &mut one, &texts)),
        Kind::LinesTooShort { needed: 2 }
    );
    let kind = refused(own.array(b"a", 3.into(), &all, &data, &mut lines, &texts[..1]));
    assert_eq!(kind, Kind::SizesMissing { missing: 1 });
    let kind = refused(own.array(b"a", 3.into(), &all, &data, &mut lines, &[b"no text"]));
    assert_eq!(kind, Kind::TextLength { found: 7 });
    let kind = refused(own.varray(b"v", &all, &data, [3, 0], &mut three, &texts));
    assert_eq!(kind, Kind::LinesTooShort { needed: 4 });
    let kind = refused(own.varray(b"v", &all, &data, [3], &mut lines, &texts));
    assert_eq!(kind, Kind::SizesMissing { missing: 1 });
    assert!(
        refused(own.varray(b"v", &all, &data, [3, 0, 0], &mut lines, &texts))
            == Kind::DataTooLong { offered: 32, room: 0 }
            || own == before
    );
    assert!(own == before);
    own.raw().block(b"open", 1.into(), 0).expect("opened");
    let open = own.clone();
    assert_eq!(refused(own.array(b"a", 3.into(), &all, &data, &mut lines, &texts)), Kind::SectionOpen);
    assert!(own == open);
    assert_eq!(own.finish(), Err(Kind::SectionOpen));
}

/// Process 0 has the head, the last process with data the padding. Rows: inline, block, array, variable array.
#[test]
fn number_of_pieces() {
    let data = |q| DataPart::of(q, [7, 0, 2]).expect("small");
    let own: [&[&[u8]]; 3] = [&[b"1234567"], &[], &[b"89"]];
    let sizes: [&[u64]; 3] = [&[3, 4], &[], &[2]];
    let counts = [0, 1, 2].map(|q| {
        let mut lines = [[0; 32]; 2];
        let mut part = encoder(q);
        let root = usize::from(q == 0);
        let inline = [[b'i'; 32]];
        let inline = part.inline_pieces(b"", 0, &inline[..root]).expect("inline").count();
        let block = [b"block"];
        let block = part.block_pieces(b"", 5.into(), 0, &block[..root]).expect("a block").count();
        let array: [&[&[u8]]; 3] = [&[b"ab"], &[], &[b"c"]];
        let array = array[q];
        let array = part.array_pieces(b"", 1.into(), &elements(q), array).expect("an array").count();
        let sizes = sizes[q].iter().copied();
        let pieces = part.varray_pieces(b"", &elements(q), &data(q), sizes, &mut lines, own[q]);
        [inline, block, array, pieces.expect("a variable array").count()]
    });
    assert_eq!(counts, [[2, 3, 2, 3], [0, 0, 0, 0], [0, 0, 2, 3]]);
}

/// The root that writes the header as well has one run of bytes.
#[test]
fn one_run_for_a_root_that_is_process_0() {
    let text = deflate(b"block", 9, Style::Unix);
    let mut own = logical::PartEncoder::new(encoder(0));
    assert!(own.raw().inline_pieces(b"i", 0, &[[0; 32]]).expect("inline").is_contiguous());
    assert!(own.raw().block_pieces(b"b", 5.into(), 0, &[b"block"]).expect("a block").is_contiguous());
    let texts = [&text];
    let pieces = own.block(b"c", 5.into(), text.len() as u64, 0, &texts).expect("a block");
    assert!(pieces.is_contiguous());
    let writes: Vec<PositionedWrite> = pieces.collect();
    assert_eq!(writes.len(), 4);
    let mut other = logical::PartEncoder::new(encoder(1));
    let pieces = other.block(b"c", 5.into(), text.len() as u64, 0, &NONE).expect("a block");
    assert_eq!((pieces.length(), pieces.is_contiguous()), (0, true));
}
