//! Lattice fields in LIME files: SciDAC and ILDG content, one site at a time.
//!
//! [`Decoder`] owns a LIME decoder and understands its records by their type, wherever they stand: the
//! documents of [`crate::scidac`] and [`crate::ildg`], data of fields, hypercubes and global records, and
//! checksums. Records of other types pass through. The SciDAC checksum is folded in as the bytes go by and
//! needs no memory for a site; [`Sites`] hands sites to a callback, in place where they lie whole in the
//! input.
//!
//! # What describes a data record
//! A `scidac-private-record-xml` of the same message, else an `ildg-format` of the same message, else the
//! last one of another message that has no data yet (which is a finding). Either type of data record is
//! taken with either description, as both occur.
//!
//! By revision 1.2 of the ILDG format a direction with one site has no links; a lattice of one site therefore
//! has an empty data record and no site is handed on. Where the `ildg-format` has an older version, or a SciDAC
//! record says so, four links at a site are taken whatever the extents.
//!
//! # What is judged
//! All that section 2 and appendix A.1 of ILDG 1.2 say of a file, and what QIO's document says of its own records;
//! each finding has its clause ([`ErrorKind::clause`](crate::Diagnostic::clause)). A file without ILDG records is not blamed
//! for lacking them. What has to be remembered is bounded: of gauge fields in one file up to 16 pairs of kind and
//! update are told apart, and that there are more is told. [`Boundaries`] judges what only the links can tell.
//!
//! # Example
//! ```
//! use linkstream::field::{Decoder, Event, SiteError, Sites};
//! use linkstream::io::Reader;
//! use linkstream::Mode;
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/su3-4x4x4x8.lime");
//! # let Ok(file) = std::fs::read(path) else { return Ok(()) };
//!
//! let mut buffer = [0; 4096];
//! let mut site_buffer = [0; 576];
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
//! let links = 3.0 * 512.0 * 4.0;
//! assert!((trace / links + 0.003_744).abs() < 1e-6);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

mod boundary;
mod digest;
mod error;
mod layout;
mod links;
mod numbers;
mod read;
mod site;
mod site_error;
mod site_mut;
mod sites;
mod write;
mod write_error;

pub use boundary::{Boundaries, OpenDirection, Place};
pub use error::{DocumentName, ErrorKind};
pub use layout::{Field, LinkLayout, Source};
pub use numbers::Numbers;
pub use read::decoder::Decoder;
pub use read::event::{Event, Verdict};
pub use site::{Link, Links, Site};
pub use site_error::SiteError;
pub use site_mut::{LinkMut, SiteMut};
pub use sites::{Sites, SitesError};
pub use write::encoder::{Encoder, Want};
pub use write::fill::Filled;
pub use write::message::OutgoingMessage;
pub use write_error::EncodeErrorKind;
