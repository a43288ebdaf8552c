//! What the probes share: a start, a stream that may do anything, and values that the optimiser cannot see
//! through.
#![no_std]

use core::arch::asm;
use core::convert::Infallible;
use core::panic::PanicInfo;

use embedded_io::{ErrorType, Read, Write};
use linkstream::Decode;

/// Makes the block the program.
#[macro_export]
macro_rules! probe {
    ($body:block) => {
        /// Where a linker without a script begins.
        #[unsafe(no_mangle)]
        pub extern "C" fn _start() {
            $crate::what_all_have();
            $body
        }
    };
}

/// Memory copied and cleared, and the stream used: every program has the functions for it, so that they do not
/// count as the codec's.
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

/// A probe that can panic would cost more, and say so.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {}
}

/// The value, and the optimiser does not know which.
#[inline(always)]
pub fn unknown<T>(mut value: T) -> T {
    disturb(&mut value);
    value
}

/// The optimiser must assume that somebody reads the value, and all it refers to.
#[inline(always)]
pub fn used<T>(mut value: T) {
    disturb(&mut value);
}

#[inline(always)]
fn disturb<T: ?Sized>(place: &mut T) {
    // SAFETY: the instruction does nothing, but has not promised to leave memory alone.
    unsafe { asm!("/* {0} */", in(reg) (&raw mut *place).cast::<()>(), options(nostack, preserves_flags)) }
}

/// A source and a sink.
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

/// Pushes to a decoder until it refuses, and ends it: the least that everybody needs of one.
#[inline(always)]
pub fn decode<D: Decode>(decoder: &mut D, mut each: impl FnMut(D::Event, &D, &[u8])) {
    let buffer = [0; 64];
    loop {
        let mut rest: &[u8] = unknown(&buffer);
        if rest.is_empty() {
            break;
        }
        while let Ok(step) = decoder.push(rest) {
            let (bytes, behind) = rest.split_at_checked(step.consumed).unwrap_or_default();
            rest = behind;
            let Some(event) = step.event else { break };
            each(event, decoder, bytes);
        }
    }
    while let Ok(Some(event)) = decoder.finish() {
        each(event, decoder, &[]);
    }
}
