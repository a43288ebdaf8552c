//! The documents of one data record to be written.

use linkstream::field::OutgoingMessage;
use linkstream::ildg::{Format, GaugeKind, Group};
use linkstream::lattice::{Precision, Region};
use linkstream::scidac::{PrivateRecord, RecordData};

use super::refusal::Refusal;

/// Size of the buffer for trying documents; the longest has a list of extents, a date and a type.
pub const SCRATCH: usize = 4096;
/// The record XML for a SciDAC record without one.
pub const NO_TEXT: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><title>linkstream</title>";
/// The file XML that QIO's converter writes for a NERSC archive.
pub const ARCHIVE_FILE: &str =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?><title>Converted NERSC gauge configuration</title>";

/// The texts that QIO's converter writes for a file and a record without SciDAC documents.
pub(super) const NOT_SCIDAC_FILE: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<NonSciDACFile/>\n";
pub(super) const NOT_SCIDAC_RECORD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<NonSciDACRecord/>\n";

/// The SciDAC documents of a data record.
#[derive(Debug, Clone)]
pub struct Beside {
    /// The private record XML.
    pub record: PrivateRecord,
    /// The record XML, which is the user's text.
    pub text: Vec<u8>,
}

/// A data record with its description: SciDAC documents, an `ildg-format`, or both.
#[derive(Debug, Clone, Default)]
pub struct Planned {
    /// The SciDAC documents.
    pub scidac: Option<Beside>,
    /// The `ildg-format`.
    pub format: Option<Format>,
    /// The update number.
    pub update: Option<String>,
    /// The logical file name.
    pub lfn: Option<String>,
    /// True to write a checksum. A SciDAC record lacks one only if its data are damaged.
    pub checksum: bool,
    /// True if the record XML is a `usqcdInfo` (QIO 2.3, appendix A.1) without its numbers: [`Measuring`] measures the
    /// links.
    ///
    /// [`Measuring`]: super::Measuring
    pub is_unfilled: bool,
}

impl Planned {
    /// The message with this record, for the encoders.
    #[must_use]
    pub fn message(&self) -> OutgoingMessage<'_> {
        let mut message = match (&self.scidac, &self.format) {
            (Some(beside), _) => OutgoingMessage::scidac(&beside.record, &beside.text),
            (None, Some(format)) => OutgoingMessage::ildg(format),
            (None, None) => OutgoingMessage::default(),
        };
        message = message.with_checksum(self.checksum);
        if let (Some(_), Some(format)) = (&self.scidac, &self.format) {
            message = message.with_format(format);
        }
        if let Some(update) = &self.update {
            message = message.with_update(update);
        }
        if let Some(lfn) = &self.lfn {
            message = message.with_lfn(lfn);
        }
        message
    }
}

impl Planned {
    /// Size of a site of the data in bytes.
    #[must_use]
    pub fn bytes_per_site(&self) -> u64 {
        let of_record = self.scidac.as_ref().map(|beside| beside.record.bytes_per_site());
        of_record.or(self.format.as_ref().map(Format::bytes_per_site)).unwrap_or(0)
    }

    /// The precision of the numbers; `None` if the data are not known to be numbers of single or double precision.
    #[must_use]
    pub fn precision(&self) -> Option<Precision> {
        let of_record = || precision_of(self.scidac.as_ref()?.record.data().precision.as_str());
        self.format.as_ref().map(Format::precision).or_else(of_record)
    }
}

/// The precision with this letter.
pub(super) fn precision_of(text: &str) -> Option<Precision> {
    [Precision::F32, Precision::F64].into_iter().find(|precision| letter(*precision) == text)
}

/// SciDAC's letter for a precision.
pub(super) const fn letter(precision: Precision) -> &'static str {
    match precision {
        Precision::F32 => "F",
        Precision::F64 => "D",
    }
}

/// The private record XML of a gauge field, as QIO writes it for SU(3): one item for each link of a site. Kinds unknown
/// to QIO are named after the same pattern.
///
/// # Errors
/// A link is too large, or the date too long.
pub fn private_record(
    kind: GaugeKind,
    precision: Precision,
    rows: u32,
    links: u32,
    date: &str,
) -> Result<PrivateRecord, Refusal> {
    let (letter, colors) = (letter(precision), kind.colors());
    let parts = if kind.is_real() { 1 } else { 2 };
    let datatype = match (kind.group(), kind.is_real()) {
        (Group::U1Phase, _) => format!("USQCD_{letter}_Real"),
        (_, true) => format!("USQCD_{letter}{colors}_RealColorMatrix"),
        (_, false) => format!("USQCD_{letter}{colors}_ColorMatrix"),
    };
    let size = [rows, colors.into(), parts, precision.size() as u32];
    let typesize = size.into_iter().try_fold(1, u32::checked_mul).ok_or(Refusal::LargeLink(kind))?;
    let data = RecordData {
        datatype: datatype.as_str().try_into().unwrap_or_default(),
        precision: letter.try_into().unwrap_or_default(),
        colors: colors.into(),
        spins: 0,
        typesize,
        datacount: links,
    };
    let mut record = PrivateRecord::new(&Region::Lattice).with_data(data)?;
    set_date(&mut record, date)?;
    Ok(record)
}

/// Sets the date of a record.
///
/// # Errors
/// It is too long.
pub fn set_date(record: &mut PrivateRecord, date: &str) -> Result<(), Refusal> {
    record.date = date.try_into().map_err(|_| Refusal::Date(date.to_owned()))?;
    Ok(())
}

/// Checks that a record can hold the date.
///
/// # Errors
/// It is too long.
pub fn check_date(date: &str) -> Result<(), Refusal> {
    set_date(&mut PrivateRecord::new(&Region::Lattice), date)
}

/// The letter of the precision in the name of a type, such as `QDP_F3_ColorMatrix` and `QDP_I_Int`; `None` for other names.
#[must_use]
pub fn named_letter(datatype: &str) -> Option<&'static str> {
    if let Some(rest) = datatype.strip_prefix("QDP_").or_else(|| datatype.strip_prefix("QLA_")) {
        match rest {
            "Int" => return Some("I"),
            "RandomState" => return Some("S"),
            _ => {}
        }
    }
    let word = datatype.split('_').nth(1)?;
    let letter = ["F", "D", "I", "S"].into_iter().find(|letter| word.starts_with(*letter))?;
    let colors = word.strip_prefix(letter)?;
    let colors = colors.strip_prefix("Nc").unwrap_or(colors);
    colors.bytes().all(|byte| byte.is_ascii_digit()).then_some(letter)
}

/// The precision in a part of a type name: `F3`, `D`.
fn precision_in(word: &str) -> Option<Precision> {
    let colors = word.strip_prefix(['F', 'D'])?;
    let precision = if word.starts_with('F') { Precision::F32 } else { Precision::F64 };
    colors.bytes().all(|byte| byte.is_ascii_digit()).then_some(precision)
}

/// The precision in the name of a type, if it has one.
pub(super) fn letter_in(datatype: &str) -> Option<Precision> {
    precision_of(named_letter(datatype)?)
}

/// The name of a type with the letter of another precision: `QDP_F3_ColorMatrix`, `QDP_F_Real`.
pub(super) fn with_letter(datatype: &str, precision: Precision) -> String {
    let words =
        datatype.split('_').enumerate().map(|(i, word)| match precision_in(word).is_some() && i == 1 {
            true => format!("{}{}", letter(precision), &word[1..]),
            false => word.to_owned(),
        });
    words.collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_types_follow_the_precision() {
        for (single, double) in [
            ("USQCD_F3_ColorMatrix", "USQCD_D3_ColorMatrix"),
            ("QDP_F_Real", "QDP_D_Real"),
            ("QDP_F12_DiracFermion", "QDP_D12_DiracFermion"),
        ] {
            assert_eq!(with_letter(single, Precision::F64), double);
            assert_eq!(with_letter(double, Precision::F32), single);
            assert_eq!([single, double].map(letter_in), [Some(Precision::F32), Some(Precision::F64)]);
        }
        for other in ["QDP_OddDoubles", "QDP_Floats_F", "LatticeReal", "", "MILC_RNG"] {
            assert_eq!((with_letter(other, Precision::F32), letter_in(other)), (other.to_owned(), None));
        }
    }
}
