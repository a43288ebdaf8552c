//! `scidac-private-file-xml`: the description of the whole file (QIO 2.3, section 2.1.1).

use crate::error::Error;
use crate::lattice::{Coordinates, Extents};
use crate::state::saved;
use crate::xml::{
    self, Document, ElementName, EmitError, Emitter, ErrorKind, Problems, Schema, Seen, Slot, Spacing, Text,
};

/// Distribution of the data over the volumes (files) of a file set.
///
/// # Example
/// ```
/// use linkstream::lattice::Extents;
/// use linkstream::scidac::{PrivateFile, VolumeFormat};
///
/// assert_eq!(PrivateFile::new(&Extents::new(&[4, 4])?).volume_format(), VolumeFormat::Single);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum VolumeFormat {
    /// A single file.
    #[default]
    Single,
    /// One volume per node, with the sites in the storage order of the node.
    Multifile,
    /// One volume per I/O node, with the sites in ascending order of their rank.
    Partition,
    /// The same as `Partition`, with each volume in its own directory.
    PartitionDirectory,
}

/// The document `scidacFile`, versions 1.0 and 1.1. The [module](super) lists its elements.
///
/// ```
/// use linkstream::scidac::PrivateFile;
/// use linkstream::xml::Spacing;
///
/// let file = PrivateFile::parse(
///     b"<?xml version=\"1.0\" encoding=\"UTF-8\"?><scidacFile><version>1.1</version>\
///       <spacetime>4</spacetime><dims>4 4 4 8 </dims><volfmt>0</volfmt></scidacFile>\0",
/// )?;
/// assert_eq!(file.extents().ok_or("no lattice")?.as_slice(), [4, 4, 4, 8]);
///
/// let mut again = [0; 149];
/// assert_eq!(file.emit(Spacing::Line, &mut again)?, 149);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PrivateFile {
    version: Text<8>,
    spacetime: u32,
    dims: Coordinates,
    /// As in the document: 0 to 3, in the order of [`VolumeFormat`].
    volume_format: u32,
    /// As in the document: 1 for a single file. Only used in version 1.0.
    multifile: u32,
    seen: Seen,
}

saved!(struct PrivateFile { version, spacetime, dims, volume_format, multifile, seen });

/// The state before a document is read.
impl Default for PrivateFile {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl PrivateFile {
    /// The state before a document is read. All bytes are zero, so that clearing memory is enough.
    pub(crate) const EMPTY: Self = Self {
        version: Text::new(),
        spacetime: 0,
        dims: Coordinates::EMPTY,
        volume_format: 0,
        multifile: 0,
        seen: Seen::NONE,
    };

    const SCHEMA: &Schema = &Schema {
        root: "scidacFile",
        elements: Seen::of(&[
            ElementName::Version,
            ElementName::Spacetime,
            ElementName::Dims,
            ElementName::Volfmt,
            ElementName::Multifile,
        ]),
        required: Seen::of(&[
            ElementName::Version,
            ElementName::Spacetime,
            ElementName::Dims,
            ElementName::Volfmt,
        ]),
        latest: b'1',
        namespaced: false,
    };

    /// A document of version 1.1 for a single file with this lattice.
    ///
    /// # Example
    /// ```
    /// use linkstream::lattice::Extents;
    /// use linkstream::scidac::PrivateFile;
    /// use linkstream::xml::Spacing;
    ///
    /// let extents = Extents::new(&[4, 4, 4, 8])?;
    /// let file = PrivateFile::new(&extents);
    /// assert_eq!((file.version(), file.extents()), ("1.1", Some(extents)));
    /// let mut buffer = [0; 512];
    /// let length = file.emit(Spacing::Lines, &mut buffer)?;
    /// assert_eq!(PrivateFile::parse(&buffer[..length])?.extents(), Some(extents));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(extents: &Extents) -> Self {
        Self {
            version: Text::fixed("1.1"),
            spacetime: u32::from(extents.dimensions()),
            dims: *extents.list(),
            volume_format: 0,
            multifile: 0,
            seen: Seen::of(&[
                ElementName::Version,
                ElementName::Spacetime,
                ElementName::Dims,
                ElementName::Volfmt,
            ]),
        }
    }

    /// The same document for a file set of this format. Version 1.0 cannot describe partitions: a document of this
    /// version becomes one of version 1.1 then.
    ///
    /// ```
    /// use linkstream::lattice::Extents;
    /// use linkstream::scidac::{PrivateFile, VolumeFormat};
    ///
    /// let file = PrivateFile::new(&Extents::new(&[4, 4])?).with_volume_format(VolumeFormat::Partition);
    /// assert_eq!(file.volume_format(), VolumeFormat::Partition);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_volume_format(self, format: VolumeFormat) -> Self {
        let number = match format {
            VolumeFormat::Single => 0,
            VolumeFormat::Multifile => 1,
            VolumeFormat::Partition => 2,
            VolumeFormat::PartitionDirectory => 3,
        };
        // `multifile` of version 1.0 distinguishes only a single file and one file per node.
        let (version, seen) = if number > 1 && self.has_multifile() {
            (Text::fixed("1.1"), Self::SCHEMA.required)
        } else {
            (self.version, self.seen)
        };
        Self { version, volume_format: number, multifile: u32::from(number == 0), seen, ..self }
    }

    /// Reads a document from a slice that contains all of it.
    ///
    /// # Errors
    /// The first broken rule above [`Severity::Info`](crate::Severity::Info), so warnings as well. Its offset is
    /// counted from the first byte of the document.
    pub fn parse(document: &[u8]) -> Result<Self, Error<ErrorKind>> {
        xml::read(document)
    }

    /// Writes the document; [`Spacing::Line`] is as QIO does, with a terminating NUL. Returns its length in bytes.
    ///
    /// # Errors
    /// The buffer is too small, or a text contains characters that readers would not see unchanged.
    pub fn emit(&self, spacing: Spacing, buffer: &mut [u8]) -> Result<usize, EmitError> {
        let mut emitter = Emitter::new(buffer, spacing, Self::SCHEMA.root, &[]);
        emitter.text(ElementName::Version, &self.version);
        emitter.number(ElementName::Spacetime, self.spacetime);
        emitter.numbers(ElementName::Dims, self.dims.as_slice());
        if self.has_multifile() {
            emitter.number(ElementName::Multifile, self.multifile);
        } else {
            emitter.number(ElementName::Volfmt, self.volume_format);
        }
        emitter.finish(Self::SCHEMA.root)
    }

    /// The version as written in the document; empty if it is missing.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The extents as given in the document; empty if they are missing.
    pub(crate) fn lattice(&self) -> &[u32] {
        self.dims.as_slice()
    }

    /// The extents of the lattice in sites, dimension 0 first; `None` if the document does not contain them.
    #[must_use]
    pub fn extents(&self) -> Option<Extents> {
        Extents::new(self.dims.as_slice()).ok()
    }

    /// Distribution of the data over volumes.
    #[must_use]
    pub fn volume_format(&self) -> VolumeFormat {
        let format = match self.multifile {
            _ if !self.has_multifile() => self.volume_format,
            1 => 0,
            _ => 1,
        };
        match format {
            0 => VolumeFormat::Single,
            1 => VolumeFormat::Multifile,
            2 => VolumeFormat::Partition,
            _ => VolumeFormat::PartitionDirectory,
        }
    }

    /// True for a document of version 1.0 with `multifile`, which replaces `volfmt`.
    fn has_multifile(&self) -> bool {
        self.version == "1.0" && self.seen.contains(ElementName::Multifile)
    }
}

impl Document for PrivateFile {
    fn schema(&self) -> &'static Schema {
        Self::SCHEMA
    }

    fn seen(&mut self) -> &mut Seen {
        &mut self.seen
    }

    fn slot(&mut self, element: ElementName) -> Option<Slot<'_>> {
        Some(match element {
            ElementName::Spacetime => Slot::number(&mut self.spacetime),
            ElementName::Dims => Slot::List(&mut self.dims),
            ElementName::Volfmt => Slot::choice(&mut self.volume_format, 3),
            ElementName::Multifile => Slot::number(&mut self.multifile),
            ElementName::Version => Slot::Text { to: self.version.place(), cut: false },
            _ => return None,
        })
    }

    fn problems(&self) -> Problems {
        let mut problems = Problems::of(Self::SCHEMA, self.version.as_bytes(), self.seen);
        if self.has_multifile() {
            problems.excuse(ElementName::Volfmt);
        }
        problems.compare_dimensions(self.spacetime, ElementName::Dims, self.dims.as_slice());
        problems.check_extents(Seen::of(&[ElementName::Dims]), self.dims.as_slice());
        problems
    }
}
