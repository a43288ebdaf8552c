//! Calls of writers that are wrong or forgotten, as `guide::misuse` lists them.

use std::fmt::Debug;

use crate::sinks::{contents, disk};
use linkstream::CallbackError;
use linkstream::field::{
    EncodeErrorKind, Encoder, FieldDocuments, Form, OutgoingMessage, Setting, SiteError,
};
use linkstream::ildg::GaugeKind;
use linkstream::io::{FieldWriter, WriteError};
use linkstream::lattice::{Extents, Precision};
use linkstream::scidac::{Date, PrivateRecord};

/// Why the encoder refused a call.
#[track_caller]
fn refused<T: Debug, E: Debug, K: Debug>(call: Result<T, CallbackError<WriteError<E, K>, SiteError>>) -> K {
    match call {
        Err(CallbackError::Failed(WriteError::Refused(kind))) => kind,
        other => panic!("{other:?}"),
    }
}

/// Nothing that is set is dropped: a title that is too late or has no place, and what no field takes.
#[test]
fn what_is_set_and_has_no_place_is_an_error() {
    let (f32, su3) = (Precision::F32, GaugeKind::SU3);
    let values = vec![0.5_f32; 16 * 72];
    let lattice = Extents::new(&[2, 2, 2, 2]).expect("a lattice");
    let mut buffer = [0; 600];
    let mut writer = FieldWriter::create(disk(Vec::new()), &mut buffer, lattice).expect("there is room");
    writer.set_title("a title").expect("before the file message");
    let no_place = EncodeErrorKind::NoPlaceForText;
    assert_eq!(refused(writer.gauge_field_from(su3, f32, Form::Ildg, &values)), no_place);
    writer.next_date(Date::from_unix(0));
    assert_eq!(refused(writer.gauge_field_from(su3, f32, Form::Ildg, &values)), no_place);
    assert_eq!(writer.encoder(), &Encoder::new(), "nothing has been written");
    let pending = |writer: &mut FieldWriter<'_, _>| match writer.finish() {
        Err(WriteError::Refused(EncodeErrorKind::NotWritten(setting))) => Some(setting),
        Err(error) => panic!("{error}"),
        Ok(()) => None,
    };
    assert_eq!(pending(&mut writer), Some(Setting::Title));
    writer.clear_settings();
    assert_eq!(pending(&mut writer), None);
    // A plain ILDG field first: the title comes with the first SciDAC field.
    writer.next_update("1");
    writer.gauge_field_from(su3, f32, Form::Ildg, &values).expect("legal");
    writer.set_title("a title").expect("before the file message");
    writer.scidac_field_from(PrivateRecord::real_field(f32), &values[..16]).expect("legal");
    assert_eq!(writer.set_title("another"), Err(EncodeErrorKind::TitleTooLate));
    assert_eq!(pending(&mut writer), None);
    // What no field takes.
    writer.next_text("text");
    assert_eq!(pending(&mut writer), Some(Setting::Text));
    writer.clear_settings();
    writer.next_date(Date::from_unix(0));
    assert_eq!(pending(&mut writer), Some(Setting::Date));
    writer.clear_settings();
    writer.next_update("2");
    assert_eq!(pending(&mut writer), Some(Setting::Update));
    writer.clear_settings();
    writer.next_lfn("lfn://example/name");
    assert_eq!(pending(&mut writer), Some(Setting::Lfn));
    writer.scidac_field_from(PrivateRecord::real_field(f32), &values[..16]).expect("legal");
    assert_eq!(pending(&mut writer), None);
    let file = contents(writer.into_parts().0);
    let has = |text: &[u8]| file.windows(text.len()).any(|bytes| bytes == text);
    assert!(has(b"a title") && !has(b"another") && has(b"lfn://example/name"));

    // Where the caller writes the file message, the title is part of it.
    let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer, Encoder::new());
    assert_eq!(writer.set_title("a title"), Err(EncodeErrorKind::TitleTooLate));

    // Documents without a place for a text or a date, and a checksum without data.
    let documents = FieldDocuments::gauge_field(su3, f32, Form::Ildg, &lattice).expect("legal");
    let dated = documents.clone().dated(Date::from_unix(0));
    for message in [documents.message(b"text"), dated.message(b"")] {
        assert_eq!(Encoder::new().begin(&message, &mut [0; 512]), Err(no_place));
    }
    let empty = OutgoingMessage::lfn("name").with_checksum(true);
    assert_eq!(Encoder::new().begin(&empty, &mut [0; 512]), Err(EncodeErrorKind::MessageInvalid));
    assert!(Encoder::new().begin(&documents.message(b""), &mut [0; 512]).is_ok());
}
