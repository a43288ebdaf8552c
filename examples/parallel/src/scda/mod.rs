//! Collective reading and writing of scda files: the interface of the paper (Griesbach and Burstedde, 2023,
//! appendix A.3 to A.5), for any number of ranks and any partition. The file is the one that a single process writes.
//!
//! | paper | here |
//! |---|---|
//! | `scda_fopen` with `w`, `scda_fclose` | [`Writer::create`], [`Writer::close`] |
//! | `scda_fwrite_inline`, `_block`, `_array`, `_varray` | [`Writer::inline`], [`block`](Writer::block), [`array`](Writer::array), [`varray`](Writer::varray) |
//! | `scda_fopen` with `r`, `scda_fclose` | [`Reader::open`], [`Reader::close`] |
//! | `scda_fread_section_header` | [`Reader::section_header`] |
//! | `scda_fread_inline_data`, `_block_data`, `_array_data` | [`Reader::inline_data`], [`block_data`](Reader::block_data), [`array_data`](Reader::array_data) |
//! | `scda_fread_varray_sizes`, `_varray_data` | [`Reader::varray_sizes`], [`varray_data`](Reader::varray_data) |
//! | `NULL` on a process | `None`; [`Reader::skip`] skips the data on all ranks |
//! | `indirect` | [`Elements::Indirect`], [`ElementsMut::Indirect`] |
//! | `(N_q)` | [`Partition::Table`], or [`Partition::Own`] without a table |
//! | `(S_q)` | not an argument: the ranks add up their sizes |
//! | `err` | [`Error`](crate::Error), the same on all ranks |
//!
//! Every rank enters every call, even if it has no elements. All arguments are collective, except data, sizes and the
//! own count of [`Partition::Own`]. Each call begins with a comparison: if ranks pass different ones or make different
//! calls, no rank does anything, and all get an error that names the argument and both values.
//!
//! After an error the file is closed as it is, and every later call returns the same error (A.2). Damage is reported
//! with the rule and the absolute offset of the [codec](linkstream::scda); if several ranks find damage, the one at the
//! lowest offset is reported, which is what a single process finds.
//!
//! # Memory and requests
//! A rank needs memory for its own elements, and the table if it passes one. The numbers below do not depend on the
//! number of ranks. (The engine [`IoRanks`](crate::file::IoRanks) makes one more small collective call in each
//! collective access.)
//!
//! | call | small collective calls | own requests of rank 0, root | collective accesses |
//! |---|---|---|---|
//! | open to write | 2 | 1 write | 0 |
//! | inline, block | 2 | 1 write each | 0 |
//! | block, encoded | 3 | 1 write each | 0 |
//! | array | 2 | 0 | 1 |
//! | array, encoded; varray, encoded or not | 4 | 0 | 1 |
//! | open to read | 3 | 1 read | 0 |
//! | section header | 3 | 1 read | 0 |
//! | section header of an encoded varray | 4 | 2 reads | 0 |
//! | read inline, block | 2 | root 1 read | 0 |
//! | read array | 2 | 0 | 1 |
//! | read array, encoded | 4 | 0 | 2 |
//! | read varray sizes | 4 | 0 | 1 |
//! | read varray data | 2 | 0 | 1 |
//! | skip | 2 | 0 | 0 |
//! | skip the sizes of a varray | 4 | 0 | 1 for each 32,768 elements of a rank |
//!
//! [`Partition::Own`] adds two small collective calls where the table adds none: in all calls for arrays, except where
//! sizes are added up anyway while writing. An error adds up to three.
//!
//! ```
//! use linkstream::scda::SectionType;
//! use linkstream_parallel::comm::{Comm, Threads};
//! use linkstream_parallel::file::{IoRanks, SystemDisk};
//! use linkstream_parallel::scda::{Elements, ElementsMut, Partition, Reader, Writer};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("file.scda");
//! let outcomes = Threads::new(3).run(|comm| {
//!     // Ranks 0 and 2 have two and one elements of 4 bytes, compressed in the file.
//!     let engine = IoRanks::new(comm, SystemDisk).expect("the ranks communicate");
//!     let data = [&b"onlytwo."[..], b"", b"last"][comm.rank()];
//!     let mut writer = Writer::create(comm, &engine, &path, b"an example", &Default::default())?;
//!     let partition = Partition::Table(&[2, 0, 1]);
//!     writer.array(b"words", partition, 4, Elements::Contiguous(data), true)?;
//!     writer.close()?;
//!
//!     // Another partition on reading: rank 1 reads all elements.
//!     let mut reader = Reader::open(comm, &engine, &path, &Default::default())?;
//!     let header = reader.section_header(true)?.expect("a section");
//!     assert_eq!((header.section_type, header.n.get(), header.e.get()), (SectionType::Array, 3, 4));
//!     let own = if comm.rank() == 1 { 3 } else { 0 };
//!     let mut words = vec![0; own * 4];
//!     reader.array_data(Partition::Own(own as u64), Some(ElementsMut::Contiguous(&mut words)))?;
//!     assert!(reader.section_header(true)?.is_none());
//!     reader.close()?;
//!     Ok::<_, linkstream_parallel::Error>(words)
//! });
//! assert_eq!(outcomes[1].as_deref(), Ok(&b"onlytwo.last"[..]));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

mod data;
mod elements;
mod header;
mod joined;
mod partition;
pub mod parts;
mod read;
mod sizes;
mod unpack;
mod write;

pub use elements::{Elements, ElementsMut};
pub use header::{ReadOptions, SectionHeader, WriteOptions};
pub use partition::Partition;
pub use read::Reader;
pub use write::Writer;
