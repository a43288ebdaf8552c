//! The memory that the Ethernet controller reads and writes: the descriptors, and the buffers of the frames.
//!
//! One bit of a descriptor says whether the controller or the program owns the descriptor and its buffer. Each side sets
//! the bit to the other side's value when it is done. [`Frame`] makes a rule of the compiler of it: the bytes of a frame
//! can be used as long as the `Frame` exists, and its end returns the descriptor.
#![allow(unsafe_code, reason = "the controller writes to the buffers")]

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicU32, Ordering};

/// Number of received frames that the controller can store while the program is busy.
pub const FRAMES: usize = 16;
/// Size of a buffer, a multiple of 64. The largest frame has 1514 bytes, and [`OFFSET`] bytes come before it.
pub const BUFFER: usize = 1536;
/// Bytes before a received frame, which align the headers after the Ethernet header.
pub const OFFSET: usize = 2;

/// Received: bits of the first word beside the address.
const USED: u32 = 1;
const WRAP: u32 = 2;
/// Received: bits of the second word.
const LENGTH: u32 = 0x1fff;
const WHOLE: u32 = 1 << 14 | 1 << 15;
/// Sent: bits of the second word.
const SENT: u32 = 1 << 31;
const SEND_WRAP: u32 = 1 << 30;
const SEND_LAST: u32 = 1 << 15;

#[repr(C, align(64))]
struct Buffer(UnsafeCell<[u8; BUFFER]>);

/// A descriptor: the address of the buffer, and length and flags.
#[derive(Debug)]
#[repr(C, align(8))]
struct Descriptor {
    first: AtomicU32,
    second: AtomicU32,
}

#[repr(C)]
struct Memory {
    buffers: [Buffer; FRAMES],
    answer: Buffer,
    received: [Descriptor; FRAMES],
    sent: [Descriptor; 1],
}

// SAFETY: the descriptors are atomic. Only the one `Ring` and the one `Outgoing` access buffers, and only while the
// program owns them.
unsafe impl Sync for Memory {}

impl Buffer {
    const fn new() -> Self {
        Self(UnsafeCell::new([0; BUFFER]))
    }
}

impl Descriptor {
    const fn new() -> Self {
        Self { first: AtomicU32::new(0), second: AtomicU32::new(0) }
    }
}

static MEMORY: Memory = Memory {
    buffers: [const { Buffer::new() }; FRAMES],
    answer: Buffer::new(),
    received: [const { Descriptor::new() }; FRAMES],
    sent: [Descriptor::new()],
};

/// Address for the controller. All memory of the program is below 4 GiB.
fn address<T>(of: *const T) -> u32 {
    of.expose_provenance() as u32
}

/// Addresses of the descriptors for received frames, and for sent ones.
pub fn addresses() -> [u32; 2] {
    [address(&raw const MEMORY.received), address(&raw const MEMORY.sent)]
}

/// True if the bytes are in the buffers of received frames.
pub fn is_received(bytes: &[u8]) -> bool {
    let (all, part) = ((&raw const MEMORY.buffers).addr(), bytes.as_ptr().addr());
    part >= all && part.wrapping_add(bytes.len()) <= all.wrapping_add(size_of_val(&MEMORY.buffers))
}

/// The program's side of the memory for received frames.
#[derive(Debug)]
pub struct Ring {
    next: usize,
}

/// The program's side of the memory for sent frames.
#[derive(Debug)]
pub struct Outgoing(());

impl Ring {
    /// Gives all buffers for received frames to the controller.
    ///
    /// # Safety
    /// To be called once, before the controller is started.
    pub unsafe fn new() -> (Self, Outgoing) {
        for (index, (descriptor, buffer)) in MEMORY.received.iter().zip(&MEMORY.buffers).enumerate() {
            let wrap = if index == FRAMES - 1 { WRAP } else { 0 };
            descriptor.first.store(address(buffer) | wrap, Ordering::Release);
        }
        let [sent] = &MEMORY.sent;
        sent.first.store(address(&raw const MEMORY.answer), Ordering::Relaxed);
        sent.second.store(SENT | SEND_WRAP, Ordering::Release);
        (Self { next: 0 }, Outgoing(()))
    }

    /// True if a frame has been received.
    pub fn is_ready(&self) -> bool {
        let descriptor = MEMORY.received.get(self.next);
        descriptor.is_some_and(|descriptor| descriptor.first.load(Ordering::Acquire) & USED != 0)
    }

    /// The next received frame, if there is one.
    pub fn receive(&mut self) -> Option<Frame<'_>> {
        let (descriptor, buffer) = (MEMORY.received.get(self.next)?, MEMORY.buffers.get(self.next)?);
        if !self.is_ready() {
            return None;
        }
        // SAFETY: the program owns the buffer until the frame returns it, and `&mut self` lets no second frame exist.
        // The initial zeros and the controller have initialised all bytes.
        let all = unsafe { &*buffer.0.get() };
        let state = descriptor.second.load(Ordering::Relaxed);
        // A longer frame takes several buffers, and none of them has both marks.
        let length = if state & WHOLE == WHOLE { (state & LENGTH) as usize } else { 0 };
        let bytes = all.get(OFFSET..OFFSET + length).unwrap_or_default();
        Some(Frame { bytes, descriptor, next: &mut self.next })
    }
}

impl Outgoing {
    /// The buffer for a frame to be sent; `None` while the frame before it is being sent.
    pub fn buffer(&mut self) -> Option<&mut [u8; BUFFER]> {
        let [sent] = &MEMORY.sent;
        if sent.second.load(Ordering::Acquire) & SENT == 0 {
            return None;
        }
        // SAFETY: the program owns the buffer, and `&mut self` lets no second reference exist.
        Some(unsafe { &mut *MEMORY.answer.0.get() })
    }

    /// Gives the first bytes of the buffer to the controller, which must then be started.
    pub fn send(&mut self, length: usize) {
        let [sent] = &MEMORY.sent;
        sent.second.store(length.min(BUFFER) as u32 | SEND_LAST | SEND_WRAP, Ordering::Release);
    }
}

/// A received frame, where the controller has written it. Dropping it returns the descriptor to the controller.
#[derive(Debug)]
pub struct Frame<'r> {
    bytes: &'r [u8],
    descriptor: &'static Descriptor,
    next: &'r mut usize,
}

impl Frame<'_> {
    pub const fn bytes(&self) -> &[u8] {
        self.bytes
    }
}

impl Drop for Frame<'_> {
    fn drop(&mut self) {
        // The program has read all it needs before the controller sees this.
        self.descriptor.first.fetch_and(!USED, Ordering::Release);
        *self.next = if *self.next == FRAMES - 1 { 0 } else { *self.next + 1 };
    }
}
