//! The field decoder in the generic harness.

use host_tests::drive::{Drive, TraceOf};
use host_tests::oracle;
use linkstream::Mode;
use linkstream::Resumable as _;
use linkstream::conformance::{Decoder, ErrorKind, Event};
use linkstream::field::{self, Verdict};

pub const MODES: [Mode; 3] = [Mode::Strict, Mode::Lenient, Mode::Survey];

pub type FieldTrace = TraceOf<Decoder>;

pub fn drive<'a>(decoder: &'a Decoder, file: &'a [u8]) -> Drive<'a, Decoder> {
    Drive::new(decoder, file, |event| matches!(event, Event::Payload | Event::Data))
        .noting(note)
        .unseen(unseen)
}

/// The state that the decoder exposes at an event.
fn note(decoder: &Decoder, event: &Event) -> Vec<u8> {
    let decoder = decoder.content();
    match event {
        Event::Record(_) => decoder.record_type().to_vec(),
        Event::Field => format!("{:?}", decoder.field()).into_bytes(),
        Event::End => format!(
            "{:?} {:?} {:?} {:?}",
            decoder.private_file(),
            decoder.private_record(),
            decoder.format(),
            decoder.stored_checksum()
        )
        .into_bytes(),
        _ => Vec::new(),
    }
}

/// The event as it is reported if data are skipped: without a checksum, and without a comparison.
fn unseen(event: Event) -> Option<Event> {
    match event {
        Event::FieldEnd(_) => Some(Event::FieldEnd(None)),
        Event::Verdict(_) => Some(Event::Verdict(Verdict::Unchecked)),
        Event::Finding(error)
            if matches!(error.kind, ErrorKind::Field(field::ErrorKind::ChecksumMismatch { .. })) =>
        {
            None
        }
        other => Some(other),
    }
}

/// The decoder, saved and restored.
pub fn restored(decoder: Decoder) -> Decoder {
    Decoder::load(&decoder.save().expect("no error was met")).expect("what was saved")
}

/// Every offset of a small file. For a larger one, the offsets in headers and documents, those around the edges of
/// data, and some inside data.
pub fn cuts(file: &[u8]) -> Vec<usize> {
    let every = if file.len() <= 4096 { 1 } else { 97 };
    let mut cuts: Vec<usize> = (every..file.len()).step_by(every).collect();
    for record in oracle::records(file) {
        let (header, payload) = (record.offset as usize, record.payload_offset as usize);
        let end = payload + record.payload(file).len();
        cuts.extend(header..payload + 10);
        cuts.extend(end.saturating_sub(10)..end + 8);
        if end - payload < 1024 {
            cuts.extend(payload..end);
        }
    }
    cuts.retain(|cut| (1..file.len()).contains(cut));
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}
