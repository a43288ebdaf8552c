//! The bytes of all sites of a rank in memory.

use super::boxes::BoxPart;
use linkstream::field::Field;

use super::data::{Place, Source, Target, each_site, site_size};
use crate::error::Fault;

/// All sites of the rank as they are in the file, in memory: `&[u8]` to be written, or `&mut [u8]` for what is read.
/// For data that are not floating-point numbers, and for copies that keep each bit.
///
/// The sites have the order of the [`Layout`](super::Layout), like numbers in memory.
///
/// ```
/// use linkstream_parallel::field::{Raw, Source, Target};
///
/// let seeds: Vec<u8> = (0..16_u32).flat_map(u32::to_be_bytes).collect();
/// let mut read = vec![0; seeds.len()];
/// let (source, target) = (Raw(&seeds[..]), Raw(&mut read[..]));
/// # fn is_source(_: impl Source) {}
/// # fn is_target(_: impl Target) {}
/// # is_source(source);
/// # is_target(target);
/// ```
#[derive(Debug)]
pub struct Raw<B>(pub B);

/// Checks the number of bytes. If the sites have places of their own, the memory can have more of them.
fn check_length(field: &Field, sites: u64, place: Place<'_>, given: usize) -> Result<(), Fault> {
    let (size, given) = (field.bytes_per_site, given as u64);
    let needed = sites.saturating_mul(size);
    if given == needed || place.is_some() && given > needed && given % size.max(1) == 0 {
        return Ok(());
    }
    Err(Fault::usage(format!("{sites} sites of {size} bytes were expected, but there are {given} bytes")))
}

/// The site at a place.
fn at(place: usize, size: usize, all: usize) -> Result<core::ops::Range<usize>, Fault> {
    let start =
        place.checked_mul(size).filter(|start| all.checked_sub(*start).is_some_and(|left| left >= size));
    let start = start.ok_or_else(|| Fault::usage("the memory has no place for a site"))?;
    Ok(start..start + size)
}

/// The places of the sites of a window that are stored one after the other in memory.
fn consecutive(window: &BoxPart, size: usize, all: usize) -> Result<core::ops::Range<usize>, Fault> {
    let range = window.range();
    let start = usize::try_from(range.start).ok().and_then(|start| start.checked_mul(size));
    let end = usize::try_from(range.end).ok().and_then(|end| end.checked_mul(size)).filter(|end| *end <= all);
    match (start, end) {
        (Some(start), Some(end)) => Ok(start..end),
        _ => Err(Fault::usage("the memory has no place for a site")),
    }
}

impl Source for Raw<&[u8]> {
    fn check(&self, field: &Field, sites: u64, place: Place<'_>) -> Result<(), Fault> {
        site_size(field)?;
        check_length(field, sites, place, self.0.len())
    }

    fn fill(&mut self, window: &BoxPart, place: Place<'_>, bytes: &mut [u8]) -> Result<(), Fault> {
        let (size, all) = (site_size(window.field())?, self.0.len());
        let Some(place) = place else {
            bytes.copy_from_slice(&self.0[consecutive(window, size, all)?]);
            return Ok(());
        };
        each_site(window, bytes.chunks_exact_mut(size.max(1)), |site, bytes| {
            bytes.copy_from_slice(&self.0[at(place(site), size, all)?]);
            Ok(())
        })
    }
}

impl Target for Raw<&mut [u8]> {
    fn check(&self, field: &Field, sites: u64, place: Place<'_>) -> Result<(), Fault> {
        site_size(field)?;
        check_length(field, sites, place, self.0.len())
    }

    fn take(&mut self, window: &BoxPart, place: Place<'_>, bytes: &[u8]) -> Result<(), Fault> {
        let (size, all) = (site_size(window.field())?, self.0.len());
        let Some(place) = place else {
            self.0[consecutive(window, size, all)?].copy_from_slice(bytes);
            return Ok(());
        };
        each_site(window, bytes.chunks_exact(size.max(1)), |site, bytes| {
            self.0[at(place(site), size, all)?].copy_from_slice(bytes);
            Ok(())
        })
    }
}
