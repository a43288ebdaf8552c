//! Raw scda sections: the contract of the decoder in every mode, and that what reads without a complaint is
//! written again byte for byte.

pub mod compressed;
pub mod entry;
mod lines;
mod seeds;

use linkstream::scda::{Decoder, Encoder, ErrorKind, Event, Section, SectionType, Style};
use linkstream::{Decode, Error, Mode};

use crate::Dice;
use crate::stream::{self, Checked, FEW_WAYS, WAYS};

pub use seeds::seeds;

impl Checked for Decoder {
    fn is_payload(event: &Event) -> bool {
        *event == Event::Data
    }

    fn finding(event: &Event) -> Option<Error<ErrorKind>> {
        match event {
            Event::Finding(finding) => Some(*finding),
            _ => None,
        }
    }

    /// Which padding is right depends on the last byte of the data.
    fn is_about_payload(kind: &ErrorKind) -> bool {
        matches!(kind, ErrorKind::Padding { .. })
    }

    fn through_bytes(&self) -> Result<Self, Error<ErrorKind>> {
        Ok(Self::load(&self.save()?).expect("just saved"))
    }
}

/// Everything that is demanded of the decoder and the encoder for this file.
pub fn check(file: &[u8]) {
    let strict = stream::check(|| Decoder::new(Mode::Strict), file, &FEW_WAYS);
    let lenient = stream::check(|| Decoder::new(Mode::Lenient), file, &FEW_WAYS);
    let survey = stream::check(|| Decoder::new(Mode::Survey), file, &WAYS);
    stream::milder::<Decoder>(&strict, &lenient);
    stream::milder::<Decoder>(&lenient, &survey);
    if strict.end.is_ok() {
        assert_eq!(strict, lenient);
        let (unix, free) = write_again(file, Style::Unix);
        let (mime, _) = write_again(file, Style::Mime);
        assert_eq!((unix.len(), mime.len()), (file.len(), file.len()));
        let mut free = free.into_iter().peekable();
        for (n, byte) in file.iter().enumerate() {
            let is_free = free.next_if_eq(&n).is_some();
            assert!(is_free || unix[n] == *byte || mime[n] == *byte, "written again it differs at {n}");
        }
    }
}

/// The file in this style; and the places of the bytes that may be any, two at the end of each line of a head.
fn write_again(file: &[u8], style: Style) -> (Vec<u8>, Vec<usize>) {
    let mut decoder = Decoder::new(Mode::Strict);
    let mut encoder = Encoder::new(style);
    let (mut copy, mut free) = (Vec::new(), vec![30, 31]);
    let mut dice = Dice::from_bytes(file);
    let mut rest = file;
    while !rest.is_empty() {
        let piece = &rest[..rest.len().min(1 + dice.below(200))];
        let step = decoder.push(piece).expect("is clean");
        let (bytes, later) = rest.split_at(step.consumed);
        rest = later;
        let to = file.len() - rest.len();
        match step.event {
            Some(Event::Section(section)) => {
                let first = section.section_type == SectionType::Header;
                let head = if first { 32 } else { copy.len() } + 64;
                free.extend((head..=to).step_by(32).flat_map(|end| [end - 2, end - 1]));
                copy.extend_from_slice(begin(&mut encoder, &decoder, &section));
            }
            Some(Event::Size(size)) => {
                free.extend([to - 2, to - 1]);
                copy.extend_from_slice(&encoder.size(size).expect("was read"));
            }
            Some(Event::Data) => {
                encoder.data(bytes).expect("fits");
                copy.extend_from_slice(bytes);
                encoder = Encoder::load(&encoder.save()).expect("just saved");
            }
            Some(Event::End) => end(&mut encoder, &decoder, &mut copy),
            Some(other) => panic!("{other:?}"),
            None => {}
        }
        assert_eq!(encoder.position(), copy.len() as u64);
    }
    // An inline section that comes last ends here.
    while let Some(event) = decoder.finish().expect("is clean") {
        assert_eq!(event, Event::End);
        end(&mut encoder, &decoder, &mut copy);
    }
    encoder.finish().expect("every section is ended");
    (copy, free)
}

fn begin<'e>(encoder: &'e mut Encoder, decoder: &Decoder, section: &Section) -> &'e [u8] {
    assert_eq!(section.offset, encoder.position());
    let user = decoder.user();
    match section.section_type {
        SectionType::Header => encoder.header(decoder.vendor(), user),
        SectionType::Inline => encoder.inline(user),
        SectionType::Block => encoder.block(user, section.e),
        SectionType::Array => encoder.array(user, section.n, section.e),
        SectionType::Varray => encoder.varray(user, section.n),
    }
    .expect("was read")
}

/// The file header is written with its padding.
fn end(encoder: &mut Encoder, decoder: &Decoder, copy: &mut Vec<u8>) {
    if decoder.section().section_type != SectionType::Header {
        copy.extend_from_slice(encoder.end().expect("is whole"));
    }
    assert_eq!(decoder.section().next_offset(decoder.data_length()), Some(copy.len() as u64));
}
