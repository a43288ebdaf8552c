//! Plaquette, link trace, Polyakov loop and unitarity of a gauge field that is read row by row.
//!
//! A plaquette reaches at most one time slice ahead, so all plaquettes that begin in a slice can be computed while the
//! next slice is read. Three slices are kept in memory, independently of the length of the lattice and the number of
//! threads: the current slice, the previous one, and the first one, which completes the plaquettes of the last slice.
//! The Polyakov loop needs one matrix more for each site of space, a quarter of a slice with four links: the product of
//! the temporal links so far. Each row of a slice multiplies its own products, so the order of rows and threads is free.
//!
//! Several processes can measure a field together. Each of them reads a slab of time slices, and the slice after it. The
//! sums over each slice are the ones of a single process, and are added in the same order, so the results are equal to
//! the last bit.

use std::convert::Infallible;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use linkstream::field::Field;
use linkstream::ildg::{GaugeKind, Group};
use pulp::Arch;

use linkstream_memory as memory;

use super::determinant::Determinants;
use super::geometry::{Geometry, Neighbour};
use super::kernel::{Matrices, Multiply, Plaquettes, Shift, Unitarity};
use super::links::Links;
use super::measured::{FAR, Measured, larger_or_nan};
use super::sums::{RowSums, SliceSums, Sums};
use crate::parallel;

/// Number of bytes of the file that a thread processes at a time, or one row if that is longer. The resulting numbers
/// should fit into the cache.
const TILE: usize = 256 << 10;

/// Count of words before the sums over slices in the sums of a slab: the number of slabs with numbers that are not exact
/// in single precision, and the number of slabs with a unitary link.
const FLAGS: usize = 2;

/// The bytes of a field, in memory or in a file.
pub trait Bytes: Sync {
    /// Reason why the bytes could not be read.
    type Error: Send;

    /// The bytes of a range inside the field. An implementation may read them into `scratch`. If there are fewer, or
    /// more, nothing is measured.
    fn get<'s>(&'s self, range: Range<u64>, scratch: &'s mut Vec<u8>) -> Result<&'s [u8], Self::Error>;
}

/// Bytes in memory.
impl Bytes for [u8] {
    type Error = Infallible;

    fn get<'s>(&'s self, range: Range<u64>, _: &'s mut Vec<u8>) -> Result<&'s [u8], Infallible> {
        let ends = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
        Ok(ends.and_then(|(start, end)| self.get(start..end)).unwrap_or_default())
    }
}

/// Measures a gauge field whose sites are read in lexicographic order, x fastest and t slowest.
#[derive(Debug)]
pub struct Observables {
    geometry: Geometry,
    links: Links,
    group: Option<GaugeKind>,
    arch: Arch,
    /// True if the field is large enough for several threads.
    is_large: bool,
    first: Vec<f64>,
    previous: Vec<f64>,
    current: Vec<f64>,
    /// The products of the temporal links of the slices so far, for each site of a time slice.
    lines: Option<Vec<f64>>,
    /// Number of rows of the current slice that have been read.
    rows: usize,
    /// The slices whose sums are computed. If these are not all, the slice after them is read as well.
    slab: Range<u32>,
    /// Number of slices that have been read.
    slices: u32,
    row_sums: Vec<f64>,
    /// The sums over the links of the current slice.
    current_sums: SliceSums,
    /// The sums over the previous slice, whose plaquettes are not complete.
    previous_sums: SliceSums,
    sums: Sums,
    /// True if the sums of all slices were supplied.
    is_supplied: bool,
    /// True if not all bytes of the rows were there.
    is_torn: AtomicBool,
    is_narrow: AtomicBool,
    has_unitary_link: AtomicBool,
}

/// Buffers of a thread, which are reused from tile to tile.
#[derive(Debug, Default)]
struct Scratch {
    bytes: Vec<u8>,
    absent: Vec<bool>,
    trace: Vec<f64>,
    norm: Vec<f64>,
    deviation: Vec<f64>,
    determinant: Vec<f64>,
    /// A row of the previous slice, shifted by one site along x.
    shifted: Vec<f64>,
}

/// Some rows of the current slice and their sums.
struct Tile<'t> {
    /// Number of the first row.
    row: usize,
    links: &'t mut [f64],
    /// The products of the temporal links; empty if they are not needed.
    lines: &'t mut [f64],
    sums: &'t mut [f64],
}

impl Observables {
    /// `group` is the kind of the links, if a document names it. `None` if the field is not a gauge field that can be
    /// measured.
    ///
    /// Allocates nothing: memory grows with the sites that are read, not with the size that a header claims.
    pub fn of(field: &Field, group: Option<GaugeKind>, keeps_slices: bool) -> Option<Self> {
        let layout = field.links?;
        let geometry = Geometry::of(field, &layout, group.is_some())?;
        let links = Links::of(&layout, group)?;
        if links.site_bytes() as u64 != field.bytes_per_site {
            return None;
        }
        geometry.row.checked_mul(links.site_bytes())?.checked_mul(geometry.rows)?;
        field.data_length()?;
        let slab = 0..geometry.slices;
        let is_large = field.data_length().is_some_and(parallel::is_worthwhile);
        Some(Self::new(geometry, links, group, is_large, slab, keeps_slices))
    }

    fn new(
        geometry: Geometry,
        links: Links,
        group: Option<GaugeKind>,
        is_large: bool,
        slab: Range<u32>,
        keeps_slices: bool,
    ) -> Self {
        let (current_sums, previous_sums) = (SliceSums::new(&geometry), SliceSums::new(&geometry));
        let sums = Sums::new(&geometry, keeps_slices);
        Self {
            geometry,
            links,
            group,
            arch: Arch::new(),
            is_large,
            first: Vec::new(),
            previous: Vec::new(),
            current: Vec::new(),
            lines: None,
            rows: 0,
            slab,
            slices: 0,
            row_sums: Vec::new(),
            current_sums,
            previous_sums,
            sums,
            is_supplied: false,
            is_torn: AtomicBool::new(false),
            is_narrow: AtomicBool::new(true),
            has_unitary_link: AtomicBool::new(false),
        }
    }

    /// Also measures the Polyakov loop, if there are links in the direction of time. A slab of slices cannot measure it.
    #[must_use]
    pub fn with_polyakov_loop(mut self) -> Self {
        self.lines = self.geometry.time_link().map(|_| Vec::new());
        self
    }

    /// A measurement of a slab of time slices of the same field. It takes the rows of these slices. If these are not
    /// all slices, and not none, the rows of the slice after them follow: the first slice of the lattice if the slab
    /// ends with the last one. [`into_slab_sums`](Self::into_slab_sums) returns the results.
    #[must_use]
    pub fn of_slab(&self, slab: Range<u32>) -> Self {
        let end = slab.end.min(self.geometry.slices);
        let slab = slab.start.min(end)..end;
        Self::new(self.geometry.clone(), self.links, self.group, self.is_large, slab, true)
    }

    /// A measurement of a part of the lattice: only the first `planes` planes of each slice count, which differ in the
    /// last but one coordinate. The plane after them completes their plaquettes.
    ///
    /// A lattice that can be read in any order is measured in such parts, without memory for whole time slices.
    #[must_use]
    pub fn of_planes(mut self, planes: usize) -> Self {
        self.geometry.count_planes(planes);
        self
    }

    /// Number of time slices of the lattice.
    pub const fn slices(&self) -> u32 {
        self.geometry.slices
    }

    /// Size of a time slice in bytes.
    #[expect(clippy::arithmetic_side_effects, reason = "`of` has checked the length of the field in bytes")]
    pub const fn slice_bytes(&self) -> u64 {
        self.geometry.rows as u64 * self.row_bytes() as u64
    }

    /// Count of words in the sums of a slab; `None` if they cannot be addressed.
    pub fn slab_words(&self) -> Option<usize> {
        usize::try_from(self.geometry.slices).ok()?.checked_mul(self.sums_width())?.checked_add(FLAGS)
    }

    /// The sums of a slab, whose rows have all been taken, as words. The sums of disjoint slabs that cover the lattice are
    /// added word by word, modulo 2^64, for [`supply`](Self::supply): each word except the first two is zero in all
    /// slabs but one.
    pub fn into_slab_sums(mut self) -> Option<Vec<u64>> {
        if *self.is_torn.get_mut() {
            return None;
        }
        if self.is_whole() && self.slices == self.geometry.slices && !self.is_supplied {
            self.close();
        }
        let mut words = memory::unwinding::zeroed(self.slab_words()?);
        let (flags, table) = words.split_at_mut_checked(FLAGS)?;
        let counts = [!self.is_narrow.into_inner(), self.has_unitary_link.into_inner()].map(u64::from);
        flags.copy_from_slice(&counts);
        let (width, first) = (RowSums::width(&self.geometry), self.slab.start as usize);
        let slices = self.sums.into_slices();
        for (to, slice) in table.chunks_exact_mut(width).skip(first).zip(&slices) {
            to.iter_mut().zip(slice.to_bits()).for_each(|(to, bits)| *to = bits);
        }
        Some(words)
    }

    /// Supplies the sums of the whole lattice instead of its rows. `None` if they are not as long as
    /// [`slab_words`](Self::slab_words) or if rows have been taken.
    pub fn supply(&mut self, sums: &[u64]) -> Option<()> {
        if Some(sums.len()) != self.slab_words() || self.slices > 0 || self.rows > 0 {
            return None;
        }
        let (flags, table) = sums.split_at_checked(FLAGS)?;
        for bits in table.chunks_exact(self.sums_width()) {
            self.sums.add(SliceSums::from_bits(bits, &self.geometry)?);
        }
        let [wide, unitary] = flags else { return None };
        (self.is_narrow, self.has_unitary_link) = ((*wide == 0).into(), (*unitary > 0).into());
        (self.slices, self.is_supplied) = (self.geometry.slices, true);
        Some(())
    }

    /// Size of a row in bytes.
    #[expect(clippy::arithmetic_side_effects, reason = "`of` has checked the length of the field in bytes")]
    pub const fn row_bytes(&self) -> usize {
        self.geometry.row * self.links.site_bytes()
    }

    /// Processes the next rows, as far as `bytes` has them complete, and returns the number of bytes consumed. Bytes
    /// after the last row of the field are not consumed.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "rows are not empty; `done` counts bytes that exist, and `self.rows` rows of the current slice"
    )]
    pub fn feed(&mut self, bytes: &[u8]) -> usize {
        let mut done = 0;
        loop {
            let rows = (bytes.len() - done) / self.row_bytes();
            let rows = rows.min(self.geometry.rows - self.rows);
            if rows == 0 || self.slices == self.slices_to_read() {
                return done;
            }
            let Ok(()) = self.advance(rows, bytes, done as u64);
            done += rows * self.row_bytes();
        }
    }

    /// Reads and processes the whole field.
    #[expect(clippy::arithmetic_side_effects, reason = "`of` has checked the length of the field in bytes")]
    pub fn read<B: Bytes + ?Sized>(&mut self, bytes: &B) -> Result<(), B::Error> {
        let slice = self.slice_bytes();
        // The rest of a slice whose first rows were fed would be needed, but only whole slices are read.
        *self.is_torn.get_mut() |= std::mem::take(&mut self.rows) > 0;
        for t in 0..self.geometry.slices {
            self.advance(self.geometry.rows, bytes, u64::from(t) * slice)?;
        }
        Ok(())
    }

    /// The observables, or `None` if not all sites of the lattice were read.
    pub fn finish(mut self) -> Option<Measured> {
        if self.slices != self.geometry.slices || !self.is_whole() || *self.is_torn.get_mut() {
            return None;
        }
        if !self.is_supplied {
            self.close();
        }
        let is_spoilt = !self.sums.max_deviation().is_finite();
        let unless_spoilt = |value| if is_spoilt { f64::NAN } else { value };
        let polyakov_loop = self.polyakov_loop().map(|parts| parts.map(unless_spoilt));
        let mut averages = self.sums.averages(&self.geometry);
        averages.planes.iter_mut().for_each(|plane| plane.plaquette = unless_spoilt(plane.plaquette));
        averages.directions.iter_mut().for_each(|one| one.link_trace = unless_spoilt(one.link_trace));
        let mut slices = self.sums.of_slices(&self.geometry);
        for slice in &mut slices {
            slice.link_trace = unless_spoilt(slice.link_trace);
            for value in [&mut slice.plaquette, &mut slice.spatial, &mut slice.temporal] {
                *value = value.map(unless_spoilt);
            }
        }
        Some(Measured {
            group: self.group,
            colors: u32::try_from(self.geometry.colors).ok()?,
            plaquette: averages.plaquette.map(unless_spoilt),
            spatial: averages.spatial.map(unless_spoilt),
            temporal: averages.temporal.map(unless_spoilt),
            planes: averages.planes,
            link_trace: unless_spoilt(averages.link_trace),
            directions: averages.directions,
            polyakov_loop,
            squared_norm: unless_spoilt(self.sums.squared_norm()),
            max_unitarity_deviation: unless_spoilt(self.sums.max_deviation()),
            max_determinant_deviation: self
                .has_determinant()
                .then(|| unless_spoilt(self.sums.max_determinant_deviation())),
            has_unitary_link: self.has_unitary_link.into_inner(),
            outliers: self.sums.outliers(),
            threshold: None,
            widened: self.is_narrow.into_inner(),
            slices,
        })
    }

    /// The average of tr L / N over the sites of space, where L is the product of the temporal links that has been
    /// completed by the last slice. `None` if it was not measured.
    fn polyakov_loop(&self) -> Option<[f64; 2]> {
        let lines = self.lines.as_deref().filter(|_| !self.is_supplied)?;
        let colors = self.geometry.colors;
        let mut sum = [0.0; 2];
        for row in 0..self.geometry.counted {
            let row = self.line_matrices(lines, row);
            // The padding has the product 0.
            let diagonals =
                row.of_groups(colors).flat_map(|matrix| matrix.iter().step_by(colors.saturating_add(1)));
            for element in diagonals {
                sum.iter_mut().zip(element).for_each(|(sum, lanes)| *sum += lanes.iter().sum::<f64>());
            }
        }
        let count = self.geometry.slice_sites() as f64 * colors as f64;
        Some(sum.map(|sum| sum / count))
    }

    /// The products of temporal links of the sites in a row.
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "`lines` has the products of a whole time slice, and `row` is one of its rows"
    )]
    fn line_matrices<'r>(&self, lines: &'r [f64], row: usize) -> Matrices<'r> {
        let stride = self.geometry.line_stride();
        Matrices { row: &lines[row * stride..][..stride], links: 1, link: 0 }
    }

    /// True if the links have the determinant 1, by their kind.
    fn has_determinant(&self) -> bool {
        self.group.is_some_and(|kind| matches!(kind.group(), Group::Su | Group::So))
    }

    /// True if the slab is the whole lattice.
    fn is_whole(&self) -> bool {
        self.slab == (0..self.geometry.slices)
    }

    /// Number of slices in the slab.
    const fn slab_length(&self) -> u32 {
        self.slab.end.saturating_sub(self.slab.start)
    }

    /// Number of slices that are read: with the slice after the slab.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "a slice after the slab is counted only if the slab is shorter than the lattice"
    )]
    fn slices_to_read(&self) -> u32 {
        self.slab_length() + u32::from(!self.is_whole() && self.slab_length() > 0)
    }

    /// True if the current slice is the one after the slab.
    const fn is_after(&self) -> bool {
        self.slices == self.slab_length()
    }

    /// Processes the next rows of the current slice, which begin at byte `start` of `bytes`.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "`of` has checked the length of the field in bytes, and `Geometry::of` the size of a time slice in memory"
    )]
    fn advance<B: Bytes + ?Sized>(&mut self, rows: usize, bytes: &B, start: u64) -> Result<(), B::Error> {
        let row_bytes = self.row_bytes();
        let range = self.rows..self.rows + rows;
        // Taken out of `self`, because the threads borrow `self` while they fill this memory.
        let mut current = std::mem::take(&mut self.current);
        let needed = range.end * self.geometry.row_stride();
        if current.len() < needed {
            memory::unwinding::resize(&mut current, needed);
        }
        let mut row_sums = std::mem::take(&mut self.row_sums);
        let mut lines = self.lines.take();
        if let Some(lines) = &mut lines {
            let needed = range.end * self.geometry.line_stride();
            if lines.len() < needed {
                memory::unwinding::resize(lines, needed);
            }
        }
        let of_tiles = lines.as_deref_mut().unwrap_or_default();
        let tiles = self.tiles(&range, &mut current, of_tiles, &mut row_sums);
        let this = &*self;
        parallel::each(this.is_large, tiles, |tile, scratch: &mut Scratch| {
            let from = start + ((tile.row - range.start) * row_bytes) as u64;
            let length = tile.sums.len() / this.sums_width() * row_bytes;
            let mut buffer = std::mem::take(&mut scratch.bytes);
            let bytes = bytes.get(from..from + length as u64, &mut buffer)?;
            if bytes.len() != length {
                this.is_torn.store(true, Ordering::Relaxed);
            }
            this.take(tile, bytes, scratch);
            scratch.bytes = buffer;
            Ok(())
        })?;
        (self.current, self.row_sums, self.lines) = (current, row_sums, lines);
        self.add_sums();
        self.rows += rows;
        if self.rows == self.geometry.rows {
            self.end_slice();
        }
        Ok(())
    }

    /// Count of numbers in the sums of a row.
    fn sums_width(&self) -> usize {
        RowSums::width(&self.geometry)
    }

    /// Divides some rows of the current slice, and memory for their sums, into tiles.
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "the caller has made the rows; a row is not empty, and has fewer sums than numbers, which fit into memory"
    )]
    fn tiles<'t>(
        &self,
        rows: &Range<usize>,
        current: &'t mut [f64],
        lines: &'t mut [f64],
        row_sums: &'t mut Vec<f64>,
    ) -> Vec<Tile<'t>> {
        let (row_stride, width) = (self.geometry.row_stride(), self.sums_width());
        row_sums.clear();
        memory::unwinding::resize(row_sums, rows.len() * width);
        let length = parallel::piece_length(rows.len(), TILE / self.row_bytes());
        let present = &mut current[rows.start * row_stride..rows.end * row_stride];
        let links = present.chunks_mut(length * row_stride);
        let sums = row_sums.chunks_mut(length * width);
        let line_stride = self.geometry.line_stride();
        let of_rows = rows.start * line_stride..rows.end * line_stride;
        let mut lines = lines.get_mut(of_rows).unwrap_or_default().chunks_mut(length * line_stride);
        let first_rows = rows.clone().step_by(length);
        let tiles = first_rows.zip(links.zip(sums));
        tiles
            .map(|(row, (links, sums))| Tile { row, links, lines: lines.next().unwrap_or_default(), sums })
            .collect()
    }

    /// Processes the rows of a tile, given their bytes.
    fn take(&self, tile: Tile<'_>, bytes: &[u8], scratch: &mut Scratch) {
        let Self { geometry, .. } = self;
        let links = tile.links.chunks_exact_mut(geometry.row_stride());
        let sums = tile.sums.chunks_exact_mut(self.sums_width());
        let mut lines = tile.lines.chunks_exact_mut(geometry.line_stride());
        let rows = bytes.chunks_exact(self.row_bytes()).zip(links.zip(sums));
        for (row, (bytes, (links, sums))) in (tile.row..).zip(rows) {
            let Some(mut sums) = RowSums::of(sums, geometry) else { return };
            memory::unwinding::resize(&mut scratch.absent, geometry.links().saturating_mul(geometry.row));
            self.links.read(geometry, self.arch, bytes, links, &mut scratch.absent);
            let line = lines.next().zip(geometry.time_link());
            if row >= geometry.counted {
                continue;
            }
            if !self.is_after() {
                // In a field that was computed in double precision, the first row decides this.
                if self.is_narrow.load(Ordering::Relaxed) && !self.links.is_narrow(bytes) {
                    self.is_narrow.store(false, Ordering::Relaxed);
                }
                self.measure_links(row, links, scratch, &mut sums);
            }
            if let Some(previous) = self.previous() {
                self.measure_plaquettes(row, previous, links, scratch, sums.planes);
            }
            if let Some((product, link)) = line {
                let links = self.matrices(links, 0, link);
                let is_first = self.slices == 0;
                self.arch.dispatch(Multiply { colors: geometry.colors, product, links, is_first });
            }
        }
    }

    /// The slice before the current one.
    fn previous(&self) -> Option<&[f64]> {
        match self.slices {
            0 => None,
            1 if self.is_whole() => Some(&self.first),
            _ => Some(&self.previous),
        }
    }

    /// Sums the observables of the links of a row that need no neighbours.
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "the sums have a number for each site and the padding, and `absent` an entry for each link and site"
    )]
    fn measure_links(&self, number: usize, row: &[f64], scratch: &mut Scratch, sums: &mut RowSums<'_>) {
        let Geometry { row: sites, colors, .. } = self.geometry;
        // The site with this place in the row has this number in the lattice.
        let slice = u64::from(self.slab.start) + u64::from(self.slices);
        let site = |x: usize| (slice * self.geometry.rows as u64 + number as u64) * sites as u64 + x as u64;
        let count = self.geometry.links() as u64;
        memory::unwinding::resize(&mut scratch.trace, self.geometry.lanes());
        memory::unwinding::resize(&mut scratch.norm, self.geometry.lanes());
        memory::unwinding::resize(&mut scratch.deviation, self.geometry.lanes());
        memory::unwinding::resize(&mut scratch.determinant, self.geometry.lanes());
        let has_determinant = self.has_determinant();
        for link in 0..self.geometry.links() {
            self.arch.dispatch(Unitarity {
                colors,
                links: self.matrices(row, 0, link),
                trace: &mut scratch.trace,
                norm: &mut scratch.norm,
                deviation: &mut scratch.deviation,
            });
            if has_determinant {
                self.arch.dispatch(Determinants {
                    colors,
                    links: self.matrices(row, 0, link),
                    deviation: &mut scratch.determinant,
                });
            }
            sums.traces[link] = scratch.trace[..sites].iter().sum();
            *sums.norm += scratch.norm[..sites].iter().sum::<f64>();
            // Absent links have no value, so they do not count.
            let absent = &scratch.absent[link * sites..];
            let mut smallest = f64::INFINITY;
            let deviations = scratch.deviation.iter().zip(&scratch.determinant);
            let present = deviations.zip(absent).take(sites).enumerate().filter(|(_, (_, absent))| !**absent);
            for (x, ((unitarity, determinant), _)) in present {
                *sums.deviation = larger_or_nan(*sums.deviation, *unitarity);
                *sums.determinant = larger_or_nan(*sums.determinant, *determinant);
                let deviation = larger_or_nan(*unitarity, *determinant);
                smallest = smallest.min(deviation);
                sums.note(deviation, || site(x) * count + link as u64);
            }
            // The deviations are squares. The flag is read first, because writing to it would slow the other threads.
            if smallest <= FAR * FAR && !self.has_unitary_link.load(Ordering::Relaxed) {
                self.has_unitary_link.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Sums the plaquettes that begin in a row of the previous slice; `above` is the same row of the slice after it.
    fn measure_plaquettes(
        &self,
        row: usize,
        previous: &[f64],
        above: &[f64],
        scratch: &mut Scratch,
        sums: &mut [f64],
    ) {
        let Geometry { row: sites, colors, .. } = self.geometry;
        let Scratch { trace, shifted, .. } = scratch;
        memory::unwinding::resize(trace, self.geometry.lanes());
        if self.geometry.planes.iter().any(|plane| plane.mu.neighbour == Neighbour::InRow) {
            memory::unwinding::resize(shifted, self.geometry.row_stride());
            let shift = Shift {
                row: self.row(previous, row),
                site_numbers: self.geometry.site_numbers(),
                sites,
                shifted,
            };
            self.arch.dispatch(shift);
        }
        for (plane, sum) in self.geometry.planes.iter().zip(sums) {
            // The links of the next site in a direction.
            let ahead = |neighbour, link| match neighbour {
                Neighbour::InRow => self.matrices(shifted, 0, link),
                Neighbour::InSlice(dimension) => {
                    self.matrices(previous, self.geometry.next_row(row, dimension), link)
                }
                Neighbour::NextSlice => self.matrices(above, 0, link),
            };
            self.arch.dispatch(Plaquettes {
                colors,
                a: self.matrices(previous, row, plane.mu.link),
                b: ahead(plane.mu.neighbour, plane.nu.link),
                c: ahead(plane.nu.neighbour, plane.mu.link),
                d: self.matrices(previous, row, plane.nu.link),
                out: trace,
            });
            *sum = trace.iter().take(sites).sum();
        }
    }

    /// The numbers of a row.
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "`rows` are whole rows of a time slice, which fits into memory, and `row` is one of them"
    )]
    fn row<'r>(&self, rows: &'r [f64], row: usize) -> &'r [f64] {
        let stride = self.geometry.row_stride();
        &rows[row * stride..][..stride]
    }

    /// The matrices of one link of all sites in a row.
    fn matrices<'r>(&self, rows: &'r [f64], row: usize, link: usize) -> Matrices<'r> {
        Matrices { row: self.row(rows, row), links: self.geometry.links(), link }
    }

    /// Sums the plaquettes that begin in the last slice: the slice after it is the first.
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "the first slice has been read; a row is not empty, and has fewer sums than numbers, which fit into memory"
    )]
    fn close(&mut self) {
        let Some(previous) = self.previous() else { return };
        let (row_stride, width) = (self.geometry.row_stride(), self.sums_width());
        let mut row_sums = memory::unwinding::zeroed(self.geometry.rows * width);
        let length = parallel::piece_length(self.geometry.rows, TILE / self.row_bytes());
        let pieces = row_sums.chunks_mut(length * width).enumerate().collect();
        let Ok(()) = parallel::each(self.is_large, pieces, |(index, sums), scratch: &mut Scratch| {
            let counted = (index * length..self.geometry.counted).zip(sums.chunks_exact_mut(width));
            for (row, sums) in counted {
                let above = &self.first[row * row_stride..];
                let Some(sums) = RowSums::of(sums, &self.geometry) else { continue };
                self.measure_plaquettes(row, previous, above, scratch, sums.planes);
            }
            Ok::<(), Infallible>(())
        });
        for row in row_sums.chunks_exact_mut(width).filter_map(|row| RowSums::of(row, &self.geometry)) {
            self.previous_sums.add_planes(&row);
        }
        self.end_previous();
    }

    /// Adds the sums of the rows, in the order of the rows.
    fn add_sums(&mut self) {
        let (width, is_after) = (self.sums_width(), self.is_after());
        let rows = self.row_sums.chunks_exact_mut(width);
        for row in rows.filter_map(|row| RowSums::of(row, &self.geometry)) {
            self.previous_sums.add_planes(&row);
            if !is_after {
                self.current_sums.add_links(&row);
            }
        }
    }

    /// The sums over the previous slice are complete. Those over the current one take their place.
    fn end_previous(&mut self) {
        let current = std::mem::replace(&mut self.current_sums, SliceSums::new(&self.geometry));
        self.sums.add(std::mem::replace(&mut self.previous_sums, current));
    }

    fn end_slice(&mut self) {
        if self.slices > 0 {
            self.end_previous();
        } else {
            std::mem::swap(&mut self.previous_sums, &mut self.current_sums);
        }
        // The first slice of the lattice is kept until the end. The previous slice is no longer needed: the current one
        // replaces it.
        let is_first = self.slices == 0 && self.is_whole();
        let kept = if is_first { &mut self.first } else { &mut self.previous };
        std::mem::swap(kept, &mut self.current);
        (self.slices, self.rows) = (self.slices.saturating_add(1), 0);
    }
}
