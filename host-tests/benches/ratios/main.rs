//! Speed relative to the limit of the machine. Every figure is a ratio of two things measured alternately in one run,
//! since absolute times on a shared machine mean nothing. The best of several repetitions counts.
//!
//! Run `cargo bench -p host-tests`, with `-- --quick` for less data and fewer repetitions.

mod compressed;
mod files;
mod matrices;
mod measure;
mod numbers;
mod reconstruct;
mod sections;
mod stored;
mod written;

use std::hint::black_box;
use std::io::{Read, Write};

use linkstream::field::{self, SiteError, Sites};
use linkstream::io::FromStd;
use linkstream::io::Reader;
use linkstream::{Decode, Mode, conformance, crc, lime};
use measure::{Scale, Table};

fn main() {
    let scale = Scale::from_arguments();
    payload(&scale);
    verified_fields(&scale);
    numbers::all(&scale);
    tiny_records(&scale);
    pull_from_file(&scale);
    matrices::all(&scale);
    sections::all(&scale);
    compressed::all(&scale);
    stored::all(&scale);
    reconstruct::all(&scale);
    written::all(&scale);
}

/// Pushes `input` in chunks and passes payload to `each`.
fn push_all<D: Decode>(
    decoder: &mut D,
    input: &[u8],
    chunk: usize,
    mut each: impl FnMut(&D, D::Event, &[u8]),
) {
    for piece in input.chunks(chunk) {
        let mut rest = piece;
        loop {
            let step =
                decoder.push(rest).unwrap_or_else(|_| panic!("the benchmark's own file must be valid"));
            let (bytes, behind) = rest.split_at(step.consumed);
            rest = behind;
            let Some(event) = step.event else { break };
            each(decoder, event, bytes);
        }
    }
    while let Ok(Some(_)) = decoder.finish() {}
}

/// Copies into a buffer of the size of a chunk, like a consumer of payload.
fn copy_chunks(from: &[u8], chunk: usize, to: &mut [u8]) {
    for piece in from.chunks(chunk) {
        to[..piece.len()].copy_from_slice(piece);
        black_box(&mut *to);
    }
}

/// Copying the payload of one long record out of chunks of various sizes, relative to copying the same chunks.
fn payload(scale: &Scale) {
    let mut table = Table::new("LIME payload, copied out chunk by chunk, against memcpy of the same chunks");
    let file = files::one_record(scale.bytes);
    let (header, payload) = file.split_at(lime::HEADER_LEN);
    for (name, chunk, goal) in [
        ("1 MiB chunks", 1 << 20, None),
        ("64 KiB chunks", 64 << 10, Some(0.9)),
        ("4 KiB chunks", 4 << 10, Some(0.7)),
        ("512 B chunks", 512, None),
        ("64 B chunks", 64, None),
    ] {
        let mut to = vec![0; chunk];
        let mut again = vec![0; chunk];
        let times = scale.measure(&mut [&mut || copy_chunks(payload, chunk, &mut to), &mut || {
            let mut decoder = lime::Decoder::new(Mode::Strict);
            let _ = decoder.push(header);
            push_all(&mut decoder, payload, chunk, |_, event, bytes| {
                if event == lime::Event::Payload {
                    again[..bytes.len()].copy_from_slice(bytes);
                    black_box(&mut again);
                }
            });
        }]);
        table.row(name, payload.len(), times[1], times[0], goal);
    }
}

/// A gauge field whose checksum is verified and whose bytes are copied, relative to the CRC of the same sites followed
/// by memcpy of the same bytes.
fn verified_fields(scale: &Scale) {
    for (name, site, double) in [("f64", 576, true), ("f32", 288, false)] {
        let (file, data) = files::gauge_field(scale.bytes, double);
        let title = format!("verified {name} gauge field, 64 KiB chunks");
        let mut table = Table::new(&title);
        let (mut to, mut again) = (vec![0; 64 << 10], vec![0; 64 << 10]);
        let payload = &file[data.clone()];
        let mut site_buffer = vec![0; site];
        let times = scale.measure(&mut [
            &mut || copy_chunks(payload, 64 << 10, &mut to),
            &mut || {
                for site in payload.chunks_exact(site) {
                    black_box(crc::crc32(0, site));
                }
            },
            &mut || {
                black_box(crc::crc32(0, payload));
            },
            &mut || {
                let mut decoder = field::Decoder::new(Mode::Strict);
                let mut matched = false;
                push_all(&mut decoder, &file, 64 << 10, |_, event, bytes| match event {
                    field::Event::Data => {
                        again[..bytes.len()].copy_from_slice(bytes);
                        black_box(&mut again);
                    }
                    field::Event::Verdict(verdict) => matched = verdict.is_match(),
                    _ => {}
                });
                assert!(matched);
            },
            &mut || {
                let mut decoder = field::Decoder::new(Mode::Strict);
                let mut sites = Sites::new(&mut site_buffer);
                let mut sum = 0.0;
                push_all(&mut decoder, &file, 64 << 10, |decoder, event, bytes| match event {
                    field::Event::Field => sites.begin(decoder.field()).expect("there is room"),
                    field::Event::Data => sites
                        .feed(decoder.field(), bytes, |site| {
                            sum += site.numbers()?.sum::<f64>();
                            Ok::<(), SiteError>(())
                        })
                        .expect("begun"),
                    _ => {}
                });
                black_box(sum);
            },
        ]);
        let n = payload.len();
        table.row(
            "verified and copied, against CRC of sites + memcpy",
            n,
            times[3],
            times[1] + times[0],
            Some(0.85),
        );
        table.row(
            "verified and copied, against CRC of the whole + memcpy",
            n,
            times[3],
            times[2] + times[0],
            None,
        );
        table.row("verified and copied, against CRC of sites", n, times[3], times[1], None);
        table.row("verified and copied, against memcpy", n, times[3], times[0], None);
        table.row("verified, sites summed as numbers, against CRC of sites", n, times[4], times[1], None);
    }
}

/// Records of a few bytes, relative to adding up the bytes of the file.
fn tiny_records(scale: &Scale) {
    const RECORDS: usize = 100_000;
    let file = files::tiny_records(RECORDS);
    let times = scale.measure(&mut [
        &mut || {
            black_box(file.iter().map(|byte| u64::from(*byte)).sum::<u64>());
        },
        &mut || {
            let mut decoder = lime::Decoder::new(Mode::Strict);
            let mut records = 0_usize;
            push_all(&mut decoder, &file, 64 << 10, |_, event, _| {
                records += usize::from(matches!(black_box(event), lime::Event::Record(_)));
            });
            assert_eq!(records, RECORDS);
        },
        &mut || {
            let mut decoder = field::Decoder::new(Mode::Strict);
            push_all(&mut decoder, &file, 64 << 10, |_, event, _| {
                black_box(event);
            });
        },
        &mut || {
            let mut decoder = conformance::Decoder::new(Mode::Strict);
            push_all(&mut decoder, &file, 64 << 10, |_, event, _| {
                black_box(event);
            });
        },
    ]);
    let mut table = Table::new("100,000 records of 0 to 7 bytes");
    table.each("LIME decoder", RECORDS, times[1], Some(60.0));
    table.each("field decoder", RECORDS, times[2], None);
    // The goal is at most 1.5 times the duration.
    table.row("field decoder, against LIME decoder", file.len(), times[2], times[1], Some(0.67));
    table.row("conformance decoder, against LIME decoder", file.len(), times[3], times[1], None);
    table.row("LIME decoder, against adding up the bytes", file.len(), times[1], times[0], None);
}

/// The pull reader on a file, relative to reading the file.
fn pull_from_file(scale: &Scale) {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    let (bytes, _) = files::gauge_field(scale.bytes, true);
    file.write_all(&bytes).expect("room for a temporary file");
    let open = || std::fs::File::open(file.path()).expect("the file just written");
    let mut buffer = vec![0; 64 << 10];
    let mut plain = vec![0; 64 << 10];
    let mut third = vec![0; 64 << 10];
    let times = scale.measure(&mut [
        &mut || {
            let mut file = open();
            while file.read(&mut plain).expect("the file just written") > 0 {
                black_box(&mut plain);
            }
        },
        &mut || {
            let mut reader = Reader::new(FromStd(open()), &mut buffer, lime::Decoder::new(Mode::Strict));
            while let Ok(Some(event)) = reader.next() {
                black_box((event, reader.bytes()));
            }
        },
        &mut || {
            let mut reader = Reader::new(FromStd(open()), &mut third, field::Decoder::new(Mode::Strict));
            while let Ok(Some(event)) = reader.next() {
                black_box((event, reader.bytes()));
            }
        },
    ]);
    let mut table = Table::new("pull from a file in the page cache, 64 KiB buffer, against reading it");
    table.row("LIME records", bytes.len(), times[1], times[0], None);
    table.row("verified f64 gauge field", bytes.len(), times[2], times[0], None);
}
