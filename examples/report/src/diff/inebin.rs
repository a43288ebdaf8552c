//! Compares INEBIN files: two matrices, entry by entry.

use embedded_io::{Read, Seek};
use linkstream::Mode;
use linkstream::inebin::{self, Complex, Header, MatrixType, Value};
use linkstream::io::MatrixReader;

use super::error::{DiffError, Side};
use super::input::Input;
use super::numbers::{Number, Tally};
use super::options::Options;
use super::outcome::{Comparison, Data, Outcome};
use super::place::Place;
use crate::inebin::word;

/// Number of entries read at a time.
const PIECE: usize = 8 << 10;
const BUFFER: usize = 64 << 10;

pub fn compare<A: Read + Seek, B: Read + Seek>(
    a: &mut Input<A>,
    b: &mut Input<B>,
    options: &Options,
) -> Result<Comparison, DiffError> {
    let (length_a, length_b) = (a.length()?, b.length()?);
    let (mut buffer_a, mut buffer_b) = (vec![0; BUFFER], vec![0; BUFFER]);
    let mut a =
        MatrixReader::with_decoder(a.source(), &mut buffer_a[..], inebin::Decoder::new(Mode::Lenient));
    let mut b =
        MatrixReader::with_decoder(b.source(), &mut buffer_b[..], inebin::Decoder::new(Mode::Lenient));
    let header_a = a.header().map_err(|error| DiffError::read(Side::First, error))?;
    let header_b = b.header().map_err(|error| DiffError::read(Side::Second, error))?;
    let mut comparison = Comparison::default();
    let structure = &mut comparison.structure;
    structure.unless_equal("type", &word(header_a.matrix_type()), &word(header_b.matrix_type()));
    structure.unless_equal("rows", &header_a.rows(), &header_b.rows());
    structure.unless_equal("columns", &header_a.columns(), &header_b.columns());
    if comparison.structure.is_empty() {
        let is_complex = header_a.matrix_type() == MatrixType::Complex;
        let tally = Tally::new(options.tolerance, if is_complex { 2 } else { 1 });
        let tally = match header_a.matrix_type() {
            MatrixType::Boolean => {
                entries(&mut a, &mut b, tally, |bit: bool| [Some(i64::from(bit).into()), None])
            }
            MatrixType::Integer => entries(&mut a, &mut b, tally, |value: i64| [Some(value.into()), None]),
            MatrixType::Real => entries(&mut a, &mut b, tally, |value: f64| [Some(value.into()), None]),
            MatrixType::Complex => entries(&mut a, &mut b, tally, |value: Complex| {
                [Some(value.re.into()), Some(value.im.into())]
            }),
        }?;
        let bytes = match header_a.matrix_type() {
            MatrixType::Boolean => None,
            MatrixType::Integer | MatrixType::Real => Some([8, 8]),
            MatrixType::Complex => Some([16, 16]),
        };
        let numbers = tally.finish(bytes, |index| place(&header_a, index));
        comparison.add_data(Data { name: "matrix".to_owned(), outcome: Outcome::Numbers(numbers) });
    }
    let surplus =
        [length_a.saturating_sub(header_a.file_length()), length_b.saturating_sub(header_b.file_length())];
    comparison.structure.unless_equal("bytes after the matrix", &surplus[0], &surplus[1]);
    // The files are read to their ends, because a truncated file is damaged.
    a.finish().map_err(|error| DiffError::read(Side::First, error))?;
    b.finish().map_err(|error| DiffError::read(Side::Second, error))?;
    Ok(comparison)
}

fn place(header: &Header, index: u64) -> Place {
    Place::in_matrix(header.matrix_type(), header.columns(), index)
}

/// Compares entries, which are converted to one or two numbers each.
fn entries<A: Read, B: Read, T: Value + Copy + Default>(
    a: &mut MatrixReader<A, &mut [u8]>,
    b: &mut MatrixReader<B, &mut [u8]>,
    mut tally: Tally,
    numbers: impl Fn(T) -> [Option<Number>; 2],
) -> Result<Tally, DiffError> {
    let (mut here, mut there) = (vec![T::default(); PIECE], vec![T::default(); PIECE]);
    loop {
        let n = a.read(&mut here).map_err(|error| DiffError::read(Side::First, error))?;
        // Both matrices have the same shape, and every piece is complete except the last one.
        let m = b.read(&mut there).map_err(|error| DiffError::read(Side::Second, error))?;
        let n = n.min(m);
        if n == 0 {
            return Ok(tally);
        }
        for (a, b) in here.iter().zip(&there).take(n) {
            for (a, b) in numbers(*a).into_iter().flatten().zip(numbers(*b).into_iter().flatten()) {
                tally.add(a, b);
            }
        }
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}
