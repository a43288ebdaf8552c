//! Neither memory nor work grows with the file: an array of 2^60 bytes is skipped with a few calls, and a variable
//! array of a million elements is written and read through a buffer of 4 KiB, both without an allocation.

use crate::counting::without_allocation;
use embedded_io::{ErrorType, Read, Seek, SeekFrom};
use linkstream::Encode as _;
use linkstream::Resumable as _;
use linkstream::io::Reader;
use linkstream::scda::{Encoder, ErrorKind, Event, PlainDecoder, SectionType, Style};
use linkstream::{Decode, Error, Mode, SeekPayload};
use std::convert::Infallible;

/// A file of zeros except for a few bytes at its beginning and its end, with counters of the calls on it.
struct Sparse {
    begin: Vec<u8>,
    zeros: u64,
    end: Vec<u8>,
    at: u64,
    calls: u32,
}

impl ErrorType for Sparse {
    type Error = Infallible;
}

impl Read for Sparse {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, Infallible> {
        self.calls += 1;
        let begin = self.begin.len() as u64;
        let part = if self.at < begin {
            &self.begin[self.at as usize..]
        } else if let Some(at) = self.at.checked_sub(begin + self.zeros) {
            self.end.get(at as usize..).unwrap_or_default()
        } else {
            let n = out.len().min(usize::try_from(begin + self.zeros - self.at).unwrap_or(usize::MAX));
            out[..n].fill(0);
            self.at += n as u64;
            return Ok(n);
        };
        let n = part.len().min(out.len());
        out[..n].copy_from_slice(&part[..n]);
        self.at += n as u64;
        Ok(n)
    }
}

impl Seek for Sparse {
    fn seek(&mut self, to: SeekFrom) -> Result<u64, Infallible> {
        self.calls += 1;
        let length = self.begin.len() as u64 + self.zeros + self.end.len() as u64;
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::End(by) => length.checked_add_signed(by).expect("inside"),
            SeekFrom::Current(by) => self.at.checked_add_signed(by).expect("inside"),
        };
        Ok(self.at)
    }
}

const HUGE: u64 = 1 << 60;

/// An array of 2^60 bytes without the last `missing` ones, with padding and a small section after it.
fn huge(missing: u64) -> Sparse {
    let mut encoder = Encoder::new(Style::Unix);
    let mut begin = encoder.header(b"", b"").expect("the header comes first").to_vec();
    begin.extend_from_slice(encoder.array(b"huge", (1 << 20).into(), (1 << 40).into()).expect("addressable"));
    // The padding depends only on the last byte. The encoder cannot be passed 2^60 bytes here.
    let mut end = b"\n=============================\n\n".to_vec();
    let mut behind = Encoder::append(encoder.position() + HUGE + 32, Style::Unix);
    end.extend_from_slice(behind.inline(b"behind").expect("addressable"));
    end.extend_from_slice(&[7; 32]);
    if missing > 0 {
        end.clear();
    }
    Sparse { begin, zeros: HUGE - missing, end, at: 0, calls: 0 }
}

#[test]
fn a_huge_array_is_passed_over_by_seeking() {
    let mut source = huge(0);
    let mut buffer = [0; 256];
    let mut seen = [(None, 0); 3];
    without_allocation(|| {
        let mut reader = Reader::new(&mut source, &mut buffer, PlainDecoder::new(Mode::Strict));
        let mut n = 0;
        while let Some(event) = reader.next().expect("a valid file") {
            match event {
                Event::Section(section) => {
                    seen[n].0 = Some((section.section_type, section.offset));
                    n += 1;
                    if section.data_length() == Some(HUGE) {
                        reader.skip_seeking().expect("a source that seeks");
                    }
                }
                Event::Data => seen[n - 1].1 += reader.bytes().len(),
                Event::Size(_) | Event::End => {}
                other => panic!("{other:?}"),
            }
        }
    });
    let sections = [
        (Some((SectionType::Header, 0)), 0),
        (Some((SectionType::Array, 128)), 0),
        (Some((SectionType::Inline, 256 + HUGE + 32)), 32),
    ];
    assert_eq!(seen, sections);
    assert!(source.calls <= 8, "{} calls", source.calls);
}

/// One byte of 2^60 is missing.
#[test]
fn a_huge_array_short_of_a_byte_is_reported_without_reading_it() {
    let mut source = huge(1);
    let mut buffer = [0; 256];
    let mut reader = Reader::new(&mut source, &mut buffer, PlainDecoder::new(Mode::Lenient));
    while !matches!(reader.next(), Ok(Some(Event::Section(section))) if section.offset == 128) {}
    reader.skip_seeking().expect("a source that seeks");
    let Err(linkstream::io::ReadError::Format(error)) = reader.next() else {
        panic!("the missing byte is not reported")
    };
    assert_eq!(error, Error::new(256 + HUGE - 1, ErrorKind::DataTruncated { missing: 1 }));
    assert!(source.calls <= 8, "{} calls", source.calls);
}

/// Any element of the array is found by its offset, forwards and backwards. The padding is verified only if the last
/// byte was read.
#[test]
fn elements_of_a_huge_array_are_found_by_seeking() {
    let mut source = huge(0);
    let mut buffer = [0; 64];
    without_allocation(|| {
        let mut reader = Reader::new(&mut source, &mut buffer, PlainDecoder::new(Mode::Strict));
        while !matches!(reader.next(), Ok(Some(Event::Section(section))) if section.offset == 128) {}
        for element in [1 << 19, 3, (1 << 20) - 1, 0] {
            let place = element << 40;
            reader.seek_payload(place).expect("inside");
            let mut bytes = [9; 8];
            assert_eq!(reader.read(&mut bytes).expect("there"), 8);
            assert_eq!(bytes, [0; 8]);
            assert_eq!(reader.decoder().payload_position(), Some(place + 8));
            assert_eq!(reader.decoder().position(), 256 + place + 8);
        }
        reader.seek_payload(HUGE).expect("the end of the data is a valid position");
        assert!(matches!(reader.next(), Ok(Some(Event::End))));
        assert_eq!(reader.decoder().payload_position(), None);
    });
}

const ELEMENTS: u64 = 1_000_000;

/// The size of element `n`: 0 to 14 bytes.
fn size(n: u64) -> u64 {
    (7 * n) % 15
}

/// A file with a variable array that is written while it is read, and is never stored.
struct Written {
    encoder: Encoder,
    given: [u8; 128],
    from: usize,
    to: usize,
    sizes: u64,
    elements: u64,
    ended: bool,
}

impl Written {
    fn new() -> Self {
        let mut encoder = Encoder::new(Style::Mime);
        let mut given = [0; 128];
        given.copy_from_slice(encoder.header(b"", b"").expect("the header comes first"));
        Self { encoder, given, from: 0, to: 128, sizes: 0, elements: 0, ended: false }
    }

    /// Writes the next part.
    fn turn(&mut self) {
        let mut element = [b'e'; 14];
        let bytes: &[u8] = if self.encoder.position() == 128 {
            self.encoder.varray(b"many", ELEMENTS.into()).expect("legal")
        } else if self.sizes < ELEMENTS {
            self.sizes += 1;
            &self.encoder.size(size(self.sizes - 1)).expect("the encoder expects it")
        } else if self.elements < ELEMENTS {
            let bytes = &mut element[..size(self.elements) as usize];
            bytes.fill(self.elements as u8);
            self.elements += 1;
            self.encoder.put(bytes).expect("there is room");
            bytes
        } else if self.ended {
            &[]
        } else {
            self.ended = true;
            self.encoder.end().expect("complete")
        };
        self.given[..bytes.len()].copy_from_slice(bytes);
        (self.from, self.to) = (0, bytes.len());
    }
}

impl ErrorType for Written {
    type Error = Infallible;
}

impl Read for Written {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, Infallible> {
        let mut n = 0;
        while n < out.len() {
            if self.from == self.to {
                if self.ended {
                    break;
                }
                self.turn();
                continue;
            }
            let more = (self.to - self.from).min(out.len() - n);
            out[n..n + more].copy_from_slice(&self.given[self.from..self.from + more]);
            (n, self.from) = (n + more, self.from + more);
        }
        Ok(n)
    }
}

#[test]
fn a_million_elements_are_written_and_read_without_allocation() {
    let mut source = Written::new();
    let mut buffer = [0; 4096];
    let (mut sizes, mut sum, mut length, mut sections) = (0, 0, 0, 0);
    without_allocation(|| {
        let mut reader = Reader::new(&mut source, &mut buffer, PlainDecoder::new(Mode::Strict));
        while let Some(event) = reader.next().expect("a valid file") {
            match event {
                Event::Section(_) => sections += 1,
                Event::Size(found) => {
                    assert_eq!(found, size(sizes));
                    sizes += 1;
                    length += found;
                }
                Event::Data => sum += reader.bytes().iter().map(|byte| u64::from(*byte)).sum::<u64>(),
                Event::End => assert_eq!(reader.decoder().data_length(), length),
                other => panic!("{other:?}"),
            }
        }
    });
    assert_eq!((sections, sizes), (2, ELEMENTS));
    assert_eq!(length, (0..ELEMENTS).map(size).sum::<u64>());
    assert_eq!(sum, (0..ELEMENTS).map(|n| size(n) * (n & 0xff)).sum::<u64>());
    source.encoder.finish().expect("nothing is open");
}

/// Pushing byte by byte, saving and loading, and errors do not allocate.
#[test]
fn pushing_needs_no_memory() {
    let begin = huge(0).begin;
    without_allocation(|| {
        let mut decoder = PlainDecoder::new(Mode::Survey);
        for byte in &begin {
            while decoder.push(std::slice::from_ref(byte)).expect("valid so far").consumed == 0 {}
        }
        let mut decoder = PlainDecoder::load(&decoder.save().expect("no error yet")).expect("just saved");
        decoder.skip(HUGE).expect("data");
        for byte in b"\n=============================\n\nX" {
            let _ = decoder.push(&[*byte]).expect("valid so far");
        }
        let error = decoder.finish().expect_err("no section");
        assert_eq!(error, Error::new(256 + HUGE + 32, ErrorKind::SectionLetter { found: b'X' }));
    });
}
