//! Drivers: decoders and encoders over `embedded-io` streams. The only users of that interface, and without
//! any logic of a format.
//!
//! Buffers are the caller's. [`Reader`] pulls from a [`Read`](embedded_io::Read), and seeks where the source
//! can ([`Reader::skip_seeking`]); [`AsyncReader`] does the same over `embedded_io_async` (feature `async`);
//! [`Writer`] writes LIME records, [`MatrixWriter`] INEBIN matrices,
//! [`SectionWriter`] scda sections.

#[cfg(feature = "async")]
mod async_reader;
mod error;
mod matrix_writer;
mod reader;
mod section_writer;
mod seek_reader;
mod sink;
mod window;
mod writer;

#[cfg(feature = "async")]
pub use async_reader::AsyncReader;
pub use error::{ReadError, WriteError};
pub use matrix_writer::MatrixWriter;
pub use reader::Reader;
pub use section_writer::SectionWriter;
pub use window::NextEvent;
pub use writer::Writer;
