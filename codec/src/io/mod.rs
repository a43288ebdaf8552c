//! Readers and writers over `embedded-io` streams. The caller provides all buffers, which a reader or writer borrows
//! or owns; see [`Buffer`].
//!
//! | to read | to write | |
//! |---|---|---|
//! | [`RecordReader`] | [`RecordWriter`] | LIME records |
//! | [`FieldReader`] | [`FieldWriter`] | SciDAC and ILDG fields |
//! | [`ArchiveReader`] | [`ArchiveWriter`] | links of NERSC archives; reading: also of MILC files |
//! | [`VolumeReader`] | [`VolumeWriter`] | volumes of QIO's file sets |
//! | [`SectionReader`] | [`SectionWriter`] | scda sections |
//! | [`SizeReader`], [`WindowReader`] | [`PartWriter`] | scda sections, by several processes at once |
//! | [`MatrixReader`] | [`MatrixWriter`] | INEBIN matrices |
//! | [`Reader`] | [`Writer`] | any decoder event by event, any encoder call by call |
//!
//! A source is any `embedded_io::Read`, a sink any `embedded_io::Write`; with the feature `std`, `FromStd(file)` makes
//! both of the types of `std::io`. With the feature `async`, the same readers
//! and writers also take the traits of `embedded_io_async`, and most calls have an asynchronous variant:
//! `next_field_async` for `next_field`. [`Positioned`] wraps the sink of one of several processes that write the
//! same file. Reading calls that need a source that can seek have `seek` in their name (`skip_seeking`); all others
//! work with pipes. [`guide`](crate::guide) has an example of each task.
//!
//! # Constructors
//! Arguments, and the type parameters that belong to them, are in this order: source or sink, buffers, decoder or
//! encoder.
//!
//! | type | begins a file | another mode | with the caller's decoder or encoder |
//! |---|---|---|---|
//! | [`RecordReader`], [`FieldReader`], [`MatrixReader`] | `new` | `with_mode` | `with_decoder` |
//! | [`ArchiveReader`] | `nersc`, `milc` | | `with_decoder` |
//! | [`SectionReader`] | `new`, `unpacking` | `with_mode` | `with_decoder` |
//! | [`RecordWriter`], [`FieldWriter`], [`SectionWriter`], [`MatrixWriter`] | `create` | | `with_encoder` |
//! | [`ArchiveWriter`] | `create` | | |
//! | [`VolumeReader`], [`Reader`], [`VolumeWriter`], [`Writer`], [`PartWriter`] | | | `new` |
//!
//! Each of several processes that write one file has a [`PartWriter`], or a writer from `part` ([`FieldWriter`],
//! [`VolumeWriter`]). [`SizeReader`] and [`WindowReader`] read a part of a section, without a decoder.
//!
//! `with_limits` sets the limit for the sizes that a reader returns for allocating memory; see
//! [`Limits`](crate::Limits).
//!
//! Every reader that begins a file is in [`Mode::Strict`](crate::Mode::Strict) unless it is given a mode or a decoder.
//! A decoder or encoder begins a file (`new`), begins at an offset (`at`, `append`: LIME and scda), writes after what a
//! decoder has read (`after`: LIME and fields), or continues from a saved state (`load`). The source or sink must be at
//! its position.
//!
//! # Callbacks and the end of a file
//! A callback returns `()`, [`ControlFlow`](core::ops::ControlFlow), or a `Result` of either; see
//! [`Outcome`](crate::Outcome). `finish` of a writer checks that the file can end, flushes the sink and returns it;
//! `complete` does so for a writer that is borrowed.
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
//! | `skip`, `verdict` | can be repeated, except [`FieldData::skip`] and [`ArchiveReader::skip`], after which only `verdict` is left | (delivers nothing) |
//! | [`RecordReader::read_into`], `for_each`; [`SectionReader::element`], `sizes`, `read_exact`; [`MatrixReader::read`], `next_row`; [`SizeReader::read`] | can be repeated | [`ReadError::Interrupted`] until `resume` is called |
//! | [`RecordReader::for_each_record`] | can be repeated: begins with the record that was not passed | the same, for this record |
//! | [`FieldData::read_into`], `read_bytes_into`, `for_each_site` | can be repeated | [`ReadError::Interrupted`]: neither its data nor its verdict can be read; `next_field` goes to the next |
//! | [`ArchiveReader::read_into`], `for_each_site`, `for_each_rank` | can be repeated | [`ReadError::Interrupted`], also from `verdict`, `skip` and `finish`: no later call returns data |
//! | [`VolumeReader::for_each_site`] | can be repeated, unless it has passed sites | is [`ReadError::Interrupted`] |
//! | [`VolumeReader::sites_of`], `for_each_rank` | can be repeated | can be repeated: passes everything again |
//! | [`WindowReader::read`] | can be repeated | can be repeated: reads the same bytes again |
//! | `skip_seeking` | can be repeated | [`ReadError::Lost`] after a seek that was dropped or failed |
//! | `element_seeking`, `read_entries_seeking`, [`Reader::seek_payload`] (no asynchronous variant) | can be repeated | can be repeated, but [`ReadError::Lost`] after a seek that failed |
//!
//! # How a call is built
//! The modules here contain no logic of a format: decoders and encoders have that. Each call is written once, and
//! emitted for synchronous and asynchronous sources or sinks. A call that reads is a job: a function of the decoder and
//! the buffer, which does no input itself, and which is called again whenever more bytes have been read. A call that
//! writes is a sequence of pieces, each with its offset, which the encoder returns and the writer puts into the sink.

mod both;
mod buffer;
mod error;
mod frame;
mod reader;
mod sink;
#[cfg(feature = "std")]
mod std;
mod writer;

mod lime {
    mod reader;
    mod writer;

    pub use reader::RecordReader;
    pub use writer::RecordWriter;
}

mod field {
    mod parts;
    mod pieces;
    mod reader;
    mod writer;

    pub use reader::{FieldData, FieldReader};
    pub use writer::FieldWriter;
}

mod scda {
    mod parts;
    mod reader;
    mod sections;
    #[cfg(feature = "inflate")]
    mod stored;
    mod writer;

    pub use parts::{PartWriter, SizeReader, WindowReader};
    pub use reader::SectionReader;
    pub use sections::Sections;
    pub use writer::SectionWriter;
}

mod inebin {
    mod reader;
    mod writer;

    pub use reader::MatrixReader;
    pub use writer::MatrixWriter;
}

mod archive {
    mod layout;
    mod reader;
    mod writer;

    pub use layout::Archive;
    pub use reader::ArchiveReader;
    pub use writer::ArchiveWriter;
}

mod volume {
    mod jobs;
    mod reader;
    mod writer;

    pub use reader::VolumeReader;
    pub use writer::VolumeWriter;
}

pub use archive::{Archive, ArchiveReader, ArchiveWriter};
pub use buffer::Buffer;
pub use error::{ArchiveError, FieldError, ReadError, WriteError};
pub use field::{FieldData, FieldReader, FieldWriter};
pub use frame::NextEvent;
pub use inebin::{MatrixReader, MatrixWriter};
pub use lime::{RecordReader, RecordWriter};
pub use reader::Reader;
pub use scda::{PartWriter, SectionReader, SectionWriter, Sections, SizeReader, WindowReader};
pub use sink::{Positioned, Sink};
#[cfg(feature = "std")]
pub use std::FromStd;
pub use volume::{VolumeReader, VolumeWriter};
pub use writer::Writer;
