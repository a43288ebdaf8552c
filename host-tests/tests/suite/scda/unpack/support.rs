//! The events of an `Unpacker` by section, and files for it to read.

use host_tests::packed;
use linkstream::scda::{Decoder, Element, ErrorKind, Event, Section, SectionType, Style, Unpacker};
use linkstream::{Decode, Error, Mode};

use crate::scda::model::{Body, Plain, build, count_line};

/// A section with everything reported for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    pub section: Section,
    pub user: Vec<u8>,
    /// Element sizes before compression, if there are any.
    pub sizes: Vec<u64>,
    pub text_sizes: Vec<u64>,
    pub data: Vec<u8>,
    pub elements: Vec<Vec<u8>>,
    /// Number of parts of all elements.
    pub parts: usize,
    pub ended: bool,
}

impl Seen {
    /// Everything that does not depend on the position of the section.
    pub fn content(&self) -> impl PartialEq + std::fmt::Debug + '_ {
        let Section { section_type, n, e, .. } = self.section;
        let is_compressed = self.section.is_compressed();
        (section_type, n, e, is_compressed, &self.user, &self.sizes, &self.data, &self.elements, self.ended)
    }
}

/// Everything that was reported.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    pub sections: Vec<Seen>,
    pub findings: Vec<Error<ErrorKind>>,
    /// The bytes of an element that was begun but not completed, in the last section with such an element.
    pub incomplete: Vec<u8>,
    pub end: Result<(), Error<ErrorKind>>,
}

impl Run {
    const fn new() -> Self {
        Self { sections: Vec::new(), findings: Vec::new(), incomplete: Vec::new(), end: Ok(()) }
    }

    /// The error, or the first finding.
    pub fn fault(&self) -> Option<Error<ErrorKind>> {
        self.end.err().or_else(|| self.findings.first().copied())
    }
}

/// Reads the file as one slice, with a buffer of `buffer` bytes.
pub fn run(file: &[u8], mode: Mode, buffer: usize) -> Run {
    run_with(Unpacker::new(Decoder::new(mode, true), vec![0xa5; buffer]), [file])
}

/// Reads the file in pieces of `piece` bytes.
pub fn run_pieces(file: &[u8], mode: Mode, buffer: usize, piece: usize) -> Run {
    run_with(Unpacker::new(Decoder::new(mode, true), vec![0xa5; buffer]), file.chunks(piece))
}

/// Reads the file in pushes of these lengths. Bytes that a push did not consume are part of the next.
pub fn run_restless(file: &[u8], mode: Mode, buffer: usize, lengths: &[usize]) -> Run {
    let mut unpacker = Unpacker::new(Decoder::new(mode, true), vec![0xa5; buffer]);
    let mut run = Run::new();
    let mut before = None;
    let mut lengths = lengths.iter().cycle();
    run.end = (|| {
        let mut rest = file;
        while !rest.is_empty() {
            let piece = &rest[..rest.len().min(*lengths.next().expect("a length"))];
            let step = unpacker.push(piece)?;
            let (bytes, behind) = rest.split_at(step.consumed);
            rest = behind;
            if let Some(event) = step.event {
                run.note_event(&unpacker, event, bytes, &mut before);
            }
        }
        while let Some(event) = unpacker.finish()? {
            run.note_event(&unpacker, event, b"", &mut before);
        }
        Ok(())
    })();
    run
}

/// Reads the file in these pieces.
pub fn run_with<'a>(mut unpacker: Unpacker<Vec<u8>>, pieces: impl IntoIterator<Item = &'a [u8]>) -> Run {
    let mut run = Run::new();
    let mut before = None;
    run.end = (|| {
        for mut piece in pieces {
            loop {
                let step = unpacker.push(piece)?;
                let (bytes, rest) = piece.split_at(step.consumed);
                piece = rest;
                let Some(event) = step.event else { break };
                run.note_event(&unpacker, event, bytes, &mut before);
            }
        }
        while let Some(event) = unpacker.finish()? {
            run.note_event(&unpacker, event, b"", &mut before);
        }
        Ok(())
    })();
    run
}

impl Run {
    /// `before` collects sizes that precede the section they belong to.
    fn note_event(
        &mut self,
        unpacker: &Unpacker<Vec<u8>>,
        event: Event,
        bytes: &[u8],
        before: &mut Option<Vec<u64>>,
    ) {
        if let Event::Section(section) = event {
            let sizes = before.take().unwrap_or_default();
            let user = unpacker.sections().user().to_vec();
            let (text_sizes, data, elements) = Default::default();
            let (parts, ended) = (0, false);
            self.incomplete.clear();
            self.sections.push(Seen { section, user, sizes, text_sizes, data, elements, parts, ended });
            return;
        }
        let seen = self.sections.last_mut();
        match (event, seen) {
            (Event::Compressed(_), _) => *before = Some(Vec::new()),
            (Event::Size(size), _) if before.is_some() => before.as_mut().expect("just seen").push(size),
            (Event::Finding(finding), _) => self.findings.push(finding),
            (event, Some(seen)) => match event {
                Event::Size(size) => seen.sizes.push(size),
                Event::TextSize(size) => seen.text_sizes.push(size),
                Event::Data => seen.data.extend(bytes),
                Event::Element(element) => part(seen, &mut self.incomplete, element, unpacker.bytes()),
                Event::End => seen.ended = true,
                _ => {}
            },
            (event, None) => panic!("{event:?} before the first section"),
        }
    }
}

fn part(seen: &mut Seen, incomplete: &mut Vec<u8>, element: Element, bytes: &[u8]) {
    let Element { index, size, offset, length } = element;
    assert_eq!(length, bytes.len(), "the bytes of {element:?}");
    assert_eq!((index, offset), (seen.elements.len() as u64, incomplete.len() as u64), "{element:?}");
    assert!(length > 0 || size == 0, "an empty part of an element: {element:?}");
    incomplete.extend_from_slice(bytes);
    seen.parts += 1;
    assert!(incomplete.len() as u64 <= size, "more bytes than announced: {element:?}");
    assert_eq!(element.is_complete(), incomplete.len() as u64 == size);
    if element.is_complete() {
        seen.elements.push(std::mem::take(incomplete));
    }
}

/// A compressed section as the two raw sections that it consists of, with these texts.
pub fn packed(
    style: Style,
    kind: SectionType,
    user: &[u8],
    sizes: &[u64],
    texts: Vec<Vec<u8>>,
) -> [Plain; 2] {
    let line = |size: &u64| count_line(style, b'U', (*size).into());
    let name = [&[kind.letter()], &b" compressed scda 00"[..]].concat();
    let first = match kind {
        SectionType::Varray => {
            Body::Array { n: sizes.len() as u128, e: 32, data: sizes.iter().flat_map(line).collect() }
        }
        _ => Body::Inline(line(&sizes[0]).try_into().expect("a line")),
    };
    let second = match kind {
        SectionType::Block => Body::Block(texts.concat()),
        _ => Body::Varray(texts),
    };
    [Plain { user: name, body: first }, Plain { user: user.to_vec(), body: second }]
}

/// A file with one compressed block with this text.
pub fn block_file(size: u64, text: Vec<u8>) -> Vec<u8> {
    file(&packed(Style::Unix, SectionType::Block, b"block", &[size], vec![text]))
}

/// A file with one compressed variable array with these streams.
pub fn varray_file(streams: &[(u64, Vec<u8>)]) -> Vec<u8> {
    let sizes: Vec<u64> = streams.iter().map(|(size, _)| *size).collect();
    let texts = streams.iter().map(|(size, stream)| packed::text(*size, stream, packed::UNIX)).collect();
    file(&packed(Style::Unix, SectionType::Varray, b"varray", &sizes, texts))
}

pub fn file(sections: &[Plain]) -> Vec<u8> {
    build(Style::Unix, b"test", b"compressed", sections)
}

/// Bytes that compress slightly.
pub fn smooth(n: usize) -> Vec<u8> {
    (0..n as u64).map(|i| (i * i / 97 + (i >> 3)) as u8).collect()
}

/// Bytes that do not compress.
pub fn noise(n: usize) -> Vec<u8> {
    let words = 1..=n.div_ceil(8) as u64;
    words.flat_map(|k| host_tests::formula::mix64(k).to_le_bytes()).take(n).collect()
}
