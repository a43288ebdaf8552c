//! Which documents there are, and which elements they have.

use super::element::{Element, Elements};
use crate::state::saved;

/// A kind of document, by the name of its root element.
///
/// # Example
/// ```
/// use linkstream::usqcd::Root;
///
/// assert_eq!(Root::KsPropInfo.as_str(), "usqcdKSPropInfo");
/// assert_eq!(Root::from_name(b"usqcdSourceInfo"), Some(Root::SourceInfo));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Root {
    /// `usqcdInfo`, in the record XML of a gauge field (appendix A.1). QIO before 2.3.5 also wrote it for solutions.
    LatticeInfo,
    /// `usqcdPropFile`, the file XML of a propagator file (appendix A.2.1).
    PropFile,
    /// `usqcdKSPropFile`, the file XML of a staggered propagator file (appendix A.3.1).
    KsPropFile,
    /// `usqcdSourceInfo`, in the record XML of a source (appendices A.2.2 and A.3.2).
    SourceInfo,
    /// `usqcdPropInfo`, in the record XML of a Dirac solution (appendix A.2.3).
    PropInfo,
    /// `usqcdKSPropInfo`, in the record XML of a staggered solution (appendix A.3.3).
    KsPropInfo,
}

saved!(enum Root: LatticeInfo, PropFile, KsPropFile, SourceInfo, PropInfo, KsPropInfo);

impl Root {
    const ALL: [Self; 6] = [
        Self::LatticeInfo,
        Self::PropFile,
        Self::KsPropFile,
        Self::SourceInfo,
        Self::PropInfo,
        Self::KsPropInfo,
    ];

    /// The name of the root element.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::LatticeInfo => "usqcdInfo",
            Self::PropFile => "usqcdPropFile",
            Self::KsPropFile => "usqcdKSPropFile",
            Self::SourceInfo => "usqcdSourceInfo",
            Self::PropInfo => "usqcdPropInfo",
            Self::KsPropInfo => "usqcdKSPropInfo",
        }
    }

    /// The document with a root element of this name.
    #[must_use]
    pub fn from_name(name: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|root| root.as_str().as_bytes() == name)
    }

    /// The elements that a document must have (QIO 2.3, appendix A). Spin and color are required in some files only.
    pub(crate) const fn required(self) -> &'static [Element] {
        match self {
            Self::LatticeInfo => &[Element::Version, Element::Plaq, Element::Linktr, Element::Info],
            Self::PropFile | Self::KsPropFile => &[Element::Version, Element::Type, Element::Info],
            Self::SourceInfo | Self::PropInfo | Self::KsPropInfo => &[Element::Version, Element::Info],
        }
    }

    /// The elements that have a meaning. Since its version 2.4.1, QIO writes spin and color also for sources, and
    /// a solution can be a `usqcdInfo`.
    pub(crate) const fn elements(self) -> Elements {
        match self {
            Self::LatticeInfo => Elements::of(&[
                Element::Version,
                Element::Plaq,
                Element::Linktr,
                Element::Spin,
                Element::Color,
                Element::Info,
            ]),
            Self::PropFile | Self::KsPropFile => {
                Elements::of(&[Element::Version, Element::Type, Element::Info])
            }
            Self::SourceInfo | Self::PropInfo => {
                Elements::of(&[Element::Version, Element::Spin, Element::Color, Element::Info])
            }
            Self::KsPropInfo => Elements::of(&[Element::Version, Element::Color, Element::Info]),
        }
    }

    pub(crate) const fn is_file(self) -> bool {
        matches!(self, Self::PropFile | Self::KsPropFile)
    }
}

impl core::fmt::Display for Root {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}
