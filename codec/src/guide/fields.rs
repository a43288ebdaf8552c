//! Examples for lattice fields: SciDAC and ILDG files.
//!
//! # Read a gauge field into an array, and verify it
//! [`FieldReader`](crate::io::FieldReader) converts whole fields of either stored precision into `f32` or `f64` and
//! computes their checksum at the same time. Sites are ordered by rank: x runs fastest, then y, z, t. Each site has its
//! links, direction x first. A link is stored row by row, an element as its real part and its imaginary part.
//! ```
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! # let source = linkstream_example::links();
//! # let source = source.as_slice();
//! use linkstream::Limits;
//! use linkstream::io::FieldReader;
//!
//! let mut buffer = [0; 8192];
//! let limits = Limits::source(source.len() as u64);
//! let mut file = FieldReader::new(source, &mut buffer).with_limits(limits);
//! while let Some(mut field) = file.next_field()? {
//!     let mut links = vec![0.0_f64; field.number_count()?];
//!     field.read_into(&mut links)?.require_match()?;
//! #   assert_eq!(links.len(), 16 * 72);
//! }
//! # Ok(())
//! # }
//! # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
//! ```
//! `require_match` accepts only data that a stored checksum verifies. Plain ILDG files have none: use
//! [`require_not_refuted`](crate::field::Verdict::require_not_refuted). `numbers()` returns the count of
//! numbers that the file claims to have. It is an error if the source is not that long; other
//! [`Limits`](crate::Limits) serve sources that can seek and streams. Any
//! [`embedded_io::Read`] is a source: a slice, or with the feature `std` `io::FromStd(file)` for any `std::io::Read`.
//!
//! # Read site by site
//! If there is no memory for a whole field, a callback takes one site at a time. It may fail; the rest of the field
//! is then still read and verified. Half of the buffer must hold a site: 8,192 bytes suffice for every data type of
//! SciDAC and ILDG with 3 colors. For larger sites, the error contains the length that is needed.
//! This adds up the real part of the trace of each link in direction x, which is the sum of the numbers 0, 8 and
//! 16 of the link:
//! ```
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! # let source = linkstream_example::links();
//! # let source = source.as_slice();
//! use linkstream::field::{Site, SiteError};
//! use linkstream::io::FieldReader;
//!
//! let (mut buffer, mut trace) = ([0; 8192], 0.0);
//! let mut file = FieldReader::new(source, &mut buffer);
//! let mut field = file.next_field()?.ok_or("no field")?;
//! let add = |site: Site<'_>| -> Result<(), SiteError> {
//!     Ok(trace += site.link(0)?.numbers().step_by(8).sum::<f64>())
//! };
//! field.for_each_site(add)?.require_match()?;
//! # assert_eq!(trace, 16.0 * 3.0 * 0.25);
//! # Ok(())
//! # }
//! # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
//! ```
//!
//! # Verify only
//! ```
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! # let source = linkstream_example::links();
//! # let source = source.as_slice();
//! use linkstream::io::FieldReader;
//!
//! let mut buffer = [0; 8192];
//! let mut file = FieldReader::new(source, &mut buffer);
//! while let Some(mut field) = file.next_field()? {
//!     field.verdict()?.require_match()?;
//! }
//! # Ok(())
//! # }
//! # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
//! ```
//!
//! # Read only the second field, by seeking
//! ```
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! # let source = linkstream_example::Disk::default();
//! # source.bytes.borrow_mut().extend(linkstream_example::links());
//! use linkstream::io::FieldReader;
//!
//! let mut buffer = [0; 8192];
//! let mut file = FieldReader::new(source, &mut buffer);
//! file.next_field()?.ok_or("no field")?.skip_seeking()?;
//! let mut second = file.next_field()?.ok_or("only one field")?;
//! let mut links = vec![0.0_f32; second.number_count()?];
//! second.read_into(&mut links)?.require_match()?;
//! # assert_eq!(links, vec![0.5; 16 * 72]);
//! # Ok(())
//! # }
//! # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
//! ```
//!
//! # Read the sites of a volume
//! The files of a QIO file set are volumes. Each has some of the sites, and the first one describes the fields. The
//! callback receives each site with its rank, in the order of the volume. The data are verified by the checksum of the
//! set.
//! ```
//! # fn read(source: linkstream_example::Disk) -> Result<(), Box<dyn core::error::Error>> {
//! use linkstream::Mode;
//! use linkstream::io::VolumeReader;
//! use linkstream::volume::{Decoder, Event};
//!
//! let (mut list, mut buffer) = ([0; 512], [0; 4096]);
//! let mut volume = VolumeReader::new(source, &mut list, &mut buffer, Decoder::new(Mode::Strict));
//! volume.decoder_mut().expect_no_field();
//! while let Some(event) = volume.next()? {
//!     if event == Event::Field {
//!         let _sites = volume.for_each_site(|site| println!("{}: {:?}", site.rank(), site.bytes()))?;
//!     }
//! }
//! # Ok(())
//! # }
//! # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
//! ```
//! [`VolumeReader`](crate::io::VolumeReader) has the example for all volumes of a set, with the verdict on their data.
//!
//! # Write a gauge field
//! A callback fills the sites. The file has the form that QIO writes for both SciDAC and ILDG programs.
//! `put` returns an error for numbers of another precision than the field's, and for too few or too many of them.
//! ```
//! use linkstream::field::{FieldDocuments, Form};
//! use linkstream::ildg::GaugeKind;
//! use linkstream::io::{FieldWriter, Fill};
//! use linkstream::lattice::{Extents, Precision};
//!
//! let (links, lattice) = (vec![[0.5_f32; 72]; 512], Extents::new(&[4, 4, 4, 8])?);
//! let field = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, &lattice)?;
//! let (mut sink, mut buffer) = (vec![0; 200_000], [0; 4096]);
//! let mut file = FieldWriter::create(&mut sink[..], &mut buffer, lattice)?;
//! file.write(&field.message(b""), Fill::sites(|site| site.put(&links[site.index()])))?;
//! file.finish()?;
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//! From a slice of all numbers, `f32` or `f64`, rounded to the requested precision if necessary; then other kinds of
//! data in the same file:
//! ```
//! use linkstream::field::{FieldDocuments, Form, OutgoingMessage};
//! use linkstream::ildg::GaugeKind;
//! use linkstream::io::FieldWriter;
//! use linkstream::lattice::{Extents, Precision};
//! use linkstream::scidac::PrivateRecord;
//!
//! let (links, quarks, phases) = (vec![0.5_f64; 16 * 72], vec![0.5_f64; 16 * 288], vec![0.5_f32; 16 * 2]);
//! let (mut sink, mut buffer) = (vec![0; 100_000], [0; 4096]);
//! let lattice = Extents::new(&[2, 2, 2, 2])?;
//! let mut file = FieldWriter::create(&mut sink[..], &mut buffer, lattice)?;
//! let field = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F64, Form::Both, &lattice)?;
//! file.write(&field.message(b"thermalised").with_update("100"), &links[..])?;
//! let propagator = PrivateRecord::propagator(Precision::F32);
//! file.write(&OutgoingMessage::scidac(&propagator, b"a point source"), &quarks[..])?;
//! file.write(&OutgoingMessage::scidac(&PrivateRecord::complex_field(Precision::F32), b""), &phases[..])?;
//! // Numbers that belong to no site.
//! let couplings = PrivateRecord::global(Precision::F64, 2);
//! file.write(&OutgoingMessage::scidac(&couplings, b""), &[5.7, 0.137][..])?;
//! file.finish()?;
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # Asynchronously
//! With the feature `async`, the same readers and writers work over `embedded_io_async`. Calls that read or write have
//! the same names with `_async` at the end:
#![cfg_attr(feature = "async", doc = "```")]
#![cfg_attr(not(feature = "async"), doc = "```ignore")]
//! use embedded_io_async::{Read, Write};
//! use linkstream::field::OutgoingMessage;
//! use linkstream::io::{FieldReader, FieldWriter};
//! use linkstream::lattice::{Extents, Precision};
//! use linkstream::scidac::PrivateRecord;
//!
//! async fn means<R: Read, W: Write>(source: R, sink: W) -> Result<(), Box<dyn core::error::Error>>
//! where
//!     R::Error: 'static,
//!     W::Error: 'static,
//! {
//!     let (mut input, mut output) = ([0; 8192], [0; 4096]);
//!     let mut source = FieldReader::new(source, &mut input);
//!     let mut sink = FieldWriter::create(sink, &mut output, Extents::new(&[2, 2, 2, 2])?)?;
//!     while let Some(mut field) = source.next_field_async().await? {
//!         let mut links = vec![0.0_f64; field.number_count()?];
//!         field.read_into_async(&mut links).await?.require_match()?;
//!         let mean = links.iter().sum::<f64>() / links.len() as f64;
//!         let record = PrivateRecord::global(Precision::F64, 1);
//!         sink.write_async(&OutgoingMessage::scidac(&record, b"mean"), &[mean][..]).await?;
//!     }
//!     sink.finish_async().await?;
//!     Ok(())
//! }
//! # let (source, mut sink) = (linkstream_example::links(), vec![0; 8192]);
//! # let work = means(source.as_slice(), &mut sink[..]);
//! # linkstream_example::run(work).map_err(|error| error.to_string())?;
//! # let quarter = 0.25_f64.to_be_bytes();
//! # assert!(sink.windows(8).any(|bytes| bytes == quarter));
//! # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example_async.rs")); }
//! # Ok::<(), String>(())
//! ```
