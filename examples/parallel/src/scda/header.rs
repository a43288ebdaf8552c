//! Options of a file, and headers of sections.

use linkstream::Mode;
use linkstream::scda::{Count, Section, SectionType, Style};

/// Options for writing a file. All ranks pass the same ones.
///
/// ```
/// use linkstream_parallel::scda::WriteOptions;
///
/// // The bytes that libsc writes.
/// let options = WriteOptions { vendor: b"libsc".to_vec(), ..Default::default() };
/// assert_eq!(options.level, 6);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteOptions {
    /// Name of the writing program, at most 20 bytes; `linkstream` unless set.
    pub vendor: Vec<u8>,
    /// Style of line breaks and padding; Unix unless set.
    pub style: Style,
    /// Level of compression from 0, not compressed, to 9; 6 unless set. The paper recommends 9, which takes longer and
    /// makes data of meshes hardly shorter.
    pub level: u8,
    /// True, as it is unless set, if the file is called `.NAME.part` until it is complete: an existing file stays
    /// as it is until then. Otherwise, an existing file is truncated when the file is created.
    pub replace: bool,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { vendor: b"linkstream".to_vec(), style: Style::Unix, level: 6, replace: true }
    }
}

/// Options for reading a file. All ranks pass the same ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// Mode of the decoder, which decides what broken rules are errors; lenient unless set: the paper allows any padding of data
    /// (section 2.1), which is counted in [`Reader::findings`](super::Reader::findings).
    pub mode: Mode,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { mode: Mode::Lenient }
    }
}

/// Header of a section (scda A.5.1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionHeader {
    /// Absolute offset of the first byte of the section.
    pub offset: u64,
    /// Type of the section.
    pub section_type: SectionType,
    /// Number of elements of an array; 0 for other types.
    pub n: Count,
    /// Number of bytes of each element of an array with elements of one size, or of a block; 0 for other types.
    pub e: Count,
    /// The user string, at most 58 bytes.
    pub userstr: Vec<u8>,
    /// True if the section is compressed, and its data are decompressed on reading: the output of Table 2 of the paper.
    pub decode: bool,
}

impl SectionHeader {
    pub(super) fn of(section: &Section, userstr: &[u8]) -> Self {
        let Section { offset, section_type, n, e, .. } = *section;
        Self { offset, section_type, n, e, userstr: userstr.to_vec(), decode: section.is_compressed() }
    }
}
