//! Examines whether the numbers of a gauge field can be the ones that were written.
//!
//! Links of a gauge field belong to its group up to rounding: they are unitary, and links of SU(N) and SO(N) have the
//! determinant 1. Their numbers are finite, and the observables that a program recorded beside them follow from the
//! data. Data that contradict this are not the ones that were meant, and a contradiction is an error.
//!
//! A SciDAC checksum proves that a program wrote the data so. (The sums of NERSC and MILC files do not: they do not
//! change if blocks of the data are exchanged.) It excuses links that are not unitary, which is then a warning: a program
//! can have meant such links. It does not excuse data that no program can have meant:
//! - links with numbers that are not finite, or that no smearing explains: a program wrote bytes in the wrong order, or a
//!   run diverged;
//! - a recorded plaquette, link trace or norm that the links do not have: either the text or the field belongs to another
//!   configuration. The severity is the one of the same contradiction in a NERSC header.
//!
//! A recorded checksum that differs remains a warning then: texts keep the checksums of earlier forms of the same field,
//! in another precision for example.
//!
//! # Limits
//! | limit | value | derivation |
//! | --- | --- | --- |
//! | rounding of links | 1000 ε of the precision of the numbers | A unitary matrix rounded to the precision of the file deviates by less than 10 ε; the rest allows for the drift between two reunitarisations. ε is 2^-23 for single precision, also in files that were converted from it to double precision, else 2^-52. |
//! | far from unitarity | 1000 ε of single precision, 1.2e-4 | No precision of a simulation explains more; MILC refuses to load links beyond 1e-4. Between both limits are links in double precision that were computed in single precision, which is a warning. |
//! | rounding of observables | one unit of the last recorded digit, and 1e-6 in single, 1e-12 in double precision | See [`Recorded::agrees`]. |
//! | contradicted observables | one unit of the last recorded digit, and 1e-6 | An observable of links in double precision can have been computed in single precision; up to here, a difference is a warning. |
//!
//! Smeared, fat and long links are not unitary: fat links of HISQ deviate by some tenths, long links by almost 1.
//! No limit separates these from damaged links. Two kinds of fields therefore get a warning instead of an error, unless
//! links deviate by more than 1000:
//! - Fields with such links according to a text. If a SciDAC checksum proves the data, there is no warning either.
//! - Fields with SciDAC documents alone that mention neither gauge fields nor plaquettes: the matrices can be
//!   momenta. If a SciDAC checksum proves them, their numbers are only warned of, whatever they are.
//!
//! For other fields in LIME files, the field as a whole decides. Damage leaves most links of a gauge field intact, but
//! no link of a smeared field is in the group by chance: nine numbers would have to agree. A field without a single link
//! of the group therefore gets a warning, unless links deviate by more than 1000, as they do in the wrong byte order.
//! Links of U(3) that documents call SU(3) get it as well: programs multiply links of QCD by phases of QED. NERSC and
//! MILC files contain links of SU(3) by definition, and so does an ILDG file without SciDAC documents if its
//! `ildg-format` says so: there, an error in every link means that the data are shifted.

use linkstream::Class;
use linkstream::field::Field;
use linkstream_access::noted::DAMAGE_NOTED;

use crate::figures::{FAR, Measured};
use crate::findings::{Finding, Level};
use crate::lime::{BQCD, BQCD_PLAQUETTE, Computed, Recorded};

/// A deviation from unitarity that no smearing reaches, since smeared links are sums of products of links.
const HUGE: f64 = 1000.0;

/// Lower-case words in texts about fields with smeared, fat or long links. MILC writes `Fat links` and `Long links` as
/// record XML. Names of actions, such as `HISQ`, are not among them: texts of gauge fields have them too.
const OTHER_LINKS: [&str; 8] =
    ["fat link", "fatlink", "fattened link", "long link", "longlink", "smeared", "hisq link", "naik link"];

/// Names of the rules that data break which contradict themselves.
pub(crate) const RULES: [&str; 6] = [
    NOT_FINITE,
    NOT_UNITARY,
    "recorded-plaquette-differs",
    "recorded-link-trace-differs",
    "recorded-norm-differs",
    "recorded-checksum-differs",
];
/// Names of the rules about observables that texts record.
pub(crate) const OBSERVABLES: [&str; 3] =
    ["recorded-plaquette-differs", "recorded-link-trace-differs", "recorded-norm-differs"];
pub(crate) const NOT_FINITE: &str = "links-not-finite";
pub(crate) const NOT_UNITARY: &str = "links-not-unitary";

/// Returns whether a text says that it is about smeared, fat or long links.
pub(crate) fn is_about_other_links(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    OTHER_LINKS.iter().any(|words| text.contains(words))
}

/// Returns whether a finding reports that data contradict themselves although their checksum is OK.
pub(crate) fn is_doubt(finding: &Finding) -> bool {
    finding.severity == Level::Warning && RULES.contains(&finding.rule)
}

/// Returns whether a finding reports that the data are not the ones that were written, so that no conversion helps.
pub(crate) fn is_damage(finding: &Finding) -> bool {
    finding.severity == Level::Error
        && (RULES.contains(&finding.rule)
            || matches!(finding.class, Class::Truncated | Class::Decode)
            || ["checksum-mismatch", "nersc-checksum", "milc-checksum", BQCD, DAMAGE_NOTED]
                .contains(&finding.rule)
            || finding.rule == "ildg-link-unphysical")
}

/// The deviation from unitarity that rounding can explain.
pub fn threshold(measured: &Measured, field: &Field) -> Option<f64> {
    field.precision.map(|precision| measured.explained_by_rounding(precision))
}

/// The level of a contradiction in data, unless something excuses it.
const fn level(is_contradiction: bool, is_excused: bool) -> Level {
    if is_contradiction && !is_excused { Level::Error } else { Level::Warning }
}

/// Knowledge about the links of a field from other sources than their numbers and their checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Documents describe a gauge field. Programs describe smeared links like this too.
    Described,
    /// Documents describe as many matrices at each site as a gauge field has, but none says that they are one: they can
    /// be momenta, too.
    Undeclared,
    /// Documents describe a gauge field, and a text says that its links are smeared, fat or long links.
    Other,
    /// The format has only links of SU(3), or the only document is an `ildg-format` for SU(3).
    Defined,
}

/// The place of links in their file.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Absolute offset of the first link.
    pub data_at: u64,
    /// Size of a link as it is stored.
    pub link_bytes: u64,
}

impl Place {
    /// The place of a field of a LIME file.
    pub fn of_field(field: &Field) -> Self {
        let link_bytes = field.links.and_then(|links| links.bytes_per_link()).unwrap_or(0) as u64;
        Self { data_at: field.record.payload_offset(), link_bytes }
    }

    /// The offset of a link, by its number in the field.
    fn of(self, link: u64) -> u64 {
        link.saturating_mul(self.link_bytes).saturating_add(self.data_at)
    }
}

/// The finding about links that follows from their observables, if there is one. Unitarity is checked if the observables
/// have a threshold, and in any case if no smearing explains the links. `is_proven` means that a SciDAC checksum proves
/// them to be as written.
pub fn links(
    measured: &Measured,
    field: &Field,
    place: Place,
    origin: Origin,
    is_proven: bool,
) -> Option<Finding> {
    let deviation = measured.max_group_deviation();
    // A program can have meant any matrices that no document calls a gauge field.
    let is_excused = is_proven && origin == Origin::Undeclared;
    let (rule, severity, limit, message) = if !deviation.is_finite() || !measured.link_trace.is_finite() {
        let message =
            "links contain numbers that are infinite, not numbers, or too large to be squared".to_owned();
        (NOT_FINITE, level(true, is_excused), FAR, message)
    } else {
        let is_huge = deviation > HUGE;
        let threshold = measured.threshold.or(is_huge.then_some(FAR));
        let threshold = threshold.filter(|threshold| deviation > *threshold)?;
        let may_be_other = match origin {
            Origin::Other | Origin::Undeclared => true,
            Origin::Described => !measured.has_unitary_link,
            Origin::Defined => false,
        };
        let is_other = may_be_other && !is_huge;
        let is_unitary = measured.max_unitarity_deviation <= threshold;
        let which = match origin {
            _ if is_huge => "links are not unitary, and no smearing makes such links",
            Origin::Other if is_other => "links are not unitary, as a text about them says",
            _ if is_unitary && !measured.has_unitary_link => "no link has the determinant 1",
            _ if is_unitary => "links are unitary, but their determinant is not 1",
            _ if is_other && !measured.has_unitary_link => "no link is unitary",
            _ => "links are not unitary",
        };
        let message = format!("{which}: the largest deviation is {deviation:.3e}, above {threshold:.3e}");
        let is_contradiction = deviation > FAR && !is_other;
        let severity = level(is_contradiction, if is_huge { is_excused } else { is_proven });
        (NOT_UNITARY, severity, threshold, message)
    };
    let outliers = measured.outliers_beyond(limit);
    let message = message + &linkstream_access::outliers::shown(measured, field, limit);
    let message = message + if is_proven { "; the checksum shows that they were written so" } else { "" };
    let offset = place.of(outliers.first);
    Some(Finding { severity, class: Class::Decode, rule, clause: "", offset, message })
}

/// The finding for a recorded value that differs from the computed one. `is_proven` means that a SciDAC checksum is OK.
pub fn recorded(recorded: &Recorded, is_proven: bool) -> Option<Finding> {
    let computed = recorded.computed.filter(|_| recorded.agrees() == Some(false))?;
    let class = match computed {
        Computed::Number { .. } => Class::Rule,
        Computed::Sum(_) => Class::Checksum,
    };
    let (record, quantity, text) =
        (&recorded.record_type, recorded.note.quantity.words(), &recorded.note.text);
    let message =
        format!("{record} records {text} as {quantity}, but the data give {}", computed.shown(text));
    // BQCD writes the plaquette of the links in memory beside the sum of the file.
    let is_excused = class == Class::Checksum || recorded.record_type == BQCD_PLAQUETTE;
    let severity = level(recorded.is_contradicted(), is_proven && is_excused);
    let rule = recorded.note.quantity.rule();
    Some(Finding { severity, class, rule, clause: "", offset: recorded.offset, message })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lime::{Note, Noted, Quantity};

    fn figure(value: f64, unit: f64, computed: f64, rounding: f64) -> Recorded {
        let value = Noted::Number { value, unit };
        Recorded {
            note: Note { quantity: Quantity::Plaquette, value, text: "0.5".to_owned() },
            record_type: "the header".to_owned(),
            offset: 968,
            computed: Some(Computed::Number { value: computed, rounding }),
        }
    }

    #[test]
    fn a_difference_has_both_values() {
        let note =
            Note { quantity: Quantity::WordSum { rows: 2 }, value: Noted::Sum(10), text: "a".to_owned() };
        let sum = Recorded {
            note,
            record_type: "scidac-record-xml".to_owned(),
            offset: 968,
            computed: Some(Computed::Sum(11)),
        };
        let finding = recorded(&sum, false).unwrap();
        assert_eq!(
            (finding.severity, finding.rule, finding.offset),
            (Level::Error, "recorded-checksum-differs", 968)
        );
        let message = "scidac-record-xml records a as NERSC checksum, but the data give b (11 in decimal)";
        assert_eq!(finding.message, message);
        let proven = recorded(&sum, true).unwrap();
        assert_eq!((proven.severity, proven.message), (Level::Warning, finding.message));
        assert!(recorded(&Recorded { computed: Some(Computed::Sum(10)), ..sum.clone() }, false).is_none());
        assert!(recorded(&Recorded { computed: None, ..sum }, false).is_none());
    }

    #[test]
    fn figures_may_have_been_computed_in_single_precision() {
        let level = |difference: f64, rounding| {
            recorded(&figure(0.5, 1e-10, 0.5 + difference, rounding), false).map(|finding| finding.severity)
        };
        assert_eq!(level(9e-13, 1e-12), None);
        assert_eq!(level(1e-8, 1e-12), Some(Level::Warning));
        assert_eq!(level(2e-6, 1e-12), Some(Level::Error));
        assert_eq!(level(9e-7, 1e-6), None);
        assert_eq!(level(2e-6, 1e-6), Some(Level::Error));
        assert_eq!(level(f64::NAN, 1e-6), Some(Level::Error));
        // A SciDAC checksum says nothing about a figure: it is another one than the figure of these links.
        assert_eq!(
            recorded(&figure(0.5, 1e-10, 0.5 + 2e-6, 1e-6), true).map(|found| found.severity),
            Some(Level::Error)
        );
        // The last digit of an observable with four of them.
        assert_eq!(recorded(&figure(0.5, 1e-4, 0.500_09, 1e-6), false).map(|finding| finding.severity), None);
    }

    #[test]
    fn texts_name_other_links() {
        for text in ["Fat links", "Long links", "<title>APE-smeared gauge field</title>"] {
            assert!(is_about_other_links(text), "{text}");
        }
        for text in [
            "",
            "MILC ILDG archival gauge configuration",
            "quark.description = HISQ, fat7 + asqtad",
            "<n_smear>2</n_smear> stout smearing of the action",
        ] {
            assert!(!is_about_other_links(text), "{text}");
        }
    }
}
