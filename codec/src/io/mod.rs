//! Drivers: decoders and encoders over `embedded-io` streams. The only users of that interface, and without
//! any logic of a format.
//!
//! Buffers are the caller's. [`Reader`] pulls from a [`Read`](embedded_io::Read), and seeks where the source
//! can ([`Reader::skip_seeking`]); `AsyncReader` does the same over `embedded_io_async` (feature `async`);
//! [`RecordWriter`] writes LIME records, [`FieldWriter`] SciDAC and ILDG content, [`MatrixWriter`] INEBIN matrices,
//! [`SectionWriter`] scda sections. [`FieldPartWriter`] writes the part of one of several processes of a field. Of scda files that several processes write and read at once,
//! [`PartWriter`] writes the part of one of them, [`SizeReader`] and [`WindowReader`] read it.

#[cfg(feature = "async")]
mod async_field_reader;
#[cfg(feature = "async")]
mod async_matrix_reader;
#[cfg(feature = "async")]
mod async_reader;
#[cfg(feature = "async")]
mod async_record_reader;
#[cfg(feature = "async")]
mod async_section_reader;
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

#[cfg(feature = "async")]
pub use async_field_reader::{AsyncFieldData, AsyncFieldReader};
#[cfg(feature = "async")]
pub use async_matrix_reader::AsyncMatrixReader;
#[cfg(feature = "async")]
pub use async_reader::AsyncReader;
#[cfg(feature = "async")]
pub use async_record_reader::AsyncRecordReader;
#[cfg(feature = "async")]
pub use async_section_reader::AsyncSectionReader;
pub use error::{ReadError, WriteError};
pub use field_error::FieldError;
pub use field_part_writer::FieldPartWriter;
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
pub use size_reader::SizeReader;
pub use window_reader::WindowReader;
