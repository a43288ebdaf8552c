//! The tests of the reports.

mod good;
mod in_parts;
mod plausibility;
mod readers;
mod recorded;
mod sets;
mod support;
