//! Lattice fields that all ranks of a job write or read together, in SciDAC and ILDG files and in QIO file sets.
//!
//! * [`Grid`] divides a lattice into boxes, one for each rank; [`Layout`] describes the sites of one rank and their
//!   order in its memory, also for sites that are not a box.
//! * [`FieldWriter`] and [`FieldReader`] write and read single files. [`Source`] and [`Target`] are the numbers of a
//!   rank.
//! * [`SetWriter`] and [`SetReader`] write and read file sets: a volume for each rank, each node, or each family of
//!   ranks, as [`Volumes`] describes them.
//! * [`write_data`] and [`read_data`] transfer the data of one record, for programs that handle the documents themselves.
//!
//! All ranks enter all calls in the same order. A call ends with one agreement on its outcome: an error is the same on
//! all ranks, and the file is closed.

mod boxes;
mod data;
mod documents;
mod families;
mod fingerprint;
mod grid;
mod layout;
mod raw;
mod read;
mod received;
mod record;
mod rounds;
mod scan;
mod set_name;
mod set_read;
mod set_rounds;
mod set_scan;
mod set_write;
mod source;
mod transfer;
mod volume;
mod write;

pub use boxes::{BoxError, BoxPart, BoxRun, Runs, Windows};
pub use data::{Bytes, Place, Sites, Source, Target};
pub use families::Volumes;
pub use grid::Grid;
pub use layout::Layout;
pub use raw::Raw;
pub use read::FieldReader;
pub use record::{read_data, write_data};
pub use rounds::ROUND;
pub use scan::FoundField;
pub use set_name::{volume_path, volumes, volumes_of};
pub use set_read::SetReader;
pub use set_write::SetWriter;
pub use write::FieldWriter;
