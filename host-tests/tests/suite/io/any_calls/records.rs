//! Calls of [`RecordReader`].

use std::ops::ControlFlow;

use linkstream::io::{ReadError, RecordReader, RecordWriter};
use linkstream::{CallbackError, Encode as _};

use super::{Case, replaced, run};

/// A byte that no payload has.
const UNTOUCHED: u8 = 0xEE;

const CALLS: &[&str] = &[
    "next_record",
    "read",
    "read",
    "read_into",
    "for_each",
    "for_each_record",
    "skip_seeking",
    "resume",
    "payload_length",
];

/// The place in a file.
struct Model<'r> {
    records: &'r [(&'static [u8], Vec<u8>)],
    /// Number of records that have begun.
    begun: usize,
    /// The number of payload bytes of the current record that were delivered, if the others can still be.
    place: Option<usize>,
    /// The number of bytes that the call before has delivered although it failed.
    pending: usize,
    /// The current record is the next one of `for_each_record`.
    is_next: bool,
}

impl Model<'_> {
    fn begin(&mut self) {
        (self.begun, self.place, self.pending, self.is_next) = (self.begun + 1, Some(0), 0, false);
    }

    /// The payload that can be delivered.
    fn rest(&self) -> &[u8] {
        let place = self.place.expect("only an open payload is delivered") + self.pending;
        &self.records[self.begun - 1].1[place..]
    }

    fn deliver(&mut self, bytes: &[u8]) {
        assert_eq!(self.pending, 0);
        assert_eq!(&self.rest()[..bytes.len()], bytes);
        self.place = self.place.map(|place| place + bytes.len());
        self.is_next = false;
    }

    /// Bytes that a call has delivered although it failed.
    fn deliver_part(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            assert_eq!(&self.rest()[..bytes.len()], bytes);
            self.pending += bytes.len();
        }
    }

    fn check_error<K: std::fmt::Debug>(&self, error: ReadError<embedded_io::ErrorKind, K>) {
        match error {
            ReadError::Io(_) | ReadError::Lost => {}
            ReadError::Interrupted { done } => assert!(done > 0 && done == self.pending as u64),
            ReadError::NotOpen => assert_eq!(self.place, None),
            ReadError::TooSmall { needed } => assert_eq!(needed, self.rest().len() as u64),
            error => panic!("{error:?}"),
        }
    }
}

fn case(case: &mut Case, file: &[u8], records: &[(&'static [u8], Vec<u8>)]) {
    let mut reader = RecordReader::new(case.source(file), case.buffer());
    let mut model = Model { records, begun: 0, place: None, pending: 0, is_next: false };
    for _ in 0..30 {
        let untouched = [UNTOUCHED; 200];
        let mut out = untouched;
        let room = if case.is_chosen(3) { case.random.below(200) } else { 200 };
        let call = case.call(CALLS);
        let result = match call {
            "next_record" => {
                let result = case.check(reader.next_record());
                (model.place, model.pending, model.is_next) = (None, 0, false);
                result.map(|next| match next {
                    Some(_) => model.begin(),
                    None => assert_eq!(model.begun, records.len()),
                })
            }
            "read" => case.check(reader.read(&mut out[..room])).map(|n| {
                assert!(n > 0 || room == 0 || model.rest().is_empty());
                model.deliver(&out[..n]);
                case.delivered += 1;
            }),
            "read_into" => match case.check(reader.read_into(&mut out[..room])) {
                Ok(payload) => {
                    assert_eq!(payload, model.rest());
                    model.deliver(payload);
                    case.delivered += 1;
                    Ok(())
                }
                Err(error) => {
                    model.deliver_part(&out[..replaced(&out, &untouched)]);
                    Err(error)
                }
            },
            "for_each" => {
                let mut passed = Vec::new();
                let stops = case.is_chosen(3);
                let result = reader.for_each(|bytes| {
                    passed.extend_from_slice(bytes);
                    if stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                match case.check(result.map_err(CallbackError::into_failed)) {
                    Ok(()) => {
                        assert!(stops || passed == model.rest());
                        model.deliver(&passed);
                        case.delivered += 1;
                        Ok(())
                    }
                    Err(error) => {
                        model.deliver_part(&passed);
                        Err(error)
                    }
                }
            }
            "for_each_record" => {
                let stops = case.is_chosen(2);
                let mut stopped = false;
                let result = reader.for_each_record(&mut out[..room], |record_type, payload| {
                    if !model.is_next {
                        model.begin();
                    }
                    let (expected, whole) = &records[model.begun - 1];
                    assert_eq!((record_type, payload), (*expected, &whole[..]));
                    (model.place, model.is_next, stopped) = (Some(payload.len()), false, stops);
                    case.delivered += 1;
                    if stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                match case.check(result.map_err(CallbackError::into_failed)) {
                    Ok(()) => {
                        assert!(stopped || model.begun == records.len());
                        if !stopped {
                            (model.place, model.pending) = (None, 0);
                        }
                        Ok(())
                    }
                    // Refused before anything was read.
                    Err(error @ (ReadError::Interrupted { .. } | ReadError::Lost)) => Err(error),
                    Err(error) => {
                        if !model.is_next {
                            (model.place, model.pending) = (None, 0);
                            if reader.record().number as usize > model.begun {
                                model.begin();
                                model.is_next = true;
                            }
                        }
                        if model.is_next {
                            // No two payloads have a byte in common.
                            let rest = model.rest();
                            model.pending =
                                out.iter().zip(rest).take_while(|(out, rest)| out == rest).count();
                        }
                        Err(error)
                    }
                }
            }
            "skip_seeking" => {
                (model.place, model.pending, model.is_next) = (None, 0, false);
                case.check(reader.skip_seeking())
            }
            "resume" => {
                assert_eq!(reader.resume(), model.pending);
                let done = core::mem::take(&mut model.pending);
                model.place = model.place.map(|place| place + done);
                model.is_next &= done == 0;
                Ok(())
            }
            "payload_length" => {
                if model.place.is_some() && !case.is_lost {
                    assert_eq!(reader.payload_length().expect("short"), model.rest().len());
                }
                Ok(())
            }
            call => panic!("{call}"),
        };
        let Err(error) = result else { continue };
        if matches!(error, ReadError::Io(_) | ReadError::TooSmall { .. }) && call != "for_each_record" {
            model.is_next = false;
        }
        model.check_error(error);
    }
}

#[test]
fn records_are_read_by_any_calls() {
    let payload = |from: u8, length: u8| (from..from + length).collect();
    let records: [(&[u8], Vec<u8>); 4] =
        [(b"a", payload(0, 120)), (b"b", payload(0, 0)), (b"c", payload(120, 37)), (b"d", payload(160, 70))];
    let mut file = vec![0; 1000];
    let mut writer = RecordWriter::create(&mut file[..]);
    writer
        .write_message(records.iter().map(|(record_type, payload)| (*record_type, &payload[..])))
        .expect("room");
    let length = writer.encoder().position() as usize;
    let delivered = run(1000, |each| case(each, &file[..length], &records));
    assert!(delivered > 1000, "{delivered}");
}
