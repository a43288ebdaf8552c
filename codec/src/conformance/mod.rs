//! Checks of files against the rules of ILDG 1.2, section 2 and appendix A.1, and of QIO 2.3 with its appendix A; and
//! the reference of these rules.
//!
//! [`field::Decoder`](crate::field::Decoder) reads whatever can be read. [`Decoder`] reads in the same way and, in
//! the same pass, also checks rules that readers do not depend on. Is there exactly one logical file name? Are the
//! elements of `ildgFormat` in the order and the namespace of the schema? Does each message have the required
//! records, in the required order? Are several gauge fields distinguished by their updates?
//!
//! # Example
//! ```
//! use linkstream::conformance::Decoder;
//! use linkstream::field::Event;
//! use linkstream::io::Reader;
//! use linkstream::lime::Header;
//! use linkstream::{Diagnostic, Mode};
//!
//! // A record in the namespace of ILDG that ILDG does not define.
//! let file = *Header::new(b"ildg-comment", 0, true, true)?.as_bytes();
//! let mut buffer = [0; 256];
//! let mut reader = Reader::new(file.as_slice(), &mut buffer, Decoder::new(Mode::Lenient));
//! let mut rules = Vec::new();
//! while let Some(event) = reader.next()? {
//!     if let Event::Finding(error) = event {
//!         rules.push((error.kind.rule(), error.kind.clause()));
//!     }
//! }
//! assert_eq!(rules, [("ildg-type-unknown", "ILDG 1.2, section 2.2")]);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
#![doc = include_str!("../guide/items.txt")]
#![doc = include_str!("reference.md")]

mod boundary;
mod decoder;
mod document;
mod error;
mod propagator;
mod rules;

pub use boundary::{Boundaries, OpenDirection};
pub use decoder::{Decoder, Event};
pub use error::{ErrorKind, LinkPlace, UserText};
