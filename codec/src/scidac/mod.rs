//! SciDAC files, the format of QIO: private file XML, private record XML, and checksum.
//!
//! This module contains the documents; [`field`](crate::field) reads and writes records and data of single files,
//! [`volume`](crate::volume) of file sets.
//!
//! # Example
//! ```
//! use linkstream::lattice::{Checksum, Extents, Precision};
//! use linkstream::scidac::{PrivateFile, PrivateRecord, StoredChecksum};
//! use linkstream::xml::Spacing;
//!
//! // The documents of a file with one gauge field of 4 sites, whose numbers are all 0.
//! let mut buffer = [0; 512];
//! PrivateFile::new(&Extents::new(&[1, 1, 2, 2])?).emit(Spacing::Line, &mut buffer)?;
//! let record = PrivateRecord::gauge_field(3, Precision::F32, 4);
//! record.emit(Spacing::Line, &mut buffer)?;
//!
//! let mut sums = Checksum::default();
//! for rank in 0..4 {
//!     sums.add(rank, &vec![0; record.bytes_per_site() as usize]);
//! }
//! let length = StoredChecksum::new(sums).emit(Spacing::Line, &mut buffer)?;
//! assert_eq!(StoredChecksum::parse(&buffer[..length])?.checksum(), Some(sums));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
#![doc = include_str!("../guide/items.txt")]
#![doc = include_str!("reference.md")]

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
/// Types of records with the description of a fermion field by tmLQCD, which other programs write as well: documents
/// `etmcFormat` with precision and lattice. The data are records of type [`BINARY_DATA`], one for each flavour, with the
/// layout of [`PrivateRecord::dirac_fermion`]. A decoder describes them by such a record.
pub const FERMION_FORMATS: [&str; 4] =
    ["etmc-propagator-format", "etmc-source-format", "etmc-eigenvectors-format", "quda-propagator-format"];
