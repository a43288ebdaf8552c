//! What a record says about its data, apart from the sites that they cover.

use crate::state::saved;
use crate::xml::Text;

/// What a [`PrivateRecord`](super::PrivateRecord) says about the data of a site: `datacount` items of `typesize` bytes each.
///
/// The elements determine each other: [`PrivateRecord::with_data`](super::PrivateRecord::with_data) refuses data that
/// contradict themselves. Common data have constructors, such as
/// [`PrivateRecord::propagator`](super::PrivateRecord::propagator).
///
/// ```
/// use linkstream::lattice::Region;
/// use linkstream::scidac::{PrivateRecord, RecordData};
///
/// let data = RecordData {
///     datatype: "QDP_Int".try_into()?,
///     precision: "I".try_into()?,
///     typesize: 4,
///     datacount: 1,
///     ..RecordData::default()
/// };
/// let record = PrivateRecord::new(&Region::Lattice).with_data(data)?;
/// assert_eq!((record.typesize, record.bytes_per_site()), (4, 4));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RecordData {
    /// The name of the type of an item, as free text; truncated if it is too long when it is read.
    pub datatype: Text<64>,
    /// A letter: `F` for 32-bit and `D` for 64-bit floating-point numbers, `I` for 32-bit integers, `S` for the 32-bit
    /// words of a random number state, `U` for bytes. Empty if it is missing.
    pub precision: Text<8>,
    /// Number of colors; 0 if missing.
    pub colors: u32,
    /// Number of spins; 0 if missing.
    pub spins: u32,
    /// Size of an item in bytes.
    pub typesize: u32,
    /// Number of items per site.
    pub datacount: u32,
}

saved!(struct RecordData { datatype, precision, colors, spins, typesize, datacount });

impl RecordData {
    pub(super) const EMPTY: Self = Self {
        datatype: Text::new(),
        precision: Text::new(),
        colors: 0,
        spins: 0,
        typesize: 0,
        datacount: 0,
    };
}
