//! Exports the matrix of an INEBIN file.

use std::io::Write;

use linkstream::Mode;
use linkstream::inebin::{self, Complex, MatrixType, Value};
use linkstream::io::FromStd;
use linkstream::io::MatrixReader;

use super::header::begin;
use crate::failure::{Failure, failed};
use crate::npy::{ByteOrder, Dtype, Header, Kind};
use crate::source::{BUFFER, Rereadable, bar, length};

/// Number of entries read at a time.
const PIECE: usize = 8 << 10;

type Matrix<'b, R> = MatrixReader<FromStd<R>, &'b mut [u8]>;

pub fn export(file: &mut dyn Rereadable, mode: Mode, sink: &mut dyn Write) -> anyhow::Result<()> {
    let length = length(file).map_err(Failure::Input)?;
    file.rewind().map_err(Failure::Input)?;
    let mut buffer = vec![0; BUFFER];
    let source = FromStd(bar(Some(length)).wrap_read(file));
    let mut matrix = MatrixReader::with_decoder(source, &mut buffer[..], inebin::Decoder::new(mode));
    let header = matrix.header().map_err(failed)?;
    let (kind, size) = match header.matrix_type() {
        MatrixType::Boolean => (Kind::Boolean, 1),
        MatrixType::Integer => (Kind::Integer, 8),
        MatrixType::Real => (Kind::Float, 8),
        MatrixType::Complex => (Kind::Complex, 16),
    };
    let shape = [header.rows(), header.columns()].map(u64::from).to_vec();
    begin(&Header::new(Dtype::new(kind, size, ByteOrder::Little), shape), sink)?;
    match header.matrix_type() {
        MatrixType::Boolean => entries(&mut matrix, sink, |bit: bool, out| out.push(u8::from(bit))),
        MatrixType::Integer => entries(&mut matrix, sink, |value: i64, out| out.extend(value.to_le_bytes())),
        MatrixType::Real => entries(&mut matrix, sink, |value: f64, out| out.extend(value.to_le_bytes())),
        MatrixType::Complex => entries(&mut matrix, sink, |value: Complex, out| {
            out.extend(value.re.to_le_bytes());
            out.extend(value.im.to_le_bytes());
        }),
    }
}

fn entries<R: std::io::Read, T: Value + Copy + Default>(
    matrix: &mut Matrix<'_, R>,
    sink: &mut dyn Write,
    put: impl Fn(T, &mut Vec<u8>),
) -> anyhow::Result<()> {
    let (mut entries, mut bytes) = (vec![T::default(); PIECE], Vec::new());
    loop {
        let n = matrix.read(&mut entries).map_err(failed)?;
        if n == 0 {
            return matrix.finish().map_err(failed);
        }
        bytes.clear();
        entries[..n].iter().for_each(|entry| put(*entry, &mut bytes));
        sink.write_all(&bytes).map_err(Failure::Output)?;
    }
}
