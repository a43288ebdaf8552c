//! The matrix of an INEBIN file.

use linkstream::inebin::{Complex, Header, MatrixType, Value};

use crate::answer::{REFUSED, Refused};
use crate::opened::Opened;
use crate::structures::MatrixInfo;

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
    let bytes = header.entry_count().checked_mul(entry(header.matrix_type()).1);
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
        match header.matrix_type() {
            MatrixType::Boolean => self.entries(out, |bit: bool| [u8::from(bit)]),
            MatrixType::Integer => self.entries(out, i64::to_ne_bytes),
            MatrixType::Real => self.entries(out, f64::to_ne_bytes),
            MatrixType::Complex => self.entries(out, |Complex { re, im }| {
                let mut bytes = [0; 16];
                bytes[..8].copy_from_slice(&re.to_ne_bytes());
                bytes[8..].copy_from_slice(&im.to_ne_bytes());
                bytes
            }),
        }
    }

    /// Reads all entries, each as so many bytes. `out` has the size of all of them.
    fn entries<V: Value + Copy + Default, const SIZE: usize>(
        &self,
        out: &mut [u8],
        bytes: impl Fn(V) -> [u8; SIZE],
    ) -> Result<(), Refused> {
        Ok(self.file.read_matrix(out.as_chunks_mut::<SIZE>().0, bytes)?)
    }
}
