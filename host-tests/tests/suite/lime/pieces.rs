//! A payload written in pieces, in any order, overlapping and too long: the encoder is compared with an array.

use crate::sinks::{contents, disk};
use linkstream::Encode as _;
use linkstream::Resumable as _;
use linkstream::io::{RecordWriter, WriteError};
use linkstream::lime::{EncodeErrorKind, Encoder, Header, MAX_PIECES};
use proptest::collection::vec;
use proptest::prelude::*;

/// One call of a writer in an open record.
#[derive(Debug, Clone)]
enum Fill {
    Write(usize),
    Seek(prop::sample::Index, bool),
    HandOn,
    End,
}

fn fills() -> impl Strategy<Value = Vec<Fill>> {
    let seek = (any::<prop::sample::Index>(), prop::bool::weighted(0.1));
    let fill = prop_oneof![
        4 => (0..9usize).prop_map(Fill::Write),
        1 => (0..200usize).prop_map(Fill::Write),
        8 => seek.prop_map(|(to, beyond)| Fill::Seek(to, beyond)),
        1 => Just(Fill::HandOn),
        1 => Just(Fill::End),
    ];
    vec(fill, 0..100)
}

/// Number of contiguous ranges of written bytes.
fn runs(written: &[bool]) -> usize {
    (0..written.len()).filter(|i| written[*i] && (*i == 0 || !written[*i - 1])).count()
}

fn refused<E: std::fmt::Debug>(
    result: Result<(), WriteError<E, EncodeErrorKind>>,
) -> Option<EncodeErrorKind> {
    match result {
        Ok(()) => None,
        Err(WriteError::Refused(kind)) => Some(kind),
        Err(other) => panic!("{other:?}"),
    }
}

proptest! {
    /// A payload written in pieces, anywhere and repeatedly, compared with a map of the bytes written.
    #[test]
    fn payload_in_any_pieces(length in 0..200usize, fills in fills()) {
        let whole: Vec<u8> = (0..length).map(|i| i as u8 ^ 0x5A).collect();
        let header = Header::new(b"pieces", length as u64, true, true).expect("legal");
        let mut writer = RecordWriter::create(disk(Vec::new()));
        writer.begin(&header).expect("legal");
        let (mut place, mut written) = (0, vec![false; length]);
        for fill in &fills {
            let missing = written.iter().filter(|written| !**written).count() as u64;
            match fill {
                Fill::Write(n) => {
                    let to = place + n;
                    let mut then = written.clone();
                    then.iter_mut().take(to).skip(place).for_each(|written| *written = true);
                    let expected = if to > length {
                        let (offered, room) = (*n as u64, (length - place) as u64);
                        Some(EncodeErrorKind::PayloadTooLong { offered, room })
                    } else if runs(&then) > MAX_PIECES {
                        Some(EncodeErrorKind::TooManyPieces { limit: MAX_PIECES })
                    } else {
                        (place, written) = (to, then);
                        None
                    };
                    let piece = whole.get(to - n..to).map_or_else(|| vec![0; *n], <[u8]>::to_vec);
                    prop_assert_eq!(refused(writer.put(&piece)), expected);
                }
                Fill::Seek(to, beyond) => {
                    let to = to.index(length + 1) + if *beyond { length + 1 } else { 0 };
                    let outside = EncodeErrorKind::SeekOutside { to: to as u64, length: length as u64 };
                    let result = refused(writer.seek(to as u64));
                    prop_assert_eq!(result, (to > length).then_some(outside));
                    if to <= length {
                        place = to;
                    }
                }
                Fill::HandOn => {
                    let (sink, encoder) = writer.into_parts();
                    writer = RecordWriter::with_encoder(sink, Encoder::load(&encoder.save()).expect("saved"));
                }
                Fill::End if missing > 0 => {
                    let expected = Some(EncodeErrorKind::PayloadTooShort { missing });
                    prop_assert_eq!(refused(writer.end()), expected);
                    prop_assert_eq!(refused(writer.end_seeking()), expected);
                }
                Fill::End => {}
            }
            prop_assert_eq!(writer.encoder().position(), 144 + place as u64);
            prop_assert_eq!(writer.encoder().room(), (length - place) as u64);
        }
        // Writes what is missing, piece by piece.
        while let Some(from) = written.iter().position(|written| !written) {
            let to = (from..length).find(|i| written[*i]).unwrap_or(length);
            prop_assert_eq!(refused(writer.seek(from as u64)), None);
            prop_assert_eq!(refused(writer.put(&whole[from..to])), None);
            written[from..to].fill(true);
            place = to;
        }
        if place == length {
            prop_assert_eq!(refused(writer.end()), None);
        } else {
            prop_assert!(matches!(writer.end(), Err(WriteError::NotAtEnd)));
            prop_assert_eq!(refused(writer.end_seeking()), None);
        }
        let mut expected = header.as_bytes().to_vec();
        expected.extend_from_slice(&whole);
        expected.resize(144 + length.next_multiple_of(8), 0);
        prop_assert_eq!(contents(writer.into_parts().0), expected);
    }
}
