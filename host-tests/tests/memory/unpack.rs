//! A million compressed elements, and one of 64 MiB, are decompressed from a pipe through small buffers without an
//! allocation.

use crate::counting::without_allocation;
use embedded_io::{ErrorType, Read};
use host_tests::packed;
use linkstream::Encode as _;
use linkstream::Mode;
use linkstream::io::Reader;
use linkstream::scda::{Decoder, Encoder, Event, SectionType, Style, Unpacker};
use std::convert::Infallible;

/// A file that is generated from repeated pieces.
struct Pipe<'a> {
    /// Groups of pieces, with the number of repetitions of each group.
    parts: &'a [(Vec<Vec<u8>>, u64)],
    part: usize,
    turn: u64,
    piece: usize,
    at: usize,
}

impl ErrorType for Pipe<'_> {
    type Error = Infallible;
}

impl Read for Pipe<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, Infallible> {
        let mut filled = 0;
        while filled < out.len() {
            let Some((pieces, turns)) = self.parts.get(self.part) else { break };
            let rest = &pieces[self.piece][self.at..];
            let n = rest.len().min(out.len() - filled);
            out[filled..filled + n].copy_from_slice(&rest[..n]);
            (filled, self.at) = (filled + n, self.at + n);
            if n == rest.len() {
                (self.piece, self.at) = (self.piece + 1, 0);
                if self.piece == pieces.len() {
                    (self.piece, self.turn) = (0, self.turn + 1);
                }
                if self.turn == *turns {
                    (self.part, self.turn) = (self.part + 1, 0);
                }
            }
        }
        Ok(filled)
    }
}

fn pipe(parts: &[(Vec<Vec<u8>>, u64)]) -> Pipe<'_> {
    Pipe { parts, part: 0, turn: 0, piece: 0, at: 0 }
}

/// A count entry.
fn entry(letter: char, value: usize) -> Vec<u8> {
    let number = format!("{letter} {value} ");
    [number.as_bytes(), &vec![b'-'; 31 - number.len()], b"\n"].concat()
}

#[test]
fn a_million_elements_are_unpacked() {
    const TURNS: u64 = 250_000;
    let plains = [b"".to_vec(), b"a".to_vec(), b"hello hello hello hello hello".to_vec(), vec![b'x'; 100]];
    let texts = plains.each_ref().map(|plain| packed::text_of(plain));
    let n = u128::from(TURNS) * 4;
    let count = |n: u128| linkstream::scda::Count::new(n).expect("few");
    let mut encoder = Encoder::new(Style::Unix);
    let mut head = encoder.header(b"", b"").expect("the header comes first").to_vec();
    head.extend_from_slice(encoder.array(b"V compressed scda 00", count(n), count(32)).expect("short"));
    let mut second = Encoder::append(128, Style::Unix);
    let second = second.varray(b"million", count(n)).expect("short").to_vec();
    let padding =
        |first: &[u8], length: usize| [first, &vec![b'='; length - first.len() - 2], b"\n\n"].concat();
    let all: usize = texts.iter().map(Vec::len).sum::<usize>() * TURNS as usize;
    let rest = match all % 32 {
        over @ 0..=25 => 32 - over,
        over => 64 - over,
    };
    let parts = [
        (vec![head], 1),
        (plains.iter().map(|plain| entry('U', plain.len())).collect(), TURNS),
        (vec![padding(b"==", 32), second], 1),
        (texts.iter().map(|text| entry('E', text.len())).collect(), TURNS),
        (texts.to_vec(), TURNS),
        (vec![padding(b"==", rest)], 1),
    ];
    let mut buffer = [0; 4096];
    let mut elements = 0_usize;
    let mut sizes = 0;
    without_allocation(|| {
        let unpacker = Unpacker::new(Decoder::new(Mode::Strict, true), [0; 128]);
        let mut reader = Reader::new(pipe(&parts), &mut buffer, unpacker);
        while let Some(event) = reader.next().expect("a valid file") {
            match event {
                Event::Element(element) => {
                    assert!(element.is_complete() && element.index == elements as u64);
                    assert_eq!(reader.decoder().bytes(), plains[elements % 4]);
                    elements += 1;
                }
                Event::Size(_) => sizes += 1,
                Event::Section(section) if section.section_type == SectionType::Varray => {
                    assert_eq!(section.n.get(), n);
                }
                _ => {}
            }
        }
    });
    assert_eq!((elements as u64, sizes), (4 * TURNS, 4 * TURNS));
}

#[test]
fn a_long_element_is_unpacked_through_a_window() {
    const LENGTH: usize = 64 << 20;
    let stream = packed::compressed(&vec![0; LENGTH], packed::Compression::new(1));
    let text = packed::text(LENGTH as u64, &stream, packed::UNIX);
    let mut encoder = Encoder::new(Style::Unix);
    let mut file = encoder.header(b"", b"").expect("the header comes first").to_vec();
    file.extend_from_slice(encoder.inline(b"B compressed scda 00").expect("short"));
    encoder.put(&entry('U', LENGTH)).expect("32 bytes");
    file.extend(entry('U', LENGTH));
    file.extend_from_slice(encoder.end().expect("complete"));
    file.extend_from_slice(encoder.block(b"long", (text.len() as u64).into()).expect("short"));
    encoder.put(&text).expect("there is room");
    file.extend_from_slice(&text);
    file.extend_from_slice(encoder.end().expect("complete"));
    let mut window = vec![0xff; 32 << 10];
    let mut buffer = [0; 512];
    let (mut length, mut complete) = (0, 0);
    without_allocation(|| {
        let unpacker = Unpacker::new(Decoder::new(Mode::Strict, true), &mut window);
        let mut reader = Reader::new(file.as_slice(), &mut buffer, unpacker);
        while let Some(event) = reader.next().expect("a valid file") {
            if let Event::Element(element) = event {
                assert_eq!(element.offset, length);
                assert!(reader.decoder().bytes().iter().all(|byte| *byte == 0));
                length += element.length as u64;
                complete += usize::from(element.is_complete());
            }
        }
    });
    assert_eq!((length, complete), (LENGTH as u64, 1));
}

/// Size of an unpacker, without the buffers passed to it.
#[test]
fn an_unpacker_is_small() {
    assert!(size_of::<Unpacker<&mut [u8]>>() < 16 << 10, "{}", size_of::<Unpacker<&mut [u8]>>());
}
