//! The Ethernet controller of the LM3S6965: frames pass through a register, word by word.

use smoltcp::phy::{Checksum, Device, DeviceCapabilities, Medium, RxToken, TxToken};
use smoltcp::time::Instant;

use crate::registers::registers;

/// Buffer of a socket for bytes to be sent.
pub const SEND: usize = 1024;

registers! { 0x4004_8000:
    /// Interrupts: states, and which are let through.
    STATES = 0x00,
    MASK = 0x04,
    RECEIVE = 0x08,
    TRANSMIT = 0x0c,
    DATA = 0x10,
    ADDRESS_LOW = 0x14,
    ADDRESS_HIGH = 0x18,
    /// Number of frames received.
    FRAMES = 0x34,
    REQUEST = 0x38,
}

const RECEIVED: u32 = 1;
/// Receiver: on, and frames with a wrong checksum are dropped.
const RECEIVER: u32 = 1 | 8;
/// Transmitter: on, pads frames, adds the checksum, in both directions at once.
const TRANSMITTER: u32 = 1 | 2 | 4 | 16;

const MTU: usize = 1514;
const HEADER: usize = 14;
/// Two bytes with the length come first, and the checksum last; as a multiple of four.
const BUFFER: usize = 1520;
/// The same for frames that are sent: the contents of a socket's buffer, and less than 80 bytes before them.
const SENT: usize = SEND + 80;

pub const ADDRESS: [u8; 6] = [0x02, 0, 0, 0x4c, 0x53, 0x01];

/// Memory for one frame in each direction.
#[derive(Debug)]
pub struct Frames {
    received: [u8; BUFFER],
    sent: [u8; SENT],
}

impl Frames {
    pub const fn new() -> Self {
        Self { received: [0; BUFFER], sent: [0; SENT] }
    }
}

#[derive(Debug)]
pub struct Ethernet<'a> {
    frames: &'a mut Frames,
}

impl<'a> Ethernet<'a> {
    /// Starts the controller.
    pub fn start(frames: &'a mut Frames) -> Self {
        let [a, b, c, d, e, f] = ADDRESS;
        ADDRESS_LOW.write(u32::from_le_bytes([a, b, c, d]));
        ADDRESS_HIGH.write(u32::from_le_bytes([e, f, 0, 0]));
        MASK.write(0);
        TRANSMIT.write(TRANSMITTER);
        RECEIVE.write(RECEIVER);
        Self { frames }
    }

    /// Lets the interrupt for a received frame through, or not. Returns true if a frame is there already.
    pub fn wake(&mut self, is_wanted: bool) -> bool {
        STATES.write(RECEIVED);
        MASK.write(if is_wanted { RECEIVED } else { 0 });
        FRAMES.read() > 0
    }
}

/// Reads a frame; `None` if it is longer than any that may arrive.
fn read(to: &mut [u8; BUFFER]) -> Option<&[u8]> {
    let take = || DATA.read().to_le_bytes();
    let first = take();
    let [low, high, ..] = first;
    // The length counts itself and the checksum.
    let length = usize::from(u16::from_le_bytes([low, high]));
    let more = length.div_ceil(4).saturating_sub(1);
    let (words, _) = to.as_chunks_mut();
    let (place, words) = words.split_first_mut()?;
    *place = first;
    let Some(words) = words.get_mut(..more) else {
        for _ in 0..more {
            take();
        }
        return None;
    };
    let (fours, rest) = words.as_chunks_mut();
    for [a, b, c, d] in fours {
        (*a, *b, *c, *d) = (take(), take(), take(), take());
    }
    for word in rest {
        *word = take();
    }
    to.get(2..length.checked_sub(4)?)
}

#[derive(Debug)]
pub struct Received<'a>(&'a [u8]);

impl RxToken for Received<'_> {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, take: F) -> R {
        take(self.0)
    }
}

#[derive(Debug)]
pub struct Sending<'a>(&'a mut [u8; SENT]);

impl TxToken for Sending<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, length: usize, fill: F) -> R {
        let end = length.saturating_add(2).min(SENT);
        let result = fill(self.0.get_mut(2..end).unwrap_or(&mut []));
        // The length counts the contents of the frame.
        let counted = length.saturating_sub(HEADER) as u16;
        if let Some(place) = self.0.first_chunk_mut() {
            *place = counted.to_le_bytes();
        }
        let (words, _) = self.0.as_chunks();
        for word in words.iter().take(end.div_ceil(4)) {
            DATA.write(u32::from_le_bytes(*word));
        }
        REQUEST.write(1);
        result
    }
}

impl Device for Ethernet<'_> {
    type RxToken<'t>
        = Received<'t>
    where
        Self: 't;
    type TxToken<'t>
        = Sending<'t>
    where
        Self: 't;

    fn receive(&mut self, _: Instant) -> Option<(Received<'_>, Sending<'_>)> {
        if FRAMES.read() == 0 || REQUEST.read() & 1 != 0 {
            return None;
        }
        let frame = read(&mut self.frames.received)?;
        Some((Received(frame), Sending(&mut self.frames.sent)))
    }

    fn transmit(&mut self, _: Instant) -> Option<Sending<'_>> {
        (REQUEST.read() & 1 == 0).then_some(Sending(&mut self.frames.sent))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = Medium::Ethernet;
        capabilities.max_transmission_unit = MTU;
        capabilities.max_burst_size = Some(1);
        capabilities.checksum.ipv4 = Checksum::Both;
        capabilities.checksum.tcp = Checksum::Both;
        capabilities
    }
}
