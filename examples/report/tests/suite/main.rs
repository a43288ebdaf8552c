//! The tests of the reports.

mod access;
mod as_lime;
mod audience;
mod cut;
mod good;
mod in_parts;
mod interrupted;
mod job;
mod noted;
mod plausibility;
mod readers;
mod recorded;
mod support;
