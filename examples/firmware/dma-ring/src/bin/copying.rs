//! Copies received frames to a buffer and returns the descriptor at once, as drivers commonly do. The rest is the same
//! as in `in-place`.
#![no_std]
#![no_main]

use core::cell::Cell;

use dma_ring::board::{BUFFER, Frame, Fu540, Path, run};
use dma_ring::meter::measured;

/// Aligned like the frames in the ring.
#[derive(Debug)]
#[repr(align(64))]
struct Copying([u8; BUFFER]);

impl Path for Copying {
    fn pass<R>(&mut self, frame: Frame<'_>, copy: &Cell<u64>, take: impl FnOnce(&[u8]) -> R) -> R {
        let bytes = measured(&Fu540, copy, || {
            let from = frame.bytes();
            let to = self.0.get_mut(2..from.len() + 2).unwrap_or_default();
            to.copy_from_slice(from);
            &*to
        });
        drop(frame);
        take(bytes)
    }
}

#[riscv_rt::entry]
fn main() -> ! {
    run(Copying([0; BUFFER]))
}
