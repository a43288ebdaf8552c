//! The tests of the reports.

mod in_parts;
mod interrupted;
mod readers;
mod recorded;
mod sets;
mod support;
