//! The elements of the documents.

use crate::state::{Put, Saved, Take, saved};

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
    /// The version of the document: 1.0.
    Version,
    /// The type of a propagator file.
    Type,
    /// The average plaquette.
    Plaq,
    /// The average trace of a link.
    Linktr,
    /// The source spin.
    Spin,
    /// The source color.
    Color,
    /// Text or XML of the user, of any length.
    Info,
}

saved!(enum Element: Version, Type, Plaq, Linktr, Spin, Color, Info);

impl Element {
    /// In the order in which QIO writes them.
    pub(crate) const ALL: [Self; 7] =
        [Self::Version, Self::Type, Self::Plaq, Self::Linktr, Self::Spin, Self::Color, Self::Info];

    /// The name as documents have it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Version => "version",
            Self::Type => "type",
            Self::Plaq => "plaq",
            Self::Linktr => "linktr",
            Self::Spin => "spin",
            Self::Color => "color",
            Self::Info => "info",
        }
    }

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

    const fn bit(element: Element) -> u8 {
        1_u8.wrapping_shl(element as u32)
    }
}

impl Saved for Elements {
    const SIZE: usize = 1;
    fn put(&self, to: &mut Put<'_>) {
        to.put(&self.0);
    }
    fn take(from: &mut Take<'_>) -> Option<Self> {
        from.take().map(Self)
    }
}
