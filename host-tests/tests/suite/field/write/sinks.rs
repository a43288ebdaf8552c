//! Sinks that fail while a field is written: the error is permanent, and what was written before is the beginning of
//! the correct file.

use crate::field::write::refusals::{failed, lattice, never, real, two};
use crate::sinks::{Fault, Frail, Full, contents, disk};
use embedded_io::{ErrorKind, Write};
use linkstream::CallbackError;
use linkstream::Encode as _;
use linkstream::field::{EncodeErrorKind, Encoder, OutgoingMessage};
use linkstream::ildg::Format;
use linkstream::io::{FieldWriter, Fill, WriteError};
use linkstream::lattice::Region;
use linkstream::scidac::{PrivateFile, PrivateRecord};

type Refused = WriteError<Fault, EncodeErrorKind>;

/// The documents of a file with every kind of record.
struct Documents {
    file: PrivateFile,
    record: PrivateRecord,
    format: Format,
}

impl Documents {
    fn new() -> Self {
        Self { file: lattice(&[2, 1, 1, 1]), record: real(&Region::Lattice), format: two() }
    }

    fn first(&self) -> OutgoingMessage<'_> {
        OutgoingMessage::file(&self.file, b"title")
    }

    fn field(&self) -> OutgoingMessage<'_> {
        OutgoingMessage::scidac(&self.record, b"text").with_format(&self.format).with_update("1")
    }

    fn other(&self) -> OutgoingMessage<'_> {
        OutgoingMessage::ildg(&self.format).with_update("2")
    }
}

/// Makes all calls of a writer in order, up to the first that fails: two fields, one site by site and one in pieces.
fn drive<W: Write>(
    writer: &mut FieldWriter<W, &mut [u8]>,
    documents: &Documents,
) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
    writer.write_message(&documents.first())?;
    writer
        .write(&documents.field(), Fill::sites(|site| site.put(&[1.5 + site.rank() as f64])))
        .map_err(failed)?;
    writer.begin(&documents.other())?;
    for piece in [&[1; 3][..], &[2; 5], &[3; 8]] {
        writer.put(piece)?;
    }
    writer.end(&documents.other())?;
    writer.write_message(&OutgoingMessage::lfn("lfn://x"))?;
    writer.complete().map(drop)
}

fn whole(documents: &Documents) -> Vec<u8> {
    let mut buffer = [0; 512];
    let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer[..], Encoder::new());
    drive(&mut writer, documents).expect("memory does not fail");
    contents(writer.into_parts().0)
}

/// Verifies that every call of a failed writer is refused and changes nothing.
fn is_broken(writer: &mut FieldWriter<Frail, &mut [u8]>, documents: &Documents) {
    let before = (writer.encoder().clone(), OutgoingMessage::foreign(b"own", b""));
    let answers = [
        writer.write_message(&before.1),
        writer.begin(&documents.other()),
        writer.put(&b"x"[..]).map_err(CallbackError::into_failed),
        writer.put(&b""[..]).map_err(CallbackError::into_failed),
        writer.put(Fill::sites(never).at_most(0)).map_err(failed),
        writer.put(Fill::sites(never).at_most(1)).map_err(failed),
        writer.write(&documents.other(), Fill::sites(never)).map_err(failed),
        writer.end(&documents.other()),
        writer.complete(),
    ];
    assert_eq!(answers, [Err(WriteError::Broken); 9]);
    assert_eq!(*writer.encoder(), before.0, "a refused call must change nothing");
}

const WAYS: [(Full, Refused); 2] = [
    (Full::TakesNothing, WriteError::WriteZero),
    (Full::Fails, WriteError::Io(Fault(ErrorKind::OutOfMemory))),
];

/// The sinks are also interrupted, and accept few bytes at a time.
#[test]
fn sinks_that_are_full_after_each_byte() {
    let documents = Documents::new();
    let file = whole(&documents);
    for room in 0..=file.len() {
        for (full, error) in WAYS {
            let mut buffer = [0; 512];
            let mut writer =
                FieldWriter::with_encoder(Frail::new(room, full), &mut buffer[..], Encoder::new());
            let result = drive(&mut writer, &documents);
            let fits = room == file.len();
            assert_eq!(result, if fits { Ok(()) } else { Err(error) }, "room for {room}");
            if !fits {
                is_broken(&mut writer, &documents);
            }
            let (sink, encoder) = writer.into_parts();
            assert!(sink.bytes == file[..room], "room for {room}");
            // The encoder is at the end of the bytes that were to be written.
            assert!(encoder.position() >= room as u64, "room for {room}");
        }
    }
}

#[test]
fn a_flush_that_fails_is_reported() {
    let documents = Documents::new();
    let file = whole(&documents);
    let frail = || Frail { flush_fails: true, ..Frail::new(file.len(), Full::Fails) };
    let error: Result<(), Refused> = Err(WriteError::Io(Fault(ErrorKind::BrokenPipe)));
    let mut buffer = [0; 512];
    let mut writer = FieldWriter::with_encoder(frail(), &mut buffer[..], Encoder::new());
    assert_eq!(drive(&mut writer, &documents), error);
    is_broken(&mut writer, &documents);
    assert!(writer.into_parts().0.bytes == file);
}
