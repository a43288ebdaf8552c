//! The tests of the reports.

mod in_parts;
mod plausibility;
mod readers;
mod recorded;
mod sets;
mod support;
