//! Raw scda sections. Checks the contract of the decoder in every mode, and that a file without errors is the same when
//! its sections are written again.

pub mod compressed;
pub mod entry;
mod lines;
mod seeds;

use linkstream::Encode as _;
use linkstream::Resumable as _;
use linkstream::scda::{Encoder, ErrorKind, Event, PlainDecoder, Section, SectionType, Style};
use linkstream::{Decode, Error, Mode};

use crate::Dice;
use crate::stream::{self, Checked, FEW_WAYS, WAYS};

pub use seeds::seeds;

impl Checked for PlainDecoder {
    fn is_payload(event: &Event) -> bool {
        *event == Event::Data
    }

    fn finding(event: &Event) -> Option<Error<ErrorKind>> {
        match event {
            Event::Finding(finding) => Some(*finding),
            _ => None,
        }
    }

    /// The required padding depends on the last byte of the data.
    fn is_about_payload(kind: &ErrorKind) -> bool {
        matches!(kind, ErrorKind::Padding { .. })
    }

    fn through_bytes(&self) -> Result<Self, Error<ErrorKind>> {
        Ok(Self::load(&self.save()?).expect("a saved state loads"))
    }
}

/// Checks the decoder and the encoder with this file.
pub fn check(file: &[u8]) {
    let strict = stream::check(|| PlainDecoder::new(Mode::Strict), file, &FEW_WAYS);
    let lenient = stream::check(|| PlainDecoder::new(Mode::Lenient), file, &FEW_WAYS);
    let survey = stream::check(|| PlainDecoder::new(Mode::Survey), file, &WAYS);
    stream::milder::<PlainDecoder>(&strict, &lenient);
    stream::milder::<PlainDecoder>(&lenient, &survey);
    if strict.end.is_ok() {
        assert_eq!(strict, lenient);
        let (unix, free) = write_again(file, Style::Unix);
        let (mime, _) = write_again(file, Style::Mime);
        assert_eq!((unix.len(), mime.len()), (file.len(), file.len()));
        let mut free = free.into_iter().peekable();
        for (n, byte) in file.iter().enumerate() {
            let is_free = free.next_if_eq(&n).is_some();
            assert!(
                is_free || unix[n] == *byte || mime[n] == *byte,
                "the file differs at {n} when it is written again"
            );
        }
    }
}

/// Writes the file again in the given style. Also returns the offsets of the bytes that may have any value: two at the
/// end of each line of a section's head.
fn write_again(file: &[u8], style: Style) -> (Vec<u8>, Vec<usize>) {
    let mut decoder = PlainDecoder::new(Mode::Strict);
    let mut encoder = Encoder::new(style);
    let (mut copy, mut free) = (Vec::new(), vec![30, 31]);
    let mut dice = Dice::from_bytes(file);
    let mut rest = file;
    while !rest.is_empty() {
        let piece = &rest[..rest.len().min(1 + dice.below(200))];
        let step = decoder.push(piece).expect("the file has no errors");
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
                copy.extend_from_slice(&encoder.size(size).expect("the size was read"));
            }
            Some(Event::Data) => {
                encoder.put(bytes).expect("no more data than the section has");
                copy.extend_from_slice(bytes);
                encoder = Encoder::load(&encoder.save()).expect("a saved state loads");
            }
            Some(Event::End) => end(&mut encoder, &decoder, &mut copy),
            Some(other) => panic!("{other:?}"),
            None => {}
        }
        assert_eq!(encoder.position(), copy.len() as u64);
    }
    // The end of an inline section at the end of the file is only reported by `finish`.
    while let Some(event) = decoder.finish().expect("the file has no errors") {
        assert_eq!(event, Event::End);
        end(&mut encoder, &decoder, &mut copy);
    }
    encoder.finish().expect("every section has ended");
    (copy, free)
}

fn begin<'e>(encoder: &'e mut Encoder, decoder: &PlainDecoder, section: &Section) -> &'e [u8] {
    assert_eq!(section.offset, encoder.position());
    let user = decoder.user();
    match section.section_type {
        SectionType::Header => encoder.header(decoder.vendor(), user),
        SectionType::Inline => encoder.inline(user),
        SectionType::Block => encoder.block(user, section.e),
        SectionType::Array => encoder.array(user, section.n, section.e),
        SectionType::Varray => encoder.varray(user, section.n),
    }
    .expect("a section that was read can be written")
}

/// Ends a section. The file header needs no call: it was written with its padding.
fn end(encoder: &mut Encoder, decoder: &PlainDecoder, copy: &mut Vec<u8>) {
    if decoder.section().section_type != SectionType::Header {
        copy.extend_from_slice(encoder.end().expect("the data are complete"));
    }
    assert_eq!(decoder.section().next_offset(decoder.data_length()), Some(copy.len() as u64));
}
