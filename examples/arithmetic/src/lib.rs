//! Computations over every byte of a field: observables of gauge fields, and checksums.
//!
//! This is a package of its own so that the npm package can compile it for speed and the rest of `linkstream-report`
//! for size.

pub mod figures;
pub mod parallel;
mod site_sums;
mod word_sum;

pub use site_sums::SiteSums;
pub use word_sum::{WordSum, Words};
