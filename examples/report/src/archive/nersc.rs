//! Reads a NERSC archive and records everything found in it.

use embedded_io::Read;
use linkstream::io::Reader;
use linkstream::lattice::ByteOrder;
use linkstream::nersc::{Decoder, ErrorKind, Event, Header, Verdict};
use linkstream::{Class, Decode as _, Error, Mode};

use linkstream_access::archive::{Shape, keep_line};
use linkstream_access::noted;
use linkstream_access::recorded::rounding;
use linkstream_memory as memory;

use super::contents::{Agreement, Contents, Sum};
use super::examination::{Examination, place};
use crate::figures::{FAR, Measured};
use crate::findings::{Finding, Findings, Level};
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
    let (mut examination, mut seen) = (None, None);
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
                    if bytes.len() >= shape.format(ByteOrder::Big).length() {
                        seen = shape.seen(bytes);
                        examination = examine(shape, bytes, seen, options);
                        first = None;
                    }
                }
                (_, _, Some(examination)) => examination.feed(reader.bytes()),
                _ => {}
            },
            Event::Verdict(verdict) => {
                let measured = examination.take().and_then(Examination::finish_in_order);
                judged(&mut contents, measured, seen, verdict, reader.decoder(), findings);
                finish(&mut contents, reader.decoder().header(), findings);
            }
            // Judged with the links.
            Event::Finding(error) if matches!(error.kind, ErrorKind::OtherByteOrder { .. }) => {}
            Event::Finding(error) => return found(&error, findings),
            _ => {}
        }
        Following::Anything
    };
    let position =
        for_each_event::<P, _, _>(source, buffer, Decoder::new(Mode::Survey), options, findings, survey)?;
    let shape = contents.shape.filter(|_| options.read_data);
    if let Some((shape, bytes)) = shape.zip(position.checked_sub(shape.map_or(0, |shape| shape.data_at)))
        && let Some(datatype) = shape.other_datatype(bytes)
    {
        let message = format!("the data have exactly the length of {datatype}");
        findings.push(Finding {
            severity: Level::Warning,
            class: Class::Rule,
            rule: "nersc-other-group",
            clause: "",
            offset: shape.data_at,
            message,
        });
    }
    Ok((contents, position))
}

/// Begins a measurement with the first bytes of the data, which contain at least one link. The links are measured in the
/// byte order that the first one shows, otherwise in the one that the header names.
fn examine(
    shape: &mut Shape,
    first: &[u8],
    seen: Option<ByteOrder>,
    options: &Options,
) -> Option<Examination> {
    let order = seen.or(shape.order).unwrap_or(ByteOrder::Big);
    shape.order = shape.order.or(Some(order));
    let mut examination = Examination::new(shape, shape.format(order), options)?;
    examination.feed(first);
    Some(examination)
}

/// Records the verdict and the measurement. Unitary links show the byte order; only if there are none, the sum shows it:
/// some programs sum the words in another order than they write them. A header or a sum that contradicts the links is
/// a finding.
fn judged(
    contents: &mut Contents,
    measured: Option<(ByteOrder, Measured)>,
    seen: Option<ByteOrder>,
    verdict: Verdict,
    decoder: &Decoder,
    findings: &mut Findings,
) {
    let (by_sum, agreement) = match verdict {
        Verdict::Match { computed, .. } => (Some(computed.order), Some(Agreement::Match)),
        Verdict::Mismatch { .. } => (None, Some(Agreement::Mismatch)),
        Verdict::Absent { .. } => (None, Some(Agreement::Absent)),
        Verdict::Unchecked => (None, None),
    };
    let by_links = match &measured {
        Some((order, measured)) => (measured.max_group_deviation() <= FAR).then_some(*order),
        None => seen,
    };
    contents.agreement = agreement;
    if agreement.is_none() {
        return;
    }
    let Some(shape) = &mut contents.shape else { return };
    let named = decoder.header().and_then(Header::order);
    let order = by_links.or(by_sum).or(shape.order).unwrap_or(ByteOrder::Big);
    shape.order = Some(order);
    let stored = contents.sums.first().and_then(|sum| sum.stored);
    let computed = decoder.computed().map(|sums| sums.of(order));
    if let Some(sum) = contents.sums.first_mut() {
        sum.computed = computed;
    }
    let at = shape.data_at;
    let by_other = by_sum.is_some() && stored != computed;
    if named.is_some_and(|named| named != order) {
        findings.add(&Error::new(at, ErrorKind::OtherByteOrder { found: order }));
    } else if let (true, Some(stored), Some(computed)) = (by_other, stored, computed) {
        contents.agreement = Some(Agreement::Mismatch);
        let advice = "CHECKSUM is the sum of the words in the other byte order, but the links are unitary in the order of \
                      the data";
        findings.add_with(&Error::new(at, ErrorKind::Checksum { stored, computed }), advice);
    }
    contents.measured = measured.filter(|(measured, _)| *measured == order).map(|(_, measured)| measured);
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
    let of_links = measured.and_then(|measured| {
        plausibility::links(measured, &shape.field(), place(shape), Origin::Defined, false)
    });
    of_links.into_iter().for_each(|finding| findings.push(finding));
    // The sum of words does not prove the data: it does not depend on their order.
    let differences = contents.recorded.iter().filter_map(|one| plausibility::recorded(one, false));
    differences.for_each(|finding| findings.push(finding));
}
