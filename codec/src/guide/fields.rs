//! Examples for lattice fields: SciDAC and ILDG files.
//!
//! # Read a gauge field into an array, and verify it
//! [`FieldReader`](crate::io::FieldReader) converts whole fields of either stored precision into `f32` or `f64` and
//! computes their checksum at the same time. Sites are ordered by rank: x runs fastest, then y, z, t. At each site
//! there are the links, direction x first; of each link the elements, row by row; of each element the real part,
//! then the imaginary part.
//! ```
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! use linkstream::io::FieldReader;
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/su3-4x4x4x8.lime");
//! # let Ok(source) = std::fs::read(path) else { return Ok(()) };
//! # let source = source.as_slice();
//! # let mut buffer = [0; 4096];
//!
//! let mut file = FieldReader::new(source, &mut buffer);
//! while let Some(mut field) = file.next_field()? {
//!     let mut links = vec![0.0_f64; field.numbers()?];
//!     field.read_into(&mut links)?;
//!     field.verdict()?.require_match()?;
//! #   assert_eq!(links.len(), 512 * 72);
//! }
//! # Ok(())
//! # }
//! ```
//! `numbers()` is what the file claims: if you do not trust the file, compare it with the size that you expect
//! before allocating. Any [`embedded_io::Read`] is a source: a slice, or any `std::io::Read` through the crate
//! `embedded-io-adapters`.
//!
//! # Read site by site
//! If there is no memory for a whole field, a callback takes one site at a time. It may fail; the rest of the field
//! is then still read and verified.
//! ```
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! # use linkstream::field::SiteError;
//! # use linkstream::io::FieldReader;
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/su3-4x4x4x8.lime");
//! # let Ok(source) = std::fs::read(path) else { return Ok(()) };
//! # let mut buffer = [0; 4096];
//! # let mut file = FieldReader::new(source.as_slice(), &mut buffer);
//! # let Some(mut field) = file.next_field()? else { return Ok(()) };
//! # let mut trace = 0.0;
//! field.for_each_site(|site| -> Result<(), SiteError> { Ok(trace += site.link(0)?.numbers().step_by(8).sum::<f64>()) })?;
//! # assert!(trace.is_finite() && trace != 0.0);
//! # Ok(())
//! # }
//! ```
//!
//! # Verify only
//! ```
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! # use linkstream::io::FieldReader;
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/su3-4x4x4x8.lime");
//! # let Ok(source) = std::fs::read(path) else { return Ok(()) };
//! # let source = source.as_slice();
//! # let mut buffer = [0; 4096];
//! let mut file = FieldReader::new(source, &mut buffer);
//! while let Some(mut field) = file.next_field()? {
//!     field.verdict()?.require_match()?;
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Read only the second field, by seeking
//! ```
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! # use linkstream::io::FieldReader;
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/su3-4x4x4x8.lime");
//! # let Ok(source) = std::fs::read(path) else { return Ok(()) };
//! # let disk = linkstream_example::Disk::default();
//! # disk.bytes.borrow_mut().extend(source);
//! # let source = disk;
//! # let mut buffer = [0; 4096];
//! # let mut file = FieldReader::new(source, &mut buffer);
//! file.next_field()?.ok_or("no field")?.skip_seeking()?;
//! let second = file.next_field()?;
//! # assert!(second.is_none());
//! # Ok(())
//! # }
//! # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example_disk.rs")); }
//! ```
//!
//! # Write a gauge field
//! The sites are filled by a callback, and the file is written as QIO writes it for both SciDAC and ILDG programs.
//! `put` returns an error for numbers of another precision than the field's, and for too few or too many of them.
//! ```
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! use linkstream::field::Form;
//! use linkstream::ildg::GaugeKind;
//! use linkstream::io::FieldWriter;
//! use linkstream::lattice::{Extents, Precision};
//! # let links = vec![[0.5_f32; 72]; 512];
//! # let (mut sink, mut buffer) = (vec![0; 200_000], [0; 4096]);
//! # let sink = &mut sink[..];
//!
//! let mut file = FieldWriter::create(sink, &mut buffer, Extents::new(&[4, 4, 4, 8])?)?;
//! file.gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, |site| site.put(&links[site.index()]))?;
//! file.finish()?;
//! # Ok(())
//! # }
//! ```
//! From a slice of all numbers, `f32` or `f64`, rounded to the requested precision if necessary; then other kinds of
//! data in the same file:
//! ```
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! # use linkstream::field::Form;
//! # use linkstream::ildg::GaugeKind;
//! # use linkstream::io::FieldWriter;
//! # use linkstream::lattice::{Extents, Precision};
//! # let (links, quarks, phases) = (vec![0.5_f64; 512 * 72], vec![0.5_f64; 512 * 288], vec![0.5_f32; 1024]);
//! # let (mut sink, mut buffer) = (vec![0; 2_000_000], [0; 4096]);
//! # let mut file = FieldWriter::create(&mut sink[..], &mut buffer, Extents::new(&[4, 4, 4, 8])?)?;
//! file.gauge_field_from(GaugeKind::SU3, Precision::F64, Form::Both, &links)?;
//! file.propagator_from(Precision::F32, &quarks)?;
//! file.complex_field_from(Precision::F32, &phases)?;
//! file.global_from(Precision::F64, &[5.7, 0.137])?;
//! # file.finish()?;
//! # Ok(())
//! # }
//! ```
