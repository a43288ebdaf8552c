//! INEBIN: the matrix files of the program Aion.
//!
//! A file is one matrix: a header of 16 bytes ([`Header`]) and the entries, row by row, without padding or checksum. All
//! numbers are little-endian. The [format reference](#reference) below has the layout, the errors of the manual,
//! and the accepted deviations.
//!
//! [`Decoder`] reads the file and reports which bytes are data; [`Entries`] converts them to values in runs,
//! [`Rows`] in whole rows. [`Encoder`] writes. To read or write whole matrices, use
//! [`io::MatrixReader`](crate::io::MatrixReader) and [`io::MatrixWriter`](crate::io::MatrixWriter). If the source can
//! seek, [`read_entries_seeking`](crate::io::FormatReader::read_entries_seeking) reads entries anywhere in the matrix.
//!
//! # The worked examples of the manual
//! A boolean matrix (Table 55). Bytes are filled from the lowest bit; rows are not aligned to bytes:
//! ```
//! use linkstream::inebin::{Decoder, Event, Rows};
//! use linkstream::{Decode, Mode};
//!
//! let file = b"INEBIN\0B\x03\0\0\0\x05\0\0\0\x99\x21";
//! let mut decoder = Decoder::new(Mode::Strict);
//! let step = decoder.push(file)?;
//! let Some(Event::Header(header)) = step.event else { return Err("no header".into()) };
//! let mut buffer = [false; 5];
//! let mut rows = Rows::new(&header, &mut buffer)?;
//! let mut read = Vec::new();
//! let data = &file[step.consumed..];
//! let step = decoder.push(data)?;
//! assert_eq!(step.event, Some(Event::Data));
//! rows.feed(&data[..step.consumed], |_, row| read.push(row.to_vec()))?;
//! assert_eq!(read, [
//!     [true, false, false, true, true],
//!     [false, false, true, true, false],
//!     [false, false, false, true, false],
//! ]);
//! // At the end of the input, `finish` reports truncation.
//! while decoder.finish()?.is_some() {}
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//! An integer matrix (Table 56, with the type letter corrected), read entry by entry from chunks of 10 bytes:
//! ```
//! use linkstream::inebin::{Decoder, Entries, Event};
//! use linkstream::{Decode, Mode};
//!
//! let file = *b"INEBIN\0Z\x02\0\0\0\x03\0\0\0\
//!     \x01\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\x08\x07\x06\x05\x04\x03\x02\x01\
//!     \xff\xff\xff\xff\xff\xff\xff\xff\0\0\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0\0\xc0";
//! let mut decoder = Decoder::new(Mode::Strict);
//! let mut entries = None;
//! let mut read = Vec::new();
//! for mut piece in file.chunks(10) {
//!     loop {
//!         let step = decoder.push(piece)?;
//!         let (bytes, rest) = piece.split_at(step.consumed);
//!         piece = rest;
//!         match (step.event, &mut entries) {
//!             (Some(Event::Header(header)), _) => entries = Some(Entries::<i64>::new(&header)?),
//!             (Some(Event::Data), Some(entries)) => entries.feed(bytes, |run| read.extend(run.values()))?,
//!             (Some(_), _) => {}
//!             (None, _) => break,
//!         }
//!     }
//! }
//! while decoder.finish()?.is_some() {}
//! assert_eq!(read, [1, 65536, 0x0102_0304_0506_0708, -1, -65536, -(1 << 62)]);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//! A real matrix (Table 57), one row of it read by seeking:
//! ```
//! use linkstream::io::MatrixReader;
//! # use embedded_io::{ErrorType, Read, Seek, SeekFrom};
//! # struct Cursor(&'static [u8; 64], usize);
//! # impl ErrorType for Cursor { type Error = core::convert::Infallible; }
//! # impl Read for Cursor {
//! #     fn read(&mut self, out: &mut [u8]) -> Result<usize, Self::Error> {
//! #         let n = self.0.get(self.1..).unwrap_or_default().read(out)?;
//! #         self.1 += n;
//! #         Ok(n)
//! #     }
//! # }
//! # impl Seek for Cursor {
//! #     fn seek(&mut self, to: SeekFrom) -> Result<u64, Self::Error> {
//! #         self.1 = match to {
//! #             SeekFrom::Start(at) => at as usize,
//! #             SeekFrom::Current(by) => (self.1 as i64 + by) as usize,
//! #             SeekFrom::End(by) => (self.0.len() as i64 + by) as usize,
//! #         };
//! #         Ok(self.1 as u64)
//! #     }
//! # }
//!
//! let file = b"INEBIN\0R\x02\0\0\0\x03\0\0\0\
//!     \0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\xf8\x3f\0\0\0\0\0\0\xf0\x40\
//!     \0\0\0\0\0\0\xf0\xbf\0\0\0\0\0\0\xd8\x3f\x2d\x43\x1c\xeb\xe2\x36\x2a\x3f";
//! # let source = Cursor(file, 0);
//! let mut buffer = [0; 64];
//! let mut matrix = MatrixReader::new(source, &mut buffer);
//! let mut row = [0.0; 3];
//! matrix.read_entries_seeking(1, 0, &mut row)?;
//! assert_eq!(row, [-1.0, 0.375, 0.0002]);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//! A complex matrix (Table 58), written:
//! ```
//! use linkstream::inebin::{Complex, Header, MatrixType};
//! use linkstream::io::MatrixWriter;
//!
//! let matrix = [(1.0, 1.5), (0.375, 1.75), (3.0, 5.0), (6.0, 7.0), (2.0, 0.0), (0.9375, 31.0)];
//! let mut file = [0; 16 + 6 * 16];
//! let mut buffer = [0; 64];
//! let header = Header::new(MatrixType::Complex, 2, 3)?;
//! let mut writer = MatrixWriter::create(&mut file[..], &mut buffer, &header);
//! writer.put(matrix.map(|(re, im)| Complex { re, im }))?;
//! writer.finish()?;
//! assert_eq!(file, *b"INEBIN\0C\x02\0\0\0\x03\0\0\0\
//!     \0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\xf8\x3f\
//!     \0\0\0\0\0\0\xd8\x3f\0\0\0\0\0\0\xfc\x3f\
//!     \0\0\0\0\0\0\x08\x40\0\0\0\0\0\0\x14\x40\
//!     \0\0\0\0\0\0\x18\x40\0\0\0\0\0\0\x1c\x40\
//!     \0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0\0\
//!     \0\0\0\0\0\0\xee\x3f\0\0\0\0\0\0\x3f\x40");
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
#![doc = include_str!("../guide/items.txt")]
#![doc = include_str!("reference.md")]

mod decode;
mod encode;
mod entries;
mod error;
mod header;
mod value;

pub use decode::{Decoder, Event};
pub use encode::Encoder;
pub(crate) use entries::Cursor;
pub use entries::{Entries, EntriesError, Rows, Run};
pub use error::{EncodeErrorKind, ErrorKind};
pub use header::{EntryPlace, HEADER_LEN, Header, MAGIC};
pub use value::MatrixType;
pub use value::{Complex, Value};
