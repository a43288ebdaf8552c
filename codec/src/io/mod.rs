//! Drivers: decoders and encoders over `embedded-io` streams. The only users of that interface, and without
//! any logic of a format.
//!
//! Buffers are the caller's. [`Reader`] pulls from a [`Read`](embedded_io::Read), and seeks where the source
//! can ([`Reader::skip_seeking`]); `AsyncReader` does the same over `embedded_io_async` (feature `async`);
//! [`RecordWriter`] writes LIME records, [`FieldWriter`] SciDAC and ILDG content, [`MatrixWriter`] INEBIN matrices,
//! [`SectionWriter`] scda sections. [`FieldPartWriter`] writes the part of one of several processes of a field. Of scda files that several processes write and read at once,
//! [`PartWriter`] writes the part of one of them, [`SizeReader`] and [`WindowReader`] read it.

#[cfg(feature = "async")]
mod async_reader;
mod error;
mod field_part_writer;
mod field_writer;
mod matrix_writer;
mod part_writer;
mod positioned_read;
mod positioned_sink;
mod reader;
mod record_writer;
mod section_writer;
mod seek_reader;
mod sink;
mod size_reader;
mod window;
mod window_reader;

#[cfg(feature = "async")]
pub use async_reader::AsyncReader;
pub use error::{ReadError, WriteError};
pub use field_part_writer::FieldPartWriter;
pub use field_writer::FieldWriter;
pub use matrix_writer::MatrixWriter;
pub use part_writer::PartWriter;
pub use reader::Reader;
pub use record_writer::RecordWriter;
pub use section_writer::SectionWriter;
pub use size_reader::SizeReader;
pub use window::NextEvent;
pub use window_reader::WindowReader;
