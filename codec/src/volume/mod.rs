//! File sets of QIO: one field spread over several volumes (QIO 2.3, sections 2.2 and 2.3).
//!
//! Each volume is a LIME file with a list of the sites that it has. The **first** volume begins with the documents of a
//! SciDAC file and has those of all records, global data and checksums; the **other** volumes consist of their site list
//! and of data. What their data are, only the first volume tells:
//!
//! | first volume | other volumes |
//! | --- | --- |
//! | `scidac-private-file-xml`, `scidac-sitelist`, `scidac-file-xml` | `scidac-sitelist` |
//! | a message for each field: documents, data of its sites, checksum over all volumes | the data of its sites |
//! | a message for each global record | |
//!
//! The site list has the rank of each site, in the order in which the data of the sites follow: ascending in partitions,
//! the storage order of the node in multifile sets. [`EntryWidth`] says how wide the ranks are.
//!
//! * [`Decoder`] reads a volume of either kind, as a stream.
//! * [`SiteStream`] joins two streams, the site list and the data: each site with its rank, and the checksum.
//! * [`SiteAccount`] counts the sites of all volumes: which are missing, repeated or outside the lattice. [`Members`] checks
//!   that there is one first volume, and [`Tally`] combines the checksums of the volumes.
//! * [`Encoder`] writes a volume, byte for byte as QIO does; [`Mesh`] is the usual distribution of sites.
//!
//! [`io::VolumeReader`](crate::io::VolumeReader) and [`io::VolumeWriter`](crate::io::VolumeWriter) do whole jobs over sources
//! and sinks. A site list is never kept: it is read again beside the data, or lies in a buffer lent by the caller
//! ([`ListBuffer`]).

mod account;
mod decoder;
mod encoder;
mod entry;
mod error;
mod event;
mod judge;
mod list_buffer;
mod members;
mod mesh;
mod site_stream;
mod tally;
mod write_error;

pub use account::{MapTooSmall, SiteAccount};
pub use decoder::{Decoder, VolumeKind};
pub use encoder::{Encoder, Want};
pub use entry::{Entry, EntryWidth};
pub use error::ErrorKind;
pub use event::Event;
pub use list_buffer::{ListBuffer, ListTooLong};
pub use members::Members;
pub use mesh::{Mesh, MeshError, MeshVolume, NodeOrder};
pub use site_stream::{SitePiece, SiteStep, SiteStream};
pub use tally::Tally;
pub use write_error::EncodeErrorKind;
