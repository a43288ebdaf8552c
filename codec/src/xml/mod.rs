//! The flat XML dialect of SciDAC and ILDG records, read byte by byte in bounded memory.
//!
//! A document is one root element with a flat list of elements, in any order, which only `ildgFormat`
//! fixes; attributes and elements that are not known are passed over, nested ones with all they hold. Of
//! attributes only the declarations of namespaces on the root mean something, and only for `ildgFormat`.
//! What QIO, MILC, tmLQCD and Grid write is read. Beyond what QIO's own reader takes: comments anywhere,
//! `<a />`, white space of every kind in lists, the five named entities, character references and CDATA
//! (decoded), names of any length.
//! The text ends at the first NUL, as in QIO. A document type declaration is refused.
//!
//! The parser keeps one value of up to [`MAX_VALUE`] bytes, never a document.

mod element;
mod emit;
mod error;
mod namespace;
mod parser;
mod value;

pub use element::Element;
pub use emit::{EmitError, Form};
pub use error::{ErrorKind, NumberFault};
pub use parser::MAX_VALUE;

pub(crate) use element::Seen;
pub(crate) use emit::Emitter;
pub(crate) use parser::Parser;
pub(crate) use value::{cut_text, hexadecimal, number, numbers, text};

use crate::error::{Diagnostic as _, Error, Severity};

/// One of the documents whose elements have a meaning here.
pub(crate) trait Document: Clone + Default {
    /// Name of the root element.
    const ROOT: &'static str;
    /// The elements that mean something in this document. Others are passed over with all they hold.
    const ELEMENTS: &'static [Element];

    /// The elements are of the namespace of the schema of ILDG, and those that the schema does not have are
    /// told.
    const NAMESPACED: bool = false;

    /// Takes the value of one of those elements. What it finds wrong, if that is less than damage, it takes
    /// all the same.
    fn element(&mut self, element: Element, value: &[u8]) -> Result<(), ErrorKind>;

    /// What is wrong with the document as a whole, now that it has ended: missing elements, values that
    /// contradict each other. In a fixed order, `None` behind the last.
    fn audit(&self, index: usize) -> Option<ErrorKind>;
}

/// Reads a document that lies in memory as a whole; `at` in errors counts from its first byte. Notes are passed
/// over.
pub(crate) fn read<D: Document>(bytes: &[u8]) -> Result<D, Error<ErrorKind>> {
    let mut parser = Parser::new();
    let mut document = D::default();
    let is_error = |kind: &ErrorKind| kind.severity() > Severity::Info;
    for (at, byte) in (0_u64..).zip(bytes) {
        let checked = parser.check(*byte, D::ROOT, D::NAMESPACED);
        if let Some(kind) = checked.err().filter(is_error) {
            return Err(Error::new(at, kind));
        }
        if parser.completes_element(*byte)
            && let Some(kind) = parser.deliver(&mut document).err().filter(is_error)
        {
            return Err(Error::new(parser.element_at(), kind));
        }
        parser.consume(*byte, at);
    }
    if let Some(kind) = parser.end() {
        return Err(Error::new(bytes.len() as u64, kind));
    }
    let mut index = 0_usize;
    while let Some(kind) = document.audit(index) {
        if is_error(&kind) {
            return Err(Error::new(0, kind));
        }
        index = index.saturating_add(1);
    }
    Ok(document)
}
