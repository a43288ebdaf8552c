//! Measures how much memory the program uses: its statics, and the largest extent of its stack. The free memory is filled
//! with a pattern before the program begins; the part of the pattern that is left was never reached by the stack.

const PAINT: u32 = 0xace0_ba5e;
/// Bytes below the current stack that are not painted, because `paint` itself uses them.
const MARGIN: usize = 128;

unsafe extern "C" {
    // The linker script of cortex-m-rt defines these symbols.
    static __sdata: u8;
    static __ebss: u8;
    static _stack_start: u8;
}

fn bottom() -> usize {
    (&raw const __ebss as usize).next_multiple_of(4)
}

/// Fills the memory between the statics and the current stack with the pattern.
#[inline(never)]
pub fn paint() {
    let here = 0_u32;
    let end = (&raw const here as usize).wrapping_sub(MARGIN);
    let mut at = bottom();
    while at < end {
        // SAFETY: memory between the statics and the stack is unused.
        unsafe { (at as *mut u32).write_volatile(PAINT) };
        at = at.wrapping_add(4);
    }
}

/// Bytes of statics, and of the largest stack since the call of [`paint`].
#[inline(never)]
pub fn taken() -> (u32, u32) {
    let top = &raw const _stack_start as usize;
    let mut at = bottom();
    // SAFETY: the addresses are between the statics and the top of the stack, all of it memory.
    while at < top && unsafe { (at as *const u32).read_volatile() } == PAINT {
        at = at.wrapping_add(4);
    }
    let statics = bottom().wrapping_sub(&raw const __sdata as usize);
    (statics as u32, top.wrapping_sub(at) as u32)
}
