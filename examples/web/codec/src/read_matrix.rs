//! The entries of a matrix.

use linkstream::Error;
use linkstream::inebin::{HEADER_LEN, Header, MatrixType};
use linkstream_access::source::{ReadAtError, fill};
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::sink::JsSink;
use crate::source::{Source, failed};
use crate::task;

/// Bytes read at a time.
const PIECE: u64 = 256 << 10;

/// Prepares reading the entries of some rows, in row-major order. Booleans become a byte each, complex numbers two
/// numbers.
#[wasm_bindgen]
pub fn read_matrix(from: u32, to: Option<u32>, sink: JsSink) {
    task::prepare(move || rows(&Source::ONLY, from, to, &sink).map(|()| Vec::new()));
}

fn rows(source: &Source, from: u32, to: Option<u32>, sink: &JsSink) -> Result<(), JsValue> {
    let read = |offset: u64, out: &mut [u8]| {
        fill(source as &dyn linkstream_access::source::Source<Error = _>, offset, out).map_err(|error| {
            match error {
                ReadAtError::Io(error) => failed(&error),
                ReadAtError::Ended => Failure::request("the file ends within the matrix"),
            }
        })
    };
    let mut first = [0; HEADER_LEN];
    read(0, &mut first)?;
    let header = Header::from_bytes(&first).map_err(|kind| Failure::of(&Error::new(0, kind)))?;
    let to = to.unwrap_or(header.rows());
    if from > to || to > header.rows() {
        let message = format!("there are {} rows, so no rows {from} to {to}", header.rows());
        return Err(Failure::request(&message));
    }
    let columns = u64::from(header.columns());
    let (begin, end) = (u64::from(from) * columns, u64::from(to) * columns);
    let (number_type, size) = match header.matrix_type() {
        MatrixType::Boolean => return bits(begin, end, source.at_most(u64::MAX), read, sink),
        MatrixType::Integer => ("i64", 8),
        MatrixType::Real => ("f64", 8),
        MatrixType::Complex => ("f64", 16),
    };
    sink.begin(number_type, source.at_most((end - begin) * size) as f64)?;
    let mut bytes = Vec::new();
    let (mut offset, end) = (HEADER_LEN as u64 + begin * size, HEADER_LEN as u64 + end * size);
    while offset < end {
        let n = (end - offset).min(PIECE);
        bytes.resize(n as usize, 0);
        read(offset, &mut bytes)?;
        sink.put(&bytes)?;
        offset += n;
    }
    Ok(())
}

/// Booleans, which are bits of the file, least significant first. `available` is the length of the file in bytes.
fn bits(
    begin: u64,
    end: u64,
    available: u64,
    read: impl Fn(u64, &mut [u8]) -> Result<(), JsValue>,
    sink: &JsSink,
) -> Result<(), JsValue> {
    sink.begin("bool", (end - begin).min(available.saturating_mul(8)) as f64)?;
    let mut bytes = Vec::new();
    let mut at = begin;
    while at < end {
        let until = end.min((at / 8 * 8).saturating_add(PIECE));
        bytes.resize((until.div_ceil(8) - at / 8) as usize, 0);
        read(HEADER_LEN as u64 + at / 8, &mut bytes)?;
        let values: Vec<u8> = (at % 8..at % 8 + (until - at))
            .map(|bit| (bytes.get((bit / 8) as usize).copied().unwrap_or(0) >> (bit % 8)) & 1)
            .collect();
        sink.put(&values)?;
        at = until;
    }
    Ok(())
}
