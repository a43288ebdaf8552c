//! Reads a configuration of openQCD and records everything found in it.

use embedded_io::{Error as _, ErrorKind, Read};
use linkstream::Class;
use linkstream::lattice::ByteOrder;
use linkstream_access::archive::Shape;
use linkstream_access::open_qcd::{HEADER_LEN, Header, SITE};
use linkstream_access::recorded::rounding;
use linkstream_memory as memory;

use super::contents::{Agreement, Contents};
use super::examination::{Examination, place};
use crate::findings::{Finding, Findings, Level};
use crate::lime::{Computed, Note, Quantity, Recorded, number};
use crate::options::Options;
use crate::plausibility::{self, Origin};
use crate::reading::SurveyError;

/// Number of sites that are brought into the order of other formats at a time.
const SITES: usize = 2048;

/// Reads to the end of the links, or as far as the file can be read. Returns the contents, and the position that was
/// reached. The links of a site are in two time slices, which are held in memory, and the first slice until the end.
pub fn survey<R: Read>(
    mut source: R,
    header: &Header,
    options: &Options,
    findings: &mut Findings,
) -> Result<(Contents, u64), SurveyError<R::Error>> {
    let (shape, geometry) = (Shape::of_open_qcd(header), header.geometry());
    let mut contents = Contents { shape: Some(shape), ..Contents::default() };
    // All digits: the last one is the limit of the comparison.
    let text = format!("{:.16}", header.plaquette());
    contents.header.push(("plaquette".to_owned(), text.clone()));
    let mut first = vec![0; HEADER_LEN];
    let mut position = fill(&mut source, &mut first)?;
    if !options.read_data {
        return Ok((contents, position));
    }
    let mut examination = Examination::new(&shape, shape.format(ByteOrder::Little), options);
    let slice = |source: &mut R, position: &mut u64| {
        let mut slice = memory::unwinding::zeroed(geometry.slice_bytes());
        let n = fill(source, &mut slice)?;
        *position = position.saturating_add(n);
        Ok::<_, SurveyError<R::Error>>((n == geometry.slice_bytes() as u64).then_some(slice))
    };
    let mut out = memory::unwinding::zeroed(SITES.min(geometry.slice_sites()).saturating_mul(SITE));
    let (mut earliest, mut here) = (None, None::<Vec<u8>>);
    for t in 0..=geometry.slices() {
        let after = if t < geometry.slices() {
            let Some(read) = slice(&mut source, &mut position)? else {
                findings.push(wrong_length(header, position));
                return Ok((contents, position));
            };
            read
        } else {
            earliest.take().unwrap_or_default()
        };
        // The first slice completes the last one.
        if t == 0 {
            earliest = Some(after.clone());
        }
        if let (Some(examination), Some(here), Some(t)) = (&mut examination, &here, t.checked_sub(1)) {
            for number in (0..geometry.slice_sites()).step_by(SITES) {
                let count = SITES.min(geometry.slice_sites().saturating_sub(number));
                let out = out.get_mut(..count.saturating_mul(SITE)).unwrap_or_default();
                // This cannot fail: both slices are whole.
                let _ = geometry.sites(t, number, here, &after, out);
                examination.feed(out);
            }
        }
        here = Some(after);
    }
    let mut more = [0];
    if fill(&mut source, &mut more)? > 0 {
        findings.push(wrong_length(header, position));
    }
    contents.agreement = Some(Agreement::Absent);
    contents.measured = examination.and_then(Examination::finish);
    let measured = contents.measured.as_ref();
    if let Some(value) = number(&text) {
        let rounding = rounding(shape.precision, measured.is_some_and(|measured| measured.widened));
        let computed = measured.and_then(|measured| measured.plaquette);
        contents.recorded.push(Recorded {
            note: Note { quantity: Quantity::Plaquette, value, text },
            record_type: "the header".to_owned(),
            offset: 0,
            computed: computed.map(|value| Computed::Number { value, rounding }),
        });
    }
    let of_links = measured.and_then(|measured| {
        plausibility::links(measured, &shape.field(), place(&shape), Origin::Defined, false)
    });
    let differences = contents.recorded.iter().filter_map(|one| plausibility::recorded(one, false));
    // The links have other places in the file.
    let of_links = of_links.map(|finding| Finding { offset: shape.data_at, ..finding });
    of_links.into_iter().chain(differences).for_each(|finding| findings.push(finding));
    Ok((contents, position))
}

fn wrong_length(header: &Header, found: u64) -> Finding {
    let expected = header.file_length();
    let (class, message) = if found < expected {
        (Class::Truncated, format!("the file ends after {found} bytes, but its lattice has {expected}"))
    } else {
        (Class::Trailing, format!("bytes follow the last link, at byte {expected}"))
    };
    Finding {
        severity: Level::Error,
        class,
        rule: "openqcd-length",
        clause: "",
        offset: found.min(expected),
        message,
    }
}

/// Fills `out` as far as there are bytes. Returns their number.
fn fill<R: Read>(source: &mut R, out: &mut [u8]) -> Result<u64, SurveyError<R::Error>> {
    let mut done = 0;
    while let Some(rest) = out.get_mut(done..).filter(|rest| !rest.is_empty()) {
        match source.read(rest) {
            Ok(0) => break,
            Ok(n) => done = done.saturating_add(n),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(SurveyError::Io(error)),
        }
    }
    Ok(done as u64)
}
