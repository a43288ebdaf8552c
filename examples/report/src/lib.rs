//! Reports on the contents and the integrity of files. This is the part of the `linkstream` program that
//! needs neither a terminal nor a file system.
//!
//! [`identify`](identify::identify) recognises the format from the first bytes of any [`embedded_io`] source,
//! [`survey`](survey::survey) reads the source to its end and returns a [`Report`](report::Report), and [`json_line`]
//! writes that report as one line of JSON.
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::unwrap_used)]
#![cfg_attr(test, allow(clippy::arithmetic_side_effects, reason = "a wrong sum in a test is a failed test"))]

pub mod archive;
pub mod cut;
pub mod diff;
pub mod ensemble;
pub mod entries;
pub mod explain;
pub mod explain_page;
pub mod identify;
pub mod inebin;
pub mod job;
pub mod json;
pub mod json_line;
mod json_numbers;
pub mod judgement;
pub mod left_out;
pub mod lime;
pub mod locate;
pub mod options;
pub mod plausibility;
pub mod ranges;
pub mod readers;
mod reading;
mod reasons;
pub mod report;
pub mod scda;
pub mod survey;
pub mod unverified;
pub mod verdict;
pub mod volumes;

pub use linkstream_access::{findings, other};
pub use linkstream_arithmetic::{figures, parallel};
