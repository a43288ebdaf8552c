//! File sets of QIO: fields distributed over several files, called volumes (QIO 2.3, sections 2.2 and 2.3), and the
//! reference of these files.
//!
//! * [`Decoder`] reads a volume as a stream, the first one or another.
//! * [`SiteStream`] joins two streams, the site list and the data: it finds the rank of each site, and computes the
//!   checksum.
//! * [`SiteAccount`] checks the sites of all volumes: whether any are missing, repeated or outside the lattice.
//!   [`Members`] checks that there is one first volume, and [`Tally`] combines the data read from the volumes.
//! * [`Encoder`] writes a volume, byte for byte as QIO does; [`Mesh`] is the usual distribution of sites.
//!
//! [`io::VolumeReader`](crate::io::VolumeReader) and [`io::VolumeWriter`](crate::io::VolumeWriter) do whole tasks
//! over sources and sinks. A site list is not kept in memory: it is read a second time together with the data. If a
//! source cannot seek, the caller keeps the bytes of the list until the data come.
//!
//! # Example
//! A lattice of 4 × 2 sites on two nodes, each with a volume. The list of sites of each volume, and the check that
//! together they are the lattice:
//! ```
//! use linkstream::lattice::Extents;
//! use linkstream::lime::Record;
//! use linkstream::volume::{EntryWidth, Mesh, NodeOrder, SiteAccount};
//!
//! let lattice = Extents::new(&[4, 2])?;
//! let mesh = Mesh::new(&lattice, &[2], &[2])?;
//! let mut account = SiteAccount::new(&lattice);
//! let mut lists = Vec::new();
//! for index in 0..mesh.volumes() {
//!     let ranks: Vec<u64> = mesh.ranks(index, NodeOrder::Lexicographic).collect();
//!     account.begin_volume();
//!     ranks.iter().for_each(|rank| account.take(*rank));
//!     assert_eq!(account.end_volume(&Record::default(), EntryWidth::Bits32, true).count(), 0);
//!     lists.push(ranks);
//! }
//! assert_eq!(lists, [[0, 1, 4, 5], [2, 3, 6, 7]]);
//! assert_eq!((account.sites(), account.end()), (8, None));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
#![doc = include_str!("../guide/items.txt")]
#![doc = include_str!("reference.md")]

mod decode_steps;
mod decoder;
mod encode_steps;
mod encoder;
mod entry;
mod error;
mod file_set;
mod mesh;
mod site_stream;
mod tally;
mod walk;

pub use decoder::{Decoder, VolumeKind};
pub use encoder::{Encoder, Want};
pub use entry::{Entry, EntryWidth};
pub use error::{EncodeErrorKind, ErrorKind, Event};
pub use file_set::{MapTooSmall, Members, SiteAccount};
pub use mesh::{Mesh, MeshError, MeshVolume};
pub use site_stream::{SitePiece, SiteStep, SiteStream};
pub use tally::{SitesRead, Tally};
pub use walk::NodeOrder;

pub(crate) use site_stream::SitePositions;
