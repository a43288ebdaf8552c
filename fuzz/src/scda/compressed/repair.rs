//! Rebuilds base64, sizes and checksums of elements, which no longer fit after a mutation. Without this, no input would
//! pass their checks.

use linkstream::scda::{Event, PlainDecoder, SectionType};
use linkstream::{Decode, Mode};
use zlib_rs::{Inflate, InflateFlush, Status};

use super::ROOM;
use super::texts::{framed, stored, text};
use crate::scda::lines::Lines;

/// Expected report about an element.
#[derive(Debug)]
pub enum Made {
    Element(Vec<u8>),
    /// An error; before it, the element may be reported if it has this content.
    Fault(Option<Vec<u8>>),
}

struct Raw {
    section_type: SectionType,
    user: Vec<u8>,
    sizes: Vec<u64>,
    data: Vec<u8>,
}

impl Raw {
    /// The letter of the compressed section whose first half this section is.
    fn magic(&self) -> Option<u8> {
        let user = self.user.strip_suffix(b" compressed scda 00")?;
        match (self.section_type, user) {
            (SectionType::Inline, [letter @ (b'A' | b'B')]) | (SectionType::Array, [letter @ b'V']) => {
                Some(*letter)
            }
            _ => None,
        }
    }

    /// The elements, as far as the data go.
    fn elements(&self) -> Vec<&[u8]> {
        let mut rest = &self.data[..];
        let sizes = if self.section_type == SectionType::Varray { &self.sizes[..] } else { &[u64::MAX] };
        let mut element = |size: &u64| {
            let (element, after) =
                rest.split_at(rest.len().min(usize::try_from(*size).unwrap_or(usize::MAX)));
            rest = after;
            element
        };
        sizes.iter().map(&mut element).collect()
    }
}

/// Returns the compressed sections of the file with rebuilt texts, and the expected reports about them. The bytes in
/// place of each text are taken as the uncompressed element. With `as_stream`, they are taken as a deflate stream, and
/// header and checksum are added.
pub fn repaired(file: &[u8], as_stream: bool) -> Option<(Vec<u8>, Vec<Made>)> {
    let raw = sections(file);
    let mut lines = Lines::file(false, b"", b"");
    let mut made = Vec::new();
    for pair in raw.windows(2) {
        let Some(letter) = pair[0].magic() else { continue };
        let mut elements = pair[1].elements();
        elements.truncate(if letter == b'B' { 1 } else { 40 });
        if letter == b'B' && elements.is_empty() {
            continue;
        }
        let line_break = pair[0].data.last_chunk().copied().unwrap_or(*b"=\n");
        let mut built: Vec<(u64, Vec<u8>, Made)> =
            elements.into_iter().map(|element| build(element, as_stream)).collect();
        let first = built.first().map_or(0, |(size, ..)| *size);
        if letter == b'A' {
            // The elements of an array have one size; elements of other sizes are left out.
            built.retain(|(size, ..)| *size == first);
        }
        let texts: Vec<Vec<u8>> =
            built.iter().map(|(size, stream, _)| text(*size, stream, line_break)).collect();
        let name = [&[letter][..], b" compressed scda 00"].concat();
        lines = match letter {
            b'V' => {
                let entries: Vec<u8> = built.iter().flat_map(|(size, ..)| entry(*size)).collect();
                lines.array(&name, built.len() as u128, 32, &entries)
            }
            _ => lines.inline(&name, &entry(first)),
        };
        lines = match letter {
            b'B' => lines.block(&pair[1].user, &texts[0]),
            _ => lines.varray(&pair[1].user, &texts.iter().map(|text| &text[..]).collect::<Vec<_>>()),
        };
        made.extend(built.into_iter().map(|(.., made)| made));
    }
    (!made.is_empty()).then_some((lines.bytes, made))
}

fn entry(size: u64) -> [u8; 32] {
    *Lines::file(false, b"", b"")
        .count(b'U', size.into())
        .bytes
        .last_chunk()
        .expect("a count line has 32 bytes")
}

/// The size of the element, its compressed stream, and what must be reported about it.
fn build(element: &[u8], as_stream: bool) -> (u64, Vec<u8>, Made) {
    // With fewer than 2 bytes, the text would be shorter than any valid one, which is already reported with its size.
    if !as_stream || element.len() < 2 {
        return (element.len() as u64, stored(element), Made::Element(element.to_vec()));
    }
    let mut plain = vec![0; ROOM];
    let mut inflate = Inflate::new(false, 15);
    let status = inflate.decompress(element, &mut plain, InflateFlush::Finish);
    plain.truncate(usize::try_from(inflate.total_out()).expect("the bytes are in memory"));
    let size = plain.len() as u64;
    if matches!(status, Ok(Status::StreamEnd)) {
        let taken = usize::try_from(inflate.total_in()).expect("the bytes are in memory");
        return (size, framed(&element[..taken], &plain), Made::Element(plain));
    }
    // The checksum is correct for the bytes that were decompressed, so that only the stream is wrong. The bytes of
    // the checksum may even complete the stream.
    let stream = framed(element, &plain);
    let mut again = vec![0; plain.len()];
    let mut inflate = Inflate::new(true, 15);
    let complete =
        matches!(inflate.decompress(&stream, &mut again, InflateFlush::Finish), Ok(Status::StreamEnd));
    let is_whole = complete && inflate.total_out() == size;
    let made = match (is_whole, inflate.total_in() == stream.len() as u64) {
        (true, true) => Made::Element(plain),
        (true, false) => Made::Fault(Some(plain)),
        _ => Made::Fault(None),
    };
    (size, stream, made)
}

/// The raw sections of the file; the last one may be incomplete.
fn sections(file: &[u8]) -> Vec<Raw> {
    let mut decoder = PlainDecoder::new(Mode::Survey);
    let mut sections = Vec::<Raw>::new();
    let mut rest = file;
    while let Ok(step) = decoder.push(rest) {
        let (bytes, after) = rest.split_at(step.consumed);
        rest = after;
        match (step.event, sections.last_mut()) {
            (Some(Event::Section(section)), _) => sections.push(Raw {
                section_type: section.section_type,
                user: decoder.user().to_vec(),
                sizes: Vec::new(),
                data: Vec::new(),
            }),
            (Some(Event::Size(size)), Some(raw)) => raw.sizes.push(size),
            (Some(Event::Data), Some(raw)) => raw.data.extend_from_slice(bytes),
            (Some(_), _) => {}
            (None, _) => break,
        }
    }
    sections
}
