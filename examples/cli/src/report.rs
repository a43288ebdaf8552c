//! What was found in a file, before it is shown in one form or another.

use linkstream::field::{Field, Verdict};
use linkstream::lattice::Checksum;
use linkstream::lime::Record;
use linkstream::{Class, Gravity};

use crate::observables::Measured;

/// Everything about one file.
#[derive(Debug, Default)]
pub struct Report {
    /// As the user named it.
    pub file: String,
    /// The first bytes are those of a LIME file, or there are none.
    pub recognised: bool,
    /// Bytes of the file; of standard input, as far as it was read.
    pub bytes: u64,
    pub records: Vec<RecordEntry>,
    pub fields: Vec<FieldEntry>,
    /// At most [`MAX_FINDINGS`], and one that counts the rest.
    pub findings: Vec<Finding>,
    left_out: u64,
}

/// A file can be wrong in more places than anybody wants to read, or memory holds.
const MAX_FINDINGS: usize = 1000;

impl Report {
    /// Of a file of which nothing is known yet.
    pub fn of(path: &std::path::Path) -> Self {
        Self { file: path.display().to_string(), ..Self::default() }
    }

    /// Adds a finding. Those beyond the limit are counted, and the worst of them is the severity of the count.
    pub fn find(&mut self, finding: Finding) {
        if self.findings.len() < MAX_FINDINGS {
            self.findings.push(finding);
            return;
        }
        if self.left_out == 0 {
            self.findings.push(Finding {
                severity: Severity::Warning,
                class: Class::Limit,
                rule: "findings-left-out",
                offset: finding.offset,
                message: String::new(),
            });
        }
        self.left_out += 1;
        if let Some(count) = self.findings.last_mut() {
            if finding.severity == Severity::Error {
                count.severity = Severity::Error;
            }
            count.message = format!("{} more findings from here on are not listed", self.left_out);
        }
    }

    /// Whether nothing makes the file wrong.
    pub fn is_ok(&self) -> bool {
        self.findings.iter().all(|finding| finding.severity == Severity::Warning)
    }
}

/// One LIME record.
#[derive(Debug)]
pub struct RecordEntry {
    pub record: Record,
    /// Its type; LIME does not say that it is text, so what is not is shown by its replacement character.
    pub record_type: String,
    /// The first bytes of its payload as long as they look like text; `None` if they do not, or were not read.
    pub text: Option<Vec<u8>>,
}

/// The data of one record.
#[derive(Debug)]
pub struct FieldEntry {
    pub field: Field,
    /// The SciDAC datatype, or the kind of gauge field.
    pub datatype: Option<String>,
    /// `None`: the data were not read to their end.
    pub checksum: Option<Checksum>,
    /// `None`: nothing can be said because the file breaks off.
    pub verdict: Option<Verdict>,
    /// Sums that are stored with the data.
    pub stored: Stored,
    /// Of SU(3) gauge fields in four dimensions.
    pub measured: Option<Measured>,
}

/// The stored sums; QIO leaves them out now and then.
#[derive(Debug, Default, Clone, Copy)]
pub struct Stored {
    pub suma: Option<u32>,
    pub sumb: Option<u32>,
}

/// Whether a finding makes the file wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    Warning,
    Error,
}

impl Severity {
    /// Of something of this gravity.
    pub fn of(gravity: Gravity, lenient: bool) -> Self {
        match gravity {
            Gravity::Note => Self::Warning,
            Gravity::Harmless if lenient => Self::Warning,
            _ => Self::Error,
        }
    }

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Something worth telling.
#[derive(Debug)]
pub struct Finding {
    pub severity: Severity,
    pub class: Class,
    pub rule: &'static str,
    pub offset: u64,
    pub message: String,
}
