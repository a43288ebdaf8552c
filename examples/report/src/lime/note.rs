//! A figure as a text has it, and the records that have such texts.

use linkstream::scidac;

/// The records whose texts are looked at.
pub const TEXTS: [&str; 5] =
    [scidac::FILE_XML, scidac::RECORD_XML, "xlf-info", "grid-format", "FieldNormMetaData"];

/// What is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    Plaquette,
    /// Without the normalisation by the number of colors.
    SpatialTrace,
    /// Likewise.
    TemporalTrace,
    LinkTrace,
    /// The sum of the squares of all numbers of a field.
    SquaredNorm,
    Suma,
    Sumb,
    /// The sum of all 32-bit words of so many rows of each link, which NERSC archives have.
    WordSum {
        rows: u32,
    },
}

impl Quantity {
    /// In JSON.
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

    /// For people.
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

    /// Of a difference.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Plaquette | Self::SpatialTrace | Self::TemporalTrace => "recorded-plaquette-differs",
            Self::LinkTrace => "recorded-link-trace-differs",
            Self::SquaredNorm => "recorded-norm-differs",
            Self::Suma | Self::Sumb | Self::WordSum { .. } => "recorded-checksum-differs",
        }
    }
}

/// A quantity as a text has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    pub quantity: Quantity,
    pub value: Noted,
    /// As printed.
    pub text: String,
}

/// A value that a text has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Noted {
    Number {
        value: f64,
        /// One unit of the last digit that is printed.
        unit: f64,
    },
    Sum(u32),
}
