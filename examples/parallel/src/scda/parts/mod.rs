//! The part of one rank in an scda file, without communication: for programs that communicate in another way than
//! [`Comm`](crate::comm::Comm).
//!
//! [`RankExtent`] computes which bytes of a section belong to a process; [`PartEncoder`] returns the bytes that it writes,
//! [`PartDecoder`] is the state that reading processes share. The processes communicate by themselves: a broadcast of the
//! bytes of a header, and scans and sums of numbers.

mod decode;
mod encode;
mod extent;
mod partition;
mod pieces;
mod size_lines;

pub use decode::{PartDecoder, PartHeader};
pub use encode::{PartEncoder, PartError};
pub use extent::{RankExtent, Window};
pub use partition::{DataPart, ElementPart, PartitionError};
pub use pieces::Pieces;
pub use size_lines::SizeLines;
