//! Reads a source to its end and makes the report.

use embedded_io::Read;
use linkstream::sniff::Format;

use crate::findings::Findings;
use crate::lime::{Elsewhere, InParts};
use crate::options::Options;
use crate::report::{Body, Report};
use crate::{archive, identify, inebin, lime, scda};
use linkstream_access::open_qcd;
use linkstream_access::source::Source;

pub use crate::reading::{ByReading, BySeeking, PassOver, SurveyError, or_finding};

/// Number of bytes read at a time.
const BUFFER: usize = 256 << 10;

/// The same, for the smallest files: to allocate and clear a longer buffer would take as long as the rest.
const LEAST: usize = 4 << 10;

/// The size of the buffer for a source of so many bytes.
fn room(size: Option<u64>) -> usize {
    size.and_then(|size| usize::try_from(size / 4).ok()).map_or(BUFFER, |part| part.clamp(LEAST, BUFFER))
}

/// Reads a source from its first byte, in the format that was recognised from its first bytes, `first`; the source must
/// deliver these again. `name` is the name of the file in the report. The `size` of the source, if known, helps to
/// recognise foreign formats. With `parts` of the same source, several threads read large fields.
pub fn survey<P: PassOver<R>, R: Read>(
    source: R,
    parts: Option<&dyn Source<Error = R::Error>>,
    name: &str,
    first: &[u8],
    format: Option<Format>,
    size: Option<u64>,
    options: &Options,
) -> Result<Report, SurveyError<R::Error>>
where
    R::Error: Send,
{
    let parts = parts.map(InParts);
    let elsewhere = parts.as_ref().map(|parts| parts as &dyn Elsewhere<Error = R::Error>);
    survey_elsewhere::<P, R>(source, elsewhere, name, first, format, size, options)
}

/// Surveys a source like [`survey`]. The data of fields in LIME files are read by `elsewhere`, if it can: by several
/// processes, for example. The report is the same.
///
/// # Errors
/// The source failed.
pub fn survey_elsewhere<P: PassOver<R>, R: Read>(
    source: R,
    elsewhere: Option<&dyn Elsewhere<Error = R::Error>>,
    name: &str,
    first: &[u8],
    format: Option<Format>,
    size: Option<u64>,
    options: &Options,
) -> Result<Report, SurveyError<R::Error>>
where
    R::Error: Send,
{
    let mut buffer = vec![0; room(size)];
    // A file of an unknown format has one finding, and may be skipped.
    let receiver = options.receiver.filter(|_| format.is_some()).map(|receiver| receiver.finding);
    let mut findings = Findings::new(options.lenient).passed_to(receiver);
    let state = if format == Some(Format::Nersc) { archive::state::Header::of(first) } else { None };
    let open_qcd = if format.is_none() { open_qcd::Header::of(first, size) } else { None };
    let (body, bytes) = match format {
        _ if state.is_some() || open_qcd.is_some() => {
            without_links_in_order(source, state, open_qcd, &mut buffer, options, &mut findings)?
        }
        Some(Format::Lime) => {
            let (contents, bytes) =
                lime::survey::<P, R>(source, elsewhere, &mut buffer, options, &mut findings)?;
            (Body::Lime(contents), bytes)
        }
        Some(Format::Inebin) => {
            let (contents, bytes) = inebin::survey::<P, R>(source, &mut buffer, options, &mut findings)?;
            (Body::Inebin(contents), bytes)
        }
        Some(Format::Scda) => {
            let (contents, bytes) = scda::survey::<P, R>(source, &mut buffer, options, &mut findings)?;
            (Body::Scda(contents), bytes)
        }
        Some(Format::Nersc) => {
            let (contents, bytes) =
                archive::survey_nersc::<P, R>(source, &mut buffer, options, &mut findings)?;
            (Body::Nersc(contents), bytes)
        }
        Some(Format::Milc) => {
            let (contents, bytes) =
                archive::survey_milc::<P, R>(source, &mut buffer, options, &mut findings)?;
            (Body::Milc(contents), bytes)
        }
        _ => {
            let finding =
                if first.is_empty() { identify::empty() } else { identify::unknown(first, size, name) };
            findings.push(finding);
            (Body::Unknown, first.len() as u64)
        }
    };
    let require_checksum = options.require_checksum;
    Ok(Report {
        file: name.to_owned(),
        file_bytes: None,
        bytes,
        body,
        findings,
        require_checksum,
        readers: Vec::new(),
        packing: Vec::new(),
    })
}

/// Surveys a random-number state or a configuration of openQCD.
fn without_links_in_order<R: Read>(
    source: R,
    state: Option<archive::state::Header>,
    open_qcd: Option<open_qcd::Header>,
    buffer: &mut [u8],
    options: &Options,
    findings: &mut Findings,
) -> Result<(Body, u64), SurveyError<R::Error>> {
    if let Some(header) = state {
        let (contents, bytes) = archive::state::survey(source, header, buffer, options, findings)?;
        return Ok((Body::Nersc(contents), bytes));
    }
    let Some(header) = open_qcd else { return Ok((Body::Unknown, 0)) };
    let (contents, bytes) = archive::survey_open_qcd(source, &header, options, findings)?;
    Ok((Body::OpenQcd(contents), bytes))
}
