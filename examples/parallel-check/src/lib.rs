//! Verifies files with the ranks of a job: the reports are the ones of a single process.
//!
//! [`file()`] divides the data of one file among all ranks. [`list`] divides a list of files: each small one is read by
//! one rank, and all ranks read each large one together.
//!
//! [`store`] divides the files of a store, for its manifest.
//!
//! The first rank reads the documents of a file and makes the report. The data of each large field in a LIME file are
//! divided: every rank reads a part of them, a window at a time, and the results are combined. A gauge field that is
//! measured is divided into slabs of time slices, other fields into sites. Not divided are
//! - archives (NERSC, MILC), scda and INEBIN files, and file sets;
//! - data that end early, and fields with absent links, whose data the first rank reads once more;
//! - fields whose checksums of time slices are requested, and rows of sites of more than 256 MiB.
//!
//! ```
//! use linkstream_parallel::comm::{Comm, Threads};
//! use linkstream_parallel::file::{Direct, SystemDisk};
//! use linkstream_parallel_check::{CHECK, Settings, file};
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../su3-4x4x4x8.lime");
//! let settings = Settings { least: 0, ..Settings::new(&CHECK) };
//! let reports = Threads::new(3).run(|comm| {
//!     let engine = Direct::<SystemDisk>::default();
//!     let report = file(comm, &engine, path.as_ref(), path, &settings)?;
//!     Ok(report.map(|report| report.verdict().as_str()))
//! });
//! assert_eq!(reports, [Ok(Some("ok")), Ok(None), Ok(None)] as [Result<_, linkstream_parallel::Error>; 3]);
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod divided;
mod listed;
mod message;
mod one;
mod queue;
mod settings;
mod source;
mod store;

pub use listed::{Item, Volumes, broadcast, list};
pub use one::{file, reason};
pub use settings::{CHECK, Settings};
pub use store::store;
