//! Errors of XML documents, and the results of the parser at each byte.

use super::element::ElementName;
use crate::error::Severity;
use crate::lattice::{ExtentsError, HypercubeError};
use crate::rules::rules;
use crate::state::saved;

/// Reason why a number is invalid.
///
/// # Example
/// ```
/// use linkstream::scidac::StoredChecksum;
/// use linkstream::xml::{ElementName, ErrorKind, NumberFault};
///
/// let document = b"<scidacChecksum><version>1.0</version><suma>-1</suma><sumb>2</sumb></scidacChecksum>";
/// let error = StoredChecksum::parse(document).err().ok_or("no sum is negative")?;
/// assert!(matches!(error.kind, ErrorKind::Number(ElementName::Suma, NumberFault::Signed | NumberFault::NotDigits)));
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum NumberFault {
    /// The element is empty.
    Empty,
    /// It contains characters other than digits and white space.
    NotDigits,
    /// It has a sign; none of these numbers can be negative.
    Signed,
    /// It does not fit in 32 bits.
    TooLarge,
    /// A list of more than 8 numbers, the maximum number of dimensions.
    TooMany,
}

rules! {
    /// The errors of XML documents.
    ///
    /// The clause is one of XML if the document is not well-formed. Other clauses depend on the kind of document:
    /// [`field::ErrorKind`](crate::field::ErrorKind) returns the clause for the record that contains it.
    ///
    /// # Example
    /// ```
    /// use linkstream::Diagnostic;
    /// use linkstream::xml::{ElementName, ErrorKind};
    ///
    /// let kind = ErrorKind::ElementOrder(ElementName::Lx);
    /// assert_eq!((kind.rule(), kind.to_string().as_str()), ("xml-element-order", "element <lx> is out of order"));
    /// ```
    pub const enum ErrorKind {
        /// The record is empty.
        Empty => (
            "xml-empty", Error, Format, "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1",
            "the record is empty; it must contain an XML document"
        ),
        /// The text is not an XML document.
        NotXml => ("xml-not-xml", Error, Format, "XML 1.0, section 2.1", "the record is not an XML document"),
        /// The root element is not the one that the record's type requires.
        WrongRoot {
            /// Name of the required root element.
            expected: &'static str,
        } => (
            "xml-wrong-root", Error, Format, "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1",
            "the root element must be <{expected}>"
        ),
        /// The text ends before the root element is closed.
        Unclosed => (
            "xml-unclosed", Error, Format, "XML 1.0, section 2.1",
            "the XML document ends before its root element is closed"
        ),
        /// An end tag that does not match the open element.
        StrayEndTag => (
            "xml-stray-end-tag", Error, Format, "XML 1.0, section 2.1",
            "an end tag does not match the element that is open"
        ),
        /// The end tag of the root element differs from its start tag in capital and small letters. GLU writes
        /// `</ScidacFile>` after `<scidacFile>`.
        EndTagCase => (
            "xml-end-tag-case", Warning, Format, "XML 1.0, section 3",
            "the end tag of the root element differs from its start tag in capital and small letters"
        ),
        /// Text between elements.
        StrayText => (
            "xml-stray-text", Error, Format, "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1",
            "there is text between the elements"
        ),
        /// The closing quote of an attribute of the root is missing. The tag is assumed to end at the `>` before the
        /// next `<`.
        AttributeUnclosed => (
            "xml-attribute-unclosed", Warning, Format, "XML 1.0, section 2.1",
            "the closing quote of an attribute is missing"
        ),
        /// A tag that is not well-formed.
        BadTag => ("xml-bad-tag", Error, Format, "XML 1.0, section 2.1", "a tag is not well-formed"),
        /// A reference to an entity that XML does not define.
        BadEntity => (
            "xml-bad-entity", Error, Format, "XML 1.0, section 2.1",
            "a reference to an entity that XML does not define"
        ),
        /// A document type declaration.
        Doctype => (
            "xml-doctype", Error, Unsupported, "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1",
            "document type declarations are not supported"
        ),
        /// The document exceeds a limit of this crate, so that reading it takes bounded time:
        /// [`MAX_DOCUMENT`](super::MAX_DOCUMENT), [`MAX_ELEMENTS`](super::MAX_ELEMENTS) or
        /// [`MAX_DEPTH`](super::MAX_DEPTH). The rest of it is not read.
        TooLarge => (
            "xml-document-too-large", Error, Limit, "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1",
            "the document is too large: at most 131072 bytes, 256 elements and 64 levels are read"
        ),
        /// Text other than comments and white space follows the root element.
        TextBehind => (
            "xml-text-behind", Warning, Format, "XML 1.0, section 2.1",
            "the root element is followed by other text"
        ),
        /// White space or a comment precedes the XML declaration. Parsers such as expat refuse such a document.
        SpaceBeforeDeclaration => (
            "xml-space-before-declaration", Warning, Format, "XML 1.0, section 2.8",
            "the XML declaration is not at the very start of the document"
        ),
        /// An attribute without value, without quotes, or without white space before it.
        AttributeSyntax => (
            "xml-attribute", Info, Format, "XML 1.0, section 3.1", "an attribute must be written as name=\"value\""
        ),
        /// `]]>` outside a CDATA section.
        CdataEnd => ("xml-cdata-end", Info, Format, "XML 1.0, section 2.4", "]]> must not occur in text"),
        /// `--` in a comment.
        CommentHyphens => (
            "xml-comment", Info, Format, "XML 1.0, section 2.5", "two hyphens must not occur in a comment"
        ),
        /// The attributes of the XML declaration are not version, encoding and standalone in this order; only
        /// the version is required.
        Declaration => (
            "xml-declaration", Info, Format, "XML 1.0, section 2.8",
            "the XML declaration is not written as <?xml version=\"1.0\" encoding=\"UTF-8\"?>"
        ),
        /// The version in the XML declaration is not 1.x.
        DeclaredVersion => (
            "xml-declared-version", Info, Version, "XML 1.0, section 2.8",
            "the XML declaration has an unknown version of XML"
        ),
        /// The encoding in the XML declaration has units of 16 or 32 bits, but the declaration could be read as bytes.
        DeclaredEncoding => (
            "xml-declared-encoding", Info, Format, "XML 1.0, section 4.3.3",
            "the XML declaration has an encoding of 16 or 32 bits, but the text consists of single bytes"
        ),
        /// The text is not UTF-8, and its declaration has no other encoding.
        NotUtf8 => ("xml-not-utf8", Info, Format, "XML 1.0, section 4.3.3", "the text is not UTF-8"),
        /// A required element is missing.
        Missing(element: ElementName) =>
            // The data can be read without these elements.
            (
                "xml-element-missing" if matches!(
                    element,
                    ElementName::Version
                        | ElementName::Spacetime
                        | ElementName::Volfmt
                        | ElementName::Datatype
                        | ElementName::Field
                ),
                Warning, Format, "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1", "element <{element}> is missing"
            )
            (
                "xml-element-missing", Error, Format, "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1",
                "element <{element}> is missing"
            ),
        /// An element is given twice.
        Duplicate(element: ElementName) => (
            "xml-element-duplicate", Error, Format, "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1",
            "duplicate element <{element}>"
        ),
        /// A value is longer than this crate can store.
        TooLong {
            /// Name of the element.
            element: ElementName,
            /// The length of its value in bytes.
            length: u32,
            /// The maximum length in bytes.
            limit: u32,
        } =>
            (
                "xml-value-too-long" if element.may_be_cut(),
                Warning, Limit, "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1",
                "the value of <{element}> has {length} bytes; at most {limit} are kept"
            )
            (
                "xml-value-too-long", Error, Limit, "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1",
                "the value of <{element}> has {length} bytes; at most {limit} are kept"
            ),
        /// An element that must contain text contains elements.
        Nested(element: ElementName) => (
            "xml-value-nested", Error, Format, "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1",
            "element <{element}> must contain a value, not other elements"
        ),
        /// A value is not UTF-8.
        NotText(element: ElementName) => (
            "xml-value-not-text", Error, Format, "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1",
            "the value of <{element}> is not UTF-8"
        ),
        /// A value is not a valid number.
        Number(element: ElementName, fault: NumberFault) =>
            (
                "xml-number-signed" if matches!(fault, NumberFault::Signed),
                Error, Format, "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1", "the number in <{element}> has a sign"
            )
            (
                "xml-number-too-large" if matches!(fault, NumberFault::TooLarge),
                Error, Limit, "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1",
                "the number in <{element}> does not fit in 32 bits"
            )
            (
                "xml-too-many-numbers" if matches!(fault, NumberFault::TooMany),
                Error, Limit, "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1", "<{element}> lists more than 8 numbers"
            )
            (
                "xml-not-a-number" if matches!(fault, NumberFault::Empty),
                Error, Format, "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1", "element <{element}> contains no number"
            )
            (
                "xml-not-a-number", Error, Format, "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1",
                "the value of <{element}> is not a number"
            ),
        /// A value that the document does not allow for this element.
        Value(element: ElementName) => (
            "xml-value", Error, Format, "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1",
            "invalid value of <{element}>: it must be {}", allowed(*element)
        ),
        /// An element that the schema does not have. It is skipped.
        ElementUnknown => (
            "xml-element-unknown", Info, Format, "ILDG 1.2, appendix A.1",
            "an element that the schema does not have is skipped"
        ),
        /// An element that must precede another element before it, by the schema.
        ElementOrder(element: ElementName) => (
            "xml-element-order", Warning, Format, "ILDG 1.2, appendix A.1", "element <{element}> is out of order"
        ),
        /// The document is in no namespace.
        NamespaceMissing => (
            "xml-namespace-missing", Info, Format, "ILDG 1.2, appendix A.1",
            "the document is in no namespace: xmlns is missing"
        ),
        /// The document, or an element of it, is not in the namespace of the schema.
        NamespaceOther => (
            "xml-namespace", Warning, Format, "ILDG 1.2, appendix A.1",
            "the namespace is not http://www.lqcd.org/ildg"
        ),
        /// `rows` in a document of a version that does not have it.
        RowsTooEarly => (
            "xml-rows-version", Info, Format, "ILDG 1.2, section 2.3",
            "<rows> was introduced in version 1.2: readers of the version that the document has ignore it"
        ),
        /// An unknown version of the document. Its elements are read nevertheless.
        Version => (
            "xml-version", Warning, Version, "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1",
            "unknown version of the document"
        ),
        /// `spacetime` differs from the number of listed values.
        Dimensions {
            /// Value of `spacetime`.
            spacetime: u32,
            /// Number of listed values.
            listed: u8,
        } => (
            "xml-dimensions", Error, Format, "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1",
            "{spacetime} dimensions are announced, but {listed} are listed"
        ),
        /// The values are not the extents of a lattice.
        Extents(error: ExtentsError) =>
            (
                "xml-extents" if matches!(error, ExtentsError::Overflow | ExtentsError::Dimensions { .. }),
                Error, Limit, "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1", "{error}"
            )
            (
                "xml-extents", Error, Format, "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1", "{error}"
            ),
        /// The bounds do not describe a hypercube of the lattice.
        Hypercube(error: HypercubeError) => (
            "xml-hypercube", Error, Format, "QIO 2.3, section 4.2; ILDG 1.2, appendix A.1", "{error}"
        ),
    }
}

/// Description of the values that documents allow for an element.
const fn allowed(element: ElementName) -> &'static str {
    match element {
        ElementName::Volfmt => "0 for a single file, or 1 to 3 for volumes",
        ElementName::Recordtype => "0 for a field, 1 for global data, or 2 for a hypercube",
        ElementName::Globaldata => "0 for a field or 1 for global data",
        ElementName::Typesize | ElementName::Datacount => "at least 1",
        ElementName::Field => "a name such as su3gauge, u2gauge, so4gauge, sp4gauge or u1phase",
        ElementName::Rows => "the number of colors, or of the rows stored in reduced form",
        ElementName::Precision => "32 or 64",
        _ => "another",
    }
}

/// Result of the parser at a byte. Errors of an element are found at the byte that completes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub(crate) enum Found {
    Nothing,
    /// A complete element, which must be delivered to its document.
    Element,
    NotXml,
    WrongRoot,
    StrayEndTag,
    EndTagCase,
    StrayText,
    AttributeUnclosed,
    BadTag,
    BadEntity,
    Doctype,
    TextBehind,
    Empty,
    Unclosed,
    NamespaceMissing,
    /// Of the root.
    NamespaceOther,
    /// The document exceeds a limit.
    Beyond,
    // From here on, the error is reported at the offset of the tag instead of the byte.
    SpaceBeforeDeclaration,
    ElementUnknown,
    ElementOrder,
    /// Of an element.
    ElementNamespace,
    Duplicate,
    TooLong,
    /// A text that may be truncated.
    Cut,
    Nested,
    NotText,
    NumberEmpty,
    NotDigits,
    Signed,
    TooLarge,
    TooMany,
    Value,
}

macro_rules! all {
    ($($found:ident),* $(,)?) => {
        saved!(enum Found: $($found),*);

        const ALL: &[Found] = &[$(Found::$found),*];
    };
}

all! {
    Nothing, Element, NotXml, WrongRoot, StrayEndTag, EndTagCase, StrayText, AttributeUnclosed, BadTag, BadEntity, Doctype, TextBehind, Empty, Unclosed, NamespaceMissing, NamespaceOther, Beyond, SpaceBeforeDeclaration, ElementUnknown, ElementOrder, ElementNamespace, Duplicate, TooLong, Cut, Nested, NotText, NumberEmpty, NotDigits, Signed, TooLarge, TooMany, Value
}

impl Found {
    /// True if it must be reported.
    pub(crate) const fn is_fault(self) -> bool {
        !matches!(self, Self::Nothing | Self::Element)
    }

    /// True if the severity of the rule is at least [`Severity::Error`]: the document cannot be used.
    pub(crate) const fn is_error(self) -> bool {
        ERRORS & bit(self) != 0
    }

    /// The error with its details: the element that was delivered last, the root of the schema, length and limit of a
    /// value.
    pub(super) const fn kind(
        self,
        element: ElementName,
        root: &'static str,
        length: u32,
        limit: u32,
    ) -> ErrorKind {
        let fault = match self {
            Self::Nothing | Self::Element | Self::NotXml => return ErrorKind::NotXml,
            Self::WrongRoot => return ErrorKind::WrongRoot { expected: root },
            Self::StrayEndTag => return ErrorKind::StrayEndTag,
            Self::EndTagCase => return ErrorKind::EndTagCase,
            Self::StrayText => return ErrorKind::StrayText,
            Self::AttributeUnclosed => return ErrorKind::AttributeUnclosed,
            Self::BadTag => return ErrorKind::BadTag,
            Self::BadEntity => return ErrorKind::BadEntity,
            Self::Doctype => return ErrorKind::Doctype,
            Self::TextBehind => return ErrorKind::TextBehind,
            Self::Empty => return ErrorKind::Empty,
            Self::Unclosed => return ErrorKind::Unclosed,
            Self::NamespaceMissing => return ErrorKind::NamespaceMissing,
            Self::Beyond => return ErrorKind::TooLarge,
            Self::NamespaceOther | Self::ElementNamespace => return ErrorKind::NamespaceOther,
            Self::SpaceBeforeDeclaration => return ErrorKind::SpaceBeforeDeclaration,
            Self::ElementUnknown => return ErrorKind::ElementUnknown,
            Self::ElementOrder => return ErrorKind::ElementOrder(element),
            Self::Duplicate => return ErrorKind::Duplicate(element),
            Self::TooLong | Self::Cut => return ErrorKind::TooLong { element, length, limit },
            Self::Nested => return ErrorKind::Nested(element),
            Self::NotText => return ErrorKind::NotText(element),
            Self::Value => return ErrorKind::Value(element),
            Self::NumberEmpty => NumberFault::Empty,
            Self::NotDigits => NumberFault::NotDigits,
            Self::Signed => NumberFault::Signed,
            Self::TooLarge => NumberFault::TooLarge,
            Self::TooMany => NumberFault::TooMany,
        };
        ErrorKind::Number(element, fault)
    }
}

/// Bit of a result in a set.
const fn bit(found: Found) -> u32 {
    1_u32.wrapping_shl(found as u32)
}

const _: () = assert!(ALL.len() <= u32::BITS as usize, "a set of results has 32 bits");

/// Set of the results that are errors in the table of rules. With this constant, reading a document does not link the
/// table.
const ERRORS: u32 = {
    let (mut errors, mut rest) = (0, ALL);
    while let [found, after @ ..] = rest {
        // `Cut` is only found for elements that may be truncated.
        let element = if matches!(found, Found::Cut) { ElementName::Date } else { ElementName::Version };
        if found.is_fault() && found.kind(element, "", 0, 0).is_error() {
            errors |= bit(*found);
        }
        rest = after;
    }
    errors
};

impl ErrorKind {
    /// True if the severity is at least [`Severity::Error`].
    pub(super) const fn is_error(&self) -> bool {
        matches!(self.constant_severity(), Severity::Error | Severity::Fatal)
    }
}
