//! Sinks that fail while a field is written: the error is permanent, and what was written before is the beginning of
//! the correct file.

use crate::field::write::refusals::{failed, lattice, never, real, two, zeros};
use crate::sinks::{Fault, Frail, Full, contents, disk};
use embedded_io::{ErrorKind, ErrorType, Seek, SeekFrom, Write};
use linkstream::field::{EncodeErrorKind, Encoder, OutgoingMessage};
use linkstream::ildg::Format;
use linkstream::io::{FieldWriter, Positioned, WriteError};
use linkstream::lattice::{Checksum, Region};
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
    writer: &mut FieldWriter<'_, W, &mut [u8]>,
    documents: &Documents,
) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
    writer.message(&documents.first())?;
    writer.field(&documents.field(), |site| site.put(&[1.5 + site.rank() as f64])).map_err(failed)?;
    writer.begin(&documents.other())?;
    for piece in [&[1; 3][..], &[2; 5], &[3; 8]] {
        writer.data(piece)?;
    }
    writer.end(&documents.other())?;
    writer.message(&OutgoingMessage::lfn("lfn://x"))?;
    writer.complete().map(drop)
}

fn drive_part<W: Write + Seek>(
    writer: &mut FieldWriter<'_, Positioned<W>, &mut [u8]>,
    documents: &Documents,
) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
    writer.message(&documents.first())?;
    writer.begin(&documents.field())?;
    writer.sites(2, |site| site.put(&[1.5 + site.rank() as f64])).map_err(failed)?;
    writer.end_with(&documents.field(), Checksum::default())?;
    writer.begin(&documents.other())?;
    for piece in [&[1; 3][..], &[2; 5], &[3; 8]] {
        writer.data(piece)?;
    }
    writer.end_with(&documents.other(), Checksum::default())?;
    writer.message(&OutgoingMessage::lfn("lfn://x"))?;
    writer.complete().map(drop)
}

fn whole(documents: &Documents) -> Vec<u8> {
    let mut buffer = [0; 512];
    let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer[..], Encoder::new());
    drive(&mut writer, documents).expect("memory does not fail");
    contents(writer.into_parts().0)
}

/// Verifies that every call of a failed writer is refused and changes nothing.
fn is_broken(writer: &mut FieldWriter<'_, Frail, &mut [u8]>, documents: &Documents) {
    let before = (writer.encoder().clone(), OutgoingMessage::foreign(b"own", b""));
    let answers = [
        writer.message(&before.1),
        writer.begin(&documents.other()),
        writer.data(b"x"),
        writer.data(b""),
        writer.sites(0, never).map_err(failed),
        writer.sites(1, never).map_err(failed),
        writer.field(&documents.other(), never).map_err(failed),
        writer.end(&documents.other()),
        writer.complete(),
    ];
    assert_eq!(answers, [Err(WriteError::Broken); 9]);
    assert_eq!(*writer.encoder(), before.0, "a refused call must change nothing");
}

fn is_broken_in_parts<W: Write + Seek>(
    writer: &mut FieldWriter<'_, Positioned<W>, &mut [u8]>,
    documents: &Documents,
) {
    let (before, own) = (writer.encoder().clone(), OutgoingMessage::foreign(b"own", b""));
    let broken =
        |result: Result<(), WriteError<W::Error, EncodeErrorKind>>| matches!(result, Err(WriteError::Broken));
    assert!(broken(writer.message(&own)));
    assert!(broken(writer.begin(&documents.other())));
    assert!(broken(writer.seek(0)));
    assert!(broken(writer.data(b"")));
    assert!(broken(writer.sites(1, never).map_err(failed)));
    assert!(broken(writer.end_with(&documents.other(), Checksum::default())));
    assert!(broken(writer.complete()));
    assert_eq!(*writer.encoder(), before, "a refused call must change nothing");
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
fn parts_into_sinks_that_are_full_after_each_byte() {
    let documents = Documents::new();
    let file = whole(&documents);
    for room in 0..=file.len() {
        for (full, error) in WAYS {
            let mut buffer = [0; 512];
            let mut writer = FieldWriter::part(
                Positioned::new(Frail::new(room, full)),
                &mut buffer[..],
                Encoder::new(),
                true,
            );
            let result = drive_part(&mut writer, &documents);
            let fits = room == file.len();
            assert_eq!(result, if fits { Ok(()) } else { Err(error) }, "room for {room}");
            if !fits {
                is_broken_in_parts(&mut writer, &documents);
            }
            assert!(writer.into_parts().0.into_inner().bytes == file[..room], "room for {room}");
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
    let mut buffer = [0; 512];
    let mut writer = FieldWriter::part(Positioned::new(frail()), &mut buffer[..], Encoder::new(), true);
    assert_eq!(drive_part(&mut writer, &documents), error);
    is_broken_in_parts(&mut writer, &documents);
}

/// A file in memory whose position cannot be moved after a number of moves.
#[derive(Debug)]
struct Stuck {
    bytes: Vec<u8>,
    at: usize,
    moves: usize,
}

impl ErrorType for Stuck {
    type Error = Fault;
}

impl Write for Stuck {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        self.bytes.resize(self.bytes.len().max(self.at + bytes.len()), 0xee);
        self.bytes[self.at..self.at + bytes.len()].copy_from_slice(bytes);
        self.at += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

impl Seek for Stuck {
    fn seek(&mut self, to: SeekFrom) -> Result<u64, Fault> {
        let SeekFrom::Start(to) = to else { panic!("writers must seek to absolute positions") };
        self.moves = self.moves.checked_sub(1).ok_or(Fault(ErrorKind::Unsupported))?;
        self.at = to as usize;
        Ok(to)
    }
}

/// The upper half of a field is written before the lower half, which moves the position four times.
#[test]
fn seeks_that_fail_are_reported() {
    let documents = Documents::new();
    let message = OutgoingMessage::ildg(&documents.format).with_checksum(true);
    let run = |moves: usize| {
        let mut buffer = [0; 512];
        let sink = Stuck { bytes: Vec::new(), at: 77, moves };
        let mut writer = FieldWriter::part(Positioned::new(sink), &mut buffer[..], Encoder::new(), true);
        let put = |writer: &mut FieldWriter<'_, Positioned<Stuck>, &mut [u8]>| {
            writer.begin(&message)?;
            for index in [1, 0] {
                writer.seek(index)?;
                writer.sites(1, |site| site.put(&[site.rank() as f64])).map_err(failed)?;
            }
            writer.end_with(&message, Checksum::default())?;
            writer.complete().map(drop)
        };
        let result = put(&mut writer);
        if result.is_err() {
            is_broken_in_parts(&mut writer, &documents);
        }
        (result, writer.into_parts().0.into_inner().bytes)
    };
    let mut buffer = [0; 512];
    let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer[..], Encoder::new());
    writer.field(&message, |site| site.put(&[site.rank() as f64])).expect("memory does not fail");
    let file = contents(writer.into_parts().0);
    let (result, bytes) = run(4);
    assert_eq!((result, bytes == file), (Ok(()), true));
    for moves in 0..4 {
        let (result, bytes) = run(moves);
        assert_eq!(result, Err(WriteError::Io(Fault(ErrorKind::Unsupported))), "{moves}");
        // Nothing was written to a wrong position: only the site that was skipped differs.
        let differ = bytes.iter().zip(&file).filter(|(a, b)| a != b).count();
        assert!(bytes.len() < file.len() && differ <= 8, "{moves}: {differ}");
    }
}

/// Processes other than the root write only their sites.
#[test]
fn others_than_the_root_need_no_room_for_documents() {
    let documents = Documents::new();
    let message = documents.other();
    let mut buffer = [0; 512];
    let sink = Frail { seek_fails: true, ..Frail::new(0, Full::Fails) };
    let mut writer = FieldWriter::part(Positioned::new(sink), &mut buffer[..], Encoder::new(), false);
    writer.begin(&message).expect("nothing is written");
    writer.end_with(&message, Checksum::default()).expect("nothing is written");
    writer.message(&OutgoingMessage::lfn("lfn://x")).expect("nothing is written");
    writer.finish().expect("nothing is written");
    let mut buffer = [0; 512];
    let sink = Frail { seek_fails: true, ..Frail::new(0, Full::Fails) };
    let mut writer = FieldWriter::part(Positioned::new(sink), &mut buffer[..], Encoder::new(), false);
    writer.begin(&message).expect("nothing is written");
    let result = writer.sites(1, zeros).map_err(failed);
    assert_eq!(result, Err(WriteError::Io(Fault(ErrorKind::Unsupported))));
    is_broken_in_parts(&mut writer, &documents);
}
