//! The node: takes frames, and writes answers.

use smoltcp::wire::{EthernetAddress, Ipv4Address};

use crate::frame::{self, Contents, Sender};
use crate::message::{Answer, Message};
use crate::meter::{Board, Meter, measured};
use crate::transfer::Transfer;

/// A frame to be sent.
#[derive(Debug, Clone, Copy)]
pub enum Reply {
    Answer(Sender, Answer),
    Address { hardware: EthernetAddress, address: Ipv4Address },
}

#[derive(Debug, Default)]
pub struct Node {
    transfer: Transfer,
}

impl Node {
    pub fn new() -> Self {
        Self { transfer: Transfer::new() }
    }

    /// Takes a frame.
    pub fn take(&mut self, frame: &[u8], board: &impl Board, meter: &Meter) -> Option<Reply> {
        match measured(board, &meter.frame.headers, || frame::parse(frame))? {
            Contents::Question { hardware, address } => Some(Reply::Address { hardware, address }),
            Contents::Datagram(sender, datagram) => {
                let answer = self.transfer.take(sender.number(), &Message::parse(datagram)?, board, meter)?;
                Some(Reply::Answer(sender, answer))
            }
        }
    }

    /// Writes a frame to be sent, and returns its length.
    pub fn write(&self, reply: Reply, board: &impl Board, meter: &Meter, room: &mut [u8]) -> Option<usize> {
        match reply {
            Reply::Address { hardware, address } => frame::write_address(hardware, address, room),
            Reply::Answer(sender, answer) => frame::write_datagram(&sender, room, |text| {
                self.transfer.write(answer, text, board, meter);
            }),
        }
    }
}
