//! Code for reading sources of all formats: how payload is skipped, and which errors a source can have.

use embedded_io::{ErrorType, Read, Seek};
use linkstream::io::{ReadError, Reader};
use linkstream::{Class, Decode, Diagnostic, Error};

use crate::findings::Findings;
use crate::options::Options;

pub use linkstream_access::source::{MAX_SITE, SourceError as SurveyError};

/// Way to skip payload that is not needed.
pub trait PassOver<R: ErrorType> {
    /// Moves the reader to the end of the current payload.
    fn pass_over<D: Decode>(
        reader: &mut Reader<R, &mut [u8], D>,
    ) -> Result<(), ReadError<R::Error, D::ErrorKind>>;
}

/// Reads the payload and discards it: for pipes.
#[derive(Debug)]
pub struct ByReading;

impl<R: Read> PassOver<R> for ByReading {
    fn pass_over<D: Decode>(
        reader: &mut Reader<R, &mut [u8], D>,
    ) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        reader.skip()
    }
}

/// Seeks in the source.
#[derive(Debug)]
pub struct BySeeking;

impl<R: Read + Seek> PassOver<R> for BySeeking {
    fn pass_over<D: Decode>(
        reader: &mut Reader<R, &mut [u8], D>,
    ) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        reader.skip_seeking()
    }
}

/// The next event. If the file is the reason why reading ends, the error becomes a finding.
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

/// Events that can follow another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Following {
    Anything,
    /// The data, which are skipped unless the options ask for them.
    Data,
    /// Only surplus bytes, which are not read unless the data are read.
    Trailing,
}

/// Adds a finding. Returns what can follow it.
pub fn found<K: Diagnostic>(error: &Error<K>, findings: &mut Findings) -> Following {
    findings.add(error);
    if error.kind.class() == Class::Trailing { Following::Trailing } else { Following::Anything }
}

/// Reads a file that consists of a header and data to its end, or as far as it can be read, and returns the position
/// that was reached. `each` processes the events and returns what can follow.
pub fn for_each_event<P: PassOver<R>, R: Read, D: Decode>(
    source: R,
    buffer: &mut [u8],
    decoder: D,
    options: &Options,
    findings: &mut Findings,
    mut each: impl FnMut(&Reader<R, &mut [u8], D>, D::Event, &mut Findings) -> Following,
) -> Result<u64, SurveyError<R::Error>> {
    let mut reader = Reader::new(source, buffer, decoder);
    let mut next = reader.next();
    while let Some(event) = or_finding(next, findings)? {
        next = match each(&reader, event, findings) {
            Following::Trailing if !options.read_data => break,
            Following::Data if !options.read_data => P::pass_over(&mut reader).and_then(|()| reader.next()),
            _ => reader.next(),
        };
    }
    Ok(reader.decoder().position())
}
