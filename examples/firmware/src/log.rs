//! Sends defmt's frames to the standard output of the host. `defmt-print` reads them there.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, Ordering};

use critical_section::RestoreState;

use crate::host::{self, Handle, OpenMode};

/// Number of bytes that are collected for one call of the host, since a call per byte would be slow.
const ROOM: usize = 64;

struct Log {
    out: Option<Handle>,
    encoder: defmt::Encoder,
    waiting: [u8; ROOM],
    filled: usize,
    restore: RestoreState,
}

impl Log {
    fn send(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if self.filled == ROOM {
                self.flush();
            }
            if let Some(place) = self.waiting.get_mut(self.filled) {
                *place = *byte;
                self.filled += 1;
            }
        }
    }

    fn flush(&mut self) {
        if self.out.is_none() {
            self.out = host::open(c":tt", OpenMode::Write).ok();
        }
        if let (Some(out), Some(bytes)) = (self.out, self.waiting.get(..self.filled)) {
            // The program continues even if its log cannot be written.
            let _ = host::write(out, bytes);
        }
        self.filled = 0;
    }
}

struct Cell(UnsafeCell<Log>);

// SAFETY: only the logger below accesses the value, between `acquire` and `release`, where interrupts are disabled.
unsafe impl Sync for Cell {}

static LOG: Cell = Cell(UnsafeCell::new(Log {
    out: None,
    encoder: defmt::Encoder::new(),
    waiting: [0; ROOM],
    filled: 0,
    restore: RestoreState::invalid(),
}));
/// True between `acquire` and `release`.
static TAKEN: AtomicBool = AtomicBool::new(false);

#[defmt::global_logger]
struct Logger;

// SAFETY: a critical section lasts from `acquire` to `release`, so that frames are not interleaved.
unsafe impl defmt::Logger for Logger {
    fn acquire() {
        // SAFETY: `release` ends the critical section.
        let restore = unsafe { critical_section::acquire() };
        if TAKEN.load(Ordering::Relaxed) {
            // An implementation of `Format` logs: its frame would be inside another one.
            host::exit(3);
        }
        TAKEN.store(true, Ordering::Relaxed);
        // SAFETY: interrupts are disabled, and there is no other reference.
        let log = unsafe { &mut *LOG.0.get() };
        log.restore = restore;
        let Log { encoder, .. } = log;
        let mut first = [0; 1];
        let mut n = 0;
        encoder.start_frame(|bytes| {
            for (to, from) in first.iter_mut().zip(bytes) {
                *to = *from;
                n = 1;
            }
        });
        log.send(first.get(..n).unwrap_or_default());
    }

    unsafe fn write(bytes: &[u8]) {
        // SAFETY: called between `acquire` and `release`.
        let log = unsafe { &mut *LOG.0.get() };
        let mut encoder = core::mem::replace(&mut log.encoder, defmt::Encoder::new());
        encoder.write(bytes, |bytes| log.send(bytes));
        log.encoder = encoder;
    }

    unsafe fn flush() {
        // SAFETY: called between `acquire` and `release`.
        unsafe { &mut *LOG.0.get() }.flush();
    }

    unsafe fn release() {
        // SAFETY: called once after `acquire`.
        let log = unsafe { &mut *LOG.0.get() };
        let mut encoder = core::mem::replace(&mut log.encoder, defmt::Encoder::new());
        encoder.end_frame(|bytes| log.send(bytes));
        log.encoder = encoder;
        log.flush();
        TAKEN.store(false, Ordering::Relaxed);
        // SAFETY: `restore` is the value that `acquire` returned.
        unsafe { critical_section::release(log.restore) };
    }
}
