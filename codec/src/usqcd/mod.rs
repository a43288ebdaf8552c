//! The standard formats of USQCD: documents in the file XML and record XML of SciDAC files (QIO 2.3, appendix A).
//!
//! | document | where | source |
//! | --- | --- | --- |
//! | `usqcdInfo` | record XML of a gauge field | appendix A.1 |
//! | `usqcdPropFile`, `usqcdKSPropFile` | file XML of a propagator file | appendices A.2.1, A.3.1 |
//! | `usqcdSourceInfo` | record XML of a source | appendices A.2.2, A.3.2 |
//! | `usqcdPropInfo`, `usqcdKSPropInfo` | record XML of a solution | appendices A.2.3, A.3.3 |
//!
//! [`Document`] reads and writes them. A [`FileType`] defines which records a propagator file has;
//! [`conformance::Decoder`](crate::conformance::Decoder) checks this while a file is read, without keeping its texts.
//!
//! # Example
//! ```
//! use linkstream::usqcd::{Document, FileType, Label, Role, Root};
//!
//! // The documents of a C1D12 file: of the file, of its source, and of its twelve solutions.
//! let mut buffer = [0; 512];
//! Document::file(FileType::C1D12, b"run 7").emit(&mut buffer)?;
//! Document::source(b"point source").emit(&mut buffer)?;
//! for number in 0..12 {
//!     let label = Label::of_solution(number, false);
//!     Document::solution(FileType::C1D12, b"").with_label(label).emit(&mut buffer)?;
//! }
//! assert_eq!(FileType::C1D12.record_root(Role::Solution), Root::PropInfo);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

mod document;
mod error;
mod names;
mod scanner;

pub use document::{Document, EmitError};
pub use error::ErrorKind;
pub use names::{Element, FileType, Label, Role, Root, SiteType};
pub use scanner::Summary;

pub(crate) use scanner::Scanner;
