//! Reads a MILC file and records everything found in it.

use embedded_io::Read;
use linkstream::Mode;
use linkstream::io::Reader;
use linkstream::milc::{Decoder, Event, Sums, Verdict};

use linkstream_access::archive::Shape;

use super::contents::{Agreement, Contents, Sum};
use super::examination::{Examination, place};
use crate::findings::Findings;
use crate::options::Options;
use crate::plausibility::{self, Origin};
use crate::reading::{Following, PassOver, SurveyError, for_each_event, found};

/// Reads to the end, or as far as the file can be read. Returns the contents, and the position that was reached.
pub fn survey<P: PassOver<R>, R: Read>(
    source: R,
    buffer: &mut [u8],
    options: &Options,
    findings: &mut Findings,
) -> Result<(Contents, u64), SurveyError<R::Error>> {
    let mut contents = Contents::default();
    let mut examination = None;
    let survey = |reader: &Reader<R, &mut [u8], Decoder>, event, findings: &mut Findings| {
        match event {
            Event::Header(header) => {
                let shape = Shape::of_milc(&header);
                let format = shape.format(header.order());
                examination = Examination::new(&shape, format, options).filter(|_| options.read_data);
                contents.shape = Some(shape);
                let time = String::from_utf8_lossy(header.time_stamp()).into_owned();
                contents.header.push(("time_stamp".to_owned(), time));
            }
            Event::Stored(Sums { sum29, sum31 }) => {
                let sum = |name, stored| Sum { name, stored: Some(stored), computed: None };
                contents.sums = vec![sum("sum29", sum29), sum("sum31", sum31)];
                return Following::Data;
            }
            Event::Data => {
                if let Some(examination) = &mut examination {
                    examination.feed(reader.bytes());
                }
            }
            Event::Verdict(verdict) => {
                note_verdict(&mut contents, verdict);
                contents.measured = examination.take().and_then(Examination::finish);
                let measured = contents.measured.as_ref().zip(contents.shape);
                let judged = measured.and_then(|(measured, shape)| {
                    plausibility::links(measured, &shape.field(), place(&shape), Origin::Defined, false)
                });
                judged.into_iter().for_each(|finding| findings.push(finding));
            }
            Event::Finding(error) => return found(&error, findings),
            _ => {}
        }
        Following::Anything
    };
    let position =
        for_each_event::<P, _, _>(source, buffer, Decoder::new(Mode::Survey), options, findings, survey)?;
    Ok((contents, position))
}

fn note_verdict(contents: &mut Contents, verdict: Verdict) {
    let (agreement, computed) = match verdict {
        Verdict::Match { computed, .. } => (Some(Agreement::Match), Some(computed)),
        Verdict::Mismatch { computed, .. } => (Some(Agreement::Mismatch), Some(computed)),
        Verdict::Absent { .. } | Verdict::Unchecked => (None, None),
    };
    contents.agreement = agreement;
    if let (Some(Sums { sum29, sum31 }), [first, second]) = (computed, &mut contents.sums[..]) {
        (first.computed, second.computed) = (Some(sum29), Some(sum31));
    }
}
