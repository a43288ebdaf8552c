//! `scidac-private-file-xml`: what the whole file is about (QIO 2.3, "Private file XML").

use heapless::String;

use crate::error::Error;
use crate::lattice::{Coordinates, Extents};
use crate::state::saved;
use crate::xml::{self, Document, Element, EmitError, Emitter, ErrorKind, Form, Seen};

/// How a file is spread over volumes.
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
    /// The file is all there is.
    #[default]
    Single,
    /// One file per node, sites in the node's own order.
    Multifile,
    /// One file per I/O node, sites ascending.
    Partition,
    /// As `Partition`, each file in a directory of its own.
    PartitionDirectory,
}

saved!(enum VolumeFormat: Single, Multifile, Partition, PartitionDirectory);

/// The document `scidacFile`, versions 1.0 and 1.1.
///
/// ```
/// use linkstream::scidac::PrivateFile;
///
/// let file = PrivateFile::parse(
///     b"<?xml version=\"1.0\" encoding=\"UTF-8\"?><scidacFile><version>1.1</version>\
///       <spacetime>4</spacetime><dims>4 4 4 8 </dims><volfmt>0</volfmt></scidacFile>\0",
/// )?;
/// assert_eq!(file.extents().unwrap().as_slice(), [4, 4, 4, 8]);
///
/// let mut again = [0; 149];
/// assert_eq!(file.emit(&mut again)?, 149);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PrivateFile {
    version: String<8>,
    spacetime: u32,
    dims: Coordinates,
    volume_format: VolumeFormat,
    /// What `multifile` says, which counts in version 1.0 only.
    multifile: VolumeFormat,
    seen: Seen,
}

saved!(struct PrivateFile { version, spacetime, dims, volume_format, multifile, seen });

impl PrivateFile {
    const ROOT: &str = "scidacFile";

    /// The document of a single file on this lattice, version 1.1.
    ///
    /// # Example
    /// ```
    /// use linkstream::lattice::Extents;
    /// use linkstream::scidac::PrivateFile;
    /// use linkstream::xml::Form;
    ///
    /// let extents = Extents::new(&[4, 4, 4, 8])?;
    /// let file = PrivateFile::new(&extents);
    /// assert_eq!((file.version(), file.extents()), ("1.1", Some(extents)));
    /// let mut buffer = [0; 512];
    /// let length = file.emit_as(Form::Lines, &mut buffer)?;
    /// assert_eq!(PrivateFile::parse(&buffer[..length])?.extents(), Some(extents));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(extents: &Extents) -> Self {
        let mut seen = Seen::default();
        for element in [Element::Version, Element::Spacetime, Element::Dims, Element::Volfmt] {
            seen.insert(element);
        }
        Self {
            version: String::try_from("1.1").unwrap_or_default(),
            spacetime: u32::from(extents.dimensions()),
            dims: Coordinates::new(extents.as_slice()).unwrap_or_default(),
            volume_format: VolumeFormat::Single,
            multifile: VolumeFormat::Single,
            seen,
        }
    }

    /// Reads a whole document.
    ///
    /// # Errors
    /// The first thing that is wrong with it; offsets count from its first byte.
    pub fn parse(document: &[u8]) -> Result<Self, Error<ErrorKind>> {
        xml::read(document)
    }

    /// Writes the document as QIO does, with its NUL; returns the length.
    ///
    /// # Errors
    /// The buffer is too small, or a text would not be read back as it is.
    pub fn emit(&self, buffer: &mut [u8]) -> Result<usize, EmitError> {
        self.emit_as(Form::Line, buffer)
    }

    /// Writes the document in a form of the caller's choice; returns the length.
    ///
    /// # Errors
    /// As [`emit`](Self::emit).
    pub fn emit_as(&self, form: Form, buffer: &mut [u8]) -> Result<usize, EmitError> {
        let mut emitter = Emitter::new(buffer, form, Self::ROOT, &[]);
        emitter.text(Element::Version, &self.version);
        emitter.number(Element::Spacetime, self.spacetime);
        emitter.numbers(Element::Dims, self.dims.as_slice());
        if self.has_multifile() {
            emitter.number(Element::Multifile, u32::from(self.multifile == VolumeFormat::Single));
        } else {
            emitter.number(Element::Volfmt, self.volume_format as u32);
        }
        emitter.finish(Self::ROOT)
    }

    /// The document's version as written, empty if it was missing.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The lattice; `None` if the document does not give one.
    #[must_use]
    pub fn extents(&self) -> Option<Extents> {
        Extents::new(self.dims.as_slice()).ok()
    }

    /// How the file is spread over volumes.
    #[must_use]
    pub fn volume_format(&self) -> VolumeFormat {
        if self.has_multifile() { self.multifile } else { self.volume_format }
    }

    /// Version 1.0 has `multifile` in the place of `volfmt`.
    fn has_multifile(&self) -> bool {
        self.version() == "1.0" && self.seen.contains(Element::Multifile)
    }
}

impl Document for PrivateFile {
    const ROOT: &'static str = Self::ROOT;
    const ELEMENTS: &'static [Element] =
        &[Element::Version, Element::Spacetime, Element::Dims, Element::Volfmt, Element::Multifile];

    fn element(&mut self, element: Element, value: &[u8]) -> Result<(), ErrorKind> {
        if !self.seen.insert(element) {
            return Err(ErrorKind::Duplicate(element));
        }
        match element {
            Element::Version => self.version = xml::text(element, value)?,
            Element::Spacetime => self.spacetime = xml::number(element, value)?,
            Element::Dims => self.dims = xml::numbers(element, value)?,
            Element::Volfmt => {
                self.volume_format = match xml::number(element, value)? {
                    0 => VolumeFormat::Single,
                    1 => VolumeFormat::Multifile,
                    2 => VolumeFormat::Partition,
                    3 => VolumeFormat::PartitionDirectory,
                    _ => return Err(ErrorKind::Value(element)),
                }
            }
            // 1 for a single file.
            _ => {
                self.multifile = match xml::number(element, value)? {
                    1 => VolumeFormat::Single,
                    _ => VolumeFormat::Multifile,
                }
            }
        }
        Ok(())
    }

    fn audit(&self, index: usize) -> Option<ErrorKind> {
        let missing = |element| (!self.seen.contains(element)).then_some(ErrorKind::Missing(element));
        let listed = self.dims.as_slice().len();
        let dimensions = ErrorKind::Dimensions { spacetime: self.spacetime, listed: listed as u8 };
        let counted = self.seen.contains(Element::Spacetime) && self.seen.contains(Element::Dims);
        let differ = counted && usize::try_from(self.spacetime) != Ok(listed);
        [
            missing(Element::Version),
            (self.seen.contains(Element::Version) && !matches!(self.version(), "1.0" | "1.1" | "1"))
                .then_some(ErrorKind::Version),
            missing(Element::Spacetime),
            missing(Element::Dims),
            missing(Element::Volfmt).filter(|_| !self.has_multifile()),
            differ.then_some(dimensions),
            Extents::new(self.dims.as_slice()).err().filter(|_| listed > 0).map(ErrorKind::Extents),
        ]
        .into_iter()
        .flatten()
        .nth(index)
    }
}
