//! What a byte of a document completes or violates, in one byte.

use crate::state::saved;

/// What a byte completes or violates. What is wrong with an element is found at the byte that completes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub(crate) enum Found {
    Nothing,
    /// An element that is to be delivered.
    Element,
    NotXml,
    WrongRoot,
    StrayEndTag,
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
    // From here on the place is that of the tag, not of the byte.
    SpaceBeforeDeclaration,
    ElementUnknown,
    ElementOrder,
    /// Of an element.
    ElementNamespace,
    Duplicate,
    TooLong,
    /// A text that is cut without harm.
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

saved!(enum Found: Nothing, Element, NotXml, WrongRoot, StrayEndTag, StrayText, AttributeUnclosed, BadTag, BadEntity, Doctype, TextBehind, Empty, Unclosed, NamespaceMissing, NamespaceOther, SpaceBeforeDeclaration, ElementUnknown, ElementOrder, ElementNamespace, Duplicate, TooLong, Cut, Nested, NotText, NumberEmpty, NotDigits, Signed, TooLarge, TooMany, Value);

impl Found {
    /// Whether it is to be reported.
    pub(crate) const fn is_fault(self) -> bool {
        !matches!(self, Self::Nothing | Self::Element)
    }

    /// Whether the document can no longer be understood: see the severities of [`ErrorKind`](super::ErrorKind).
    pub(crate) const fn is_error(self) -> bool {
        self.is_fault()
            && !matches!(
                self,
                Self::AttributeUnclosed
                    | Self::TextBehind
                    | Self::NamespaceMissing
                    | Self::NamespaceOther
                    | Self::SpaceBeforeDeclaration
                    | Self::ElementUnknown
                    | Self::ElementOrder
                    | Self::ElementNamespace
                    | Self::Cut
            )
    }
}
