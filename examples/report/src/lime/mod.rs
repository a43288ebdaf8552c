//! LIME files with SciDAC and ILDG content.

mod any_order;
mod boundaries;
mod bqcd;
mod compare;
mod contents;
mod data;
mod data_in_parts;
mod elsewhere;
mod fields;
pub mod json;
mod note;
mod notes;
mod part;
mod recorded;
mod survey;
mod texts;
mod usqcd;

pub(crate) use bqcd::RULE as BQCD;
pub use contents::{Bqcd, Contents, FieldEntry, RecordEntry, RecordsLeftOut, Stored};
pub(crate) use note::BQCD_PLAQUETTE;
pub use note::{Note, Noted, Quantity};
pub(crate) use notes::number;
pub use recorded::{Computed, Recorded};
pub(crate) use survey::survey;

pub(crate) use any_order::AnyOrder;
pub(crate) use boundaries::look_at_boundaries;
pub use data::Examination;
pub(crate) use data_in_parts::{examine, in_order};
pub(crate) use elsewhere::InParts;
pub use elsewhere::{Elsewhere, Outcome};
pub use linkstream_arithmetic::WordSum;
pub use part::{Combined, Part, PartSums};
pub use texts::{LONGEST, Text};
pub use usqcd::{Entry as UsqcdEntry, Format as UsqcdFormat, Usqcd, time};
