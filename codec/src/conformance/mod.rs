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
//! # The requirements of ILDG 1.2
//! The table lists the requirements of section 2 and appendix A.1 with the rules that check them. `…` stands for the
//! rest of a name.
//!
//! | requirement | rules |
//! | --- | --- |
//! | 2.1: the file is a LIME file | `lime-…` |
//! | 2.2: types are compared case sensitively | none: another type is another record |
//! | 2.2: `ildg-` is reserved | `ildg-type-unknown` |
//! | 2.2: a file has data | `file-without-data` |
//! | 2.2: format and data in one message | `data-undescribed`, `data-described-in-another-message`, `data-missing`; `ildg-format-missing` where SciDAC documents describe the data |
//! | 2.2: format before the data | `ildg-format-behind-data`; two of them: `ildg-format-repeated` |
//! | 2.2: update between the two | `ildg-update-misplaced`, `ildg-update-repeated` |
//! | 2.2, 2.4: with two fields of a kind, or of different updates, every message has an update | `ildg-update-missing` |
//! | 2.2: field and update name a message uniquely | `ildg-field-repeated`; `ildg-fields-not-judged` for more fields than are remembered |
//! | 2.2: characters of the text records | `ildg-text-byte`; bytes after a NUL are ignored |
//! | 2.2: every file has its identifier | `ildg-lfn-missing`, `ildg-lfn-repeated` |
//! | 2.3, 2.5: the data are those that the format describes | `data-length`, `data-length-overflow`, `descriptions-differ` |
//! | 2.3: `rows` in files before 1.2 | `xml-rows-version` |
//! | 2.4: the update is a string of digits | `ildg-update-not-digits` |
//! | 2.5.1: values of `rows` | `xml-value` |
//! | 2.5.1: unphysical links | `ildg-link-unphysical`, `ildg-boundary-mixed`, found by [`Boundaries`] |
//! | 2.6: the name is a single string | `ildg-lfn-empty`, `ildg-lfn-not-single` |
//! | A.1: an XML document of this root | `xml-…` |
//! | A.1: namespace, elements qualified | `xml-namespace-missing`, `xml-namespace` |
//! | A.1: these elements, each once, in this order | `xml-element-missing`, `xml-element-duplicate`, `xml-element-order`, `xml-element-unknown` |
//! | A.1: types of their values | `xml-value`, `xml-number-…`, `xml-not-a-number`, `xml-extents`; a version that no revision has: `xml-version` |
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

mod boundary;
mod decoder;
mod document;
mod error;
mod propagator;
mod rules;

pub use boundary::{Boundaries, OpenDirection};
pub use decoder::{Decoder, Event};
pub use error::{ErrorKind, Place, UserText};
