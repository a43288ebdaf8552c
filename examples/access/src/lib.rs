//! Any file of lattice QCD through one layer: a single file, a file set or an archive is opened, listed strictly,
//! and read or written in parallel, with typed errors.
//!
//! ```no_run
//! use linkstream_access::{File, Selection, Verify};
//!
//! let file = File::open_path("lat.0100.ildg")?;
//! let field = file.field(0)?;
//! let names: Vec<_> = field.array().axes.iter().map(|axis| axis.name.as_str()).collect();
//! assert_eq!(names, ["t", "z", "y", "x", "mu", "row", "column", "re/im"]);
//! let mut links = vec![0.0_f64; field.array().number_count() as usize];
//! let verdict = field.read(&Selection::All, &mut links, Verify::Yes)?;
//! assert!(verdict.is_verified());
//! # Ok::<(), linkstream_access::Error>(())
//! ```

#![forbid(unsafe_code)]
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::unwrap_used)]
#![cfg_attr(test, allow(clippy::arithmetic_side_effects, reason = "a wrong sum in a test is a failed test"))]

pub mod archive;
mod array;
mod broken;
pub mod changed;
pub mod data;
#[cfg(feature = "digest")]
pub mod digest;
mod elements;
mod error;
mod field;
mod file;
pub mod findings;
mod headless;
mod in_planes;
pub mod isolated;
pub mod links;
mod list;
mod listing;
mod matrix;
pub mod meter;
pub mod noted;
pub mod open_qcd;
pub mod other;
pub mod outliers;
pub mod packed;
mod placement;
pub mod recorded;
mod section;
mod selection;
pub mod set;
pub mod source;
mod source_reader;
mod sources;
pub mod store;
mod sums;
pub mod system;
pub mod text;
pub mod unknown;
pub mod write;

pub use array::{Array, Axis, Element, ElementType, labelled, lattice_axis};
pub use broken::Broken;
pub use elements::Elements;
pub use error::{Error, SelectionError};
pub use field::{Field, Unverified, Verdict, Verify};
pub use file::{File, FileFormat, volumes_at};
pub use listing::{RecordEntry, SectionEntry};
pub use section::Section;
pub use selection::Selection;
pub use source_reader::SourceReader;
pub use sources::{FileSource, NotAFile, Seeking};
pub use sums::{SliceSums, Stored, Sum};
pub use unknown::UNKNOWN_FORMAT;
