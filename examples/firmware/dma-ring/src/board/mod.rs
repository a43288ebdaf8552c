//! The board: a SiFive FU540 with a Cadence GEM, as QEMU's machine `sifive_u` has it. All `unsafe` code is in the
//! modules `registers`, `ring` and `memory`.

mod fu540;
mod gem;
mod interrupts;
mod memory;
mod registers;
mod ring;
mod run;
mod sockets;
mod start;
mod time;

pub use fu540::Fu540;
pub use ring::{BUFFER, Frame};
pub use run::{Path, run};
pub use sockets::run_sockets;
