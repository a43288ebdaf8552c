//! The compression convention (scda section 3): a compressed block or array is stored as two raw sections.
//!
//! The first half is identified by its letter and its user string; everything after it must then conform. The data of
//! the second half are texts: each compressed element is encoded in Base64 with line breaks. The
//! [format reference](crate::scda#compression-scda-3) has the layout of both halves and of the texts.
//!
//! [`Decoder`] recognises the two halves and reports the texts unchanged. With the feature `inflate`, `Unpacker`
//! decompresses them.
//!
//! ```
//! use linkstream::scda::SectionType;
//! use linkstream::scda::logical::{Decoder, Event};
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

mod decode;
mod encode;
mod error;
#[cfg(feature = "inflate")]
mod inflate;
mod section;
#[cfg(feature = "inflate")]
mod stored;
#[cfg(feature = "inflate")]
mod unpack;

pub use decode::Decoder;
pub use encode::Encoder;
pub use error::ErrorKind;
pub use section::{Element, Event, Section};
#[cfg(feature = "inflate")]
pub use stored::{Stored, stored_length};
#[cfg(feature = "deflate")]
pub use stored::{deflate, put_deflated};
#[cfg(feature = "inflate")]
pub use unpack::Unpacker;
#[cfg(feature = "inflate")]
pub use unpack::{ElementUnpacker, element_size};
