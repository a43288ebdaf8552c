//! What is kept of a document of any length.

use super::file_type::FileType;
use super::label::Label;
use super::root::Root;
use crate::state::saved;
use crate::xml::Text;

/// What is kept of a document that was read without keeping its texts; see
/// [`conformance::Decoder`](crate::conformance::Decoder).
///
/// # Example
/// ```
/// use linkstream::conformance::Decoder;
///
/// /// `C1D12 1.0`, for example.
/// fn describe(decoder: &Decoder) -> Option<String> {
///     let file = decoder.usqcd_file()?;
///     Some(format!("{} {}", file.file_type?, file.version.as_str()))
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Summary {
    /// Which document it is.
    pub root: Root,
    /// The version as written; empty if it is missing or has more than 8 bytes.
    pub version: Text<8>,
    /// The type of a propagator file, if it is known.
    pub file_type: Option<FileType>,
    /// Source spin and color, if they are in their ranges.
    pub label: Label,
}

saved!(struct Summary { root, version, file_type, label });
