//! Lattice fields in SciDAC and ILDG files, and the reference of these formats.
//!
//! [`Decoder`] owns a LIME decoder and interprets its records by their type, in any order: the documents of
//! [`crate::scidac`] and [`crate::ildg`], data of fields, hypercubes and global records, and checksums. The payload
//! of other records is passed on unchanged. The SciDAC checksum is computed as the bytes are read, without buffering
//! sites. [`Sites`] passes sites to a callback, directly from the input if a site is complete in it. [`Encoder`]
//! writes such files.
//!
//! # Example
//! ```
//! use linkstream::field::{Decoder, Event, SiteError, Sites};
//! use linkstream::io::Reader;
//! use linkstream::Mode;
//! # let file = linkstream_example::links();
//!
//! let mut buffer = [0; 4096];
//! let mut site_buffer = [0; 2304];
//! let mut reader = Reader::new(file.as_slice(), &mut buffer, Decoder::new(Mode::Strict));
//! let mut sites = Sites::new(&mut site_buffer);
//! let mut trace = 0.0;
//! while let Some(event) = reader.next()? {
//!     match event {
//!         Event::Field => sites.begin(reader.decoder().field())?,
//!         Event::Data => sites.feed(reader.decoder().field(), reader.bytes(), |site| {
//!             for link in site.links()? {
//!                 trace += (0..3).filter_map(|i| link.get(i, i)).map(|[re, _im]| re).sum::<f64>();
//!             }
//!             Ok::<(), SiteError>(())
//!         })?,
//!         Event::Verdict(verdict) => assert!(verdict.is_match()),
//!         _ => {}
//!     }
//! }
//! // Two fields of 16 sites with four links, whose elements are 0.25 and 0.5.
//! assert_eq!(trace, 16.0 * 4.0 * 3.0 * (0.25 + 0.5));
//! # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
#![doc = include_str!("../guide/items.txt")]
#![doc = include_str!("reference.md")]

mod checkpoint;
mod error;
pub(crate) mod inventory;
pub(crate) mod layout;
mod read_into;
mod site;
mod site_mut;
mod sites;

/// Reading fields: the decoder, and the documents and data that it understands.
pub(crate) mod read {
    mod apart;
    pub(crate) mod decoder;
    mod describe;
    pub(crate) mod phases;
    pub(crate) mod record;
}

/// Writing fields: messages of documents and data.
pub(crate) mod write {
    pub(crate) mod begin;
    pub(super) mod data;
    pub(super) mod encoder;
    pub(crate) mod message;
    pub(crate) mod source;
    pub(crate) mod stage;
}

pub use checkpoint::Checkpoint;
pub use error::{DocumentName, EncodeErrorKind, ErrorKind, MissingPlace, SiteError};
pub use layout::{DescribedBy, Field, LinkLayout};
pub use read::decoder::{Decoder, Event, Unverified, Verdict};
pub use read_into::ReadInto;
pub use site::{Link, Site};
pub use site_mut::{LinkMut, SiteMut};
pub(crate) use sites::SitePlace;
pub use sites::{Sites, SitesError};
pub use write::begin::{BegunMessage, Want};
pub use write::encoder::Encoder;
pub use write::message::{FieldDocuments, Form, OutgoingMessage};
pub use write::source::{FieldSource, Fill};
pub use write::stage::Staged;

pub(crate) use site::SitePosition;
pub(crate) use site_mut::fill_site;
pub(crate) use write::source::{Extent, Filled, Room, TakesData, fill_in_order, fill_places};
