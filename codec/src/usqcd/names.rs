//! The words of the USQCD formats: elements and root elements of documents, types of files and their records, labels.

use crate::lattice::Precision;
use crate::scidac::{PrivateRecord, RecordData};
use crate::state::{Put, Saved, Take, saved};

macro_rules! elements {
    ($($(#[$doc:meta])* $member:ident $name:literal,)*) => {
        /// An element of a USQCD document.
        ///
        /// # Example
        /// ```
        /// use linkstream::usqcd::ElementName;
        ///
        /// assert_eq!((ElementName::Linktr.as_str(), ElementName::Spin.to_string()), ("linktr", "spin".to_owned()));
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[non_exhaustive]
        pub enum ElementName {
            $($(#[$doc])* $member,)*
        }

        saved!(enum ElementName: $($member),*);

        impl ElementName {
            /// All elements, in the order of QIO.
            pub(crate) const ALL: [Self; [$($name),*].len()] = [$(Self::$member),*];

            /// The name in documents.
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
    /// The average plaquette, 1 for unit matrices.
    Plaq "plaq",
    /// The real part of the average trace of a link.
    Linktr "linktr",
    /// The source spin, 0 to 3.
    Spin "spin",
    /// The source color, 0 to 2.
    Color "color",
    /// Text or XML of the user, of any length.
    Info "info",
}

impl ElementName {
    pub(super) fn from_name(name: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|element| element.as_str().as_bytes() == name)
    }
}

impl core::fmt::Display for ElementName {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A set of elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct Elements(u8);

impl Elements {
    pub(crate) const fn of(elements: &[ElementName]) -> Self {
        let mut set = Self(0);
        let mut rest = elements;
        while let [first, after @ ..] = rest {
            set.0 |= Self::bit(*first);
            rest = after;
        }
        set
    }

    /// Adds an element; `false` if the set already contained it.
    pub(super) const fn insert(&mut self, element: ElementName) -> bool {
        let new = !self.contains(element);
        self.0 |= Self::bit(element);
        new
    }

    pub(crate) const fn contains(self, element: ElementName) -> bool {
        self.0 & Self::bit(element) != 0
    }

    /// Each element has a bit of its own: see the assertion below.
    const fn bit(element: ElementName) -> u8 {
        1_u8.wrapping_shl(element as u32)
    }
}

const _: () = assert!(ElementName::ALL.len() <= u8::BITS as usize, "a set of elements has 8 places");

impl Saved for Elements {
    const SIZE: usize = 1;
    fn put(&self, to: &mut Put<'_>) {
        to.put(&self.0);
    }
    fn take(from: &mut Take<'_>) -> Option<Self> {
        from.take().map(Self)
    }
}

/// A kind of document, by the name of its root element.
///
/// # Example
/// ```
/// use linkstream::usqcd::Root;
///
/// assert_eq!(Root::KsPropInfo.as_str(), "usqcdKSPropInfo");
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
    pub(super) fn from_name(name: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|root| root.as_str().as_bytes() == name)
    }

    /// The elements that a document must have (QIO 2.3, appendix A). Spin and color are required in some files only.
    pub(crate) const fn required(self) -> &'static [ElementName] {
        match self {
            Self::LatticeInfo => {
                &[ElementName::Version, ElementName::Plaq, ElementName::Linktr, ElementName::Info]
            }
            Self::PropFile | Self::KsPropFile => {
                &[ElementName::Version, ElementName::Type, ElementName::Info]
            }
            Self::SourceInfo | Self::PropInfo | Self::KsPropInfo => {
                &[ElementName::Version, ElementName::Info]
            }
        }
    }

    /// The elements that have a meaning. Spin and color are known also in sources, where QIO writes them since version
    /// 2.4.1, and in `usqcdInfo`, which described solutions before QIO 2.3.5.
    pub(crate) const fn elements(self) -> Elements {
        match self {
            Self::LatticeInfo => Elements::of(&[
                ElementName::Version,
                ElementName::Plaq,
                ElementName::Linktr,
                ElementName::Spin,
                ElementName::Color,
                ElementName::Info,
            ]),
            Self::PropFile | Self::KsPropFile => {
                Elements::of(&[ElementName::Version, ElementName::Type, ElementName::Info])
            }
            Self::SourceInfo | Self::PropInfo => Elements::of(&[
                ElementName::Version,
                ElementName::Spin,
                ElementName::Color,
                ElementName::Info,
            ]),
            Self::KsPropInfo => Elements::of(&[ElementName::Version, ElementName::Color, ElementName::Info]),
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

/// Role of a data record in a propagator file (QIO 2.3, appendices A.2 and A.3).
///
/// # Example
/// ```
/// use linkstream::usqcd::Role;
///
/// assert_eq!((Role::Source.as_str(), Role::Solution.to_string()), ("source", "solution".to_owned()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Role {
    /// The source of the solutions that follow.
    Source,
    /// The solution of the Dirac equation for a source; QIO's type names call it a sink.
    Solution,
}

saved!(enum Role: Source, Solution);

impl Role {
    /// The role in a word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Solution => "solution",
        }
    }
}

impl core::fmt::Display for Role {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Content of a site of a source or solution (QIO 2.3, appendices A.2.2 to A.3.3).
///
/// ```
/// use linkstream::lattice::Precision;
/// use linkstream::usqcd::SiteType;
///
/// let record = SiteType::ColorVector.record(Precision::F32);
/// assert_eq!((record.datatype.as_str(), record.bytes_per_site()), ("USQCD_F3_ColorVector", 24));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum SiteType {
    /// A complex number.
    Complex,
    /// 4 x 3 complex numbers: spin, color.
    DiracFermion,
    /// 3 complex numbers: color.
    ColorVector,
}

impl SiteType {
    /// The description of a field of such sites on the whole lattice.
    #[must_use]
    pub fn record(self, precision: Precision) -> PrivateRecord {
        PrivateRecord::with(self.data(precision))
    }

    /// The elements about data of that description.
    pub(crate) fn data(self, precision: Precision) -> RecordData {
        match self {
            Self::Complex => RecordData::complex_field(precision),
            Self::DiracFermion => RecordData::dirac_fermion(precision),
            Self::ColorVector => RecordData::color_vector(precision),
        }
    }
}

impl core::fmt::Display for SiteType {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Complex => "complex field",
            Self::DiracFermion => "Dirac fermion",
            Self::ColorVector => "color vector",
        })
    }
}

/// A type of propagator file (QIO 2.3, appendices A.2 and A.3).
///
/// ```
/// use linkstream::usqcd::{FileType, Role, Root, SiteType};
///
/// let file_type = FileType::C1D12;
/// assert_eq!((file_type.name(), file_type.as_str()), ("USQCD_DiracFermion_ScalarSource_TwelveSink", "C1D12"));
/// assert_eq!(file_type.root(), Root::PropFile);
/// assert_eq!(file_type.site_type(Role::Source), Some(SiteType::Complex));
/// assert_eq!(file_type.solutions(), Some(12));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum FileType {
    /// One complex source, then twelve Dirac solutions with the color running fastest.
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
    pub(super) fn from_name(name: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name().as_bytes() == name)
    }

    /// The file XML of this type.
    #[must_use]
    pub const fn root(self) -> Root {
        if self.is_staggered() { Root::KsPropFile } else { Root::PropFile }
    }

    /// The record XML of a record with this role.
    pub(crate) const fn record_root(self, role: Role) -> Root {
        match role {
            Role::Source => Root::SourceInfo,
            Role::Solution if self.is_staggered() => Root::KsPropInfo,
            Role::Solution => Root::PropInfo,
        }
    }

    /// Returns whether the fermions are staggered. Their solutions have a color but no spin.
    #[must_use]
    pub const fn is_staggered(self) -> bool {
        matches!(self, Self::C1V3 | Self::CvPairs | Self::VvPairs)
    }

    /// The number of solutions, if the type fixes it; such a file has one source.
    #[must_use]
    pub const fn solutions(self) -> Option<u8> {
        match self {
            Self::C1D12 => Some(12),
            Self::C1V3 => Some(3),
            _ => None,
        }
    }

    /// The content of a site of a record with this role; `None` if the type does not specify it.
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

/// The number of colors.
pub(crate) const COLORS: u8 = 3;
/// The number of spins of a Dirac fermion.
pub(crate) const SPINS: u8 = 4;

/// Source spin and color of a record; `None` where its record XML does not give them.
///
/// ```
/// use linkstream::usqcd::Label;
///
/// assert_eq!(Label { spin: Some(1), color: Some(2) }.to_string(), "spin 1, color 2");
/// assert_eq!(Label { spin: None, color: Some(2) }.to_string(), "color 2");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Label {
    /// The source spin, 0 to 3.
    pub spin: Option<u8>,
    /// The source color, 0 to 2.
    pub color: Option<u8>,
}

saved!(struct Label { spin, color });

impl Label {
    /// The label of the solution with this number, counted from 0: the color varies fastest (QIO 2.3, appendix A.2).
    ///
    /// # Example
    /// ```
    /// use linkstream::usqcd::Label;
    ///
    /// assert_eq!(Label::of_solution(7, false), Label { spin: Some(2), color: Some(1) });
    /// assert_eq!(Label::of_solution(2, true), Label { spin: None, color: Some(2) });
    /// ```
    #[must_use]
    pub const fn of_solution(number: u8, staggered: bool) -> Self {
        let color = Some(number % COLORS);
        Self { spin: if staggered { None } else { Some(number / COLORS % SPINS) }, color }
    }

    /// The number of the solution with this label; `None` if spin or color is missing (staggered: color).
    pub(crate) fn number(self, staggered: bool) -> Option<u8> {
        let spin = if staggered { 0 } else { self.spin? };
        spin.checked_mul(COLORS)?.checked_add(self.color?)
    }

    /// True if spin and color are in their ranges. This holds for all labels read from files.
    pub(crate) fn is_consistent(self) -> bool {
        self.spin.is_none_or(|spin| spin < SPINS) && self.color.is_none_or(|color| color < COLORS)
    }
}

impl core::fmt::Display for Label {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match (self.spin, self.color) {
            (Some(spin), Some(color)) => write!(f, "spin {spin}, color {color}"),
            (Some(spin), None) => write!(f, "spin {spin}"),
            (None, Some(color)) => write!(f, "color {color}"),
            (None, None) => f.write_str("no spin and color"),
        }
    }
}
