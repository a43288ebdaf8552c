//! Access to the registers of controllers.
#![allow(unsafe_code, reason = "registers are at fixed addresses")]

/// A register of 32 bits.
#[derive(Debug, Clone, Copy)]
pub struct Register(usize);

impl Register {
    /// # Safety
    /// There must be a register at this address. Neither reading nor writing it may access memory that Rust code uses,
    /// except by DMA according to the contract of `ring`.
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
}

/// Declares the registers of a controller, by their offsets.
macro_rules! registers {
    ($base:literal: $($(#[$doc:meta])* $name:ident = $offset:expr),* $(,)?) => {
        $($(#[$doc])*
        #[allow(unsafe_code, reason = "see SAFETY")]
        // SAFETY: the manual of the FU540-C000 lists this register.
        const $name: $crate::board::registers::Register =
            unsafe { $crate::board::registers::Register::at($base + $offset) };)*
    };
}

pub(super) use registers;
