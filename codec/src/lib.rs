//! A streaming codec for lattice-QCD files (LIME, ILDG, SciDAC/QIO, NERSC, MILC), scda files and INEBIN matrices.
//!
//! | format | module (reference of the format) | reads | writes |
//! |---|---|---|---|
//! | LIME: records | [`lime`] | yes | yes |
//! | SciDAC and ILDG: fields in LIME files | [`field`]; documents: [`scidac`], [`ildg`] | yes | yes |
//! | all rules of ILDG 1.2 and QIO 2.3 | [`conformance`] | yes | |
//! | USQCD: propagator files | [`usqcd`] | yes | yes |
//! | QIO file sets: volumes | [`volume`] | yes | yes |
//! | NERSC archives | [`nersc`] | yes | yes |
//! | MILC files of version 5 | [`milc`] | yes | no |
//! | scda: sections, the parallel file format of libsc | [`scda`] | yes | yes |
//! | INEBIN: matrices of the program Aion | [`inebin`] | yes | yes |
//!
//! [`sniff`](mod@sniff) recognises the format of a file. [`guide`] is a cookbook with a page for each task.
//!
//! The crate is `no_std`, and has no `unsafe` code. It takes input in chunks of any size. Apart from the stack, it uses
//! no more memory than its state and the buffers that the caller provides. Errors in a file are typed values with their
//! absolute byte offset. [Guarantees](#guarantees) states what is proved, what is tested, and what is not covered.
//!
//! # Reading
//! Each reader of [`io`] does a complete task in a few calls; [`guide`] has examples. This reads every field of a file
//! into an array and verifies its checksum:
//! ```
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! use linkstream::Limits;
//! use linkstream::io::FieldReader;
//! # let source = linkstream_example::file();
//! # let source = source.as_slice();
//!
//! let mut buffer = [0; 8192];
//! let limits = Limits::source(source.len() as u64);
//! let mut file = FieldReader::new(source, &mut buffer).with_limits(limits);
//! while let Some(mut field) = file.next_field()? {
//!     let mut numbers = vec![0.0_f64; field.number_count()?];
//!     field.read_into(&mut numbers)?.require_not_refuted()?;
//!     assert_eq!(numbers.iter().sum::<f64>(), 120.0);
//! }
//! # Ok(())
//! # }
//! # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
//! ```
//!
//! The verdict on the data must be used: `require_not_refuted` accepts data without a stored checksum, as in plain ILDG
//! files, and `require_match` only verified data. If there is a checksum mismatch, `read_into` itself returns an error.
//! `numbers` returns the count of numbers that the file claims to have. It is an error if the source is not that long,
//! or above another of the [`Limits`]. [`guide::misuse`] lists the mistakes that a caller can make, and how each is
//! caught.
//!
//! # Three ways to drive a decoder
//! The readers are built on one state machine per format ([`Decode`]), which can be driven in three ways. Each step
//! returns an event that describes the consumed bytes. The bytes stay in the caller's buffer: payload is never copied.
//!
//! **Push**, if data arrive by themselves (in an interrupt, a network callback, a web page):
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
//! // At the end of the input, `finish` reports truncation.
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
//! This writes a gauge field whose sites are filled by a callback, in a form that both SciDAC and ILDG programs read.
//! Its checksum is computed as it is written:
//! ```
//! use linkstream::field::{FieldDocuments, Form};
//! use linkstream::ildg::GaugeKind;
//! use linkstream::io::{FieldWriter, Fill};
//! use linkstream::lattice::{Extents, Precision};
//!
//! let (links, lattice) = (vec![[0.5_f32; 72]; 16], Extents::new(&[2, 2, 2, 2])?);
//! let field = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, &lattice)?;
//! let (mut sink, mut buffer) = (vec![0; 8192], [0; 4096]);
//! let mut file = FieldWriter::create(&mut sink[..], &mut buffer, lattice)?;
//! file.write(&field.message(b""), Fill::sites(|site| site.put(&links[site.index()])))?;
//! file.finish()?;
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//! [`io::RecordWriter`], [`io::VolumeWriter`], [`io::ArchiveWriter`], [`io::SectionWriter`] and [`io::MatrixWriter`]
//! write files of the other formats. They are built on one encoder per format ([`Encode`]), which returns the bytes to
//! be written and works with any sink.
//!
//! # What is refused
//! Severity follows one principle, for checksums, lengths and recorded observables alike. If the data certainly differ
//! from what was written, that is an error. If a rule is broken but the data are unambiguous, it is a warning.
//! Unverified data are never reported as verified.
//!
//! A [`Mode`] selects which broken rules stop the reader with an error. The others are reported as findings, and
//! reading continues. [`Mode::Strict`] refuses every broken rule that the decoder checks, except remarks
//! ([`Severity::Info`]). `conformance::Decoder` checks all rules; `field::Decoder` checks the LIME framing and the
//! rules that affect the meaning of the data. [`Mode::Lenient`] refuses what makes data wrong or doubtful.
//! [`Mode::Survey`] refuses only what makes further reading impossible. See [`Severity`] and [`Class`].
//!
//! # Guarantees
//! * **No panic, no allocation.** With all features off (`default-features = false`), this is proved for every public
//!   function: programs that call them are linked without an allocator, and with a panic handler that calls an
//!   undefined function, so that linking fails if a panic is reachable. With `inflate`, which is a default feature,
//!   decompression uses other crates. It does not allocate. Its freedom from panics is tested by fuzzing, not proved.
//!   `deflate` allocates.
//! * **No endless loop.** Each step of a decoder consumes input, returns an event, or ends. Tests and fuzzing check
//!   this.
//! * **One pass.** Decoders read, and encoders write, from front to back. Seeking is needed by calls with `seek` in
//!   their name, and by [`io::VolumeReader`]. A NERSC header contains the
//!   checksum of the data: it is written again at the end, unless the checksum is known before.
//! * **Truncation is reported** by `finish`, or by the reader, with one exception. LIME and scda files do not store
//!   their number of messages or sections. A cut exactly between two of them is recognised only if the XML documents in
//!   the file describe data that are missing: a lattice without data, a field without its checksum.
//! * **The result does not depend on the chunks** of the input, nor on saving and loading the state between them
//!   ([`Resumable`]).
//! * **A verdict is never better than the checksum.** Data without a stored checksum are [`Verdict::Absent`], data
//!   that were not all read are [`Verdict::Unchecked`].
//!
//! # Messages and causes
//! The message of an error is complete: if an error wraps another one, its message contains the inner message. A
//! program that prints a chain of errors must not print that twice, so [`source`](core::error::Error::source) skips the
//! inner error, and returns the source of the inner error instead. The inner error itself is in the variant. Only
//! errors of the caller's reader or writer ([`io::ReadError::Io`], [`io::WriteError::Io`]) are not in the message:
//! `source` returns them.
//!
//! # Features
//! * `async`: the readers and writers of [`io`] over `embedded_io_async`.
//! * `contract`: calls that check the contract of [`Decode`], for fuzzing and for decoders of other crates.
//! * `crc-fast`, on by default, and `crc-small`: size and speed of the CRC-32 without `std`; see [`crc`].
//! * `deflate`: compresses scda sections; needs an allocator.
//! * `defmt`: `defmt::Format` on public types. The crate itself logs nothing.
//! * `inflate`, on by default: decompresses scda sections, and writes sections in the compressed layout without
//!   compressing them (in stored blocks of DEFLATE).
//! * `std`: `io::FromStd`, an adapter for sources and sinks of `std::io`, and a CRC-32 that uses the CRC instructions
//!   of the processor, if it has them (detected at run time).
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
//     nersc
//     field, usqcd
//     scidac, ildg
//     scda, inebin, lime, milc
//     xml
//     lattice

pub mod conformance;
mod engine;
mod errors;
pub mod field;
pub mod guide;
pub mod ildg;
pub mod inebin;
pub mod io;
pub mod lattice;
pub mod lime;
pub mod milc;
pub mod nersc;
mod saved;
pub mod scda;
pub mod scidac;
pub mod sniff;
pub mod usqcd;
mod util;
pub mod volume;
pub mod xml;

#[cfg(feature = "contract")]
pub use engine::contract;
pub use util::crc;

// Short paths inside the crate.
use engine::{callback, encode, machine, payload, step};
use errors::{error, failed, limits, messages, rules, verdict};
use saved::state;
use util::{bytes, counter};

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
