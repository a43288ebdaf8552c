//! The tests of the reports.

mod recorded;
mod support;
