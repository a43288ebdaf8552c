//! Tests of verifying with many ranks, with threads as ranks.

mod faults;
mod files;
mod lists;
mod stores;
mod support;
