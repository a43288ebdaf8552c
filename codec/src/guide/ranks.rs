//! Checkpoint on many ranks: several processes write or read one file.
//!
//! For programs that run on many ranks, with MPI or threads. Each rank writes its sites or elements at their positions
//! in one file, and the result is the file that a single process would write. linkstream computes the positions, and
//! the program communicates: the library has no dependency on MPI. The packages `examples/parallel` and `examples/mpi` of
//! the repository do this whole task with collective calls, with and without MPI.
//!
//! A rank is a process here, not the number of a site. The first example is a complete program with threads as ranks.
//! The others are the body of a `main` function, and run one rank after the other. Each rank opens the file by itself,
//! and comments name the calls of MPI. All examples need the feature `std`, for [`FromStd`](crate::io).
//!
//! # Write a gauge field
//! Each rank has a box of the lattice, here of a grid of 2x1x1x2 ranks. A box has any number of pieces in the file, and
//! can be empty (`None`); see [`box_from`](crate::io::FieldWriter::box_from), also for sites in another order in
//! memory. A [`BoxPart`](crate::field::BoxPart) is the same without input and output. All ranks
//! begin and end the same fields in the same order; only rank 0 writes documents and headers. Each rank computes the
//! checksum of its own sites, and the combined checksum is stored in the file.
#![cfg_attr(feature = "std", doc = "```")]
#![cfg_attr(not(feature = "std"), doc = "```ignore")]
//! use std::error::Error;
//! use std::fs::{File, OpenOptions};
//! use std::path::Path;
//! use std::sync::{Barrier, Mutex};
//!
//! use linkstream::field::Form;
//! use linkstream::ildg::GaugeKind;
//! use linkstream::io::{FieldReader, FieldWriter, FromStd, Positioned};
//! use linkstream::lattice::{Checksum, Coordinates, Extents, Hypercube, Precision};
//!
//! const RANKS: usize = 4;
//!
//! /// Threads take the place of ranks: `sums` and `all` do what MPI_Allreduce with MPI_BXOR does.
//! struct Job<'a> {
//!     path: &'a Path,
//!     lattice: Extents,
//!     sums: Mutex<[Checksum; RANKS]>,
//!     all: Barrier,
//! }
//!
//! /// Writes the links of one rank, which has half of the extents in x and t.
//! fn save(job: &Job<'_>, rank: usize, links: &[f32]) -> Result<(), Box<dyn Error + Send + Sync>> {
//!     let (x, t) = (2 * (rank as u32 % 2), 4 * (rank as u32 / 2));
//!     let corner = |site: [u32; 4]| Coordinates::new(&site).ok_or("more than 8 dimensions");
//!     let cube = Hypercube::new(corner([x, 0, 0, t])?, corner([x + 1, 3, 3, t + 3])?, &job.lattice)?;
//!     let own = FromStd(OpenOptions::new().write(true).open(job.path)?);
//!     let mut buffer = [0; 4096];
//!     let mut file = FieldWriter::create_part(Positioned::new(own), &mut buffer, job.lattice, rank == 0)?;
//!     let field = file.gauge_field_box_from(GaugeKind::SU3, Precision::F32, Form::Both, Some(cube), links)?;
//!
//!     job.sums.lock().unwrap()[rank] = file.encoder().checksum().unwrap_or_default();
//!     job.all.wait();
//!     let mut others = *job.sums.lock().unwrap();
//!     others[rank] = Checksum::default();
//!     file.end_part(&field, others.into_iter().fold(Checksum::default(), Checksum::combine))?;
//!     file.finish()?.into_inner().0.sync_all()?;
//!     Ok(())
//! }
//!
//! fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
//!     let path = std::env::temp_dir().join(format!("checkpoint-{}.lime", std::process::id()));
//!     File::create(&path)?;
//!     let job = Job {
//!         path: &path,
//!         lattice: Extents::new(&[4, 4, 4, 8])?,
//!         sums: Mutex::default(),
//!         all: Barrier::new(RANKS),
//!     };
//!     // 2x4x4x4 sites on each rank, of 72 numbers.
//!     std::thread::scope(|scope| {
//!         let ranks = [0, 1, 2, 3].map(|rank| {
//!             let job = &job;
//!             scope.spawn(move || save(job, rank, &[rank as f32; 128 * 72]))
//!         });
//!         ranks.into_iter().try_for_each(|rank| rank.join().expect("a rank panicked"))
//!     })?;
//!
//!     let mut buffer = [0; 8192];
//!     let mut file = FieldReader::new(FromStd(File::open(&path)?), &mut buffer);
//!     let mut field = file.next_field()?.ok_or("no field")?;
//!     let mut links = vec![0.0_f32; field.numbers()?];
//!     field.read_into(&mut links)?.require_match()?;
//!     assert_eq!([links[0], links[2 * 72], links[512 * 72 - 1]], [0.0, 1.0, 3.0]);
//!     drop(file);
//!     std::fs::remove_file(path)?;
//!     Ok(())
//! }
//! ```
//! `require_match` shows that all sites are in the file once and that the checksums were exchanged correctly.
//!
//! **What can go wrong**
//! * The file must exist before the ranks open it, and must be empty: bytes that no rank writes keep their old value.
//!   If an old file is longer, its end remains.
//! * If a rank writes no sites, or two write the same ones, no call returns an error, because the ranks do not know
//!   the sites of each other. `require_match` and `linkstream check` report a checksum mismatch.
//! * If a rank stops before `end_part`, the file is incomplete and has no checksum. Write to a temporary name, verify,
//!   then rename.
//! * A site must belong to one rank only: ranks write whole sites.
//!
//! # Read a gauge field
//! Each rank finds the field, reads its own sites, and computes their checksum. The combined checksum of all ranks is
//! compared with the stored one, so the field is verified although no rank reads all of it.
#![cfg_attr(feature = "std", doc = "```")]
#![cfg_attr(not(feature = "std"), doc = "```ignore")]
//! use std::error::Error;
//! use std::fs::File;
//! use std::path::Path;
//!
//! use linkstream::Limits;
//! use linkstream::field::{BoxPart, Field, Verdict};
//! use linkstream::io::{BoxReader, FieldReader, FromStd, Positioned};
//! use linkstream::lattice::{Checksum, Coordinates, Hypercube};
//!
//! /// Description of the first field. One rank can find it and broadcast it.
//! fn find(path: &Path) -> Result<Field, Box<dyn Error>> {
//!     let mut buffer = [0; 8192];
//!     let mut file = FieldReader::new(FromStd(File::open(path)?), &mut buffer);
//!     Ok(*file.next_field()?.ok_or("no field")?.layout().ok_or("no layout")?)
//! }
//!
//! /// Numbers of one of several ranks, and their checksum. Each rank has the same number of time slices.
//! fn load(path: &Path, field: &Field, rank: u32, ranks: u32) -> Result<(Vec<f64>, Checksum), Box<dyn Error>> {
//!     let corner = |site: [u32; 4]| Coordinates::new(&site).ok_or("more than 8 dimensions");
//!     let [x, y, z, t]: [u32; 4] = field.extents.as_slice().try_into()?;
//!     let (first, next) = (t * rank / ranks, t * (rank + 1) / ranks);
//!     let cube = Hypercube::new(corner([0, 0, 0, first])?, corner([x - 1, y - 1, z - 1, next - 1])?, &field.extents)?;
//!     let part = BoxPart::new(field, cube)?;
//!     let mut numbers = vec![0.0; part.numbers(Limits::DEFAULT)?];
//!     let mut file = BoxReader::new(Positioned::new(FromStd(File::open(path)?)), vec![0; 1 << 16]);
//!     let checksum = file.read_into(&part, &mut numbers)?;
//!     Ok((numbers, checksum))
//! }
//!
//! /// Compares the checksum of all ranks with the stored one. One rank does it.
//! fn verify(path: &Path, checksum: Checksum) -> Result<Verdict, Box<dyn Error>> {
//!     let mut buffer = [0; 8192];
//!     let mut file = FieldReader::new(FromStd(File::open(path)?), &mut buffer);
//!     Ok(file.next_field()?.ok_or("no field")?.verify_sum(checksum)?)
//! }
//!
//! # let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
//! # std::env::set_current_dir(manifest)?;
//! let path = Path::new("examples/su3-4x4x4x8.lime");
//! let field = find(path)?;
//! let mut checksum = Checksum::default();
//! for rank in 0..4 {
//!     let (_links, own) = load(path, &field, rank, 4)?;
//!     // MPI_Allreduce with MPI_BXOR over `suma` and `sumb`.
//!     checksum = checksum.combine(own);
//! }
//! verify(path, checksum)?.require_match()?;
//! # Ok::<(), Box<dyn Error>>(())
//! ```
//! `require_match` fails if the file has no checksum, and the data are therefore unverified; see
//! [`Verdict`](crate::field::Verdict).
//!
//! # Write and read an scda file
//! For data that are not fields. Each rank has a number of elements; here each element is a number of 8 bytes. The
//! parts of the ranks follow each other in the order of the ranks. Another number of ranks can read the file.
#![cfg_attr(feature = "std", doc = "```")]
#![cfg_attr(not(feature = "std"), doc = "```ignore")]
//! use std::error::Error;
//! use std::fs::{File, OpenOptions};
//! use std::path::Path;
//!
//! use linkstream::io::{FromStd, PartWriter, WindowReader};
//! use linkstream::scda::{ElementPart, PartEncoder, Section, SectionType, Style};
//!
//! /// Writes the numbers of one rank. `counts` has the counts of all ranks, from MPI_Allgather.
//! fn save(path: &Path, rank: usize, counts: &[u64], own: &[f64]) -> Result<(), Box<dyn Error>> {
//!     let file = FromStd(OpenOptions::new().write(true).open(path)?);
//!     let mut file = PartWriter::new(file, PartEncoder::new(rank, Style::Unix));
//!     let total = counts.iter().sum::<u64>().into();
//!     file.header(b"my program", b"checkpoint")?;
//!     file.array(b"energies", 8.into(), &ElementPart::of(rank, counts.iter().copied(), total)?)?;
//!     for number in own {
//!         file.data(&number.to_le_bytes())?;
//!     }
//!     file.end()?;
//!     file.finish()?.0.sync_all()?;
//!     Ok(())
//! }
//!
//! /// Reads `count` numbers from number `first` on.
//! fn load(path: &Path, section: &Section, first: u64, count: u64) -> Result<Vec<f64>, Box<dyn Error>> {
//!     let window = section.data_window(8 * first, 8 * count)?;
//!     let mut own = WindowReader::new(FromStd(File::open(path)?), window);
//!     let (mut bytes, mut numbers) = ([0; 8], Vec::new());
//!     while own.read(&mut bytes)? > 0 {
//!         numbers.push(f64::from_le_bytes(bytes));
//!     }
//!     Ok(numbers)
//! }
//!
//! let path = std::env::temp_dir().join(format!("checkpoint-{}.scda", std::process::id()));
//! File::create(&path)?;
//! // In any order, or at the same time: the ranks need not wait for each other.
//! for (rank, own) in [(2, &[3.5][..]), (0, &[0.5, 1.5]), (1, &[2.5])] {
//!     save(&path, rank, &[2, 1, 1], own)?;
//! }
//! // The first section begins after the file header of 128 bytes.
//! let section = Section { offset: 128, section_type: SectionType::Array, n: 4.into(), e: 8.into() };
//! // Two ranks read what three have written.
//! assert_eq!(load(&path, &section, 0, 2)?, [0.5, 1.5]);
//! assert_eq!(load(&path, &section, 2, 2)?, [2.5, 3.5]);
//! # std::fs::remove_file(path)?;
//! # Ok::<(), Box<dyn Error>>(())
//! ```
//! A rank that does not know the sections reads them with a [`SectionReader`](crate::io::SectionReader) or receives
//! their descriptions from another rank. [`SizeReader`](crate::io::SizeReader) finds the elements of a variable array.
//!
//! **What can go wrong**
//! * All ranks must make the same calls in the same order, a rank without elements, too: otherwise it does not know
//!   where the next section begins.
//! * scda has no checksum. Readers report truncation and broken framing, but not changed data.
//! * The format does not record the byte order of numbers. The example writes little endian.
