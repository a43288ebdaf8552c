//! Writing of files, from other files or from arrays.
//!
//! [`find`] lists the data records and documents of a source in LIME form, [`Plan`] decides how to write them
//! according to a [`Wish`], and [`Plan::write_to`] reads, verifies, converts and writes the data to a [`FieldSink`].
//! [`convert`] does all of this for one file and reads it back. Warnings and progress go to an [`Observer`].
//!
//! [`write_fields`] writes fields in memory, and [`FieldsPlan`] does so to any sink. [`prepare_fields`] leaves it to the
//! caller when the file gets its name. [`AtomicFile`] is a file that is
//! complete or does not exist.

mod atomic;
mod convert;
mod copy;
mod document;
mod edit;
mod error;
mod fault;
mod found;
mod incomplete;
mod input;
mod kind;
mod lattice_info;
mod lfn;
mod links;
mod nersc;
mod new_fields;
mod new_file;
mod new_folders;
mod new_matrix;
mod new_set;
mod numbers;
mod observer;
mod open_qcd;
mod plan;
mod prepare;
mod provenance;
mod read_back;
mod record;
mod refusal;
#[cfg(feature = "pack")]
mod sections;
mod set_sink;
mod shape;
mod sink;
mod sums_text;
#[cfg(test)]
mod tests;
mod unitarity;
mod user_text;
mod values;
mod wish;

pub use atomic::{AtomicFile, FileError, FileErrorKind};
pub use convert::convert;
pub use document::{
    ARCHIVE_FILE, Beside, NO_TEXT, Planned, SCRATCH, check_date, named_letter, private_record, set_date,
};
pub use edit::{Edits, edit};
pub use error::{Error, Location};
pub use fault::Fault;
pub(crate) use found::MAX_TEXT;
pub use found::{DERIVED, Found, FoundField, find, is_gauge_field};
pub use incomplete::{Incomplete, Partial};
pub use input::{Damage, Place, Rereadable, StaleTexts, Trust, length};
pub use kind::{ItemKind, Kind, ShapeError};
pub use lattice_info::{Measuring, RecordTexts, lattice_links};
pub use lfn::{Names, check_lfn, check_new_lfn, is_update};
pub use nersc::{ArchiveForm, ArchiveTexts, Figures, Lines, archive_lines, write_archive};
pub use new_fields::{Content, FieldsPlan, NewField, links_record};
pub use new_file::{Unsynced, give_name};
pub use new_folders::NewFolders;
pub use new_matrix::prepare_matrix;
pub use new_set::{NewSet, NewVolume, SetForm};
pub use observer::{Counting, Observer, Phase, Warning};
pub use open_qcd::write_open_qcd;
pub use plan::Plan;
pub use prepare::{
    CompleteSet, prepare_field_as_archive, prepare_fields, prepare_fields_as_set, write_field_as_archive,
    write_fields, write_fields_as_set,
};
pub use provenance::note;
pub use read_back::read_back;
pub use refusal::Refusal;
#[cfg(feature = "pack")]
pub use sections::{
    LONGEST, Lengths, NewSection, NewSections, Packed, Packing, SectionData, Texts, prepare_sections,
};
pub use set_sink::SetSink;
pub use shape::{Described, Shape};
pub use sink::{FieldSink, FileSink};
pub use sums_text::respell_sums;
pub use user_text::{check_xml, is_of_user, notes};
pub use values::{Stream, Values};
pub use wish::{NotRows, Rows, Target, Wish, unix_now};
