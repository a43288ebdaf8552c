//! LIME files with SciDAC and ILDG content.

mod compare;
mod contents;
mod data;
mod data_in_parts;
mod fields;
pub mod json;
mod note;
mod notes;
mod recorded;
mod site_sums;
mod survey;
mod texts;
mod usqcd;
mod word_sum;

pub(crate) use compare::difference;
pub use contents::{Contents, FieldEntry, RecordEntry, Stored};
pub use note::{Note, Noted, Quantity};
pub(crate) use notes::number;
pub use recorded::{Computed, Recorded};
pub use survey::survey;

pub(crate) use compare::compare as compare_recorded;
pub(crate) use fields::{is_gauge, judge, threshold};
pub use texts::{LONGEST, LONGEST_IN_ALL, Text};
pub use usqcd::{Entry as UsqcdEntry, Format as UsqcdFormat, Usqcd, time};
pub use word_sum::WordSum;
