//! What passes over every byte of a field: the figures of gauge fields, and checksums.
//!
//! A package of its own, so that it can be compiled for speed where the rest of `linkstream-report` is compiled for
//! size: in the npm package.

pub mod figures;
pub mod parallel;
mod site_sums;
mod word_sum;

pub use site_sums::SiteSums;
pub use word_sum::{WordSum, Words};
