//! Readers and writers over `embedded-io` streams: whole tasks in a few calls.
//!
//! The caller provides all buffers, which a reader or writer borrows or owns; see [`Buffer`]. [`guide`](crate::guide) has
//! an example of each task.
//!
//! # Reading
//! | task | type | delivers |
//! |---|---|---|
//! | read and verify the fields of a SciDAC or ILDG file | [`FieldReader`] | numbers, bytes or sites of each field, and the verdict on its checksum |
//! | read and verify a NERSC archive or a MILC file | [`ArchiveReader`] | links with all rows as native numbers, and the verdict |
//! | read one volume of a QIO file set | [`VolumeReader`] | sites with their ranks, and their part of the checksum |
//! | read the records of any LIME file | [`RecordReader`] | type, flags and payload of each record |
//! | read or decompress an scda file | [`SectionReader`] | sections, and their data by elements or as bytes |
//! | read an INEBIN matrix | [`MatrixReader`] | rows or entries as `bool`, `i64`, `f64` or `Complex` |
//! | see every event and finding of any format | [`Reader`] | the events of a decoder |
//!
//! The readers of fields, archives, records, sections and matrices are one type, [`FormatReader`], which has the calls
//! that they share: `with_decoder`, `with_limits`, `decoder`, `findings`, `into_parts` and `resume`.
//!
//! # Writing
//! | task | type | takes |
//! |---|---|---|
//! | write SciDAC or ILDG fields with checksums | [`FieldWriter`] | messages, and a [`FieldSource`]: numbers, bytes, or a callback that fills sites |
//! | write a NERSC archive | [`ArchiveWriter`] | a [`FieldSource`] |
//! | write one volume of a QIO file set | [`VolumeWriter`] | messages, ranks, and a [`FieldSource`] |
//! | write LIME records | [`RecordWriter`] | type, flags and payload of each record |
//! | write an scda file, compressed or not | [`SectionWriter`] | sections, sizes and data |
//! | write an INEBIN matrix | [`MatrixWriter`] | rows or entries |
//! | write the pieces of any encoder | [`Writer`] | the calls of an encoder |
//!
//! Each writer has the calls that its format needs:
//!
//! | call | writes |
//! |---|---|
//! | `write`, `write_…` | something whole: a field, message, record or section |
//! | `begin`, `begin_…` | what precedes the data of a message, record or section |
//! | `put`, `put_…` | the next data |
//! | `end` | what follows the data |
//! | `finish` | what the file still needs; checks that it can end, flushes the sink and returns it |
//! | `complete` | does the same for a writer that is borrowed |
//!
//! MILC files are only read. Programs that run on many ranks read and write with `examples/parallel` of the repository.
//!
//! # Synchronous and asynchronous
//! | | source | sink | calls |
//! |---|---|---|---|
//! | synchronous | `embedded_io::Read` | `embedded_io::Write` | `next_field` |
//! | asynchronous, feature `async` | `embedded_io_async::Read` | `embedded_io_async::Write` | `next_field_async` |
//! | `std::io`, feature `std` | `FromStd(file)` | `FromStd(file)` | `next_field` |
//!
//! The types are the same, and both variants of a call are compiled from one text. [`Reader`], [`Writer`],
//! [`RecordReader`], [`FieldReader`] and [`FieldWriter`] have asynchronous variants, except for calls that read at a
//! given place (`seek_record`, `seek_payload` and `read_entries_seeking`). `Reader` and `Writer` work with every decoder and
//! encoder, so that each format can be read and written asynchronously.
//!
//! # One pass or several
//! Most calls read or write a file once from its beginning to its end, so that pipes suffice. Reading calls that need a
//! source that can seek have `seek` in their name (`skip_seeking`). More than one pass is needed here:
//!
//! | task | needs |
//! |---|---|
//! | read a volume | a source that can seek: the site list is read again together with the data |
//! | put sites that follow a site list (volumes, MILC files) into natural order | an array of all sites, or a sink that can seek |
//! | write a NERSC archive, whose header contains the checksum | the checksum in advance, or a sink that can seek ([`ArchiveWriter::finish_seeking`]) |
//! | write the first volume of a file set | the checksums of all other volumes |
//! | write a variable array or a compressed section of scda | all sizes before the first byte of data |
//!
//! # Constructors
//! Arguments, and the type parameters that belong to them, are in this order: source or sink, buffers, decoder or
//! encoder.
//!
//! | type | begins a file | with the caller's decoder or encoder |
//! |---|---|---|
//! | [`RecordReader`], [`FieldReader`], [`MatrixReader`] | `new` | `with_decoder` |
//! | [`ArchiveReader`] | `nersc`, `milc` | `with_decoder` |
//! | [`SectionReader`] | `new`, `unpacking` | `with_decoder` |
//! | [`VolumeReader`], [`Reader`] | | `new` |
//! | [`FieldWriter`], [`MatrixWriter`], [`RecordWriter`], [`SectionWriter`] | `create` | `with_encoder` |
//! | [`ArchiveWriter`] | `create` | |
//! | [`VolumeWriter`], [`Writer`] | | `with_encoder` |
//!
//! Every reader that begins a file is in [`Mode::Strict`](crate::Mode::Strict) unless it is given a decoder in another one. A
//! decoder or encoder begins a file (`new`), begins at an offset (`at`, `append`: LIME and scda), writes after the part
//! that a decoder has read (`after`: LIME and fields), or continues from a saved state (`load`). The source or sink must
//! be at its position.
//!
//! `with_limits` sets the limit for the sizes that a reader returns for allocating memory; see
//! [`Limits`](crate::Limits).
//!
//! # Callbacks
//! A callback returns `()`, [`ControlFlow`](core::ops::ControlFlow), or a `Result` of either; see
//! [`Outcome`](crate::Outcome).
//!
//! # Failed calls and dropped futures
//! The table lists the state after a reading call that has failed because of the source, or whose future was dropped. It
//! applies to sources whose own `read` loses no bytes if its future is dropped. No later call returns `Ok` for data that
//! were not delivered: data that `skip`, `verdict` or `finish` has passed cannot be read any more, even if it failed
//! ([`ArchiveError::AlreadyRead`], [`FieldError::AlreadyRead`], [`ReadError::NotOpen`]).
//!
//! | call | if it has delivered nothing | if it has delivered a part |
//! |---|---|---|
//! | [`Reader::next`], `next_record`, `find`, `next_section`, `next_field`, `header`, `columns`, `entry_count`, `finish`, [`VolumeReader::next`] | can be repeated | (delivers nothing in parts) |
//! | [`Reader::read`], [`RecordReader::read`], [`SectionReader::read`] | can be repeated | (a part is a complete call) |
//! | `skip`, `verdict` | can be repeated, except [`FieldData::skip`] and [`ArchiveReader::skip`]: after these only the `verdict` of these data can be asked for | (delivers nothing) |
//! | [`RecordReader::read_into`], `for_each`; [`SectionReader::element`], `sizes`, `read_exact`; [`MatrixReader::read`], `next_row` | can be repeated | [`ReadError::Interrupted`] until `resume` is called |
//! | [`RecordReader::for_each_record`] | can be repeated: begins with the record that was not passed | the same, for this record |
//! | [`FieldData::read_into`], `read_bytes_into`, `for_each_site` | can be repeated | [`ReadError::Interrupted`]: neither its data nor its verdict can be read; `next_field` goes to the next |
//! | [`ArchiveReader::read_into`], `for_each_site`, `for_each_rank` | can be repeated | [`ReadError::Interrupted`], also from `verdict`, `skip` and `finish`: no later call returns data |
//! | [`VolumeReader::for_each_site`] | can be repeated, unless it has passed sites | is [`ReadError::Interrupted`] |
//! | [`VolumeReader::for_each_site_of`], `for_each_site_in`, `for_each_rank` | can be repeated | can be repeated: passes everything again |
//! | `skip_seeking` | can be repeated | [`ReadError::Lost`] after a seek that was dropped or failed |
//! | `element_seeking`, `read_entries_seeking`, [`Reader::seek_payload`] | can be repeated | can be repeated, but [`ReadError::Lost`] after a seek that failed |
//!
//! # How a call is built
//! The modules here contain no logic of a format, which is in the decoders and encoders. Each call is written once; those
//! with an asynchronous variant are compiled for both kinds of sources or sinks. A call that reads is a job: a function
//! of the decoder and the buffer. It does no input itself, and is called again whenever more bytes have been read. A call
//! that writes is a loop: the encoder returns the next bytes, and the writer puts them into the sink.

mod both;
mod buffer;
mod error;
mod fair;
mod findings;
mod format_reader;
mod frame;
mod held;
mod once;
mod reader;
mod source;
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
    mod reader;
    mod writer;

    pub use reader::{FieldData, FieldReader};
    pub use writer::FieldWriter;
}

mod scda {
    mod reader;
    mod sections;
    #[cfg(feature = "inflate")]
    mod stored;
    mod writer;

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
    mod sites;
    mod writer;

    pub use reader::VolumeReader;
    pub use writer::VolumeWriter;
}

pub use archive::{Archive, ArchiveReader, ArchiveWriter};
pub use buffer::Buffer;
pub use error::{ArchiveError, FieldError, ReadError, WriteError};
pub use field::{FieldData, FieldReader, FieldWriter};
pub use findings::Findings;
pub use format_reader::FormatReader;
pub use frame::NextEvent;
pub use inebin::{MatrixReader, MatrixWriter};
pub use lime::{RecordReader, RecordWriter};
pub use reader::Reader;
pub use scda::{SectionReader, SectionWriter, Sections};
#[cfg(feature = "std")]
pub use std::FromStd;
pub use volume::{VolumeReader, VolumeWriter};
pub use writer::Writer;

pub use crate::field::{FieldSource, Fill};
