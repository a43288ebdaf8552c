//! Errors of all formats: offset, rule, severity and class.

use core::fmt;

use crate::messages::messages;
use crate::state::saved;

/// An error in a file, and its offset.
///
/// # Example
/// ```
/// use linkstream::lime::{Decoder, ErrorKind};
/// use linkstream::{Decode, Diagnostic, Error, Mode};
///
/// let error = Decoder::new(Mode::Strict).push(&[0; 144]).err().ok_or("zeros are no header")?;
/// assert_eq!(error, Error::new(0, ErrorKind::Magic { found: 0 }));
/// assert_eq!(error.kind.rule(), "lime-magic");
/// assert!(error.to_string().starts_with("at byte 0: "));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Error<K> {
    /// Absolute offset in bytes from the start of the input.
    pub at: u64,
    /// The broken rule, or the misuse.
    pub kind: K,
}

impl<K> Error<K> {
    /// `kind` at the absolute offset `at`.
    pub const fn new(at: u64, kind: K) -> Self {
        Self { at, kind }
    }

    /// The same offset with the error of a layer above.
    pub(crate) fn into_kind<L: From<K>>(self) -> Error<L> {
        Error { at: self.at, kind: self.kind.into() }
    }
}

impl<K: fmt::Display> fmt::Display for Error<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.at, self.kind)
    }
}

/// The message contains the message of `kind`, so the source is the source of `kind`.
impl<K: core::error::Error> core::error::Error for Error<K> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.kind.source()
    }
}

/// The class of an error, common to all formats. Its [word](Self::as_str) does not change between versions, so
/// scripts can rely on it.
///
/// # Example
/// ```
/// use linkstream::{Class, Decode, Diagnostic, Mode, lime};
///
/// let mut decoder = lime::Decoder::new(Mode::Strict);
/// decoder.push(b"\x45\x67\x89")?;
/// let error = decoder.finish().err().ok_or("the file ends inside a header")?;
/// assert_eq!((error.kind.class(), error.kind.class().as_str()), (Class::Truncated, "truncated"));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Class {
    /// A file or a record does not begin with its magic bytes.
    Magic,
    /// A format version that this crate does not know.
    Version,
    /// A part is not written as its specification requires.
    Format,
    /// The input ends too early.
    Truncated,
    /// Bytes follow the end of the file's content.
    Trailing,
    /// Something is larger than 64 bits can address, or than this crate or the caller's buffer can hold.
    Limit,
    /// A type that the format does not define, or that is malformed.
    Type,
    /// Flags that contradict the flags of the neighbouring records.
    Flags,
    /// Padding has other bytes than required.
    Padding,
    /// Compressed data cannot be decompressed, or contradict their description.
    Decode,
    /// A checksum differs or is missing.
    Checksum,
    /// A rule about the parts of a file and their order is broken.
    Rule,
    /// Valid, but not supported by this crate.
    Unsupported,
    /// The caller misused the interface; nothing is wrong with the file.
    Misuse,
}

impl Class {
    /// The class as a lower-case word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Magic => "magic",
            Self::Version => "version",
            Self::Format => "format",
            Self::Truncated => "truncated",
            Self::Trailing => "trailing",
            Self::Limit => "limit",
            Self::Type => "type",
            Self::Flags => "flags",
            Self::Padding => "padding",
            Self::Decode => "decode",
            Self::Checksum => "checksum",
            Self::Rule => "rule",
            Self::Unsupported => "unsupported",
            Self::Misuse => "misuse",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The part of a file that a broken rule affects, from the least to the most severe. There are no other severities: a
/// `match` needs no `_`.
///
/// The severity follows one principle: data that certainly differ from the written data are an error, whatever shows it
/// (a checksum, the length, documents that contradict each other). A broken rule that leaves the data certain is a
/// warning, or a remark if no reader of the data depends on it.
///
/// The `linkstream` program reports each finding as a warning or an error. Its `check` is strict by default:
///
/// | severity | `check` | `check --lenient`, `inspect` |
/// | --- | --- | --- |
/// | `Info` | warning | warning |
/// | `Warning` | error | warning |
/// | `Error`, `Fatal` | error | error |
///
/// # Example
/// ```
/// use linkstream::{Diagnostic, Severity, lime};
///
/// assert!(Severity::Info < Severity::Fatal);
/// assert_eq!(lime::ErrorKind::MessageOpen.severity(), Severity::Info);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Severity {
    /// A remark: nothing is wrong with the data, and no reader of them depends on it.
    Info,
    /// A rule is broken, but the data are unambiguous.
    Warning,
    /// A part of the file is wrong or cannot be interpreted; the rest can be read.
    Error,
    /// Nothing after this point can be read.
    Fatal,
}

/// The choice of the broken rules that end the reading with an error. All others are reported as findings, and reading
/// continues.
///
/// # Example
/// ```
/// use linkstream::lime::{Decoder, Event, Header};
/// use linkstream::{Mode, drive};
///
/// // The second record of a file sets the message-begin flag, although the message has not ended.
/// let header = Header::new(b"t", 0, true, false)?;
/// let file = [*header.as_bytes(), *header.as_bytes()].concat();
/// assert!(drive(&mut Decoder::new(Mode::Strict), &file, |_, _, _| {}).is_err());
///
/// let mut findings = 0;
/// drive(&mut Decoder::new(Mode::Lenient), &file, |event, _, _| {
///     findings += u32::from(matches!(event, Event::Finding(_)));
/// })?;
/// assert_eq!(findings, 1);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Mode {
    /// Every broken rule is an error; only remarks ([`Severity::Info`]) are findings.
    #[default]
    Strict,
    /// Broken rules that leave the data unambiguous ([`Severity::Warning`]) are findings as well.
    Lenient,
    /// Everything except [`Severity::Fatal`] is a finding: for programs that list all errors of a file.
    Survey,
}

saved!(enum Mode: Strict, Lenient, Survey);

impl Mode {
    /// True if a broken rule of this severity ends the reading.
    ///
    /// # Example
    /// ```
    /// use linkstream::{Mode, Severity};
    ///
    /// assert!(Mode::Strict.refuses(Severity::Warning) && !Mode::Lenient.refuses(Severity::Warning));
    /// assert!(!Mode::Survey.refuses(Severity::Error) && Mode::Survey.refuses(Severity::Fatal));
    /// ```
    pub const fn refuses(self, severity: Severity) -> bool {
        match (self, severity) {
            (_, Severity::Info) => false,
            (_, Severity::Fatal) | (Self::Strict, _) => true,
            (Self::Lenient, severity) => matches!(severity, Severity::Error),
            (Self::Survey, _) => false,
        }
    }
}

/// Properties of an error in a file, in addition to its message.
///
/// Each format has an `ErrorKind` that implements this trait; its page lists the rules in a table.
///
/// # Example
/// ```
/// use linkstream::{Class, Diagnostic, Severity, lime};
///
/// let kind = lime::ErrorKind::PaddingNonzero { found: 7 };
/// assert_eq!(kind.rule(), "lime-padding-nonzero");
/// assert_eq!((kind.class(), kind.severity()), (Class::Padding, Severity::Warning));
/// assert_eq!(kind.clause(), "LIME 1.2, appendix A");
/// ```
pub trait Diagnostic: Copy + core::error::Error + PartialEq {
    /// The class of the error, common to all formats.
    fn class(&self) -> Class;
    /// The part of the file that the error affects.
    fn severity(&self) -> Severity;
    /// The name of the rule: lower-case words joined by `-`. It does not change between versions of this crate.
    fn rule(&self) -> &'static str;
    /// The document and section that contain the rule, such as `ILDG 1.2, section 2.2`. Formats without a document
    /// have the program that defines them in its place. Empty for [`Misuse`].
    fn clause(&self) -> &'static str;
}

/// A rule that files can break: a row of the table on the page of an `ErrorKind`.
///
/// # Example
/// ```
/// use linkstream::{Mode, lime};
///
/// // The rules of LIME that files may break in lenient mode.
/// let mut tolerated = lime::ErrorKind::RULES.iter().filter(|rule| !Mode::Lenient.refuses(rule.severity));
/// assert!(tolerated.any(|rule| rule.name == "lime-padding-nonzero"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Rule {
    /// Its name, as [`Diagnostic::rule`] returns it. If the severity depends on the circumstances, several rows have
    /// the same name.
    pub name: &'static str,
    /// The part of a file that is affected if the rule is broken.
    pub severity: Severity,
    /// The class of the error.
    pub class: Class,
    /// The document and section that contain the rule, as [`Diagnostic::clause`] returns it.
    pub clause: &'static str,
    /// The message. Words in braces are placeholders for values.
    pub message: &'static str,
}

messages! {
    /// A call that is not allowed at this point, or with these arguments.
    ///
    /// # Example
    /// ```
    /// use linkstream::{Decode, Misuse, Mode, lime};
    ///
    /// let mut decoder = lime::Decoder::new(Mode::Strict);
    /// let error = decoder.skip(8).err().ok_or("there is no payload to skip")?;
    /// assert!(matches!(error.kind, lime::ErrorKind::Misuse(Misuse::SkipTooFar { asked: 8, available: 0 })));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub enum Misuse {
        /// No misuse but a mistake of this crate: a count did not fit. The decoder stops, since its results may be
        /// wrong.
        Internal => ("internal error: a count of linkstream is wrong; please report this with the file"),
        /// `skip` or `seek` beyond the payload that comes next.
        SkipTooFar {
            /// The requested number of bytes.
            asked: u64,
            /// Bytes that can be skipped.
            available: u64,
        } => ("a move by {asked} bytes was requested, but only {available} can be skipped"),
        /// A seek inside a payload was requested while no payload is open.
        NoPayload => ("a move inside a payload was requested, but no payload is open"),
        /// The requested position does not exist in the file.
        Outside => ("the requested position does not exist in the file"),
        /// The requested type of values is not the one that the file contains.
        OtherType => ("the requested type of values is not the one that the file contains"),
        /// Data of a volume other than the first, whose layout was not given: only the first volume of a set describes
        /// the data. See [`volume::Decoder::expect_field`](crate::volume::Decoder::expect_field).
        FieldsUnknown => (
            "the fields of a volume other than the first were not given: use `expect_field` or `expect_no_field`"
        ),
        /// Input was pushed after the end had been declared.
        AfterEnd => ("input was pushed after the end of the input had been declared with `finish`"),
    }
}

/// Misuse breaks no rule of a file: the rule is always `misuse`, and there is no clause.
impl Diagnostic for Misuse {
    fn class(&self) -> Class {
        Class::Misuse
    }

    fn severity(&self) -> Severity {
        Severity::Fatal
    }

    fn rule(&self) -> &'static str {
        "misuse"
    }

    fn clause(&self) -> &'static str {
        ""
    }
}
