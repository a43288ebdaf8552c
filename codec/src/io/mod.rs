//! Drivers: decoders and encoders over `embedded-io` streams. They contain no logic of a format, and are the only
//! users of that interface. The caller lends all buffers.
//!
//! | to read | to write | |
//! |---|---|---|
//! | [`RecordReader`] | [`RecordWriter`] | LIME records |
//! | [`FieldReader`] | [`FieldWriter`] | SciDAC and ILDG fields |
//! | [`SectionReader`] | [`SectionWriter`] | scda sections |
//! | [`SizeReader`], [`WindowReader`] | [`PartWriter`] | scda sections, by several processes at once |
//! | [`MatrixReader`] | [`MatrixWriter`] | INEBIN matrices |
//! | [`Reader`] | [`Writer`] | any decoder event by event, any encoder call by call |
//!
//! A source is any `embedded_io::Read`, a sink any `embedded_io::Write`. With the feature `async` the same readers and
//! writers take those of `embedded_io_async`, and each call has a twin to be awaited: `next_field_async` for `next_field`.
//! [`Positioned`] wraps a sink that several processes share. Calls that need a source or sink that can seek are named so (`skip_seeking`); all others
//! work over pipes. [`guide`](crate::guide) shows each job.
//!
//! Whatever is decided about reading and writing is decided by the decoders and encoders, and by jobs that know no source
//! and no sink: a job returns what it needs next, or what is to be written next.

#[cfg(feature = "async")]
mod async_field_reader;
#[cfg(feature = "async")]
mod async_field_writer;
#[cfg(feature = "async")]
mod async_field_writer_jobs;
#[cfg(feature = "async")]
mod async_matrix_reader;
#[cfg(feature = "async")]
mod async_matrix_writer;
#[cfg(feature = "async")]
mod async_output;
#[cfg(feature = "async")]
mod async_reader;
#[cfg(feature = "async")]
mod async_record_reader;
#[cfg(feature = "async")]
mod async_record_writer;
#[cfg(feature = "async")]
mod async_section_reader;
#[cfg(feature = "async")]
mod async_section_writer;
#[cfg(feature = "async")]
mod async_writer;
mod error;
mod field_error;
mod field_parts;
mod field_pieces;
mod field_plan;
mod field_progress;
mod field_reader;
mod field_writer;
mod field_writer_jobs;
mod findings;
mod frame;
mod matrices;
mod matrix_pieces;
mod matrix_reader;
mod matrix_writer;
mod output;
mod part_writer;
mod pieces;
mod positioned_read;
mod reader;
mod record_reader;
mod record_writer;
mod records;
mod section_reader;
mod section_writer;
mod sections;
mod seek_reader;
mod sink;
mod size_reader;
#[cfg(feature = "inflate")]
mod stored_text;
mod window_reader;
mod writer;

pub use error::{ReadError, WriteError};
pub use field_error::FieldError;
pub use field_reader::{FieldData, FieldReader};
pub use field_writer::FieldWriter;
pub use frame::NextEvent;
pub use matrix_reader::MatrixReader;
pub use matrix_writer::MatrixWriter;
pub use part_writer::PartWriter;
pub use reader::Reader;
pub use record_reader::RecordReader;
pub use record_writer::RecordWriter;
pub use section_reader::SectionReader;
pub use section_writer::SectionWriter;
pub use sections::Sections;
pub use sink::{Positioned, Sink};
pub use size_reader::SizeReader;
pub use window_reader::WindowReader;
pub use writer::Writer;
