//! The order of the messages of a file: the next one is pushed to the decoder, all others are dropped.

use core::fmt::Write as _;

use crate::message::{Answer, EVERY, Message, State};
use crate::meter::{Board, Meter, add, measured};
use crate::text::Text;
use crate::verifier::{Facts, Fault, Verifier};

/// A file, or none before the first one.
#[derive(Debug)]
pub struct Transfer {
    file: Option<u32>,
    /// Address of its sender.
    sender: u64,
    next: u32,
    verifier: Verifier,
    verdict: Option<Result<Facts, Fault>>,
    /// Length of the file so far.
    length: u64,
}

impl Transfer {
    // Inlined, the new decoder would be on the caller's stack twice.
    #[inline(never)]
    pub fn new() -> Self {
        Self { file: None, sender: 0, next: 0, verifier: Verifier::new(), verdict: None, length: 0 }
    }

    /// Takes a message. Returns the answer to send, if the message has one. `sender` is the address that it came from, as
    /// a number.
    pub fn take(
        &mut self,
        sender: u64,
        message: &Message<'_>,
        board: &impl Board,
        meter: &Meter,
    ) -> Option<Answer> {
        if self.file != Some(message.file) {
            if self.file.is_some_and(|file| message.file.wrapping_sub(file).cast_signed() < 0) {
                // A late copy of a message of an earlier file.
                add(&meter.doubled, 1);
                return None;
            }
            if message.number != 0 {
                add(&meter.early, 1);
                return Some(Answer { file: message.file, next: 0, state: State::Missing });
            }
            self.begin(message.file, sender, meter);
        } else if self.sender != sender {
            // Another file with the same number, whose sender would take the verdict for its own.
            add(&meter.doubled, 1);
            return None;
        }
        let is_next = message.number == self.next && self.verdict.is_none();
        let is_early = message.number > self.next && self.verdict.is_none();
        if is_next {
            self.push(message, board, meter);
        } else {
            add(if is_early { &meter.early } else { &meter.doubled }, 1);
        }
        let state = match self.verdict {
            Some(_) => State::Ended,
            None if is_early => State::Missing,
            None => State::Taken,
        };
        let is_due = !is_next || state == State::Ended || self.next.is_multiple_of(EVERY);
        is_due.then_some(Answer { file: message.file, next: self.next, state })
    }

    fn begin(&mut self, file: u32, sender: u64, meter: &Meter) {
        self.file = Some(file);
        self.sender = sender;
        self.next = 0;
        self.verifier.restart();
        self.verdict = None;
        self.length = 0;
        meter.clear();
    }

    fn push(&mut self, message: &Message<'_>, board: &impl Board, meter: &Meter) {
        let bytes = message.bytes;
        let place = if board.is_received(bytes) { &meter.in_place } else { &meter.copied };
        add(place, bytes.len() as u64);
        let verifier = &mut self.verifier;
        self.verdict = measured(board, &meter.frame.codec, || match verifier.push(bytes) {
            Ok(()) if message.is_last => Some(verifier.finish()),
            Ok(()) => None,
            Err(fault) => Some(Err(fault)),
        });
        self.length = self.length.wrapping_add(bytes.len() as u64);
        self.next = self.next.wrapping_add(1);
    }

    /// Writes an answer.
    pub fn write(&self, answer: Answer, to: &mut Text<'_>, board: &impl Board, meter: &Meter) {
        to.put(&answer.header());
        if answer.state == State::Ended {
            self.report(to, board, meter);
        }
    }

    /// Writes the verdict on the file, and the figures.
    fn report(&self, to: &mut Text<'_>, board: &impl Board, meter: &Meter) {
        // A text takes everything.
        let _ = match &self.verdict {
            None => writeln!(to, "unfinished"),
            Some(Ok(facts)) => writeln!(to, "{facts}"),
            Some(Err(fault)) => writeln!(to, "{fault}"),
        };
        let (statics, stack) = board.memory();
        let counts = [
            ("length", self.length),
            ("in-place", meter.in_place.get()),
            ("copied", meter.copied.get()),
            ("doubled", meter.doubled.get()),
            ("early", meter.early.get()),
            ("full", board.times_full().into()),
            ("all", meter.file.all.get()),
            ("headers", meter.file.headers.get()),
            ("copy", meter.file.copy.get()),
            ("codec", meter.file.codec.get()),
            ("answers", meter.answers.get()),
            ("statics", statics as u64),
            ("stack", stack as u64),
        ];
        for (name, count) in counts {
            let _ = write!(to, "{name}={count} ");
        }
        let _ = writeln!(to);
    }
}

impl Default for Transfer {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Host;

    impl Board for Host {
        fn instructions(&self) -> u64 {
            0
        }

        fn is_received(&self, bytes: &[u8]) -> bool {
            bytes.len() > 1
        }

        fn times_full(&self) -> u32 {
            0
        }

        fn memory(&self) -> (usize, usize) {
            (0, 0)
        }
    }

    fn take(transfer: &mut Transfer, meter: &Meter, file: u32, number: u32, bytes: &[u8]) -> Option<Answer> {
        transfer.take(1, &Message { file, number, is_last: false, bytes }, &Host, meter)
    }

    const START: &[u8] = b"\x45\x67\x89\xab\0\x01\x80\0";

    #[test]
    fn messages_are_taken_in_order() {
        let (mut transfer, meter) = (Transfer::new(), Meter::default());
        let answer = |next, state| Some(Answer { file: 7, next, state });
        assert_eq!(take(&mut transfer, &meter, 7, 1, b"early"), answer(0, State::Missing));
        assert_eq!(take(&mut transfer, &meter, 7, 0, START), None);
        assert_eq!(take(&mut transfer, &meter, 7, 2, b"early"), answer(1, State::Missing));
        assert_eq!(take(&mut transfer, &meter, 7, 0, START), answer(1, State::Taken));
        assert_eq!(take(&mut transfer, &meter, 7, 1, &[0; 7]), None);
        assert_eq!(take(&mut transfer, &meter, 7, 2, &[0]), None);
        assert_eq!(take(&mut transfer, &meter, 7, 3, &[16]), answer(4, State::Taken));
        assert_eq!((meter.early.get(), meter.doubled.get()), (1, 1));
        assert_eq!((meter.in_place.get(), meter.copied.get()), (15, 2));
    }

    #[test]
    fn a_late_message_of_an_earlier_file_does_not_begin_it_again() {
        let (mut transfer, meter) = (Transfer::new(), Meter::default());
        for file in [u32::MAX, 1] {
            assert_eq!(take(&mut transfer, &meter, file, 0, START), None);
        }
        assert_eq!(take(&mut transfer, &meter, u32::MAX, 0, START), None);
        assert_eq!(take(&mut transfer, &meter, 1, 1, b"next"), None);
        assert_eq!(meter.in_place.get(), 12);
    }

    #[test]
    fn another_sender_does_not_get_the_verdict() {
        let (mut transfer, meter) = (Transfer::new(), Meter::default());
        let first = Message { file: 1, number: 0, is_last: true, bytes: b"nothing known" };
        let ended = Some(Answer { file: 1, next: 1, state: State::Ended });
        assert_eq!(transfer.take(1, &first, &Host, &meter), ended);
        assert_eq!(transfer.take(2, &first, &Host, &meter), None);
        assert_eq!(transfer.take(1, &first, &Host, &meter), ended);
        assert_eq!(
            transfer.take(2, &Message { file: 2, ..first }, &Host, &meter),
            ended.map(|ended| Answer { file: 2, ..ended })
        );
    }

    #[test]
    fn a_damaged_file_ends_at_once() {
        let (mut transfer, meter) = (Transfer::new(), Meter::default());
        let ended = |next| Some(Answer { file: 1, next, state: State::Ended });
        assert_eq!(take(&mut transfer, &meter, 1, 0, b"nothing known"), ended(1));
        assert_eq!(take(&mut transfer, &meter, 1, 1, b"more"), ended(1));
        let mut room = [0; 500];
        let mut text = Text::new(&mut room);
        transfer.report(&mut text, &Host, &meter);
        let length = text.length();
        let text = std::str::from_utf8(room.get(..length).unwrap()).unwrap();
        assert!(text.starts_with("unrecognised\nlength=13 in-place=13 copied=0 doubled=1 "), "{text}");
    }
}
