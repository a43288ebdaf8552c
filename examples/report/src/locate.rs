//! The damaged sites of a field: data are missing, zero, not finite or not unitary, or other than in
//! another copy.
//!
//! Every site has at most one of the first four kinds, and can also differ. Sites are numbered in the order of the data.

use std::ops::Range;

use linkstream::field::LinkLayout;
use linkstream::lattice::{Region, SiteOrder};
use linkstream_access::{Element, ElementType, Error, Field, Selection, Verify};
use linkstream_arithmetic::figures::FAR;
use linkstream_memory as memory;
use serde::ser::SerializeMap;

use crate::json::{Entries, each};
use crate::ranges::Ranges;

/// Maximum number of ranges that are kept of each kind.
pub const MOST_RANGES: usize = 10_000;

/// A fault of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The file ends before.
    Missing,
    /// All numbers are zero.
    Zero,
    /// A number is infinite, or NaN.
    NotFinite,
    /// A link is farther from unitarity than rounding explains.
    NotUnitary,
    /// A number differs from the reference.
    Different,
}

impl Kind {
    pub const ALL: [Self; 5] =
        [Self::Missing, Self::Zero, Self::NotFinite, Self::NotUnitary, Self::Different];

    /// The kind as a word, as in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Zero => "zero",
            Self::NotFinite => "not-finite",
            Self::NotUnitary => "not-unitary",
            Self::Different => "different",
        }
    }
}

/// The sites of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    pub kind: Kind,
    pub sites: Ranges,
}

impl Places {
    fn new(kind: Kind) -> Self {
        Self { kind, sites: Ranges::default() }
    }

    fn add(&mut self, site: u64) {
        self.sites.add(site, MOST_RANGES);
    }
}

/// The places of a field, for output.
#[derive(Debug)]
pub struct Located<'f> {
    pub field: &'f Field,
    /// The kinds of places that were found.
    pub places: Vec<Places>,
}

impl Located<'_> {
    /// The bytes of the file that have these sites, if they are in one place.
    #[must_use]
    pub fn bytes(&self, sites: &Range<u64>) -> Option<Range<u64>> {
        let (offset, ..) = self.field.contiguous()?;
        let size = self.field.layout().bytes_per_site;
        let at = |site: u64| site.checked_mul(size)?.checked_add(offset);
        Some(at(sites.start)?..at(sites.end)?)
    }
}

impl Entries for Located<'_> {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let layout = self.field.layout();
        object.serialize_entry("extents", layout.extents.as_slice())?;
        object.serialize_entry("sites", &layout.sites())?;
        object.serialize_entry("bytes_per_site", &layout.bytes_per_site)?;
        let places = each(&self.places, |places| crate::json::Object(OfKind { all: self, places }));
        object.serialize_entry("places", &places)
    }
}

struct OfKind<'a> {
    all: &'a Located<'a>,
    places: &'a Places,
}

impl Entries for OfKind<'_> {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let Places { kind, sites } = self.places;
        let ranges = sites.as_slice();
        object.serialize_entry("kind", kind.as_str())?;
        object.serialize_entry("sites", &sites.count())?;
        let pair = |range: &Range<u64>| [range.start, range.end];
        object.serialize_entry("ranges", &each(ranges, pair))?;
        let bytes: Option<Vec<[u64; 2]>> =
            ranges.iter().map(|range| self.all.bytes(range).map(|bytes| pair(&bytes))).collect();
        object.serialize_entry("bytes", &bytes)?;
        object.serialize_entry("ranges_left_out", &sites.left_out())
    }
}

/// Finds the places of a field, and where it differs from a reference. `length` is the number of bytes of the file; sites after
/// its end are missing.
///
/// # Errors
/// A source failed, or the fields have no sites in common: other extents, or other numbers at a site.
pub fn locate<'f>(
    field: &'f Field,
    length: u64,
    reference: Option<&Field>,
) -> Result<Located<'f>, LocateError> {
    if reference.is_some_and(|reference| reference.array().shape() != field.array().shape()) {
        return Err(LocateError::Shapes);
    }
    let bytes_per_site = field.layout().bytes_per_site;
    let whole = match field.contiguous() {
        Some((offset, ..)) => length.saturating_sub(offset).checked_div(bytes_per_site).unwrap_or(0),
        None => u64::MAX,
    };
    let scan = |absent: &mut Absent, places: &mut [Places; 5]| match field.array().element {
        ElementType::F32 => scan::<f32>(field, whole, reference, absent, places),
        ElementType::F64 => scan::<f64>(field, whole, reference, absent, places),
        _ => Err(LocateError::NotNumbers),
    };
    let mut places = Kind::ALL.map(Places::new);
    let mut absent = Absent::of(field.layout());
    scan(&mut absent, &mut places)?;
    // Only now it is known whether all links of a last slice are absent, or only some.
    if absent.forbid_some(field.layout()) {
        places = Kind::ALL.map(Places::new);
        scan(&mut absent, &mut places)?;
    }
    let places = places.into_iter().filter(|places| places.sites.count() > 0).collect();
    Ok(Located { field, places })
}

/// Reason why nothing can be located.
#[derive(Debug, thiserror::Error)]
pub enum LocateError {
    #[error(transparent)]
    Access(#[from] Error),
    #[error("the fields have other extents, or other numbers at each site, so that sites cannot be compared")]
    Shapes,
    #[error("the data are not known to be floating-point numbers")]
    NotNumbers,
}

/// Numbers as they are stored.
trait Number: Element + Into<f64> + memory::Zeroable {}

impl Number for f32 {}
impl Number for f64 {}

/// The links that do not exist: all that lead out of the lattice in a direction with an open boundary.
struct Absent {
    links: Option<LinkLayout>,
    /// The axis of each link of a site.
    axes: Vec<usize>,
    /// For each link, the number of sites of the last slice without it.
    counts: Vec<u64>,
    /// For each link, whether it may be absent there.
    allowed: Vec<bool>,
    /// For each link, whether any site has it.
    exists: Vec<bool>,
}

impl Absent {
    fn of(layout: &linkstream::field::Field) -> Self {
        let links = layout.links.filter(|links| links.parts == 2 && links.columns > 1);
        let extents = layout.extents.as_slice();
        let all = links.is_some_and(|links| links.links as usize == extents.len());
        // In ILDG 1.2, directions with a single site have no links (section 2.5.1).
        let axes: Vec<usize> = extents
            .iter()
            .enumerate()
            .filter(|(_, extent)| all || **extent > 1)
            .map(|(axis, _)| axis)
            .collect();
        let (counts, allowed, exists) =
            (vec![0; axes.len()], vec![true; axes.len()], vec![false; axes.len()]);
        Self { links, counts, allowed, exists, axes }
    }

    /// True if a link of a site on the last slice may be absent, and is.
    fn is_absent<T: Number>(
        &mut self,
        layout: &linkstream::field::Field,
        site: u64,
        link: usize,
        numbers: &[T],
    ) -> bool {
        let is_ones = self.links.is_some_and(|links| links.absent_is_ones);
        let value = |number: &T| Into::<f64>::into(*number);
        let is_filled = |number: &T| if is_ones { value(number).is_nan() } else { value(number) == 0.0 };
        if !numbers.iter().all(is_filled) {
            if let Some(exists) = self.exists.get_mut(link) {
                *exists = true;
            }
            return false;
        }
        let Some(axis) = self.axes.get(link).copied() else { return false };
        let order = SiteOrder::at(layout.extents, layout.region, site);
        let coordinates = order.coordinates().as_slice().get(axis).zip(layout.extents.as_slice().get(axis));
        let is_last = coordinates.is_some_and(|(at, extent)| at.saturating_add(1) == *extent);
        if let Some(count) = self.counts.get_mut(link).filter(|_| is_last) {
            *count = count.saturating_add(1);
        }
        is_last && self.allowed.get(link).copied().unwrap_or_default()
    }

    /// Forbids absent links of a last slice that has others, and of a lattice that has none at all. Returns whether there are
    /// such.
    fn forbid_some(&mut self, layout: &linkstream::field::Field) -> bool {
        let sites = layout.sites();
        let mut some = false;
        let of_links = self.counts.iter().zip(&self.exists).zip(&mut self.allowed);
        for (((count, exists), allowed), axis) in of_links.zip(&self.axes) {
            let extent = layout.extents.as_slice().get(*axis).map_or(1, |extent| u64::from(*extent));
            let is_whole = *exists && Some(*count) == sites.checked_div(extent);
            if *count > 0 && layout.region == Region::Lattice && !is_whole {
                (*allowed, some) = (false, true);
            }
        }
        some
    }
}

fn scan<T: Number>(
    field: &Field,
    whole: u64,
    reference: Option<&Field>,
    absent: &mut Absent,
    places: &mut [Places; 5],
) -> Result<(), LocateError> {
    let slices = field.array().sites().first().copied().unwrap_or(1);
    let sites = field.layout().sites();
    let per_slice = sites.checked_div(slices).unwrap_or(0);
    let numbers = field.array().number_count().checked_div(slices).unwrap_or(0);
    let count = usize::try_from(numbers).map_err(|_| LocateError::NotNumbers)?;
    let per_site = numbers.checked_div(per_slice).unwrap_or(0);
    let per_site =
        usize::try_from(per_site).ok().filter(|count| *count > 0).ok_or(LocateError::NotNumbers)?;
    let mut ours: Vec<T> = zeros(count)?;
    let mut theirs: Vec<f64> = zeros(if reference.is_some() { count } else { 0 })?;
    for slice in 0..slices {
        let selection = if field.array().sites().is_empty() {
            Selection::All
        } else {
            Selection::Slices(slice..slice.saturating_add(1))
        };
        let first = slice.saturating_mul(per_slice);
        if whole <= first {
            let [missing, ..] = places;
            (first..first.saturating_add(per_slice)).for_each(|site| missing.add(site));
            continue;
        }
        let is_there = match field.read(&selection, &mut ours, Verify::No) {
            Ok(_) => true,
            Err(Error::Io(error)) if error.kind() != std::io::ErrorKind::UnexpectedEof => {
                return Err(Error::Io(error).into());
            }
            Err(_) => false,
        };
        if !is_there {
            let [missing, ..] = places;
            (first..first.saturating_add(per_slice)).for_each(|site| missing.add(site));
            continue;
        }
        if let Some(reference) = reference {
            read_any(reference, &selection, &mut theirs)?;
        }
        // Numbers of different precision are equal if the less precise ones are.
        let is_rounded = reference.is_some_and(|other| other.array().element != field.array().element);
        for (index, site) in ours.chunks(per_site).enumerate() {
            let rank = first.saturating_add(index as u64);
            if rank >= whole {
                let [missing, ..] = places;
                missing.add(rank);
                continue;
            }
            let kind = kind_of(site, rank, field.layout(), absent);
            let [_, zero, not_finite, not_unitary, different] = &mut *places;
            match kind {
                Some(Kind::Zero) => zero.add(rank),
                Some(Kind::NotFinite) => not_finite.add(rank),
                Some(Kind::NotUnitary) => not_unitary.add(rank),
                _ => {}
            }
            if let Some(theirs) = theirs.chunks(per_site).nth(index) {
                let same = |(ours, theirs): (&T, &f64)| is_same((*ours).into(), *theirs, is_rounded);
                if !site.iter().zip(theirs).all(same) {
                    different.add(rank);
                }
            }
        }
    }
    Ok(())
}

fn zeros<T: memory::Zeroable>(count: usize) -> Result<Vec<T>, LocateError> {
    memory::zeroed(count).map_err(|error| Error::Io(error.into()).into())
}

/// Reads numbers of any precision.
fn read_any(field: &Field, selection: &Selection, out: &mut [f64]) -> Result<(), LocateError> {
    if field.array().element == ElementType::F64 {
        return Ok(field.read(selection, out, Verify::No).map(drop)?);
    }
    let mut numbers: Vec<f32> = zeros(out.len())?;
    field.read(selection, &mut numbers, Verify::No).map(drop)?;
    out.iter_mut().zip(numbers).for_each(|(out, number)| *out = number.into());
    Ok(())
}

fn is_same(a: f64, b: f64, is_rounded: bool) -> bool {
    if is_rounded { a as f32 == b as f32 || a.is_nan() && b.is_nan() } else { a.to_bits() == b.to_bits() }
}

fn kind_of<T: Number>(
    site: &[T],
    rank: u64,
    layout: &linkstream::field::Field,
    absent: &mut Absent,
) -> Option<Kind> {
    let of = |number: &T| Into::<f64>::into(*number);
    let Some(links) = absent.links else {
        let is_zero = site.iter().all(|number| of(number) == 0.0);
        let is_finite = || site.iter().all(|number| of(number).is_finite());
        return if is_zero { Some(Kind::Zero) } else { (!is_finite()).then_some(Kind::NotFinite) };
    };
    let (rows, columns) = (usize::try_from(links.rows).ok()?, usize::try_from(links.columns).ok()?);
    let size = rows.checked_mul(columns)?.checked_mul(2).filter(|size| *size > 0)?;
    let (mut is_empty, mut is_zero, mut is_finite, mut is_unitary) = (true, true, true, true);
    for (index, link) in site.chunks(size).enumerate() {
        if absent.is_absent(layout, rank, index, link) {
            continue;
        }
        let link: Vec<f64> = link.iter().map(of).collect();
        is_empty = false;
        is_zero &= link.iter().all(|number| *number == 0.0);
        is_finite &= link.iter().all(|number| number.is_finite());
        is_unitary &= deviation(&link, columns) <= FAR;
    }
    match (is_empty, is_zero, is_finite, is_unitary) {
        (true, ..) => None,
        (_, true, ..) => Some(Kind::Zero),
        (_, _, false, _) => Some(Kind::NotFinite),
        (.., is_unitary) => (!is_unitary).then_some(Kind::NotUnitary),
    }
}

/// The largest difference between the products of rows and the unit matrix.
fn deviation(link: &[f64], columns: usize) -> f64 {
    let rows: Vec<&[f64]> = link.chunks(columns.saturating_mul(2)).collect();
    let mut largest = 0.0_f64;
    for (i, a) in rows.iter().enumerate() {
        for (j, b) in rows.iter().enumerate().skip(i) {
            let (mut re, mut im) = (0.0, 0.0);
            for (a, b) in a.as_chunks::<2>().0.iter().zip(b.as_chunks::<2>().0) {
                let ([a_re, a_im], [b_re, b_im]) = (a, b);
                re += a_re * b_re + a_im * b_im;
                im += a_im * b_re - a_re * b_im;
            }
            let one = if i == j { 1.0 } else { 0.0 };
            largest = largest.max((re - one).abs()).max(im.abs());
        }
    }
    largest
}
