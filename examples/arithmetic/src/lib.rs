//! Computations over every byte of a field: observables of gauge fields, and checksums.
//!
//! This is a package of its own so that the npm package can compile it for speed and the rest of `linkstream-report`
//! for size.

#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::unwrap_used)]
#![cfg_attr(test, allow(clippy::arithmetic_side_effects, reason = "a wrong sum in a test is a failed test"))]

mod changed;
mod cksum;
pub mod figures;
pub mod parallel;
mod site_sums;
mod word_sum;

pub use changed::{Changed, PERIOD, changed_bytes};
pub use cksum::Cksum;
pub use site_sums::SiteSums;
pub use word_sum::{WordSum, Words};
