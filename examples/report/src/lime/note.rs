//! An observable recorded in a text, and the types of the records that have such texts.

use linkstream::scidac;

/// Types of the records whose texts are searched for observables.
pub const TEXTS: [&str; 6] =
    [scidac::FILE_XML, scidac::RECORD_XML, "xlf-info", "grid-format", "FieldNormMetaData", BQCD_PLAQUETTE];
/// BQCD's record with the plaquette, a number alone.
pub const BQCD_PLAQUETTE: &str = "bqcd-plaquette";

/// A quantity that texts record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    Plaquette,
    /// The spatial plaquette, not divided by the number of colors.
    SpatialTrace,
    /// The temporal plaquette, not divided by the number of colors.
    TemporalTrace,
    LinkTrace,
    /// The sum of the squares of all numbers of a field.
    SquaredNorm,
    Suma,
    Sumb,
    /// The sum of all 32-bit words of the first `rows` rows of each link: the checksum of NERSC archives.
    WordSum {
        rows: u32,
    },
}

impl Quantity {
    /// Name of the quantity in JSON.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Plaquette => "plaquette",
            Self::SpatialTrace => "spatial_plaquette_trace",
            Self::TemporalTrace => "temporal_plaquette_trace",
            Self::LinkTrace => "link_trace",
            Self::SquaredNorm => "norm2",
            Self::Suma => "suma",
            Self::Sumb => "sumb",
            Self::WordSum { .. } => "nersc_checksum",
        }
    }

    /// Name of the quantity in messages.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Plaquette => "plaquette",
            Self::SpatialTrace => "trace of spatial plaquettes",
            Self::TemporalTrace => "trace of temporal plaquettes",
            Self::LinkTrace => "link trace",
            Self::SquaredNorm => "squared norm",
            Self::Suma => "checksum suma",
            Self::Sumb => "checksum sumb",
            Self::WordSum { .. } => "NERSC checksum",
        }
    }

    /// True for the checksum of the data that follow, false for an observable of the gauge field.
    pub(crate) const fn is_of_data(self) -> bool {
        matches!(self, Self::Suma | Self::Sumb)
    }

    /// Name of the rule that a difference breaks.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Plaquette | Self::SpatialTrace | Self::TemporalTrace => "recorded-plaquette-differs",
            Self::LinkTrace => "recorded-link-trace-differs",
            Self::SquaredNorm => "recorded-norm-differs",
            Self::Suma | Self::Sumb | Self::WordSum { .. } => "recorded-checksum-differs",
        }
    }
}

/// A quantity as recorded in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    pub quantity: Quantity,
    pub value: Noted,
    /// The value as printed.
    pub text: String,
}

/// A value recorded in a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Noted {
    Number {
        value: f64,
        /// One unit of the last printed digit.
        unit: f64,
    },
    Sum(u32),
}
