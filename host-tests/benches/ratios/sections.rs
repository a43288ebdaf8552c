//! scda: payload and element sizes, relative to memcpy of the same bytes.

use std::hint::black_box;

use linkstream::Encode as _;
use linkstream::scda::{Encoder, Event, PlainDecoder, Style};
use linkstream::{Decode as _, Mode};

use crate::measure::{Scale, Table};
use crate::{copy_chunks, files, push_all};

const CHUNK: usize = 64 << 10;

pub fn all(scale: &Scale) {
    payload(scale);
    elements(scale);
}

/// A file with a block and a file with an array, each of `bytes` bytes.
fn sections(bytes: usize) -> [(&'static str, Vec<u8>); 2] {
    let data = files::noise(bytes);
    let file = |begin: fn(&mut Encoder, u64) -> Vec<u8>| {
        let mut encoder = Encoder::new(Style::Unix);
        let mut file = encoder.header(b"bench", b"").expect("short").to_vec();
        file.extend(begin(&mut encoder, data.len() as u64));
        encoder.put(&data).expect("there is room");
        file.extend_from_slice(&data);
        file.extend_from_slice(encoder.end().expect("complete"));
        file
    };
    let block = file(|encoder, n| encoder.block(b"", n.into()).expect("addressable").to_vec());
    let array =
        file(|encoder, n| encoder.array(b"", (n / 64).into(), 64.into()).expect("addressable").to_vec());
    [("block", block), ("array", array)]
}

fn payload(scale: &Scale) {
    let mut table =
        Table::new("scda payload, copied out in 64 KiB chunks, against memcpy of the same chunks");
    let (mut to, mut again) = (vec![0; CHUNK], vec![0; CHUNK]);
    for (name, file) in sections(scale.bytes) {
        let times = scale.measure(&mut [&mut || copy_chunks(&file, CHUNK, &mut to), &mut || {
            let mut decoder = PlainDecoder::new(Mode::Strict);
            push_all(&mut decoder, &file, CHUNK, |_, event, bytes| {
                if event == Event::Data {
                    again[..bytes.len()].copy_from_slice(bytes);
                    black_box(&mut again);
                }
            });
        }]);
        table.row(name, file.len(), times[1], times[0], Some(0.9));
    }
}

const ELEMENT: usize = 100;

/// Writes a file with a variable array of elements of 100 bytes to `sink`.
fn write(data: &[u8], mut sink: impl FnMut(&[u8])) {
    let mut encoder = Encoder::new(Style::Unix);
    let n = (data.len() / ELEMENT) as u64;
    sink(encoder.header(b"bench", b"").expect("short"));
    sink(encoder.varray(b"", n.into()).expect("addressable"));
    for _ in 0..n {
        sink(&encoder.size(ELEMENT as u64).expect("the encoder expects it"));
    }
    for piece in data.chunks(CHUNK) {
        encoder.put(piece).expect("there is room");
        sink(piece);
    }
    sink(encoder.end().expect("complete"));
}

/// A variable array of a million elements, or of fewer with `--quick`.
fn elements(scale: &Scale) {
    let count = scale.bytes / 64;
    let data = files::noise(count * ELEMENT);
    let mut file = Vec::new();
    write(&data, |bytes| file.extend_from_slice(bytes));
    let sizes = &file[..224 + 32 * count];
    let (mut to, mut again) = (vec![0; CHUNK], vec![0; CHUNK]);
    let mut buffer = Vec::with_capacity(CHUNK + 4096);
    let times = scale.measure(&mut [
        &mut || copy_chunks(&file, CHUNK, &mut to),
        &mut || {
            let mut decoder = PlainDecoder::new(Mode::Strict);
            let mut sum = 0;
            for piece in sizes.chunks(CHUNK) {
                let mut piece = piece;
                while let Ok(step) = decoder.push(piece) {
                    piece = &piece[step.consumed..];
                    match step.event {
                        Some(Event::Size(size)) => sum += size,
                        Some(_) => {}
                        None => break,
                    }
                }
            }
            assert_eq!(sum, (count * ELEMENT) as u64);
        },
        &mut || {
            let mut decoder = PlainDecoder::new(Mode::Strict);
            let mut sum = 0;
            push_all(&mut decoder, &file, CHUNK, |_, event, bytes| match event {
                Event::Size(size) => sum += size,
                Event::Data => {
                    again[..bytes.len()].copy_from_slice(bytes);
                    black_box(&mut again);
                }
                _ => {}
            });
            assert_eq!(sum, (count * ELEMENT) as u64);
        },
        &mut || {
            write(&data, |bytes| {
                buffer.extend_from_slice(bytes);
                if buffer.len() >= CHUNK {
                    black_box(&mut buffer).clear();
                }
            });
            black_box(&mut buffer).clear();
        },
        &mut || {
            let mut encoder = Encoder::append(128, Style::Unix);
            let _ = encoder.varray(b"", (count as u64).into());
            for _ in 0..count {
                black_box(encoder.size(ELEMENT as u64).expect("the encoder expects it"));
            }
        },
    ]);
    let title = format!("scda, a variable array of {count} elements of 100 bytes, 64 KiB chunks");
    let mut table = Table::new(&title);
    table.each("sizes read", count, times[1], None);
    table.each("sizes written", count, times[4], None);
    table.row(
        "file read, sizes summed, data copied, against memcpy",
        file.len(),
        times[2],
        times[0],
        Some(0.5),
    );
    table.row("file written to a buffer, against memcpy", file.len(), times[3], times[0], Some(0.5));
}
