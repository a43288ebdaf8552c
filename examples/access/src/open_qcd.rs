//! Gauge configurations of openQCD, as its function `export_cnfg` writes them.
//!
//! Four 32-bit extents t, x, y, z, and the sum of the traces of the average plaquette (3 for unit links) as a 64-bit
//! number; then, for each odd point (the sum of its coordinates is odd) in lexicographic order, t slowest and z fastest,
//! eight links: for each of the directions t, x, y, z the link that leaves the point, and the one that enters it. All numbers
//! are little endian, and a link has its elements row by row.
//!
//! The links of a site are therefore in up to five places, in two time slices. To deliver
//! sites in the order of other formats, two slices are held in memory. This is not in the codec, whose decoders hold
//! no data.

use linkstream::lattice::Extents;

/// Length of the header in bytes.
pub const HEADER_LEN: usize = 24;
/// Size of a link, and of the eight links of an odd point, in bytes.
pub const LINK: usize = 144;
const POINT: usize = 8 * LINK;
/// Size of the four links of a site in bytes.
pub const SITE: usize = 4 * LINK;
/// Largest extent of a lattice that is recognised, since the format has no magic number.
const LARGEST: u32 = 1024;

/// The direction in openQCD of each direction x, y, z, t.
const DIRECTIONS: [usize; 4] = [1, 2, 3, 0];

/// The header of a configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Header {
    extents: Extents,
    plaquette: f64,
}

impl Header {
    /// The header at the beginning of a file, if it can be one: four even extents, and a trace of at most 3. The `size` of
    /// the file, if it is known, must fit such a lattice.
    ///
    /// ```
    /// use linkstream_access::open_qcd::Header;
    ///
    /// let mut first = [8_u32, 4, 4, 4].map(u32::to_le_bytes).concat();
    /// first.extend(1.5_f64.to_le_bytes());
    /// let header = Header::of(&first, Some(24 + 512 * 576)).ok_or("a configuration")?;
    /// assert_eq!((header.extents().as_slice(), header.plaquette()), (&[4, 4, 4, 8][..], 0.5));
    /// assert!(Header::of(&first, Some(24 + 512 * 575)).is_none());
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn of(first: &[u8], size: Option<u64>) -> Option<Self> {
        Self::read(first, size, u32::from_le_bytes, f64::from_le_bytes)
    }

    fn read(
        first: &[u8],
        size: Option<u64>,
        integer: fn([u8; 4]) -> u32,
        real: fn([u8; 8]) -> f64,
    ) -> Option<Self> {
        let (extents, rest) = first.split_first_chunk::<16>()?;
        let trace = real(*rest.first_chunk::<8>()?);
        let [t, x, y, z] = *extents.as_chunks::<4>().0 else { return None };
        let extents = [x, y, z, t].map(integer);
        // Points of both parities alternate only if all extents are even.
        let is_possible = |extent: &u32| (2..=LARGEST).contains(extent) && extent.is_multiple_of(2);
        if !extents.iter().all(is_possible) || !(-3.0..=3.0).contains(&trace) {
            return None;
        }
        let header = Self { extents: Extents::new(&extents).ok()?, plaquette: trace / 3.0 };
        size.is_none_or(|size| size == header.file_length()).then_some(header)
    }

    /// The header of links with this average plaquette, 1 for unit links. `None` if openQCD cannot have such a lattice: it
    /// has four even extents.
    #[must_use]
    pub fn new(extents: Extents, plaquette: f64) -> Option<Self> {
        let is_even = extents.as_slice().iter().all(|extent| extent.is_multiple_of(2));
        (extents.dimensions() == 4 && is_even).then_some(Self { extents, plaquette })
    }

    /// Extents of the lattice: x, y, z, t.
    #[must_use]
    pub const fn extents(&self) -> &Extents {
        &self.extents
    }

    /// The average plaquette, divided by the number of colors.
    #[must_use]
    pub const fn plaquette(&self) -> f64 {
        self.plaquette
    }

    /// Length of the file in bytes.
    #[must_use]
    pub fn file_length(&self) -> u64 {
        // At most 2^40 sites if the header was read.
        self.extents.sites().saturating_mul(SITE as u64).saturating_add(HEADER_LEN as u64)
    }

    /// The bytes of the header.
    #[must_use]
    pub fn bytes(&self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        let (extents, trace) = bytes.split_at_mut(16);
        if let [x, y, z, t] = *self.extents.as_slice() {
            for (to, extent) in extents.as_chunks_mut::<4>().0.iter_mut().zip([t, x, y, z]) {
                *to = extent.to_le_bytes();
            }
        }
        trace.copy_from_slice(&(3.0 * self.plaquette).to_le_bytes());
        bytes
    }

    /// The places of the links.
    #[must_use]
    pub fn geometry(&self) -> Geometry {
        let mut extents = [1; 4];
        for (to, extent) in extents.iter_mut().zip(self.extents.as_slice()) {
            *to = *extent as usize;
        }
        Geometry { extents }
    }
}

/// Returns whether a file has the form of openQCD with big-endian numbers, which openQCD refuses.
#[must_use]
pub fn is_big_endian(first: &[u8], size: Option<u64>) -> bool {
    size.is_some() && Header::read(first, size, u32::from_be_bytes, f64::from_be_bytes).is_some()
}

/// The places of the links of a lattice: x, y, z, t.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Geometry {
    extents: [usize; 4],
}

#[expect(
    clippy::arithmetic_side_effects,
    reason = "the extents are at most 1024 in files that are read, and the data are in memory otherwise; none is 0"
)]
impl Geometry {
    /// Number of time slices.
    #[must_use]
    pub const fn slices(&self) -> usize {
        self.extents[3]
    }

    /// Number of sites in a time slice.
    #[must_use]
    pub const fn slice_sites(&self) -> usize {
        self.extents[0] * self.extents[1] * self.extents[2]
    }

    /// Size of a time slice in bytes.
    #[must_use]
    pub const fn slice_bytes(&self) -> usize {
        self.slice_sites() * SITE
    }

    /// Offset of a time slice in the file.
    #[must_use]
    pub const fn slice_at(&self, t: usize) -> u64 {
        HEADER_LEN as u64 + t as u64 * self.slice_bytes() as u64
    }

    /// The coordinates x, y, z of a site of a time slice, x fastest.
    const fn site(&self, number: usize) -> [usize; 3] {
        let [x, y, ..] = self.extents;
        [number % x, number / x % y, number / (x * y)]
    }

    /// Offset of the links of an odd point in its time slice.
    const fn point(&self, [x, y, z]: [usize; 3]) -> usize {
        let [_, of_y, of_z, _] = self.extents;
        // Of two points that differ in the lowest bit of z, one is odd.
        ((x * of_y + y) * of_z + z) / 2 * POINT
    }

    /// The site after, or before, `site` in a direction x, y, z.
    fn next(&self, mut site: [usize; 3], mu: usize, forward: bool) -> [usize; 3] {
        if let (Some(coordinate), Some(extent)) = (site.get_mut(mu), self.extents.get(mu)) {
            *coordinate = (*coordinate + if forward { 1 } else { extent - 1 }) % extent;
        }
        site
    }

    /// Copies the links of whole sites of time slice `t`, in the order of other formats, from the site with the number
    /// `first` of the slice on. `here` and `after` are this slice and the next one in the file. `None` if they are too
    /// short.
    pub fn sites(&self, t: usize, first: usize, here: &[u8], after: &[u8], out: &mut [u8]) -> Option<()> {
        for (number, links) in (first..).zip(out.chunks_exact_mut(SITE)) {
            let site = self.site(number);
            let is_odd = (site.iter().sum::<usize>() + t) % 2 == 1;
            for ((mu, direction), link) in
                DIRECTIONS.into_iter().enumerate().zip(links.chunks_exact_mut(LINK))
            {
                let (slice, at) = match (is_odd, mu) {
                    (true, _) => (here, self.point(site) + 2 * direction * LINK),
                    (false, 3) => (after, self.point(site) + (2 * direction + 1) * LINK),
                    (false, _) => (here, self.point(self.next(site, mu, true)) + (2 * direction + 1) * LINK),
                };
                link.copy_from_slice(slice.get(at..at + LINK)?);
            }
        }
        Some(())
    }

    /// The links of time slice `t` in the order of openQCD. `here` and `before` are this slice and the previous one in the
    /// order of other formats. `None` if a slice is too short.
    pub fn points(&self, t: usize, here: &[u8], before: &[u8], out: &mut [u8]) -> Option<()> {
        let number = |[x, y, z]: [usize; 3]| (z * self.extents[1] + y) * self.extents[0] + x;
        for site in (0..self.slice_sites()).map(|number| self.site(number)) {
            if (site.iter().sum::<usize>() + t).is_multiple_of(2) {
                continue;
            }
            let at = self.point(site);
            let links = out.get_mut(at..at + POINT)?.chunks_exact_mut(LINK);
            for (place, link) in links.enumerate() {
                let mu = DIRECTIONS.iter().position(|direction| *direction == place / 2)?;
                let (slice, from) = match (place % 2 == 0, mu) {
                    (true, _) => (here, site),
                    (false, 3) => (before, site),
                    (false, _) => (here, self.next(site, mu, false)),
                };
                let from = (4 * number(from) + mu) * LINK;
                link.copy_from_slice(slice.get(from..from + LINK)?);
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every link goes to its place and back; each place is filled.
    #[test]
    fn links_change_their_order_and_return() {
        let extents = Extents::new(&[4, 2, 6, 4]).expect("a lattice");
        let header = Header::new(extents, 0.25).expect("even extents");
        assert_eq!(Header::of(&header.bytes(), Some(header.file_length())), Some(header));
        let geometry = header.geometry();
        let size = geometry.slice_bytes();
        let data: Vec<u8> =
            (0..(4 * size) as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 23) as u8).collect();
        let slice = |data: &[u8], t: usize| data[t % 4 * size..][..size].to_vec();
        let mut stored = vec![0; data.len()];
        for (t, out) in stored.chunks_exact_mut(size).enumerate() {
            geometry.points(t, &slice(&data, t), &slice(&data, t + 3), out).expect("long enough");
        }
        assert_ne!(stored, data);
        let mut again = vec![0; data.len()];
        for (t, out) in again.chunks_exact_mut(size).enumerate() {
            let (first, rest) = out.split_at_mut(5 * 4 * LINK);
            let (here, after) = (slice(&stored, t), slice(&stored, t + 1));
            geometry.sites(t, 0, &here, &after, first).expect("long enough");
            geometry.sites(t, 5, &here, &after, rest).expect("long enough");
        }
        assert_eq!(again, data);
    }

    /// The first odd point of the first time slice is (t, x, y, z) = (0, 0, 0, 1).
    #[test]
    fn the_first_links_are_those_of_the_first_odd_point() {
        let header = Header::new(Extents::new(&[4, 4, 4, 8]).expect("a lattice"), 0.5).expect("even extents");
        let geometry = header.geometry();
        let mut here = vec![0; geometry.slice_bytes()];
        for (place, link) in here[..POINT].chunks_exact_mut(LINK).enumerate() {
            link.fill(place as u8 + 1);
        }
        let mut out = vec![0; geometry.slice_bytes()];
        geometry.sites(0, 0, &here, &vec![9; geometry.slice_bytes()], &mut out).expect("long enough");
        // Site 16 is (0, 0, 1): the links that leave it in the directions x, y, z, t.
        let link = |site: usize, mu: usize| out[(4 * site + mu) * LINK];
        assert_eq!([0, 1, 2, 3].map(|mu| link(16, mu)), [3, 5, 7, 1]);
        // The links that enter it leave (3, 0, 1), (0, 3, 1) and (0, 0, 0).
        assert_eq!([link(16 + 3, 0), link(16 + 12, 1), link(0, 2)], [4, 6, 8]);
        // The one in the direction t of an even site enters a point of the next slice.
        assert_eq!(link(0, 3), 9);
    }

    #[test]
    fn what_is_no_lattice_of_openqcd_is_not_taken_for_one() {
        let bytes = |extents: [u32; 4], trace: f64| {
            [&extents.map(u32::to_le_bytes).concat()[..], &trace.to_le_bytes()].concat()
        };
        for (extents, trace) in [
            ([8, 4, 4, 3], 1.5),
            ([8, 0, 4, 4], 1.5),
            ([2048, 4, 4, 4], 1.5),
            ([8, 4, 4, 4], 3.5),
            ([8, 4, 4, 4], f64::NAN),
        ] {
            assert!(Header::of(&bytes(extents, trace), None).is_none(), "{extents:?} {trace}");
        }
        let big = [&[8_u32, 4, 4, 4].map(u32::to_be_bytes).concat()[..], &1.5_f64.to_be_bytes()].concat();
        assert!(is_big_endian(&big, Some(24 + 512 * 576)) && !is_big_endian(&big, Some(24)));
    }
}
