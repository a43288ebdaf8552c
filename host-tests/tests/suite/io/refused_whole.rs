//! Rows of `guide/misuse_writers.md` about calls that write several pieces: an error in a later piece is found
//! before the first is written.

use super::misuse_of_writers::{Case, created, filled, in_field, is_refused, kind, kind_of, of_callback};
use crate::sinks::{Disk, disk};
use linkstream::CallbackError;
use linkstream::field::{EncodeErrorKind, Encoder, OutgoingMessage, SiteError};
use linkstream::inebin::{self, MatrixType};
use linkstream::io::{FieldWriter, MatrixWriter, Positioned, RecordWriter, SectionWriter, WriteError};
use linkstream::lattice::{Extents, Precision};
use linkstream::lime;
use linkstream::scda::{self, Style, stored_length};
use linkstream::scidac::{PrivateFile, PrivateRecord, RecordData};

/// A process that writes a part of fields of 16 sites.
fn in_part<T>(call: impl FnOnce(&mut FieldWriter<'_, Positioned<Disk>, &mut [u8]>) -> T) -> T {
    let lattice = Extents::new(&[2, 2, 2, 2]).expect("a lattice");
    let (sink, mut buffer) = (Positioned::new(disk(Vec::new())), [0; 1024]);
    let mut writer = FieldWriter::create_part(sink, &mut buffer[..], lattice, true).expect("there is room");
    let result = call(&mut writer);
    assert_eq!(writer.encoder(), &Encoder::new(), "nothing is written");
    result
}

fn integers() -> PrivateRecord {
    let data = RecordData {
        datatype: "QDP_Int".try_into().expect("short"),
        precision: "I".try_into().expect("short"),
        typesize: 4,
        datacount: 1,
        ..RecordData::default()
    };
    PrivateRecord::real_field(Precision::F32).with_data(data).expect("they agree")
}

pub const CASES: [Case; 13] = [
    ("A part with sites that the field does not have", || {
        let record = || PrivateRecord::real_field(Precision::F32);
        let mut ranges = [(20..24, 20), (10..20, 16)].into_iter();
        let of_callbacks = ranges.all(|(range, index)| {
            let call =
                in_part(|writer| writer.scidac_field_part(record(), range, |site| site.put(&[1.0_f32])));
            kind_of(call) == Some(EncodeErrorKind::NoSuchSite { index, sites: 16 })
        });
        let reversed = in_part(|writer| {
            #[expect(clippy::reversed_empty_ranges, reason = "the misuse")]
            writer.scidac_field_part(record(), 5..3, |site| site.put(&[1.0_f32]))
        });
        let of_numbers = in_part(|writer| writer.scidac_field_part_from(record(), 20, &[1.0_f32]));
        of_callbacks
            && kind_of(reversed) == Some(EncodeErrorKind::SitesReversed { start: 5, end: 3 })
            && kind_of(of_numbers) == Some(EncodeErrorKind::NoSuchSite { index: 20, sites: 16 })
    }),
    ("A part with more numbers than its sites have, or a part of a site", || {
        let long = in_part(|writer| {
            writer.scidac_field_part_from(PrivateRecord::real_field(Precision::F32), 10, &[1.0_f32; 10])
        });
        let cut = in_part(|writer| {
            writer.scidac_field_part_from(PrivateRecord::complex_field(Precision::F32), 0, &[1.0_f32; 3])
        });
        of_callback(long) == Some(SiteError::Length { needed: 24, given: 40 })
            && of_callback(cut) == Some(SiteError::Length { needed: 16, given: 12 })
    }),
    ("Floating-point numbers for a field of integers", || {
        let call = in_part(|writer| writer.scidac_field_part_from(integers(), 0, &[1.0_f32; 16]));
        let singles =
            created(|writer| of_callback(writer.scidac_field(integers(), |site| site.put(&[1.0_f32]))));
        let mut eight = *integers().data();
        eight.datacount = 2;
        let eight = integers().with_data(eight).expect("they agree");
        let doubles = created(|writer| of_callback(writer.scidac_field(eight, |site| site.put(&[1.5_f64]))));
        let right = created(|writer| writer.scidac_field(integers(), |site| site.put(&[1_i32])).is_ok());
        right && [of_callback(call), singles, doubles] == [Some(SiteError::NotNumbers); 3]
    }),
    ("A file message of the caller with another lattice than the writer was created for", || {
        in_part(|writer| {
            let other = PrivateFile::new(&Extents::new(&[2, 2, 2, 1]).expect("a lattice"));
            kind(writer.message(&OutgoingMessage::file(&other, b""))) == Some(EncodeErrorKind::LatticeOther)
        })
    }),
    ("A message of the caller for a buffer without room for its site", || {
        let file = PrivateFile::new(&Extents::new(&[1]).expect("a lattice"));
        let record = PrivateRecord::propagator(Precision::F32);
        let mut buffer = [0; 1024];
        let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer[..], Encoder::new());
        writer.message(&OutgoingMessage::file(&file, b"")).expect("legal");
        let before = writer.encoder().position();
        let call = writer.field(&OutgoingMessage::scidac(&record, b""), |site| site.put(&[1.0_f32; 288]));
        let is_refused = kind_of(call) == Some(EncodeErrorKind::SiteTooLarge { needed: 1152 });
        is_refused && writer.encoder().position() == before && writer.finish().is_ok()
    }),
    ("A finite number that would be infinite in single precision", || {
        let record = || PrivateRecord::real_field(Precision::F32);
        let numbers = [f64::INFINITY, 1e300];
        let whole = created(|writer| of_callback(writer.scidac_field_from(record(), &numbers)));
        let first =
            created(|writer| of_callback(writer.scidac_field(record(), |site| site.put_rounded(&[-1e39]))));
        let set = created(|writer| of_callback(writer.scidac_field(record(), |site| site.set(0, 1e39))));
        let link = of_callback(filled(|site| site.link_mut(0)?.set(0, 1, [1.0, 1e39])));
        let piece = in_field(|writer, _| of_callback(writer.numbers(&[0.0, 0.0, 1e39])));
        let largest =
            created(|writer| writer.scidac_field_from(record(), &[f64::from(f32::MAX), f64::NAN]).is_ok());
        let overflow = |index| Some(SiteError::Overflow { index });
        largest && [whole, first, set, link, piece] == [1, 0, 0, 3, 2].map(overflow)
    }),
    ("A record without bytes", || {
        [PrivateRecord::global(Precision::F32, 0), PrivateRecord::gauge_field(0, Precision::F32, 4)]
            .into_iter()
            .all(|record| {
                let call =
                    created(|writer| kind_of(writer.scidac_field(record, |_| Ok::<(), SiteError>(()))));
                matches!(call, Some(EncodeErrorKind::Document(..)))
            })
    }),
    ("A control character in a text of a document", || {
        let mut record = PrivateRecord::real_field(Precision::F32);
        record.date = "\u{1}".try_into().expect("short");
        let call = created(|writer| kind_of(writer.scidac_field(record, |site| site.put(&[1.0_f32]))));
        matches!(call, Some(EncodeErrorKind::Emit(..)))
    }),
    ("More rows than the matrix has left", || {
        let header = inebin::Header::new(MatrixType::Integer, 3, 2).expect("small");
        let mut buffer = [0; 64];
        let mut writer = MatrixWriter::create(disk(Vec::new()), &mut buffer[..], &header);
        let call = writer.rows(&[1_i64; 8]);
        let is_refused =
            call.is_err_and(|e| matches!(e, WriteError::Refused(inebin::EncodeErrorKind::TooMany)));
        is_refused && writer.encoder() == &inebin::Encoder::new(&header)
    }),
    ("More entries for `write` than the matrix has left", || {
        let header = inebin::Header::new(MatrixType::Integer, 3, 2).expect("small");
        let mut buffer = [0; 64];
        let mut writer = MatrixWriter::create(disk(Vec::new()), &mut buffer[..], &header);
        let call = writer.write([1_i64; 8]);
        call.is_err_and(|e| matches!(e, WriteError::Refused(inebin::EncodeErrorKind::TooMany)))
    }),
    ("A LIME message with a record that is refused", || {
        let mut writer = RecordWriter::create(disk(Vec::new()));
        let call = writer.message([(&b"ok"[..], &b"payload"[..]), (b"a\0b", b"")]);
        is_refused(call) && writer.encoder() == &lime::Encoder::new()
    }),
    ("More or fewer sizes than an scda array has elements", || {
        let calls: [fn(&mut SectionWriter<Disk>) -> bool; 6] = [
            |writer| is_refused(writer.varray(b"words", 3, [3, 5])),
            |writer| is_refused(writer.varray(b"words", 3, [3, 0, 5, 1])),
            |writer| is_refused(writer.compressed_array(b"words", 2, 3.into(), [30])),
            |writer| is_refused(writer.compressed_array(b"words", 2, 3.into(), [30, 30, 30])),
            |writer| is_refused(writer.compressed_varray(b"words", 2, [3], [30, 30])),
            |writer| is_refused(writer.compressed_varray(b"words", 2, [3, 5], [30, 31])),
        ];
        calls.into_iter().all(|call| {
            let mut writer = SectionWriter::create(disk(Vec::new()), Style::Unix);
            writer.header(b"vendor", b"file").expect("legal");
            call(&mut writer) && writer.encoder().position() == 128 && writer.finish().is_ok()
        })
    }),
    ("An element of another length than announced for `stored`", || {
        let text = stored_length(5).expect("short");
        let open: [fn(&mut SectionWriter<Disk>, u64); 2] = [
            |writer, text| writer.compressed_block(b"t", 5.into(), text).expect("legal"),
            |writer, text| writer.compressed_array(b"t", 1, 5.into(), [text]).expect("legal"),
        ];
        open.into_iter().all(|open| {
            let mut writer = SectionWriter::create(disk(Vec::new()), Style::Unix);
            writer.header(b"vendor", b"file").expect("legal");
            open(&mut writer, text);
            let (expected, before) = (
                scda::EncodeErrorKind::ElementLength { announced: 5.into(), given: 7 },
                writer.encoder().clone(),
            );
            let is_refused = writer
                .stored(b"hellooo")
                .is_err_and(|e| matches!(e, WriteError::Refused(kind) if kind == expected));
            is_refused && writer.encoder() == &before && writer.stored(b"hello").is_ok()
        })
    }),
];

/// A process may have no site, at any place of the field.
#[test]
fn a_part_may_be_empty() -> Result<(), CallbackError<impl std::fmt::Debug, SiteError>> {
    let lattice = Extents::new(&[2, 2, 2, 2]).expect("a lattice");
    let (sink, mut buffer) = (Positioned::new(disk(Vec::new())), [0; 1024]);
    let mut writer = FieldWriter::create_part(sink, &mut buffer[..], lattice, true).expect("there is room");
    let record = PrivateRecord::real_field(Precision::F32);
    writer.scidac_field_part(record, 16..16, |site| site.put(&[1.0_f32])).map(drop)
}
