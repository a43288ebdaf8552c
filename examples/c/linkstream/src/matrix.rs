//! The matrix of an INEBIN file.

use std::io;

use linkstream::inebin::{Complex, Header, MatrixType, Value};
use linkstream::io::MatrixReader;
use linkstream_access::SourceReader;

use crate::answer::{REFUSED, Refused};
use crate::opened::Opened;
use crate::structures::MatrixInfo;

/// Number of entries read at a time.
const PIECE: usize = 4 << 10;
/// Number of bytes read at a time.
const BUFFER: usize = 64 << 10;

/// Number of the type in C, and size of an entry in memory.
const fn entry(matrix_type: MatrixType) -> (i32, u64) {
    match matrix_type {
        MatrixType::Boolean => (1, 1),
        MatrixType::Integer => (2, 8),
        MatrixType::Real => (3, 8),
        MatrixType::Complex => (4, 16),
    }
}

fn bytes_of(header: &Header) -> Result<u64, Refused> {
    let bytes = header.entries().checked_mul(entry(header.matrix_type()).1);
    bytes.ok_or_else(|| Refused::new(REFUSED, "the matrix has more bytes than 64 bits can count"))
}

impl Opened {
    fn header(&self) -> Result<&Header, Refused> {
        self.file.matrix().ok_or_else(|| Refused::usage("the file has no matrix"))
    }

    /// Type and shape of the matrix.
    ///
    /// # Errors
    /// There is none.
    pub fn matrix(&self) -> Result<MatrixInfo, Refused> {
        let header = self.header()?;
        Ok(MatrixInfo {
            struct_size: 0,
            bytes: bytes_of(header)?,
            rows: header.rows(),
            columns: header.columns(),
            matrix_type: entry(header.matrix_type()).0,
            reserved: 0,
        })
    }

    /// Reads all entries, row by row.
    ///
    /// # Errors
    /// There is no matrix, the memory has another size, or the data cannot be read.
    pub fn read_matrix(&self, out: &mut [u8]) -> Result<(), Refused> {
        let header = self.header()?;
        let expected = bytes_of(header)?;
        if expected != out.len() as u64 {
            return Err(Refused::size(expected, out.len() as u64));
        }
        let mut buffer = vec![0; BUFFER];
        let mut reader = self.file.matrix_reader(&mut buffer);
        match header.matrix_type() {
            MatrixType::Boolean => entries(&mut reader, out, |bit: bool| [u8::from(bit)]),
            MatrixType::Integer => entries(&mut reader, out, i64::to_ne_bytes),
            MatrixType::Real => entries(&mut reader, out, f64::to_ne_bytes),
            MatrixType::Complex => entries(&mut reader, out, |Complex { re, im }| {
                let mut bytes = [0; 16];
                bytes[..8].copy_from_slice(&re.to_ne_bytes());
                bytes[8..].copy_from_slice(&im.to_ne_bytes());
                bytes
            }),
        }
    }
}

/// Reads all entries, and the end of the file.
fn entries<T: Value + Copy + Default, const SIZE: usize>(
    reader: &mut MatrixReader<SourceReader<'_, io::Error>, &mut [u8]>,
    out: &mut [u8],
    bytes: impl Fn(T) -> [u8; SIZE],
) -> Result<(), Refused> {
    let mut piece = vec![T::default(); PIECE];
    let mut places = out.as_chunks_mut::<SIZE>().0.iter_mut();
    loop {
        let n = reader.read(&mut piece)?;
        if n == 0 {
            reader.finish()?;
            return if places.len() == 0 {
                Ok(())
            } else {
                Err(Refused::new(REFUSED, "the matrix has changed"))
            };
        }
        for (entry, place) in piece[..n].iter().zip(&mut places) {
            *place = bytes(*entry);
        }
    }
}
