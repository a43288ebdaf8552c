//! Measurements on the board.

use super::{memory, ring};
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

    fn memory(&self) -> (usize, usize) {
        memory::taken()
    }
}
