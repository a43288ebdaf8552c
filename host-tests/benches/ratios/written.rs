//! Fields written with their checksum, relative to the CRC of their sites followed by memcpy of their bytes.

use std::hint::black_box;

use linkstream::crc;
use linkstream::field::{Encoder, OutgoingMessage};
use linkstream::ildg::{Format, GaugeKind};
use linkstream::io::{FieldWriter, Fill};
use linkstream::lattice::{Precision, Word};

use crate::files;
use crate::measure::{Scale, Table};

const CHUNK: usize = 64 << 10;

pub fn all(scale: &Scale) {
    of_words::<f64>(scale, "f64", Precision::F64);
    of_words::<f32>(scale, "f32", Precision::F32);
}

/// An SU(3) field of native words, written to memory that has already been allocated. Small buffers are faster here
/// because they stay in the cache; for files, large ones are faster.
fn of_words<T: Native>(scale: &Scale, name: &str, precision: Precision) {
    let words = 72;
    let site = words * T::BYTES;
    let time = (scale.bytes / site / (16 * 16 * 16)).max(1) as u32;
    let format = Format::new(GaugeKind::SU3, precision, [16, 16, 16, time.max(2)]);
    let message = OutgoingMessage::ildg(&format).with_checksum(true);
    let data = files::noise(format.data_length().expect("small") as usize);
    let native: Vec<T> = data.chunks_exact(T::BYTES).map(T::native).collect();
    let mut sinks = [(); 4].map(|()| vec![1_u8; data.len() + 4096]);
    let [plain, pieces, sites, one] = &mut sinks;
    let mut buffers = [(); 3].map(|()| vec![0; CHUNK]);
    let [of_pieces, of_sites, of_one] = &mut buffers;
    of_one.truncate(1024);
    let times = scale.measure(&mut [
        &mut || {
            for (from, to) in data.chunks(CHUNK).zip(plain.chunks_mut(CHUNK)) {
                to[..from.len()].copy_from_slice(from);
                black_box(&mut *to);
            }
        },
        &mut || {
            for site in data.chunks_exact(site) {
                black_box(crc::crc32(0, site));
            }
        },
        &mut || {
            let mut writer = FieldWriter::with_encoder(&mut pieces[..], &mut of_pieces[..], Encoder::new());
            writer.begin(&message).expect("there is room");
            for piece in data.chunks(CHUNK) {
                writer.put(piece).expect("there is room");
            }
            writer.end(&message).expect("there is room");
            writer.finish().expect("complete");
        },
        &mut || from_native(&message, &mut sites[..], of_sites, &native, words),
        &mut || from_native(&message, &mut one[..], of_one, &native, words),
    ]);
    let title = format!("{name} gauge field written with its checksum, against CRC of sites + memcpy");
    let mut table = Table::new(&title);
    let (n, reference) = (data.len(), times[0] + times[1]);
    table.row("data in pieces of 64 KiB", n, times[2], reference, Some(0.8));
    table.row("site by site from native words, buffer of 64 KiB", n, times[3], reference, Some(0.8));
    table.row("site by site from native words, buffer of 1 KiB", n, times[4], reference, None);
    table.row("data in pieces of 64 KiB, against CRC of sites alone", n, times[2], times[1], None);
}

fn from_native<T: Word>(
    message: &OutgoingMessage<'_>,
    sink: &mut [u8],
    buffer: &mut [u8],
    native: &[T],
    words: usize,
) {
    let mut writer = FieldWriter::with_encoder(sink, buffer, Encoder::new());
    let mut left = native.chunks_exact(words);
    let sites = Fill::sites(|site| {
        let links = left.next().expect("as many as sites");
        site.put(links)
    });
    writer.write(message, sites).expect("there is room");
    writer.finish().expect("complete");
}

/// A word that can be made from its bytes.
trait Native: Word {
    fn native(bytes: &[u8]) -> Self;
}

impl Native for f64 {
    fn native(bytes: &[u8]) -> Self {
        Self::from_be_bytes(bytes.try_into().expect("8 bytes"))
    }
}

impl Native for f32 {
    fn native(bytes: &[u8]) -> Self {
        Self::from_be_bytes(bytes.try_into().expect("4 bytes"))
    }
}
