//! scda: a format of blocks and arrays of bytes, for programs that run on many processes.
//!
//! A file is a header section followed by any number of other sections. Each has a head of 64 bytes, counts (entries of
//! 32 bytes with decimal digits), data, and padding up to a multiple of 32 bytes. The format does not define the meaning
//! of the data, nor their byte order. The [format reference](#reference) below has the layout, the differences
//! between the paper and libsc, and the accepted deviations.
//!
//! [`Decoder`] reads, [`Encoder`] writes; both are state machines that never store data. Compression is a convention on
//! top of these raw sections: [`logical::Decoder`] recognises compressed sections, and `Unpacker` (feature `inflate`)
//! decompresses them. To read or write whole sections, use [`io::SectionReader`](crate::io::SectionReader) and
//! [`io::SectionWriter`](crate::io::SectionWriter).
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
//! [`logical::Decoder::pass_sizes`] and [`pass_data`](logical::Decoder::pass_data).
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
//! let mut decoder = Decoder::new(Mode::Lenient);
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
#![doc = include_str!("../guide/items.txt")]
#![doc = include_str!("reference.md")]

mod consistency;
mod decode;
mod elements;
mod encode;
mod entry;
mod error;
mod head;
pub mod logical;
mod passed;
mod section;

pub use decode::Decoder;
pub use elements::{ElementPiece, Elements, ElementsError};
pub use encode::Encoder;
pub use entry::Style;
pub use error::{EncodeErrorKind, ErrorKind, Event};
pub use logical::Element;
#[cfg(feature = "inflate")]
pub use logical::{ElementUnpacker, Stored, Unpacker, element_size, stored_length};
#[cfg(feature = "deflate")]
pub use logical::{deflate, put_deflated};
pub use section::{
    COUNT_LEN, Count, HEAD_LEN, INLINE_LEN, Letter, MAGIC, MAX_USER_LEN, MAX_VENDOR_LEN, Section,
    SectionType, VERSION,
};
