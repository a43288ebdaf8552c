//! One site of a field, as it is passed to a callback.

use core::iter::FusedIterator;
use core::slice::Iter;

use super::error::SiteError;
use super::layout::{Field, LinkLayout};
use crate::counter::Counter as _;
use crate::lattice::{ByteOrder, Coordinates, Cursor, Extents, Float, Precision, Region};

/// One site of a field: its position in the lattice, and its bytes as in the file.
///
/// # Example
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::Mode;
/// use linkstream::field::{Decoder, Event, Sites};
/// use linkstream::io::Reader;
/// # let file = linkstream_example::file();
///
/// let (mut buffer, mut site_buffer) = ([0; 512], [0; 8]);
/// let mut sites = Sites::new(&mut site_buffer);
/// let mut reader = Reader::new(file.as_slice(), &mut buffer, Decoder::new(Mode::Strict));
/// while let Some(event) = reader.next()? {
///     match event {
///         Event::Field => sites.begin(reader.decoder().field())?,
///         Event::Data => sites.feed(reader.decoder().field(), reader.bytes(), |site| {
///             // The example file has the rank of each site, as a double.
///             assert_eq!(site.rank() as usize, site.index());
///             assert_eq!((site.coordinates().len(), site.bytes().len()), (4, 8));
///             assert_eq!(site.numbers()?.next(), Some(site.rank() as f64));
///             assert!(site.link(0).is_err());
///             let mut number = [0.0_f32];
///             site.read_into(&mut number)
///         })?,
///         _ => {}
///     }
/// }
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Site<'a> {
    position: SitePosition<'a>,
    bytes: &'a [u8],
    precision: Option<Precision>,
    links: Option<&'a LinkLayout>,
}

impl<'a> Site<'a> {
    #[inline]
    pub(crate) const fn new(field: &'a Field, position: SitePosition<'a>, bytes: &'a [u8]) -> Self {
        Self { position, bytes, precision: field.precision, links: field.links.as_ref() }
    }

    /// Rank in the full lattice, where coordinate 0 (x) runs fastest; 0 for global data.
    #[must_use]
    pub const fn rank(&self) -> u64 {
        self.position.rank
    }

    /// Index among the sites of this field, or of this field in a volume of a set, in stored order, from 0. For a field
    /// on the full lattice in a single file it equals the rank. `usize::MAX` if it does not fit in `usize`.
    #[must_use]
    pub fn index(&self) -> usize {
        self.position.index()
    }

    /// Coordinates in the full lattice, in sites, x first.
    #[must_use]
    pub fn coordinates(&self) -> &'a [u32] {
        self.position.coordinates.as_slice()
    }

    /// The bytes as in the file, where numbers are big-endian.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The floating-point numbers in stored order.
    ///
    /// # Errors
    /// [`SiteError::NotNumbers`] if the data are not floating-point numbers.
    pub fn numbers(
        &self,
    ) -> Result<impl ExactSizeIterator<Item = f64> + FusedIterator + Clone + use<'a>, SiteError> {
        let precision = self.precision.ok_or(SiteError::NotNumbers)?;
        Ok(Numbers::new(self.bytes, precision))
    }

    /// Fills `numbers`, whose length must be the number of floating-point numbers of the site, in stored order;
    /// converts `f32` to `f64` exactly, `f64` to `f32` rounded to nearest.
    ///
    /// # Errors
    /// [`SiteError::NotNumbers`] if the data are not floating-point numbers, [`SiteError::Length`] for a slice of
    /// another length.
    pub fn read_into<T: Float>(&self, numbers: &mut [T]) -> Result<(), SiteError> {
        read_into(self.bytes, self.precision.ok_or(SiteError::NotNumbers)?, numbers)
    }

    /// Copies the site to `words`, so that a device that reads this memory finds its floating-point numbers in the byte
    /// order `order`: for DMA to an FPGA, for example. The bytes of a site are where the input has them, at any address;
    /// `words` are aligned as the caller has made them. A number of 64 bits takes two words.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn core::error::Error>> {
    /// use linkstream::field::{Site, SiteError};
    /// use linkstream::io::FieldReader;
    /// use linkstream::lattice::ByteOrder;
    /// # let source = linkstream_example::links();
    ///
    /// /// A DMA buffer for the links of a site: 4 x 3 x 3 complex numbers of 32 bits.
    /// #[repr(align(32))]
    /// struct Transfer([u32; 72]);
    ///
    /// let (mut buffer, mut transfer) = ([0; 1024], Transfer([0; 72]));
    /// let mut file = FieldReader::new(source.as_slice(), &mut buffer);
    /// let mut field = file.next_field()?.ok_or("no field")?;
    /// let send = |site: Site<'_>| site.copy_words(&mut transfer.0, ByteOrder::Little);
    /// field.for_each_site(send)?.require_match()?;
    /// assert_eq!(u32::from_le(transfer.0[0]), 0.25_f32.to_bits());
    /// # Ok(())
    /// # }
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
    /// ```
    ///
    /// # Errors
    /// [`SiteError::NotNumbers`] if the data are not floating-point numbers, [`SiteError::Length`] if `words` do not have
    /// the length of the site; they are then unchanged.
    pub fn copy_words(&self, words: &mut [u32], order: ByteOrder) -> Result<(), SiteError> {
        let precision = self.precision.ok_or(SiteError::NotNumbers)?;
        let (needed, given) = (self.bytes.len() as u64, (words.len() as u64).times(4));
        if given != needed {
            return Err(SiteError::Length { needed, given });
        }
        // In the file, numbers are big-endian.
        let is_same = order == ByteOrder::Big;
        for (word, bytes) in words.iter_mut().zip(self.bytes.as_chunks().0) {
            let same = u32::from_ne_bytes(*bytes);
            *word = if is_same { same } else { same.swap_bytes() };
        }
        if !is_same && precision == Precision::F64 {
            words.as_chunks_mut().0.iter_mut().for_each(|[high, low]| core::mem::swap(high, low));
        }
        Ok(())
    }

    /// The link with index `mu`, counted from 0 over the directions that have links.
    ///
    /// # Errors
    /// [`SiteError::NoLinks`] if the field is not a gauge field, [`SiteError::NoSuchLink`] if the site has fewer
    /// links.
    #[inline]
    pub fn link(&self, mu: usize) -> Result<Link<'a>, SiteError> {
        let layout = self.links.ok_or(SiteError::NoLinks)?;
        let bytes = layout.place(mu).and_then(|place| self.bytes.get(place));
        bytes.map(|bytes| Link { bytes, layout: *layout }).ok_or(layout.no_such_link(mu))
    }

    /// All links, direction 0 first.
    ///
    /// # Errors
    /// [`SiteError::NoLinks`] if the field is not a gauge field.
    #[inline]
    pub fn links(&self) -> Result<impl Iterator<Item = Link<'a>> + Clone + use<'a>, SiteError> {
        let layout = *self.links.ok_or(SiteError::NoLinks)?;
        Ok(Links {
            rest: self.bytes,
            size: layout.bytes_per_link().unwrap_or_default(),
            left: layout.links,
            layout,
        })
    }
}

fn read_into<T: Float>(bytes: &[u8], precision: Precision, numbers: &mut [T]) -> Result<(), SiteError> {
    let given = (numbers.len() as u64).times(precision.size() as u64);
    if given != bytes.len() as u64 {
        return Err(SiteError::Length { needed: bytes.len() as u64, given });
    }
    precision.load(bytes, numbers);
    Ok(())
}

/// The links of a site.
#[derive(Debug, Clone)]
struct Links<'a> {
    rest: &'a [u8],
    /// Size of a link in bytes.
    size: usize,
    left: u32,
    layout: LinkLayout,
}

impl<'a> Iterator for Links<'a> {
    type Item = Link<'a>;

    #[inline]
    fn next(&mut self) -> Option<Link<'a>> {
        self.left = self.left.checked_sub(1)?;
        let (bytes, rest) = self.rest.split_at_checked(self.size)?;
        self.rest = rest;
        Some(Link { bytes, layout: self.layout })
    }
}

/// One link: a matrix of `rows` x `columns` complex or real numbers, stored row by row.
///
/// # Example
/// ```
/// # let file = linkstream_example::links();
/// use linkstream::Mode;
/// use linkstream::field::{Decoder, Event, SiteError, Sites};
/// use linkstream::io::Reader;
///
/// let (mut buffer, mut site_buffer) = ([0; 4096], [0; 576]);
/// let mut sites = Sites::new(&mut site_buffer);
/// let mut reader = Reader::new(file.as_slice(), &mut buffer, Decoder::new(Mode::Strict));
/// while let Some(event) = reader.next()? {
///     match event {
///         Event::Field => sites.begin(reader.decoder().field())?,
///         Event::Data => sites.feed(reader.decoder().field(), reader.bytes(), |site| -> Result<(), SiteError> {
///             assert_eq!(site.links()?.count(), 4);
///             let link = site.link(3)?;
///             assert_eq!((link.rows(), link.columns(), link.numbers().count()), (3, 3, 18));
///             assert!(!link.is_unphysical());
///             let mut numbers = [0.0_f64; 18];
///             link.read_into(&mut numbers)?;
///             assert_eq!(link.get(0, 0), Some([numbers[0], numbers[1]]));
///             Ok(())
///         })?,
///         _ => {}
///     }
/// }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Link<'a> {
    bytes: &'a [u8],
    layout: LinkLayout,
}

impl<'a> Link<'a> {
    /// Number of stored rows; less than the number of columns in reduced storage.
    #[must_use]
    pub const fn rows(&self) -> u32 {
        self.layout.rows
    }

    /// Number of columns.
    #[must_use]
    pub const fn columns(&self) -> u32 {
        self.layout.columns
    }

    /// The bytes as in the file, where numbers are big-endian.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The numbers in stored order: row by row, real part before imaginary part.
    #[must_use]
    pub fn numbers(&self) -> impl ExactSizeIterator<Item = f64> + FusedIterator + Clone + use<'a> {
        Numbers::new(self.bytes, self.layout.precision)
    }

    /// Fills `numbers`, whose length must be the number of numbers of the link, in stored order: row by row, real
    /// part before imaginary part. Converts `f32` to `f64` exactly, `f64` to `f32` rounded to nearest.
    ///
    /// # Errors
    /// [`SiteError::Length`] for a slice of another length.
    pub fn read_into<T: Float>(&self, numbers: &mut [T]) -> Result<(), SiteError> {
        read_into(self.bytes, self.layout.precision, numbers)
    }

    /// The element in `row` and `column`, both counted from 0, as `[real part, imaginary part]`. For real kinds the
    /// imaginary part is 0; for the kind `u1phase` the real part is the phase. `None` if the element is not stored.
    #[must_use]
    #[inline]
    pub fn get(&self, row: usize, column: usize) -> Option<[f64; 2]> {
        let index = self.layout.element(row, column)?;
        let (singles, doubles) = (self.bytes.as_chunks().0, self.bytes.as_chunks().0);
        Some(match (self.layout.precision, self.layout.is_complex()) {
            (Precision::F32, true) => singles.as_chunks().0.get(index)?.map(single),
            (Precision::F32, false) => [single(*singles.get(index)?), 0.0],
            (Precision::F64, true) => doubles.as_chunks().0.get(index)?.map(double),
            (Precision::F64, false) => [double(*doubles.get(index)?), 0.0],
        })
    }

    /// True if the link does not physically exist. At open and Dirichlet boundaries such links are stored with all
    /// bits clear, or, in the kind `u1phase`, with all bits set (ILDG 1.2, section 2.5.1).
    #[must_use]
    pub fn is_unphysical(&self) -> bool {
        let fill = if self.layout.absent_is_ones { 0xff } else { 0 };
        // Links are whole words of 4 bytes. Word by word, zero-filled data are not much slower than others.
        let (words, rest) = self.bytes.as_chunks::<4>();
        words.iter().all(|word| *word == [fill; 4]) && rest.iter().all(|byte| *byte == fill)
    }
}

/// The floating-point numbers of a [`Site`](super::Site) or a [`Link`](super::Link) in stored order.
#[derive(Debug, Clone)]
struct Numbers<'a> {
    // One of these is empty, depending on the precision.
    singles: Iter<'a, [u8; 4]>,
    doubles: Iter<'a, [u8; 8]>,
}

impl<'a> Numbers<'a> {
    pub(super) fn new(bytes: &'a [u8], precision: Precision) -> Self {
        let (singles, doubles): (&[_], &[_]) = match precision {
            Precision::F32 => (bytes.as_chunks().0, &[]),
            Precision::F64 => (&[], bytes.as_chunks().0),
        };
        Self { singles: singles.iter(), doubles: doubles.iter() }
    }
}

#[inline]
pub(super) fn single(word: [u8; 4]) -> f64 {
    f64::from(f32::from_be_bytes(word))
}

#[inline]
pub(super) fn double(word: [u8; 8]) -> f64 {
    f64::from_be_bytes(word)
}

impl Iterator for Numbers<'_> {
    type Item = f64;

    #[inline]
    fn next(&mut self) -> Option<f64> {
        match self.doubles.next() {
            Some(word) => Some(double(*word)),
            None => self.singles.next().map(|word| single(*word)),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.singles.len().plus(self.doubles.len());
        (left, Some(left))
    }

    // A plain loop over words of one size: calls of `next` would test the size for each number.
    #[inline]
    fn fold<B, F: FnMut(B, f64) -> B>(self, start: B, mut f: F) -> B {
        let folded = self.singles.fold(start, |so_far, word| f(so_far, single(*word)));
        self.doubles.fold(folded, |so_far, word| f(so_far, double(*word)))
    }
}

impl ExactSizeIterator for Numbers<'_> {}
impl FusedIterator for Numbers<'_> {}

/// Rank and coordinates in the lattice, and the index among the sites of the data.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SitePosition<'a> {
    pub(crate) rank: u64,
    pub(crate) index: u64,
    pub(crate) coordinates: &'a Coordinates,
}

impl<'a> SitePosition<'a> {
    /// Position of the current site of a field in stored order.
    #[inline]
    pub(crate) fn of(cursor: &'a Cursor, extents: &Extents, region: &Region) -> Self {
        let rank = cursor.rank(extents, region);
        Self { rank, index: cursor.done(), coordinates: cursor.coordinates() }
    }

    /// The index; `usize::MAX` if it does not fit in `usize`.
    pub(super) fn index(&self) -> usize {
        usize::try_from(self.index).unwrap_or(usize::MAX)
    }
}
