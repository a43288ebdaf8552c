//! A streaming codec for lattice-QCD files and their neighbours, for machines of every size.
//!
//! Gauge configurations and propagators are kept in LIME files: records of bytes ([`lime`]) with SciDAC and
//! ILDG content ([`scidac`], [`ildg`]), which describes lattice fields ([`field`]). Simulation codes keep their
//! state in [`scda`] sections, Aion its matrices in [`inebin`] files; [`sniff`](mod@sniff) tells which a file
//! is. This crate reads and writes them without an allocator, without `unsafe`, in one pass over input that may
//! be cut anywhere, with memory bounded by buffers that the caller lends. What is wrong with a file comes back
//! as a typed error with its absolute offset; nothing a file holds can make the crate panic, loop, or allocate.
//!
//! # Three ways to read
//! One state machine per format ([`Decode`]) is turned in three ways. A step says what the bytes just
//! consumed were; the bytes themselves stay with the caller, so that payload is never copied.
//!
//! **Push**, where data arrive by themselves (an interrupt, a network callback, a WASM page):
//! ```
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! use linkstream::field::{Decoder, Event, SiteError, Sites};
//! use linkstream::{Decode, Mode};
//! # let file = linkstream_example::file();
//!
//! let mut decoder = Decoder::new(Mode::Strict);
//! let mut site_buffer = [0; 16];
//! let mut sites = Sites::new(&mut site_buffer);
//! let mut sum = 0.0;
//! for chunk in file.chunks(100) {
//!     let mut rest = chunk;
//!     loop {
//!         let step = decoder.push(rest)?;
//!         let (bytes, behind) = rest.split_at(step.consumed);
//!         rest = behind;
//!         match step.event {
//!             Some(Event::Field) => sites.begin(decoder.field())?,
//!             Some(Event::Data) => sites.feed(decoder.field(), bytes, |site| {
//!                 sum += site.numbers()?.sum::<f64>();
//!                 Ok::<(), SiteError>(())
//!             })?,
//!             Some(Event::Verdict(verdict)) => assert!(verdict.is_match()),
//!             Some(_) => {}
//!             None => break,
//!         }
//!     }
//! }
//! // The end of the input tells something as well: whether the file is whole.
//! while let Some(event) = decoder.finish()? {
//!     assert!(!matches!(event, Event::Finding(_)));
//! }
//! assert_eq!(sum, 120.0);
//! # Ok(())
//! # }
//! # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
//! ```
//!
//! **Pull**, where there is something to read from ([`io::Reader`] over `embedded_io::Read`; where the source
//! can seek, payload can be passed over by seeking):
//! ```
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! use linkstream::Mode;
//! use linkstream::field::{Decoder, Event};
//! use linkstream::io::Reader;
//! # let file = linkstream_example::file();
//!
//! let mut buffer = [0; 512];
//! let mut reader = Reader::new(file.as_slice(), &mut buffer, Decoder::new(Mode::Strict));
//! let mut types = Vec::new();
//! while let Some(event) = reader.next()? {
//!     match event {
//!         Event::Record(_) => types.push(reader.decoder().record_type().to_vec()),
//!         Event::Field => {
//!             let field = reader.decoder().field().unwrap();
//!             assert_eq!(field.extents.as_slice(), [2, 2, 2, 2]);
//!             assert_eq!(field.data_length(), Some(128));
//!         }
//!         _ => {}
//!     }
//! }
//! assert_eq!(types[4], b"scidac-binary-data");
//! # Ok(())
//! # }
//! # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
//! ```
#![cfg_attr(feature = "async", doc = include_str!("async.md"))]
#![cfg_attr(
    not(feature = "async"),
    doc = "**Async**: the same over `embedded_io_async`, with the feature `async`."
)]
//!
//! # Writing
//! [`field::Encoder`] writes messages of documents and data, [`io::FieldWriter`] does so over
//! `embedded_io::Write`; below them [`lime::Encoder`] and [`io::RecordWriter`] write LIME records. It is the same with
//! [`scda::Encoder`] and [`io::SectionWriter`], [`inebin::Encoder`] and [`io::MatrixWriter`].
//! ```
//! use linkstream::field::{Encoder, OutgoingMessage};
//! use linkstream::io::FieldWriter;
//! use linkstream::lattice::{Extents, Region};
//! use linkstream::scidac::{PrivateFile, PrivateRecord};
//!
//! let (mut file, mut buffer) = ([0; 2048], [0; 512]);
//! let mut writer = FieldWriter::new(&mut file[..], Encoder::new(), &mut buffer);
//!
//! // The file's own message.
//! let lattice = PrivateFile::new(&Extents::new(&[2, 2, 2, 2])?);
//! writer.message(&OutgoingMessage::file(&lattice, b"an example"))?;
//!
//! // One field: a double at each of 16 sites, in rank order. Its checksum is computed on the way.
//! let mut record = PrivateRecord::new(&Region::Lattice);
//! record.date = "Tue Jan  2 03:04:05 2024 UTC".try_into()?;
//! record.datatype = "QDP_D_Real".try_into()?;
//! record.precision = "D".try_into()?;
//! (record.typesize, record.datacount) = (8, 1);
//! writer.field(&OutgoingMessage::scidac(&record, b"ranks"), |site| site.put(&[site.rank() as f64]))?;
//! writer.finish()?;
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # What is refused
//! A [`Mode`] says which broken rules end the reading and which are told as findings: everything that is not
//! as its document demands ([`Mode::Strict`]), only what loses data ([`Mode::Lenient`]), or only what makes
//! it impossible to go on ([`Mode::Survey`]). See [`Severity`] and [`Class`].
//!
//! # Features
//! * `async`: [`io`] over `embedded_io_async`.
//! * `crc-fast`, on by default, and `crc-small`: the size of the tables of the CRC-32 where there is no `std`; see
//!   [`crc`].
//! * `deflate`: compressing scda sections; needs an allocator.
//! * `defmt`: `defmt::Format` on public types. The crate itself logs nothing.
//! * `inflate`, on by default: unpacking compressed scda sections, and writing them with stored blocks.
//! * `std`: `embedded-io`'s adapters for `std`, and a CRC-32 that picks the machine's instructions at run time.
#![no_std]
#![cfg_attr(test, allow(clippy::arithmetic_side_effects, reason = "a wrong sum in a test is a failed test"))]

#[cfg(feature = "deflate")]
extern crate alloc;
#[cfg(test)]
extern crate std;

mod accumulate;
mod bytes;
mod callback;
pub mod conformance;
mod counter;
pub mod crc;
mod drive;
mod encode;
pub mod error;
mod failed;
pub mod field;
pub mod guide;
pub mod ildg;
pub mod inebin;
pub mod io;
pub mod lattice;
pub mod lime;
mod payload;
mod rules;
pub mod scda;
pub mod scidac;
pub mod sniff;
mod state;
pub mod step;
pub mod xml;

pub use callback::CallbackError;
pub use drive::{Outcome, drive, finish};
pub use encode::Encode;
pub use error::{Class, Diagnostic, Error, Misuse, Mode, Rule, Severity};
pub use state::LoadError;
pub use step::{Decode, Demand, SeekPayload, Step};
