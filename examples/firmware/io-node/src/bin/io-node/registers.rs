//! Access to the registers of the LM3S6965's controllers. All `unsafe` code of the program is here and in `memory`.

/// A register of 32 bits.
#[derive(Debug, Clone, Copy)]
pub struct Register(usize);

impl Register {
    /// # Safety
    /// There must be a register at this address whose reading and writing affects its controller only.
    pub const unsafe fn at(address: usize) -> Self {
        Self(address)
    }

    #[inline(always)]
    pub fn read(self) -> u32 {
        // SAFETY: `at` demands a register.
        unsafe { (self.0 as *const u32).read_volatile() }
    }

    #[inline(always)]
    pub fn write(self, value: u32) {
        // SAFETY: `at` demands a register.
        unsafe { (self.0 as *mut u32).write_volatile(value) }
    }

    pub fn set(self, bits: u32) {
        self.write(self.read() | bits);
    }
}

/// Declares the registers of a controller, by their offsets.
macro_rules! registers {
    ($base:literal: $($(#[$doc:meta])* $name:ident = $offset:literal),* $(,)?) => {
        $($(#[$doc])*
        // SAFETY: the data sheet of the LM3S6965 lists this register.
        const $name: $crate::registers::Register = unsafe { $crate::registers::Register::at($base + $offset) };)*
    };
}

pub(crate) use registers;
