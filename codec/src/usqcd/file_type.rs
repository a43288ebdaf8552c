//! The types of propagator files: what they are called, and what their records are.

use super::role::Role;
use super::root::Root;
use super::site_type::SiteType;
use crate::state::saved;

/// A type of propagator file (QIO 2.3, appendices A.2 and A.3).
///
/// ```
/// use linkstream::usqcd::{FileType, Role, Root, SiteType};
///
/// let file_type = FileType::from_name(b"USQCD_DiracFermion_ScalarSource_TwelveSink").ok_or("unknown")?;
/// assert_eq!((file_type, file_type.as_str()), (FileType::C1D12, "C1D12"));
/// assert_eq!(file_type.root(), Root::PropFile);
/// assert_eq!(file_type.site_type(Role::Source), Some(SiteType::Complex));
/// assert_eq!(file_type.solutions(), Some(12));
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum FileType {
    /// One complex source, then twelve Dirac solutions.
    C1D12,
    /// Complex sources and Dirac solutions alternate.
    CdPairs,
    /// Dirac sources and Dirac solutions alternate.
    DdPairs,
    /// Not specified further.
    Lhpc,
    /// One complex source, then three staggered solutions.
    C1V3,
    /// Complex sources and staggered solutions alternate.
    CvPairs,
    /// Staggered sources and staggered solutions alternate.
    VvPairs,
}

saved!(enum FileType: C1D12, CdPairs, DdPairs, Lhpc, C1V3, CvPairs, VvPairs);

impl FileType {
    /// All types.
    pub const ALL: [Self; 7] =
        [Self::C1D12, Self::CdPairs, Self::DdPairs, Self::Lhpc, Self::C1V3, Self::CvPairs, Self::VvPairs];

    /// The short name that QIO's documentation uses.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::C1D12 => "C1D12",
            Self::CdPairs => "CD_PAIRS",
            Self::DdPairs => "DD_PAIRS",
            Self::Lhpc => "LHPC",
            Self::C1V3 => "C1V3",
            Self::CvPairs => "CV_PAIRS",
            Self::VvPairs => "VV_PAIRS",
        }
    }

    /// The name in the element `type` of the file XML.
    ///
    /// # Example
    /// ```
    /// assert_eq!(linkstream::usqcd::FileType::Lhpc.name(), "LHPC_DiracPropagator");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::C1D12 => "USQCD_DiracFermion_ScalarSource_TwelveSink",
            Self::CdPairs => "USQCD_DiracFermion_ScalarSource_Sink_Pairs",
            Self::DdPairs => "USQCD_DiracFermion_Source_Sink_Pairs",
            Self::Lhpc => "LHPC_DiracPropagator",
            Self::C1V3 => "USQCD_ColorVector_ScalarSource_ThreeSink",
            Self::CvPairs => "USQCD_ColorVector_ScalarSource_Sink_Pairs",
            Self::VvPairs => "USQCD_ColorVector_Source_Sink_Pairs",
        }
    }

    /// The type of this name.
    #[must_use]
    pub fn from_name(name: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name().as_bytes() == name)
    }

    /// The document that has this type.
    #[must_use]
    pub const fn root(self) -> Root {
        if self.is_staggered() { Root::KsPropFile } else { Root::PropFile }
    }

    /// The document of a record with this role.
    ///
    /// # Example
    /// ```
    /// use linkstream::usqcd::{FileType, Role, Root};
    ///
    /// assert_eq!(FileType::CvPairs.record_root(Role::Solution), Root::KsPropInfo);
    /// assert_eq!(FileType::CvPairs.record_root(Role::Source), Root::SourceInfo);
    /// ```
    #[must_use]
    pub const fn record_root(self, role: Role) -> Root {
        match role {
            Role::Source => Root::SourceInfo,
            Role::Solution if self.is_staggered() => Root::KsPropInfo,
            Role::Solution => Root::PropInfo,
        }
    }

    /// Whether the fermions are staggered: then solutions have a color but no spin.
    ///
    /// # Example
    /// ```
    /// use linkstream::usqcd::FileType;
    ///
    /// assert!(FileType::VvPairs.is_staggered() && !FileType::DdPairs.is_staggered());
    /// ```
    #[must_use]
    pub const fn is_staggered(self) -> bool {
        matches!(self, Self::C1V3 | Self::CvPairs | Self::VvPairs)
    }

    /// The number of solutions, if the type fixes it; there is one source then.
    #[must_use]
    pub const fn solutions(self) -> Option<u8> {
        match self {
            Self::C1D12 => Some(12),
            Self::C1V3 => Some(3),
            _ => None,
        }
    }

    /// What the sites of a record with this role hold; `None` if the type does not specify it.
    #[must_use]
    pub const fn site_type(self, role: Role) -> Option<SiteType> {
        match (self, role) {
            (Self::Lhpc, _) => None,
            (Self::C1D12 | Self::CdPairs | Self::C1V3 | Self::CvPairs, Role::Source) => {
                Some(SiteType::Complex)
            }
            (Self::C1V3 | Self::CvPairs | Self::VvPairs, _) => Some(SiteType::ColorVector),
            (Self::C1D12 | Self::CdPairs | Self::DdPairs, _) => Some(SiteType::DiracFermion),
        }
    }
}

impl core::fmt::Display for FileType {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}
