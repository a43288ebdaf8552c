//! Generates SU(3) gauge fields: a seeded pure-gauge heat bath for the Wilson action S = -(β/3) Σ Re tr U_plaquette.
//!
//! The update of a link is reduced to three SU(2) subgroups (Cabibbo and Marinari, Phys. Lett. B 119, 387), each of
//! which is drawn exactly (Kennedy and Pendleton, Phys. Lett. B 156, 393).
//!
//! Fields can be reproduced: the same seed gives the same bits on every platform. The random numbers are generated
//! here, and besides `+ - * /` and `f64::sqrt`, the only function used is `libm::log`, which is compiled from the same
//! source everywhere. Angles are drawn by rejection, without sine or cosine. (The only exception are 32-bit x86 targets
//! without SSE2, where Rust's `f64` itself is not exactly IEEE 754.)

#[cfg(feature = "job")]
pub mod job;
mod lattice;
mod random;
mod slab;
pub mod su3;

pub use lattice::Lattice;
pub use random::Rng;
pub use slab::{Edge, Part, Slab};
