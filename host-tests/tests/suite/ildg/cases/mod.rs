//! Files that break one rule each; see `rules.rs`.

pub mod records;
pub mod schema;
pub mod scidac;

use linkstream::Severity;

use crate::field::support::build::Part;
use crate::field::support::ildg::{At, data, format_of, lfn};

pub const SECTION_2_2: &str = "ILDG 1.2, section 2.2";
/// The clause of the rule that each message must have an `ildg-update`.
pub const NEED_OF_UPDATES: &str = "ILDG 1.2, sections 2.2 and 2.4";
pub const SECTION_2_6: &str = "ILDG 1.2, section 2.6";
pub const SCHEMA: &str = "ILDG 1.2, appendix A.1";
pub const QIO: &str = "QIO 2.3, section 2.1.1";

pub type Finding = (&'static str, &'static str, Severity, At);

/// A file, the expected findings, and the number of fields that can still be read.
pub struct Case {
    pub name: &'static str,
    pub messages: Vec<Vec<Part>>,
    pub findings: Vec<Finding>,
    pub fields: usize,
}

pub fn case(name: &'static str, messages: Vec<Vec<Part>>, findings: &[Finding], fields: usize) -> Case {
    Case { name, messages, findings: findings.to_vec(), fields }
}

/// A file of one field with this format.
pub fn with_format(text: &str) -> Vec<Vec<Part>> {
    vec![vec![format_of(text), data("u1phase"), lfn("lfn://a")]]
}

/// A file of this message, followed by a logical file name, without which its absence would be a finding.
pub fn one(message: Vec<Part>) -> Vec<Vec<Part>> {
    vec![message, vec![lfn("lfn://a")]]
}
