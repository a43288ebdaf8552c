//! What can be wrong with a document.

use core::fmt;

use super::element::Element;
use crate::error::{Class, Diagnostic, Severity};
use crate::lattice::{ExtentsError, HypercubeError};

/// What is wrong with a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum NumberFault {
    /// There is none.
    Empty,
    /// Something else than digits and white space.
    NotDigits,
    /// A sign: none of these numbers can be negative.
    Signed,
    /// More than 32 bits.
    TooLarge,
    /// More numbers in a list than lattices have dimensions.
    TooMany,
}

/// What is wrong with a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ErrorKind {
    /// The record has no text.
    Empty,
    /// The text is not an XML document.
    NotXml,
    /// The root element is not the one that the record's type demands.
    WrongRoot {
        /// The one it demands.
        expected: &'static str,
    },
    /// The text ends before the root element does.
    Unclosed,
    /// An end tag that closes nothing, or another element.
    StrayEndTag,
    /// Text between elements.
    StrayText,
    /// An attribute's closing quote is missing. The tag is taken to end at its first `>`.
    AttributeUnclosed,
    /// A tag that is not well-formed.
    BadTag,
    /// A reference to an entity that XML does not define.
    BadEntity,
    /// A document type declaration.
    Doctype,
    /// Something follows the root element.
    TextBehind,
    /// A required element is missing.
    Missing(Element),
    /// An element is given twice.
    Duplicate(Element),
    /// A value is longer than is kept.
    TooLong {
        /// Of which element.
        element: Element,
        /// How long it is, in bytes.
        length: u32,
        /// How long it may be.
        limit: u32,
    },
    /// An element that must hold text holds elements.
    Nested(Element),
    /// A value is not UTF-8.
    NotText(Element),
    /// A value is not the number that it must be.
    Number(Element, NumberFault),
    /// A value is not one of those that the document allows.
    Value(Element),
    /// An element that the schema does not have. It is passed over.
    ElementUnknown,
    /// An element behind one that the schema wants behind it.
    ElementOrder(Element),
    /// The document is in no namespace.
    NamespaceMissing,
    /// The document, or an element of it, is not in the namespace of the schema.
    NamespaceOther,
    /// `rows` in a document of a version that did not have it.
    RowsTooEarly,
    /// A version of the document that is not known; its elements are read all the same.
    Version,
    /// The dimensions announced and those listed differ in number.
    Dimensions {
        /// Announced by `spacetime`.
        spacetime: u32,
        /// Listed.
        listed: u8,
    },
    /// The extents are not those of a lattice.
    Extents(ExtentsError),
    /// The bounds are not those of a box of the lattice.
    Hypercube(HypercubeError),
}

impl Diagnostic for ErrorKind {
    fn class(&self) -> Class {
        match self {
            Self::TooLong { .. }
            | Self::Number(_, NumberFault::TooLarge | NumberFault::TooMany)
            | Self::Extents(ExtentsError::Overflow | ExtentsError::Dimensions { .. }) => Class::Limit,
            Self::Doctype => Class::Unsupported,
            Self::Version => Class::Version,
            _ => Class::Format,
        }
    }

    fn severity(&self) -> Severity {
        match self {
            // Other writers do so, and no reader minds.
            Self::ElementUnknown | Self::NamespaceMissing | Self::RowsTooEarly => Severity::Info,
            Self::AttributeUnclosed
            | Self::TextBehind
            | Self::ElementOrder(_)
            | Self::NamespaceOther
            // Nothing depends on these texts.
            | Self::TooLong { element: Element::Date | Element::Datatype, .. }
            | Self::Version
            | Self::Missing(
                Element::Version | Element::Spacetime | Element::Volfmt | Element::Datatype | Element::Field,
            ) => Severity::Warning,
            _ => Severity::Error,
        }
    }

    fn rule(&self) -> &'static str {
        match self {
            Self::Empty => "xml-empty",
            Self::NotXml => "xml-not-xml",
            Self::WrongRoot { .. } => "xml-wrong-root",
            Self::Unclosed => "xml-unclosed",
            Self::StrayEndTag => "xml-stray-end-tag",
            Self::StrayText => "xml-stray-text",
            Self::AttributeUnclosed => "xml-attribute-unclosed",
            Self::BadTag => "xml-bad-tag",
            Self::BadEntity => "xml-bad-entity",
            Self::Doctype => "xml-doctype",
            Self::TextBehind => "xml-text-behind",
            Self::Missing(_) => "xml-element-missing",
            Self::Duplicate(_) => "xml-element-duplicate",
            Self::TooLong { .. } => "xml-value-too-long",
            Self::Nested(_) => "xml-value-nested",
            Self::NotText(_) => "xml-value-not-text",
            Self::Number(_, NumberFault::Signed) => "xml-number-signed",
            Self::Number(_, NumberFault::TooLarge) => "xml-number-too-large",
            Self::Number(_, NumberFault::TooMany) => "xml-too-many-numbers",
            Self::Number(_, _) => "xml-not-a-number",
            Self::Value(_) => "xml-value",
            Self::ElementUnknown => "xml-element-unknown",
            Self::ElementOrder(_) => "xml-element-order",
            Self::NamespaceMissing => "xml-namespace-missing",
            Self::NamespaceOther => "xml-namespace",
            Self::RowsTooEarly => "xml-rows-version",
            Self::Version => "xml-version",
            Self::Dimensions { .. } => "xml-dimensions",
            Self::Extents(_) => "xml-extents",
            Self::Hypercube(_) => "xml-hypercube",
        }
    }

    /// What XML itself demands; all else is of the document, see [`field::ErrorKind`](crate::field::ErrorKind).
    fn clause(&self) -> &'static str {
        match self {
            Self::NotXml
            | Self::Unclosed
            | Self::StrayEndTag
            | Self::AttributeUnclosed
            | Self::BadTag
            | Self::BadEntity
            | Self::TextBehind => "XML 1.0, section 2.1",
            Self::RowsTooEarly => "ILDG 1.2, section 2.3",
            Self::ElementUnknown | Self::ElementOrder(_) | Self::NamespaceMissing | Self::NamespaceOther => {
                "ILDG 1.2, appendix A.1"
            }
            _ => "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the record is empty where an XML document must stand"),
            Self::NotXml => f.write_str("the record is not an XML document"),
            Self::WrongRoot { expected } => write!(f, "the root element must be <{expected}>"),
            Self::Unclosed => f.write_str("the XML document ends before its root element is closed"),
            Self::StrayEndTag => f.write_str("an end tag closes another element than the one that is open"),
            Self::StrayText => f.write_str("there is text between the elements"),
            Self::AttributeUnclosed => f.write_str("the closing quote of an attribute is missing"),
            Self::BadTag => f.write_str("a tag is not well-formed"),
            Self::BadEntity => f.write_str("a reference to an entity that XML does not define"),
            Self::Doctype => f.write_str("document type declarations are not read"),
            Self::TextBehind => f.write_str("something follows the end of the XML document"),
            Self::Missing(element) => write!(f, "the element <{}> is missing", element.as_str()),
            Self::Duplicate(element) => write!(f, "the element <{}> is given twice", element.as_str()),
            Self::TooLong { element, length, limit } => write!(
                f,
                "the value of <{}> is {length} bytes long; at most {limit} are kept",
                element.as_str()
            ),
            Self::Nested(element) => {
                write!(f, "the element <{}> must hold a value, not other elements", element.as_str())
            }
            Self::NotText(element) => write!(f, "the value of <{}> is not UTF-8 text", element.as_str()),
            Self::Number(element, fault) => {
                let name = element.as_str();
                match fault {
                    NumberFault::Empty => write!(f, "the element <{name}> holds no number"),
                    NumberFault::NotDigits => write!(f, "the value of <{name}> is not a number"),
                    NumberFault::Signed => write!(f, "the number in <{name}> has a sign"),
                    NumberFault::TooLarge => write!(f, "the number in <{name}> does not fit in 32 bits"),
                    NumberFault::TooMany => write!(f, "<{name}> lists more than 8 numbers"),
                }
            }
            Self::Value(element) => {
                write!(
                    f,
                    "the value of <{}> is not allowed: it must be {}",
                    element.as_str(),
                    allowed(*element)
                )
            }
            Self::ElementUnknown => f.write_str("the schema has no such element; it is passed over"),
            Self::ElementOrder(element) => {
                write!(f, "the element <{}> stands behind one that must follow it", element.as_str())
            }
            Self::NamespaceMissing => f.write_str("the document is in no namespace; xmlns is missing"),
            Self::NamespaceOther => f.write_str("the namespace is not http://www.lqcd.org/ildg"),
            Self::RowsTooEarly => f.write_str(
                "<rows> came with version 1.2: readers of the version that the document gives pass it over",
            ),
            Self::Version => f.write_str("the document has a version that is not known"),
            Self::Dimensions { spacetime, listed } => {
                write!(f, "{spacetime} dimensions are announced, but {listed} are listed")
            }
            Self::Extents(error) => error.fmt(f),
            Self::Hypercube(error) => error.fmt(f),
        }
    }
}

/// What the documents allow as the value of an element.
const fn allowed(element: Element) -> &'static str {
    match element {
        Element::Volfmt => "0 for a single file, or 1 to 3 for volumes",
        Element::Recordtype => "0 for a field, 1 for global data, or 2 for a hypercube",
        Element::Globaldata => "0 for a field or 1 for global data",
        Element::Typesize | Element::Datacount => "at least 1",
        Element::Field => "a name such as su3gauge, u2gauge, so4gauge, sp4gauge or u1phase",
        Element::Rows => "the number of colors, or that of the rows in reduced storage",
        Element::Precision => "32 or 64",
        _ => "another",
    }
}
