//! The Ethernet controller (Cadence GEM; chapter 19 of the FU540-C000 manual refers to its documentation).

use core::sync::atomic::{AtomicU32, Ordering};

use super::registers::registers;
use super::ring::{BUFFER, OFFSET, Outgoing, Ring, addresses};
use crate::frame::HARDWARE;

registers! { 0x1009_0000:
    CONTROL = 0x00,
    CONFIGURATION = 0x04,
    DMA = 0x10,
    RECEIVED = 0x18,
    SENT = 0x1c,
    RECEIVE_STATUS = 0x20,
    INTERRUPTS = 0x24,
    ENABLE = 0x28,
    ADDRESS_LOW = 0x88,
    ADDRESS_HIGH = 0x8c,
}

/// Control: receiver and transmitter are on.
const ON: u32 = 1 << 2 | 1 << 3;
const START: u32 = 1 << 9;
/// Configuration: gigabit in both directions at once, frames up to 1536 bytes, no frame check sequence in memory.
const LINK: u32 = 1 << 1 | 1 << 8 | 1 << 10 | 1 << 17;
const OFFSET_SHIFT: u32 = 14;
/// DMA: bursts of 16 words, all packet memory, and size of a buffer in units of 64 bytes.
const BURSTS: u32 = 0x10 | 3 << 8 | 1 << 10;
const SIZE: u32 = (BUFFER as u32 / 64) << 16;
/// Receive status: no descriptor was free.
const NO_BUFFER: u32 = 1;
/// Interrupts: a frame was received, and no descriptor was free.
const FRAME: u32 = 1 << 1;
const FULL: u32 = 1 << 2;

static TIMES_FULL: AtomicU32 = AtomicU32::new(0);

/// Number of times that all buffers were full.
pub fn times_full() -> u32 {
    TIMES_FULL.load(Ordering::Relaxed)
}

#[derive(Debug)]
pub struct Gem {
    pub ring: Ring,
    pub outgoing: Outgoing,
}

impl Gem {
    /// Starts the controller.
    pub fn start((ring, outgoing): (Ring, Outgoing)) -> Self {
        CONTROL.write(0);
        CONFIGURATION.write(LINK | (OFFSET as u32) << OFFSET_SHIFT);
        DMA.write(BURSTS | SIZE);
        let [received, sent] = addresses();
        RECEIVED.write(received);
        SENT.write(sent);
        let [a, b, c, d, e, f] = HARDWARE.0;
        ADDRESS_LOW.write(u32::from_le_bytes([a, b, c, d]));
        ADDRESS_HIGH.write(u32::from_le_bytes([e, f, 0, 0]));
        ENABLE.write(FRAME | FULL);
        CONTROL.write(ON);
        Self { ring, outgoing }
    }

    /// Clears the interrupts. Called before the ring is searched for frames, so that later ones interrupt again.
    pub fn clear(&mut self) {
        // Reading clears the bits in some revisions, writing ones does in others.
        let pending = INTERRUPTS.read();
        INTERRUPTS.write(pending);
    }

    /// Lets the controller look for free descriptors again, if it found none. QEMU's does not do so by itself.
    pub fn resume(&mut self) {
        if RECEIVE_STATUS.read() & NO_BUFFER != 0 {
            TIMES_FULL.store(times_full().wrapping_add(1), Ordering::Relaxed);
            RECEIVE_STATUS.write(NO_BUFFER);
            CONTROL.write(ON);
        }
    }
}

/// Sends the first bytes of the buffer.
pub fn send(outgoing: &mut Outgoing, length: usize) {
    outgoing.send(length);
    CONTROL.write(ON | START);
}
