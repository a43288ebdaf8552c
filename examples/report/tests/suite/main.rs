//! The tests of the reports.

mod readers;
mod recorded;
mod sets;
mod support;
