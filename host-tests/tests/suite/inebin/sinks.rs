//! An error of a sink under an INEBIN writer is permanent.

use crate::inebin::model::{Entry, Known, of_type, small, values};
use crate::sinks::{Fault, Frail, Full};
use embedded_io::ErrorKind;
use linkstream::Encode as _;
use linkstream::inebin::{EncodeErrorKind, Encoder, Header, MatrixType};
use linkstream::io::{MatrixWriter, WriteError};

type Refused = WriteError<Fault, EncodeErrorKind>;

/// Writes all values. Returns the bytes or the error; a writer that has failed must refuse every call.
fn into_frail<T: Entry>(file: &Known, room: usize, full: Full, raw: bool) -> Result<Vec<u8>, Refused> {
    let mut buffer = [0; 11];
    let mut writer = MatrixWriter::create(Frail::new(room, full), &mut buffer, &file.header());
    let pieces: Vec<&[u128]> = file.entries.chunks(3).collect();
    let mut result = Ok(());
    if raw {
        for piece in file.data().chunks(5) {
            result = result.and_then(|()| writer.put_bytes(piece));
        }
    } else {
        for piece in pieces {
            result = result.and_then(|()| writer.put(values::<T>(piece)));
        }
    }
    let Err(error) = result else { return writer.finish().map(|sink| sink.bytes) };
    let before = writer.encoder().clone();
    for _ in 0..2 {
        let answers =
            [writer.put([T::ANY]), writer.put([T::ANY; 0]), writer.put_bytes(b"x"), writer.put_bytes(b"")];
        assert_eq!(answers, [Err(WriteError::Broken); 4], "{}, room for {room}", file.path);
    }
    assert_eq!(*writer.encoder(), before, "a refused call must change nothing");
    let (sink, encoder) = writer.into_parts();
    assert_eq!(sink.bytes, file.bytes[..room], "{}", file.path);
    assert!(encoder.position() >= room as u64);
    Err(error)
}

/// A sink that becomes full after each byte of a file, in both ways.
#[test]
fn full_sinks_are_reported_at_every_byte() {
    for file in small() {
        for room in 0..=file.bytes.len() {
            for (full, error) in [
                (Full::TakesNothing, WriteError::WriteZero),
                (Full::Fails, WriteError::Io(Fault(ErrorKind::OutOfMemory))),
            ] {
                for raw in [false, true] {
                    let result = of_type!(file.letter, into_frail(&file, room, full, raw));
                    let what = format!("{}, room for {room}, {full:?}", file.path);
                    if room == file.bytes.len() {
                        assert_eq!(result, Ok(file.bytes.clone()), "{what}");
                    } else {
                        assert_eq!(result, Err(error), "{what}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_broken_writer_does_not_finish() {
    let header = Header::new(MatrixType::Boolean, 1, 8).expect("small");
    let mut buffer = [0; 4];
    let mut writer = MatrixWriter::create(Frail::new(16, Full::Fails), &mut buffer, &header);
    assert!(matches!(writer.put([true; 8]), Err(WriteError::Io(_))));
    // The encoder has produced all bytes, but the sink has not accepted them.
    assert_eq!(writer.encoder().finish(), Ok(()));
    assert_eq!(writer.finish().err(), Some(WriteError::Broken));

    // This error takes precedence over the incomplete matrix.
    let header = Header::new(MatrixType::Boolean, 3, 8).expect("small");
    let mut writer = MatrixWriter::create(Frail::new(16, Full::Fails), &mut buffer, &header);
    assert!(matches!(writer.put_bytes(&[1]), Err(WriteError::Io(_))));
    assert_eq!(writer.finish().err(), Some(WriteError::Broken));

    let header = Header::new(MatrixType::Boolean, 1, 8).expect("small");
    let sink = Frail { flush_fails: true, ..Frail::new(100, Full::Fails) };
    let mut writer = MatrixWriter::create(sink, &mut buffer, &header);
    writer.put([true; 8]).expect("there is room");
    assert_eq!(writer.finish().err(), Some(WriteError::Io(Fault(ErrorKind::BrokenPipe))));
}

#[test]
fn a_writer_wants_a_buffer_for_values() {
    let header = Header::new(MatrixType::Boolean, 1, 8).expect("small");
    let mut writer = MatrixWriter::create(Frail::new(100, Full::Fails), &mut [], &header);
    assert_eq!(writer.put([true; 8]), Err(WriteError::NoBuffer));
    assert_eq!(writer.into_parts().0.bytes, []);
    let sink = Frail::new(100, Full::Fails);
    let mut writer = MatrixWriter::with_encoder(sink, &mut [], Encoder::new(&header));
    assert_eq!(writer.put([true; 8]), Err(WriteError::NoBuffer));
    writer.put_bytes(&[0xFF]).expect("raw bytes need no buffer");
    assert_eq!(writer.finish().expect("complete").bytes, *b"INEBIN\0B\x01\0\0\0\x08\0\0\0\xFF");
}
