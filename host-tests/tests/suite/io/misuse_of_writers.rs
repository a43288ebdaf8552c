//! The table of `guide/misuse_writers.md`: each misuse that it publishes as an error has its case.

use std::fmt::Debug;

use crate::sinks::{Disk, disk};
use linkstream::field::{
    EncodeErrorKind, Encoder, FieldDocuments, Form, MissingPlace, OutgoingMessage, SiteError, SiteMut,
};
use linkstream::ildg::{Format, GaugeKind};
use linkstream::inebin::{self, MatrixType};
use linkstream::io::{
    ArchiveWriter, FieldSource, FieldWriter, Fill, MatrixWriter, RecordWriter, SectionWriter, VolumeWriter,
    WriteError,
};
use linkstream::lattice::{ByteOrder, Checksum, Coordinates, Extents, Hypercube, Precision, Region};
use linkstream::lime::Header;
use linkstream::nersc::{self, StoredRows};
use linkstream::scda::{self, Style};
use linkstream::scidac::{Date, PrivateFile, PrivateRecord, RecordData, VolumeFormat};
use linkstream::volume::{self, VolumeKind};
use linkstream::{CallbackError, Encode};

type Failure = WriteError<std::io::Error, EncodeErrorKind>;

/// A misuse of the page, and whether the call is refused as the page says.
pub(super) type Case = (&'static str, fn() -> bool);

/// The error of a writer of fields.
pub(super) fn kind<T, E>(call: Result<T, WriteError<E, EncodeErrorKind>>) -> Option<EncodeErrorKind> {
    match call {
        Err(WriteError::Refused(kind)) => Some(kind),
        _ => None,
    }
}

/// The error of a call with a callback, if it is not the error of the callback.
pub(super) fn kind_of<T, E, C>(
    call: Result<T, CallbackError<WriteError<E, EncodeErrorKind>, C>>,
) -> Option<EncodeErrorKind> {
    match call {
        Err(CallbackError::Failed(error)) => kind(Err::<T, _>(error)),
        _ => None,
    }
}

/// The error of a callback.
pub(super) fn of_callback<T, F>(call: Result<T, CallbackError<F, SiteError>>) -> Option<SiteError> {
    match call {
        Err(CallbackError::Callback(error)) => Some(error),
        _ => None,
    }
}

/// A plain field of two sites with one link, begun.
pub(super) fn in_field<T>(
    call: impl FnOnce(&mut FieldWriter<Disk, &mut [u8]>, &OutgoingMessage<'_>) -> T,
) -> T {
    let format = Format::new(GaugeKind::SU3, Precision::F32, [1, 2, 2, 1]);
    let message = OutgoingMessage::ildg(&format);
    let mut buffer = [0; 1024];
    let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer[..], Encoder::new());
    writer.begin(&message).expect("legal");
    call(&mut writer, &message)
}

pub(super) fn filled(
    fill: fn(&mut SiteMut<'_>) -> Result<(), SiteError>,
) -> Result<(), CallbackError<Failure, SiteError>> {
    in_field(|writer, _| writer.put(Fill::sites(fill).at_most(1)))
}

/// A writer that makes whole fields.
pub(super) fn created<T>(call: impl FnOnce(&mut FieldWriter<Disk, &mut [u8]>) -> T) -> T {
    let mut buffer = [0; 1024];
    let lattice = Extents::new(&[2, 1, 1, 1]).expect("a lattice");
    call(&mut FieldWriter::create(disk(Vec::new()), &mut buffer[..], lattice).expect("there is room"))
}

/// Writes data that a SciDAC record describes.
pub(super) fn record_from<T>(
    writer: &mut FieldWriter<Disk, &mut [u8]>,
    record: &PrivateRecord,
    source: impl FieldSource<Error = T>,
) -> Result<(), CallbackError<Failure, T>> {
    writer.write(&OutgoingMessage::scidac(record, b""), source)
}

fn begun(message: &OutgoingMessage<'_>) -> Option<EncodeErrorKind> {
    Encoder::new().begin(message, &mut [0; 512]).err()
}

/// A first volume with its file message, of two sites.
fn in_volume<T>(call: impl FnOnce(&mut VolumeWriter<Disk, &mut [u8]>, &OutgoingMessage<'_>) -> T) -> T {
    let lattice = Extents::new(&[2, 1]).expect("a lattice");
    let file = PrivateFile::new(&lattice).with_volume_format(VolumeFormat::Multifile);
    let record = PrivateRecord::real_field(Precision::F32);
    let mut buffer = [0; 512];
    let encoder = volume::Encoder::new(VolumeKind::First, 2, 1);
    let mut writer = VolumeWriter::with_encoder(disk(Vec::new()), &mut buffer[..], encoder);
    writer.write_file(&OutgoingMessage::file(&file, b""), 0..2).expect("legal");
    call(&mut writer, &OutgoingMessage::scidac(&record, b""))
}

fn is_volume<T: Debug>(
    call: Result<T, CallbackError<WriteError<std::io::Error, volume::EncodeErrorKind>, SiteError>>,
    expected: impl Into<volume::EncodeErrorKind>,
) -> bool {
    matches!(call, Err(CallbackError::Failed(WriteError::Refused(kind))) if kind == expected.into())
}

fn put_one(site: &mut SiteMut<'_>) -> Result<(), SiteError> {
    site.put(&[1.0_f32])
}

pub(super) fn is_refused<T, E, K>(call: Result<T, WriteError<E, K>>) -> bool {
    matches!(call, Err(WriteError::Refused(_)))
}

const LINK: [f32; 18] = [1.0; 18];

/// Misuse of the writer of fields.
const FIELDS: [Case; 18] = [
    ("A callback puts a link twice and another one not at all", || {
        let missing = MissingPlace { link: Some(1), from: 72, to: 144 };
        let call = filled(|site| (0..2).try_for_each(|_| site.link_mut(0)?.put(&LINK)));
        kind_of(call) == Some(EncodeErrorKind::SiteNotFilled { missing })
    }),
    ("A callback sets an element twice and another one not at all", || {
        let missing = MissingPlace { link: Some(0), from: 20, to: 24 };
        let call = filled(|site| (0..36).try_for_each(|n| site.set(if n == 5 { 6 } else { n }, 1.0)));
        kind_of(call) == Some(EncodeErrorKind::SiteNotFilled { missing })
    }),
    ("A callback returns without filling its site", || {
        matches!(kind_of(filled(|_| Ok(()))), Some(EncodeErrorKind::SiteNotFilled { .. }))
    }),
    ("Words of another type than the floating-point numbers that the field stores", || {
        let stored = Precision::F32;
        of_callback(filled(|site| site.put(&[1.0_f64; 36]))) == Some(SiteError::WordType { stored })
    }),
    ("Too many or too few words for a site or a link", || {
        let site = of_callback(filled(|site| site.put(&[1.0_f32; 35])));
        let link = of_callback(filled(|site| site.link_mut(1)?.put(&[1.0_f32; 19])));
        matches!((site, link), (Some(SiteError::Length { .. }), Some(SiteError::Length { .. })))
    }),
    ("Numbers out of order in a site of more than 512 numbers", || {
        let lattice = Extents::new(&[1]).expect("a lattice");
        let mut buffer = [0; 4096];
        let mut writer =
            FieldWriter::create(disk(Vec::new()), &mut buffer[..], lattice).expect("there is room");
        let record = PrivateRecord::real_field(Precision::F32);
        let data = RecordData { datacount: 513, ..*record.data() };
        let record = record.with_data(data).expect("they agree");
        let call = record_from(&mut writer, &record, Fill::sites(|site| site.set(1, 1.0)));
        of_callback(call) == Some(SiteError::NotInOrder { next: 0 })
    }),
    ("`end` with a message that differs from the message of `begin`", || {
        in_field(|writer, message| {
            writer.put(&[0_u8; 4 * 144][..]).expect("there is room");
            kind(writer.end(&message.with_checksum(true))) == Some(EncodeErrorKind::MessageOther)
        })
    }),
    ("`end` with another record at the same address", || {
        let file = PrivateFile::new(&Extents::new(&[1]).expect("a lattice"));
        let mut buffer = [0; 1024];
        let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer[..], Encoder::new());
        writer.write_message(&OutgoingMessage::file(&file, b"")).expect("legal");
        let mut record = PrivateRecord::complex_field(Precision::F32);
        writer.begin(&OutgoingMessage::scidac(&record, b"")).expect("legal");
        writer.put(&[0_u8; 8][..]).expect("there is room");
        record = PrivateRecord::real_field(Precision::F64);
        kind(writer.end(&OutgoingMessage::scidac(&record, b""))) == Some(EncodeErrorKind::MessageOther)
    }),
    ("`end` before all data are written", || {
        in_field(|writer, message| {
            kind(writer.end(message)) == Some(EncodeErrorKind::DataMissing { missing: 4 * 144 })
        })
    }),
    ("`finish` before the end of a message", || {
        in_field(|writer, _| kind(writer.complete()) == Some(EncodeErrorKind::MessageOpen))
    }),
    ("More data than the field has", || {
        in_field(|writer, _| {
            matches!(kind_of(writer.put(&[0_u8; 4 * 144 + 1][..])), Some(EncodeErrorKind::Lime(_)))
        })
    }),
    ("`write_message` with data, or `begin` without data", || {
        let format = Format::new(GaugeKind::SU3, Precision::F32, [1, 2, 2, 1]);
        let mut buffer = [0; 1024];
        let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer[..], Encoder::new());
        let calls =
            [writer.write_message(&OutgoingMessage::ildg(&format)), writer.begin(&OutgoingMessage::lfn("a"))];
        calls.map(kind) == [Some(EncodeErrorKind::DataUnexpected); 2]
    }),
    ("A message of parts that do not belong together", || {
        let format = Format::new(GaugeKind::SU3, Precision::F32, [1, 2, 2, 1]);
        let message = OutgoingMessage::foreign(b"own", b"text").with_format(&format);
        begun(&message) == Some(EncodeErrorKind::MessageInvalid)
    }),
    ("A checksum for a message without data", || {
        begun(&OutgoingMessage::lfn("a").with_checksum(true)) == Some(EncodeErrorKind::MessageInvalid)
    }),
    ("A text or date for a field without SciDAC documents", || {
        let lattice = Extents::new(&[2, 1, 1, 1]).expect("a lattice");
        let plain = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F32, Form::Ildg, &lattice);
        let plain = plain.expect("legal");
        let dated = plain.clone().dated(Date::from_unix(0));
        [plain.message(b"text"), dated.message(b"")].into_iter().all(|message| {
            let call = created(|writer| writer.write(&message, &[0.5_f32; 36][..]));
            kind_of(call) == Some(EncodeErrorKind::NoPlaceForText)
        })
    }),
    ("A SciDAC record that contradicts itself", || {
        let record = PrivateRecord::gauge_field(u16::MAX, Precision::F64, 4);
        let refused = begun(&OutgoingMessage::scidac(&record, b""));
        matches!(refused, Some(EncodeErrorKind::Contradiction(_)))
    }),
    ("A buffer without room for a site", || {
        let call = created(|writer| {
            record_from(writer, &PrivateRecord::propagator(Precision::F32), Fill::sites(put_one))
        });
        kind_of(call) == Some(EncodeErrorKind::SiteTooLarge { needed: 1152 })
    }),
    ("Any call after an error of the sink", || {
        let mut file = [0; 200];
        let mut writer = RecordWriter::create(&mut file[..]);
        let full = writer.write_record(b"long", true, true, &[0; 100]);
        full.is_err() && matches!(writer.finish(), Err(WriteError::Broken))
    }),
];

/// Misuse of the writers of volumes and of the other formats.
const OTHERS: [Case; 19] = [
    ("A callback of a volume returns without filling its site", || {
        let missing = MissingPlace { link: None, from: 0, to: 4 };
        let expected = EncodeErrorKind::SiteNotFilled { missing };
        is_volume(
            in_volume(|writer, message| {
                writer.write(message, 0..2, Fill::sites(|_| Ok::<(), SiteError>(())))
            }),
            expected,
        )
    }),
    ("Ranks that differ from the site list, also in their order", || {
        let call = in_volume(|writer, message| {
            writer.write(message, [1, 0], Fill::sites(put_one)).map(drop)?;
            writer.write_checksum(message, Checksum::default()).map_err(CallbackError::from)
        });
        is_volume(call, volume::EncodeErrorKind::SitesDiffer)
    }),
    ("A rank that occurs twice in a site list", || {
        let file = PrivateFile::new(&Extents::new(&[2, 1]).expect("a lattice"))
            .with_volume_format(VolumeFormat::Multifile);
        let mut buffer = [0; 512];
        let encoder = volume::Encoder::new(VolumeKind::Other, 2, 1);
        let mut writer = VolumeWriter::with_encoder(disk(Vec::new()), &mut buffer[..], encoder);
        is_refused(writer.write_file(&OutgoingMessage::file(&file, b""), [1, 1]))
    }),
    ("Sites that are not in the hypercube of a field", || {
        let corner = Coordinates::new(&[1, 0]).expect("2 dimensions");
        let lattice = Extents::new(&[2, 1]).expect("a lattice");
        let site = Hypercube::new(corner, corner, &lattice).expect("inside");
        let record = PrivateRecord::real_field(Precision::F32).covering(&Region::Hypercube(site));
        let message = OutgoingMessage::scidac(&record, b"");
        let call = in_volume(|writer, _| writer.write(&message, [0], Fill::sites(put_one)));
        is_volume(call, volume::EncodeErrorKind::SitesDiffer)
    }),
    ("A second logical file name in a volume", || {
        let call = in_volume(|writer, message| {
            let named = message.with_lfn("lfn://name");
            writer.write(&named, 0..2, Fill::sites(put_one))?;
            writer.write_checksum(&named, Checksum::default())?;
            writer.write(&named, 0..2, Fill::sites(put_one))
        });
        is_volume(call, EncodeErrorKind::LfnRepeated)
    }),
    ("`finish` of the first volume before `write_checksum`", || {
        let call = in_volume(|writer, message| {
            writer.write(message, 0..2, Fill::sites(put_one)).map(drop)?;
            writer.complete().map_err(CallbackError::from)
        });
        is_volume(call, EncodeErrorKind::MessageOpen)
    }),
    ("`write_checksum` of a volume that expects none", || {
        let call = in_volume(|writer, message| {
            writer.write_checksum(message, Checksum::default()).map_err(CallbackError::from)
        });
        is_volume(call, EncodeErrorKind::NoData)
    }),
    ("`end` of a LIME record before all of its payload", || {
        let mut writer = RecordWriter::create(disk(Vec::new()));
        writer.begin(&Header::new(b"type", 5, true, true).expect("short")).expect("legal");
        is_refused(writer.end())
    }),
    ("More payload than the header of a LIME record has", || {
        let mut writer = RecordWriter::create(disk(Vec::new()));
        writer.begin(&Header::new(b"type", 5, true, true).expect("short")).expect("legal");
        is_refused(writer.put(&[0; 6]))
    }),
    ("`finish` in a LIME record", || {
        let mut writer = RecordWriter::create(disk(Vec::new()));
        writer.begin(&Header::new(b"type", 0, true, true).expect("short")).expect("legal");
        is_refused(writer.finish())
    }),
    ("`finish` of an scda file without a header", || {
        is_refused(SectionWriter::create(disk(Vec::new()), Style::Unix).finish())
    }),
    ("`end` of an scda section before all data", || {
        let mut writer = SectionWriter::create(disk(Vec::new()), Style::Unix);
        writer.write_header(b"vendor", b"file").expect("legal");
        writer.begin_block(b"word", 3.into()).expect("legal");
        is_refused(writer.end())
    }),
    ("Data of an scda array before all sizes; `room` of the encoder is 0 until then", || {
        let mut encoder = scda::Encoder::new(Style::Unix);
        encoder.header(b"vendor", b"file").expect("legal");
        encoder.varray(b"words", 2.into()).expect("legal");
        encoder.size(1).expect("the first");
        encoder.room() == 0 && matches!(encoder.put(b"a"), Err(scda::EncodeErrorKind::SizesMissing { .. }))
    }),
    ("A part of an element for `write_array`", || {
        let mut writer = SectionWriter::create(disk(Vec::new()), Style::Unix);
        writer.write_header(b"vendor", b"file").expect("legal");
        is_refused(writer.write_array(b"ids", 3, b"abcd"))
    }),
    ("`finish` before all entries of a matrix", || {
        let header = inebin::Header::new(MatrixType::Real, 1, 2).expect("small");
        let mut buffer = [0; 64];
        let mut writer = MatrixWriter::create(disk(Vec::new()), &mut buffer[..], &header);
        writer.put([1.0]).expect("there is room");
        is_refused(writer.finish())
    }),
    ("Entries of another type than the matrix", || {
        let header = inebin::Header::new(MatrixType::Real, 1, 2).expect("small");
        let mut buffer = [0; 64];
        is_refused(MatrixWriter::create(disk(Vec::new()), &mut buffer[..], &header).put([1_i64, 2]))
    }),
    ("`finish` of an archive with the checksum of other data in its header", || {
        let mut encoder = nersc::Encoder::new(&archive(), 100).expect("small");
        encoder.put(&[1; 192]).expect("there is room");
        matches!(Encode::finish(&encoder), Err(nersc::EncodeErrorKind::Checksum { .. }))
    }),
    ("More links than the archive has left, or a part of a site", || {
        let (mut sink, mut buffer, header) = ([0; 1024], [0; 1024], archive());
        let mut writer =
            ArchiveWriter::create(&mut sink[..], &mut buffer[..], &header, &[]).expect("there is room");
        let part = matches!(
            writer.put(&[0.0_f32; 71][..]),
            Err(CallbackError::Callback(SiteError::Length { needed: 288, given: 284 }))
        );
        let more = writer.put(&[0.0_f32; 144][..]);
        let bytes = writer.put(&[0_u8; 193][..]);
        part && more == Err(CallbackError::Callback(SiteError::Length { needed: 288, given: 576 }))
            && bytes == Err(CallbackError::Failed(WriteError::Refused(nersc::EncodeErrorKind::TooMany)))
    }),
    ("A plaquette or link trace that is not a number", || {
        ["0.5\n", "nan", "abc", " 0.5", "0.5 ", "1e400", "+", "1e", ".", "1.0.0", "1e+"].into_iter().all(
            |figure| {
                let mut header = archive();
                header.plaquette = figure.try_into().expect("short");
                let refused = header.write(&[], &[], &mut [0; 1024]);
                refused == Err(nersc::EncodeErrorKind::Value { key: "PLAQUETTE" })
            },
        )
    }),
];

fn archive() -> nersc::Header {
    let lattice = Extents::new(&[1; 4]).expect("a lattice");
    nersc::Header::new(lattice, Precision::F32, StoredRows::Reduced, ByteOrder::Big).expect("four dimensions")
}

#[test]
fn observables_are_written_as_programs_print_them() {
    for figure in
        ["0.5957", "-0.000123", "5.957E-01", "1", "+.5", "6.e+00", "0.598712345678901234567890", "-1e-300"]
    {
        let mut header = archive();
        header.link_trace = figure.try_into().expect("short");
        assert!(header.write(&[], &[], &mut [0; 1024]).is_ok(), "{figure}");
    }
}

/// Each row of the page's table of errors has a case, and each case is a row.
#[test]
fn misuse_of_writers() {
    let page = include_str!("../../../../codec/src/guide/misuse_writers.md");
    let table =
        page.split("## ").find(|section| section.starts_with("Misuse that is an error")).expect("a table");
    let rows = table.lines().filter(|line| line.starts_with("| ")).skip(1);
    let rows: Vec<&str> =
        rows.map(|row| row.split(" | ").next().expect("a cell").trim_start_matches("| ")).collect();
    let cases: Vec<Case> = FIELDS.into_iter().chain(OTHERS).chain(super::refused_whole::CASES).collect();
    for (name, is_refused) in &cases {
        assert!(rows.contains(name), "the page has no row for: {name}");
        assert!(is_refused(), "{name}");
    }
    for row in &rows {
        assert_eq!(cases.iter().filter(|(name, _)| name == row).count(), 1, "no case for: {row}");
    }
}

/// Bytes that a callback leaves out are zeros, not bytes of the element before.
#[test]
fn bytes_that_a_callback_leaves_out_are_zero() {
    let mut file = [0; 512];
    let mut writer = SectionWriter::create(&mut file[..], Style::Unix);
    writer.write_header(b"vendor", b"file").expect("legal");
    let fill = |index: u64, element: &mut [u8]| element[usize::from(index > 0)] = b'x';
    writer.write_array_with(b"pairs", 3, &mut [b'o'; 2], fill).expect("there is room");
    let end = writer.encoder().position() as usize;
    assert!(file[..end].windows(6).any(|bytes| bytes == b"x\0\0x\0x"));
}
