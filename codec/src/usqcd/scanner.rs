//! Reads a document of any length byte by byte, in bounded memory: its elements and its errors.

use super::error::ErrorKind;
use super::names::{COLORS, ElementName, Elements, FileType, Label, Root, SPINS};
use crate::error::Error;
use crate::state::saved;
use crate::xml::{Found, Item, Outline, Parser, Text};

/// QIO builds its texts in 1024 bytes, the last of them a NUL.
const QIO_LENGTH: u64 = 1023;

/// An element that is complete, and the range of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Value {
    pub(super) element: ElementName,
    pub(super) begin: u64,
    pub(super) end: u64,
}

/// State of reading a text.
#[derive(Debug, Clone)]
pub(crate) struct Scanner {
    outline: Outline,
    /// The kind of document, once its root has been read.
    root: Option<Root>,
    /// The text is not a USQCD document: the rest is ignored.
    is_foreign: bool,
    seen: Elements,
    version: Text<8>,
    file_type: Option<FileType>,
    /// Spin and color as in the document, also out of range.
    spin: u32,
    color: u32,
    problems: Problems,
    /// The text is not well-formed, from this offset on.
    fault: Option<Fault>,
}

saved!(struct Scanner { outline, root, is_foreign, seen, version, file_type, spin, color, problems, fault });

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fault {
    at: u64,
    found: Found,
}

saved!(struct Fault { at, found });

impl Scanner {
    /// A scanner of a text whose first byte has this offset.
    pub(crate) const fn at(offset: u64) -> Self {
        Self {
            outline: Outline::at(offset),
            root: None,
            is_foreign: false,
            seen: Elements::of(&[]),
            version: Text::new(),
            file_type: None,
            spin: 0,
            color: 0,
            problems: Problems::NONE,
            fault: None,
        }
    }

    /// True if more bytes can change the result.
    pub(crate) const fn wants_more(&self) -> bool {
        !self.is_foreign
    }

    /// The parser that reads the text.
    pub(crate) const fn parser(&self) -> &Parser {
        self.outline.parser()
    }

    /// Takes the next byte. Returns the element that it completes, unless the document contained it before.
    pub(crate) fn push(&mut self, byte: u8) -> Option<Value> {
        let at = self.outline.position();
        match self.outline.push(byte) {
            Item::Nothing => None,
            Item::Root => {
                self.root = Root::from_name(self.outline.root());
                self.ignore_foreign();
                None
            }
            Item::Element => self.element(),
            // Bytes after the document do not belong to it.
            Item::Fault(Found::TextBehind) => None,
            Item::Fault(found) => {
                self.ignore_foreign();
                self.fault = self.fault.or(Some(Fault { at, found }));
                None
            }
        }
    }

    /// Reads nothing further of a text without a root of USQCD.
    const fn ignore_foreign(&mut self) {
        self.is_foreign = self.root.is_none();
        if self.is_foreign {
            self.outline.stop();
        }
    }

    fn element(&mut self) -> Option<Value> {
        let elements = self.root?.elements();
        let element =
            ElementName::from_name(self.outline.name()).filter(|element| elements.contains(*element))?;
        let at = self.outline.element_at();
        if !self.seen.insert(element) {
            self.problems.add(Problem { at, element, what: What::Duplicate });
            return None;
        }
        if let Some(what) = self.take(element) {
            self.problems.add(Problem { at, element, what });
        }
        let (begin, end) = self.outline.range();
        Some(Value { element, begin, end })
    }

    /// Takes the value of an element that occurs for the first time. Returns the problem, if there is one.
    fn take(&mut self, element: ElementName) -> Option<What> {
        let value = self.outline.value();
        match element {
            ElementName::Version => {
                // Grid writes 1.
                let known = value.is_some_and(|value| matches!(value, b"1.0" | b"1"));
                let kept = value.and_then(|value| core::str::from_utf8(value).ok());
                self.version = kept.and_then(|value| value.try_into().ok()).unwrap_or_default();
                (!known).then_some(What::Version)
            }
            ElementName::Type => {
                self.file_type = value.and_then(FileType::from_name);
                match (self.file_type, self.root) {
                    (None, _) => Some(What::TypeUnknown),
                    (Some(file_type), Some(root)) => (file_type.root() != root).then_some(What::TypeRoot),
                    (Some(_), None) => None,
                }
            }
            ElementName::Spin | ElementName::Color => {
                let (to, limit) = match element {
                    ElementName::Spin => (&mut self.spin, SPINS),
                    _ => (&mut self.color, COLORS),
                };
                let Some(number) = value.and_then(natural) else {
                    *to = u32::MAX;
                    return Some(What::NotNumber);
                };
                *to = number;
                (number >= u32::from(limit)).then_some(What::Range)
            }
            ElementName::Plaq | ElementName::Linktr => {
                (!value.is_some_and(is_float)).then_some(What::NotNumber)
            }
            ElementName::Info => None,
        }
    }

    /// The summary, if the text is a USQCD document.
    pub(crate) fn summary(&self) -> Option<Summary> {
        let Self { version, file_type, .. } = *self;
        Some(Summary { root: self.root?, version, file_type, label: self.label() })
    }

    /// Spin and color, if they are in their ranges.
    fn label(&self) -> Label {
        let part = |element, number: u32, limit| {
            let number = u8::try_from(number).ok().filter(|number| *number < limit);
            number.filter(|_| self.seen.contains(element))
        };
        Label {
            spin: part(ElementName::Spin, self.spin, SPINS),
            color: part(ElementName::Color, self.color, COLORS),
        }
    }

    /// The errors of the document, which must be complete. With `is_solution`, a `usqcdInfo` is read as the description
    /// of a solution, as QIO wrote it before version 2.3.5.
    pub(crate) fn errors(&self, is_solution: bool) -> impl Iterator<Item = Error<ErrorKind>> + '_ {
        let begin = self.outline.position().saturating_sub(self.outline.length());
        let root = self.root.unwrap_or(Root::LatticeInfo);
        let fault = self.fault.or_else(|| {
            let found = self.outline.end();
            let at = self.outline.position();
            (found.is_fault() && found != Found::TextBehind).then_some(Fault { at, found })
        });
        let broken = fault.map(|Fault { at, found }| {
            if found == Found::Unclosed && self.outline.length() == QIO_LENGTH {
                return Error::new(at, ErrorKind::Truncated(root));
            }
            let Error { at, kind, .. } = self.outline.error(found, at);
            Error::new(at, ErrorKind::Xml { root, kind })
        });
        let of_solution = is_solution && root == Root::LatticeInfo;
        let required = if of_solution { Root::PropInfo.required() } else { root.required() };
        // Elements after a fault have not been read.
        let required = if fault.is_some() { &[] } else { required };
        let missing = required.iter().filter(|element| !self.seen.contains(**element));
        let missing =
            missing.map(move |element| Error::new(begin, ErrorKind::Missing { root, element: *element }));
        let found = self.problems.iter().filter_map(move |problem| self.problem(root, problem));
        found.chain(broken).chain(missing).filter(|_| self.root.is_some())
    }

    fn problem(&self, root: Root, problem: Problem) -> Option<Error<ErrorKind>> {
        let Problem { at, element, what } = problem;
        let kind = match what {
            What::Duplicate => ErrorKind::Duplicate { root, element },
            What::NotNumber => ErrorKind::NotNumber { root, element },
            What::Range => {
                let found = if element == ElementName::Spin { self.spin } else { self.color };
                ErrorKind::Range { root, element, found }
            }
            What::Version => ErrorKind::Version(root),
            What::TypeUnknown => ErrorKind::TypeUnknown,
            What::TypeRoot => ErrorKind::TypeRoot(self.file_type?),
        };
        Some(Error::new(at, kind))
    }
}

/// Converts a decimal number of up to 32 bits without sign.
pub(super) fn natural(text: &[u8]) -> Option<u32> {
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0_u32, |number, byte| {
        let digit = char::from(*byte).to_digit(10)?;
        number.checked_mul(10)?.checked_add(digit)
    })
}

/// True for a floating-point number as C prints and reads it: `-0.5`, `5.95e-01`, `.5`, `1.`; not for NaN and infinity.
pub(super) fn is_float(text: &[u8]) -> bool {
    let (mantissa, exponent) = match text.iter().position(|byte| matches!(byte, b'e' | b'E')) {
        Some(at) => match text.split_at_checked(at) {
            Some((mantissa, [_, exponent @ ..])) => (mantissa, Some(exponent)),
            _ => return false,
        },
        None => (text, None),
    };
    let mut parts = unsigned(mantissa).split(|byte| *byte == b'.');
    let digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    let (whole, fraction) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let has_digits = !whole.is_empty() || !fraction.is_empty();
    let is_mantissa = has_digits && digits(whole) && digits(fraction) && parts.next().is_none();
    is_mantissa && exponent.map(unsigned).is_none_or(|exponent| !exponent.is_empty() && digits(exponent))
}

/// The text without its sign.
const fn unsigned(text: &[u8]) -> &[u8] {
    match text {
        [b'+' | b'-', rest @ ..] => rest,
        _ => text,
    }
}

/// Kind of problem of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Duplicate,
    NotNumber,
    Range,
    Version,
    TypeUnknown,
    TypeRoot,
}

saved!(enum What: Duplicate, NotNumber, Range, Version, TypeUnknown, TypeRoot);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Problem {
    /// Offset of the element.
    pub(super) at: u64,
    pub(super) element: ElementName,
    pub(super) what: What,
}

saved!(struct Problem { at, element, what });

/// Maximum number of problems that are kept of a document.
const MAX: usize = 8;

/// The first problems of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Problems {
    kept: [Option<Problem>; MAX],
}

saved!(struct Problems { kept });

impl Problems {
    pub(super) const NONE: Self = Self { kept: [None; MAX] };

    /// Keeps a problem if there is room; a duplicate only the first time.
    pub(super) fn add(&mut self, problem: Problem) {
        let is_same = |kept: &Problem| (kept.element, kept.what) == (problem.element, problem.what);
        if self.iter().any(|kept| is_same(&kept)) {
            return;
        }
        if let Some(room) = self.kept.iter_mut().find(|kept| kept.is_none()) {
            *room = Some(problem);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Problem> + '_ {
        self.kept.iter().flatten().copied()
    }
}

/// Summary of a document without its texts; see
/// [`conformance::Decoder`](crate::conformance::Decoder).
///
/// # Example
/// ```
/// use linkstream::conformance::Decoder;
/// use linkstream::lime::Header;
/// use linkstream::usqcd::{Document, FileType, Root};
/// use linkstream::{Mode, drive};
/// use linkstream::xml::Spacing;
///
/// let mut text = [0; 512];
/// Document::file(FileType::C1D12, b"run 7").emit(Spacing::Line, &mut text)?;
/// let header = Header::new(b"scidac-file-xml", 512, true, true)?;
/// let mut decoder = Decoder::new(Mode::Survey);
/// drive(&mut decoder, &[header.as_bytes(), &text[..]].concat(), |_, _, _| {})?;
///
/// let summary = decoder.usqcd_file().ok_or("the document of a propagator file")?;
/// assert_eq!((summary.root, summary.file_type), (Root::PropFile, Some(FileType::C1D12)));
/// assert_eq!(summary.version.as_str(), "1.0");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Summary {
    /// The kind of document.
    pub root: Root,
    /// The version as written; empty if it is missing or has more than 8 bytes.
    pub version: Text<8>,
    /// The type of a propagator file, if it is known.
    pub file_type: Option<FileType>,
    /// Source spin and color, if they are in their ranges.
    pub label: Label,
}

saved!(struct Summary { root, version, file_type, label });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_programs_print_them() {
        for good in ["0", "-0.5", "+1.", ".25", "5.956709e-01", "1E5", "0.0151053", "1e+07"] {
            assert!(is_float(good.as_bytes()), "{good}");
            assert!(good.trim_start_matches('+').parse::<f64>().is_ok(), "{good}");
        }
        for bad in
            ["", ".", "-", "e5", "1e", "1e+", "1.2.3", "0x1p3", "nan", "inf", "1 2", "1e5e", "--1", "1,5"]
        {
            assert!(!is_float(bad.as_bytes()), "{bad}");
        }
        assert_eq!([&b"0"[..], b"12", b"4294967295"].map(natural), [Some(0), Some(12), Some(u32::MAX)]);
        assert_eq!([&b""[..], b"-1", b"+1", b"1.0", b"4294967296", b"1 "].map(natural), [None; 6]);
    }
}
