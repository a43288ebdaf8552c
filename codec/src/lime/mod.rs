//! LIME: records grouped into messages, independent of the content of the records.
//!
//! A file is any number of records; a record is a header of 144 bytes ([`Header`]), its payload, and zero bytes up to a
//! multiple of 8. [`Decoder`] reads and [`Encoder`] writes. Both are state machines that never store payload. The
//! content of the records is defined by [`scidac`](crate::scidac) and [`ildg`](crate::ildg).
//!
//! # Example
//! ```
//! use linkstream::Encode;
//! use linkstream::lime::{Decoder, Encoder, Event, Header};
//! use linkstream::{Decode, Mode};
//!
//! // Write one message of one record.
//! let mut file = [0; 168];
//! let mut encoder = Encoder::new();
//! let text = b"LIME test message";
//! let header = encoder.begin(&Header::new(b"lime-test-text", 17, true, true)?)?;
//! file[..144].copy_from_slice(header);
//! encoder.payload(17)?;
//! file[144..161].copy_from_slice(text);
//! let padding = encoder.end()?;
//! file[161..].copy_from_slice(padding);
//! encoder.finish()?;
//!
//! // Read it, in pieces of 10 bytes.
//! let mut decoder = Decoder::new(Mode::Strict);
//! let mut read = Vec::new();
//! for mut piece in file.chunks(10) {
//!     loop {
//!         let step = decoder.push(piece)?;
//!         let (bytes, rest) = piece.split_at(step.consumed);
//!         piece = rest;
//!         match step.event {
//!             Some(Event::Record(record)) => assert_eq!(record.length, 17),
//!             Some(Event::Payload) => read.extend_from_slice(bytes),
//!             Some(_) => {}
//!             None => break,
//!         }
//!     }
//! }
//! while decoder.finish()?.is_some() {}
//! assert_eq!(read, text);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
#![doc = include_str!("../guide/items.txt")]
#![doc = include_str!("reference.md")]

mod coverage;
mod decode;
mod encode;
mod error;
mod event;
mod header;
mod saved;

pub use coverage::MAX_PIECES;
pub use decode::Decoder;
pub use encode::Encoder;
pub use error::{EncodeErrorKind, ErrorKind};
pub(crate) use event::Signal;
pub use event::{Event, Record};
pub use header::{HEADER_LEN, Header, MAGIC, MAX_TYPE_LEN, VERSION, padding};
