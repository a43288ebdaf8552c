//! The names of elements that mean something to one of the documents.

use crate::state::{Put, Saved, Take};

macro_rules! elements {
    ($($member:ident $name:literal $of:literal,)*) => {
        /// An element by its name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[non_exhaustive]
        pub enum Element {
            $(#[doc = concat!("`", $name, "`: ", $of)] $member,)*
        }

        impl Element {
            /// The name as documents have it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$member => $name,)*
                }
            }

            pub(crate) fn from_name(name: &[u8]) -> Option<Self> {
                $(if name == $name.as_bytes() { return Some(Self::$member); })*
                None
            }
        }
    };
}

elements! {
    Version "version" "of the document; every document has one",
    Spacetime "spacetime" "number of dimensions (scidacFile, scidacRecord)",
    Dims "dims" "extents, dimension 0 first (scidacFile)",
    Volfmt "volfmt" "0 single file, 1 to 3 sets of volumes (scidacFile)",
    Multifile "multifile" "1 single file, else a set (scidacFile 1.0)",
    Date "date" "free text (scidacRecord)",
    Recordtype "recordtype" "0 field, 1 global, 2 hypercube (scidacRecord)",
    Globaldata "globaldata" "0 field, 1 global (scidacRecord 1.0)",
    Hyperlower "hyperlower" "lower corner, inclusive (scidacRecord)",
    Hyperupper "hyperupper" "upper corner, inclusive (scidacRecord)",
    Datatype "datatype" "name of the site type (scidacRecord)",
    Precision "precision" "a letter (scidacRecord) or bits (ildgFormat)",
    Colors "colors" "number of colors (scidacRecord)",
    Spins "spins" "number of spins (scidacRecord)",
    Typesize "typesize" "bytes of an item (scidacRecord)",
    Datacount "datacount" "items at a site (scidacRecord)",
    Suma "suma" "first sum, hexadecimal (scidacChecksum)",
    Sumb "sumb" "second sum, hexadecimal (scidacChecksum)",
    Field "field" "kind of the gauge field (ildgFormat)",
    Rows "rows" "stored rows of a link (ildgFormat)",
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

/// Which elements a document has given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct Seen(u32);

impl Seen {
    /// Notes an element; `false` if it had been given before.
    pub(crate) const fn insert(&mut self, element: Element) -> bool {
        let new = !self.contains(element);
        self.0 |= Self::bit(element);
        new
    }

    pub(crate) const fn contains(self, element: Element) -> bool {
        self.0 & Self::bit(element) != 0
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

const _: () = assert!((Element::Lt as u32) < 32, "the set of elements has 32 places");
