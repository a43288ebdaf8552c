//! Decoders and encoders in statics: each is made at compile time, readers borrow it, and `reset` makes it new.

use linkstream::Encode as _;
use linkstream::Resumable as _;
use std::sync::Mutex;

use linkstream::field::OutgoingMessage;
use linkstream::inebin::{Header, MatrixType};
use linkstream::io::{ArchiveReader, FieldReader, RecordReader, SectionReader};
use linkstream::scda::Style;
use linkstream::volume::VolumeKind;
use linkstream::{Decode, Mode, conformance, field, inebin, lime, milc, nersc, scda, sniff, volume};

static FIELD: Mutex<field::Decoder> = Mutex::new(field::Decoder::new(Mode::Strict));

/// Compile-time values of all of them.
macro_rules! reset {
    ($($module:ident $(:: $inner:ident)*: $new:expr, $begun:expr;)*) => {$({
        const NEW: $module$(::$inner)* = $new;
        let mut begun = NEW;
        let begin: fn(&mut $module$(::$inner)*) = $begun;
        begin(&mut begun);
        let states = [begun.save(), NEW.save()].map(|state| state.map_or(Vec::new(), |state| state.as_bytes().to_vec()));
        assert_ne!(states[0], states[1], stringify!($module$(::$inner)*));
        begun.reset();
        assert_eq!(begun.save(), NEW.save(), stringify!($module$(::$inner)*));
    })*};
}

/// Also after an error, which forbids saving.
#[test]
fn a_decoder_that_is_reset_is_new() {
    fn stop<D: Decode>(decoder: &mut D) {
        assert!(decoder.push(&[b'?'; 500]).is_err());
    }
    fn begin<D: Decode>(decoder: &mut D) {
        let _ = decoder.push(b"\x45\x67\x89\xab").expect("a part of a header");
    }
    reset! {
        lime::Decoder: lime::Decoder::new(Mode::Survey), stop;
        lime::Decoder: lime::Decoder::new(Mode::Lenient), begin;
        field::Decoder: field::Decoder::new(Mode::Strict), stop;
        field::Decoder: field::Decoder::new(Mode::Survey), begin;
        conformance::Decoder: conformance::Decoder::new(Mode::Strict), stop;
        conformance::Decoder: conformance::Decoder::new(Mode::Lenient), begin;
        volume::Decoder: volume::Decoder::new(Mode::Strict), stop;
        volume::Decoder: volume::Decoder::new(Mode::Lenient), begin;
        scda::PlainDecoder: scda::PlainDecoder::new(Mode::Strict), stop;
        scda::Decoder: scda::Decoder::new(Mode::Lenient, true), stop;
        scda::Decoder: scda::Decoder::new(Mode::Lenient, false), |decoder| {
            let _ = decoder.push(b"scdata").expect("a part of a header");
        };
        inebin::Decoder: inebin::Decoder::new(Mode::Strict), stop;
        nersc::Decoder: nersc::Decoder::new(Mode::Strict), stop;
        milc::Decoder: milc::Decoder::new(Mode::Strict), stop;
    }
}

#[test]
fn an_encoder_that_is_reset_is_new() {
    const LIME: lime::Encoder = lime::Encoder::new();
    let mut lime = LIME;
    lime.begin(&lime::Header::new(b"type", 5, true, true).expect("legal")).expect("between records");
    assert_ne!(lime, LIME);
    lime.reset();
    assert_eq!(lime, LIME);

    const FIELDS: field::Encoder = field::Encoder::new();
    let mut fields = FIELDS;
    let _ = fields.begin(&OutgoingMessage::foreign(b"notes", b"text"), &mut [0; 512]).expect("it has room");
    assert_ne!(fields.save(), FIELDS.save());
    fields.reset();
    assert_eq!(fields.save(), FIELDS.save());

    const SECTIONS: scda::Encoder = scda::Encoder::new(Style::Mime);
    let mut sections = SECTIONS;
    sections.header(b"vendor", b"user").expect("it is the first");
    assert_ne!(sections, SECTIONS);
    sections.reset();
    assert_eq!(sections, SECTIONS);
}

/// Constructors that need a description are constant, too.
#[test]
fn all_other_constructors_are_constant() {
    const VOLUME: volume::Encoder = volume::Encoder::new(VolumeKind::First, 8, 7);
    const HEADER: Header = match Header::new(MatrixType::Real, 2, 3) {
        Ok(header) => header,
        Err(_) => panic!("legal"),
    };
    const MATRIX: inebin::Encoder = inebin::Encoder::new(&HEADER);
    const AT: [scda::Decoder; 2] =
        [scda::Decoder::at(128, Mode::Strict, true), scda::Decoder::at(u64::MAX, Mode::Strict, true)];
    const _: scda::PlainDecoder = scda::PlainDecoder::at(128, Mode::Strict);
    const _: scda::Encoder = scda::Encoder::append(128, Style::Unix);
    const _: lime::Decoder = lime::Decoder::at(152, Mode::Strict);
    const _: sniff::Sniffer = sniff::Sniffer::new();
    assert_eq!((VOLUME.kind(), MATRIX.position()), (VolumeKind::First, 16));
    assert_eq!(AT.map(|decoder| decoder.save().is_ok()), [true, false]);
}

/// A reader reads through a decoder that it borrows. After `reset`, the decoder reads the next file.
#[test]
fn readers_borrow_their_decoder() {
    let file = include_bytes!("../../../examples/su3-4x4x4x8.lime");
    let (mut buffer, mut decoder) = ([0; 8192], FIELD.lock().expect("no panic"));
    for cut in [0, 1000, 0] {
        decoder.reset();
        let mut reader = FieldReader::with_decoder(&file[..file.len() - cut], &mut buffer, &mut *decoder);
        let read = reader.next_field().and_then(|field| field.expect("a field").verdict());
        assert_eq!(read.is_ok_and(|verdict| verdict.is_match()), cut == 0);
        // The end of the file has been reported, or an error.
        assert!(reader.next_field().is_err() || cut == 0);
        assert_eq!(decoder.field().map(|field| field.sites()), Some(512));
    }

    let mut lime = lime::Decoder::new(Mode::Strict);
    let mut records = RecordReader::with_decoder(&file[..], &mut buffer, &mut lime);
    while records.next_record().expect("valid").is_some() {}
    let (_, lent) = records.into_parts();
    assert_eq!(lent.position(), file.len() as u64);

    let mut sections = scda::Decoder::new(Mode::Strict, true);
    let mut reader = SectionReader::with_decoder(&b"?"[..], &mut buffer, &mut sections);
    assert!(reader.next_section().is_err());
    assert_eq!(sections.position(), 1);

    let mut archive = nersc::Decoder::new(Mode::Strict);
    let mut reader = ArchiveReader::with_decoder(&b"BEGIN_HEADER\n"[..], &mut buffer, &mut archive);
    assert!(reader.header().is_err());
    assert_eq!(archive.position(), 13);
}
