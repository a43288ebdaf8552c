//! The documents of SciDAC files: private file XML, private record XML, and checksum.
//!
//! Source: QIO 2.3 (May 2008) and files written by QIO. [`crate::field`] deals with the order of documents and data
//! in a file.

mod checksum;
mod data;
mod file;
mod record;
mod typed;

pub use crate::xml::element::{Text, TextTooLong};
pub use checksum::StoredChecksum;
pub use data::{Contradiction, Item, RecordData};
pub use file::{PrivateFile, VolumeFormat};
pub use record::{Date, PrivateRecord, RecordType};

pub(crate) use data::Datatype;

/// Type of the LIME record with a [`PrivateFile`].
pub const PRIVATE_FILE_XML: &str = "scidac-private-file-xml";
/// Type of the LIME record with the user's text about the file.
pub const FILE_XML: &str = "scidac-file-xml";
/// Type of the LIME record with a [`PrivateRecord`].
pub const PRIVATE_RECORD_XML: &str = "scidac-private-record-xml";
/// Type of the LIME record with the user's text about a record.
pub const RECORD_XML: &str = "scidac-record-xml";
/// Type of the LIME record with the site list of a volume: ranks as big-endian words of 32 or 64 bits, see
/// [`volume`](crate::volume).
pub const SITELIST: &str = "scidac-sitelist";
/// Type of the LIME record with the data of a field, a hypercube or a global record.
pub const BINARY_DATA: &str = "scidac-binary-data";
/// Type of the LIME record with a [`StoredChecksum`].
pub const CHECKSUM: &str = "scidac-checksum";
