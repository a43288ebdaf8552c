//! The standard formats of USQCD: gauge fields and propagators in SciDAC files (QIO 2.3, appendix A).
//!
//! [`Document`] reads and writes their documents, which are in the file XML and record XML. A [`FileType`] defines the
//! records of a propagator file; [`conformance::Decoder`](crate::conformance::Decoder) checks them while a file is
//! read, without keeping its texts.
//!
//! # Example
//! ```
//! use linkstream::usqcd::{Document, FileType, Label};
//! use linkstream::xml::Spacing;
//!
//! // The documents of a C1D12 file: of the file, of its source, and of its twelve solutions.
//! let mut buffer = [0; 512];
//! Document::file(FileType::C1D12, b"run 7").emit(Spacing::Line, &mut buffer)?;
//! Document::source(b"point source").emit(Spacing::Line, &mut buffer)?;
//! for number in 0..12 {
//!     let label = Label::of_solution(number, false);
//!     Document::solution(FileType::C1D12, b"").with_label(label).emit(Spacing::Line, &mut buffer)?;
//! }
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
#![doc = include_str!("../guide/items.txt")]
#![doc = include_str!("reference.md")]

mod document;
mod error;
mod names;
mod scanner;

pub use document::{Document, EmitError};
pub use error::ErrorKind;
pub use names::{ElementName, FileType, Label, Role, Root, SiteType};
pub use scanner::Summary;

pub(crate) use scanner::Scanner;
