//! Reads a NERSC archive and records everything found in it.

use embedded_io::Read;
use linkstream::io::Reader;
use linkstream::lattice::ByteOrder;
use linkstream::nersc::{Decoder, Event, Header, Verdict};
use linkstream::{Decode as _, Mode};

use linkstream_access::archive::{Shape, keep_line};
use linkstream_access::noted;
use linkstream_access::recorded::rounding;
use linkstream_memory as memory;

use super::contents::{Agreement, Contents, Sum};
use super::examination::Examination;
use crate::findings::Findings;
use crate::lime::{Computed, Note, Quantity, Recorded, number};
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
    // The first bytes of the data, collected until they contain a whole link.
    let mut first = Some(Vec::new());
    let mut examination = None;
    let survey = |reader: &Reader<R, &mut [u8], Decoder>, event, findings: &mut Findings| {
        match event {
            Event::Line => {
                if reader.decoder().line().is_some_and(|(_, value)| noted::is_in_line(value)) {
                    findings.push(noted::finding(0));
                }
                keep_line(reader.decoder(), &mut contents.header);
            }
            Event::Header(header) => {
                contents.shape = Some(Shape::of_nersc(&header, reader.decoder().position()));
                let stored = header.checksum;
                contents.sums = vec![Sum { name: "word_sum", stored, computed: None }];
                return Following::Data;
            }
            Event::Data => match (&mut first, &mut contents.shape, &mut examination) {
                (Some(bytes), Some(shape), _) => {
                    memory::unwinding::extend(bytes, reader.bytes());
                    if bytes.len() >= shape.format(ByteOrder::Big).bytes() {
                        examination = examine(shape, bytes, options);
                        first = None;
                    }
                }
                (_, _, Some(examination)) => examination.feed(reader.bytes()),
                _ => {}
            },
            Event::Verdict(verdict) => {
                let order = judged(&mut contents, verdict, reader.decoder());
                contents.measured = examination.take().and_then(|examination| examination.finish(order));
                finish(&mut contents, reader.decoder().header(), findings);
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

/// Begins a measurement with the first bytes of the data, which contain at least one link: it shows the byte order of
/// an archive that does not name it.
fn examine(shape: &mut Shape, first: &[u8], options: &Options) -> Option<Examination> {
    let order = shape.order.unwrap_or_else(|| shape.guessed(first));
    shape.order = Some(order);
    let mut examination = Examination::new(shape, shape.format(order), options)?;
    examination.feed(first);
    Some(examination)
}

/// Records the verdict, and returns the byte order that the checksum shows.
fn judged(contents: &mut Contents, verdict: Verdict, decoder: &Decoder) -> Option<ByteOrder> {
    let order = match verdict {
        Verdict::Match { computed, .. } => Some(computed.order),
        Verdict::Mismatch { .. } | Verdict::Absent { .. } | Verdict::Unchecked => None,
    };
    contents.agreement = match verdict {
        Verdict::Match { .. } => Some(Agreement::Match),
        Verdict::Mismatch { .. } => Some(Agreement::Mismatch),
        Verdict::Absent { .. } => Some(Agreement::Absent),
        Verdict::Unchecked => None,
    };
    if let (Some(shape), Some(order)) = (&mut contents.shape, order) {
        shape.order = Some(order);
    }
    let order_of_data = contents.shape.and_then(|shape| shape.order).unwrap_or(ByteOrder::Big);
    if let (Some(sums), Some(sum)) = (decoder.computed(), contents.sums.first_mut()) {
        sum.computed = Some(sums.of(order_of_data));
    }
    order
}

/// Compares the plaquette and the link trace in the header with the computed values.
fn finish(contents: &mut Contents, header: Option<&Header>, findings: &mut Findings) {
    let (Some(header), Some(shape)) = (header, &contents.shape) else { return };
    let measured = contents.measured.as_ref();
    let noted = [
        (Quantity::Plaquette, &header.plaquette, measured.and_then(|measured| measured.plaquette)),
        (Quantity::LinkTrace, &header.link_trace, measured.map(|measured| measured.link_trace)),
    ];
    for (quantity, text, computed) in noted {
        let Some(value) = number(text) else { continue };
        let rounding = rounding(shape.precision, measured.is_some_and(|measured| measured.widened));
        contents.recorded.push(Recorded {
            note: Note { quantity, value, text: text.as_str().to_owned() },
            record_type: "the header".to_owned(),
            offset: 0,
            computed: computed.map(|value| Computed::Number { value, rounding }),
        });
    }
    let of_links =
        measured.and_then(|measured| plausibility::links(measured, &shape.field(), Origin::Defined, false));
    of_links.into_iter().for_each(|finding| findings.push(finding));
    // The sum of words does not prove the data: it does not depend on their order.
    let differences = contents.recorded.iter().filter_map(|one| plausibility::recorded(one, false));
    differences.for_each(|finding| findings.push(finding));
}
