//! The tests of the reports.

mod recorded;
mod schema;
mod support;
