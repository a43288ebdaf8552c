//! MILC files of version 5: SU(3) gauge configurations in four dimensions, in single precision.
//!
//! A file is a header of 88 bytes ([`Header`]), a list of sites if they are not in natural order, two checksums
//! ([`Sums`]), and the links. All numbers are in the byte order of the computer that wrote them; the first four bytes show
//! it. The [format reference](#reference) below has the layout and the accepted deviations.
//!
//! [`Decoder`] reads and leaves the bytes with the caller. [`reverse_words`](crate::lattice::reverse_words) converts
//! little-endian data to the byte order of LIME files. To read whole files, use
//! [`io::ArchiveReader`](crate::io::ArchiveReader). There is no encoder.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! use linkstream::lattice::{ByteOrder, reverse_words};
//! use linkstream::milc::{Decoder, Event};
//! use linkstream::{Mode, drive, finish};
//! # let file = linkstream_example::milc();
//!
//! let mut decoder = Decoder::new(Mode::Strict);
//! let mut data = Vec::new();
//! drive(&mut decoder, &file, |event, bytes, _| {
//!     if event == Event::Data {
//!         data.extend_from_slice(bytes);
//!     }
//! })?;
//! finish(&mut decoder, |_, _, _| {})?;
//! let header = decoder.header().ok_or("no header")?;
//! if header.order() == ByteOrder::Little {
//!     reverse_words(&mut data, 4);
//! }
//! assert_eq!((header.has_site_list(), data.len()), (false, 288));
//! # Ok(())
//! # }
//! # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
//! ```
#![doc = include_str!("../guide/items.txt")]
#![doc = include_str!("reference.md")]

mod decode;
mod error;
mod header;
mod sums;

pub use decode::{Decoder, Event};
pub use error::ErrorKind;
pub use header::{HEADER_LEN, Header, MAGIC, SITE_LEN};
pub use sums::{Summing, Sums, Unverified, Verdict};
