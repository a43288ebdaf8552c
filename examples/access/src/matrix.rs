//! Reading the matrix of an INEBIN file into memory.

use linkstream::inebin::Value;

use crate::error::Error;
use crate::file::File;

/// Number of entries read at a time.
const PIECE: usize = 4 << 10;
/// Number of bytes read at a time.
const BUFFER: usize = 64 << 10;

impl File {
    /// Reads all entries of the matrix, row by row, and the end of the file: `bool`, `i64`, `f64` or
    /// [`Complex`](linkstream::inebin::Complex), as its header states. `place` converts each of them.
    ///
    /// # Errors
    /// There is no matrix, its entries have another type, `out` has another length, or the file cannot be read or is
    /// damaged.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use linkstream_access::File;
    ///
    /// let mut bytes = b"INEBIN\0R\x01\0\0\0\x02\0\0\0".to_vec();
    /// bytes.extend([0.5_f64, 1.5].iter().flat_map(|entry| entry.to_le_bytes()));
    /// let file = File::open(Arc::new(bytes))?;
    /// let mut entries = [0.0; 2];
    /// file.read_matrix(&mut entries, |entry: f64| entry)?;
    /// assert_eq!(entries, [0.5, 1.5]);
    /// # Ok::<(), linkstream_access::Error>(())
    /// ```
    pub fn read_matrix<V: Value + Copy + Default, T>(
        &self,
        out: &mut [T],
        place: impl Fn(V) -> T,
    ) -> Result<(), Error> {
        let count = self.matrix().ok_or(Error::NoSuch { what: "matrix", index: 0, count: 0 })?.entry_count();
        if count != out.len() as u64 {
            let bytes = |entries: u64| entries.saturating_mul(size_of::<T>() as u64);
            return Err(Error::Length { expected: bytes(count), given: bytes(out.len() as u64) });
        }
        let mut buffer = vec![0; BUFFER];
        let mut reader = self.matrix_reader(&mut buffer);
        let mut piece = vec![V::default(); PIECE];
        let mut places = out.iter_mut();
        loop {
            match reader.read(&mut piece)? {
                0 => break,
                n => piece.iter().take(n).zip(&mut places).for_each(|(entry, to)| *to = place(*entry)),
            }
        }
        reader.finish()?;
        if places.len() == 0 { Ok(()) } else { Err(Error::Changed) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use linkstream::inebin::Complex;

    use super::*;

    fn real(entries: &[f64]) -> Vec<u8> {
        let mut bytes = b"INEBIN\0R\x01\0\0\0".to_vec();
        bytes.extend((entries.len() as u32).to_le_bytes());
        bytes.extend(entries.iter().flat_map(|entry| entry.to_le_bytes()));
        bytes
    }

    #[test]
    fn memory_of_another_length_and_other_types_are_refused() {
        let file = File::open(Arc::new(real(&[0.5, 1.5]))).expect("a matrix");
        let short = file.read_matrix(&mut [0.0], |entry: f64| entry);
        assert!(matches!(short, Err(Error::Length { expected: 16, given: 8 })));
        assert!(file.read_matrix(&mut [0; 2], |entry: i64| entry).is_err());
        let complex = file.read_matrix(&mut [Complex::default(); 2], |entry: Complex| entry);
        assert!(complex.is_err());
    }

    /// More than one piece.
    #[test]
    fn all_entries_are_read_in_order_and_converted() {
        let entries: Vec<f64> = (0..10_000).map(f64::from).collect();
        let file = File::open(Arc::new(real(&entries))).expect("a matrix");
        let mut twice = vec![0.0; entries.len()];
        file.read_matrix(&mut twice, |entry: f64| 2.0 * entry).expect("an intact file");
        assert!(entries.iter().zip(&twice).all(|(entry, twice)| (2.0 * entry).to_bits() == twice.to_bits()));
    }

    #[test]
    fn a_file_without_matrix_is_refused() {
        let bytes = include_bytes!("../../su3-4x4x4x8.lime").to_vec();
        let file = File::open(Arc::new(bytes)).expect("an intact file");
        let read = file.read_matrix(&mut [0.0], |entry: f64| entry);
        assert!(matches!(read, Err(Error::NoSuch { what: "matrix", .. })));
    }
}
