//! A cookbook: examples that can be copied, by task and by format.
//!
//! | you want to | page |
//! |---|---|
//! | verify an ensemble every night, in a shell | [`nightly`] |
//! | read fields in NumPy | [`numpy`] |
//! | read a field from an SD card on a microcontroller | [`microcontroller`] |
//! | go on after a power cut, from two pages of flash | [`power_loss`] |
//! | verify fields of a known lattice with little flash | [`known_geometry`] |
//! | use the library without an allocator: errors, buffers, sockets and UARTs | [`without_allocator`] |
//! | check files in the browser before they are uploaded | [`upload`] |
//! | read and write fields in Rust | [`fields`], and below |
//! | read and write archives, records, sections and matrices in Rust | below |
#![cfg_attr(
    feature = "async",
    doc = "| use asynchronous sources and sinks | [`asynchronous`] (feature `async`) |"
)]
#![cfg_attr(
    not(feature = "async"),
    doc = "| use asynchronous sources and sinks | `asynchronous` (`cargo doc --features async`) |"
)]
//! | know which mistakes are errors | [`misuse`] |
//! | change a program from version 0.1 | [`from_0_1`] |
//!
//! All blocks are run or compiled by the project's tests: Rust, commands, Python and JavaScript. Most pages
//! have complete functions, programs or scripts. The examples below are the body of a `main` function that returns a
//! `Result`; the code that creates their input is not shown. A source is any type that implements `embedded_io::Read`,
//! a sink any type that implements `embedded_io::Write`: slices here; files and sockets as `io::FromStd(file)` with the
//! feature `std`; a UART or a flash chip on a board. The caller provides all buffers. LIME has no end mark: a source that
//! continues after the file, such as a socket or a UART, must be [limited to the file's
//! length](without_allocator#the-end-of-a-file-from-a-socket-or-a-uart).
//!
//! # Fields
//! Write a gauge field whose sites are filled by a callback:
//! ```
//! use linkstream::field::{FieldDocuments, Form};
//! use linkstream::ildg::GaugeKind;
//! use linkstream::io::{FieldWriter, Fill};
//! use linkstream::lattice::{Extents, Precision};
//!
//! let (links, lattice) = (vec![[0.5_f32; 72]; 16], Extents::new(&[2, 2, 2, 2])?);
//! let field = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, &lattice)?;
//! let (mut sink, mut buffer) = (vec![0; 8192], [0; 4096]);
//! let mut file = FieldWriter::create(&mut sink[..], &mut buffer, lattice)?;
//! file.write(&field.message(b""), Fill::sites(|site| site.put(&links[site.index()])))?;
//! file.finish()?;
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//! Read each field into an array of `f32` or `f64`, whatever its stored precision, and verify its checksum if it has
//! one:
//! ```
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! use linkstream::io::FieldReader;
//! # let source = linkstream_example::file();
//! # let source = source.as_slice();
//!
//! let mut buffer = [0; 8192];
//! let mut file = FieldReader::new(source, &mut buffer);
//! while let Some(mut field) = file.next_field()? {
//!     let mut numbers = vec![0.0_f64; field.number_count()?];
//!     field.read_into(&mut numbers)?.require_not_refuted()?;
//! }
//! # Ok(())
//! # }
//! # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
//! ```
//!
//! [`fields`] has more examples: reading site by site, verifying without reading, seeking, other kinds of data, and
//! asynchronous sources and sinks.
//!
//! # Archives: NERSC and MILC
//! Read all links, with three rows, in native byte order. The sites are in natural order, x fastest. Each site has the
//! links in the directions x, y, z, t. A link is stored row by row, an element as its real part and its imaginary part:
//! ```
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! use linkstream::io::ArchiveReader;
//! # let source = linkstream_example::nersc();
//! # let source = source.as_slice();
//!
//! let mut buffer = [0; 4096];
//! let mut archive = ArchiveReader::nersc(source, &mut buffer);
//! let mut links = vec![0.0_f64; archive.number_count()?];
//! archive.read_into(&mut links)?.require_not_refuted()?;
//! archive.finish()?;
//! # Ok(())
//! # }
//! # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
//! ```
//! Write a NERSC archive. Its header has the checksum of the data, so it is written again at the end:
//! ```
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! use linkstream::io::ArchiveWriter;
//! use linkstream::lattice::{ByteOrder, Extents, Precision};
//! use linkstream::nersc::{Header, StoredRows};
//! # let sink = linkstream_example::Disk::default();
//!
//! let header = Header::new(Extents::new(&[2, 2, 2, 2])?, Precision::F64, StoredRows::Reduced, ByteOrder::Big)?;
//! let mut buffer = [0; 2048];
//! let mut archive = ArchiveWriter::create(sink, &mut buffer, &header, &[("ENSEMBLE_ID", "example")])?;
//! archive.put(&[0.5_f64; 16 * 72][..])?;
//! archive.finish_seeking()?;
//! # Ok(())
//! # }
//! # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
//! ```
//!
//! # LIME: records
//! Write a message of two records:
//! ```
//! use linkstream::io::RecordWriter;
//!
//! let mut sink = [0; 304];
//! let mut file = RecordWriter::create(&mut sink[..]);
//! file.write_message([(&b"greeting"[..], &b"hello"[..]), (b"name", b"world")])?;
//! file.finish()?;
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//! Read all records:
//! ```
//! use linkstream::io::RecordReader;
//!
//! # let mut source = [0; 304];
//! # let mut file = linkstream::io::RecordWriter::create(&mut source[..]);
//! # file.write_message([(&b"greeting"[..], &b"hello"[..]), (b"name", b"world")])?;
//! let (mut buffer, mut payload) = ([0; 512], [0; 100]);
//! let mut file = RecordReader::new(&source[..], &mut buffer);
//! file.for_each_record(&mut payload, |record_type, payload| println!("{record_type:?}: {payload:?}"))?;
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//! Find a record by its type, and pass its payload to a callback in pieces. This works for payloads of any length:
//! ```
//! use linkstream::io::RecordReader;
//!
//! # let mut source = [0; 304];
//! # let mut file = linkstream::io::RecordWriter::create(&mut source[..]);
//! # file.write_message([(&b"greeting"[..], &b"hello"[..]), (b"name", b"world")])?;
//! let (mut buffer, mut name) = ([0; 512], Vec::new());
//! let mut file = RecordReader::new(&source[..], &mut buffer);
//! if file.find(b"name")?.is_some() {
//!     file.for_each(|bytes| name.extend_from_slice(bytes))?;
//! }
//! assert_eq!(name, b"world");
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # Push: chunks that arrive by themselves
//! Use this in an interrupt, in a worker thread or in the callback of a socket. [`drive`](crate::drive) works with any
//! decoder:
//! ```
//! use linkstream::lime::{Decoder, Event};
//! use linkstream::{Mode, drive, finish};
//!
//! # let mut source = [0; 304];
//! # let mut file = linkstream::io::RecordWriter::create(&mut source[..]);
//! # file.write_message([(&b"greeting"[..], &b"hello"[..]), (b"name", b"world")])?;
//! # let chunks = source.chunks(100);
//! let mut decoder = Decoder::new(Mode::Strict);
//! let mut payload = 0;
//! for chunk in chunks {
//!     drive(&mut decoder, chunk, |event, bytes, _| if event == Event::Payload { payload += bytes.len() })?;
//! }
//! finish(&mut decoder, |_, _, _| {})?;
//! assert_eq!(payload, 10);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//! An interrupt handler needs the decoder in a static; [`microcontroller`] has an example.
//!
//! # scda: sections
//! Write an array of elements of 3 bytes each, and a variable array, whose elements differ in size:
//! ```
//! use linkstream::io::SectionWriter;
//! use linkstream::scda::Style;
//!
//! // The file header has 128 bytes, the array 160, the variable array 224.
//! let mut sink = [0; 512];
//! let mut file = SectionWriter::create(&mut sink[..], Style::Unix);
//! file.write_header(b"my program", b"an example")?;
//! file.write_array(b"ids", 3, b"abcdef")?;
//! file.write_varray(b"words", [&b"one"[..], b"", b"three"])?;
//! file.finish()?;
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//! Read the elements of each section (a block is one element):
//! ```
//! use linkstream::io::SectionReader;
//!
//! # let mut source = [0; 288];
//! # let mut file = linkstream::io::SectionWriter::create(&mut source[..], linkstream::scda::Style::Unix);
//! # file.write_header(b"my program", b"an example")?;
//! # file.write_array(b"ids", 3, b"abcdef")?;
//! let (mut buffer, mut element) = ([0; 512], [0; 100]);
//! let mut file = SectionReader::new(&source[..], &mut buffer);
//! while file.next_section()?.is_some() {
//!     while let Some(element) = file.element(&mut element)? {
//!         println!("{element:?}");
//!     }
//! }
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//! Read a variable array. The sizes of its elements precede the data. The caller provides a table for them:
//! ```
//! use linkstream::io::SectionReader;
//!
//! # let mut source = [0; 512];
//! # let mut file = linkstream::io::SectionWriter::create(&mut source[..], linkstream::scda::Style::Unix);
//! # file.write_header(b"my program", b"an example")?;
//! # file.write_array(b"ids", 3, b"abcdef")?;
//! # file.write_varray(b"words", [&b"one"[..], b"", b"three"])?;
//! let (mut buffer, mut table, mut element, mut words) = ([0; 512], [0; 10], [0; 100], Vec::new());
//! let mut file = SectionReader::new(&source[..], &mut buffer).with_table(&mut table);
//! while file.next_section()?.is_some() && file.user() != b"words" {}
//! while let Some(word) = file.element(&mut element)? {
//!     words.push(word.to_vec());
//! }
//! assert_eq!(words, [&b"one"[..], b"", b"three"]);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # INEBIN: matrices
//! Write a matrix by rows:
//! ```
//! use linkstream::inebin::{Header, MatrixType};
//! use linkstream::io::MatrixWriter;
//!
//! let (mut sink, mut buffer, header) = ([0; 64], [0; 512], Header::new(MatrixType::Real, 2, 3)?);
//! let mut matrix = MatrixWriter::create(&mut sink[..], &mut buffer, &header);
//! matrix.put_rows(&[1.0, 1.5, 2.0, 2.5, 3.0, 3.5])?;
//! matrix.finish()?;
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//! Read a matrix row by row. Bits are read into `bool`, integers into `i64`, real numbers into `f64`, complex
//! numbers into [`Complex`](crate::inebin::Complex):
//! ```
//! use linkstream::io::MatrixReader;
//!
//! let source = b"INEBIN\0B\x03\0\0\0\x05\0\0\0\x99\x21";
//! let mut buffer = [0; 512];
//! let mut matrix = MatrixReader::new(&source[..], &mut buffer);
//! let mut row = vec![false; matrix.columns()?];
//! while matrix.next_row(&mut row)? {
//!     println!("{row:?}");
//! }
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

#[cfg(feature = "async")]
#[doc = include_str!("guide/items.txt")]
#[doc = include_str!("guide/asynchronous.md")]
pub mod asynchronous {}
pub mod fields;
#[doc = include_str!("guide/from_0_1.md")]
pub mod from_0_1 {}
#[doc = include_str!("guide/items.txt")]
#[doc = include_str!("guide/known_geometry.md")]
/// ```
/// #![no_std]
/// # extern crate std;
#[doc = include_str!("guide/known_geometry.rs")]
/// # fn main() -> Result<(), std::io::Error> {
/// #     let file = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/su3-4x4x4x8.lime"))?;
/// #     let run = |file: &[u8]| {
/// #         let mut verifier = Verifier::<288>::new(4 * 4 * 4 * 8);
/// #         for block in file.chunks(512) {
/// #             verifier.block(block)?;
/// #         }
/// #         verifier.end()
/// #     };
/// #     assert!(matches!(run(&file), Ok(Outcome::Verified(_))));
/// #     assert_eq!(run(&file[..149_544]), Ok(Outcome::Unverified(Doubt::NoChecksum)));
/// #     assert!(run(&file[..50_000]).is_err());
/// #     Ok(())
/// # }
/// ```
pub mod known_geometry {}
#[doc = include_str!("guide/items.txt")]
#[doc = include_str!("guide/microcontroller.md")]
pub mod microcontroller {}

/// Misuse of readers and writers: compile errors, errors at run time, and mistakes that are impossible.
///
#[doc = include_str!("guide/items.txt")]
#[doc = include_str!("guide/misuse_readers.md")]
#[doc = include_str!("guide/misuse_writers.md")]
pub mod misuse {}

#[doc = include_str!("guide/nightly.md")]
pub mod nightly {}
#[doc = include_str!("guide/numpy.md")]
pub mod numpy {}
#[doc = include_str!("guide/items.txt")]
#[doc = include_str!("guide/power_loss.md")]
pub mod power_loss {}
#[doc = include_str!("guide/upload.md")]
pub mod upload {}

#[doc = include_str!("guide/items.txt")]
#[doc = include_str!("guide/without_allocator.md")]
#[cfg_attr(feature = "async", doc = include_str!("guide/without_allocator_async.md"))]
pub mod without_allocator {}
