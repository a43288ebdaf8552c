//! scda: elements written as stored blocks, relative to memcpy and to plain base64.

use std::hint::black_box;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use linkstream::scda::{Stored, Style};

use crate::measure::{Scale, Table};
use crate::{copy_chunks, files};

const CHUNK: usize = 64 << 10;

pub fn all(scale: &Scale) {
    let data = files::noise(scale.bytes / 4);
    let mut table = Table::new("scda, text of stored blocks, 64 KiB chunks of input and output");
    let mut to = vec![0; CHUNK];
    let mut bare = vec![0; CHUNK * 2];
    let [mut out, mut small] = [vec![0; CHUNK], vec![0; CHUNK]];
    let times = scale.measure(&mut [
        &mut || copy_chunks(&data, CHUNK, &mut to),
        &mut || {
            for piece in data.chunks(57) {
                black_box(STANDARD.encode_slice(piece, &mut bare).expect("the buffer is large enough"));
            }
        },
        &mut || text(&data, &mut out),
        &mut || data.chunks(100).for_each(|element| text(element, &mut small)),
    ]);
    table.row("one element, against memcpy", data.len(), times[2], times[0], None);
    table.row("one element, against bare base64 line by line", data.len(), times[2], times[1], None);
    table.row("elements of 100 bytes, against memcpy", data.len(), times[3], times[0], None);
}

fn text(element: &[u8], out: &mut [u8]) {
    let mut stored = Stored::new(element.len() as u64, Style::Unix);
    let mut rest = element;
    while !stored.is_done() {
        let (read, _) = stored.encode(&rest[..rest.len().min(CHUNK)], out);
        rest = &rest[read..];
        black_box(&mut *out);
    }
}
