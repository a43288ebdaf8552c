//! The flat XML dialect of SciDAC and ILDG records, parsed byte by byte in bounded memory.
//!
//! A document is one root element with a flat list of elements. The parser keeps one value of up to [`MAX_VALUE`]
//! bytes, never a document, and accepts the documents of QIO, MILC, tmLQCD and Grid. The types of this module belong to
//! the documents of [`scidac`](crate::scidac) and [`ildg`](crate::ildg): names of elements, errors, and forms of
//! writing.
//!
//! # Example
//! ```
//! use linkstream::Diagnostic;
//! use linkstream::scidac::PrivateFile;
//! use linkstream::xml::{ElementName, ErrorKind};
//!
//! let document = b"<scidacFile><version>1.1</version><spacetime>2</spacetime><volfmt>0</volfmt></scidacFile>";
//! let error = PrivateFile::parse(document).err().ok_or("dims is missing")?;
//! assert_eq!(error.kind, ErrorKind::Missing(ElementName::Dims));
//! assert_eq!(error.kind.rule(), "xml-element-missing");
//! # Ok::<(), &str>(())
//! ```
#![doc = include_str!("../guide/items.txt")]
#![doc = include_str!("reference.md")]

// All documents are read by one reader (`deliver.rs`), which asks each of them for the place of a value.

mod declaration;
mod deliver;
pub(crate) mod element;
mod emit;
mod error;
mod outline;
mod parser;
mod value;
mod well_formed;

pub use element::ElementName;
pub use emit::{EmitError, Spacing};
pub use error::{ErrorKind, NumberFault};
pub use value::{MAX_DEPTH, MAX_DOCUMENT, MAX_ELEMENTS, MAX_VALUE};

pub(crate) use declaration::{Namespaces, Unjudged};
pub(crate) use deliver::{Document, Problems, Slot, Value};
pub(crate) use element::{Schema, Seen, Text};
pub(crate) use emit::Emitter;
pub(crate) use error::Found;
pub(crate) use outline::{Item, Outline, is_value};
pub(crate) use parser::Parser;
pub(crate) use well_formed::WellFormed;

use crate::error::{Diagnostic as _, Error, Severity};

/// Reads a document that is completely in memory. The offset of an error is counted from its first byte. Rules of
/// [`Severity::Info`] are ignored.
pub(crate) fn read<D: Document + Default>(bytes: &[u8]) -> Result<D, Error<ErrorKind>> {
    let mut document = D::default();
    read_into(bytes, &mut document)?;
    Ok(document)
}

fn read_into(bytes: &[u8], document: &mut dyn Document) -> Result<(), Error<ErrorKind>> {
    let schema = document.schema();
    let mut parser = Parser::START;
    let mut names = Namespaces::new(schema.namespaced);
    let refuse = |error: Error<ErrorKind>| match error.kind.severity() {
        Severity::Info => Ok(()),
        _ => Err(error),
    };
    let mut elements = 0;
    for (at, byte) in (0_u64..).zip(bytes) {
        let found = if at == MAX_DOCUMENT as u64 {
            parser.refuse()
        } else {
            match parser.take(&mut elements, schema, &mut names, *byte, at) {
                Found::Element => parser.deliver(document, &names),
                found => found,
            }
        };
        if found.is_fault() {
            refuse(parser.error(found, at, schema))?;
        }
    }
    let end = parser.end();
    if end.is_fault() {
        return Err(parser.error(end, bytes.len() as u64, schema));
    }
    for kind in document.problems() {
        refuse(Error::new(0, kind))?;
    }
    Ok(())
}
