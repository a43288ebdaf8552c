//! Settings of a writer that apply to the field written next.

use core::fmt;

/// A property of the file or of the next field, which is set before the field is written.
///
/// ```
/// use linkstream::field::{EncodeErrorKind, Setting};
/// use linkstream::io::{FieldWriter, WriteError};
/// use linkstream::lattice::Extents;
///
/// let (mut sink, mut buffer) = ([0; 1024], [0; 512]);
/// let mut file = FieldWriter::create(&mut sink[..], &mut buffer, Extents::new(&[2, 2, 2, 2])?)?;
/// file.next_lfn("lfn://example/lattice.0100");
/// // No field follows, so the name is not in the file.
/// assert_eq!(file.finish(), Err(WriteError::Refused(EncodeErrorKind::NotWritten(Setting::Lfn))));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Setting {
    /// The text of the `scidac-file-xml`.
    Title,
    /// The text of the `scidac-record-xml`.
    Text,
    /// The date of the SciDAC record.
    Date,
    /// The `ildg-update`.
    Update,
    /// The logical file name.
    Lfn,
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Title => "the title",
            Self::Text => "the text of the next field",
            Self::Date => "the date of the next field",
            Self::Update => "the update number of the next field",
            Self::Lfn => "the logical file name",
        })
    }
}
