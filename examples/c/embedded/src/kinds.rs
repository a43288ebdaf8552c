//! The kinds of errors: their numbers, and the words for them.
//!
//! The number of a kind is a hash of its name, so it does not depend on other kinds, and it does not change between
//! versions as long as the name does not. The header has a constant for each; see `check/src/kinds.rs`.

use linkstream::scidac::Contradiction;
use linkstream::xml::EmitError;
use linkstream::{Class, Diagnostic, Error, Misuse, Rule, field, inebin, lime, scda, xml};

use crate::header::has_kind;
use crate::layout::{Description, Text};

/// The number of a kind with this name: FNV-1a of 32 bits.
pub const fn number_of(name: &str) -> u32 {
    let mut hash: u32 = 0x811c_9dc5;
    let mut rest = name.as_bytes();
    while let [byte, after @ ..] = rest {
        hash = (hash ^ *byte as u32).wrapping_mul(0x0100_0193);
        rest = after;
    }
    hash
}

/// Name and text of a misuse, or of a call that an encoder has refused.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    pub name: &'static str,
    pub text: &'static str,
}

impl Words {
    pub const fn description(self) -> Description {
        Description { rule: Text::of(self.name), clause: Text::of(""), text: Text::of(self.text) }
    }
}

/// Declares two functions that match the variants of an error: one for the number of its kind, one for its words.
/// Programs that do not ask for words do not link them.
macro_rules! words {
    ($(#[$doc:meta])* $number:ident, $words:ident: $Kind:ty, $other:literal {
        $($pattern:pat => $name:literal $text:literal,)*
        $(; $wrapped:pat => $inner_number:expr, $inner_words:expr;)*
    }) => {
        $(#[$doc])*
        pub fn $number(kind: &$Kind) -> u32 {
            match kind {
                $($pattern => const {
                    assert!(has_kind($name, number_of($name)), $name);
                    number_of($name)
                },)*
                $($wrapped => $inner_number,)*
                _ => const {
                    assert!(has_kind($other, number_of($other)), $other);
                    number_of($other)
                },
            }
        }

        /// Name and text of the same.
        pub fn $words(kind: &$Kind) -> Words {
            match kind {
                $($pattern => Words { name: $name, text: $text },)*
                $($wrapped => $inner_words,)*
                _ => Words { name: $other, text: "" },
            }
        }
    };
}

words! {
    /// The number of a misuse of a decoder.
    misuse_number, misuse_words: Misuse, "misuse-other" {
        Misuse::Internal => "misuse-internal"
            "internal error: a count of linkstream is wrong; please report this with the file",
        Misuse::SkipTooFar { .. } => "misuse-skip-too-far"
            "a move by {asked} bytes was requested, but only {available} can be skipped",
        Misuse::NoPayload => "misuse-no-payload"
            "a move inside a payload was requested, but no payload is open",
        Misuse::Outside => "misuse-outside"
            "the requested position does not exist in the file",
        Misuse::OtherType => "misuse-other-type"
            "the requested type of values is not the one that the file contains",
        Misuse::FieldsUnknown => "misuse-fields-unknown"
            "the fields of a volume other than the first were not given: use `expect_field` or `expect_no_field`",
        Misuse::AfterEnd => "misuse-after-end"
            "input was pushed after the end of the input had been declared with `finish`",
    }
}

words! {
    /// The number of a call that a LIME encoder has refused.
    lime_number, lime_words: lime::EncodeErrorKind, "lime-encode-other" {
        lime::EncodeErrorKind::TypeTooLong { .. } => "lime-encode-type-too-long"
            "a type of {length} bytes does not fit in a LIME header, which has room for 127 and a NUL",
        lime::EncodeErrorKind::TypeHasNul => "lime-encode-type-has-nul"
            "a type cannot contain a NUL: readers would see a shorter type",
        lime::EncodeErrorKind::HeaderInvalid => "lime-encode-header-invalid"
            "the bytes are not a valid LIME record header",
        lime::EncodeErrorKind::BeginMissing => "lime-encode-begin-missing"
            "the first record of a message needs the message-begin flag",
        lime::EncodeErrorKind::BeginUnexpected => "lime-encode-begin-unexpected"
            "the message-begin flag is set, but the previous message has not ended",
        lime::EncodeErrorKind::LengthOverflow { .. } => "lime-encode-length-overflow"
            "a payload of {length} bytes would end beyond the largest 64-bit offset",
        lime::EncodeErrorKind::PayloadTooLong { .. } => "lime-encode-payload-too-long"
            "{offered} bytes do not fit in the record, which has room for {room} more",
        lime::EncodeErrorKind::PayloadTooShort { .. } => "lime-encode-payload-too-short"
            "the record cannot be closed: {missing} bytes of its payload were never written",
        lime::EncodeErrorKind::SeekOutside { .. } => "lime-encode-seek-outside"
            "position {to} is outside the payload of {length} bytes",
        lime::EncodeErrorKind::TooManyPieces { .. } => "lime-encode-too-many-pieces"
            "the payload is being written in more than {limit} separate pieces at a time",
        lime::EncodeErrorKind::RecordOpen => "lime-encode-record-open"
            "the previous record must be closed first",
        lime::EncodeErrorKind::NoRecord => "lime-encode-no-record"
            "no record is open",
    }
}

words! {
    /// The number of a call that an scda encoder has refused.
    scda_number, scda_words: scda::EncodeErrorKind, "scda-encode-other" {
        scda::EncodeErrorKind::StringTooLong { .. } => "scda-encode-string-too-long"
            "the string has {length} bytes; at most {limit} are allowed",
        scda::EncodeErrorKind::TooLong { .. } => "scda-encode-too-long"
            "with a count of {count} the section would end beyond the largest 64-bit offset",
        scda::EncodeErrorKind::HeaderOrder => "scda-encode-header-order"
            "the file header must be written first, and only once",
        scda::EncodeErrorKind::SectionOpen => "scda-encode-section-open"
            "the previous section must be ended first",
        scda::EncodeErrorKind::NoSection => "scda-encode-no-section"
            "no section is open",
        scda::EncodeErrorKind::SizeUnexpected => "scda-encode-size-unexpected"
            "no element size is expected here",
        scda::EncodeErrorKind::SizesMissing { .. } => "scda-encode-sizes-missing"
            "{missing} element sizes must be given before the data",
        scda::EncodeErrorKind::SecondHalfMissing => "scda-encode-second-half-missing"
            "the second half of the compressed section must be opened first",
        scda::EncodeErrorKind::TextLength { .. } => "scda-encode-text-length"
            "the text of a compressed element cannot have {found} bytes",
        scda::EncodeErrorKind::ElementLength { .. } => "scda-encode-element-length"
            "the element has {given} bytes, but a length of {announced} bytes before compression was announced",
        scda::EncodeErrorKind::DataTooLong { .. } => "scda-encode-data-too-long"
            "{offered} bytes do not fit in the section, which has room for {room} more",
        scda::EncodeErrorKind::DataTooShort { .. } => "scda-encode-data-too-short"
            "the section cannot be ended: {missing} bytes of its data are missing",
    }
}

words! {
    /// The number of a text that a document cannot contain.
    emit_number, emit_words: EmitError, "emit-other" {
        EmitError::TooSmall { .. } => "emit-too-small"
            "the document takes {needed} bytes, more than the buffer holds",
        EmitError::Text(..) => "emit-text"
            "the text of <{element}> begins or ends with white space or contains a control character: readers would see another text or refuse it",
    }
}

words! {
    /// The number of a contradiction in a SciDAC record.
    contradiction_number, contradiction_words: Contradiction, "scidac-encode-contradiction-other" {
        Contradiction::Words { .. } => "scidac-encode-contradiction-words"
            "an item of {typesize} bytes does not consist of words of {word} bytes, as the precision demands",
        Contradiction::Precision { .. } => "scidac-encode-contradiction-precision"
            "the datatype has the precision {named}, but the element `precision` does not",
        Contradiction::Colors { .. } => "scidac-encode-contradiction-colors"
            "the datatype has {named} colors, but the element `colors` is {given}",
        Contradiction::Spins { .. } => "scidac-encode-contradiction-spins"
            "an item of this datatype does not have {given} spins",
        Contradiction::Size { .. } => "scidac-encode-contradiction-size"
            "an item of this datatype has {needed} bytes, but `typesize` is {typesize}",
    }
}

words! {
    /// The number of a call that a field encoder has refused.
    field_number, field_words: field::EncodeErrorKind, "field-encode-other" {
        field::EncodeErrorKind::MessageOpen => "field-encode-message-open"
            "a message is open and must be ended first; a file whose message cannot be completed must be given up",
        field::EncodeErrorKind::MessageOther => "field-encode-message-other"
            "the message differs from the one passed to `begin`",
        field::EncodeErrorKind::NoData => "field-encode-no-data"
            "no data are expected: no message is open, or its data are complete",
        field::EncodeErrorKind::MessageInvalid => "field-encode-message-invalid"
            "invalid message: it must be one of a file message, data, a logical file name, and a foreign record",
        field::EncodeErrorKind::DataUnexpected => "field-encode-data-unexpected"
            "messages with data and messages without data are written by different calls",
        field::EncodeErrorKind::FileMissing => "field-encode-file-missing"
            "a SciDAC record needs a file message before it, which contains the lattice",
        field::EncodeErrorKind::FileRepeated => "field-encode-file-repeated"
            "the file already has a file message",
        field::EncodeErrorKind::LatticeOther => "field-encode-lattice-other"
            "the file message has another lattice than the writer was created for",
        field::EncodeErrorKind::DescriptionsDiffer => "field-encode-descriptions-differ"
            "the SciDAC record and the ildg-format describe different data",
        field::EncodeErrorKind::FormUnsuited => "field-encode-form-unsuited"
            "this form does not support this kind of field or this lattice (SciDAC: complex links; ILDG: 4 dimensions)",
        field::EncodeErrorKind::NoPlaceForText => "field-encode-no-place-for-text"
            "there is no place for a title, text or date: the field has no SciDAC documents",
        field::EncodeErrorKind::DataOverflow => "field-encode-data-overflow"
            "the length of the data in bytes does not fit in 64 bits",
        field::EncodeErrorKind::UpdateNotDigits => "field-encode-update-not-digits"
            "the update number is not a string of digits",
        field::EncodeErrorKind::UpdateWithoutFormat => "field-encode-update-without-format"
            "an update number needs an ildg-format",
        field::EncodeErrorKind::UpdateMissing => "field-encode-update-missing"
            "the file contains several gauge fields of the same kind, or several updates: each field needs an update number",
        field::EncodeErrorKind::UpdateRepeated => "field-encode-update-repeated"
            "the file already contains a gauge field of this kind with the same update number",
        field::EncodeErrorKind::LfnNotOneString => "field-encode-lfn-not-one-string"
            "the logical file name must be a single string: not empty and without white space",
        field::EncodeErrorKind::LfnRepeated => "field-encode-lfn-repeated"
            "the file already has a logical file name",
        field::EncodeErrorKind::TextByte { .. } => "field-encode-text-byte"
            "byte {found:02x} is not allowed in this text",
        field::EncodeErrorKind::DataMissing { .. } => "field-encode-data-missing"
            "the message cannot be ended: {missing} bytes of its data were never written",
        field::EncodeErrorKind::SiteTooLarge { .. } => "field-encode-site-too-large"
            "the buffer is too small: a site takes {needed} bytes",
        field::EncodeErrorKind::BufferTooSmall { .. } => "field-encode-buffer-too-small"
            "the buffer is too small: the documents take {needed} bytes",
        field::EncodeErrorKind::SiteNotFilled { .. } => "field-encode-site-not-filled"
            "the next site is incomplete: the callback has not put {missing}",
        field::EncodeErrorKind::InsideSite => "field-encode-inside-site"
            "the last site is incomplete: its remaining bytes must be written first",
        field::EncodeErrorKind::NoSuchSite { .. } => "field-encode-no-such-site"
            "there is no site with index {index}: the field has {sites} sites (counted from 0)",
        field::EncodeErrorKind::SitesRepeated => "field-encode-sites-repeated"
            "these sites have already been written",
        ; field::EncodeErrorKind::Lime(kind) => lime_number(kind), lime_words(kind);
        ; field::EncodeErrorKind::Emit(_, error) => emit_number(error), emit_words(error);
        ; field::EncodeErrorKind::Document(_, kind) => number_of(kind.rule()), xml_words(kind);
        ; field::EncodeErrorKind::Contradiction(error) => contradiction_number(error), contradiction_words(error);
    }
}

/// A document that would break this rule.
fn xml_words(kind: &xml::ErrorKind) -> Words {
    Words { name: kind.rule(), text: xml_text(kind).unwrap_or("") }
}

/// The text of a rule about documents. Two rows have no text of their own, but only the text of the error inside.
fn xml_text(kind: &xml::ErrorKind) -> Option<&'static str> {
    match kind {
        xml::ErrorKind::Extents(_) => Some("the values are not the extents of a lattice: {error}"),
        xml::ErrorKind::Hypercube(_) => {
            Some("the bounds do not describe a hypercube of the lattice: {error}")
        }
        _ => text_of(xml::ErrorKind::RULES, kind),
    }
}

/// The errors of a format: how a misuse is found in them, and where their rules are.
pub trait Kind: Diagnostic {
    /// The misuse, if the error is one.
    fn misuse(&self) -> Option<Misuse>;
    /// The text of the rule.
    fn text(&self) -> Option<&'static str>;
}

impl Kind for lime::ErrorKind {
    fn misuse(&self) -> Option<Misuse> {
        if let Self::Misuse(misuse) = self { Some(*misuse) } else { None }
    }

    fn text(&self) -> Option<&'static str> {
        text_of(Self::RULES, self)
    }
}

impl Kind for scda::ErrorKind {
    fn misuse(&self) -> Option<Misuse> {
        if let Self::Misuse(misuse) = self { Some(*misuse) } else { None }
    }

    fn text(&self) -> Option<&'static str> {
        text_of(scda::PlainDecoder::RULES, self)
    }
}

impl Kind for inebin::ErrorKind {
    fn misuse(&self) -> Option<Misuse> {
        if let Self::Misuse(misuse) = self { Some(*misuse) } else { None }
    }

    fn text(&self) -> Option<&'static str> {
        text_of(Self::RULES, self)
    }
}

impl Kind for field::ErrorKind {
    fn misuse(&self) -> Option<Misuse> {
        if let Self::Lime(kind) = self { kind.misuse() } else { None }
    }

    fn text(&self) -> Option<&'static str> {
        match self {
            Self::Lime(kind) => kind.text(),
            Self::Document(_, kind) => xml_text(kind),
            _ => text_of(Self::RULES, self),
        }
    }
}

/// The text of the row for this error. A rule has several rows if its severity or its clause depends on the
/// circumstances: the best fit is taken.
fn text_of<K: Diagnostic>(rules: &[Rule], kind: &K) -> Option<&'static str> {
    let same = |rule: &&Rule| rule.name == kind.rule() && rule.severity == kind.severity();
    let exact = |rule: &&Rule| same(rule) && rule.class == kind.class() && rule.clause == kind.clause();
    let found = rules.iter().find(exact).or_else(|| rules.iter().find(same));
    found.map(|rule| rule.message)
}

/// The number of the kind of an error of a file, or of a misuse.
pub fn number<K: Kind>(kind: &K) -> u32 {
    match kind.misuse() {
        Some(misuse) => misuse_number(&misuse),
        None => number_of(kind.rule()),
    }
}

/// True if the call was wrong, and not the file.
pub fn is_misuse<K: Kind>(error: &Error<K>) -> bool {
    error.kind.class() == Class::Misuse
}

/// The words for an error of a file, or for a misuse.
pub fn describe<K: Kind>(kind: &K) -> Description {
    match kind.misuse() {
        Some(misuse) => misuse_words(&misuse).description(),
        None => Description {
            rule: Text::of(kind.rule()),
            clause: Text::of(kind.clause()),
            text: Text::of(kind.text().unwrap_or("")),
        },
    }
}

/// Stops the compiler if the header has no constant for a rule, or another number.
const fn check(rules: &[Rule]) {
    let mut rest = rules;
    while let [rule, more @ ..] = rest {
        assert!(
            has_kind(rule.name, number_of(rule.name)),
            "a rule has no constant in linkstream_embedded_kinds.h"
        );
        rest = more;
    }
}

#[allow(long_running_const_eval, reason = "the header is searched once for each rule")]
const _: () = {
    check(lime::ErrorKind::RULES);
    check(xml::ErrorKind::RULES);
    check(field::ErrorKind::RULES);
    check(scda::PlainDecoder::RULES);
    check(inebin::ErrorKind::RULES);
};
