//! Measures how much memory the program uses: its statics, and the largest extent of its stack. The free memory is filled
//! with a pattern before the program begins; the part of the pattern that is left was never reached by the stack.
#![allow(unsafe_code, reason = "free memory belongs to nobody")]

const PAINT: u64 = 0xace0_ba5e_ace0_ba5e;
/// Bytes below the current stack that are not painted, because `paint` itself uses them.
const MARGIN: usize = 256;
/// Size of the stack that is painted. The rest of it is the stack of the second processor, which sleeps.
const STACK: usize = 32 * 1024;

unsafe extern "C" {
    // The linker script of riscv-rt defines these symbols.
    static __sdata: u8;
    static __ebss: u8;
    static _stack_start: u8;
}

fn top() -> usize {
    (&raw const _stack_start).addr()
}

/// Fills the stack below its current end with the pattern.
#[inline(never)]
pub fn paint() {
    let here = 0_u64;
    let end = (&raw const here).addr().wrapping_sub(MARGIN);
    let mut at = top().wrapping_sub(STACK);
    while at < end {
        // SAFETY: memory below the current end of the stack is unused.
        unsafe { (at as *mut u64).write_volatile(PAINT) };
        at = at.wrapping_add(size_of::<u64>());
    }
}

/// Bytes of statics, and of the largest stack since the call of [`paint`].
#[inline(never)]
pub fn taken() -> (usize, usize) {
    let mut at = top().wrapping_sub(STACK);
    // SAFETY: the addresses are in the stack, all of it memory.
    while at < top() && unsafe { (at as *const u64).read_volatile() } == PAINT {
        at = at.wrapping_add(size_of::<u64>());
    }
    let statics = (&raw const __ebss).addr().wrapping_sub((&raw const __sdata).addr());
    (statics, top().wrapping_sub(at))
}
