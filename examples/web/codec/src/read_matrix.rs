//! Reading the entries of a matrix.

use std::io;

use linkstream::inebin::{Complex, MatrixType, Value};
use linkstream::io::MatrixReader;
use linkstream_access::SourceReader;
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::opened::{opened, refused};
use crate::sink::JsSink;
use crate::task;

/// Number of bytes read at a time.
const BUFFER: usize = 64 << 10;
/// Number of entries passed to the sink at a time.
const ENTRIES: u64 = 32 << 10;

/// Prepares reading the rows `from` to `to` (not included) of the matrix in the file with this `number`, in row-major
/// order. A boolean becomes a byte, a complex number two numbers.
#[wasm_bindgen]
pub fn read_matrix(number: u32, from: u32, to: Option<u32>, sink: JsSink) {
    task::prepare(move || rows(number, from, to, &sink).map(|()| Vec::new()));
}

fn rows(number: u32, from: u32, to: Option<u32>, sink: &JsSink) -> Result<(), JsValue> {
    let file = opened(number, None)?;
    let Some(header) = file.matrix() else { return Err(Failure::request("this file has no matrix")) };
    let to = to.unwrap_or(header.rows());
    if from > to || to > header.rows() {
        let message = format!("no rows {from} to {to}: the matrix has {}", header.rows());
        return Err(Failure::request(&message));
    }
    let mut buffer = vec![0; BUFFER];
    let entries = Entries {
        reader: file.matrix_reader(&mut buffer),
        first: from,
        count: u64::from(to - from) * u64::from(header.columns()),
        sink,
    };
    match header.matrix_type() {
        MatrixType::Boolean => entries.read("bool", |value: bool| [u8::from(value)]),
        MatrixType::Integer => entries.read("i64", i64::to_le_bytes),
        MatrixType::Real => entries.read("f64", f64::to_le_bytes),
        MatrixType::Complex => entries.read("f64", |Complex { re, im }| {
            let mut both = [0; 16];
            both[..8].copy_from_slice(&re.to_le_bytes());
            both[8..].copy_from_slice(&im.to_le_bytes());
            both
        }),
    }
}

/// Entries of a matrix that are passed to JavaScript.
struct Entries<'b> {
    reader: MatrixReader<SourceReader<'b, io::Error>, &'b mut [u8]>,
    /// The first row to read.
    first: u32,
    /// Number of entries that are still to be read.
    count: u64,
    sink: &'b JsSink,
}

impl Entries<'_> {
    fn read<T: Value + Copy + Default, const N: usize>(
        mut self,
        number_type: &str,
        to_bytes: impl Fn(T) -> [u8; N],
    ) -> Result<(), JsValue> {
        self.sink.begin(number_type, (self.count * N as u64) as f64)?;
        let failed = |error| refused(linkstream_access::Error::from(error));
        if self.count > 0 {
            self.reader.read_entries_seeking::<T>(self.first, 0, &mut []).map_err(failed)?;
        }
        let mut values = vec![T::default(); self.count.min(ENTRIES) as usize];
        let mut bytes = Vec::with_capacity(values.len() * N);
        while self.count > 0 {
            values.truncate(self.count.min(ENTRIES) as usize);
            let read = self.reader.read(&mut values).map_err(failed)?;
            if read == 0 {
                return Err(refused(linkstream_access::Error::Changed));
            }
            bytes.clear();
            values[..read].iter().for_each(|value| bytes.extend_from_slice(&to_bytes(*value)));
            self.sink.put(&bytes)?;
            self.count -= read as u64;
        }
        Ok(())
    }
}
