//! What a site of a record holds.

use crate::lattice::Precision;
use crate::scidac::PrivateRecord;

/// What a site of a source or solution holds (QIO 2.3, appendices A.2.2 to A.3.3).
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
    /// 4 spins of 3 colors.
    DiracFermion,
    /// 3 colors.
    ColorVector,
}

impl SiteType {
    /// The description of such a field on the whole lattice.
    #[must_use]
    pub fn record(self, precision: Precision) -> PrivateRecord {
        match self {
            Self::Complex => PrivateRecord::complex_field(precision),
            Self::DiracFermion => PrivateRecord::dirac_fermion(precision),
            Self::ColorVector => PrivateRecord::color_vector(precision),
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
