//! scda: a format of blocks and arrays of bytes, for programs that run on many processes.
//!
//! A file is a header section followed by any number of other sections. Each has a head of 64 bytes, counts (entries of
//! 32 bytes with decimal digits), data, and padding up to a multiple of 32 bytes. The format does not define the meaning
//! of the data, nor their byte order. The [format reference](#reference) below has the layout, the differences
//! between the paper and libsc, and the accepted deviations.
//!
//! [`Decoder`] reads, [`Encoder`] writes; both are state machines that never store data. A compressed section is stored
//! as two: [`Decoder`] reports it as one, and `Unpacker` (feature `inflate`) decompresses it. [`PlainDecoder`] reads only
//! what is stored; it is for boards. To read or write whole sections, use
//! [`io::SectionReader`](crate::io::SectionReader) and [`io::SectionWriter`](crate::io::SectionWriter).
//!
//! # Variable arrays
//! A variable array is an array whose elements differ in size. All sizes come before the data, which leaves several
//! ways to read one: read the sizes as events and the data as one stream; provide a table for the sizes
//! ([`Elements`]); if the source can seek, read sizes and data alternately; or compress the array when it is
//! written, because each compressed element contains its size.
//!
//! # Several processes
//! Several processes can write or read one file at the same time, each only its own elements. The package
//! `linkstream-parallel`, beside this one, does so. It passes over what other processes read with
//! [`Decoder::pass_sizes`] and [`pass_data`](Decoder::pass_data).
//!
//! ```
//! use linkstream::scda::{Decoder, Event, SectionType};
//! use linkstream::{Decode, Mode};
//!
//! let file = b"\
//! scdata0 libsc -----------------\n\
//! F demo -------------------------\
//! -------------------------------\n\
//! \n=============================\n\n\
//! V words ------------------------\
//! -------------------------------\n\
//! N 3 ---------------------------\n\
//! E 3 ---------------------------\n\
//! E 0 ---------------------------\n\
//! E 5 ---------------------------\n\
//! onethree\n=====================\n\n";
//!
//! let mut decoder = Decoder::new(Mode::Lenient, true);
//! let (mut sizes, mut data) = (Vec::new(), Vec::new());
//! for mut piece in file.chunks(10) {
//!     loop {
//!         let step = decoder.push(piece)?;
//!         let (bytes, rest) = piece.split_at(step.consumed);
//!         piece = rest;
//!         match step.event {
//!             Some(Event::Section(section)) => match section.section_type {
//!                 SectionType::Header => assert_eq!(decoder.vendor(), b"libsc"),
//!                 _ => assert_eq!((decoder.user(), section.n.get()), (&b"words"[..], 3)),
//!             },
//!             Some(Event::Size(size)) => sizes.push(size),
//!             Some(Event::Data) => data.extend_from_slice(bytes),
//!             Some(_) => {}
//!             None => break,
//!         }
//!     }
//! }
//! while decoder.finish()?.is_some() {}
//! assert_eq!((sizes, data), (vec![3, 0, 5], b"onethree".to_vec()));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # Compressed sections
//! The first half is identified by its letter and its user string; everything after it must then conform. The data of
//! the second half are texts: each compressed element is encoded in Base64 with line breaks. The
//! [format reference](#compression-scda-3) has the layout of both halves and of the texts.
//!
//! [`Decoder`] recognises the two halves and reports the texts unchanged, `Unpacker` decompresses them.
//!
//! ```
//! use linkstream::scda::{Decoder, Event, SectionType};
//! use linkstream::{Decode, Mode};
//!
//! let file = b"\
//! scdata0 libsc -----------------\n\
//! F demo -------------------------\
//! -------------------------------\n\
//! \n=============================\n\n\
//! I B compressed scda 00 ---------\
//! -------------------------------\n\
//! U 29 --------------------------\n\
//! B greeting ---------------------\
//! -------------------------------\n\
//! E 38 --------------------------\n\
//! AAAAAAAAAB16eNrLSM3JyVfIwE4CAKMQ\
//! CuU==\n========================\n\n";
//!
//! let mut decoder = Decoder::new(Mode::Lenient, true);
//! let mut rest = &file[..];
//! let mut text = Vec::new();
//! loop {
//!     let step = decoder.push(rest)?;
//!     let (bytes, after) = rest.split_at(step.consumed);
//!     rest = after;
//!     match step.event {
//!         Some(Event::Section(section)) if section.is_compressed() => {
//!             assert_eq!((section.section_type, section.e.get()), (SectionType::Block, 29));
//!             assert_eq!(decoder.user(), b"greeting");
//!         }
//!         Some(Event::Text) => text.extend_from_slice(bytes),
//!         Some(_) => {}
//!         None => break,
//!     }
//! }
//! while decoder.finish()?.is_some() {}
//! assert_eq!(text, b"AAAAAAAAAB16eNrLSM3JyVfIwE4CAKMQCuU==\n");
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
#![doc = include_str!("../guide/items.txt")]
#![doc = include_str!("reference.md")]

mod compressed;
mod count;
mod decode;
mod elements;
mod encode;
mod error;
mod event;
mod head;
#[cfg(feature = "inflate")]
mod inflate;
mod padding;
mod plain;
mod section;
#[cfg(feature = "inflate")]
mod stored;
#[cfg(feature = "inflate")]
mod unpack;

pub use count::{COUNT_LEN, Count, CountError, Letter};
pub use decode::Decoder;
pub(crate) use elements::Sizes;
pub use elements::{Elements, ElementsError};
pub use encode::Encoder;
pub use error::{EncodeErrorKind, ErrorKind};
pub use event::{Element, Event};
pub use padding::Style;
pub use plain::PlainDecoder;
pub use section::{HEAD_LEN, INLINE_LEN, MAGIC, MAX_USER_LEN, MAX_VENDOR_LEN, Section, SectionType, VERSION};
#[cfg(feature = "inflate")]
pub use stored::{Stored, stored_length};
#[cfg(feature = "deflate")]
pub use stored::{deflate, put_deflated};
#[cfg(feature = "inflate")]
pub use unpack::{ElementUnpacker, Unpacker, element_size};
