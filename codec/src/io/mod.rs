//! Drivers: decoders and encoders over `embedded-io` streams. They contain no logic of a format, and are the only
//! users of that interface. The caller lends all buffers.
//!
//! | to read | to write | |
//! |---|---|---|
//! | [`RecordReader`] | [`RecordWriter`] | LIME records |
//! | [`FieldReader`] | [`FieldWriter`], [`FieldPartWriter`] | SciDAC and ILDG fields |
//! | [`SectionReader`] | [`SectionWriter`] | scda sections |
//! | [`SizeReader`], [`WindowReader`] | [`PartWriter`] | scda sections, by several processes at once |
//! | [`MatrixReader`] | [`MatrixWriter`] | INEBIN matrices |
//! | [`Reader`] | [`Writer`], [`PositionedWriter`] | any decoder event by event, any encoder call by call |
//!
//! With the feature `async` there are the same over `embedded_io_async`: `AsyncRecordReader`, `AsyncRecordWriter` and
//! so on. Calls that need a source or sink that can seek are named so (`skip_seeking`); all others work over pipes.
//! [`guide`](crate::guide) shows each job.

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
mod async_sink;
#[cfg(feature = "async")]
mod async_writer;
mod error;
mod field_error;
mod field_part_writer;
mod field_plan;
mod field_progress;
mod field_reader;
mod field_writer;
mod field_writer_jobs;
mod frame;
mod matrices;
mod matrix_reader;
mod matrix_writer;
mod part_writer;
mod positioned_read;
mod positioned_sink;
mod positioned_writer;
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
mod window_reader;
mod writer;

#[cfg(feature = "async")]
pub use async_field_reader::{AsyncFieldData, AsyncFieldReader};
#[cfg(feature = "async")]
pub use async_field_writer::AsyncFieldWriter;
#[cfg(feature = "async")]
pub use async_matrix_reader::AsyncMatrixReader;
#[cfg(feature = "async")]
pub use async_matrix_writer::AsyncMatrixWriter;
#[cfg(feature = "async")]
pub use async_reader::AsyncReader;
#[cfg(feature = "async")]
pub use async_record_reader::AsyncRecordReader;
#[cfg(feature = "async")]
pub use async_record_writer::AsyncRecordWriter;
#[cfg(feature = "async")]
pub use async_section_reader::AsyncSectionReader;
#[cfg(feature = "async")]
pub use async_section_writer::AsyncSectionWriter;
#[cfg(feature = "async")]
pub use async_writer::AsyncWriter;
pub use error::{ReadError, WriteError};
pub use field_error::FieldError;
pub use field_part_writer::FieldPartWriter;
pub use field_reader::{FieldData, FieldReader};
pub use field_writer::FieldWriter;
pub use frame::NextEvent;
pub use matrix_reader::MatrixReader;
pub use matrix_writer::MatrixWriter;
pub use part_writer::PartWriter;
pub use positioned_writer::PositionedWriter;
pub use reader::Reader;
pub use record_reader::RecordReader;
pub use record_writer::RecordWriter;
pub use section_reader::SectionReader;
pub use section_writer::SectionWriter;
pub use sections::Sections;
pub use size_reader::SizeReader;
pub use window_reader::WindowReader;
pub use writer::Writer;
