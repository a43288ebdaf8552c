//! The data of a field converted into a slice of native numbers, chunk by chunk.

use super::error::SiteError;
use super::layout::Field;
use crate::bytes::{split, split_mut};
use crate::counter::Counter as _;
use crate::lattice::{Float, Precision};
use crate::limits::Limits;

impl Field {
    /// The number of floating-point numbers in the data, for allocating memory before reading them. This is a claim of
    /// the file; see [`Limits`]. As `f64`, numbers of 4 bytes take twice the limited length.
    ///
    /// # Errors
    /// [`SiteError::Limit`] if the data are longer than `limits` allow; [`SiteError::NotNumbers`] if they are not
    /// floating-point numbers; [`SiteError::Length`] if they are not a whole number of them.
    pub fn number_count(&self, limits: Limits) -> Result<usize, SiteError> {
        let size = self.precision.ok_or(SiteError::NotNumbers)?.size();
        let needed = self.byte_count(limits)?;
        let numbers = needed.checked_div(size).unwrap_or(0);
        let given = numbers.times(size);
        if given == needed {
            Ok(numbers)
        } else {
            Err(SiteError::Length { needed: needed as u64, given: given as u64 })
        }
    }

    /// The length of the data in bytes, for allocating memory before reading them. This is a claim of the file; see
    /// [`Limits`]. [`data_length`](Self::data_length) returns the same without a limit.
    ///
    /// ```
    /// use linkstream::Limits;
    /// use linkstream::field::{FieldDocuments, Form};
    /// use linkstream::ildg::GaugeKind;
    /// use linkstream::lattice::{Extents, Precision};
    ///
    /// let lattice = Extents::new(&[64, 64, 64, 128])?;
    /// let documents = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F64, Form::Both, &lattice)?;
    /// let field = documents.layout(&lattice)?;
    /// // The file that claims to have these 18 GiB has 1,944 bytes.
    /// assert!(field.byte_count(Limits::source(1944)).is_err());
    /// assert_eq!(field.byte_count(Limits::DEFAULT)?, 64 * 64 * 64 * 128 * 4 * 144);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SiteError::Limit`] if the data are longer than `limits` allow.
    pub fn byte_count(&self, limits: Limits) -> Result<usize, SiteError> {
        limits.check(self.data_length().unwrap_or(u64::MAX)).map_err(SiteError::Limit)
    }
}

/// Converts the data of a field, which arrive in chunks of any size, into a slice of `f32` or `f64`: `f32` to `f64`
/// exactly, `f64` to `f32` rounded to nearest.
///
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::field::{Decoder, Event, ReadInto};
/// use linkstream::{Mode, io::Reader};
/// # let file = linkstream_example::file();
///
/// let (mut buffer, mut numbers) = ([0; 100], [0.0_f32; 16]);
/// let mut reader = Reader::new(file.as_slice(), &mut buffer, Decoder::new(Mode::Strict));
/// let mut into = None;
/// while let Some(event) = reader.next()? {
///     match (event, reader.decoder().field(), &mut into) {
///         (Event::Field, Some(field), _) => into = Some(ReadInto::new(field, &mut numbers)?),
///         (Event::Data, _, Some(into)) => into.feed(reader.bytes())?,
///         _ => {}
///     }
/// }
/// assert_eq!(numbers[14..], [14.0, 15.0]);
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
#[derive(Debug)]
pub struct ReadInto<'n, T> {
    /// Numbers that have not come yet.
    numbers: &'n mut [T],
    precision: Precision,
    /// The first `have` bytes of a number that lies in two chunks: fewer than it has, and none between two numbers.
    split: [u8; 8],
    have: usize,
}

impl<'n, T: Float> ReadInto<'n, T> {
    /// A converter that fills `numbers`, whose length must be [`Field::number_count`].
    ///
    /// # Errors
    /// [`SiteError::NotNumbers`] if the data are not floating-point numbers, [`SiteError::Length`] for a slice of
    /// another length.
    pub fn new(field: &Field, numbers: &'n mut [T]) -> Result<Self, SiteError> {
        let precision = field.precision.ok_or(SiteError::NotNumbers)?;
        let given = (numbers.len() as u64).times(precision.size() as u64);
        let needed = field.data_length().unwrap_or(u64::MAX);
        if given != needed {
            return Err(SiteError::Length { needed, given });
        }
        Ok(Self { numbers, precision, split: [0; 8], have: 0 })
    }

    /// Converts the next bytes of the data.
    ///
    /// # Errors
    /// [`SiteError::Length`] for more bytes than the field has left; none of them is converted.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), SiteError> {
        let size = self.precision.size();
        // The number that was begun counts among the missing ones, but its first bytes are here.
        let needed = (self.numbers.len() as u64).times(size as u64).minus(self.have as u64);
        let given = bytes.len() as u64;
        if given > needed {
            return Err(SiteError::Length { needed, given });
        }
        let mut rest = bytes;
        if self.have > 0 {
            rest = self.complete(rest, size);
        }
        let count = rest.len().checked_div(size).unwrap_or(0);
        let (whole, tail) = split(rest, count.times(size));
        self.convert(whole, count);
        // Bytes are left only if no number is begun: `complete` has taken them otherwise.
        for (to, from) in self.split.iter_mut().skip(self.have).zip(tail) {
            *to = *from;
        }
        self.have.increase(tail.len());
        Ok(())
    }

    /// Takes the bytes of a number that has been begun; returns the rest.
    fn complete<'i>(&mut self, bytes: &'i [u8], size: usize) -> &'i [u8] {
        let n = size.minus(self.have).min(bytes.len());
        let (piece, rest) = split(bytes, n);
        for (to, from) in self.split.iter_mut().skip(self.have).zip(piece) {
            *to = *from;
        }
        self.have.increase(n);
        if self.have == size {
            let number = self.split;
            self.convert(&number, 1);
            self.have = 0;
        }
        rest
    }

    fn convert(&mut self, bytes: &[u8], count: usize) {
        let numbers = core::mem::take(&mut self.numbers);
        let (now, later) = split_mut(numbers, count);
        self.precision.load(bytes, now);
        self.numbers = later;
    }

    /// True if all numbers have been converted.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.numbers.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::{Extents, Region};
    use crate::lime::Record;
    use std::vec::Vec;

    fn field(precision: Precision) -> Field {
        Field {
            record: Record::default(),
            described_by: crate::field::DescribedBy::Scidac,
            extents: Extents::new(&[5]).unwrap(),
            region: Region::Lattice,
            bytes_per_site: precision.size() as u64,
            precision: Some(precision),
            links: None,
        }
    }

    #[test]
    fn chunks_of_any_size_give_the_same_numbers() {
        let values = [1.5, -2.0, 0.1, f64::MAX, 3.0];
        let doubles: Vec<u8> = values.iter().flat_map(|value| value.to_be_bytes()).collect();
        let singles: Vec<u8> = values.iter().flat_map(|value| (*value as f32).to_be_bytes()).collect();
        for cut in 1..=40 {
            for (precision, bytes) in [(Precision::F64, &doubles), (Precision::F32, &singles)] {
                let (mut wide, mut narrow) = ([0.0_f64; 5], [0.0_f32; 5]);
                let mut into = ReadInto::new(&field(precision), &mut wide).unwrap();
                bytes.chunks(cut).for_each(|piece| into.feed(piece).unwrap());
                assert!(into.is_complete());
                assert_eq!(into.feed(&[0]), Err(SiteError::Length { needed: 0, given: 1 }));
                let mut into = ReadInto::new(&field(precision), &mut narrow).unwrap();
                bytes.chunks(cut).for_each(|piece| into.feed(piece).unwrap());
                assert_eq!(narrow, values.map(|value| value as f32));
                let exact = precision == Precision::F64;
                assert_eq!(wide, if exact { values } else { values.map(|value| f64::from(value as f32)) });
            }
        }
    }

    #[test]
    fn a_slice_of_another_length_is_refused() {
        let field = field(Precision::F64);
        assert_eq!(field.number_count(Limits::DEFAULT), Ok(5));
        for length in [0, 4, 6, 10] {
            let mut numbers = std::vec![0.0_f32; length];
            let error = SiteError::Length { needed: 40, given: 8 * length as u64 };
            assert_eq!(ReadInto::new(&field, &mut numbers).err(), Some(error));
        }
        let other = Field { precision: None, ..field };
        assert_eq!(other.number_count(Limits::DEFAULT), Err(SiteError::NotNumbers));
        assert_eq!(ReadInto::new(&other, &mut [0.0_f32; 10]).err(), Some(SiteError::NotNumbers));
    }
}
