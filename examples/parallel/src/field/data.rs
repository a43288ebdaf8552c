//! The numbers of a rank: in its memory, or from and to functions that are called for each site.

use std::fmt;

use super::boxes::{BoxError, BoxPart};
use linkstream::field::Field;
use linkstream::lattice::{Float, SiteOrder};
use linkstream_memory as memory;

use crate::error::Fault;

/// The place of a site in memory, counted in sites.
pub type Place<'p> = Option<&'p dyn Fn(&SiteOrder) -> usize>;

/// Data of the sites of one rank that are written.
///
/// Implemented by a slice `&[f32]` or `&[f64]` of all numbers of the rank, by [`Raw`](super::Raw), [`Sites`] and [`Bytes`]. The numbers
/// of a site of a gauge field are its links, direction 0 first; of each link the elements, row by row; of each element
/// the real part, then the imaginary part. They are converted to the precision of the file: `f32` to `f64` exactly,
/// `f64` to `f32` rounded to nearest.
pub trait Source {
    /// Checks, before anything is written, that the data suit a field of this layout. This rank has `sites` sites of it.
    ///
    /// # Errors
    /// The data have another length, or the field has other words.
    fn check(&self, field: &Field, sites: u64, place: Place<'_>) -> Result<(), Fault>;

    /// Fills `bytes` with the sites of a window as they are in the file: big-endian, in stored order. `place` is the
    /// place of a site in memory; without it, the sites of the rank are in stored order.
    ///
    /// # Errors
    /// There are no data for a site, or a number is too large for single precision.
    fn fill(&mut self, window: &BoxPart, place: Place<'_>, bytes: &mut [u8]) -> Result<(), Fault>;
}

/// Memory, or a function, that takes the data of the sites of one rank that are read.
///
/// Implemented by a slice `&mut [f32]` or `&mut [f64]` for all numbers of the rank, by [`Raw`](super::Raw), [`Sites`]
/// and [`Bytes`]. Numbers are converted: `f32` to `f64` exactly, `f64` to `f32` rounded to nearest.
pub trait Target {
    /// Checks, before anything is read, that the data of a field of this layout can be taken. This rank has `sites` sites
    /// of it.
    ///
    /// # Errors
    /// The memory has another length, or the field has other words.
    fn check(&self, field: &Field, sites: u64, place: Place<'_>) -> Result<(), Fault>;

    /// Takes the sites of a window, from the bytes of the file; otherwise like [`Source::fill`].
    ///
    /// # Errors
    /// The memory has no place for a site, or the function refuses it.
    fn take(&mut self, window: &BoxPart, place: Place<'_>, bytes: &[u8]) -> Result<(), Fault>;
}

/// A function that is called for each site, with the site and its numbers: `&mut [T]` to be filled, or `&[T]` to be
/// taken.
///
/// The calls have the order of the file while it is read or written. A file set is read volume by volume, so that
/// consecutive calls can have sites from anywhere in the lattice: take the place of a site from the first argument.
///
/// ```
/// use linkstream_parallel::field::Sites;
///
/// // The rank of each site, for a field of one real number.
/// let ranks = Sites::new(|site, numbers: &mut [f64]| {
///     numbers[0] = site.rank() as f64;
///     Ok(())
/// });
/// # fn is_source(_: impl linkstream_parallel::field::Source) {}
/// # is_source(ranks);
/// ```
pub struct Sites<T, F> {
    each: F,
    numbers: Vec<T>,
}

impl<T, F> fmt::Debug for Sites<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sites").finish_non_exhaustive()
    }
}

impl<T: Float, F: FnMut(&SiteOrder, &mut [T]) -> Result<(), Fault>> Sites<T, F> {
    /// Data that a function computes. It fills all numbers of a site, which are 0 before.
    pub const fn new(each: F) -> Self {
        Self { each, numbers: Vec::new() }
    }
}

impl<T: Float, F: FnMut(&SiteOrder, &[T]) -> Result<(), Fault>> Sites<T, F> {
    /// A function that takes the data. They have not been verified when it is called: verification needs all of them.
    ///
    /// ```
    /// use linkstream_parallel::field::Sites;
    ///
    /// let mut sum = 0.0;
    /// let target = Sites::taken(|_, numbers: &[f64]| Ok(sum += numbers.iter().sum::<f64>()));
    /// # fn is_target(_: impl linkstream_parallel::field::Target) {}
    /// # is_target(target);
    /// ```
    pub const fn taken(each: F) -> Self {
        Self { each, numbers: Vec::new() }
    }
}

/// A function that is called for each site, with the site and its bytes in the file: for data that are not
/// floating-point numbers, such as the state of random number generators. It is made like [`Sites`].
///
/// ```
/// use linkstream_parallel::field::Bytes;
///
/// let seeds = Bytes::new(|site, bytes: &mut [u8]| {
///     bytes.copy_from_slice(&(site.rank() as u32).to_be_bytes());
///     Ok(())
/// });
/// let shown = Bytes::taken(|site, bytes: &[u8]| Ok(println!("{}: {bytes:?}", site.rank())));
/// # fn is_source(_: impl linkstream_parallel::field::Source) {}
/// # fn is_target(_: impl linkstream_parallel::field::Target) {}
/// # is_source(seeds);
/// # is_target(shown);
/// ```
pub struct Bytes<F> {
    each: F,
}

impl<F> fmt::Debug for Bytes<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bytes").finish_non_exhaustive()
    }
}

impl<F: FnMut(&SiteOrder, &mut [u8]) -> Result<(), Fault>> Bytes<F> {
    /// Data that a function computes. It fills all bytes of a site, which are 0 before.
    pub const fn new(each: F) -> Self {
        Self { each }
    }
}

impl<F: FnMut(&SiteOrder, &[u8]) -> Result<(), Fault>> Bytes<F> {
    /// A function that takes the data, like [`Sites::taken`].
    pub const fn taken(each: F) -> Self {
        Self { each }
    }
}

/// The codec refuses what the caller has passed.
fn refused(error: &BoxError) -> Fault {
    Fault::usage(error.to_string())
}

/// Number of numbers of a site.
fn numbers_per_site(field: &Field) -> Result<usize, Fault> {
    let precision = field
        .precision
        .ok_or_else(|| Fault::usage("the field does not consist of floating-point numbers"))?;
    usize::try_from(field.bytes_per_site / precision.size() as u64)
        .map_err(|_| Fault::usage("a site does not fit into memory"))
}

/// Checks the length of numbers in memory. If the sites have places of their own, the memory can have more of them.
fn check_length(field: &Field, sites: u64, place: Place<'_>, given: usize) -> Result<(), Fault> {
    let each = numbers_per_site(field)? as u64;
    let (needed, given) = (sites.saturating_mul(each), given as u64);
    if given == needed || place.is_some() && given > needed && given % each.max(1) == 0 {
        return Ok(());
    }
    Err(Fault::usage(format!("{sites} sites of {each} numbers were expected, but there are {given} numbers")))
}

impl<T: Float> Source for &[T] {
    fn check(&self, field: &Field, sites: u64, place: Place<'_>) -> Result<(), Fault> {
        check_length(field, sites, place, self.len())
    }

    fn fill(&mut self, window: &BoxPart, place: Place<'_>, bytes: &mut [u8]) -> Result<(), Fault> {
        match place {
            None => window.fill(self, bytes),
            Some(place) => window.fill_from(self, place, bytes),
        }
        .map(drop)
        .map_err(|error| refused(&error))
    }
}

impl<T: Float> Target for &mut [T] {
    fn check(&self, field: &Field, sites: u64, place: Place<'_>) -> Result<(), Fault> {
        check_length(field, sites, place, self.len())
    }

    fn take(&mut self, window: &BoxPart, place: Place<'_>, bytes: &[u8]) -> Result<(), Fault> {
        match place {
            None => window.take(bytes, self),
            Some(place) => window.take_to(bytes, place, self),
        }
        .map_err(|error| refused(&error))
    }
}

/// Calls a function for each site of a window, with the chunk of this site.
pub(super) fn each_site<'n, T>(
    window: &BoxPart,
    chunks: impl Iterator<Item = T> + 'n,
    mut each: impl FnMut(&SiteOrder, T) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let Some(mut site) = window.first_site() else { return Ok(()) };
    for chunk in chunks {
        each(&site, chunk)?;
        site.step();
    }
    Ok(())
}

/// The places of the sites of a window one after the other.
fn in_sequence() -> impl FnMut(&SiteOrder) -> usize {
    let mut next = 0..;
    move |_| next.next().unwrap_or(usize::MAX)
}

impl<T: Float + Default, F: FnMut(&SiteOrder, &mut [T]) -> Result<(), Fault>> Source for Sites<T, F> {
    fn check(&self, field: &Field, _: u64, _: Place<'_>) -> Result<(), Fault> {
        numbers_per_site(field).map(drop)
    }

    fn fill(&mut self, window: &BoxPart, _: Place<'_>, bytes: &mut [u8]) -> Result<(), Fault> {
        let (sites, count) = (window.sites() as usize, numbers_per_site(window.field())?);
        self.numbers.clear();
        memory::resize(&mut self.numbers, sites * count)?;
        each_site(window, self.numbers.chunks_exact_mut(count.max(1)), &mut self.each)?;
        window.fill_from(&self.numbers, in_sequence(), bytes).map(drop).map_err(|error| refused(&error))
    }
}

impl<T: Float + Default, F: FnMut(&SiteOrder, &[T]) -> Result<(), Fault>> Target for Sites<T, F> {
    fn check(&self, field: &Field, _: u64, _: Place<'_>) -> Result<(), Fault> {
        numbers_per_site(field).map(drop)
    }

    fn take(&mut self, window: &BoxPart, _: Place<'_>, bytes: &[u8]) -> Result<(), Fault> {
        let (sites, count) = (window.sites() as usize, numbers_per_site(window.field())?);
        memory::resize(&mut self.numbers, sites * count)?;
        window.take_to(bytes, in_sequence(), &mut self.numbers).map_err(|error| refused(&error))?;
        each_site(window, self.numbers.chunks_exact(count.max(1)), &mut self.each)
    }
}

/// Size of a site in bytes.
pub(super) fn site_size(field: &Field) -> Result<usize, Fault> {
    usize::try_from(field.bytes_per_site).map_err(|_| Fault::usage("a site does not fit into memory"))
}

impl<F: FnMut(&SiteOrder, &mut [u8]) -> Result<(), Fault>> Source for Bytes<F> {
    fn check(&self, field: &Field, _: u64, _: Place<'_>) -> Result<(), Fault> {
        site_size(field).map(drop)
    }

    fn fill(&mut self, window: &BoxPart, _: Place<'_>, bytes: &mut [u8]) -> Result<(), Fault> {
        bytes.fill(0);
        each_site(window, bytes.chunks_exact_mut(site_size(window.field())?.max(1)), &mut self.each)
    }
}

impl<F: FnMut(&SiteOrder, &[u8]) -> Result<(), Fault>> Target for Bytes<F> {
    fn check(&self, field: &Field, _: u64, _: Place<'_>) -> Result<(), Fault> {
        site_size(field).map(drop)
    }

    fn take(&mut self, window: &BoxPart, _: Place<'_>, bytes: &[u8]) -> Result<(), Fault> {
        each_site(window, bytes.chunks_exact(site_size(window.field())?.max(1)), &mut self.each)
    }
}
