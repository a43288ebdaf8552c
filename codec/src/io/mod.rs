//! Readers and writers over `embedded-io` streams. The caller provides all buffers.
//!
//! | to read | to write | |
//! |---|---|---|
//! | [`RecordReader`] | [`RecordWriter`] | LIME records |
//! | [`FieldReader`] | [`FieldWriter`] | SciDAC and ILDG fields |
//! | [`VolumeReader`] | [`VolumeWriter`] | volumes of QIO's file sets |
//! | [`SectionReader`] | [`SectionWriter`] | scda sections |
//! | [`SizeReader`], [`WindowReader`] | [`PartWriter`] | scda sections, by several processes at once |
//! | [`MatrixReader`] | [`MatrixWriter`] | INEBIN matrices |
//! | [`Reader`] | [`Writer`] | any decoder event by event, any encoder call by call |
//!
//! A source is any `embedded_io::Read`, a sink any `embedded_io::Write`. With the feature `async`, the same readers
//! and writers also take the traits of `embedded_io_async`, and most calls have an asynchronous variant:
//! `next_field_async` for `next_field`. [`Positioned`] wraps the sink of one of several processes that write the
//! same file. Reading calls that need a source that can seek have `seek` in their name (`skip_seeking`); all others
//! work with pipes. [`guide`](crate::guide) has an example of each task.
//!
//! # Constructors
//! Arguments are in this order: source or sink, buffers, decoder or encoder.
//!
//! | type | begins a file | another mode | with the caller's decoder or encoder |
//! |---|---|---|---|
//! | [`RecordReader`], [`FieldReader`], [`MatrixReader`] | `new`, in strict mode | `with_mode` | `with_decoder` |
//! | [`SectionReader`] | `new` and `unpacking`, in lenient mode | `with_mode` | `with_decoder` |
//! | [`RecordWriter`], [`FieldWriter`], [`SectionWriter`], [`MatrixWriter`] | `create` | | `with_encoder` |
//! | [`VolumeReader`], [`Reader`], [`VolumeWriter`], [`Writer`], [`PartWriter`] | | | `new` |
//!
//! Each of several processes that write one file has a [`PartWriter`], or a writer from `part` ([`FieldWriter`],
//! [`VolumeWriter`]). [`SizeReader`] and [`WindowReader`] read a part of a section, without a decoder.
//!
//! `with_limits` sets the limit for the sizes that a reader returns for allocating memory; see
//! [`Limits`](crate::Limits).
//!
//! Lenient mode accepts everything that the scda specification allows a reader to accept. A decoder or encoder begins
//! a file (`new`), begins at an offset (`at`, `append`: LIME and scda), writes after what a decoder has read
//! (`after`: LIME and fields), or continues from a saved state (`load`). The source or sink must be at its position.
//!
//! # Failed calls and dropped futures
//! The table lists what a reading call leaves that fails because of the source, or whose future is dropped. It applies
//! to sources whose own `read` loses no bytes if its future is dropped. No later call returns `Ok` for data that were
//! not delivered.
//!
//! | call | if it has delivered nothing | if it has delivered a part |
//! |---|---|---|
//! | [`Reader::next`], `next_record`, `find`, `next_section`, `next_field`, `header`, `columns`, `entries`, `finish`, [`VolumeReader::next`] | can be repeated | (delivers nothing in parts) |
//! | [`Reader::read`], [`RecordReader::read`], [`SectionReader::read`] | can be repeated | (a part is a complete call) |
//! | `skip`, `verdict` | can be repeated, except [`FieldData::skip`], after which only `verdict` is left | (delivers nothing) |
//! | [`RecordReader::read_into`], `for_each`; [`SectionReader::element`], `sizes`, `read_exact`; [`MatrixReader::read`], `next_row`; [`SizeReader::read`] | can be repeated | [`ReadError::Interrupted`] until `resume` is called |
//! | [`RecordReader::for_each_record`] | can be repeated: begins with the record that was not passed | the same, for this record |
//! | [`FieldData::read_into`], `read_bytes_into`, `for_each_site` | can be repeated | [`ReadError::Interrupted`]: neither its data nor its verdict can be read; `next_field` goes to the next |
//! | [`VolumeReader::for_each_site`] | can be repeated, unless it has passed sites | is [`ReadError::Interrupted`] |
//! | [`VolumeReader::sites_of`], `for_each_rank` | can be repeated | can be repeated: passes everything again |
//! | [`WindowReader::read`] | can be repeated | can be repeated: reads the same bytes again |
//! | `skip_seeking` | can be repeated | [`ReadError::Lost`] after a seek that was dropped or failed |
//! | `element_seeking`, `read_entries_seeking`, [`Reader::seek_payload`] (no asynchronous variant) | can be repeated | can be repeated, but [`ReadError::Lost`] after a seek that failed |
//!
//! The modules here contain no logic of a format: decoders and encoders have that. What the synchronous and the
//! asynchronous variant of a call have in common is a *job*, which does no input or output itself: it returns what
//! it needs next, or what is to be written next.

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
mod async_positioned_read;
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
mod async_volume_reader;
#[cfg(feature = "async")]
mod async_volume_writer;
#[cfg(feature = "async")]
mod async_writer;
mod delivery;
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
mod volume_jobs;
mod volume_reader;
mod volume_window;
mod volume_writer;
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
pub use volume_reader::VolumeReader;
pub use volume_writer::VolumeWriter;
pub use window_reader::WindowReader;
pub use writer::Writer;
