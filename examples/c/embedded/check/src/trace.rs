//! The outcome of reading a file, as lines of text. `tests/outcomes.c` writes the same lines from what the C library
//! reports.

use std::fmt::Write as _;

use linkstream::lattice::{Precision, Region};
use linkstream::{
    Class, Decode, Demand, Diagnostic, Error, Mode, SeekPayload, Severity, field, inebin, lime, scda,
};

use crate::kinds::number;

/// Reads `bytes` with a decoder of this format.
pub fn of(format: &str, mode: u32, skip: bool, bytes: &[u8]) -> Result<String, String> {
    let mode = match mode {
        1 => Mode::Strict,
        2 => Mode::Lenient,
        _ => Mode::Survey,
    };
    Ok(match format {
        "lime" => read(lime::Decoder::new(mode), bytes, skip, lime_event, lime::Decoder::payload_position),
        "field" => read(field::Decoder::new(mode), bytes, skip, field_event, |decoder| {
            decoder.lime().payload_position()
        }),
        "scda" => {
            read(scda::PlainDecoder::new(mode), bytes, skip, scda_event, scda::PlainDecoder::payload_position)
        }
        "inebin" => {
            read(inebin::Decoder::new(mode), bytes, skip, inebin_event, inebin::Decoder::payload_position)
        }
        _ => return Err(format!("no format {format}")),
    })
}

/// A reported event.
enum Line<K> {
    /// A line.
    Text(String),
    /// Payload with this name.
    Payload(&'static str),
    /// A finding.
    Finding(Error<K>),
}

/// Payload that is reported in pieces.
#[derive(Default)]
struct Run {
    name: &'static str,
    position: u64,
    length: u64,
    hash: u32,
}

fn read<D: Decode>(
    mut decoder: D,
    bytes: &[u8],
    skip: bool,
    line: impl Fn(&D, D::Event) -> Line<D::ErrorKind>,
    payload_position: impl Fn(&D) -> Option<u64>,
) -> String {
    let mut text = String::new();
    let mut run = Run::default();
    let mut rest = bytes;
    let flush = |run: &mut Run, text: &mut String| {
        if run.length > 0 {
            writeln!(text, "{} {} {} {:08x}", run.name, run.position, run.length, run.hash).unwrap();
        }
        *run = Run::default();
    };
    let outcome = loop {
        if let (true, Demand::Skip(count)) = (skip, decoder.demand())
            && let Some(after) = usize::try_from(count).ok().and_then(|count| rest.get(count..))
        {
            if let Err(error) = decoder.skip(count) {
                break Err(error);
            }
            rest = after;
        }
        let step = match decoder.push(rest) {
            Ok(step) => step,
            Err(error) => break Err(error),
        };
        let (taken, after) = rest.split_at(step.consumed);
        rest = after;
        let Some(event) = step.event else { break Ok(()) };
        match line(&decoder, event) {
            Line::Payload(name) => {
                if run.length == 0 {
                    let after = payload_position(&decoder).unwrap_or(0);
                    run = Run { name, position: after - taken.len() as u64, length: 0, hash: 0x811c_9dc5 };
                }
                run.length += taken.len() as u64;
                for byte in taken {
                    run.hash = (run.hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
                }
            }
            Line::Text(line) => {
                flush(&mut run, &mut text);
                text += &line;
                text.push('\n');
            }
            Line::Finding(error) => {
                flush(&mut run, &mut text);
                writeln!(text, "finding {}", of_error(&error)).unwrap();
            }
        }
    };
    flush(&mut run, &mut text);
    let outcome = outcome.and_then(|()| {
        while let Some(event) = decoder.finish()? {
            match line(&decoder, event) {
                Line::Text(line) => writeln!(text, "{line}").unwrap(),
                Line::Finding(error) => writeln!(text, "finding {}", of_error(&error)).unwrap(),
                Line::Payload(_) => text += "payload at the end\n",
            }
        }
        Ok(())
    });
    match outcome {
        Ok(()) => writeln!(text, "done {}", decoder.position()).unwrap(),
        Err(error) => writeln!(text, "error {} at {}", of_error(&error), decoder.position()).unwrap(),
    }
    text
}

fn of_error<K: Diagnostic>(error: &Error<K>) -> String {
    let severity = match error.kind.severity() {
        Severity::Info => 1,
        Severity::Warning => 2,
        Severity::Error => 3,
        Severity::Fatal => 4,
    };
    const CLASSES: [Class; 14] = [
        Class::Magic,
        Class::Version,
        Class::Format,
        Class::Truncated,
        Class::Trailing,
        Class::Limit,
        Class::Type,
        Class::Flags,
        Class::Padding,
        Class::Decode,
        Class::Checksum,
        Class::Rule,
        Class::Unsupported,
        Class::Misuse,
    ];
    let class = 1 + CLASSES.iter().position(|class| *class == error.kind.class()).unwrap();
    let (rule, clause) = (error.kind.rule(), error.kind.clause());
    format!("{:08x} {severity} {class} {} [{rule}] [{clause}]", number(rule), error.at)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold("x".to_owned(), |text, byte| text + &format!("{byte:02x}"))
}

fn of_record(record: &lime::Record, record_type: &[u8]) -> String {
    format!(
        "record {} {} {} {} {} {} {}",
        record.offset,
        record.length,
        record.message,
        record.number,
        u8::from(record.begin),
        u8::from(record.end),
        hex(record_type)
    )
}

fn lime_event(decoder: &lime::Decoder, event: lime::Event) -> Line<lime::ErrorKind> {
    match event {
        lime::Event::Record(record) => Line::Text(of_record(&record, decoder.record_type())),
        lime::Event::Payload => Line::Payload("payload"),
        lime::Event::End => Line::Text("end".to_owned()),
        lime::Event::Finding(error) => Line::Finding(error),
        _ => Line::Text("an event that is not known here".to_owned()),
    }
}

fn list(values: &[u32]) -> String {
    let mut all = [0; 8];
    all[..values.len()].copy_from_slice(values);
    all.map(|value| value.to_string()).join(",")
}

fn of_field(field: &field::Field) -> String {
    let (region, lower, upper) = match &field.region {
        Region::Lattice => (0, list(&[]), list(&[])),
        Region::Hypercube(cube) => (1, list(cube.lower().as_slice()), list(cube.upper().as_slice())),
        Region::Global => (2, list(&[]), list(&[])),
    };
    let links = field.links.map_or_else(
        || "0 0 0 0 0".to_owned(),
        |links| {
            let ones = u8::from(links.absent_is_ones);
            format!("{} {} {} {} {ones}", links.links, links.rows, links.columns, links.parts)
        },
    );
    format!(
        "field {} {} {} {} {} {} {region} {} {lower} {upper} {links}",
        field.record.length,
        field.sites(),
        field.bytes_per_site,
        if field.described_by == field::DescribedBy::Scidac { 1 } else { 2 },
        field.precision.map_or(0, Precision::bits),
        field.extents.dimensions(),
        list(field.extents.as_slice()),
    )
}

fn field_event(decoder: &field::Decoder, event: field::Event) -> Line<field::ErrorKind> {
    Line::Text(match event {
        field::Event::Record(record) => of_record(&record, decoder.record_type()),
        field::Event::Payload => return Line::Payload("payload"),
        field::Event::Field => of_field(decoder.field().unwrap()),
        field::Event::Data => return Line::Payload("data"),
        field::Event::FieldEnd(None) => "field-end 0 00000000 00000000".to_owned(),
        field::Event::FieldEnd(Some(sum)) => format!("field-end 1 {:08x} {:08x}", sum.suma, sum.sumb),
        field::Event::End => "end".to_owned(),
        field::Event::Verdict(verdict) => {
            let (result, stored, computed) = match verdict {
                field::Verdict::Match { stored, computed } => (1, stored, computed),
                field::Verdict::Mismatch { stored, computed } => (2, stored, computed),
                field::Verdict::Absent { computed } => (3, Default::default(), computed),
                field::Verdict::Unchecked => (4, Default::default(), Default::default()),
            };
            format!(
                "verdict {result} {:08x} {:08x} {:08x} {:08x}",
                stored.suma, stored.sumb, computed.suma, computed.sumb
            )
        }
        field::Event::Finding(error) => return Line::Finding(error),
        _ => "an event that is not known here".to_owned(),
    })
}

fn scda_event(decoder: &scda::PlainDecoder, event: scda::Event) -> Line<scda::ErrorKind> {
    Line::Text(match event {
        scda::Event::Section(section) => {
            let count = |count: scda::Count| format!("{}:{}", count.get() >> 64, count.get() as u64);
            format!(
                "section {} {} {} {} {} {}",
                section.offset,
                section.section_type.letter(),
                count(section.n),
                count(section.e),
                hex(decoder.user()),
                hex(decoder.vendor())
            )
        }
        scda::Event::Size(size) => format!("size {size}"),
        scda::Event::Data => return Line::Payload("data"),
        scda::Event::End => "end".to_owned(),
        scda::Event::Finding(error) => return Line::Finding(error),
        _ => "an event that is not known here".to_owned(),
    })
}

fn inebin_event(_: &inebin::Decoder, event: inebin::Event) -> Line<inebin::ErrorKind> {
    Line::Text(match event {
        inebin::Event::Header(header) => format!(
            "matrix {} {} {} {} {} {}",
            header.matrix_type().letter(),
            header.rows(),
            header.columns(),
            header.unused_bits(),
            header.entry_count(),
            header.data_length()
        ),
        inebin::Event::Data => return Line::Payload("data"),
        inebin::Event::End => "end".to_owned(),
        inebin::Event::Finding(error) => return Line::Finding(error),
        _ => "an event that is not known here".to_owned(),
    })
}
