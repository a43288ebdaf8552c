//! The contents of an archive, as far as they were found.

use linkstream_access::archive::Shape;

use crate::figures::Measured;
use crate::lime::Recorded;
use crate::verdict::Coverage;

/// Everything about an archive except its findings.
#[derive(Debug, Default)]
pub struct Contents {
    /// `None` if the header cannot be read.
    pub shape: Option<Shape>,
    /// Keys and values of the header, as far as they are text.
    pub header: Vec<(String, String)>,
    pub sums: Vec<Sum>,
    /// `None` if the data were not read to their end.
    pub agreement: Option<Agreement>,
    pub measured: Option<Measured>,
    /// The type of a random-number state in a file that begins like an archive, but has no gauge field.
    pub state: Option<String>,
    /// The observables that the header records.
    pub recorded: Vec<Recorded>,
}

/// Result of comparing the stored checksums with the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    Match,
    Mismatch,
    /// No checksum is stored.
    Absent,
}

/// A checksum of the format, as stored and as computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sum {
    pub name: &'static str,
    pub stored: Option<u32>,
    /// `None` if the data were not read to their end.
    pub computed: Option<u32>,
}

impl Contents {
    /// The verified part of the data: all of them or nothing. The checksums of a MILC file do not include its site
    /// list. If it has one, the places of its links are not verified.
    pub fn coverage(&self) -> Coverage {
        let is_match = self.agreement == Some(Agreement::Match);
        let links = self.shape.iter().map(|shape| is_match && !shape.has_site_list);
        Coverage::of(links).and(Coverage::of(self.state.iter().map(|_| is_match)))
    }
}
