//! The tests of the reports.

mod in_parts;
mod readers;
mod recorded;
mod sets;
mod support;
