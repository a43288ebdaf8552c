//! Compares two files of one format: structure, documents element by element, and data number by number.
//!
//! Both sources are read in parallel, and memory use depends neither on the size of the data nor on the number of
//! records. Numbers of different precision are compared by value.
//!
//! ```
//! use linkstream_report::diff::{Options, compare};
//! use linkstream_report::findings::Level;
//! # use embedded_io::{ErrorType, Read, Seek, SeekFrom};
//! # struct Memory(Vec<u8>, usize);
//! # impl ErrorType for Memory { type Error = std::convert::Infallible; }
//! # impl Read for Memory {
//! #     fn read(&mut self, out: &mut [u8]) -> Result<usize, Self::Error> {
//! #         let n = out.len().min(self.0.len() - self.1);
//! #         out[..n].copy_from_slice(&self.0[self.1..][..n]);
//! #         self.1 += n;
//! #         Ok(n)
//! #     }
//! # }
//! # impl Seek for Memory {
//! #     fn seek(&mut self, to: SeekFrom) -> Result<u64, Self::Error> {
//! #         self.1 = match to {
//! #             SeekFrom::Start(at) => at as usize,
//! #             SeekFrom::Current(by) => (self.1 as i64 + by) as usize,
//! #             SeekFrom::End(by) => (self.0.len() as i64 + by) as usize,
//! #         };
//! #         Ok(self.1 as u64)
//! #     }
//! # }
//! let matrix = |last: f64| {
//!     let numbers = [1.0, last].map(f64::to_le_bytes).concat();
//!     Memory([&b"INEBIN\0R\x01\0\0\0\x02\0\0\0"[..], &numbers].concat(), 0)
//! };
//! let same = compare(matrix(2.0), matrix(2.0), &Options::default())?;
//! assert!(same.is_same());
//! let other = compare(matrix(2.0), matrix(2.5), &Options::default())?;
//! assert!(!other.is_same());
//! # Ok::<(), linkstream_report::diff::DiffError>(())
//! ```

mod bytes;
mod changes;
mod document;
mod error;
mod field;
mod inebin;
mod input;
pub mod json;
mod kept;
mod lime;
mod numbers;
mod options;
mod outcome;
mod place;
mod scda;

use embedded_io::{Read, Seek};
use linkstream::sniff::Format;

pub use bytes::Bytes;
pub use changes::{Change, Changes};
pub use error::{DiffError, Side};
pub use kept::Kept;
pub use numbers::{Largest, Number, Numbers, Tolerance};
pub use options::Options;
pub use outcome::{Comparison, Damage, Data, Document, Outcome};
pub use place::Place;

use crate::identify::{identify, name};
use input::Input;

/// Compares two sources from their first byte.
///
/// # Errors
/// A source fails, or is so damaged that it cannot be read to its end.
pub fn compare<A: Read + Seek, B: Read + Seek>(
    a: A,
    b: B,
    options: &Options,
) -> Result<Comparison, DiffError> {
    let (mut a, mut b) = (Input::new(a, Side::First), Input::new(b, Side::Second));
    let formats = (format(&mut a)?, format(&mut b)?);
    match formats {
        (Format::Lime, Format::Lime) => lime::compare(&mut a, &mut b, options),
        (Format::Inebin, Format::Inebin) => inebin::compare(&mut a, &mut b, options),
        (Format::Scda, Format::Scda) => scda::compare(&mut a, &mut b, options),
        (first, second) => {
            let mut comparison = Comparison::default();
            comparison.structure.differ("format", name(first), name(second));
            Ok(comparison)
        }
    }
}

/// Identifies the format of a source, and returns to its first byte.
fn format<R: Read + Seek>(input: &mut Input<R>) -> Result<Format, DiffError> {
    let side = input.side();
    let (_, format) = identify(input.source()).map_err(|error| DiffError::source(side, &error))?;
    input.seek(0)?;
    format.ok_or(DiffError::UnknownFormat { side })
}
