//! Reading compressed scda sections, relative to base64 and inflate of the same elements one after the other with the
//! same two libraries.

use std::hint::black_box;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use host_tests::formula::mix64;
use host_tests::packed::{Compression, UNIX, compressed, lines};
use linkstream::Encode as _;
use linkstream::Mode;
use linkstream::scda::{COUNT_LEN, Decoder, Encoder, Event, Style, Unpacker};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

use crate::measure::{Scale, Table};
use crate::push_all;

const CHUNK: usize = 64 << 10;
const GOAL: Option<f64> = Some(0.9);

pub fn all(scale: &Scale) {
    let bytes = scale.bytes / 4;
    let data =
        [("smooth f64", smooth(bytes)), ("smooth f64 of 10 bits", coarse(bytes)), ("random", random(bytes))];
    for (name, data) in &data {
        let title = format!("scda, compressed {name} data in 64 KiB chunks, against bare base64 and inflate");
        let mut table = Table::new(&title);
        one_block(scale, &mut table, data);
        array(scale, &mut table, data, 4096);
    }
}

/// Data as a simulation writes them: neighbouring numbers are similar, and their last digits are noise.
fn smooth(bytes: usize) -> Vec<u8> {
    (0..bytes / 8).flat_map(|k| (k as f64 * 1e-3).sin().to_le_bytes()).collect()
}

/// The same data rounded to fixed steps, as by a converter of 10 bits.
fn coarse(bytes: usize) -> Vec<u8> {
    (0..bytes / 8).flat_map(|k| (((k as f64 * 1e-3).sin() * 512.0).round() / 512.0).to_le_bytes()).collect()
}

/// Data that cannot be compressed.
fn random(bytes: usize) -> Vec<u8> {
    (0..bytes as u64 / 8).flat_map(|k| mix64(k).to_le_bytes()).collect()
}

/// The binary form of a compressed element: size, `z` and zlib stream.
fn raw(plain: &[u8]) -> Vec<u8> {
    let stream = compressed(plain, Compression::new(6));
    [&(plain.len() as u64).to_be_bytes()[..], b"z", &stream].concat()
}

/// Base64 without line breaks.
fn code(raw: &[u8]) -> Vec<u8> {
    let mut code = vec![0; raw.len() / 3 * 4 + 4];
    let n = STANDARD.encode_slice(raw, &mut code).expect("the buffer is large enough");
    code.truncate(n);
    code
}

/// The least work possible: each element is decoded in pieces that stay in the cache, and each piece is passed to the
/// decompressor, which writes to the destination of the element.
fn bare(code: &[u8], raw: &mut [u8; CHUNK], inflate: &mut DecompressorOxide, out: &mut [u8]) {
    inflate.init();
    let flags = inflate_flags::TINFL_FLAG_PARSE_ZLIB_HEADER
        | inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF
        | inflate_flags::TINFL_FLAG_HAS_MORE_INPUT;
    let (mut head, mut place) = (9, 0);
    for piece in code.chunks(CHUNK) {
        let n = STANDARD.decode_slice(piece, raw).expect("characters");
        place += decompress(inflate, &raw[head..n], out, place, flags).2;
        head = 0;
    }
    assert_eq!(place, out.len());
    black_box(out);
}

fn file(build: impl FnOnce(&mut Encoder, &mut Vec<u8>)) -> Vec<u8> {
    let mut encoder = Encoder::new(Style::Unix);
    let mut file = encoder.header(b"bench", b"").expect("short").to_vec();
    build(&mut encoder, &mut file);
    file.extend_from_slice(encoder.end().expect("complete"));
    file
}

/// Decompresses all elements of a file. Returns their total size.
fn unpack(file: &[u8], buffer: &mut [u8]) -> usize {
    let mut unpacker = Unpacker::new(Decoder::new(Mode::Strict, true), buffer);
    let mut length = 0;
    push_all(&mut unpacker, file, CHUNK, |unpacker, event, _| {
        if let Event::Element(_) = event {
            length += black_box(unpacker.bytes()).len();
        }
    });
    length
}

fn one_block(scale: &Scale, table: &mut Table, data: &[u8]) {
    let raw = raw(data);
    let (code, text) = (code(&raw), lines(&raw, UNIX));
    let file = file(|encoder, file| {
        let n = data.len() as u64;
        file.extend_from_slice(
            encoder.compressed_block(b"", n.into(), text.len() as u64).expect("addressable"),
        );
        encoder.put(&text).expect("there is room");
        file.extend_from_slice(&text);
    });
    let mut scratch = [0; CHUNK];
    let mut inflate = DecompressorOxide::new();
    let [mut out, mut buffer] = [(); 2].map(|()| vec![0; data.len()]);
    let mut window = vec![0; 32 << 10];
    let times = scale.measure(&mut [
        &mut || bare(&code, &mut scratch, &mut inflate, &mut out),
        &mut || assert_eq!(unpack(&file, &mut buffer), data.len()),
        &mut || assert_eq!(unpack(&file, &mut window), data.len()),
    ]);
    let compressed = raw.len() as f64 / data.len() as f64;
    table.row(&format!("one block (to {compressed:.2} of its size)"), data.len(), times[1], times[0], GOAL);
    table.row("the same through a window of 32 KiB", data.len(), times[2], times[0], None);
}

fn array(scale: &Scale, table: &mut Table, data: &[u8], element: usize) {
    let raws: Vec<Vec<u8>> = data.chunks_exact(element).map(raw).collect();
    let codes: Vec<Vec<u8>> = raws.iter().map(|raw| code(raw)).collect();
    let texts: Vec<Vec<u8>> = raws.iter().map(|raw| lines(raw, UNIX)).collect();
    let file = file(|encoder, file| {
        let (n, u) = (texts.len() as u64, element as u64);
        file.extend_from_slice(encoder.compressed_array(b"", n.into(), u.into()).expect("addressable"));
        let size = |text: &Vec<u8>| -> [u8; COUNT_LEN] { encoder.size(text.len() as u64).expect("a text") };
        texts.iter().map(size).collect::<Vec<_>>().iter().for_each(|line| file.extend_from_slice(line));
        for text in &texts {
            encoder.put(text).expect("there is room");
            file.extend_from_slice(text);
        }
    });
    let mut scratch = [0; CHUNK];
    let mut inflate = DecompressorOxide::new();
    let [mut out, mut buffer] = [(); 2].map(|()| vec![0; element]);
    let times = scale.measure(&mut [
        &mut || codes.iter().for_each(|code| bare(code, &mut scratch, &mut inflate, &mut out)),
        &mut || assert_eq!(unpack(&file, &mut buffer), texts.len() * element),
    ]);
    table.row(
        &format!("array of elements of {element} bytes"),
        texts.len() * element,
        times[1],
        times[0],
        GOAL,
    );
}
