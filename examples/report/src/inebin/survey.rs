//! Reads a matrix and records everything found in it.

use embedded_io::Read;
use linkstream::inebin::{Decoder, ErrorKind, Event};
use linkstream::io::Reader;
use linkstream::{Decode as _, Mode};

use super::contents::Contents;
use super::look::Look;
use crate::findings::Findings;
use crate::options::Options;
use crate::reading::{PassOver, SurveyError, or_finding};

/// Reads to the end, or to where the file cannot be read any more. Gives what was found and how far that is.
pub fn survey<P: PassOver<R>, R: Read>(
    source: R,
    buffer: &mut [u8],
    options: &Options,
    findings: &mut Findings,
) -> Result<(Contents, u64), SurveyError<R::Error>> {
    let mut reader = Reader::new(source, buffer, Decoder::new(Mode::Survey));
    let mut contents = Contents::default();
    let mut look = None;
    let mut next = reader.next();
    while let Some(event) = or_finding(next, findings)? {
        match event {
            Event::Header(header) => {
                contents.header = Some(header);
                look = Look::new(&header).filter(|_| options.read_data);
            }
            Event::Data => {
                if let Some(look) = &mut look {
                    look.feed(reader.bytes());
                }
            }
            Event::End => contents.figures = look.take().map(Look::finish),
            Event::Finding(error) => {
                findings.add(&error);
                // Only trailing bytes can follow.
                if error.kind == ErrorKind::Trailing && !options.read_data {
                    break;
                }
            }
            _ => {}
        }
        next = match event {
            Event::Header(_) if !options.read_data => P::pass_over(&mut reader).and_then(|()| reader.next()),
            _ => reader.next(),
        };
    }
    Ok((contents, reader.decoder().position()))
}
