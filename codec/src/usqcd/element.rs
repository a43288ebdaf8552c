//! The elements of the documents.

use crate::state::{Put, Saved, Take, saved};

macro_rules! elements {
    ($($(#[$doc:meta])* $member:ident $name:literal,)*) => {
        /// An element of a USQCD document.
        ///
        /// # Example
        /// ```
        /// use linkstream::usqcd::Element;
        ///
        /// assert_eq!((Element::Linktr.as_str(), Element::Spin.to_string()), ("linktr", "spin".to_owned()));
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[non_exhaustive]
        pub enum Element {
            $($(#[$doc])* $member,)*
        }

        saved!(enum Element: $($member),*);

        impl Element {
            /// In the order in which QIO writes them.
            pub(crate) const ALL: [Self; [$($name),*].len()] = [$(Self::$member),*];

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

elements! {
    /// The version of the document: 1.0.
    Version "version",
    /// The type of a propagator file.
    Type "type",
    /// The average plaquette.
    Plaq "plaq",
    /// The average trace of a link.
    Linktr "linktr",
    /// The source spin.
    Spin "spin",
    /// The source color.
    Color "color",
    /// Text or XML of the user, of any length.
    Info "info",
}

impl Element {
    pub(super) fn from_name(name: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|element| element.as_str().as_bytes() == name)
    }
}

impl core::fmt::Display for Element {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A set of elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct Elements(u8);

impl Elements {
    pub(crate) const fn of(elements: &[Element]) -> Self {
        let mut set = Self(0);
        let mut rest = elements;
        while let [first, after @ ..] = rest {
            set.0 |= Self::bit(*first);
            rest = after;
        }
        set
    }

    /// Adds an element; `false` if the set had it before.
    pub(super) const fn insert(&mut self, element: Element) -> bool {
        let new = !self.contains(element);
        self.0 |= Self::bit(element);
        new
    }

    pub(crate) const fn contains(self, element: Element) -> bool {
        self.0 & Self::bit(element) != 0
    }

    /// Each element has a bit of its own: see the assertion below.
    const fn bit(element: Element) -> u8 {
        1_u8.wrapping_shl(element as u32)
    }
}

const _: () = assert!(Element::ALL.len() <= u8::BITS as usize, "a set of elements has 8 places");

impl Saved for Elements {
    const SIZE: usize = 1;
    fn put(&self, to: &mut Put<'_>) {
        to.put(&self.0);
    }
    fn take(from: &mut Take<'_>) -> Option<Self> {
        from.take().map(Self)
    }
}
