//! Writes files of lattice fields with the encoder: with data in pieces and in any order, with saved and loaded states,
//! and with misuse in between. Checks that refused calls change nothing, and that the file is read as it was meant.
//!
//! Unlike in the other targets, an input is not a file: its bytes decide what is written.

mod draw;
mod seeds;

use linkstream::Encode as _;
use linkstream::Resumable as _;
use linkstream::field::{
    BegunMessage, Decoder, EncodeErrorKind, Encoder, Event, OutgoingMessage, Verdict, Want,
};
use linkstream::ildg::Format;
use linkstream::lattice::{Checksum, Region};
use linkstream::scidac::{PrivateFile, PrivateRecord};
use linkstream::xml::Spacing;
use linkstream::{Decode, Diagnostic as _, Mode, Severity};

use crate::Dice;
use draw::{Draw, Made};

pub use seeds::seeds;

/// Maximum length of the data that are written.
const MOST: u64 = 4096;

/// The expected content of a record.
enum Meant {
    Bytes(Vec<u8>),
    File(PrivateFile),
    Record(Box<PrivateRecord>),
    Format(Format),
    Data(Vec<u8>),
    Sums,
}

/// Checks the encoder with this input.
pub fn check(input: &[u8]) {
    let mut draw = Draw(input);
    let mut dice = Dice::from_bytes(input);
    let lattice = draw::lattice(&mut draw);
    let mut encoder = Encoder::new();
    let (mut file, mut meant) = (Vec::new(), Vec::new());
    for _ in 0..8 {
        if draw.0.is_empty() {
            break;
        }
        let made = Made::draw(&mut draw, &lattice);
        let message = made.message();
        let mut scratch = vec![0; if draw.one_in(8) { draw.below(256) } else { 2048 }];
        let before = encoder.save();
        let begun = match encoder.begin(&message, &mut scratch) {
            Ok(begun) => begun,
            Err(_) => {
                assert!(encoder.save() == before, "a refused call changed the encoder");
                continue;
            }
        };
        let mut other = made.clone();
        other.checksum = !made.checksum;
        other.form = if made.form == Spacing::Line { Spacing::Lines } else { Spacing::Line };
        let writing = Writing { message, begun, other: other.message(), dice: &mut dice, file: &mut file };
        let Some(data) = writing.all(&mut encoder, &mut scratch) else {
            // The data are too long: the file ends before this message.
            file.truncate(Encoder::load(&before).expect("a saved state loads").position() as usize);
            encoder = Encoder::load(&before).expect("a saved state loads");
            break;
        };
        assert_eq!(encoder.position(), file.len() as u64);
        meant.extend(records(&made, data));
    }
    assert_eq!(encoder.finish(), Ok(()));
    read(&file, &meant);
}

/// The records of a message, in order.
fn records(made: &Made, data: Vec<u8>) -> Vec<Meant> {
    let text = |text: &[u8]| {
        let end: &[u8] = if made.form == Spacing::Line { b"\0" } else { b"" };
        Meant::Bytes([text, end].concat())
    };
    let record = made.record.as_ref().filter(|_| made.file.is_none());
    let has_data = record.is_some() || made.format.is_some();
    if let Some((_, payload)) =
        made.foreign.as_ref().filter(|_| !has_data && made.file.is_none() && made.lfn.is_none())
    {
        return vec![Meant::Bytes(payload.clone())];
    }
    let mut meant = Vec::new();
    if let Some((file, user)) = &made.file {
        meant.extend([Meant::File(file.clone()), text(user)]);
    }
    if let Some((record, user)) = record {
        meant.extend([Meant::Record(Box::new(record.clone())), text(user)]);
    }
    meant.extend(made.format.clone().map(Meant::Format));
    meant.extend(made.update.as_ref().map(|update| text(update.as_bytes())));
    meant.extend(made.lfn.as_ref().map(|name| text(name.as_bytes())));
    if has_data {
        meant.push(Meant::Data(data));
        meant.extend(made.checksum.then_some(Meant::Sums));
    }
    meant
}

struct Writing<'a> {
    message: OutgoingMessage<'a>,
    begun: BegunMessage<'a>,
    other: OutgoingMessage<'a>,
    dice: &'a mut Dice,
    file: &'a mut Vec<u8>,
}

impl Writing<'_> {
    /// Writes the message and returns its data, or `None` if they are too long.
    fn all(mut self, encoder: &mut Encoder, scratch: &mut [u8]) -> Option<Vec<u8>> {
        let mut data = Vec::new();
        loop {
            self.misuse(encoder);
            let position = encoder.position();
            match encoder.next(&self.begun, scratch).expect("the message is the one passed to `begin`") {
                Want::Bytes(bytes) => put(self.file, position, bytes),
                Want::Data(missing) if missing > MOST => return None,
                Want::Data(missing) => {
                    if data.is_empty() {
                        data = (0..missing).map(|_| self.dice.below(256) as u8).collect();
                    }
                    self.data(encoder, &data);
                }
                Want::Nothing => return Some(data),
            }
        }
    }

    /// Writes a piece of the data, sometimes after seeking to another place.
    fn data(&mut self, encoder: &mut Encoder, data: &[u8]) {
        let field = *encoder.field().expect("the message has data");
        let begin = field.record.payload_offset();
        let sites = field.sites();
        if self.dice.below(3) == 0 {
            let to = self.dice.below(sites as usize + 1) as u64;
            let between = encoder.is_between_sites();
            assert_eq!(encoder.seek(to).is_ok(), between);
            if between {
                assert_eq!(encoder.position(), begin + to * field.bytes_per_site);
            }
        }
        let at = (encoder.position() - begin) as usize;
        let n = (1 + self.dice.below(100)).min(data.len() - at);
        let piece = &data[at..at + n];
        let (before, place) = (encoder.save(), encoder.position());
        match encoder.put(piece) {
            Ok(()) => put(self.file, place, piece),
            Err(kind) => {
                assert!(encoder.save() == before, "a refused call changed the encoder");
                let known = matches!(
                    kind,
                    EncodeErrorKind::SitesRepeated
                        | EncodeErrorKind::Lime(linkstream::lime::EncodeErrorKind::TooManyPieces { .. })
                );
                assert!(known, "unexpected error: {kind:?}");
                self.fill_the_first_hole(encoder, data);
            }
        }
    }

    /// Writes the first missing bytes. Used if the data at a randomly chosen place are refused.
    fn fill_the_first_hole(&mut self, encoder: &mut Encoder, data: &[u8]) {
        let field = *encoder.field().expect("the message has data");
        let (begin, size) = (field.record.payload_offset(), field.bytes_per_site as usize);
        if !encoder.is_between_sites() {
            // Inside a site, only the rest of this site can be written. One byte is enough.
            let at = (encoder.position() - begin) as usize;
            let piece = &data[at..at + 1];
            let place = encoder.position();
            encoder.put(piece).expect("the rest of a site can be written");
            put(self.file, place, piece);
            return;
        }
        for (index, site) in data.chunks(size).enumerate() {
            encoder.seek(index as u64).expect("the encoder is between sites");
            let place = encoder.position();
            if encoder.put(site).is_ok() {
                put(self.file, place, site);
                return;
            }
        }
        panic!("bytes are missing, but no site can be written");
    }

    /// Makes a call that must be refused or must not change anything.
    fn misuse(&mut self, encoder: &mut Encoder) {
        let before = encoder.save();
        let open = encoder.finish() == Err(EncodeErrorKind::MessageOpen);
        match self.dice.below(7) {
            0 if open => {
                assert_eq!(encoder.begin(&self.message, &mut [0; 2048]), Err(EncodeErrorKind::MessageOpen))
            }
            1 if open && encoder.room() == 0 => {
                let refused = encoder
                    .resume(&self.other, &mut [0; 4096])
                    .expect_err("the message differs from the one passed to `begin`");
                assert_eq!(refused, EncodeErrorKind::MessageOther);
            }
            2 if encoder.site().is_none() => {
                assert_eq!(encoder.put(b"x"), Err(EncodeErrorKind::NoData));
                assert_eq!(encoder.seek(0), Err(EncodeErrorKind::NoData));
                assert_eq!(encoder.others(Checksum::default()), Err(EncodeErrorKind::NoData));
            }
            3 if !encoder.is_between_sites() => {
                assert_eq!(encoder.others(Checksum::default()), Err(EncodeErrorKind::InsideSite));
            }
            4 => *encoder = Encoder::load(&before).expect("a saved state loads"),
            _ => {}
        }
        assert!(encoder.save() == before, "a refused call changed the encoder");
    }
}

/// Writes at an offset of a file, which is extended if necessary.
fn put(file: &mut Vec<u8>, position: u64, bytes: &[u8]) {
    let from = position as usize;
    let end = from + bytes.len();
    file.resize(file.len().max(end), 0xee);
    file[from..end].copy_from_slice(bytes);
}

/// Checks that the file is read without an error, and with the expected contents.
fn read(file: &[u8], meant: &[Meant]) {
    let mut decoder = Decoder::new(Mode::Lenient);
    let mut meant = meant.iter();
    let (mut payload, mut rest, mut at_end) = (Vec::new(), file, false);
    let (mut sums, mut matches) = (0, 0);
    loop {
        let event = if rest.is_empty() && at_end {
            match decoder.finish().expect("a file that was written can be read") {
                Some(event) => event,
                None => break,
            }
        } else {
            let step = decoder.push(rest).expect("a file that was written can be read");
            let (bytes, after) = rest.split_at(step.consumed);
            rest = after;
            if matches!(step.event, Some(Event::Payload | Event::Data)) {
                payload.extend_from_slice(bytes);
            }
            let Some(event) = step.event else {
                at_end = true;
                continue;
            };
            event
        };
        match event {
            Event::Record(_) => payload.clear(),
            Event::Finding(finding) => {
                assert!(finding.kind.severity() <= Severity::Info, "unexpected finding: {finding}");
            }
            Event::Verdict(verdict) => match verdict {
                Verdict::Match { .. } => matches += 1,
                other => assert!(other.is_absent(), "{other:?}"),
            },
            Event::End => match meant.next().expect("no more records than were written") {
                Meant::Bytes(bytes) => assert!(payload == *bytes),
                Meant::File(document) => assert_eq!(decoder.private_file(), Some(document)),
                Meant::Record(document) => assert_eq!(decoder.private_record(), Some(&**document)),
                Meant::Format(document) => assert_eq!(decoder.format(), Some(document)),
                Meant::Data(data) => {
                    assert!(payload == *data);
                    let field = decoder.field().expect("the data are described");
                    assert!(field.region != Region::Global || field.sites() == 1);
                }
                Meant::Sums => sums += 1,
            },
            _ => {}
        }
    }
    assert!(meant.next().is_none(), "a record is missing");
    assert_eq!(sums, matches, "a stored checksum does not match");
}
