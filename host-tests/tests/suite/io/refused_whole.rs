//! Rows of `guide/misuse_writers.md` about calls that write several pieces: an error in a later piece is found
//! before the first is written.

use super::misuse_of_writers::{
    Case, created, filled, in_field, is_refused, kind, kind_of, of_callback, record_from,
};
use crate::sinks::{Disk, disk};
use linkstream::Encode as _;
use linkstream::field::{EncodeErrorKind, Encoder, OutgoingMessage, SiteError};
use linkstream::inebin::{self, MatrixType};
use linkstream::io::{FieldWriter, Fill, MatrixWriter, RecordWriter, SectionWriter, WriteError};
use linkstream::lattice::{Extents, Precision};
use linkstream::lime;
use linkstream::scda::{self, Style, stored_length};
use linkstream::scidac::{PrivateFile, PrivateRecord, RecordData};

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

pub const CASES: [Case; 11] = [
    ("Floating-point numbers for a field of integers", || {
        let call = created(|writer| of_callback(record_from(writer, &integers(), &[1.0_f32; 16][..])));
        let singles = created(|writer| {
            of_callback(record_from(writer, &integers(), Fill::sites(|site| site.put(&[1.0_f32]))))
        });
        let mut eight = *integers().data();
        eight.datacount = 2;
        let eight = integers().with_data(eight).expect("they agree");
        let doubles = created(|writer| {
            of_callback(record_from(writer, &eight, Fill::sites(|site| site.put(&[1.5_f64]))))
        });
        let right = created(|writer| {
            record_from(writer, &integers(), Fill::sites(|site| site.put(&[1_i32]))).is_ok()
        });
        right && [call, singles, doubles] == [Some(SiteError::NotNumbers); 3]
    }),
    ("A file message of the caller with another lattice than the writer was created for", || {
        created(|writer| {
            let other = PrivateFile::new(&Extents::new(&[2, 2, 2, 1]).expect("a lattice"));
            kind(writer.write_message(&OutgoingMessage::file(&other, b"")))
                == Some(EncodeErrorKind::LatticeOther)
        })
    }),
    ("A message of the caller for a buffer without room for its site", || {
        let file = PrivateFile::new(&Extents::new(&[1]).expect("a lattice"));
        let record = PrivateRecord::propagator(Precision::F32);
        let mut buffer = [0; 1024];
        let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer[..], Encoder::new());
        writer.write_message(&OutgoingMessage::file(&file, b"")).expect("legal");
        let before = writer.encoder().position();
        let call = writer
            .write(&OutgoingMessage::scidac(&record, b""), Fill::sites(|site| site.put(&[1.0_f32; 288])));
        let is_refused = kind_of(call) == Some(EncodeErrorKind::SiteTooLarge { needed: 1152 });
        is_refused && writer.encoder().position() == before && writer.finish().is_ok()
    }),
    ("A finite number that would be infinite in single precision", || {
        let record = || PrivateRecord::real_field(Precision::F32);
        let numbers = [f64::INFINITY, 1e300];
        let whole = created(|writer| of_callback(record_from(writer, &record(), &numbers[..])));
        let first = created(|writer| {
            of_callback(record_from(writer, &record(), Fill::sites(|site| site.put_rounded(&[-1e39]))))
        });
        let set = created(|writer| {
            of_callback(record_from(writer, &record(), Fill::sites(|site| site.set(0, 1e39))))
        });
        let link = of_callback(filled(|site| site.link_mut(0)?.set(0, 1, [1.0, 1e39])));
        let piece = in_field(|writer, _| of_callback(writer.put(&[0.0, 0.0, 1e39][..])));
        let largest =
            created(|writer| record_from(writer, &record(), &[f64::from(f32::MAX), f64::NAN][..]).is_ok());
        let overflow = |index| Some(SiteError::Overflow { index });
        largest && [whole, first, set, link, piece] == [1, 0, 0, 3, 2].map(overflow)
    }),
    ("A record without bytes", || {
        [PrivateRecord::global(Precision::F32, 0), PrivateRecord::gauge_field(0, Precision::F32, 4)]
            .into_iter()
            .all(|record| {
                let call = created(|writer| {
                    kind_of(record_from(writer, &record, Fill::sites(|_| Ok::<(), SiteError>(()))))
                });
                matches!(call, Some(EncodeErrorKind::Document(..)))
            })
    }),
    ("A control character in a text of a document", || {
        let mut record = PrivateRecord::real_field(Precision::F32);
        record.date = "\u{1}".try_into().expect("short");
        let call =
            created(|writer| kind_of(record_from(writer, &record, Fill::sites(|site| site.put(&[1.0_f32])))));
        matches!(call, Some(EncodeErrorKind::Emit(..)))
    }),
    ("More rows than the matrix has left", || {
        let header = inebin::Header::new(MatrixType::Integer, 3, 2).expect("small");
        let mut buffer = [0; 64];
        let mut writer = MatrixWriter::create(disk(Vec::new()), &mut buffer[..], &header);
        let call = writer.put_rows(&[1_i64; 8]);
        let is_refused =
            call.is_err_and(|e| matches!(e, WriteError::Refused(inebin::EncodeErrorKind::TooMany)));
        is_refused && writer.encoder() == &inebin::Encoder::new(&header)
    }),
    ("More entries for `put` than the matrix has left", || {
        let header = inebin::Header::new(MatrixType::Integer, 3, 2).expect("small");
        let mut buffer = [0; 64];
        let mut writer = MatrixWriter::create(disk(Vec::new()), &mut buffer[..], &header);
        let call = writer.put([1_i64; 8]);
        call.is_err_and(|e| matches!(e, WriteError::Refused(inebin::EncodeErrorKind::TooMany)))
    }),
    ("A LIME message with a record that is refused", || {
        let mut writer = RecordWriter::create(disk(Vec::new()));
        let call = writer.write_message([(&b"ok"[..], &b"payload"[..]), (b"a\0b", b"")]);
        is_refused(call) && writer.encoder() == &lime::Encoder::new()
    }),
    ("More or fewer sizes than an scda array has elements", || {
        let calls: [fn(&mut SectionWriter<Disk>) -> bool; 6] = [
            |writer| is_refused(writer.begin_varray(b"words", 3, [3, 5])),
            |writer| is_refused(writer.begin_varray(b"words", 3, [3, 0, 5, 1])),
            |writer| is_refused(writer.begin_compressed_array(b"words", 2, 3.into(), [30])),
            |writer| is_refused(writer.begin_compressed_array(b"words", 2, 3.into(), [30, 30, 30])),
            |writer| is_refused(writer.begin_compressed_varray(b"words", 2, [3], [30, 30])),
            |writer| is_refused(writer.begin_compressed_varray(b"words", 2, [3, 5], [30, 31])),
        ];
        calls.into_iter().all(|call| {
            let mut writer = SectionWriter::create(disk(Vec::new()), Style::Unix);
            writer.write_header(b"vendor", b"file").expect("legal");
            call(&mut writer) && writer.encoder().position() == 128 && writer.finish().is_ok()
        })
    }),
    ("An element of another length than announced for `put_stored`", || {
        let text = stored_length(5).expect("short");
        let open: [fn(&mut SectionWriter<Disk>, u64); 2] = [
            |writer, text| writer.begin_compressed_block(b"t", 5.into(), text).expect("legal"),
            |writer, text| writer.begin_compressed_array(b"t", 1, 5.into(), [text]).expect("legal"),
        ];
        open.into_iter().all(|open| {
            let mut writer = SectionWriter::create(disk(Vec::new()), Style::Unix);
            writer.write_header(b"vendor", b"file").expect("legal");
            open(&mut writer, text);
            let (expected, before) = (
                scda::EncodeErrorKind::ElementLength { announced: 5.into(), given: 7 },
                writer.encoder().clone(),
            );
            let is_refused = writer
                .put_stored(b"hellooo")
                .is_err_and(|e| matches!(e, WriteError::Refused(kind) if kind == expected));
            is_refused && writer.encoder() == &before && writer.put_stored(b"hello").is_ok()
        })
    }),
];
