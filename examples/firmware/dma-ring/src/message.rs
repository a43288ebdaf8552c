//! The protocol: a file in numbered messages, each in a UDP datagram, and the node's answers. Integers are big-endian.
//!
//! | offset | message of the sender | answer of the node |
//! |---|---|---|
//! | 0 | number of the file; every file has a larger one than the file before, modulo 2^32 | the same |
//! | 4 | number of the message, from 0 | number of the message that the node wants next |
//! | 8 | 1 if the message ends the file, else 0 | 1 if the file has ended, 2 if a message is missing, else 0 |
//! | 9 | three zeros | three zeros |
//! | 12 | bytes of the file | if the file has ended: two lines of text, the verdict and the figures |
//!
//! The node takes messages in order. It answers every [`EVERY`]th one, the last one, and each that is not the next one,
//! because it was received before or because one before it is missing. The sender repeats all messages from the wanted
//! one if one is missing, or if no answer arrives. A file ends with its last message, or where it is damaged; from then
//! on, any of its messages is answered with the report. Messages with the number of the file from
//! another address are not answered: they belong to another file.

/// Port of the node.
pub const PORT: u16 = 5005;
/// Bytes before the bytes of the file.
pub const HEADER: usize = 12;
/// Largest number of bytes of the file in a message: what an Ethernet frame holds after the headers of IPv4 and UDP.
pub const LARGEST: usize = 1500 - 20 - 8 - HEADER;
/// Bytes of the file that the first message has at least, if the file has them: they show the format.
pub const SMALLEST: usize = 8;
/// The node answers a message if this divides the number of the next one.
pub const EVERY: u32 = 4;
/// Largest number of messages that a sender may have on the way. The ring holds twice as many.
pub const WINDOW: u32 = 8;

const LAST: u8 = 1;
const ENDED: u8 = 1;
const MISSING: u8 = 2;

/// State of a file at the node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// All messages before the next one have been taken.
    Taken,
    /// A later message than the next one has arrived.
    Missing,
    /// The node takes no more messages.
    Ended,
}

/// A part of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message<'a> {
    pub file: u32,
    pub number: u32,
    pub is_last: bool,
    pub bytes: &'a [u8],
}

/// Header of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    pub file: u32,
    pub next: u32,
    pub state: State,
}

fn parse(datagram: &[u8]) -> Option<(u32, u32, u8, &[u8])> {
    let (header, bytes) = datagram.split_first_chunk::<HEADER>()?;
    let [a, b, c, d, e, f, g, h, flag, 0, 0, 0] = *header else { return None };
    Some((u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h]), flag, bytes))
}

fn header(file: u32, number: u32, flag: u8) -> [u8; HEADER] {
    let ([a, b, c, d], [e, f, g, h]) = (file.to_be_bytes(), number.to_be_bytes());
    [a, b, c, d, e, f, g, h, flag, 0, 0, 0]
}

impl<'a> Message<'a> {
    /// The message in a datagram; `None` if the datagram is none.
    pub fn parse(datagram: &'a [u8]) -> Option<Self> {
        let (file, number, flag, bytes) = parse(datagram)?;
        (flag <= LAST).then_some(Self { file, number, is_last: flag == LAST, bytes })
    }

    pub fn header(&self) -> [u8; HEADER] {
        header(self.file, self.number, if self.is_last { LAST } else { 0 })
    }
}

impl Answer {
    /// The answer in a datagram, and its text.
    pub fn parse(datagram: &[u8]) -> Option<(Self, &[u8])> {
        let (file, next, flag, text) = parse(datagram)?;
        let state = match flag {
            0 => State::Taken,
            ENDED => State::Ended,
            MISSING => State::Missing,
            _ => return None,
        };
        Some((Self { file, next, state }, text))
    }

    pub fn header(&self) -> [u8; HEADER] {
        let flag = match self.state {
            State::Taken => 0,
            State::Missing => MISSING,
            State::Ended => ENDED,
        };
        header(self.file, self.next, flag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_parsed_as_it_was_written() {
        let message = Message { file: 0x0102_0304, number: 5, is_last: true, bytes: b"data" };
        let datagram = [&message.header()[..], b"data"].concat();
        assert_eq!(datagram, b"\x01\x02\x03\x04\0\0\0\x05\x01\0\0\0data");
        assert_eq!(Message::parse(&datagram), Some(message));
        for state in [State::Taken, State::Missing, State::Ended] {
            let answer = Answer { file: 9, next: 10, state };
            assert_eq!(Answer::parse(&answer.header()), Some((answer, &[][..])));
        }
    }

    #[test]
    fn other_datagrams_are_no_messages() {
        for wrong in [&b""[..], &[0; 11], b"\0\0\0\x01\0\0\0\0\x02\0\0\0", b"\0\0\0\x01\0\0\0\0\0\0\0\x01"] {
            assert_eq!(Message::parse(wrong), None);
        }
    }
}
