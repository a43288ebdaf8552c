//! New INEBIN files, of matrices in memory.

use std::io::BufWriter;
use std::path::Path;

use linkstream::Encode as _;
use linkstream::inebin::{Header, Value};
use linkstream::io::{FromStd, MatrixReader, MatrixWriter};

use super::atomic::AtomicFile;
use super::error::Error;
use super::incomplete::Incomplete;
use super::input::BUFFER;
use super::observer::{Observer, Watched};

/// Number of entries that are written at a time.
const PIECE: usize = 16 << 10;

/// Writes a matrix, and reads it back. The file has no name until it is kept. `entries` are row by row; `entry` converts
/// each of them to `bool`, `i64`, `f64` or [`Complex`](linkstream::inebin::Complex).
///
/// ```
/// use linkstream_access::write::prepare_matrix;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("matrix.bin");
/// let entries = [1.0, 0.5, 0.25, 0.125, 0.0, -1.0];
/// prepare_matrix(&path, false, 2, 3, &entries, |entry: &f64| *entry, &mut Vec::new())?.keep()?;
/// assert_eq!(std::fs::metadata(&path)?.len(), 16 + 6 * 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// There are more or fewer entries than rows and columns demand, or the file cannot be created, written or read back.
pub fn prepare_matrix<T, V: Value + Default>(
    out: &Path,
    replace: bool,
    rows: u32,
    columns: u32,
    entries: &[T],
    entry: impl Fn(&T) -> V,
    observer: &mut dyn Observer,
) -> Result<AtomicFile, Error> {
    let header = Header::new(V::TYPE, rows, columns)?;
    let mut file = AtomicFile::create(out, replace, &Incomplete::default())?;
    let mut phase = observer.phase(header.file_length());
    let mut buffer = vec![0; BUFFER];
    let sink = FromStd(BufWriter::with_capacity(BUFFER, &mut file));
    let mut writer = MatrixWriter::create(sink, &mut buffer[..], &header);
    for piece in entries.chunks(PIECE) {
        writer.put(piece.iter().map(&entry))?;
        phase.reached(writer.encoder().position()).map_err(Error::Output)?;
    }
    writer.finish()?;
    read_back(&mut file, &header, entries, entry, observer)?;
    Ok(file)
}

/// Compares the file with the entries, bit by bit.
fn read_back<T, V: Value + Default>(
    file: &mut AtomicFile,
    header: &Header,
    entries: &[T],
    entry: impl Fn(&T) -> V,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let unlike = |error: &dyn std::fmt::Display| Error::ReadBack(error.to_string());
    std::io::Seek::rewind(file).map_err(Error::Output)?;
    let mut buffer = vec![0; BUFFER];
    let source = FromStd(Watched::new(file, observer.phase(header.file_length())));
    let mut reader = MatrixReader::new(source, &mut buffer[..]);
    let differs = || Error::ReadBack("its entries differ".to_owned());
    if reader.header().map_err(|error| unlike(&error))? != *header {
        return Err(differs());
    }
    let mut piece = vec![V::default(); PIECE];
    let mut expected = entries.chunks(PIECE);
    loop {
        let n = reader.read(&mut piece).map_err(|error| unlike(&error))?;
        let Some(written) = expected.next() else {
            return if n == 0 { reader.finish().map_err(|error| unlike(&error)) } else { Err(differs()) };
        };
        // A NaN is not equal to itself.
        let bits = |value: V| value.to_bytes();
        if n != written.len() || !piece.iter().zip(written).all(|(read, own)| bits(*read) == bits(entry(own)))
        {
            return Err(differs());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Seek as _, SeekFrom, Write as _};

    use linkstream::inebin::Complex;

    use super::*;

    fn write<T, V: Value + Default>(
        columns: u32,
        entries: &[T],
        entry: impl Fn(&T) -> V + Copy,
    ) -> Result<(), Error> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("matrix");
        let mut file = prepare_matrix(&path, false, 3, columns, entries, entry, &mut Vec::new())?;
        let header = Header::new(V::TYPE, 3, columns).expect("a matrix");
        // The disk changes the last entry.
        file.seek(SeekFrom::End(-1)).expect("it is a file");
        let last = if V::TYPE == bool::TYPE { 1 } else { 0x55 };
        file.write_all(&[last]).expect("it is writable");
        let judged = read_back(&mut file, &header, entries, entry, &mut Vec::new());
        assert!(matches!(judged, Err(Error::ReadBack(_))), "{judged:?}");
        Ok(())
    }

    #[test]
    fn every_type_is_written_and_compared_also_nans() {
        write(5, &[false; 15], |bit| *bit).expect("it is writable");
        write(5000, &[-7; 15_000], |entry: &i64| *entry).expect("it is writable");
        write(20_000, &[f64::NAN; 60_000], |entry| *entry).expect("it is writable");
        let complex = |entry: &f64| Complex { re: *entry, im: -0.0 };
        write(1, &[1.0, f64::NAN, 2.0], complex).expect("it is writable");
    }

    #[test]
    fn another_number_of_entries_is_refused() {
        for entries in [&[1.0; 5][..], &[1.0; 7]] {
            let refused = write(2, entries, |entry| *entry);
            assert!(matches!(refused, Err(Error::EncodeMatrix(_))), "{refused:?}");
        }
    }
}
