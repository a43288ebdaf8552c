//! A document as a value that borrows its texts from the input or from the caller.

use super::error::ErrorKind;
use super::names::{ElementName, FileType, Label, Role, Root};
use super::scanner::{Scanner, Summary};
use crate::error::Error;
use crate::messages::messages;
use crate::xml::{self, Emitter, Spacing, Text, is_value};

/// A USQCD document: file XML or record XML.
///
/// Texts are borrowed, so that they can have any length; QIO truncates documents after 1023 bytes. A text is the bytes
/// between the tags: `info` may contain XML, and references such as `&amp;` are not resolved. QIO reads texts in the
/// same way, but removes white space around them. Each of their accessors returns `None` if the document does not have the
/// element; an empty element is an empty text.
///
/// ```
/// use linkstream::usqcd::{Document, Label, Root};
/// use linkstream::xml::Spacing;
///
/// let text = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?><usqcdPropInfo><version>1.0</version>\
///     <spin>0</spin><color>2</color><info><mass>0.05</mass></info></usqcdPropInfo>\0";
/// let document = Document::parse(text)?;
/// assert_eq!(document.summary().root, Root::PropInfo);
/// assert_eq!(document.summary().label, Label { spin: Some(0), color: Some(2) });
/// assert_eq!(document.info(), Some(&b"<mass>0.05</mass>"[..]));
/// assert_eq!(document.plaq(), None);
///
/// let mut again = [0; 256];
/// let length = document.emit(Spacing::Line, &mut again)?;
/// assert_eq!(&again[..length], text);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Document<'t> {
    root: Root,
    version: Option<Text<8>>,
    file_type: Option<FileType>,
    label: Label,
    plaq: Option<&'t [u8]>,
    linktr: Option<&'t [u8]>,
    info: Option<&'t [u8]>,
}

impl<'t> Document<'t> {
    /// A document with only version and info.
    fn of(root: Root, info: &'t [u8]) -> Self {
        Self {
            root,
            version: Some(Text::fixed("1.0")),
            file_type: None,
            label: Label::default(),
            plaq: None,
            linktr: None,
            info: Some(info),
        }
    }

    /// The record XML of a gauge field: `usqcdInfo` (QIO 2.3, appendix A.1). Plaquette and link trace are normalised to
    /// 1 for the unit matrix.
    ///
    /// ```
    /// use linkstream::usqcd::Document;
    /// use linkstream::xml::Spacing;
    ///
    /// let document = Document::lattice(b"0.8941325", b"0.0314259", b"beta = 6.0");
    /// let mut text = [0; 256];
    /// let length = document.emit(Spacing::Line, &mut text)?;
    /// assert_eq!(Document::parse(&text[..length])?.plaq(), Some(&b"0.8941325"[..]));
    /// assert_eq!(document.linktr(), Some(&b"0.0314259"[..]));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lattice(plaq: &'t [u8], linktr: &'t [u8], info: &'t [u8]) -> Self {
        Self { plaq: Some(plaq), linktr: Some(linktr), ..Self::of(Root::LatticeInfo, info) }
    }

    /// The file XML of a propagator file: `usqcdPropFile` or `usqcdKSPropFile` (QIO 2.3, appendices A.2.1 and A.3.1).
    #[must_use]
    pub fn file(file_type: FileType, info: &'t [u8]) -> Self {
        Self { file_type: Some(file_type), ..Self::of(file_type.root(), info) }
    }

    /// The record XML of a source: `usqcdSourceInfo` (QIO 2.3, appendices A.2.2 and A.3.2). Spin and color can be added
    /// with [`with_label`](Self::with_label), as QIO does since version 2.4.1.
    #[must_use]
    pub fn source(info: &'t [u8]) -> Self {
        Self::of(Root::SourceInfo, info)
    }

    /// The record XML of a solution in a file of this type: `usqcdPropInfo` or `usqcdKSPropInfo` (QIO 2.3, appendices
    /// A.2.3 and A.3.3).
    #[must_use]
    pub fn solution(file_type: FileType, info: &'t [u8]) -> Self {
        Self::of(file_type.record_root(Role::Solution), info)
    }

    /// The same document with source spin and color.
    #[must_use]
    pub const fn with_label(mut self, label: Label) -> Self {
        self.label = label;
        self
    }

    /// Reads a document from a slice that contains all of it.
    ///
    /// # Errors
    /// The first error in the document, whatever its severity; its offset is counted from the first byte of the
    /// document.
    pub fn parse(document: &'t [u8]) -> Result<Self, Error<ErrorKind>> {
        let mut scanner = Scanner::at(0);
        let mut texts = [None; ElementName::ALL.len()];
        for byte in document {
            let Some(value) = scanner.push(*byte) else { continue };
            let range = usize::try_from(value.begin).ok().zip(usize::try_from(value.end).ok());
            let text = range.and_then(|(begin, end)| document.get(begin..end)).unwrap_or_default();
            if let Some(slot) = texts.get_mut(value.element as usize) {
                *slot = Some(text);
            }
        }
        let Summary { root, version: kept, file_type, label } =
            scanner.summary().ok_or(Error::new(0, ErrorKind::NotUsqcd))?;
        if let Some(error) = scanner.errors(false).next() {
            return Err(error);
        }
        let [version, _, plaq, linktr, _, _, info] = texts;
        Ok(Self { root, version: version.map(|_| kept), file_type, label, plaq, linktr, info })
    }

    /// Writes the document; [`Spacing::Line`] is as QIO does, with a terminating NUL. Returns its length in bytes.
    ///
    /// ```
    /// use linkstream::usqcd::{Document, ElementName, EmitError};
    /// use linkstream::xml::Spacing;
    ///
    /// let document = Document::source(b"a & b");
    /// let refused = document.emit(Spacing::Lines, &mut [0; 256]);
    /// assert_eq!(refused, Err(EmitError::Text(ElementName::Info)));
    /// ```
    ///
    /// # Errors
    /// The buffer is too small, a text is not well-formed XML, or spin or color are out of range or not allowed in this
    /// document.
    pub fn emit(&self, spacing: Spacing, buffer: &mut [u8]) -> Result<usize, EmitError> {
        let texts = [
            (ElementName::Plaq, self.plaq),
            (ElementName::Linktr, self.linktr),
            (ElementName::Info, self.info),
        ];
        for (element, text) in texts {
            if text.is_some_and(|text| !is_value(text)) {
                return Err(EmitError::Text(element));
            }
        }
        let elements = self.root.elements();
        let has_place = (self.label.spin.is_none() || elements.contains(ElementName::Spin))
            && (self.label.color.is_none() || elements.contains(ElementName::Color));
        if !self.label.is_consistent() || !has_place {
            return Err(EmitError::Label);
        }
        let root = self.root.as_str();
        let mut emitter = Emitter::new(buffer, spacing, root, &[]);
        let mut put = |element: ElementName, text: &[u8]| emitter.verbatim(element.as_str(), text);
        for element in ElementName::ALL {
            let text = match element {
                ElementName::Version => self.version.as_ref().map(Text::as_bytes),
                ElementName::Type => self.file_type.map(|file_type| file_type.name().as_bytes()),
                ElementName::Plaq => self.plaq,
                ElementName::Linktr => self.linktr,
                ElementName::Spin => digit(self.label.spin),
                ElementName::Color => digit(self.label.color),
                ElementName::Info => self.info,
            };
            if let Some(text) = text.filter(|_| elements.contains(element)) {
                put(element, text);
            }
        }
        Ok(emitter.finish(root)?)
    }

    /// The document without the texts of the user: its kind, version, type of file and label.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let Self { root, file_type, label, .. } = *self;
        Summary { root, version: self.version.unwrap_or_default(), file_type, label }
    }

    /// The average plaquette as text, normalised to 1 for the unit matrix (appendix A.1).
    #[must_use]
    pub const fn plaq(&self) -> Option<&'t [u8]> {
        self.plaq
    }

    /// The real part of the average trace of a link as text (appendix A.1).
    #[must_use]
    pub const fn linktr(&self) -> Option<&'t [u8]> {
        self.linktr
    }

    /// Text or XML of the user.
    #[must_use]
    pub const fn info(&self) -> Option<&'t [u8]> {
        self.info
    }
}

/// The digit of a number below 10.
fn digit(number: Option<u8>) -> Option<&'static [u8]> {
    b"0123456789".chunks(1).nth(usize::from(number?))
}

messages! {
    /// Reason why a document was not written.
    ///
    /// # Example
    /// ```
    /// use linkstream::usqcd::{Document, ElementName, EmitError};
    /// use linkstream::xml::Spacing;
    ///
    /// let refused = Document::source(b"</info>").emit(Spacing::Line, &mut [0; 256]);
    /// assert_eq!(refused, Err(EmitError::Text(ElementName::Info)));
    /// ```
    pub enum EmitError {
        /// The buffer is too small for the document.
        Xml(error: xml::EmitError) => (..error),
        /// The text of this element is not well-formed XML or contains a NUL: readers would see another text.
        Text(element: ElementName) => (
            "the text of <{element}> is not well-formed XML (write & as &amp; and < as &lt;) or contains a NUL"
        ),
        /// Spin or color is out of range, or the document has no such element.
        Label => ("a label is a spin from 0 to 3 and a color from 0 to 2, and only of documents that have these elements"),
    }
}

impl From<xml::EmitError> for EmitError {
    fn from(error: xml::EmitError) -> Self {
        Self::Xml(error)
    }
}
