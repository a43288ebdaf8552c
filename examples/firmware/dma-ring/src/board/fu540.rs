//! Measurements on the board.

use super::{gem, memory, ring};
use crate::meter::Board;

#[derive(Debug, Clone, Copy)]
pub struct Fu540;

impl Board for Fu540 {
    #[inline(always)]
    fn instructions(&self) -> u64 {
        riscv::register::minstret::read64()
    }

    fn is_received(&self, bytes: &[u8]) -> bool {
        ring::is_received(bytes)
    }

    fn times_full(&self) -> u32 {
        gem::times_full()
    }

    fn memory(&self) -> (usize, usize) {
        memory::taken()
    }
}
