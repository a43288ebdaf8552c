//! Conversion between the bytes of a part and numbers in memory, and its checksum.

use core::ops::Range;

use linkstream::Limits;
#[allow(unused_imports, reason = "named in the documentation")]
use linkstream::field::Field;
use linkstream::field::SiteError;
use linkstream::lattice::{Checksum, Float, Precision, SiteOrder};

use super::error::BoxError;
use super::part::BoxPart;

impl BoxPart {
    /// Sites of `numbers` numbers, of this precision.
    fn layout<T: Float>(&self, numbers: &[T]) -> Result<Layout, BoxError> {
        let precision = self.field.precision.ok_or(SiteError::NotNumbers)?;
        let (size, needed) = (precision.size(), self.field.bytes_per_site);
        let given = (numbers.len() as u64).saturating_mul(size as u64);
        // A site that does not fit into memory, or is not a whole number of numbers.
        let wrong = SiteError::Length { needed, given };
        let site = usize::try_from(needed).map_err(|_| wrong)?;
        let count = site.checked_div(size).unwrap_or(0);
        if count * size != site {
            return Err(wrong.into());
        }
        Ok(Layout { precision, site, count, given })
    }

    /// The same for the numbers of all sites of the box.
    fn all_numbers<T: Float>(&self, numbers: &[T]) -> Result<Layout, BoxError> {
        let layout = self.layout(numbers)?;
        let (needed, given) = (self.all_bytes(), layout.given);
        if needed == given { Ok(layout) } else { Err(SiteError::Length { needed, given }.into()) }
    }

    /// The numbers of this window, as a range of the numbers of the box. All of them are in memory.
    fn in_numbers(&self, count: usize) -> Range<usize> {
        self.first as usize * count..self.end as usize * count
    }

    /// The front of a buffer that the bytes of this window fill.
    fn room<'b>(&self, bytes: &'b mut [u8]) -> Result<&'b mut [u8], BoxError> {
        let needed = self.byte_count();
        if needed > bytes.len() as u64 {
            return Err(BoxError::TooSmall { needed });
        }
        // At most the length of the slice.
        Ok(&mut bytes[..needed as usize])
    }

    /// Checks that these are as many bytes as the window has.
    fn check_bytes(&self, bytes: &[u8]) -> Result<(), BoxError> {
        let (needed, given) = (self.byte_count(), bytes.len() as u64);
        if needed == given { Ok(()) } else { Err(BoxError::Bytes { needed, given }) }
    }

    /// The number of floating-point numbers of all sites of the box, for allocating memory before they are read. As
    /// [`Field::number_count`](Field::number_count), it is a claim of the file.
    ///
    /// # Errors
    /// [`SiteError::Limit`] if their data are longer than `limits` allow; [`SiteError::NotNumbers`] if they are not
    /// floating-point numbers; [`SiteError::Length`] if they are not a whole number of them.
    ///
    /// # Example
    /// ```
    /// use linkstream::Limits;
    /// use linkstream::field::FieldDocuments;
    /// use linkstream_parallel::field::BoxPart;
    /// use linkstream::lattice::{Extents, Precision};
    /// use linkstream::scidac::PrivateRecord;
    ///
    /// let record = PrivateRecord::complex_field(Precision::F64);
    /// let field = FieldDocuments::scidac(record).layout(&Extents::new(&[4, 4])?)?;
    /// assert_eq!(BoxPart::whole(&field).number_count(Limits::DEFAULT)?, 32);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn number_count(&self, limits: Limits) -> Result<usize, SiteError> {
        let size = self.field.precision.ok_or(SiteError::NotNumbers)?.size();
        let bytes = limits.check(self.all_bytes()).map_err(SiteError::Limit)?;
        let numbers = bytes.checked_div(size).unwrap_or(0);
        let (needed, given) = (bytes as u64, (numbers * size) as u64);
        if needed == given { Ok(numbers) } else { Err(SiteError::Length { needed, given }) }
    }

    /// Length of the data of all sites of the box.
    fn all_bytes(&self) -> u64 {
        self.box_sites().saturating_mul(self.field.bytes_per_site)
    }

    /// Converts the numbers of this window into the bytes of the file, one run after the other, and returns them:
    /// the front of the buffer. `numbers` are the numbers of all sites of the box, with the sites in the order of
    /// [`range`](Self::range), which for a field on the whole lattice is the lexicographic order of the box. They are
    /// converted to the precision of the field: `f32` to `f64` exactly, `f64` to `f32` rounded to nearest.
    ///
    /// # Errors
    /// [`BoxError::TooSmall`]; [`BoxError::Site`] with [`SiteError::Length`] if `numbers` do not have the length of
    /// the box, [`SiteError::NotNumbers`], or [`SiteError::Overflow`] for a number that is too large for the precision
    /// of the field.
    pub fn fill<'b, T: Float>(&self, numbers: &[T], bytes: &'b mut [u8]) -> Result<&'b [u8], BoxError> {
        let Layout { precision, count, .. } = self.all_numbers(numbers)?;
        let bytes = self.room(bytes)?;
        let range = self.in_numbers(count);
        let first = range.start;
        let numbers = &numbers[range];
        check_overflow(precision, numbers, first)?;
        precision.store(numbers, bytes);
        Ok(bytes)
    }

    /// The same for sites in any order in memory. `place` returns the index of a site in `numbers`, counted in sites:
    /// QIO's `node_index`, for example, computed from the [`coordinates`](SiteOrder::coordinates). The memory may have
    /// more sites than the box.
    ///
    /// # Errors
    /// The errors of [`fill`](Self::fill), except that `numbers` may have any length; [`BoxError::NoSuchPlace`]. The
    /// content of the buffer is then unspecified.
    ///
    /// # Example
    /// ```
    /// use linkstream::field::FieldDocuments;
    /// use linkstream_parallel::field::BoxPart;
    /// use linkstream::lattice::{Extents, Precision, SiteOrder};
    /// use linkstream::scidac::PrivateRecord;
    ///
    /// let lattice = Extents::new(&[4, 2])?;
    /// let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32)).layout(&lattice)?;
    /// let part = BoxPart::whole(&field);
    /// // In memory, the even sites come first.
    /// let numbers = [0.0_f32, 2.0, 5.0, 7.0, 1.0, 3.0, 4.0, 6.0];
    /// let place = |site: &SiteOrder| {
    ///     let parity = site.coordinates().as_slice().iter().sum::<u32>() % 2;
    ///     4 * parity as usize + site.rank() as usize / 2
    /// };
    /// let (mut buffer, mut again) = ([0; 32], [0.0_f32; 8]);
    /// let bytes = part.fill_from(&numbers, place, &mut buffer)?;
    /// assert_eq!(bytes[..8], [0.0_f32.to_be_bytes(), 1.0_f32.to_be_bytes()].concat());
    /// part.take_to(bytes, place, &mut again)?;
    /// assert_eq!(again, numbers);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn fill_from<'b, T: Float>(
        &self,
        numbers: &[T],
        mut place: impl FnMut(&SiteOrder) -> usize,
        bytes: &'b mut [u8],
    ) -> Result<&'b [u8], BoxError> {
        let Layout { precision, site, count, .. } = self.layout(numbers)?;
        let bytes = self.room(bytes)?;
        let mut sites = self.walk();
        for bytes in bytes.chunks_exact_mut(site.max(1)) {
            let Some(site) = sites.next() else { break };
            let range = place_of(&site, place(&site), count, numbers.len())?;
            let first = range.start;
            let numbers = &numbers[range];
            check_overflow(precision, numbers, first)?;
            precision.store(numbers, bytes);
        }
        Ok(bytes)
    }

    /// Converts the bytes of this window, as they are in the file, into numbers: the inverse of [`fill`](Self::fill).
    /// Numbers of other windows are not changed.
    ///
    /// # Errors
    /// [`BoxError::Bytes`] if the bytes do not have the length of the window; [`BoxError::Site`] with
    /// [`SiteError::Length`] if `numbers` do not have the length of the box, or [`SiteError::NotNumbers`]. Nothing is
    /// changed then.
    pub fn take<T: Float>(&self, bytes: &[u8], numbers: &mut [T]) -> Result<(), BoxError> {
        let Layout { precision, count, .. } = self.all_numbers(numbers)?;
        self.check_bytes(bytes)?;
        precision.load(bytes, &mut numbers[self.in_numbers(count)]);
        Ok(())
    }

    /// The same for sites in any order in memory: the inverse of [`fill_from`](Self::fill_from).
    ///
    /// # Errors
    /// The errors of [`take`](Self::take), except that `numbers` may have any length; [`BoxError::NoSuchPlace`]: the
    /// sites before this one have then been converted.
    pub fn take_to<T: Float>(
        &self,
        bytes: &[u8],
        mut place: impl FnMut(&SiteOrder) -> usize,
        numbers: &mut [T],
    ) -> Result<(), BoxError> {
        let Layout { precision, site, count, .. } = self.layout(numbers)?;
        self.check_bytes(bytes)?;
        let mut sites = self.walk();
        for bytes in bytes.chunks_exact(site.max(1)) {
            let Some(site) = sites.next() else { break };
            let range = place_of(&site, place(&site), count, numbers.len())?;
            precision.load(bytes, &mut numbers[range]);
        }
        Ok(())
    }

    /// The checksum of the sites of this window, from their bytes in the file. Checksums of disjoint parts are combined
    /// by [`Checksum::combine`].
    ///
    /// # Errors
    /// [`BoxError::Bytes`] if the bytes do not have the length of the window.
    ///
    /// # Example
    /// ```
    /// use linkstream::field::FieldDocuments;
    /// use linkstream_parallel::field::BoxPart;
    /// use linkstream::lattice::{Checksum, Extents, Precision};
    /// use linkstream::scidac::PrivateRecord;
    ///
    /// let lattice = Extents::new(&[2])?;
    /// let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32)).layout(&lattice)?;
    /// let mut expected = Checksum::default();
    /// expected.add(0, b"0000");
    /// expected.add(1, b"1111");
    /// assert_eq!(BoxPart::whole(&field).checksum(b"00001111")?, expected);
    /// assert!(BoxPart::whole(&field).checksum(b"0000").is_err());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn checksum(&self, bytes: &[u8]) -> Result<Checksum, BoxError> {
        self.check_bytes(bytes)?;
        let mut sum = Checksum::default();
        // If there are bytes, they are in memory, and so is a site.
        let site = usize::try_from(self.field.bytes_per_site).unwrap_or(usize::MAX);
        for (bytes, site) in bytes.chunks_exact(site.max(1)).zip(self.walk()) {
            sum.add_at(site.residues(), bytes);
        }
        Ok(sum)
    }

    /// The sites of this window.
    fn walk(&self) -> Walk {
        Walk { site: self.first_site(), left: self.sites() }
    }
}

/// The numbers of a site, and the length of the caller's numbers in the file.
struct Layout {
    precision: Precision,
    /// Size of a site in bytes.
    site: usize,
    /// Numbers of a site.
    count: usize,
    /// Length of the numbers in the file, in bytes.
    given: u64,
}

/// The range of the numbers of a site in memory.
fn place_of(site: &SiteOrder, place: usize, count: usize, numbers: usize) -> Result<Range<usize>, BoxError> {
    let range = place.checked_mul(count).and_then(|start| Some(start..start.checked_add(count)?));
    range.filter(|range| range.end <= numbers).ok_or_else(|| {
        let places = numbers.checked_div(count).unwrap_or(usize::MAX);
        BoxError::NoSuchPlace { rank: site.rank(), place, places }
    })
}

/// Iterates over the sites of a window.
struct Walk {
    site: Option<SiteOrder>,
    left: u64,
}

impl Iterator for Walk {
    type Item = SiteOrder;

    #[inline]
    fn next(&mut self) -> Option<SiteOrder> {
        self.left = self.left.checked_sub(1)?;
        let site = self.site?;
        if let Some(site) = &mut self.site {
            site.step();
        }
        Some(site)
    }
}

/// Refuses numbers that would become infinite; `first` is the index of the first of them.
fn check_overflow<T: Float>(precision: Precision, numbers: &[T], first: usize) -> Result<(), SiteError> {
    match precision.overflow(numbers) {
        Some(index) => Err(SiteError::Overflow { index: (first + index) as u64 }),
        None => Ok(()),
    }
}
