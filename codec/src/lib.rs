//! A streaming codec for lattice-QCD files (LIME, ILDG, SciDAC/QIO, NERSC, MILC), scda files and INEBIN matrices.
//!
//! Gauge configurations and propagators are stored in LIME files: records of bytes ([`lime`]) whose content is
//! defined by SciDAC and ILDG ([`scidac`], [`ildg`]) and describes lattice fields ([`field`]). [`scda`] is the
//! parallel file format of libsc, [`inebin`] the matrix format of the program Aion. Older gauge configurations are
//! [`nersc`] archives and [`milc`] files. [`sniff`](mod@sniff) recognises the format of a file. This crate reads all
//! of them, and writes all except MILC files, without an allocator and without `unsafe`, in one pass over input in
//! chunks of any size. It uses no more memory than its state and the buffers that the caller provides. Errors in a
//! file are reported as typed values with their absolute byte offset; no input can make the crate panic, loop, or
//! allocate.
//!
//! # Reading
//! The readers of [`io`] do whole tasks; [`guide`] has an example of each. Reading every field of a file into an
//! array and verifying its checksum:
//! ```
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! use linkstream::io::FieldReader;
//! # let source = linkstream_example::file();
//! # let source = source.as_slice();
//!
//! let mut buffer = [0; 8192];
//! let mut file = FieldReader::new(source, &mut buffer);
//! while let Some(mut field) = file.next_field()? {
//!     let mut numbers = vec![0.0_f64; field.numbers()?];
//!     field.read_into(&mut numbers)?.require_not_refuted()?;
//!     assert_eq!(numbers.iter().sum::<f64>(), 120.0);
//! }
//! # Ok(())
//! # }
//! # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
//! ```
//!
//! The verdict on the data must be used: `require_not_refuted` accepts data without a stored checksum, as in plain ILDG
//! files, and `require_match` only verified data. A mismatch is an error before that. `numbers` is what the file claims,
//! and fails above 1 GiB unless the reader is given other [`Limits`]. [`guide::misuse`] lists for each reader which
//! misuse is an error and which cannot be expressed.
//!
//! # Three ways to drive a decoder
//! The readers are built on one state machine per format ([`Decode`]), which can be driven in three ways. Each step
//! reports what the bytes just consumed were; the bytes themselves stay in the caller's buffer, so payload is never
//! copied.
//!
//! **Push**, if data arrive without being asked for (in an interrupt, a network callback, a web page):
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
//! **Pull**, if there is a source to read from ([`io::Reader`] over `embedded_io::Read`; if the source can seek,
//! payload can be skipped by seeking):
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
    doc = "**Async**: with the feature `async`, the same over `embedded_io_async`."
)]
//!
//! # Writing
//! Writing a gauge field whose sites are filled by a callback, in a form that both SciDAC and ILDG programs read.
//! Its checksum is computed as it is written:
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
//! Other files are written by [`io::RecordWriter`], [`io::SectionWriter`] and [`io::MatrixWriter`]. They are built
//! on one encoder per format ([`Encode`]), which returns the bytes to be written and works with any sink.
//!
//! # What is refused
//! One principle decides about severity, whoever notices something (a checksum, a length, a recorded figure): what is
//! certainly not what was written is an error; what breaks a rule but leaves the data certain is a warning; what was
//! never verified is never called good.
//!
//! A [`Mode`] selects which broken rules end the reading with an error; the others are reported as findings, and
//! reading continues. [`Mode::Strict`] refuses every broken rule that the decoder checks (`field::Decoder` checks only
//! those on which the data depend, `conformance::Decoder` all), [`Mode::Lenient`] only those that make data wrong or
//! doubtful, and [`Mode::Survey`] only those after which reading cannot continue. See [`Severity`] and [`Class`].
//!
//! # Messages and causes
//! The message of an error is complete: if an error wraps another one, its message contains that of the inner error.
//! Such an inner error is therefore not returned by [`source`](core::error::Error::source) as well, which would print
//! it twice; `source` returns that of the inner error instead. What no message contains is a source: the error of a
//! caller's reader or writer ([`io::ReadError::Io`], [`io::WriteError::Io`]). The inner error itself is in the variant.
//!
//! # Features
//! * `async`: the readers and writers of [`io`] over `embedded_io_async`.
//! * `crc-fast`, on by default, and `crc-small`: the size of the tables of the CRC-32 where there is no `std`; see
//!   [`crc`].
//! * `deflate`: compressing scda sections; needs an allocator.
//! * `defmt`: `defmt::Format` on public types. The crate itself logs nothing.
//! * `inflate`, on by default: unpacking compressed scda sections, and writing them with stored blocks.
//! * `std`: `io::FromStd`, which makes sources and sinks of those of `std::io`, and a CRC-32 that uses the processor's CRC instructions if it has
//!   them (detected at run time).
#![no_std]
// On docs.rs, items of optional features name their feature.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(test, allow(clippy::arithmetic_side_effects, reason = "a wrong sum in a test is a failed test"))]

#[cfg(feature = "deflate")]
extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

// Layers, from the top. A module imports only from the layers below its own, and not from the others of its line; the
// modules that are not listed are below all of them. The gate's stage `cycles` reads this list.
//
//     io
//     conformance, volume, sniff
//     field, usqcd, nersc
//     scidac, ildg
//     scda, inebin, lime, milc
//     xml
//     lattice

mod bytes;
mod callback;
pub mod conformance;
mod counter;
pub mod crc;
mod encode;
pub mod error;
mod failed;
pub mod field;
mod frame;
pub mod guide;
pub mod ildg;
pub mod inebin;
pub mod io;
pub mod lattice;
pub mod lime;
mod limits;
mod messages;
pub mod milc;
pub mod nersc;
mod payload;
mod rules;
pub mod scda;
pub mod scidac;
pub mod sniff;
mod state;
pub mod step;
pub mod usqcd;
mod verdict;
pub mod volume;
pub mod xml;

pub use callback::{CallbackError, Outcome, drive, finish};
pub use encode::Encode;
pub use error::{Class, Diagnostic, Error, Misuse, Mode, Rule, Severity};
pub use limits::{Limits, OverLimit};
pub use state::{LoadError, Resumable, State};
pub use step::{Decode, Demand, SeekPayload, Step};
pub use verdict::{Unverified, Verdict};

/// The README's example compiles as shown.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
