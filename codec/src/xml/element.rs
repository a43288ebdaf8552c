//! The elements that mean something to one of the documents, sets of them, and what distinguishes kinds of documents.

use crate::state::{Put, Saved, Take, saved};

macro_rules! elements {
    ($($member:ident $name:literal $of:literal,)*) => {
        /// An element by its name.
        ///
        /// # Example
        /// ```
        /// use linkstream::xml::Element;
        ///
        /// assert_eq!((Element::Volfmt.as_str(), Element::Volfmt.to_string()), ("volfmt", "volfmt".to_owned()));
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[non_exhaustive]
        pub enum Element {
            $(#[doc = concat!("`", $name, "`: ", $of)] $member,)*
        }

        saved!(enum Element: $($member),*);

        /// All names, each ended by a blank: a table of strings takes twice the flash.
        const NAMES: &str = concat!($($name, " "),*);

        impl Element {
            /// In the order in which problems of a document are reported.
            pub(super) const ALL: &[Self] = &[$(Self::$member),*];

            /// The name as documents have it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$member => $name,)*
                }
            }
        }
    };
}

// In the order in which problems of a document are reported; that of `ildgFormat` is also the order of its schema.
elements! {
    Version "version" "of the document; every document has one",
    Recordtype "recordtype" "0 field, 1 global, 2 hypercube (scidacRecord)",
    Globaldata "globaldata" "0 field, 1 global (scidacRecord 1.0)",
    Spacetime "spacetime" "number of dimensions (scidacFile, scidacRecord)",
    Hyperlower "hyperlower" "lower corner, inclusive (scidacRecord)",
    Hyperupper "hyperupper" "upper corner, inclusive (scidacRecord)",
    Dims "dims" "extents, dimension 0 first (scidacFile)",
    Volfmt "volfmt" "0 single file, 1 to 3 sets of volumes (scidacFile)",
    Multifile "multifile" "1 single file, else a set (scidacFile 1.0)",
    Date "date" "free text (scidacRecord)",
    Datatype "datatype" "name of the site type (scidacRecord)",
    Field "field" "kind of the gauge field (ildgFormat)",
    Rows "rows" "stored rows of a link (ildgFormat)",
    Precision "precision" "a letter (scidacRecord) or bits (ildgFormat)",
    Colors "colors" "number of colors (scidacRecord)",
    Spins "spins" "number of spins (scidacRecord)",
    Typesize "typesize" "bytes of an item (scidacRecord)",
    Datacount "datacount" "items at a site (scidacRecord)",
    Suma "suma" "first sum, hexadecimal (scidacChecksum)",
    Sumb "sumb" "second sum, hexadecimal (scidacChecksum)",
    Lx "lx" "extent in x (ildgFormat)",
    Ly "ly" "extent in y (ildgFormat)",
    Lz "lz" "extent in z (ildgFormat)",
    Lt "lt" "extent in t (ildgFormat)",
}

impl core::fmt::Display for Element {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Element {
    pub(super) const COUNT: u32 = Element::ALL.len() as u32;

    /// Whether a value that is longer than what is kept of it does no harm: nothing depends on these texts.
    pub(super) const fn may_be_cut(self) -> bool {
        matches!(self, Self::Date | Self::Datatype)
    }

    /// The element of this name.
    pub(super) fn from_name(name: &[u8]) -> Option<Self> {
        // Zipped, as `position` counts with an addition that can overflow.
        let names = NAMES.as_bytes().split(|byte| *byte == b' ');
        names.zip(Element::ALL).find_map(|(listed, element)| (listed == name).then_some(*element))
    }

    /// The element at this place of the order.
    pub(super) fn at(place: usize) -> Option<Self> {
        Element::ALL.get(place).copied()
    }
}

/// A set of elements: those that a document has, or should have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct Seen(u32);

impl Seen {
    pub(crate) const NONE: Self = Self(0);

    /// The set of these elements.
    pub(crate) const fn of(elements: &[Element]) -> Self {
        let mut set = Self(0);
        let mut rest = elements;
        while let [first, after @ ..] = rest {
            set.insert(*first);
            rest = after;
        }
        set
    }

    /// The same and this element.
    pub(crate) const fn with(self, element: Element) -> Self {
        Self(self.0 | Self::bit(element))
    }

    /// Adds an element; `false` if the set had it before.
    pub(crate) const fn insert(&mut self, element: Element) -> bool {
        let new = !self.contains(element);
        self.0 |= Self::bit(element);
        new
    }

    pub(crate) const fn contains(self, element: Element) -> bool {
        self.0 & Self::bit(element) != 0
    }

    /// Whether all of these are in the set.
    pub(crate) const fn contains_all(self, others: Self) -> bool {
        others.without(self) == 0
    }

    /// Those that `others` does not have, as bits.
    pub(super) const fn without(self, others: Self) -> u32 {
        self.0 & !others.0
    }

    /// Whether it has an element that follows this one in the order.
    pub(super) const fn any_after(self, element: Element) -> bool {
        self.0 > Self::bit(element).wrapping_shl(1).wrapping_sub(1)
    }

    const fn bit(element: Element) -> u32 {
        1_u32.wrapping_shl(element as u32)
    }
}

impl Saved for Seen {
    const SIZE: usize = 4;
    fn put(&self, to: &mut Put<'_>) {
        to.put(&self.0);
    }
    fn take(from: &mut Take<'_>) -> Option<Self> {
        from.take().map(Self)
    }
}

/// What distinguishes one kind of document from another.
#[derive(Debug)]
pub(crate) struct Schema {
    /// Name of the root element.
    pub(crate) root: &'static str,
    /// The elements that have a meaning in this document. Others are skipped with all their content.
    pub(crate) elements: Seen,
    /// Those of them that a document must have, unless its other elements say otherwise.
    pub(crate) required: Seen,
    /// The digit of the latest version 1.x.
    pub(crate) latest: u8,
    /// The elements are of the namespace of the schema of ILDG and in the order of its sequence; integers may have
    /// a plus sign.
    pub(crate) namespaced: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_found_by_their_names() {
        for element in Element::ALL {
            assert_eq!(Element::from_name(element.as_str().as_bytes()), Some(*element));
        }
        for name in ["", " ", "versio", "versions", "version ", "l", "version recordtype"] {
            assert_eq!(Element::from_name(name.as_bytes()), None, "{name}");
        }
    }
}
