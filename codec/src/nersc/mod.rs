//! NERSC archives: SU(3) gauge configurations in four dimensions.
//!
//! There is no document of its own for the format; this module follows what MILC, QIO's converter, QDP++, Grid, GPT and
//! SIMULATeQCD write and read. A file is a header of text, from the line `BEGIN_HEADER` to the line `END_HEADER`, with
//! lines `KEY = value` ([`Header`]), and the links, without padding: sites with x running fastest, then y, z, t; at
//! each the links in the directions x, y, z, t; of each two or three rows ([`LinkFormat`]). `CHECKSUM` is the sum of
//! the stored 32-bit words ([`WordSums`]).
//!
//! [`Decoder`] reads and leaves the bytes with the caller, [`Encoder`] writes. An archive with `IEEE32`, as some
//! programs write it for big-endian and others for little-endian data, is read in the order in which the checksum is
//! right: [`LinkFormat::is_normalised`] guesses it from the first link, and [`Verdict`] settles it at the end.
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
//! for stored in data.chunks_exact(format.bytes()) {
//!     format.to_whole(stored, &mut link).ok_or("one link")?;
//!     assert_eq!(Precision::F32.read(&link, 16), Some(1.0));
//! }
//! # Ok(())
//! # }
//! # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
//! ```

mod data;
mod decode;
mod encode;
mod error;
mod header;

pub use data::{DataSum, LinkFormat, Rows, Unverified, Verdict, WordSums};
pub use decode::{Decoder, Event, LINE_LEN, MAGIC};
pub use encode::Encoder;
pub use error::{EncodeErrorKind, ErrorKind};
pub use header::{Header, key_and_value};
