//! INEBIN: values passed to a callback, relative to memcpy of the same bytes; bits, relative to a loop over them.

use std::hint::black_box;

use linkstream::Encode as _;
use linkstream::inebin::{Complex, Decoder, Encoder, Entries, Event, Header, MatrixType, Rows, Value};
use linkstream::{Decode as _, Mode};

use crate::measure::{Scale, Table};
use crate::{copy_chunks, files, push_all};

const CHUNK: usize = 64 << 10;

pub fn all(scale: &Scale) {
    let title = "INEBIN, 64 KiB chunks: native values given to a callback that keeps them, against memcpy";
    let mut table = Table::new(title);
    numbers::<f64>(scale, &mut table, "R", 0.0, Some(0.8));
    numbers::<Complex>(scale, &mut table, "C", Complex::default(), Some(0.8));
    numbers::<i64>(scale, &mut table, "Z", 0, None);
    bits(scale);
}

/// The header and the data of a matrix of about `bytes` bytes with rows of `columns` entries.
fn matrix<T: Value>(bytes: usize, columns: u32) -> (Header, Vec<u8>) {
    let row = (columns as usize * usize::from(T::TYPE.bits())).div_ceil(8);
    let header = Header::new(T::TYPE, (bytes / row) as u32, columns).expect("fits");
    (header, files::noise(header.data_length() as usize))
}

fn decode(header: &Header, data: &[u8], mut each: impl FnMut(&[u8])) {
    let mut decoder = Decoder::new(Mode::Lenient);
    let _ = decoder.push(&header.to_bytes());
    push_all(&mut decoder, data, CHUNK, |_, event, bytes| {
        if event == Event::Data {
            each(bytes);
        }
    });
}

/// Collects values in a buffer of the size of a chunk, as memcpy does, and starts again at its beginning when it is
/// full.
struct Keeper<T> {
    kept: Vec<T>,
    filled: usize,
}

impl<T: Value> Keeper<T> {
    fn new(zero: T) -> Self {
        Self { kept: vec![zero; CHUNK / size_of::<T>()], filled: 0 }
    }

    /// The next `n` elements of the buffer.
    fn room(&mut self, n: usize) -> &mut [T] {
        if self.filled + n > self.kept.len() {
            black_box(&mut self.kept);
            self.filled = 0;
        }
        self.filled += n;
        &mut self.kept[self.filled - n..self.filled]
    }
}

fn numbers<T: Value>(scale: &Scale, table: &mut Table, name: &str, zero: T, goal: Option<f64>) {
    const COLUMNS: u32 = 1024;
    let (header, data) = matrix::<T>(scale.bytes, COLUMNS);
    let mut to = vec![0; CHUNK];
    let [mut by_value, mut by_run, mut by_row] = [(); 3].map(|()| Keeper::new(zero));
    let mut row = vec![zero; COLUMNS as usize];
    let values: Vec<T> = {
        let mut entries = Entries::<T>::new(&header).expect("the matrix has this type");
        let mut values = Vec::new();
        entries.feed(&data, |run| values.extend(run.values())).expect("its data");
        values
    };
    let mut out = vec![0; CHUNK];
    let times = scale.measure(&mut [
        &mut || copy_chunks(&data, CHUNK, &mut to),
        &mut || {
            let mut entries = Entries::<T>::new(&header).expect("the matrix has this type");
            decode(&header, &data, |bytes| {
                entries
                    .feed(bytes, |run| {
                        let room = by_value.room(run.len() as usize);
                        for (to, value) in room.iter_mut().zip(run.values()) {
                            *to = value;
                        }
                    })
                    .expect("its data");
            });
        },
        &mut || {
            let mut entries = Entries::<T>::new(&header).expect("the matrix has this type");
            decode(&header, &data, |bytes| {
                entries
                    .feed(bytes, |run| {
                        run.copy_to(by_run.room(run.len() as usize));
                    })
                    .expect("its data");
            });
        },
        &mut || {
            let mut rows = Rows::<T>::new(&header, &mut row).expect("the matrix has this type");
            decode(&header, &data, |bytes| {
                rows.feed(bytes, |_, values| by_row.room(values.len()).copy_from_slice(values))
                    .expect("its data");
            });
        },
        &mut || {
            let mut encoder = Encoder::new(&header);
            let mut values = values.iter().copied();
            while encoder.encode(&mut values, &mut out).expect("fits") > 0 {
                black_box(&mut out);
            }
            encoder.finish().expect("all entries");
        },
    ]);
    for (what, time, goal) in [
        ("value by value", times[1], goal),
        ("run by run", times[2], None),
        ("row by row, then copied", times[3], None),
        ("written from a slice", times[4], None),
    ] {
        table.row(&format!("{name}, {what}"), data.len(), time, times[0], goal);
    }
}

/// Rows of 1001 bits. Most of them do not begin at a byte boundary.
fn bits(scale: &Scale) {
    const COLUMNS: usize = 1001;
    let (header, data) = matrix::<bool>(scale.bytes / 8, COLUMNS as u32);
    let [mut plain, mut by_value, mut row] = [(); 3].map(|()| vec![false; COLUMNS]);
    let times = scale.measure(&mut [
        &mut || {
            for first in (0..header.entry_count() as usize).step_by(COLUMNS) {
                for (column, to) in plain.iter_mut().enumerate() {
                    let k = first + column;
                    *to = data[k / 8] >> (k % 8) & 1 == 1;
                }
                black_box(&mut plain);
            }
        },
        &mut || {
            let mut entries = Entries::<bool>::new(&header).expect("the matrix has this type");
            decode(&header, &data, |bytes| {
                entries
                    .feed(bytes, |run| {
                        for (to, value) in by_value.iter_mut().zip(run.values()) {
                            *to = value;
                        }
                        black_box(&mut by_value);
                    })
                    .expect("its data");
            });
        },
        &mut || {
            let mut rows = Rows::new(&header, &mut row).expect("the matrix has this type");
            decode(&header, &data, |bytes| {
                rows.feed(bytes, |_, values| {
                    black_box(values);
                })
                .expect("its data")
            });
        },
    ]);
    let title = "INEBIN, B unpacked to bools, 64 KiB chunks, against a plain loop over the bits of a slice";
    let mut table = Table::new(title);
    assert_eq!(header.matrix_type(), MatrixType::Boolean);
    table.row("value by value", data.len(), times[1], times[0], None);
    table.row("row by row", data.len(), times[2], times[0], Some(1.0));
}
