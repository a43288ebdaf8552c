//! Documents and texts of records: their kinds, the findings about their bytes, and contradictions between the elements
//! of a `scidac-private-record-xml` (QIO 2.3, section 4.2).

use super::error::{ErrorKind, UserText};
use crate::error::Error;
use crate::field::inventory::Digest;
use crate::scidac::{Datatype, PrivateRecord};
use crate::state::saved;
use crate::xml::ElementName;
use crate::{field, ildg, scidac, xml};

/// Maximum number of findings reported about the bytes of an unreadable document; more would not help.
const MAX_FINDINGS: u8 = 16;

/// The text that is being read.
#[derive(Debug, Clone)]
pub(super) struct Text {
    /// Findings about this document that have been reported.
    findings: u8,
    /// The NUL that ends the text has been read.
    over: bool,
    /// Findings that are reported once in a text.
    byte_reported: bool,
    unknown_reported: bool,
    namespace_reported: bool,
    /// The text has no bytes other than white space so far.
    pub(super) is_empty: bool,
    /// White space has come after the last of these bytes.
    blank: bool,
    /// There is white space between these bytes.
    pub(super) gap: bool,
    /// All of these bytes are digits, without a gap.
    pub(super) digits: bool,
    pub(super) digest: Digest,
}

saved!(struct Text {
    findings, over, byte_reported, unknown_reported, namespace_reported, is_empty, blank, gap, digits, digest,
});

impl Text {
    pub(super) const fn new() -> Self {
        Self {
            findings: 0,
            over: false,
            byte_reported: false,
            unknown_reported: false,
            namespace_reported: false,
            is_empty: true,
            blank: false,
            gap: false,
            digits: true,
            digest: Digest::new(),
        }
    }

    /// A byte that ILDG does not allow in its text records (section 2.2).
    pub(super) fn refuses(&self, byte: u8) -> bool {
        !self.over && !self.byte_reported && byte != 0 && !ildg::is_text(byte)
    }

    /// True if the finding is reported. A finding that would apply to every element is reported once, and a document
    /// that describes nothing is no longer compared with the schema.
    pub(super) fn reports(&self, kind: ErrorKind, spoilt: bool) -> bool {
        let ErrorKind::Field(field::ErrorKind::Document(_, kind)) = kind else { return true };
        (!spoilt || self.findings < MAX_FINDINGS)
            && match kind {
                xml::ErrorKind::ElementUnknown => !self.unknown_reported && !spoilt,
                xml::ErrorKind::NamespaceOther => !self.namespace_reported && !spoilt,
                xml::ErrorKind::NamespaceMissing | xml::ErrorKind::ElementOrder(_) => !spoilt,
                _ => true,
            }
    }

    pub(super) fn reported(&mut self, error: &Error<ErrorKind>) {
        match error.kind {
            ErrorKind::TextByte { .. } => self.byte_reported = true,
            ErrorKind::Field(field::ErrorKind::Document(_, kind)) => {
                self.unknown_reported |= kind == xml::ErrorKind::ElementUnknown;
                self.namespace_reported |= kind == xml::ErrorKind::NamespaceOther;
            }
            _ => {}
        }
        // Compared with `MAX_FINDINGS` only.
        self.findings = self.findings.saturating_add(1);
    }

    pub(super) fn take_byte(&mut self, byte: u8) {
        self.over |= byte == 0;
        if self.over {
            return;
        }
        if byte.is_ascii_whitespace() {
            self.blank |= !self.is_empty;
            return;
        }
        if self.blank {
            self.gap = true;
            self.blank = false;
            self.digest.push(b' ');
        }
        self.is_empty = false;
        self.digits &= byte.is_ascii_digit() && !self.gap;
        self.digest.push(byte);
    }
}

/// Kind of a text record that the decoder of fields passes through without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextKind {
    /// A type without rules.
    Other,
    FileXml,
    RecordXml,
    Update,
    Lfn,
}

saved!(enum TextKind: Other, FileXml, RecordXml, Update, Lfn);

impl TextKind {
    /// True for a text of the user, which can be a document of USQCD (QIO 2.3, appendix A).
    pub(super) const fn is_of_user(self) -> bool {
        matches!(self, Self::FileXml | Self::RecordXml)
    }

    /// The name of a text of the user in messages.
    pub(super) const fn user_text(self) -> Option<UserText> {
        match self {
            Self::FileXml => Some(UserText::File),
            Self::RecordXml => Some(UserText::Record),
            Self::Other | Self::Update | Self::Lfn => None,
        }
    }

    pub(super) fn of(record_type: &[u8]) -> Self {
        const KINDS: [(&str, TextKind); 4] = [
            (scidac::FILE_XML, TextKind::FileXml),
            (scidac::RECORD_XML, TextKind::RecordXml),
            (ildg::UPDATE, TextKind::Update),
            (ildg::DATA_LFN, TextKind::Lfn),
        ];
        let found = KINDS.iter().find(|(name, _)| name.as_bytes() == record_type);
        found.map_or(Self::Other, |(_, kind)| *kind)
    }
}

/// The elements that can contradict the others; the widest contradictions come first.
const MAX_CONTRADICTIONS: usize = 3;

/// The elements that contradict the others, at most one finding for each.
///
/// The standard datatypes repeat precision, size and colors of an item: `USQCD_F3_ColorMatrix` has single precision and
/// three colors, so its size is 72 bytes. If datatype and size agree, another element that differs leaves the data
/// certain. If the width of the numbers differs, programs read different numbers.
pub(super) fn contradictions(record: &PrivateRecord) -> [Option<ErrorKind>; MAX_CONTRADICTIONS] {
    let named = Datatype::parse(record.datatype.as_bytes());
    let (precision, typesize, colors) = (record.precision.as_bytes(), record.typesize, record.colors);
    let contradiction = |element, ambiguous| ErrorKind::RecordContradiction { element, ambiguous };
    let Some(datatype) = named else {
        let is_broken = !typesize.is_multiple_of(record.data().word());
        return [is_broken.then(|| contradiction(ElementName::Typesize, true)), None, None];
    };
    let is_known = matches!(precision, b"F" | b"D" | b"I" | b"S" | b"U");
    // An item can hold several of its type, and a matrix can lack rows; most programs then refuse the file.
    let fits = datatype
        .size(colors)
        .is_none_or(|size| typesize.is_multiple_of(size) || datatype.is_reduced(colors, typesize));
    let differs = precision != [datatype.letter];
    let other_colors = datatype.colors.is_some_and(|of_type| colors != 0 && colors != of_type);
    [
        differs.then(|| contradiction(ElementName::Precision, is_known || !fits)),
        (!fits).then(|| contradiction(ElementName::Typesize, true)),
        other_colors.then(|| contradiction(ElementName::Colors, !fits)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::DocumentName;
    use crate::lattice::Precision;

    #[test]
    fn an_unreadable_document_has_so_many_findings_and_no_more() {
        let kind = field::ErrorKind::Document(DocumentName::PrivateRecord, xml::ErrorKind::NotXml).into();
        let (mut text, error) = (Text::new(), Error::new(0, kind));
        for _ in 0..MAX_FINDINGS {
            assert!(text.reports(kind, true) && text.reports(kind, false));
            text.reported(&error);
        }
        for _ in 0..300 {
            assert!(!text.reports(kind, true) && text.reports(kind, false));
            text.reported(&error);
        }
    }

    /// A record that is read: the constructors make none that contradicts itself.
    fn record(datatype: &str, precision: &str, typesize: u32, colors: u32) -> PrivateRecord {
        let document = std::format!(
            "<?xml version=\"1.0\"?><scidacRecord><version>1.1</version><date>now</date><recordtype>0</recordtype>\
             <datatype>{datatype}</datatype><precision>{precision}</precision><colors>{colors}</colors>\
             <typesize>{typesize}</typesize><datacount>4</datacount></scidacRecord>"
        );
        PrivateRecord::parse(document.as_bytes()).unwrap()
    }

    /// Each element with whether it makes the layout ambiguous.
    fn found(record: &PrivateRecord) -> std::vec::Vec<(ElementName, bool)> {
        let all = contradictions(record).into_iter().flatten();
        all.map(|kind| match kind {
            ErrorKind::RecordContradiction { element, ambiguous } => (element, ambiguous),
            other => panic!("{other}"),
        })
        .collect()
    }

    #[test]
    fn what_is_constructed_does_not_contradict_itself() {
        for precision in [Precision::F32, Precision::F64] {
            for record in [
                PrivateRecord::gauge_field(3, precision, 4),
                PrivateRecord::gauge_field(2, precision, 1),
                PrivateRecord::propagator(precision),
                PrivateRecord::dirac_fermion(precision),
                PrivateRecord::color_vector(precision),
                PrivateRecord::complex_field(precision),
                PrivateRecord::real_field(precision),
                PrivateRecord::global(precision, 5),
            ] {
                assert_eq!(found(&record), [], "{record:?}");
            }
        }
        for (datatype, precision, typesize) in [
            ("QDP_I_Int", "I", 4),
            ("MILC_RandomState", "S", 72),
            ("other", "", 7),
            ("USQCD_F3_Other", "F", 5),
        ] {
            assert_eq!(found(&record(datatype, precision, typesize, 3)), []);
        }
    }

    #[test]
    fn contradictions_are_found() {
        use ElementName::{Colors, Precision, Typesize};
        type Case = (&'static str, &'static str, u32, u32, &'static [(ElementName, bool)]);
        let cases: [Case; 13] = [
            ("USQCD_F3_ColorMatrix", "D", 72, 3, &[(Precision, true)]),
            ("USQCD_F3_ColorMatrix", "", 72, 3, &[(Precision, false)]),
            ("USQCD_F3_ColorMatrix", "X", 72, 3, &[(Precision, false)]),
            ("USQCD_F3_ColorMatrix", "U", 72, 3, &[(Precision, true)]),
            ("QDP_D_Complex", "I", 16, 0, &[(Precision, true)]),
            ("QDP_D3_ColorMatrix", "D", 72, 3, &[(Typesize, true)]),
            ("QDP_D3_ColorMatrix", "", 72, 3, &[(Precision, true), (Typesize, true)]),
            ("QDP_F3_ColorMatrix", "F", 72, 2, &[(Colors, false)]),
            ("QDP_F3_ColorMatrix", "F", 32, 2, &[(Typesize, true), (Colors, true)]),
            ("QDP_F3_ColorMatrix", "F", 288, 3, &[]),
            ("QDP_F3_ColorMatrix", "F", 48, 3, &[]),
            ("QDP_F3_ColorMatrix", "F", 5, 0, &[(Typesize, true)]),
            ("other", "D", 12, 0, &[(Typesize, true)]),
        ];
        for (datatype, precision, typesize, colors, expected) in cases {
            assert_eq!(
                found(&record(datatype, precision, typesize, colors)),
                expected,
                "{datatype} {precision}"
            );
        }
    }
}
