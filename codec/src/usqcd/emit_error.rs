//! Why a document is not written.

use super::element::Element;
use crate::messages::messages;
use crate::xml;

messages! {
    /// Why a document was not written.
    ///
    /// # Example
    /// ```
    /// use linkstream::usqcd::{Document, Element, EmitError};
    ///
    /// let refused = Document::source(b"</info>").emit(&mut [0; 256]);
    /// assert_eq!(refused, Err(EmitError::Text(Element::Info)));
    /// ```
    pub enum EmitError {
        /// The buffer does not hold it.
        Xml(error: xml::EmitError) => (..error),
        /// The text of this element is not well-formed XML or contains a NUL: readers would see another text.
        Text(element: Element) => (
            "the text of <{element}> is not well-formed XML (write & as &amp; and < as &lt;) or contains a NUL"
        ),
        /// Spin or color is out of range.
        Label => ("a label is a spin from 0 to 3 and a color from 0 to 2, and only of documents that have these elements"),
    }
}

impl From<xml::EmitError> for EmitError {
    fn from(error: xml::EmitError) -> Self {
        Self::Xml(error)
    }
}
