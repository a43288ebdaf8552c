//! Which volumes are in a set.

use super::decoder::VolumeKind;
use super::error::ErrorKind;
use crate::scidac::VolumeFormat;

/// Checks that one volume of a set is the first one, and that it has the lowest number.
///
/// ```
/// use linkstream::scidac::VolumeFormat;
/// use linkstream::volume::{ErrorKind, Members, VolumeKind};
///
/// let mut members = Members::new();
/// assert_eq!(members.add(0, VolumeKind::First, Some(VolumeFormat::Partition)), None);
/// assert_eq!(members.add(2, VolumeKind::Other, None), None);
/// assert_eq!(members.end(), None);
/// assert_eq!(members.add(3, VolumeKind::First, Some(VolumeFormat::Partition)), Some(ErrorKind::FirstRepeated));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Members {
    lowest: Option<u64>,
    first: Option<u64>,
    format: Option<VolumeFormat>,
}

impl Members {
    /// A set without volumes.
    #[must_use]
    pub const fn new() -> Self {
        Self { lowest: None, first: None, format: None }
    }

    /// Adds a volume with this number and kind, and with the format from its file document if it has one. Returns an
    /// error if it does not fit the volumes added before.
    pub fn add(&mut self, number: u64, kind: VolumeKind, format: Option<VolumeFormat>) -> Option<ErrorKind> {
        self.lowest = Some(self.lowest.map_or(number, |lowest| lowest.min(number)));
        if kind == VolumeKind::Other {
            return None;
        }
        if self.first.is_none() {
            (self.first, self.format) = (Some(number), format);
            None
        } else if self.format != format {
            Some(ErrorKind::FormatMixed)
        } else {
            Some(ErrorKind::FirstRepeated)
        }
    }

    /// The error of the whole set, after all volumes have been added.
    #[must_use]
    pub fn end(&self) -> Option<ErrorKind> {
        match self.first {
            None => Some(ErrorKind::FirstMissing),
            Some(number) if self.lowest != Some(number) => Some(ErrorKind::FirstMisplaced { number }),
            Some(_) => None,
        }
    }
}
