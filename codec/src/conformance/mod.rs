//! Judging files: the rules of ILDG 1.2, section 2 and appendix A.1, and of QIO 2.3.
//!
//! [`field::Decoder`](crate::field::Decoder) reads whatever can be read. [`Decoder`] is the same with a judge: in one
//! pass it also checks what no reader depends on. Is there a logical file name, and one only? Are the elements of
//! `ildgFormat` in the order of its schema, and in its namespace? Does each message have the records that it must have,
//! in their order? Are several gauge fields distinguished by their updates? Each finding has its clause
//! ([`ErrorKind::clause`](crate::Diagnostic::clause)), its absolute offset and a
//! [`Severity`](crate::Severity); the [`Mode`](crate::Mode) decides which of them end the reading.
//!
//! A file without ILDG records is not judged by the rules of ILDG. What must be remembered is bounded: up to 16 pairs
//! of kind and update of the gauge fields of a file, and a finding says when there are more.
//!
//! [`Boundaries`] checks what only the links can show: that links are absent on the last slice of a direction, all of
//! them, and nowhere else (ILDG 1.2, section 2.5.1).
//!
//! Not judged: what only the metadata can show (that update and name are those of the configuration, registered names
//! of groups), and attributes, of which the schema has none.
//!
//! # Which decoder
//! | | [`field::Decoder`](crate::field::Decoder) | [`conformance::Decoder`](Decoder) |
//! | --- | --- | --- |
//! | LIME framing | yes | yes |
//! | documents that cannot be interpreted | the first error of each | all errors |
//! | data that nothing describes, or of another length | yes | yes |
//! | checksum that differs | yes | yes |
//! | order, number and presence of records; names; updates | no | yes |
//! | schema: order of elements, namespace, version | no | yes |
//!
//! Programs that validate files use this module; those that read data, above all on small machines, do not need it.
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
mod decoder;
mod findings;
mod message;
mod rules;
mod text;
mod text_kind;

pub use boundary::{Boundaries, OpenDirection};
pub use decoder::Decoder;
