//! The part of a field that one process holds: the sites in a box of the lattice.

use core::ops::Range;

use linkstream::field::Field;
use linkstream::lattice::{Extents, Hypercube, HypercubeError, Region, SiteOrder};

use super::error::BoxError;

/// The sites of a field that lie in a box of the lattice, in stored order: the part of one process of a grid, or a
/// region to read. It knows where the bytes of its sites are in the file, and converts between these bytes and numbers
/// in memory. It does no input and output itself, and has a fixed size: a process with few large pieces of the file
/// differs from one with many small ones only in its [`runs`](Self::runs).
///
/// A part of any size is processed in windows, with a buffer of at least one site; see
/// [`windows`](Self::windows). A window is itself a `BoxPart`. The checksum of a field is the combination
/// ([`Checksum::combine`](linkstream::lattice::Checksum::combine)) of the checksums of disjoint windows and parts that cover it.
///
/// Fields on a hypercube are supported: the part consists of the sites that are in both boxes. Global data count as
/// one site, the one at the origin: all of them belong to the process whose box contains it.
///
/// # Example
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::Encode;
/// use linkstream::field::{FieldDocuments, Form, Encoder};
/// use linkstream_parallel::field::BoxPart;
/// use linkstream::ildg::GaugeKind;
/// use linkstream::lattice::{Checksum, Coordinates, Extents, Hypercube, Precision};
///
/// let lattice = Extents::new(&[4, 2, 2, 2])?;
/// let documents = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F32, Form::Ildg, &lattice)?;
/// let message = documents.message(b"");
/// // Every process does the same; the root also writes the documents, here to `file`.
/// let (mut encoder, mut buffer) = (Encoder::new(), [0; 2048]);
/// let begun = encoder.begin(&message, &mut buffer)?;
/// let before = encoder.stage(&begun, &mut buffer)?;
/// let mut file = before.bytes.to_vec();
/// # file.resize(16384, 0);
/// let field = *encoder.field().ok_or("a message with data")?;
///
/// let mut sum = Checksum::default();
/// for x in [0, 2] {
///     // One process of a grid of 2x1x1x1, with 16 sites of 72 numbers.
///     let corner = |x, n| Coordinates::new(&[x, n, n, n]).ok_or("more than 8 dimensions");
///     let part = BoxPart::new(&field, Hypercube::new(corner(x, 0)?, corner(x + 1, 1)?, &lattice)?)?;
///     let links = [0.5_f32; 16 * 72];
///     // Several sites at a time, as the buffer has room.
///     for window in part.windows(buffer.len())? {
///         let bytes = window.fill(&links, &mut buffer)?;
///         for run in window.runs() {
///             let at = usize::try_from(run.offset)?;
///             let bytes = run.slice(bytes).ok_or("another window")?;
///             file[at..at + bytes.len()].copy_from_slice(bytes);
///         }
///         // Several processes combine their sums by an exclusive or.
///         sum = sum.combine(window.checksum(bytes)?);
///     }
/// }
/// encoder.others(sum)?;
/// let after = encoder.stage(&begun, &mut buffer)?;
/// file.truncate(usize::try_from(after.offset)?);
/// file.extend_from_slice(after.bytes);
/// assert_eq!(file.len() as u64, encoder.position());
/// # use linkstream::io::FieldReader;
/// # let mut room = [0; 8192];
/// # let mut reader = FieldReader::new(&file[..], &mut room);
/// # let mut found = reader.next_field()?.ok_or("no field")?;
/// # found.verdict()?.require_match()?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoxPart {
    pub(super) field: Field,
    /// The sites of the box; `None` if there are none.
    pub(super) region: Option<Region>,
    /// Indices of the sites of the window among the sites of the box. Not reversed, and not beyond the last site.
    pub(super) first: u64,
    pub(super) end: u64,
}

impl BoxPart {
    /// The sites of a field in a box of its lattice.
    ///
    /// # Errors
    /// [`HypercubeError::Dimensions`], [`HypercubeError::Outside`]: the box is one of another lattice.
    pub fn new(field: &Field, cube: Hypercube) -> Result<Self, HypercubeError> {
        // A box can have been made for another lattice.
        let cube = Hypercube::new(*cube.lower(), *cube.upper(), &field.extents)?;
        let is_whole = cube.sites() == field.extents.sites();
        let region = match &field.region {
            _ if is_whole => Some(field.region),
            Region::Lattice => Some(Region::Hypercube(cube)),
            Region::Hypercube(covered) => covered.intersection(&cube).map(Region::Hypercube),
            Region::Global => cube.lower().as_slice().iter().all(|c| *c == 0).then_some(Region::Global),
        };
        Ok(Self::of(field, region))
    }

    /// All sites of a field: the part of a single process, or of the root for global data.
    ///
    /// # Example
    /// ```
    /// use linkstream::field::FieldDocuments;
    /// use linkstream_parallel::field::BoxPart;
    /// use linkstream::lattice::{Extents, Precision};
    /// use linkstream::scidac::PrivateRecord;
    ///
    /// let record = PrivateRecord::real_field(Precision::F64);
    /// let field = FieldDocuments::scidac(record).layout(&Extents::new(&[4, 4])?)?;
    /// let (all, none) = (BoxPart::whole(&field), BoxPart::empty(&field));
    /// assert_eq!((all.sites(), all.byte_count(), all.runs().count()), (16, 128, 1));
    /// assert_eq!((none.sites(), none.byte_count(), none.runs().count()), (0, 0, 0));
    /// assert_eq!(all.field(), &field);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn whole(field: &Field) -> Self {
        Self::of(field, Some(field.region))
    }

    /// No sites: the part of a process that holds none. It has no runs, and its checksum is the default.
    #[must_use]
    pub fn empty(field: &Field) -> Self {
        Self::of(field, None)
    }

    fn of(field: &Field, region: Option<Region>) -> Self {
        // A field can have a region that was set by hand, of more sites than 64 bits can count bytes.
        let sites = region.map_or(0, |region| region.sites(&field.extents));
        Self { field: *field, region, first: 0, end: sites }
    }

    /// The field.
    #[must_use]
    pub const fn field(&self) -> &Field {
        &self.field
    }

    /// The sites of the box that the field covers; `None` if there are none. A window has the region of its box.
    #[must_use]
    pub const fn region(&self) -> Option<&Region> {
        self.region.as_ref()
    }

    /// The number of sites of the box, also in a window of it.
    #[must_use]
    pub fn box_sites(&self) -> u64 {
        self.region.map_or(0, |region| region.sites(&self.field.extents))
    }

    /// Indices of the sites of this window among the sites of the box, where coordinate 0 runs fastest: from 0 to
    /// [`box_sites`](Self::box_sites) if it is not a window.
    #[must_use]
    pub const fn range(&self) -> Range<u64> {
        self.first..self.end
    }

    /// The number of sites of this window.
    #[must_use]
    pub fn sites(&self) -> u64 {
        self.end - self.first
    }

    /// Length of the data of this window in bytes.
    #[must_use]
    pub fn byte_count(&self) -> u64 {
        self.sites().saturating_mul(self.field.bytes_per_site)
    }

    /// The number of consecutive sites of the field that the box consists of: each of its runs is that long, unless a
    /// window cuts it. It decides whether the runs are worth gathering before they are written.
    ///
    /// # Example
    /// ```
    /// use linkstream::field::FieldDocuments;
    /// use linkstream_parallel::field::BoxPart;
    /// use linkstream::lattice::{Coordinates, Extents, Hypercube, Precision};
    /// use linkstream::scidac::PrivateRecord;
    ///
    /// let lattice = Extents::new(&[4, 4, 8])?;
    /// let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F64)).layout(&lattice)?;
    /// let corner = |values| Coordinates::new(values).ok_or("more than 8 dimensions");
    /// // Two whole time slices are one run; half of the extent in x makes a run for each y and t.
    /// let late = BoxPart::new(&field, Hypercube::new(corner(&[0, 0, 6])?, corner(&[3, 3, 7])?, &lattice)?)?;
    /// assert_eq!((late.sites_per_run(), late.runs().count()), (32, 1));
    /// let left = BoxPart::new(&field, Hypercube::new(corner(&[0, 0, 0])?, corner(&[1, 3, 7])?, &lattice)?)?;
    /// assert_eq!((left.sites_per_run(), left.runs().count()), (2, 32));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn sites_per_run(&self) -> u64 {
        self.region.map_or(0, |region| block(&region, &self.field.extents, &self.field.region))
    }

    /// The position of the first site of this window; `None` if the box is empty. Its [`done`](SiteOrder::done) is the
    /// index among the sites of the box.
    #[must_use]
    pub fn first_site(&self) -> Option<SiteOrder> {
        self.region.map(|region| SiteOrder::at(self.field.extents, region, self.first))
    }

    /// A window: these sites, counted as in [`range`](Self::range), whatever the window that the call is made of.
    ///
    /// # Errors
    /// [`BoxError::NoSuchSites`].
    ///
    /// # Example
    /// ```
    /// use linkstream::field::FieldDocuments;
    /// use linkstream_parallel::field::{BoxError, BoxPart};
    /// use linkstream::lattice::{Extents, Precision};
    /// use linkstream::scidac::PrivateRecord;
    ///
    /// let lattice = Extents::new(&[4, 4])?;
    /// let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F64)).layout(&lattice)?;
    /// let window = BoxPart::whole(&field).window(3..7)?;
    /// assert_eq!((window.sites(), window.range(), window.box_sites()), (4, 3..7, 16));
    /// assert_eq!(window.first_site().map(|site| site.rank()), Some(3));
    /// assert_eq!(window.window(8..17), Err(BoxError::NoSuchSites { start: 8, end: 17, sites: 16 }));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn window(&self, sites: Range<u64>) -> Result<Self, BoxError> {
        let (Range { start, end }, all) = (sites, self.box_sites());
        if start > end || end > all {
            return Err(BoxError::NoSuchSites { start, end, sites: all });
        }
        Ok(Self { first: start, end, ..*self })
    }

    /// Restricts the window to the sites with these stored indices. Use it to write in rounds, so that all processes
    /// write to one contiguous stretch of the file at a time. The window is empty if the process has no
    /// sites there. A range beyond the end of the field ends there.
    ///
    /// # Example
    /// ```
    /// use linkstream::field::FieldDocuments;
    /// use linkstream_parallel::field::BoxPart;
    /// use linkstream::lattice::{Coordinates, Extents, Hypercube, Precision};
    /// use linkstream::scidac::PrivateRecord;
    ///
    /// let lattice = Extents::new(&[4, 4])?;
    /// let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F64)).layout(&lattice)?;
    /// let corner = |values| Coordinates::new(values).ok_or("more than 8 dimensions");
    /// let left = BoxPart::new(&field, Hypercube::new(corner(&[0, 0])?, corner(&[1, 3])?, &lattice)?)?;
    /// // The first seven sites of the file: the row y = 0, and three sites of the next row, two of them in this box.
    /// assert_eq!(left.stored(0..7).range(), 0..4);
    /// assert_eq!(left.stored(7..16).range(), 4..8);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stored(&self, sites: Range<u64>) -> Self {
        let [start, end] = [sites.start, sites.end.max(sites.start)]
            .map(|index| self.sites_before(index).max(self.first).min(self.end));
        Self { first: start, end, ..*self }
    }

    /// The number of sites of the box whose index in the field is less than `stored`.
    fn sites_before(&self, stored: u64) -> u64 {
        let Some(region) = &self.region else { return 0 };
        let (extents, around) = (&self.field.extents, &self.field.region);
        if stored >= around.sites(extents) {
            return region.sites(extents);
        }
        let site = SiteOrder::at(*extents, *around, stored);
        let mut sites = region.sites(extents);
        let mut before = 0_u64;
        // The slowest coordinate first: the sites with a smaller one come before, whatever their other coordinates.
        for (i, c) in site.coordinates().as_slice().iter().enumerate().rev() {
            let (lower, upper) = bounds(region, extents, i);
            let along = length(lower, upper);
            sites = sites.checked_div(along).unwrap_or(0);
            let smaller = c.saturating_sub(lower);
            before += u64::from(smaller).min(along) * sites;
            if *c < lower || *c > upper {
                break;
            }
        }
        before
    }
}

/// First and last coordinate of a region in dimension `i`, both inclusive. Global data are at the origin.
fn bounds(region: &Region, extents: &Extents, i: usize) -> (u32, u32) {
    match region {
        Region::Hypercube(cube) => (
            cube.lower().as_slice().get(i).copied().unwrap_or(0),
            cube.upper().as_slice().get(i).copied().unwrap_or(0),
        ),
        Region::Lattice => (0, extents.as_slice().get(i).map_or(0, |extent| extent - 1)),
        Region::Global => (0, 0),
    }
}

/// The number of coordinates between two bounds, both inclusive.
fn length(lower: u32, upper: u32) -> u64 {
    u64::from(upper - lower) + 1
}

/// The number of sites of a region that are consecutive among the sites of `around`, which contains them: the region
/// consists of such blocks.
fn block(region: &Region, extents: &Extents, around: &Region) -> u64 {
    let mut sites = 1;
    for i in 0..extents.as_slice().len() {
        let (lower, upper) = bounds(region, extents, i);
        sites *= length(lower, upper);
        if (lower, upper) != bounds(around, extents, i) {
            break;
        }
    }
    sites
}
