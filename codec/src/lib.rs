//! A streaming codec for lattice-QCD files and their neighbours, for machines of every size.
//!
//! Gauge configurations and propagators are kept in LIME files: records of bytes ([`lime`]) with SciDAC and
//! ILDG content ([`scidac`], [`ildg`]), which describes lattice fields ([`field`]). Simulation codes keep their
//! state in [`scda`] sections, Aion its matrices in [`inebin`] files; [`sniff`](mod@sniff) recognises which a file
//! is. This crate reads and writes them without an allocator, without `unsafe`, in one pass over input that may
//! be cut anywhere, with memory bounded by buffers that the caller lends. Errors in a file are
//! reported as typed values with their absolute offset; no input can make the crate panic, loop, or allocate.
//!
//! # Reading
//! The readers of [`io`] do whole jobs; [`guide`] shows all of them. A field into an array, verified:
//! ```
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! use linkstream::io::FieldReader;
//! # let source = linkstream_example::file();
//! # let source = source.as_slice();
//!
//! let mut buffer = [0; 4096];
//! let mut file = FieldReader::new(source, &mut buffer);
//! while let Some(mut field) = file.next_field()? {
//!     let mut numbers = vec![0.0_f64; field.numbers()?];
//!     field.read_into(&mut numbers)?;
//!     field.verdict()?.require_match()?;
//!     assert_eq!(numbers.iter().sum::<f64>(), 120.0);
//! }
//! # Ok(())
//! # }
//! # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
//! ```
//!
//! # Three ways to drive a decoder
//! Below the readers there is one state machine per format ([`Decode`]). It can be driven in three ways. A step
//! reports what the bytes just consumed were; the bytes themselves stay with the caller, so that payload is never
//! copied.
//!
//! **Push**, where data arrive by themselves (an interrupt, a network callback, a WASM page):
//! ```
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! use linkstream::field::{Decoder, Event};
//! use linkstream::{Mode, drive, finish};
//! # let file = linkstream_example::file();
//!
//! let mut decoder = Decoder::new(Mode::Strict);
//! let mut data = 0;
//! for chunk in file.chunks(100) {
//!     drive(&mut decoder, chunk, |event, bytes, decoder| match event {
//!         Event::Field => assert!(decoder.field().is_some()),
//!         Event::Data => data += bytes.len(),
//!         Event::Verdict(verdict) => assert!(verdict.is_match()),
//!         _ => {}
//!     })?;
//! }
//! // The end of the input: reports truncation.
//! finish(&mut decoder, |_, _, _| {})?;
//! assert_eq!(data, 128);
//! # Ok(())
//! # }
//! # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
//! ```
//!
//! **Pull**, where there is a source to read from ([`io::Reader`] over `embedded_io::Read`; where the source
//! can seek, payload can be skipped by seeking):
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
//!     if let Event::Record(_) = event {
//!         types.push(reader.decoder().record_type().to_vec());
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
//! A gauge field, from a callback that fills its sites, in SciDAC's and ILDG's form at once. Its checksum is computed
//! on the way:
//! ```
//! use linkstream::field::Form;
//! use linkstream::ildg::GaugeKind;
//! use linkstream::io::FieldWriter;
//! use linkstream::lattice::{Extents, Precision};
//!
//! let links = vec![[0.5_f32; 72]; 16];
//! let (mut sink, mut buffer) = (vec![0; 8192], [0; 4096]);
//! let mut file = FieldWriter::create(&mut sink[..], &mut buffer, Extents::new(&[2, 2, 2, 2])?)?;
//! file.gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, |site| site.put(&links[site.index()]))?;
//! file.finish()?;
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//! Other files are written by [`io::RecordWriter`], [`io::SectionWriter`] and [`io::MatrixWriter`]. Below them there
//! is one encoder per format ([`Encode`]), which any sink can be driven with.
//!
//! # What is refused
//! A [`Mode`] selects which broken rules are errors; the others are reported as findings, and reading continues.
//! [`Mode::Strict`] refuses every broken rule, [`Mode::Lenient`] only those that affect data, and [`Mode::Survey`] only
//! those after which reading cannot continue. See [`Severity`] and [`Class`].
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
mod messages;
mod payload;
mod rules;
pub mod scda;
pub mod scidac;
pub mod sniff;
mod state;
pub mod step;
pub mod xml;

pub use callback::{CallbackError, Outcome};
pub use drive::{drive, finish};
pub use encode::Encode;
pub use error::{Class, Diagnostic, Error, Misuse, Mode, Rule, Severity};
pub use state::LoadError;
pub use step::{Decode, Demand, SeekPayload, Step};

/// The README's example compiles as it is shown.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
