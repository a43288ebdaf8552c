//! NERSC archives: gauge configurations of SU(3) and of other SU(N), in four dimensions.
//!
//! A file is a header of text, from the line `BEGIN_HEADER` to the line `END_HEADER`, with lines `KEY = value`
//! ([`Header`]), and the links without padding. Links are stored with all rows, or without the last one ([`LinkFormat`]); `CHECKSUM` is the
//! sum of the stored 32-bit words ([`WordSums`]). The [format reference](#reference) below has the layout, the
//! dialects of the programs that write archives, and the accepted deviations.
//!
//! [`Decoder`] reads and leaves the bytes with the caller, [`Encoder`] writes. Some programs write `IEEE32` for
//! big-endian data, others for little-endian data. The checksum decides: [`LinkFormat::is_normalised`] derives the byte
//! order from the first link, and [`Verdict`] confirms it at the end. To read or write whole archives, use
//! [`io::ArchiveReader`](crate::io::ArchiveReader) and [`io::ArchiveWriter`](crate::io::ArchiveWriter).
//!
//! ```
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! use linkstream::lattice::{ByteOrder, Precision};
//! use linkstream::nersc::{Decoder, Event};
//! use linkstream::{Mode, drive, finish};
//! # let file = linkstream_example::nersc();
//!
//! let mut decoder = Decoder::new(Mode::Strict);
//! let (mut data, mut order) = (Vec::new(), None);
//! drive(&mut decoder, &file, |event, bytes, _| match event {
//!     Event::Data => data.extend_from_slice(bytes),
//!     Event::Verdict(verdict) => order = Some(verdict),
//!     _ => {}
//! })?;
//! finish(&mut decoder, |_, _, _| {})?;
//! let header = decoder.header().ok_or("no header")?;
//! let format = header.link_format(header.order().unwrap_or(ByteOrder::Big));
//! let mut link = [0; 72];
//! for stored in data.chunks_exact(format.length()) {
//!     format.to_whole(stored, &mut link).ok_or("one link")?;
//!     assert_eq!(Precision::F32.read(&link, 16), Some(1.0));
//! }
//! # Ok(())
//! # }
//! # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
//! ```
#![doc = include_str!("../guide/items.txt")]
#![doc = include_str!("reference.md")]

mod data;
mod decode;
mod encode;
mod error;
mod header;
mod whole;

pub use data::{DataSum, LinkFormat, StoredRows, Unverified, Verdict, WordSums};
pub use decode::{Decoder, Event, LINE_LEN, MAGIC, MAX_HEADER};
pub use encode::Encoder;
pub use error::{EncodeErrorKind, ErrorKind};
pub use header::{Header, datatype, key_and_value};
pub(crate) use whole::{LINKS, MAX_WHOLE_COLORS, WholeLinks};
