//! Reads a matrix and records everything found in it.

use embedded_io::Read;
use linkstream::Mode;
use linkstream::inebin::{Decoder, Event};
use linkstream::io::Reader;

use super::contents::Contents;
use super::look::Look;
use crate::findings::Findings;
use crate::options::Options;
use crate::reading::{Following, PassOver, SurveyError, for_each_event, found};

/// Reads to the end, or as far as the file can be read. Returns the contents, and the position that was reached.
pub fn survey<P: PassOver<R>, R: Read>(
    source: R,
    buffer: &mut [u8],
    options: &Options,
    findings: &mut Findings,
) -> Result<(Contents, u64), SurveyError<R::Error>> {
    let mut contents = Contents::default();
    let mut look = None;
    let survey = |reader: &Reader<R, &mut [u8], Decoder>, event, findings: &mut Findings| {
        match event {
            Event::Header(header) => {
                contents.header = Some(header);
                look = Look::new(&header).filter(|_| options.read_data);
                return Following::Data;
            }
            Event::Data => {
                if let Some(look) = &mut look {
                    look.feed(reader.bytes());
                }
            }
            Event::End => contents.figures = look.take().map(Look::finish),
            Event::Finding(error) => return found(&error, findings),
            _ => {}
        }
        Following::Anything
    };
    let position =
        for_each_event::<P, _, _>(source, buffer, Decoder::new(Mode::Survey), options, findings, survey)?;
    Ok((contents, position))
}
