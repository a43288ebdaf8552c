//! LIME records. Checks the contract of the decoder in every mode, and that a file without errors is the same when its
//! records are written again.

use linkstream::Encode as _;
use linkstream::Resumable as _;
use linkstream::lime::{Decoder, EncodeErrorKind, Encoder, ErrorKind, Event, Header};
use linkstream::{Decode, Error, Mode};

use crate::Dice;
use crate::raw::{MB, ME, Raw};
use crate::stream::{self, Checked, FEW_WAYS, Item, Reported, WAYS};

impl Checked for Decoder {
    fn is_payload(event: &Event) -> bool {
        *event == Event::Payload
    }

    fn finding(event: &Event) -> Option<Error<ErrorKind>> {
        match event {
            Event::Finding(finding) => Some(*finding),
            _ => None,
        }
    }

    fn through_bytes(&self) -> Result<Self, Error<ErrorKind>> {
        Ok(Self::load(&self.save()?).expect("a saved state loads"))
    }
}

/// Checks the decoder and the encoder with this file.
pub fn check(file: &[u8]) {
    let strict = stream::check(|| Decoder::new(Mode::Strict), file, &FEW_WAYS);
    let lenient = stream::check(|| Decoder::new(Mode::Lenient), file, &FEW_WAYS);
    let survey = stream::check(|| Decoder::new(Mode::Survey), file, &WAYS);
    stream::milder::<Decoder>(&strict, &lenient);
    stream::milder::<Decoder>(&lenient, &survey);
    if strict.end.is_ok() {
        assert_eq!(strict, lenient);
    }
    if is_clean(&strict) {
        write_again(file);
    }
}

/// True if the encoder can write this file: it has no findings, except that its last message may be open.
fn is_clean(reported: &Reported<Event, ErrorKind>) -> bool {
    let fine = |item: &Item<Event>| match item {
        Item::Event(Event::Finding(finding), _) => finding.kind == ErrorKind::MessageOpen,
        _ => true,
    };
    reported.end.is_ok() && reported.events.iter().all(fine)
}

fn write_again(file: &[u8]) {
    let mut decoder = Decoder::new(Mode::Strict);
    let mut encoder = Encoder::new();
    let mut copy = Vec::new();
    let mut dice = Dice::from_bytes(file);
    let mut rest = file;
    while !rest.is_empty() {
        let piece = &rest[..rest.len().min(1 + dice.below(200))];
        let step = decoder.push(piece).expect("the file has no errors");
        let (bytes, later) = rest.split_at(step.consumed);
        rest = later;
        match step.event {
            Some(Event::Record(record)) => {
                assert_eq!(record.offset, copy.len() as u64);
                let read = *decoder.header();
                let header = match Header::new(decoder.record_type(), record.length, record.begin, record.end)
                {
                    Ok(header) => header,
                    // A type of 128 bytes can be read and copied, but `Header::new` refuses it.
                    Err(EncodeErrorKind::TypeTooLong { length: 128 }) => read,
                    Err(other) => panic!("{other}"),
                };
                assert_eq!(header, read);
                copy.extend_from_slice(
                    encoder.begin(&header).expect("a header that was read can be written"),
                );
            }
            Some(Event::Payload) => {
                encoder.payload(bytes.len() as u64).expect("no more payload than the record has");
                copy.extend_from_slice(bytes);
                encoder = Encoder::load(&encoder.save()).expect("a saved state loads");
            }
            Some(Event::End) => copy.extend_from_slice(encoder.end().expect("the payload is complete")),
            Some(other) => panic!("{other:?}"),
            None => {}
        }
        assert_eq!(encoder.position(), copy.len() as u64);
    }
    // If the last record has neither payload nor padding, its end is only reported by `finish`.
    while let Some(event) = decoder.finish().expect("the file has no errors") {
        if event == Event::End {
            copy.extend_from_slice(encoder.end().expect("the payload is complete"));
        }
    }
    encoder.finish().expect("every record has ended");
    assert_eq!(Some(encoder.message_is_open()), decoder.message_is_open());
    assert!(Encoder::after(&decoder).is_some());
    assert!(copy == file, "the file differs when it is written again");
}

/// Small files: valid ones of every form, and one for each error.
#[must_use]
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    let text = b"LIME test message";
    let whole = |record_type: &[u8], payload: &[u8]| Raw::record(MB | ME, record_type, payload);
    let mut seeds = vec![
        ("one-record", whole(b"lime-test-text", text)),
        ("no-payload", whole(b"empty", b"")),
        ("no-type", whole(b"", b"typeless")),
        ("type-of-127", whole(&[b'T'; 127], b"x")),
        ("type-of-128", whole(&[b'T'; 128], b"x")),
        (
            "two-messages",
            Raw::record(MB, b"first", b"a")
                .then(Raw::record(0, b"middle", b"bcdefgh"))
                .then(Raw::record(ME, b"last", b"12345678"))
                .then(whole(b"alone", text)),
        ),
        (
            "gauge-file",
            whole(b"scidac-private-file-xml", b"<?xml version=\"1.0\"?><scidacFile></scidacFile>")
                .then(Raw::record(MB, b"ildg-format", b"<?xml version=\"1.0\"?><ildgFormat></ildgFormat>"))
                .then(Raw::record(0, b"ildg-binary-data", &[0x3f; 576]))
                .then(Raw::record(ME, b"scidac-checksum", b"<scidacChecksum></scidacChecksum>")),
        ),
        ("message-left-open", Raw::record(MB, b"first", b"a")),
        ("terminal-null", Raw::record(MB, b"first", b"a").then(Raw::record(0, b"", b""))),
        (
            "null-inside-a-message",
            Raw::record(MB, b"first", b"a").then(Raw::record(0, b"", b"")).then(Raw::record(ME, b"l", b"")),
        ),
        ("begin-missing", Raw::record(ME, b"t", text)),
        ("begin-unexpected", Raw::record(MB, b"t", b"").then(whole(b"t", b""))),
        ("reserved-bits", Raw::record(MB | ME | 0x21, b"t", text)),
        ("type-garbage", whole(b"type\0garbage", text)),
        ("padding-nonzero", whole(b"t", b"abc").with(149, b"\xff\xff")),
        ("magic-wrong", whole(b"t", text).with(0, b"scda")),
        ("second-magic-wrong", whole(b"t", text).then(whole(b"t", text)).with(168, b"\0")),
        ("version-2", whole(b"t", text).with(5, b"\x02")),
        ("length-all-ones", whole(b"t", text).with(8, &[0xff; 8])),
        ("length-longest", whole(b"t", text).with(8, &(u64::MAX - 144 - 7).to_be_bytes())),
        ("cut-in-magic", whole(b"t", text).cut(3)),
        ("cut-in-header", whole(b"t", text).cut(100)),
        ("cut-after-header", whole(b"t", text).cut(144)),
        ("cut-in-payload", whole(b"t", text).cut(150)),
        ("cut-in-padding", whole(b"t", text).cut(163)),
        ("cut-in-second-header", whole(b"t", text).then(whole(b"t", text)).cut(200)),
        ("trailing-bytes", whole(b"t", text).and(b"tail")),
        ("trailing-zeros", whole(b"t", text).and(&[0; 512])),
    ]
    .into_iter()
    .map(|(name, raw)| (name.to_owned(), raw.bytes))
    .collect::<Vec<_>>();
    for length in 1..8 {
        seeds.push((format!("padding-after-{length}"), whole(b"t", &text[..length]).bytes));
    }
    seeds
}
