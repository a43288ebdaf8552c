//! What was found in a LIME file.

use linkstream::conformance::OpenDirection;
use linkstream::field::{Field, Verdict};
use linkstream::lattice::Checksum;
use linkstream::lime::Record;

use crate::observables::Measured;

/// Everything about a LIME file but what is wrong with it.
#[derive(Debug, Default)]
pub struct Contents {
    pub records: Vec<RecordEntry>,
    pub fields: Vec<FieldEntry>,
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
    /// Directions with open boundaries; `None` where no `ildg-format` describes the data, or not all were read.
    pub open: Option<Vec<OpenDirection>>,
    /// Of SU(3) gauge fields in four dimensions.
    pub measured: Option<Measured>,
}

/// The stored sums; QIO leaves them out now and then.
#[derive(Debug, Default, Clone, Copy)]
pub struct Stored {
    pub suma: Option<u32>,
    pub sumb: Option<u32>,
}
