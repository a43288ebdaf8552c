//! How much memory a program took: what is static, and how deep its stack became.
//!
//! The free memory is painted before the program begins; afterwards the paint that is left shows how far the
//! stack has come.

const PAINT: u32 = 0xace0_ba5e;
/// Not painted: the stack of the painting itself.
const MARGIN: usize = 128;

unsafe extern "C" {
    // Both runtimes have these places in their linker scripts.
    static __sdata: u8;
    static __ebss: u8;
    static _stack_start: u8;
}

/// What a program took.
#[derive(Debug, Clone, Copy, defmt::Format)]
pub struct Memory {
    /// Bytes of statics, buffers among them.
    pub statics: usize,
    /// Bytes of the deepest stack.
    pub stack: usize,
}

fn bottom() -> usize {
    (&raw const __ebss as usize).next_multiple_of(4)
}

/// Paints what is free below the present stack.
#[inline(never)]
pub fn paint() {
    let here = 0_u32;
    let end = (&raw const here as usize).wrapping_sub(MARGIN);
    let mut at = bottom();
    while at < end {
        // SAFETY: memory between the statics and the stack is nobody's.
        unsafe { (at as *mut u32).write_volatile(PAINT) };
        at = at.wrapping_add(4);
    }
}

/// What has been taken since [`paint`].
#[inline(never)]
pub fn taken() -> Memory {
    let top = &raw const _stack_start as usize;
    let mut at = bottom();
    // SAFETY: as there; reading stops at the top of memory.
    while at < top && unsafe { (at as *const u32).read_volatile() } == PAINT {
        at = at.wrapping_add(4);
    }
    let statics = bottom().wrapping_sub(&raw const __sdata as usize);
    Memory { statics, stack: top.wrapping_sub(at) }
}
