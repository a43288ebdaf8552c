//! The documents of the standard files of USQCD (QIO 2.3, appendix A).

use std::ffi::c_int;

use linkstream::usqcd::FileType;
use linkstream_c_border::Failure;

use crate::code::{BAD_XML, ERR_FILE_INFO, ERR_REC_INFO, Refused};
use crate::string::QioString;
use crate::text::Text;
use crate::xml;

/// Largest length of a text that a program can put into a document, in bytes (appendix A.1).
pub const MAX_TEXT: usize = 1023;

/// An element of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// Version of the document.
    Version,
    /// Type of a propagator file.
    Type,
    /// Average plaquette.
    Plaq,
    /// Average trace of a link.
    Linktr,
    /// Source spin.
    Spin,
    /// Source color.
    Color,
    /// Text of the user.
    Info,
}

impl Element {
    const COUNT: usize = 7;

    const fn name(self) -> &'static str {
        match self {
            Self::Version => "version",
            Self::Type => "type",
            Self::Plaq => "plaq",
            Self::Linktr => "linktr",
            Self::Spin => "spin",
            Self::Color => "color",
            Self::Info => "info",
        }
    }

    const fn is_number(self) -> bool {
        matches!(self, Self::Spin | Self::Color)
    }
}

/// A kind of documents.
#[derive(Debug)]
pub struct Kind {
    /// Name of the structure in C, for messages.
    pub name: &'static str,
    /// Names of the root: the first one is written, all are read.
    roots: &'static [&'static str],
    /// The elements, in the order of writing.
    elements: &'static [Element],
    /// The types of files, each at the place of its number.
    types: &'static [FileType],
}

/// Record of a gauge field (appendix A.1).
pub static LATTICE: Kind = Kind {
    name: "QIO_USQCDLatticeInfo",
    roots: &["usqcdInfo"],
    elements: &[Element::Version, Element::Plaq, Element::Linktr, Element::Info],
    types: &[],
};

/// File of Dirac propagators (appendix A.2.1).
pub static PROP_FILE: Kind = Kind {
    name: "QIO_USQCDPropFileInfo",
    roots: &["usqcdPropFile"],
    elements: &[Element::Version, Element::Type, Element::Info],
    types: &[FileType::C1D12, FileType::DdPairs, FileType::CdPairs, FileType::Lhpc],
};

/// Record of the source of a Dirac propagator (appendix A.2.2). Spin and color are optional, and not in the document.
pub static PROP_SOURCE: Kind = Kind {
    name: "QIO_USQCDPropSourceInfo",
    roots: &["usqcdSourceInfo"],
    elements: &[Element::Version, Element::Spin, Element::Color, Element::Info],
    types: &[],
};

/// Record of a Dirac solution (appendix A.2.3). QIO before version 2.3.5 wrote another root.
pub static PROP_RECORD: Kind = Kind {
    name: "QIO_USQCDPropRecordInfo",
    roots: &["usqcdPropInfo", "usqcdInfo"],
    elements: &[Element::Version, Element::Spin, Element::Color, Element::Info],
    types: &[],
};

/// File of staggered propagators (appendix A.3.1).
pub static KS_PROP_FILE: Kind = Kind {
    name: "QIO_USQCDKSPropFileInfo",
    roots: &["usqcdKSPropFile"],
    elements: &[Element::Version, Element::Type, Element::Info],
    types: &[FileType::C1V3, FileType::VvPairs, FileType::CvPairs],
};

/// Record of the source of a staggered propagator (appendix A.3.2).
pub static KS_PROP_SOURCE: Kind = Kind {
    name: "QIO_USQCDKSPropSourceInfo",
    roots: &["usqcdSourceInfo"],
    elements: &[Element::Version, Element::Color, Element::Info],
    types: &[],
};

/// Record of a staggered solution (appendix A.3.3).
pub static KS_PROP_RECORD: Kind = Kind {
    name: "QIO_USQCDKSPropRecordInfo",
    roots: &["usqcdKSPropInfo"],
    elements: &[Element::Version, Element::Color, Element::Info],
    types: &[],
};

/// The content of a document. Elements can be missing.
#[derive(Debug)]
pub struct Info {
    kind: &'static Kind,
    values: [Text; Element::COUNT],
}

impl Info {
    /// A document with a version, and nothing else.
    #[must_use]
    pub fn new(kind: &'static Kind) -> Self {
        let mut info = Self { kind, values: Default::default() };
        info.put(Element::Version, Some(b"1.0"));
        info
    }

    fn put(&mut self, element: Element, value: Option<&[u8]>) {
        self.values[element as usize] = Text::of(value);
    }

    /// Sets a text of the program, which can be missing.
    ///
    /// # Errors
    /// It has more than 1023 bytes.
    pub fn with_text(mut self, element: Element, value: Option<&[u8]>) -> Result<Self, Refused> {
        if let Some(length) = value.map(<[u8]>::len).filter(|length| *length > MAX_TEXT) {
            let message = format!("the text of <{}> has {length} bytes; the limit is 1023", element.name());
            let clause = "QIO 2.3, appendix A.1".to_owned();
            return Err(Refused::new(crate::code::BAD_ARG, Failure { clause, ..Failure::usage(message) }));
        }
        self.put(element, value);
        Ok(self)
    }

    /// Sets a number.
    #[must_use]
    pub fn with_number(mut self, element: Element, value: c_int) -> Self {
        self.put(element, Some(value.to_string().as_bytes()));
        self
    }

    /// Sets the type of the file by its number. An unknown number leaves it missing; then the document can be read, not
    /// written.
    #[must_use]
    pub fn with_type(mut self, number: c_int) -> Self {
        let known = usize::try_from(number).ok().and_then(|number| self.kind.types.get(number));
        self.put(Element::Type, known.map(|known| known.name().as_bytes()));
        self
    }

    /// Checks the kind.
    ///
    /// # Errors
    /// The document is of another kind.
    pub fn of_kind(&self, kind: &'static Kind) -> Result<(), Refused> {
        if std::ptr::eq(self.kind, kind) {
            return Ok(());
        }
        Err(Refused::usage(format!("a {} was passed instead of a {}", self.kind.name, kind.name)))
    }

    /// True if the document has the element.
    #[must_use]
    pub const fn is_defined(&self, element: Element) -> bool {
        self.values[element as usize].is_defined()
    }

    /// A value; empty if it is missing.
    pub const fn text(&mut self, element: Element) -> &mut Text {
        &mut self.values[element as usize]
    }

    /// A number.
    ///
    /// # Errors
    /// It is missing.
    pub fn number(&self, element: Element) -> Result<c_int, Refused> {
        let value = self.values[element as usize].get().and_then(number);
        value.ok_or_else(|| {
            Refused::because(ERR_REC_INFO, format!("the document has no <{}>", element.name()))
        })
    }

    /// The number of the type of the file.
    ///
    /// # Errors
    /// It is missing or unknown.
    pub fn file_type(&self) -> Result<c_int, Refused> {
        let name = &self.values[Element::Type as usize];
        let place = self.kind.types.iter().position(|known| name.get() == Some(known.name().as_bytes()));
        place.and_then(|place| c_int::try_from(place).ok()).ok_or_else(|| {
            let message = format!("{:?} is no type of a file with <{}>", name.shown(), self.kind.roots[0]);
            Refused::because(ERR_FILE_INFO, message)
        })
    }

    /// Writes the document into a string of the program, as QIO does. Elements that are missing are left out.
    ///
    /// # Errors
    /// The type of the file is missing, or readers would find another text than was put in: the string is empty then.
    pub fn encode(&self, string: &mut QioString) -> Result<(), Refused> {
        match self.document() {
            Ok(document) => string.set(&document),
            Err(refused) => {
                // A document of before is not taken for this one.
                string.set(b"")?;
                Err(refused)
            }
        }
    }

    fn document(&self) -> Result<Vec<u8>, Refused> {
        if self.kind.elements.contains(&Element::Type) && !self.is_defined(Element::Type) {
            let message = "the number of the type of the file is none of qioxml_usqcd_prop.h and _ksprop.h";
            return Err(Refused::because(ERR_FILE_INFO, message));
        }
        let given = || {
            self.kind
                .elements
                .iter()
                .filter_map(|element| Some((element.name(), self.values[*element as usize].get()?)))
        };
        let document = xml::write(self.kind.roots[0], given())?;
        let is_same = xml::parse(&document).is_ok_and(|read| {
            let read = read.elements.into_iter();
            read.eq(given().map(|(name, value)| (name.as_bytes(), value.trim_ascii())))
        });
        if !is_same {
            return Err(Refused::because(
                BAD_XML,
                "a text contains a tag that ends or begins its own element",
            ));
        }
        Ok(document)
    }

    /// Reads a document. Elements can have any order, and unknown ones are ignored; of two with one name the last one
    /// is used, and this is an error. Returns the number of errors: required elements that are missing, elements that
    /// occur twice, and numbers that are none.
    ///
    /// # Errors
    /// The text is no such document, or it is malformed. All elements are missing then.
    pub fn decode(&mut self, string: &QioString) -> Result<c_int, Refused> {
        self.values = Default::default();
        let text = string.text()?;
        let refused = |at: usize, message: String| {
            Refused::new(BAD_XML, Failure { offset: Some(at as u64), ..Failure::usage(message) })
        };
        let read = xml::parse(text).map_err(|malformed| refused(malformed.at, malformed.message))?;
        if !self.kind.roots.iter().any(|root| root.as_bytes() == read.root) {
            let found = String::from_utf8_lossy(read.root);
            return Err(refused(0, format!("the root is <{found}> instead of <{}>", self.kind.roots[0])));
        }
        let mut errors = 0;
        let mut first = String::new();
        let mut note = |message: String| {
            errors += 1;
            if first.is_empty() {
                first = message;
            }
        };
        for (name, value) in read.elements {
            let known = self.kind.elements.iter().find(|element| element.name().as_bytes() == name);
            let Some(element) = known.copied() else { continue };
            if self.is_defined(element) {
                note(format!("<{}> occurs twice", element.name()));
            }
            if element.is_number() && number(value).is_none() {
                note(format!("the value of <{}> is not a number", element.name()));
                self.put(element, None);
            } else {
                self.put(element, Some(value));
            }
        }
        for element in self.kind.elements.iter().filter(|element| !element.is_number()) {
            if !self.is_defined(*element) {
                note(format!("<{}> is missing", element.name()));
            }
        }
        if errors > 0 {
            Refused::because(BAD_XML, format!("in <{}>: {first}", self.kind.roots[0])).keep();
        }
        Ok(errors)
    }
}

/// A decimal number with an optional sign.
fn number(value: &[u8]) -> Option<c_int> {
    std::str::from_utf8(value).ok()?.trim_ascii().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkstream::xml::Spacing;

    fn string(text: &[u8]) -> QioString {
        let mut string = QioString::EMPTY;
        string.set(text).unwrap();
        string
    }

    /// Decodes a text; returns the outcome and the document.
    fn decode(kind: &'static Kind, text: &[u8]) -> (Result<c_int, Refused>, Info) {
        let mut info = Info::new(kind);
        let mut string = string(text);
        let outcome = info.decode(&string);
        string.clear().unwrap();
        (outcome, info)
    }

    #[test]
    fn documents_are_those_of_the_codec() {
        use linkstream::usqcd::{Document, Label};

        let label = Label { spin: Some(3), color: Some(2) };
        let with_label = |info: Info| {
            info.with_number(Element::Spin, 3)
                .with_number(Element::Color, 2)
                .with_text(Element::Info, Some(b"<k>1</k>"))
        };
        let text = b"<k>1</k>";
        for (info, document) in [
            (
                Info::new(&LATTICE)
                    .with_text(Element::Plaq, Some(b"0.5"))
                    .and_then(|info| info.with_text(Element::Linktr, Some(b"0.25")))
                    .and_then(|info| info.with_text(Element::Info, Some(text))),
                Document::lattice(b"0.5", b"0.25", text),
            ),
            (with_label(Info::new(&PROP_SOURCE)), Document::source(text).with_label(label)),
            (
                with_label(Info::new(&PROP_RECORD)),
                Document::solution(FileType::C1D12, text).with_label(label),
            ),
        ] {
            let info = info.unwrap();
            let mut buffer = [0; 512];
            let length = document.emit(Spacing::Line, &mut buffer).unwrap();
            let mut written = QioString::EMPTY;
            info.encode(&mut written).unwrap();
            assert_eq!(written.bytes(), &buffer[..length]);
            written.clear().unwrap();
        }
        for kind in [&PROP_FILE, &KS_PROP_FILE] {
            for (number, file_type) in (0..).zip(kind.types) {
                let info = Info::new(kind).with_type(number).with_text(Element::Info, Some(text)).unwrap();
                let mut buffer = [0; 512];
                let length = Document::file(*file_type, text).emit(Spacing::Line, &mut buffer).unwrap();
                assert_eq!(info.document().unwrap(), &buffer[..length - 1]);
                assert_eq!(info.file_type(), Ok(number));
            }
        }
    }

    #[test]
    fn reading_is_tolerant_but_counts() {
        let (errors, mut info) = decode(
            &LATTICE,
            b"<?xml version=\"1.0\"?>\n<usqcdInfo>\n<info> a & b </info><new/>\n<plaq> 0.5 </plaq></usqcdInfo>",
        );
        // The version and the link trace are missing.
        assert_eq!(errors, Ok(2));
        assert_eq!(info.text(Element::Info).as_bytes(), b"a & b");
        assert_eq!(info.text(Element::Plaq).as_bytes(), b"0.5");
        assert!(!info.is_defined(Element::Linktr));

        let old = b"<usqcdInfo><version>1.0</version><spin>1</spin><color>x</color><info/></usqcdInfo>";
        let (errors, info) = decode(&PROP_RECORD, old);
        assert_eq!((errors, info.number(Element::Spin)), (Ok(1), Ok(1)));
        assert_eq!(info.number(Element::Color).unwrap_err().code, ERR_REC_INFO);
        assert_eq!(decode(&KS_PROP_RECORD, old).0.unwrap_err().code, BAD_XML);

        let file =
            b"<usqcdPropFile><version>1.0</version><type>new</type><info/><info>2</info></usqcdPropFile>";
        let (errors, mut info) = decode(&PROP_FILE, file);
        assert_eq!((errors, info.text(Element::Info).as_bytes()), (Ok(1), &b"2"[..]));
        assert_eq!(info.file_type().unwrap_err().code, ERR_FILE_INFO);
        assert!(info.is_defined(Element::Type));

        for bad in [&b""[..], b"text", b"<usqcdInfo><plaq>1</plaq>", b"<usqcdInfo></usqcdInfo><x/>"] {
            let (outcome, info) = decode(&LATTICE, bad);
            assert_eq!(outcome.unwrap_err().code, BAD_XML);
            assert!(!info.is_defined(Element::Version) && !info.is_defined(Element::Plaq));
        }
    }

    #[test]
    fn no_text_is_truncated() {
        let long = [b'x'; MAX_TEXT + 1];
        let info = Info::new(&LATTICE).with_text(Element::Info, Some(&long[1..])).unwrap();
        let document = info.document().unwrap();
        assert!(document.len() > MAX_TEXT && document.ends_with(b"x</info></usqcdInfo>"));
        assert!(Info::new(&LATTICE).with_text(Element::Info, Some(&long)).is_err());

        // A text of a file can be longer, and can be written again.
        let text = [&b"<usqcdInfo><info>"[..], &long, b"</info></usqcdInfo>"].concat();
        let (errors, mut info) = decode(&LATTICE, &text);
        assert_eq!((errors, info.text(Element::Info).as_bytes()), (Ok(3), &long[..]));
        assert!(info.document().is_ok());
    }

    #[test]
    fn texts_that_would_be_read_as_others_are_refused() {
        let mut written = string(b"of before");
        for text in [&b"a</info>b"[..], b"<info>", b"</info><plaq>1</plaq><info>"] {
            let info = Info::new(&LATTICE).with_text(Element::Info, Some(text)).unwrap();
            assert_eq!(info.encode(&mut written).unwrap_err().code, BAD_XML);
            assert_eq!(written.bytes(), b"\0");
        }
        for text in [&b"a & b"[..], b"</usqcdInfo>", b"<info>1</info>", b"<!--", b" x\n"] {
            let info = Info::new(&LATTICE).with_text(Element::Info, Some(text)).unwrap();
            info.encode(&mut written).unwrap();
        }
        let info = Info::new(&PROP_FILE).with_type(4);
        assert_eq!(info.encode(&mut written).unwrap_err().code, ERR_FILE_INFO);
        written.clear().unwrap();
    }
}
