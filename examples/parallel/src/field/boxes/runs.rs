//! The pieces of the file that a part occupies, and its division into windows.

use core::ops::Range;

use linkstream::lattice::{Region, SiteOrder};

use super::error::BoxError;
use super::part::BoxPart;

impl BoxPart {
    /// Divides the window into windows whose bytes fit into a buffer of `room` bytes. Empty parts have no windows.
    ///
    /// # Errors
    /// [`BoxError::TooSmall`] if the buffer does not hold a site.
    pub fn windows(&self, room: usize) -> Result<Windows, BoxError> {
        let needed = self.field.bytes_per_site;
        if needed > room as u64 && self.sites() > 0 {
            return Err(BoxError::TooSmall { needed });
        }
        // Sites without bytes are in one window.
        let sites = (room as u64).checked_div(needed).unwrap_or(u64::MAX).max(1);
        Ok(Windows { rest: *self, sites })
    }

    /// The pieces of the file that the sites of this window occupy, in ascending order. Whole time slices, for example,
    /// are one run.
    #[must_use]
    pub const fn runs(&self) -> Runs {
        Runs { part: *self, next: self.first }
    }

    /// Index of a site of the box among the sites of the field.
    fn stored_index(&self, site: &SiteOrder) -> u64 {
        match &self.field.region {
            Region::Lattice => site.rank(),
            Region::Hypercube(cube) => cube.index(site.coordinates()).unwrap_or(0),
            Region::Global => 0,
        }
    }
}

/// A piece of the file that consecutive sites of a [`BoxPart`] occupy. See [`BoxPart::runs`].
///
/// # Example
/// ```
/// use linkstream::field::FieldDocuments;
/// use linkstream_parallel::field::BoxPart;
/// use linkstream::lattice::{Coordinates, Extents, Hypercube, Precision};
/// use linkstream::scidac::PrivateRecord;
///
/// let lattice = Extents::new(&[4, 2])?;
/// let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F64)).layout(&lattice)?;
/// let corner = |values| Coordinates::new(values).ok_or("more than 8 dimensions");
/// let part = BoxPart::new(&field, Hypercube::new(corner(&[1, 0])?, corner(&[2, 1])?, &lattice)?)?;
/// let mut runs = part.runs();
/// let (first, second) = (runs.next().ok_or("a run")?, runs.next().ok_or("a run")?);
/// // Two sites of the row y = 0 and two of the row y = 1, whose first site has rank 5.
/// assert_eq!((second.rank, second.first, second.sites, second.length), (5, 2, 2, 16));
/// assert_eq!(second.offset - first.offset, 4 * 8);
/// // In the bytes of the part, which are its runs one after the other:
/// assert_eq!(second.slice(b"0000000011111111222222223333333"), None);
/// assert_eq!(second.slice(b"00000000111111112222222233333333"), Some(&b"2222222233333333"[..]));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct BoxRun {
    /// Absolute offset in the file.
    pub offset: u64,
    /// Length in bytes.
    pub length: u64,
    /// Rank of the first site in the full lattice.
    pub rank: u64,
    /// Index of the first site among the sites of the box.
    pub first: u64,
    /// The number of sites.
    pub sites: u64,
    /// Position in the bytes of the window, where one run follows the other.
    pub at: u64,
}

impl BoxRun {
    /// The bytes of this run in the bytes of its window; `None` if these are too few.
    #[must_use]
    pub fn slice<'b>(&self, window: &'b [u8]) -> Option<&'b [u8]> {
        window.get(self.in_window()?)
    }

    /// The bytes of this run in the bytes of its window, to be read into; `None` if these are too few.
    ///
    /// # Example
    /// ```
    /// use linkstream::field::FieldDocuments;
    /// use linkstream_parallel::field::BoxPart;
    /// use linkstream::lattice::{Extents, Precision};
    /// use linkstream::scidac::PrivateRecord;
    ///
    /// let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F64)).layout(&Extents::new(&[2])?)?;
    /// let run = BoxPart::whole(&field).runs().next().ok_or("a run")?;
    /// assert_eq!(run.slice_mut(&mut [0; 20]).map(|bytes| bytes.len()), Some(16));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn slice_mut<'b>(&self, window: &'b mut [u8]) -> Option<&'b mut [u8]> {
        window.get_mut(self.in_window()?)
    }

    fn in_window(&self) -> Option<Range<usize>> {
        let start = usize::try_from(self.at).ok()?;
        Some(start..start.checked_add(usize::try_from(self.length).ok()?)?)
    }
}

/// Iterates over the runs of a [`BoxPart`]. Its size does not depend on their number.
///
/// # Example
/// ```
/// use linkstream::field::FieldDocuments;
/// use linkstream_parallel::field::{BoxPart, Runs};
/// use linkstream::lattice::{Extents, Precision};
/// use linkstream::scidac::PrivateRecord;
///
/// let record = PrivateRecord::real_field(Precision::F64);
/// let field = FieldDocuments::scidac(record).layout(&Extents::new(&[4, 4])?)?;
/// let mut runs: Runs = BoxPart::whole(&field).runs();
/// assert_eq!(runs.next().map(|run| (run.sites, run.length)), Some((16, 128)));
/// assert_eq!(runs.next(), None);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Runs {
    part: BoxPart,
    /// Index of the next site among the sites of the box.
    next: u64,
}

impl Iterator for Runs {
    type Item = BoxRun;

    fn next(&mut self) -> Option<BoxRun> {
        let BoxPart { field, region, first, end } = &self.part;
        let left = end.saturating_sub(self.next);
        if left == 0 {
            return None;
        }
        let site = SiteOrder::at(field.extents, (*region)?, self.next);
        let block = self.part.sites_per_run();
        let inside = self.next.checked_rem(block).unwrap_or(0);
        let sites = block.saturating_sub(inside).max(1).min(left);
        let size = field.bytes_per_site;
        let place = self.part.stored_index(&site).saturating_mul(size);
        let run = BoxRun {
            offset: field.record.payload_offset().saturating_add(place),
            length: sites.saturating_mul(size),
            rank: site.rank(),
            first: self.next,
            sites,
            at: (self.next - first).saturating_mul(size),
        };
        self.next += sites;
        Some(run)
    }
}

/// Iterates over the windows of a [`BoxPart`]. See [`BoxPart::windows`].
///
/// # Example
/// ```
/// use linkstream::field::FieldDocuments;
/// use linkstream_parallel::field::{BoxPart, Windows};
/// use linkstream::lattice::{Extents, Precision};
/// use linkstream::scidac::PrivateRecord;
///
/// let record = PrivateRecord::real_field(Precision::F64);
/// let field = FieldDocuments::scidac(record).layout(&Extents::new(&[4, 4])?)?;
/// // 6 sites of 8 bytes fit.
/// let mut windows: Windows = BoxPart::whole(&field).windows(50)?;
/// assert_eq!(windows.next().map(|window| window.range()), Some(0..6));
/// assert_eq!(windows.last().map(|window| window.range()), Some(12..16));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Windows {
    rest: BoxPart,
    /// Sites of a window.
    sites: u64,
}

impl Iterator for Windows {
    type Item = BoxPart;

    fn next(&mut self) -> Option<BoxPart> {
        let BoxPart { first, end, .. } = self.rest;
        if first >= end {
            return None;
        }
        let next = first.saturating_add(self.sites).min(end);
        let window = BoxPart { end: next, ..self.rest };
        self.rest.first = next;
        Some(window)
    }
}
