//! File messages and texts of fields, and records that contradict themselves.

use std::fmt::Debug;

use crate::sinks::{contents, disk};
use linkstream::CallbackError;
use linkstream::field::{EncodeErrorKind, Encoder, FieldDocuments, Form, OutgoingMessage, SiteError};
use linkstream::ildg::GaugeKind;
use linkstream::io::{FieldWriter, WriteError};
use linkstream::lattice::{Extents, Precision, Region};
use linkstream::scidac::{Contradiction, Date, PrivateFile, PrivateRecord, RecordData, VolumeFormat};
use linkstream::volume::{self, VolumeKind};

/// The reason of the encoder for refusing a call.
#[track_caller]
fn refused<T: Debug, E: Debug, K: Debug>(call: Result<T, CallbackError<WriteError<E, K>, SiteError>>) -> K {
    match call {
        Err(CallbackError::Failed(WriteError::Refused(kind))) => kind,
        other => panic!("{other:?}"),
    }
}

/// The file message comes before the first field that needs it: from the caller with a text, or without one from the
/// writer.
#[test]
fn the_file_message_is_written_once_before_the_first_record() {
    let f32 = Precision::F32;
    let values = vec![0.5_f32; 16 * 72];
    let lattice = Extents::new(&[2, 2, 2, 2]).expect("a lattice");
    let plain = FieldDocuments::gauge_field(GaugeKind::SU3, f32, Form::Ildg, &lattice).expect("legal");
    let record = PrivateRecord::real_field(f32);
    let real = OutgoingMessage::scidac(&record, b"");
    let private = PrivateFile::new(&lattice);
    let write = |title: Option<&[u8]>, lattice: Option<Extents>| {
        let mut buffer = [0; 600];
        let (sink, buffer) = (disk(Vec::new()), &mut buffer[..]);
        let mut writer = match lattice {
            Some(lattice) => FieldWriter::create(sink, buffer, lattice).expect("there is room"),
            None => FieldWriter::with_encoder(sink, buffer, Encoder::new()),
        };
        // A plain ILDG field first, which needs no file message.
        writer.write(&plain.message(b"").with_update("1"), &values[..]).expect("legal");
        if let Some(title) = title {
            writer.write_message(&OutgoingMessage::file(&private, title)).expect("legal");
        }
        writer.write(&real, &values[..16]).expect("legal");
        writer.write(&real, &[0_u8; 64][..]).expect("legal");
        contents(writer.finish().expect("complete"))
    };
    let titled = write(Some(b"a title"), Some(lattice));
    assert!(titled.windows(7).any(|bytes| bytes == b"a title"));
    assert!(titled == write(Some(b"a title"), None));
    assert!(write(None, Some(lattice)) == write(Some(b""), None));
}

/// A field that is refused writes nothing, no file message either.
#[test]
fn texts_without_a_place_are_errors() {
    let (f32, su3) = (Precision::F32, GaugeKind::SU3);
    let values = vec![0.5_f32; 16 * 72];
    let lattice = Extents::new(&[2, 2, 2, 2]).expect("a lattice");
    let mut buffer = [0; 600];
    let mut writer = FieldWriter::create(disk(Vec::new()), &mut buffer[..], lattice).expect("there is room");
    let no_place = EncodeErrorKind::NoPlaceForText;
    let documents = FieldDocuments::gauge_field(su3, f32, Form::Ildg, &lattice).expect("legal");
    let dated = documents.clone().dated(Date::from_unix(0));
    for message in [documents.message(b"text"), dated.message(b"")] {
        assert_eq!(refused(writer.write(&message, &values[..])), no_place);
    }
    let record = PrivateRecord::real_field(f32);
    let wrong = OutgoingMessage::scidac(&record, b"").with_update("1");
    assert_eq!(refused(writer.write(&wrong, &values[..16])), EncodeErrorKind::UpdateWithoutFormat);
    let right = OutgoingMessage::scidac(&record, b"");
    let short = writer.write(&right, &[0_u8; 63][..]).map_err(|error| error.to_string());
    assert_eq!(short, Err(EncodeErrorKind::DataMissing { missing: 1 }.to_string()));
    let long = writer.write(&right, &[0_u8; 65][..]).map_err(|error| error.to_string());
    assert!(long.is_err_and(|error| error.contains("65") && error.contains("64")));
    assert_eq!(writer.encoder(), &Encoder::new(), "nothing has been written");
    writer.write(&right, &[0_u8; 64][..]).expect("legal");
    writer.finish().expect("complete");

    // Documents without a place for a text or a date, and a checksum without data.
    for message in [documents.message(b"text"), dated.message(b"")] {
        assert_eq!(Encoder::new().begin(&message, &mut [0; 512]), Err(no_place));
    }
    let empty = OutgoingMessage::lfn("name").with_checksum(true);
    assert_eq!(Encoder::new().begin(&empty, &mut [0; 512]), Err(EncodeErrorKind::MessageInvalid));
    assert!(Encoder::new().begin(&documents.message(b""), &mut [0; 512]).is_ok());
}

/// Each element about the data against each other one: records that contradict themselves cannot be built. If they were
/// read, they are not written.
#[test]
fn records_that_contradict_themselves_are_neither_built_nor_written() {
    let data = |datatype: &str, precision: &str, colors, typesize| RecordData {
        datatype: datatype.try_into().expect("short"),
        precision: precision.try_into().expect("short"),
        colors,
        spins: 0,
        typesize,
        datacount: 1,
    };
    let spins = |data, spins| RecordData { spins, ..data };
    let words = |typesize, word| Contradiction::Words { typesize, word };
    let size = |needed, typesize| Contradiction::Size { needed, typesize };
    let cases = [
        (data("USQCD_D3_ColorMatrix", "F", 3, 5), Contradiction::Precision { named: 'D' }),
        (data("USQCD_F3_ColorMatrix", "D", 3, 72), Contradiction::Precision { named: 'F' }),
        (data("QDP_F_Complex", "", 0, 8), Contradiction::Precision { named: 'F' }),
        (data("QDP_D_Complex", "U", 0, 16), Contradiction::Precision { named: 'D' }),
        (data("QDP_D_Complex", "I", 0, 16), Contradiction::Precision { named: 'D' }),
        (data("QDP_F3_ColorMatrix", "F", 2, 72), Contradiction::Colors { named: 3, given: 2 }),
        (data("QDP_F3_ColorMatrix", "F", 3, 144), size(72, 144)),
        (data("QDP_D3_ColorMatrix", "D", 0, 72), size(144, 72)),
        (data("QLA_F3_ColorVector", "F", 3, 12), size(24, 12)),
        (data("USQCD_F3_HalfFermion", "F", 3, 96), size(48, 96)),
        (data("USQCD_F3_DiracFermion", "F", 3, 72), size(96, 72)),
        (data("USQCD_D3_DiracPropagator", "D", 3, 1152), size(2304, 1152)),
        (data("QDP_F_Real", "F", 0, 8), size(4, 8)),
        (data("QDP_F_Real", "F", 0, 5), words(5, 4)),
        (data("own", "F", 0, 6), words(6, 4)),
        (data("own", "D", 0, 12), words(12, 8)),
        (data("own", "I", 0, 2), words(2, 4)),
        (data("own", "S", 0, 43), words(43, 4)),
        (spins(data("USQCD_F3_DiracPropagator", "F", 3, 1152), 2), Contradiction::Spins { given: 2 }),
        (spins(data("USQCD_F3_DiracFermion", "F", 3, 96), 7), Contradiction::Spins { given: 7 }),
        (spins(data("QDP_D3_HalfFermion", "D", 3, 96), 4), Contradiction::Spins { given: 4 }),
        (spins(data("QDP_F_Real", "F", 7, 4), 9), Contradiction::Spins { given: 9 }),
        (data("QDP_Int", "F", 0, 4), Contradiction::Precision { named: 'I' }),
        (data("QDP_Int", "D", 0, 8), Contradiction::Precision { named: 'I' }),
        (data("QDP_RandomState", "F", 0, 44), Contradiction::Precision { named: 'S' }),
    ];
    let start = PrivateRecord::new(&Region::Lattice);
    let file = PrivateFile::new(&Extents::new(&[2, 2]).expect("a lattice"));
    for (data, expected) in cases {
        assert_eq!(start.with_data(data), Err(expected), "{data:?}");
        // The same document in a file is read, but not written again.
        let RecordData { datatype, precision, colors, spins, typesize, .. } = data;
        let document = format!(
            "<scidacRecord><version>1.1</version><date>d</date><recordtype>0</recordtype><datatype>{datatype}</datatype>\
             <precision>{precision}</precision><colors>{colors}</colors><spins>{spins}</spins><typesize>{typesize}</typesize>\
             <datacount>1</datacount></scidacRecord>"
        );
        let read = PrivateRecord::parse(document.as_bytes()).expect("it can be read");
        assert_eq!((read.data(), read.with_data(data)), (&data, Err(expected)));
        let mut buffer = [0; 1024];
        let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer[..], Encoder::new());
        writer.write_message(&OutgoingMessage::file(&file, b"")).expect("legal");
        let before = writer.encoder().clone();
        let refused = writer.begin(&OutgoingMessage::scidac(&read, b""));
        let expected = EncodeErrorKind::Contradiction(expected);
        assert!(matches!(refused, Err(WriteError::Refused(kind)) if kind == expected), "{refused:?}");
        assert_eq!(writer.encoder(), &before);
        let set = file.clone().with_volume_format(VolumeFormat::Partition);
        let mut volume = volume::Encoder::new(VolumeKind::First, 4, 3);
        let _ = volume.begin(&OutgoingMessage::file(&set, b""), 0, &mut buffer).expect("legal");
        let refused = volume::Encoder::new(VolumeKind::First, 4, 3).begin(
            &OutgoingMessage::scidac(&read, b""),
            0,
            &mut buffer,
        );
        assert_eq!(refused.err(), Some(expected.into()));
    }
    // Records that programs write, and records of unknown types.
    for data in [
        data("USQCD_F3_ColorMatrix", "F", 3, 72),
        data("QDP_D4_DiracPropagator", "D", 4, 4096),
        data("QLA_D_Real", "D", 0, 8),
        data("QDP_Int", "I", 0, 4),
        // Two rows of three, and two of four.
        data("USQCD_F3_ColorMatrix", "F", 3, 48),
        data("USQCD_F4_ColorMatrix", "F", 4, 64),
        data("QDP_RandomState", "S", 0, 44),
        data("MILC_RandomState", "", 0, 88),
        data("QUDA_DNc3_GaugeField", "D", 3, 144),
        data("QDP_OddFloats", "F", 0, 20),
        data("char", "U", 0, 1),
        data("USQCD_F3_Unheard", "F", 3, 4),
        // QDP++ writes 4 spins for gauge fields, too, and Grid 1.
        spins(data("QDP_F3_ColorMatrix", "F", 3, 72), 4),
        spins(data("QDP_D3_ColorMatrix", "D", 3, 144), 1),
        spins(data("QDP_D3_HalfFermion", "D", 3, 96), 2),
        spins(data("USQCD_F3_Unheard", "F", 3, 4), 9),
    ] {
        assert_eq!(start.with_data(data).map(|record| *record.data()), Ok(data));
    }
    // More colors than `typesize` can count.
    let record = PrivateRecord::gauge_field(u16::MAX, Precision::F64, 4);
    assert_eq!((record.typesize, record.with_data(*record.data()).is_err()), (u32::MAX, true));
}
