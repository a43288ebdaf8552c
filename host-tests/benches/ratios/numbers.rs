//! Complete fields read into native numbers with their checksum verified, and the different ways to read the numbers of
//! a site.

use std::hint::black_box;

use linkstream::crc;
use linkstream::field::{Site, SiteError};
use linkstream::io::FieldReader;
use linkstream::lattice::Float;

use crate::files;
use crate::measure::{Scale, Table};

const CHUNK: usize = 64 << 10;

pub fn all(scale: &Scale) {
    let (single, double) = (files::gauge_field(scale.bytes, false), files::gauge_field(scale.bytes, true));
    whole(scale, "f32 into f32", &single, 288, |bytes| f32::from_be_bytes(word(bytes)));
    whole(scale, "f64 into f64", &double, 576, |bytes| f64::from_be_bytes(word(bytes)));
    whole(scale, "f32 into f64", &single, 288, |bytes| f64::from(f32::from_be_bytes(word(bytes))));
    site_by_site(scale, "f32", &single);
    site_by_site(scale, "f64", &double);
}

fn word<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().expect("a word")
}

type File = (Vec<u8>, std::ops::Range<usize>);

/// Reads all fields of a file in memory through a buffer with room for a chunk in one half.
fn read<'f>(file: &'f [u8], buffer: &'f mut [u8]) -> FieldReader<&'f [u8], &'f mut [u8]> {
    FieldReader::new(file, buffer)
}

/// Relative to the CRC of the sites followed by a copy that swaps bytes.
fn whole<T: Float + Default>(
    scale: &Scale,
    name: &str,
    (file, data): &File,
    site: usize,
    of_word: impl Fn(&[u8]) -> T + Copy,
) {
    let payload = &file[data.clone()];
    let size = site / 72;
    let (mut plain, mut numbers) =
        (vec![T::default(); payload.len() / size], vec![T::default(); payload.len() / size]);
    let mut buffer = vec![0; 2 * CHUNK];
    let times = scale.measure(&mut [
        &mut || {
            for site in payload.chunks_exact(site) {
                black_box(crc::crc32(0, site));
            }
        },
        &mut || {
            // A loop in a form that compilers vectorise.
            if size == 4 {
                for (to, from) in plain.iter_mut().zip(payload.chunks_exact(4)) {
                    *to = of_word(from);
                }
            } else {
                for (to, from) in plain.iter_mut().zip(payload.chunks_exact(8)) {
                    *to = of_word(from);
                }
            }
            black_box(&mut plain);
        },
        &mut || {
            let mut reader = read(file, &mut buffer);
            while let Some(mut field) = reader.next_field().expect("a valid file") {
                let verdict = field.read_into(&mut numbers).expect("the lengths are equal");
                verdict.require_match().expect("a valid file");
            }
            black_box(&mut numbers);
        },
    ]);
    let title = format!("{name}, whole field verified, against CRC of sites, then a copy that swaps bytes");
    let mut table = Table::new(&title);
    let n = payload.len();
    table.row("read_into, 64 KiB chunks", n, times[2], times[0] + times[1], Some(0.8));
    table.row("the copy alone, against the CRC", n, times[1], times[0], None);
}

/// The different ways to read the numbers of a site into an array on the stack, relative to a verified read of the
/// field into one slice.
fn site_by_site(scale: &Scale, name: &str, (file, data): &File) {
    let payload = data.len();
    let mut numbers = vec![0.0_f64; payload / if name == "f32" { 4 } else { 8 }];
    let mut buffers = [(); 4].map(|()| vec![0; 2 * CHUNK]);
    let [whole, into, by_numbers, by_get] = &mut buffers;
    fn each(
        file: &[u8],
        buffer: &mut [u8],
        take: impl Fn(&Site<'_>, &mut [f64; 72]) -> Result<(), SiteError>,
    ) {
        let mut array = [0.0; 72];
        let mut reader = read(file, buffer);
        while let Some(mut field) = reader.next_field().expect("a valid file") {
            let done = field.for_each_site(|site| {
                take(&site, &mut array)?;
                black_box(&mut array);
                Ok::<(), SiteError>(())
            });
            done.expect("a valid file").require_match().expect("a valid file");
        }
    }
    let times = scale.measure(&mut [
        &mut || {
            let mut reader = read(file, whole);
            while let Some(mut field) = reader.next_field().expect("a valid file") {
                let verdict = field.read_into(&mut numbers).expect("the lengths are equal");
                verdict.require_match().expect("a valid file");
            }
            black_box(&mut numbers);
        },
        &mut || each(file, into, |site, array| site.read_into(array)),
        &mut || {
            each(file, by_numbers, |site, array| {
                for (to, from) in array.iter_mut().zip(site.numbers()?) {
                    *to = from;
                }
                Ok(())
            });
        },
        &mut || {
            each(file, by_get, |site, array| {
                for (link, matrix) in site.links()?.zip(array.as_chunks_mut::<18>().0) {
                    for (i, row) in matrix.as_chunks_mut::<6>().0.iter_mut().enumerate() {
                        for (j, element) in row.as_chunks_mut::<2>().0.iter_mut().enumerate() {
                            *element = link.get(i, j).unwrap_or_default();
                        }
                    }
                }
                Ok(())
            });
        },
    ]);
    let title =
        format!("{name}, site by site into an array of f64, against the verified read of the whole field");
    let mut table = Table::new(&title);
    table.row("site.read_into", payload, times[1], times[0], Some(1.0 / 1.3));
    table.row("site.numbers()", payload, times[2], times[0], Some(1.0 / 1.3));
    table.row("link.get(i, j)", payload, times[3], times[0], Some(1.0 / 1.3));
}
