//! Reads a source to its end and reports what was found.

use embedded_io::{ErrorType, Read, Seek};
use linkstream::io::{ReadError, Reader};
use linkstream::sniff::Format;
use linkstream::{Decode, Diagnostic};

use crate::options::Options;
use crate::parts::Parts;
use crate::report::{Body, Findings, Report};
use crate::{archive, identify, inebin, lime, scda};

/// Bytes read at a time.
const BUFFER: usize = 256 << 10;

/// Reads a source from its first byte in the format that was recognised from the bytes `first`, which the source delivers again.
/// The report is about `name`. The `size` of the source, if that is known, helps to say what a file of an unknown format is. If `parts` of the same source can be read by several threads, large fields are.
pub fn survey<P: PassOver<R>, R: Read>(
    source: R,
    parts: Option<&dyn Parts<Error = R::Error>>,
    name: &str,
    first: &[u8],
    format: Option<Format>,
    size: Option<u64>,
    options: &Options,
) -> Result<Report, SurveyError<R::Error>>
where
    R::Error: Send,
{
    let mut buffer = vec![0; BUFFER];
    let mut findings = Findings::new(options.lenient);
    let (body, bytes) = match format {
        Some(Format::Lime) => {
            let (contents, bytes) = lime::survey::<P, R>(source, parts, &mut buffer, options, &mut findings)?;
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
    Ok(Report { file: name.to_owned(), file_bytes: None, bytes, body, findings, require_checksum })
}

/// Why a source could not be read to the end of what is in it. What is wrong with the file is a finding instead.
#[derive(Debug, thiserror::Error)]
pub enum SurveyError<E> {
    /// The source failed.
    #[error(transparent)]
    Io(E),
    /// A seek failed, and nobody knows where the source stands now.
    #[error("the position in the file is unknown after a failed seek")]
    PositionUnknown,
    /// A defect of the reader.
    #[error("the reader made no progress")]
    NoProgress,
}

/// How payload that is not wanted is passed over.
pub trait PassOver<R: ErrorType> {
    /// Moves the reader to the end of the payload it is in.
    fn pass_over<D: Decode>(reader: &mut Reader<'_, R, D>) -> Result<(), ReadError<R::Error, D::ErrorKind>>;
}

/// Reads it and throws it away: for pipes.
#[derive(Debug)]
pub struct ByReading;

impl<R: Read> PassOver<R> for ByReading {
    fn pass_over<D: Decode>(reader: &mut Reader<'_, R, D>) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        reader.skip()
    }
}

/// Moves the source.
#[derive(Debug)]
pub struct BySeeking;

impl<R: Read + Seek> PassOver<R> for BySeeking {
    fn pass_over<D: Decode>(reader: &mut Reader<'_, R, D>) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        reader.skip_seeking()
    }
}

/// The next event. What ends the reading is a finding if it is the file's fault.
pub fn or_finding<T, E, K: Diagnostic>(
    next: Result<Option<T>, ReadError<E, K>>,
    findings: &mut Findings,
) -> Result<Option<T>, SurveyError<E>> {
    match next {
        Ok(event) => Ok(event),
        Err(ReadError::Format(error)) => {
            findings.add(&error);
            Ok(None)
        }
        Err(ReadError::Io(error)) => Err(SurveyError::Io(error)),
        Err(ReadError::Lost) => Err(SurveyError::PositionUnknown),
        Err(_) => Err(SurveyError::NoProgress),
    }
}
