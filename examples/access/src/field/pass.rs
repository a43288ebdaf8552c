//! One pass over data: where they go, how they are summed, and its result.

use std::ops::Range;
use std::sync::Mutex;

use linkstream::lattice::ByteOrder;

use super::verdict::Verdict;
use crate::sums::SliceSums;

/// The place of data that are read.
pub(super) enum Target<'a> {
    /// Memory of their length, and the byte order of the numbers there.
    Bytes(&'a mut [u8], ByteOrder),
    /// They are only summed. Their memory is not in use.
    Nowhere(&'a Mutex<Vec<Vec<u8>>>),
}

/// The sums of the time slices that are read, and how they are read.
#[derive(Debug)]
pub(super) struct Sums {
    /// The slices that are summed; `None` if they could not be compared with anything.
    pub(super) wanted: Option<Range<u64>>,
    pub(super) of_slices: SliceSums,
    /// The byte order of an archive. It stays the same from the first byte to the last.
    pub(super) order: Option<ByteOrder>,
    /// Several threads read: all data are many, even if a window of them is not.
    pub(super) several: bool,
}

/// The result of comparing the sums.
pub(super) enum Judged {
    Verdict(Verdict),
    /// The data were read in the wrong byte order.
    OtherOrder,
}
