//! The misuse of readers that `guide::misuse` lists as an error is one: neglect of damage, requests beyond the end,
//! calls after one that failed, claimed sizes, and buffers that are too small.

use std::convert::Infallible;
use std::fmt::Debug;

use super::sources::{Frail, Hiccup, Hiccups, Once, again};
use crate::sinks::{contents, disk};
use crate::volume::broken::volume;
use embedded_io::{Seek as _, SeekFrom};
use host_tests::drive::{Fitful, block_on};
use linkstream::Encode as _;
use linkstream::field::{
    Decoder, Encoder, FieldDocuments, Form, OutgoingMessage, Site, SiteError, Verdict, Want,
};
use linkstream::ildg::{Format, GaugeKind};
use linkstream::inebin::{Header, MatrixType};
use linkstream::io::{
    FieldError, FieldReader, FieldWriter, MatrixReader, ReadError, RecordReader, SectionReader,
    SectionWriter, VolumeReader,
};
use linkstream::lattice::{Extents, Precision};
use linkstream::scda::{Style, stored_length};
use linkstream::scidac::PrivateRecord;
use linkstream::volume::{self, Event};
use linkstream::{CallbackError, Diagnostic as _, Limits, Mode, lime};

/// A call that reads all data of a field, and the verdict that it returns.
type Whole = fn(&[u8], Mode) -> Result<Verdict, FieldError<Infallible>>;

/// All of them: into numbers, bytes or a callback, from both kinds of sources.
const WHOLE: [Whole; 6] = [
    |file, mode| {
        let mut buffer = [0; 8192];
        let mut reader = FieldReader::with_decoder(file, &mut buffer[..], Decoder::new(mode));
        let mut field = reader.next_field()?.expect("a field");
        field.read_into(&mut vec![0.0_f64; field.number_count()?])
    },
    |file, mode| {
        let mut buffer = [0; 8192];
        let mut reader = FieldReader::with_decoder(file, &mut buffer[..], Decoder::new(mode));
        let mut field = reader.next_field()?.expect("a field");
        field.read_bytes_into(&mut vec![0; field.byte_count()?])
    },
    |file, mode| {
        let mut buffer = [0; 8192];
        let mut reader = FieldReader::with_decoder(file, &mut buffer[..], Decoder::new(mode));
        Ok(reader.next_field()?.expect("a field").for_each_site(|_| {})?)
    },
    |file, mode| {
        let mut buffer = [0; 8192];
        let mut reader = FieldReader::with_decoder(file, &mut buffer[..], Decoder::new(mode));
        let mut field = block_on(reader.next_field_async())?.expect("a field");
        block_on(field.read_into_async(&mut vec![0.0_f64; field.number_count()?]))
    },
    |file, mode| {
        let mut buffer = [0; 8192];
        let mut reader = FieldReader::with_decoder(file, &mut buffer[..], Decoder::new(mode));
        let mut field = block_on(reader.next_field_async())?.expect("a field");
        block_on(field.read_bytes_into_async(&mut vec![0; field.byte_count()?]))
    },
    |file, mode| {
        let mut buffer = [0; 8192];
        let mut reader = FieldReader::with_decoder(file, &mut buffer[..], Decoder::new(mode));
        let mut field = block_on(reader.next_field_async())?.expect("a field");
        Ok(block_on(field.for_each_site_async(|_| {}))?)
    },
];

fn gauge_field(form: Form) -> Vec<u8> {
    let (mut buffer, links) = ([0; 1024], [0.5_f32; 16 * 72]);
    let lattice = Extents::new(&[2, 2, 2, 2]).expect("legal");
    let mut writer = FieldWriter::create(disk(Vec::new()), &mut buffer[..], lattice).expect("there is room");
    let field = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F32, form, &lattice).expect("legal");
    writer.write(&field.message(b""), &links[..]).expect("legal");
    contents(writer.finish().expect("complete"))
}

/// The bytes before the data of a plain ILDG file.
fn before_data(precision: Precision, extents: [u32; 4]) -> Vec<u8> {
    let format = Format::new(GaugeKind::SU3, precision, extents);
    let (mut encoder, message) = (Encoder::new(), OutgoingMessage::ildg(&format));
    let (mut scratch, mut bytes) = ([0; 1024], Vec::new());
    let begun = encoder.begin(&message, &mut scratch).expect("legal");
    while let Want::Bytes(more) = encoder.next(&begun, &mut scratch).expect("the same message") {
        bytes.extend_from_slice(more);
    }
    bytes
}

/// The reading call itself fails, without a call of `verdict`.
#[test]
fn damaged_data_are_not_returned_as_good() {
    let mut file = gauge_field(Form::Both);
    for read in WHOLE {
        assert!(read(&file, Mode::Strict).expect("good").require_match().is_ok());
    }
    let at = file.windows(8).position(|bytes| bytes == [0x3f, 0, 0, 0, 0x3f, 0, 0, 0]).expect("data");
    file[at] ^= 1;
    for read in WHOLE {
        for mode in [Mode::Strict, Mode::Lenient] {
            let rule = match read(&file, mode) {
                Err(FieldError::Read(ReadError::Format(error))) => error.kind.rule(),
                other => panic!("{mode:?}: {other:?}"),
            };
            assert_eq!(rule, "checksum-mismatch");
        }
        // A survey returns the verdict, which neither call accepts.
        let verdict = read(&file, Mode::Survey).expect("surveyed");
        assert!(matches!(verdict, Verdict::Mismatch { .. }));
        assert!(verdict.require_match().is_err() && verdict.require_not_refuted().is_err());
    }
}

/// A plain ILDG file has no checksum: `require_not_refuted` accepts it, and `require_match` does not.
#[test]
fn data_without_a_checksum_are_not_refuted() {
    let file = gauge_field(Form::Ildg);
    let plain = [before_data(Precision::F32, [2, 2, 2, 2]), vec![0; 16 * 288]].concat();
    for (file, is_sure) in [(&file, true), (&plain, false)] {
        for read in WHOLE {
            for mode in [Mode::Strict, Mode::Lenient, Mode::Survey] {
                let verdict = read(file, mode).expect("valid");
                let sum = verdict.require_not_refuted().expect("not refuted");
                assert_eq!((sum.is_some(), verdict.require_match().is_ok()), (is_sure, is_sure));
            }
        }
    }
}

/// Damage and a callback that fails: the damage is reported.
#[test]
fn damage_is_reported_before_the_error_of_a_callback() {
    let mut file = gauge_field(Form::Scidac);
    let mut buffer = [0; 8192];
    let mut reader = FieldReader::new(&file[..], &mut buffer[..]);
    let mut field = reader.next_field().expect("good").expect("a field");
    let at = field.layout().expect("announced").record.payload_offset() as usize;
    let fail = |_: Site<'_>| -> Result<(), &str> { Err("enough") };
    assert_eq!(field.for_each_site(fail), Err(CallbackError::Callback("enough")));
    assert!(field.verdict().expect("good").is_match());
    file[at] ^= 1;
    let mut reader = FieldReader::new(&file[..], &mut buffer[..]);
    let mut field = reader.next_field().expect("good so far").expect("a field");
    let failed = field.for_each_site(fail);
    assert!(
        matches!(failed, Err(CallbackError::Failed(FieldError::Read(ReadError::Format(_))))),
        "{failed:?}"
    );
}

/// The documented buffer suffices for the largest site, and the error for a smaller one has the length to write.
#[test]
fn the_needed_buffer_is_the_one_to_write() {
    let mut buffer = [0; 4096];
    let lattice = Extents::new(&[2, 1]).expect("legal");
    let mut writer = FieldWriter::create(disk(Vec::new()), &mut buffer[..], lattice).expect("there is room");
    let record = PrivateRecord::propagator(Precision::F64);
    writer.write(&OutgoingMessage::scidac(&record, b""), &[0.25_f64; 2 * 288][..]).expect("legal");
    let file = contents(writer.finish().expect("complete"));
    let sites = |buffer: &mut [u8]| {
        let mut reader = FieldReader::new(&file[..], buffer);
        let mut field = reader.next_field().expect("valid").expect("a field");
        field.for_each_site(|_| {}).map_err(FieldError::from)
    };
    assert!(sites(&mut [0; 8192]).expect("it suffices").is_match());
    for length in [1, 100, 4096, 4607] {
        assert_eq!(sites(&mut vec![0; length]), Err(FieldError::BufferTooSmall { needed: 4608 }), "{length}");
    }
    assert!(sites(&mut [0; 4608]).expect("it suffices").is_match());
    let message = FieldError::<Infallible>::BufferTooSmall { needed: 4608 }.to_string();
    assert_eq!(message, "the buffer is too small for the sites of this field: it must have 4608 bytes");
    for (length, is_read) in [(4607, false), (4608, true)] {
        let decoder = Decoder::new(Mode::Strict);
        let mut reader = FieldReader::with_decoder(&file[..], vec![0; length], decoder);
        let mut field = block_on(reader.next_field_async()).expect("valid").expect("a field");
        match block_on(field.for_each_site_async(|_| {})).map_err(FieldError::from) {
            Ok(verdict) => assert!(is_read && verdict.is_match()),
            Err(error) => assert_eq!((error, is_read), (FieldError::BufferTooSmall { needed: 4608 }, false)),
        }
    }
}

const HUGE: u64 = 4096_u64.pow(4) * 576;

/// The beginning of a file whose field has 144,115,188,075,855,872 bytes.
fn huge_field() -> Vec<u8> {
    before_data(Precision::F64, [4096; 4])
}

fn limit<T: Debug, E: Debug, K: Debug>(result: Result<T, ReadError<E, K>>) -> (u64, u64) {
    match result {
        Err(ReadError::Limit(error)) => (error.claimed, error.limit),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_field_of_any_size_can_be_claimed_but_is_not_allocated() {
    let file = huge_field();
    assert!(file.len() < 1000);
    let mut buffer = [0; 8192];
    let mut reader = FieldReader::new(&file[..], &mut buffer[..]);
    let field = reader.next_field().expect("good so far").expect("a field");
    let Err(SiteError::Limit(error)) = field.number_count() else { panic!("{:?}", field.number_count()) };
    assert_eq!((error.claimed, error.limit), (HUGE, 1 << 39));
    assert_eq!(field.byte_count(), Err(SiteError::Limit(error)));
    assert!(error.to_string().contains("with_limits"), "{error}");
    let limits = Limits::new(HUGE);
    let mut reader = FieldReader::new(&file[..], &mut buffer[..]).with_limits(limits);
    let field = reader.next_field().expect("good so far").expect("a field");
    assert_eq!(field.number_count().map_err(|_| ()), usize::try_from(HUGE / 8).map_err(|_| ()));
    let limits = Limits::new(HUGE - 1);
    let mut reader = FieldReader::new(&file[..], &mut buffer[..]).with_limits(limits);
    assert!(reader.next_field().expect("good so far").expect("a field").number_count().is_err());
    // A source that knows its length cannot be asked for more.
    let mut source = Fitful::new(&file, 1);
    source.seek(SeekFrom::Start(10)).expect("it can seek");
    for is_async in [false, true] {
        let limits = match is_async {
            false => Limits::of_source(&mut source),
            true => block_on(Limits::of_source_async(&mut source)),
        };
        let limits = limits.expect("it can seek");
        assert_eq!(limits, Limits::source(file.len() as u64));
        assert_eq!(source.stream_position(), Ok(10), "the source is where it was");
        let mut reader = FieldReader::new(&file[..], &mut buffer[..]).with_limits(limits);
        let field = reader.next_field().expect("good so far").expect("a field");
        let Err(SiteError::Limit(error)) = field.byte_count() else { panic!("{:?}", field.byte_count()) };
        assert_eq!((error.claimed, error.limit), (HUGE, file.len() as u64));
    }
    // The limit is the only bound: a field that is as long is read.
    let file = gauge_field(Form::Both);
    for (bytes, is_read) in [(16 * 288, true), (16 * 288 - 1, false)] {
        let mut reader = FieldReader::new(&file[..], &mut buffer[..]).with_limits(Limits::new(bytes));
        let field = reader.next_field().expect("valid").expect("a field");
        assert_eq!((field.number_count().is_ok(), field.byte_count().is_ok()), (is_read, is_read));
        drop(field);
    }
}

/// The limit also applies where the size would be reported as the size of the buffer needed.
#[test]
fn a_size_above_the_limit_is_not_reported_as_needed() {
    let (mut buffer, small) = ([0; 64], Limits::new(7));
    let file = *lime::Header::new(b"type", 1 << 50, true, true).expect("legal").as_bytes();
    let mut records = RecordReader::new(&file[..], &mut buffer[..]);
    records.next_record().expect("a header");
    let claimed = (1 << 50, 1 << 39);
    assert_eq!(records.payload_length().map_err(|error| (error.claimed, error.limit)), Err(claimed));
    assert_eq!(limit(records.read_into(&mut [0; 8])), claimed);
    assert_eq!(limit(block_on(records.read_into_async(&mut [0; 8]))), claimed);
    let mut records = RecordReader::new(&file[..], &mut buffer[..]).with_limits(Limits::new(1 << 50));
    records.next_record().expect("a header");
    assert_eq!(records.read_into(&mut [0; 8]), Err(ReadError::TooSmall { needed: 1 << 50 }));

    let mut file = vec![0; 1000];
    let mut writer = SectionWriter::create(&mut file[..], Style::Unix);
    writer.write_header(b"v", b"u").expect("there is room");
    writer.write_block(b"block", b"12345678").expect("there is room");
    writer.write_varray(b"words", [&b"one"[..], b"two"]).expect("there is room");
    let mut sections = SectionReader::new(disk(Vec::new()), &mut buffer[..]);
    assert!(sections.next_section().is_err());
    let mut sections = SectionReader::new(Fitful::new(&file, 1), &mut buffer[..]).with_limits(small);
    while sections.next_section().expect("valid").is_some() && sections.user() != b"block" {}
    assert_eq!(limit(sections.element(&mut [0; 7])), (8, 7));
    assert_eq!(limit(sections.element_seeking(0, &mut [0; 7])), (8, 7));
    assert_eq!(sections.element(&mut [0; 8]).expect("it has room").expect("a block"), b"12345678");
    // A table of 2 sizes takes 16 bytes.
    sections.next_section().expect("valid").expect("words");
    assert_eq!(limit(sections.element(&mut [0; 8])), (16, 7));

    // Boolean entries take a byte of memory each, and complex ones 16.
    for (matrix_type, side, row, all) in
        [(MatrixType::Boolean, 1 << 31, 1 << 31, 1 << 62), (MatrixType::Complex, 1 << 29, 1 << 33, 1 << 62)]
    {
        let header = Header::new(matrix_type, side, side).expect("legal").to_bytes();
        let mut matrix = MatrixReader::new(&header[..], &mut buffer[..]).with_limits(Limits::new(1 << 27));
        assert_eq!(limit(matrix.columns()), (row, 1 << 27));
        assert_eq!(limit(matrix.entry_count()), (all, 1 << 27));
    }
    let header = Header::new(MatrixType::Real, 3, 1 << 31).expect("legal").to_bytes();
    let limits = Limits::source(header.len() as u64);
    let mut matrix = MatrixReader::new(&header[..], &mut buffer[..]).with_limits(limits);
    assert_eq!(limit(matrix.next_row(&mut [0.0; 3])), (1 << 34, header.len() as u64));

    // A site of a volume, and one of a file.
    let lattice = Extents::new(&[4, 2]).expect("legal");
    let layout =
        FieldDocuments::scidac(PrivateRecord::real_field(Precision::F64)).layout(&lattice).expect("a field");
    let file = volume(&[0], &[&[0; 8]]);
    let (mut list, mut site) = ([0; 8], [0; 7]);
    let mut reader =
        VolumeReader::new(disk(file), &mut list[..], &mut site[..], volume::Decoder::new(Mode::Strict))
            .with_limits(small);
    reader.decoder_mut().expect_field(&layout);
    while reader.next().expect("valid") != Some(Event::Field) {}
    let Err(CallbackError::Failed(error)) = reader.for_each_site(|_| {}) else {
        panic!("the buffer is small")
    };
    assert_eq!(limit::<(), _, _>(Err(error)), (8, 7));
    // Without a limit of the caller, the length of the volume is the limit.
    let mut large = layout;
    large.bytes_per_site = 1 << 40;
    let file = volume(&[0], &[&[0; 8]]);
    let (source, length) = (Fitful::new(&file, 1), file.len() as u64);
    let mut reader =
        VolumeReader::new(source, &mut list[..], &mut site[..], volume::Decoder::new(Mode::Strict));
    reader.decoder_mut().expect_field(&layout);
    while reader.next().expect("valid") != Some(Event::Field) {}
    for error in [
        reader.for_each_site_of(&large, |_| {}).err(),
        reader.for_each_site_in(&large, 0..1, 0, |_| {}).err(),
    ] {
        let Some(CallbackError::Failed(error)) = error else { panic!("{error:?}") };
        assert_eq!(limit::<(), _, _>(Err(error)), (1 << 40, length));
    }
    let Err(CallbackError::Failed(error)) = reader.for_each_site(|_| {}) else {
        panic!("the buffer is small")
    };
    assert!(matches!(error, ReadError::TooSmall { needed: 8 }), "{error:?}");
    let file = gauge_field(Form::Both);
    let mut reader = FieldReader::new(&file[..], &mut buffer[..]).with_limits(small);
    let mut field = reader.next_field().expect("valid").expect("a field");
    let Err(CallbackError::Failed(FieldError::Read(error))) = field.for_each_site(|_: Site<'_>| {}) else {
        panic!("the buffer is small")
    };
    assert_eq!(limit::<(), _, _>(Err(error)), (288, 7));
}

fn sections() -> Vec<u8> {
    let mut file = vec![0; 1000];
    let mut writer = SectionWriter::create(&mut file[..], Style::Unix);
    writer.write_header(b"v", b"u").expect("there is room");
    writer.write_varray(b"words", [&b"one"[..], b"two!!"]).expect("there is room");
    writer
        .begin_compressed_block(b"packed", 5.into(), stored_length(5).expect("short"))
        .expect("there is room");
    writer.put_stored(b"hello").expect("there is room");
    writer.end().expect("complete");
    let length = writer.encoder().position() as usize;
    writer.finish().expect("complete");
    file.truncate(length);
    file
}

/// The request is refused, and so is its repetition; existing data can be read.
#[test]
fn bytes_beyond_the_end_of_a_section_are_not_made_up() {
    let file = sections();
    {
        let mut buffer = [0; 20];
        let mut reader = SectionReader::new(Fitful::new(&file, 5), &mut buffer[..]);
        while reader.next_section().expect("valid").is_some() && reader.user() != b"words" {}
        let mut exact = |out: &mut [u8]| reader.read_exact(out);
        let mut out = [0xEE; 9];
        for _ in 0..2 {
            assert_eq!(exact(&mut out), Err(ReadError::TooFew { left: 8 }));
            assert_eq!(out, [0xEE; 9]);
        }
        exact(&mut out[..6]).expect("they are there");
        assert_eq!(&out[..6], b"onetwo");
        assert_eq!(exact(&mut out[..3]), Err(ReadError::TooFew { left: 2 }));
        exact(&mut out[..2]).expect("they are there");
        assert_eq!(&out[..3], b"!!e");
        assert_eq!(exact(&mut out[..1]), Err(ReadError::TooFew { left: 0 }));
        assert_eq!(exact(&mut []), Ok(()));
    }
    // Decompressed: the end is only known when it is reached.
    {
        let (mut buffer, mut elements) = ([0; 20], [0; 40]);
        let mut reader = SectionReader::unpacking(Fitful::new(&file, 5), &mut buffer[..], &mut elements[..]);
        while reader.next_section().expect("valid").is_some() && reader.user() != b"packed" {}
        let mut out = [0xEE; 9];
        assert_eq!(reader.read_exact(&mut out), Err(ReadError::TooFew { left: 5 }));
        let mut other = [0xEE; 4];
        assert_eq!(reader.read_exact(&mut other), Err(ReadError::Interrupted { done: 5 }));
        assert_eq!(reader.read(&mut other), Err(ReadError::Interrupted { done: 5 }));
        assert_eq!((reader.resume(), &out[..6], other), (5, &b"hello\xEE"[..], [0xEE; 4]));
        assert_eq!(reader.read_exact(&mut other), Err(ReadError::TooFew { left: 0 }));
    }
}

/// A call is repeated with another slice after the source has failed.
macro_rules! other_slice {
    ($reader:expr, $length:expr, $none:expr, |$own:ident, $out:ident| $call:expr) => {{
        let mut reader = $reader;
        let (mut first, mut second) = (vec![$none; $length], vec![$none; $length]);
        let ($own, $out) = (&mut reader, &mut first[..]);
        let mut failed = $call.map(drop);
        // Until it has delivered something.
        let done = loop {
            let ($own, $out) = (&mut reader, &mut second[..]);
            match failed {
                Err(ReadError::Io(_)) => failed = $call.map(drop),
                Err(ReadError::Interrupted { done }) => break done,
                other => panic!("{other:?}"),
            }
        };
        let ($own, $out) = (&mut reader, &mut second[..]);
        assert_eq!($call.map(drop), Err(ReadError::Interrupted { done }));
        assert_eq!(reader.resume() as u64, done);
    }};
}

#[test]
fn calls_after_a_failure_of_the_source_are_refused() {
    let file = [
        &lime::Header::new(b"type", 40, true, true).expect("legal").as_bytes()[..],
        b"forty bytes, which come one after another",
    ]
    .concat();
    let mut buffer = [0; 5];
    let mut records = RecordReader::new(Hiccups::new(&file[..184]), &mut buffer[..]);
    again(|| records.next_record()).expect("a header");
    other_slice!(records, 40, 0, |records, out| records.read_into(out));
    let mut records = RecordReader::new(Hiccups::new(&file[..184]), &mut buffer[..]);
    again(|| records.next_record()).expect("a header");
    other_slice!(records, 40, 0, |records, out| match records.for_each(|_| {}) {
        Err(CallbackError::Failed(error)) => Err::<(), _>(error),
        other => panic!("{other:?} {}", out.len()),
    });

    let file = sections();
    let open = |user: &[u8]| {
        let (buffer, table) = (Box::leak(Box::new([0; 5])), Box::leak(Box::new([0; 2])));
        let mut reader = SectionReader::new(Hiccups::new(&file), buffer).with_table(table);
        while again(|| reader.next_section()).expect("valid").is_some() && reader.user() != user {}
        reader
    };
    other_slice!(open(b"words"), 8, 0, |reader, out| reader.read_exact(out));
    other_slice!(open(b"words"), 8, 0, |reader, out| reader.element(out));
    other_slice!(open(b"words"), 2, 0, |reader, out| reader.sizes(out));

    let mut file = b"INEBIN\0B\x02\0\0\0\x20\0\0\0".to_vec();
    file.extend([0x55; 8]);
    let open = || MatrixReader::new(Hiccups::new(&file), Box::leak(Box::new([0; 1])));
    other_slice!(open(), 64, false, |reader, out| reader.read(out));
    other_slice!(open(), 32, false, |reader, out| reader.next_row(out));
}

/// A source that fails while a field is read: the field is neither complete nor verified, whatever is called next.
#[test]
fn a_field_is_not_complete_after_a_failure_of_the_source() {
    let file = gauge_field(Form::Both);
    let mut buffer = [0; 64];
    let mut reader = FieldReader::new(Hiccups::new(&file), &mut buffer[..]);
    let field = loop {
        match reader.next_field() {
            Err(ReadError::Io(_)) => {}
            other => break other.expect("valid").map(|field| field.number_count()),
        }
    };
    assert_eq!(field, Some(Ok(16 * 72)));
    // The reader is at the field; it is entered again as its only one.
    let (source, decoder) = reader.into_parts();
    assert!(source.at > 0 && decoder.field().is_some());
    let data = decoder.field().expect("it has begun").record.payload_offset();
    let mut reader =
        FieldReader::new(Frail { file: &file, at: 0, left: data as usize + 100 }, &mut buffer[..]);
    let mut field = reader.next_field().expect("valid").expect("a field");
    let mut bytes = vec![0; field.byte_count().expect("small")];
    assert_eq!(field.read_bytes_into(&mut bytes), Err(FieldError::Read(ReadError::Io(Hiccup))));
    let Err(FieldError::Read(ReadError::Interrupted { done })) = field.read_bytes_into(&mut bytes) else {
        panic!("interrupted")
    };
    assert!(done > 0 && bytes[done as usize..].iter().all(|byte| *byte == 0));
    assert_eq!(field.verdict(), Err(ReadError::Interrupted { done }));
    assert_eq!(field.skip(), Err(FieldError::Read(ReadError::Interrupted { done })));
}

/// The data of a volume other than the first are not passed over as if they had been read.
#[test]
fn a_volume_needs_the_fields_of_the_first() {
    let file = volume(&[0, 1], &[&[0; 8]]);
    let (mut list, mut buffer) = ([0; 8], [0; 64]);
    let decoder = volume::Decoder::new(Mode::Strict);
    let mut reader = VolumeReader::new(Fitful::new(&file, 3), &mut list[..], &mut buffer[..], decoder);
    let error = loop {
        match reader.next() {
            Ok(Some(_)) => {}
            Ok(None) => panic!("nothing of the data was read"),
            Err(ReadError::Format(error)) => break error,
            Err(other) => panic!("{other:?}"),
        }
    };
    assert_eq!((error.kind.rule(), error.at), ("misuse", 152));
    assert!(error.to_string().contains("expect_field"), "{error}");
}

/// A source that fails while the sites of a volume are passed: none is passed again, and none is left out.
#[test]
fn sites_of_a_volume_are_passed_once() {
    let lattice = Extents::new(&[4, 2]).expect("a lattice");
    let described = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32));
    let described = described.layout(&lattice).expect("a field");
    let ranks = [1, 0, 7];
    let file = volume(&ranks, &[&[9; 12]]);
    let expected = ranks.map(u64::from);
    let (mut interrupted, mut repeated) = (0, 0);
    for calls in 0..100 {
        let (mut list, mut buffer) = ([0; 8], [0; 6]);
        let source = Once { file: &file, at: 0, calls: Some(calls) };
        let decoder = volume::Decoder::new(Mode::Strict);
        let mut reader = VolumeReader::new(source, &mut list[..], &mut buffer[..], decoder);
        reader.decoder_mut().expect_field(&described);
        while again(|| reader.next()).expect("valid") != Some(Event::Field) {}
        let field = *reader.decoder().field().expect("it has begun");
        let (mut first, mut second) = (Vec::new(), Vec::new());
        match reader.for_each_site(|site| first.push(site.rank())) {
            Ok(read) => assert_eq!((read.sites(), &first[..]), (3, &expected[..])),
            Err(CallbackError::Failed(ReadError::Io(Hiccup))) => {
                let read = reader.for_each_site(|site| second.push(site.rank()));
                if first.is_empty() {
                    assert_eq!((read.expect("valid").sites(), &second[..]), (3, &expected[..]), "{calls}");
                    repeated += 1;
                } else {
                    let done = first.len() as u64;
                    assert_eq!(read, Err(CallbackError::Failed(ReadError::Interrupted { done })), "{calls}");
                    assert!(second.is_empty());
                    interrupted += 1;
                }
            }
            Err(other) => panic!("{calls}: {other:?}"),
        }
        for event in [Some(Event::FieldEnd), Some(Event::End), None] {
            assert_eq!(again(|| reader.next()), Ok(event));
        }
        // These pass everything again.
        let mut second = Vec::new();
        if reader.for_each_site_of(&field, |_| {}).is_err() {
            let read = reader.for_each_site_of(&field, |site| second.push(site.rank()));
            assert_eq!((read.expect("valid").sites(), &second[..]), (3, &expected[..]), "{calls}");
        }
        let mut second = Vec::new();
        if reader.for_each_rank(|_| {}).is_err() {
            reader.for_each_rank(|rank| second.push(rank)).expect("valid");
            assert_eq!(second, expected, "{calls}");
        }
    }
    assert!(interrupted > 0 && repeated > 0, "{interrupted} {repeated}");
}
