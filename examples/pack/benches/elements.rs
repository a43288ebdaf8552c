//! Time of compressing elements of several sizes, as a multiple of zlib-rs with the same level and a state that is reused:
//! `cargo bench -p linkstream-pack`. The codec's own `deflate` is measured beside it. All alternate, and the best of
//! several rounds counts.

use std::hint::black_box;
use std::time::Instant;

use flate2::{Compress, Compression, FlushCompress};
use linkstream::scda::{Style, deflate};
use linkstream_pack::Compressor;

const BYTES: usize = 4 << 20;
const ROUNDS: usize = 7;

/// Coordinates of the nodes of a mesh, with noise in their last bytes.
fn mesh() -> Vec<u8> {
    let mut state = 1_u64;
    let numbers = (0..BYTES / 8).map(|i| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((i / 16) as f64 * 1e-3).sin().to_bits() & !0xff_ffff | state >> 44
    });
    numbers.flat_map(u64::to_le_bytes).collect()
}

fn main() {
    // Tests only compile it.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let data = mesh();
    println!("{:>8} {:>5} {:>12} {:>8} {:>8}", "bytes", "level", "µs, zlib-rs", "put", "deflate");
    for size in [64, 576, 4096, 65536] {
        for level in [6, 9] {
            let mut zlib = Compress::new(Compression::new(level), true);
            let mut compressor = Compressor::new(level);
            let (mut stream, mut text) = (Vec::with_capacity(2 * size + 64), Vec::new());
            let mut least = [f64::MAX; 3];
            for _ in 0..ROUNDS {
                for (way, least) in least.iter_mut().enumerate() {
                    let begun = Instant::now();
                    for element in data.chunks(size).take(2000) {
                        match way {
                            0 => {
                                zlib.reset();
                                stream.clear();
                                let made = zlib.compress_vec(element, &mut stream, FlushCompress::Finish);
                                made.expect("there is room");
                                black_box(&stream);
                            }
                            1 => {
                                text.clear();
                                compressor.put(element, Style::Unix, &mut text).expect("there is memory");
                                black_box(&text);
                            }
                            _ => drop(black_box(deflate(element, level as u8, Style::Unix))),
                        }
                    }
                    *least = least.min(begun.elapsed().as_secs_f64());
                }
            }
            let each = least[0] * 1e6 / data.chunks(size).take(2000).count() as f64;
            let [put, own] = [1, 2].map(|way| least[way] / least[0]);
            println!("{size:>8} {level:>5} {each:>12.1} {put:>8.2} {own:>8.2}");
        }
    }
}
