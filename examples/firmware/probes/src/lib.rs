//! Code that the probes share: an entry point, a stream whose behaviour is unknown to the optimiser, and values that
//! are opaque to it.
#![no_std]

use core::arch::asm;
use core::convert::Infallible;
use core::future::poll_fn;
use core::panic::PanicInfo;
use core::task::Poll;

use embedded_io::{ErrorType, Read, Write};
use linkstream::Decode;

/// Makes the block the body of the program.
#[macro_export]
macro_rules! probe {
    ($body:block) => {
        /// The entry point that the linker assumes without a script.
        #[unsafe(no_mangle)]
        pub extern "C" fn _start() {
            $crate::what_all_have();
            $body
        }
    };
}

/// Copies and clears memory and uses the stream. Every probe, also the empty one, contains the functions for it, so
/// that they are not counted as part of the codec.
#[inline(never)]
pub fn what_all_have() {
    let mut buffer = [0; 64];
    let other: &[u8] = unknown(&[0; 64]);
    let n = unknown(8_usize).min(64);
    if let (Some(to), Some(from)) = (buffer.get_mut(..n), other.get(..n)) {
        to.copy_from_slice(from);
        used(to);
    }
    if let Some(to) = buffer.get_mut(..n) {
        to.fill(0);
    }
    used(Port.read(&mut buffer));
    used(Port.write(unknown(&buffer)));
}

/// Required by the compiler. A probe that can panic is larger than its budget allows.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {}
}

/// Returns the value, which the optimiser must treat as unknown.
#[inline(always)]
pub fn unknown<T>(mut value: T) -> T {
    disturb(&mut value);
    value
}

/// Makes the optimiser assume that the value, and everything it refers to, is read.
#[inline(always)]
pub fn used<T>(mut value: T) {
    disturb(&mut value);
}

#[inline(always)]
fn disturb<T: ?Sized>(place: &mut T) {
    // SAFETY: the assembly is only a comment, so it does nothing. It is not declared `nomem`, so the optimiser must
    // assume that it reads and writes memory.
    unsafe { asm!("/* {0} */", in(reg) (&raw mut *place).cast::<()>(), options(nostack, preserves_flags)) }
}

/// A source and a sink whose bytes and lengths are unknown to the optimiser.
#[derive(Debug)]
pub struct Port;

impl ErrorType for Port {
    type Error = Infallible;
}

impl Read for Port {
    #[inline(never)]
    fn read(&mut self, out: &mut [u8]) -> Result<usize, Infallible> {
        disturb(out);
        Ok(unknown(0))
    }
}

impl Write for Port {
    #[inline(never)]
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        used(bytes);
        Ok(unknown(0))
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl embedded_io_async::Read for Port {
    async fn read(&mut self, out: &mut [u8]) -> Result<usize, Infallible> {
        // Pending or ready, as far as the optimiser knows.
        poll_fn(|_| if unknown(true) { Poll::Ready(()) } else { Poll::Pending }).await;
        Read::read(self, out)
    }
}

/// Pushes chunks to a decoder until the input ends, then calls [`Decode::finish`]: the least that any user of a decoder
/// needs.
#[inline(always)]
pub fn decode<D: Decode>(decoder: &mut D, mut each: impl FnMut(D::Event, &D, &[u8])) {
    let buffer = [0; 64];
    loop {
        let mut rest: &[u8] = unknown(&buffer);
        if rest.is_empty() {
            break;
        }
        while let Ok(step) = decoder.push(rest) {
            let (bytes, after) = rest.split_at_checked(step.consumed).unwrap_or_default();
            rest = after;
            let Some(event) = step.event else { break };
            each(event, decoder, bytes);
        }
    }
    while let Ok(Some(event)) = decoder.finish() {
        each(event, decoder, &[]);
    }
}
