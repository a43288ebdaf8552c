//! The flat XML dialect of SciDAC and ILDG records, parsed byte by byte in bounded memory.
//!
//! A document is one root element with a flat list of elements in any order; only `ildgFormat` has a fixed one.
//! Unknown attributes and elements are skipped, nested ones with all their content. The only attributes with a
//! meaning are the declarations of namespaces on the root, for `ildgFormat`.
//! The documents of QIO, MILC, tmLQCD and Grid can be read. Accepted beyond what QIO's own reader accepts: comments
//! anywhere, `<a />`, white space of every kind in lists, the five named entities, character references and CDATA
//! (decoded), names of any length.
//! The text ends at the first NUL, as in QIO. A document type declaration is refused.
//!
//! The parser keeps one value of up to [`MAX_VALUE`] bytes, never a document. All documents are read by one reader
//! (`deliver.rs`), which asks each of them where a value goes.

mod declaration;
mod deliver;
pub(crate) mod element;
mod emit;
mod error;
mod outline;
mod parser;
mod value;
mod well_formed;

pub use element::Element;
pub use emit::{EmitError, Form};
pub use error::{ErrorKind, NumberFault};
pub use value::MAX_VALUE;

pub(crate) use declaration::{Namespaces, Scope, Unjudged};
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
    for (at, byte) in (0_u64..).zip(bytes) {
        let mut found = parser.push(*byte, at, schema, &mut names);
        if found == Found::Element {
            found = parser.deliver(document, &names);
        }
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
