//! The boards and their names in QEMU. Their memory maps are in `examples/firmware/memory`.

use clap::ValueEnum;

/// An emulated board. There is one for each kind of processor, so that the target determines the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Board {
    /// BBC micro:bit: Cortex-M0, 16 KiB of memory
    Microbit,
    /// LM3S6965: Cortex-M3, 64 KiB
    Lm3s6965,
    /// MPS2-AN386: Cortex-M4F, 4 MiB
    Mps2,
    /// SiFive FE310, as on a HiFive1: RISC-V, 16 KiB
    SifiveE,
}

impl Board {
    pub const ALL: [Self; 4] = [Self::Microbit, Self::Lm3s6965, Self::Mps2, Self::SifiveE];

    pub fn name(self) -> &'static str {
        match self {
            Self::Microbit => "microbit",
            Self::Lm3s6965 => "lm3s6965",
            Self::Mps2 => "mps2",
            Self::SifiveE => "sifive-e",
        }
    }

    pub fn target(self) -> &'static str {
        match self {
            Self::Microbit => "thumbv6m-none-eabi",
            Self::Lm3s6965 => "thumbv7m-none-eabi",
            Self::Mps2 => "thumbv7em-none-eabihf",
            Self::SifiveE => "riscv32imac-unknown-none-elf",
        }
    }

    /// The emulator and its arguments for this board.
    pub fn emulator(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Microbit => ("qemu-system-arm", &["-M", "microbit"]),
            Self::Lm3s6965 => ("qemu-system-arm", &["-M", "lm3s6965evb"]),
            Self::Mps2 => ("qemu-system-arm", &["-M", "mps2-an386"]),
            Self::SifiveE => ("qemu-system-riscv32", &["-M", "sifive_e", "-bios", "none"]),
        }
    }

    /// True if the board has the 43 KiB of memory that decompression needs in addition to the program's own.
    pub fn has_room_to_inflate(self) -> bool {
        matches!(self, Self::Lm3s6965 | Self::Mps2)
    }
}
