//! Random-number states beside configurations, with a header like a NERSC archive. Grid writes
//! `DATATYPE = RANLUX48`, `MT19937` or `SITMO`, CPS a type with `RNG` in its name; the data are words for each site, and
//! after them the words of a serial generator. Grid's CHECKSUM is the sum of all 32-bit words, as in archives.

use embedded_io::{Error as _, ErrorKind, Read};
use linkstream::Class;
use linkstream::lattice::ByteOrder;
use linkstream::nersc::{WordSums, key_and_value};

use super::contents::{Agreement, Contents, Sum};
use crate::findings::{Finding, Findings, Level};
use crate::options::Options;
use crate::reading::SurveyError;

/// The generators whose states Grid writes.
const OF_GRID: [&str; 3] = ["RANLUX48", "MT19937", "SITMO"];
/// Maximum number of lines of a header that are kept.
const MAX_LINES: usize = 1000;
/// The last line of a header.
const END: &[u8] = b"\nEND_HEADER";
/// Maximum length of a header that is searched for a state.
pub const LONGEST_HEADER: usize = 64 << 10;

/// Returns whether the beginning of a file has all of its header, or cannot have it.
pub fn has_header(first: &[u8]) -> bool {
    first.len() >= LONGEST_HEADER || end_of_header(first).is_some()
}

/// Number of bytes of the header.
fn end_of_header(first: &[u8]) -> Option<usize> {
    let end = first.windows(END.len()).position(|bytes| bytes == END)?.checked_add(END.len())?;
    let line = first.get(end..)?.iter().position(|byte| *byte == b'\n')?;
    end.checked_add(line)?.checked_add(1)
}

/// The header of a state.
#[derive(Debug)]
pub struct Header {
    kind: String,
    lines: Vec<(String, String)>,
    checksum: Option<u32>,
    length: usize,
}

impl Header {
    /// The header, if the file that begins so has a random-number state.
    pub fn of(first: &[u8]) -> Option<Self> {
        let length = end_of_header(first)?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let lines =
            first.get(..length)?.split(|byte| *byte == b'\n').filter_map(key_and_value).take(MAX_LINES);
        let kind = text(lines.clone().find(|(key, _)| *key == b"DATATYPE")?.1);
        if !OF_GRID.contains(&kind.as_str()) && !kind.contains("RNG") {
            return None;
        }
        let lines: Vec<_> = lines.map(|(key, value)| (text(key), text(value))).collect();
        let value = |name: &str| lines.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
        let checksum = value("CHECKSUM").and_then(|text| u32::from_str_radix(&text, 16).ok());
        Some(Self { kind, lines, checksum, length })
    }
}

/// Reads the words of a state. Returns the contents, and the position that was reached.
pub fn survey<R: Read>(
    mut source: R,
    header: Header,
    buffer: &mut [u8],
    options: &Options,
    findings: &mut Findings,
) -> Result<(Contents, u64), SurveyError<R::Error>> {
    let Header { kind, lines, checksum, length } = header;
    let is_of_grid = OF_GRID.contains(&kind.as_str());
    let sum = Sum { name: "word_sum", stored: checksum, computed: None };
    let mut contents = Contents { header: lines, sums: vec![sum], state: Some(kind), ..Contents::default() };
    let (mut position, mut sums) = (0_u64, WordSums::default());
    if !options.read_data {
        return Ok((contents, length as u64));
    }
    loop {
        match source.read(buffer) {
            Ok(0) => break,
            Ok(n) => {
                let in_header = (length as u64).saturating_sub(position) as usize;
                let bytes = buffer.get(..n).unwrap_or_default();
                sums.feed(bytes.get(in_header.min(n)..).unwrap_or_default());
                position = position.saturating_add(n as u64);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(SurveyError::Io(error)),
        }
    }
    let orders = [ByteOrder::Big, ByteOrder::Little];
    let found = orders.into_iter().find(|order| checksum == Some(sums.of(*order)));
    let computed = sums.of(found.unwrap_or(ByteOrder::Big));
    contents.sums = vec![Sum { name: "word_sum", stored: checksum, computed: Some(computed) }];
    contents.agreement = Some(match (found, checksum) {
        (Some(_), _) => Agreement::Match,
        // The sums of other programs are not known.
        (None, Some(stored)) if is_of_grid => {
            let message =
                format!("checksum mismatch: the header has {stored:x}, the words have {computed:x}");
            let (severity, class) = (Level::Error, Class::Checksum);
            let (clause, offset) = ("", length as u64);
            findings.push(Finding { severity, class, rule: "state-checksum", clause, offset, message });
            Agreement::Mismatch
        }
        _ => Agreement::Absent,
    });
    Ok((contents, position))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_told_from_gauge_fields() {
        let header =
            |datatype: &str| format!("BEGIN_HEADER\nDATATYPE = {datatype}\nCHECKSUM = 1f\nEND_HEADER\n");
        for state in ["SITMO", "MT19937", "RANLUX48", "LATTICE_RNG_4D"] {
            let found = Header::of(header(state).as_bytes()).unwrap();
            assert_eq!(
                (found.kind.as_str(), found.checksum, found.length),
                (state, Some(31), header(state).len())
            );
        }
        for other in ["4D_SU3_GAUGE", "4D_SU3_GAUGE_3x3", "4D_SU2_GAUGE_2x2", "4D_PROPAGATOR", ""] {
            assert!(Header::of(header(other).as_bytes()).is_none(), "{other}");
        }
        let whole = header("SITMO");
        assert!(Header::of(&whole.as_bytes()[..whole.len() - 1]).is_none());
    }
}
