//! Checking files against the rules of ILDG 1.2, section 2 and appendix A.1, and of QIO 2.3 with its appendix A.
//!
//! [`field::Decoder`](crate::field::Decoder) reads whatever can be read. [`Decoder`] reads in the same way and, in
//! the same pass, also checks rules that readers do not depend on. Is there exactly one logical file name? Are the
//! elements of `ildgFormat` in the order and the namespace of the schema? Does each message have the required
//! records, in the required order? Are several gauge fields distinguished by their updates? Each finding has its
//! clause ([`ErrorKind::clause`](crate::Diagnostic::clause)), its absolute offset and a
//! [`Severity`](crate::Severity); the [`Mode`](crate::Mode) decides which of them end the reading.
//!
//! The rules of ILDG are not applied to files without ILDG records. Memory is bounded: up to 16 pairs of kind and
//! update of the gauge fields of a file are remembered; if there are more, a finding reports that their uniqueness
//! is no longer checked.
//!
//! [`Boundaries`] checks the links themselves: unphysical links must be on the last slice of their direction, and
//! then all links of that direction on that slice must be unphysical (ILDG 1.2, section 2.5.1).
//!
//! In files with documents of [`usqcd`](crate::usqcd), these are checked as well, and in propagator files number,
//! order, sites and datatypes of the records. The texts are not kept, so that they can have any length.
//!
//! A file with documents of a lattice and no data is an error, since LIME cannot show that it was cut off between two
//! records. Elements of a SciDAC record that contradict its datatype are an error if the width or the number of the
//! numbers is not certain, else a remark. Documents and the texts of the user are checked for being well-formed XML as
//! far as bounded memory allows: names of nested elements down to a depth of 8, no repeated attributes. Texts of the user
//! that do not begin like XML are only checked for UTF-8.
//!
//! Not checked: what needs the metadata catalogue (whether update and logical file name are those of the
//! configuration, whether names of groups are registered), and names of attributes, of which the schema has none.
//!
//! # Which decoder
//! | | [`field::Decoder`](crate::field::Decoder) | [`conformance::Decoder`](Decoder) |
//! | --- | --- | --- |
//! | LIME framing | yes | yes |
//! | documents that cannot be interpreted | the first error of each | all errors |
//! | data without a description, or of another length | yes | yes |
//! | checksum mismatch | yes | yes |
//! | order, number and presence of records; names; updates | no | yes |
//! | schema: order of elements, namespace, version | no | yes |
//! | well-formed XML beyond what reading needs; texts of the user | no | yes |
//! | contradictions within a SciDAC record; a file without data | no | yes |
//!
//! Programs that validate files use this module. Programs that only read data, in particular on microcontrollers, do
//! not need it.
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

mod append;
mod boundary;
mod contradiction;
mod decoder;
mod findings;
mod message;
mod propagator;
mod rules;
mod solutions;
mod text;
mod text_kind;

pub use boundary::{Boundaries, OpenDirection};
pub use decoder::Decoder;
