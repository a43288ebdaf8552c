//! What the records of a volume are.

use crate::scidac;
use crate::state::saved;

/// What the current record is to a volume.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Foreign,
    PrivateFile,
    PrivateRecord,
    List,
    Data,
    Checksum,
}

saved!(enum Part: Foreign, PrivateFile, PrivateRecord, List, Data, Checksum);

impl Part {
    pub(super) fn of(record_type: &[u8]) -> Self {
        const BINARY: [&str; 2] = [scidac::BINARY_DATA, crate::ildg::BINARY_DATA];
        let is = |name: &str| record_type == name.as_bytes();
        if is(scidac::PRIVATE_FILE_XML) {
            Self::PrivateFile
        } else if is(scidac::PRIVATE_RECORD_XML) {
            Self::PrivateRecord
        } else if is(scidac::SITELIST) {
            Self::List
        } else if BINARY.into_iter().any(is) {
            Self::Data
        } else if is(scidac::CHECKSUM) {
            Self::Checksum
        } else {
            Self::Foreign
        }
    }
}
