//! Why numbers or links do not go with a site.

use core::fmt;

use crate::lattice::Precision;

/// Why a site or a link is not read or written as asked for. What was refused has changed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum SiteError {
    /// The words have another type than the numbers that the field stores.
    WordType {
        /// What the field stores.
        stored: Precision,
    },
    /// The words are not as many as the site or the link holds.
    Length {
        /// Bytes of the site or the link.
        needed: u64,
        /// Bytes that the words take in the file.
        given: u64,
    },
    /// The field does not store floating point numbers.
    NotNumbers,
    /// The field has no links: it is not a gauge field.
    NoLinks,
    /// A link beyond those of the site.
    NoSuchLink {
        /// Its direction index.
        index: usize,
        /// How many links a site has.
        links: u32,
    },
    /// A number beyond those of the site, or an element outside the stored part of the matrix.
    NoSuchElement,
}

impl fmt::Display for SiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WordType { stored } => write!(
                f,
                "the field stores {}-bit floating point numbers, the words are of another type",
                stored.bits()
            ),
            Self::Length { needed, given } => {
                write!(f, "{needed} bytes are stored here, the words given take {given}")
            }
            Self::NotNumbers => f.write_str("the field does not store floating point numbers"),
            Self::NoLinks => f.write_str("the field has no links: it is not a gauge field"),
            Self::NoSuchLink { index, links } => {
                write!(f, "there is no link of index {index}: a site of this field has {links}")
            }
            Self::NoSuchElement => f.write_str("the element lies outside of what is stored"),
        }
    }
}

impl core::error::Error for SiteError {}
