//! Plaquette, link trace and unitarity of links that can be read in any order. Their memory depends on the size of a
//! plane of the lattice, and not on the size of a time slice.

use std::io;
use std::ops::Range;

use linkstream::field::Field;
use linkstream::ildg::GaugeKind;
use linkstream::lattice::Extents;
use linkstream_arithmetic::figures::{Bytes, Measured, Observables};
use linkstream_memory as memory;

/// Number of bytes for the numbers of a part. Three of its slices are in memory at a time.
const MEMORY: u64 = 12 << 20;
/// Number of slices in memory.
const SLICES: u64 = 3;

/// The links of a lattice.
pub(crate) trait Sites: Sync {
    /// Reads whole rows of sites, big-endian, which are in one plane and begin with the site of this number.
    fn read(&self, first: u64, out: &mut [u8]) -> io::Result<()>;
}

/// The observables that archives record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Figures {
    pub plaquette: Option<f64>,
    pub link_trace: f64,
    pub deviation: f64,
    /// All numbers fit into single precision.
    pub widened: bool,
}

impl From<&Measured> for Figures {
    fn from(measured: &Measured) -> Self {
        Self {
            plaquette: measured.plaquette,
            link_trace: measured.link_trace,
            deviation: measured.max_group_deviation(),
            widened: measured.widened,
        }
    }
}

impl Figures {
    /// The sums of both, weighted by their share of the lattice.
    fn add(self, other: Self, share: f64) -> Self {
        let larger_or_nan = |one: f64, other: f64| if one.is_nan() || one > other { one } else { other };
        Self {
            plaquette: self.plaquette.zip(other.plaquette).map(|(sum, part)| part.mul_add(share, sum)),
            link_trace: other.link_trace.mul_add(share, self.link_trace),
            deviation: larger_or_nan(self.deviation, other.deviation),
            widened: self.widened && other.widened,
        }
    }
}

/// Measures links of SU(N). `None` if they cannot be measured.
pub(crate) fn measure(layout: &Field, sites: &dyn Sites) -> io::Result<Option<Figures>> {
    let extents = layout.extents;
    let ([x, y, z, t], size) = match *extents.as_slice() {
        [x, y, z, t] => ([x, y, z, t], layout.bytes_per_site),
        _ => return Ok(None),
    };
    let plane = u64::from(x).saturating_mul(y.into());
    // Numbers are measured in double precision.
    let widened = layout.precision.map_or(2, |precision| 8_usize.saturating_div(precision.size())) as u64;
    let of_plane = plane.saturating_mul(size).saturating_mul(widened).saturating_mul(SLICES).max(1);
    let most = MEMORY.checked_div(of_plane).unwrap_or(0).saturating_sub(1).clamp(1, z.into());
    let mut sum = Figures { plaquette: Some(0.0), link_trace: 0.0, deviation: 0.0, widened: true };
    for first in (0..u64::from(z)).step_by(usize::try_from(most).unwrap_or(1)) {
        let counted = most.min(u64::from(z).saturating_sub(first));
        // The next plane completes the plaquettes of these, unless they are all.
        let planes = if counted == u64::from(z) { counted } else { counted.saturating_add(1) };
        let part = Part { sites, plane, size, z: z.into(), first, planes };
        let of_part = Extents::new(&[x, y, u32::try_from(planes).unwrap_or(z), t]);
        let Some(measured) = part.measured(layout, of_part.ok(), counted)? else { return Ok(None) };
        sum = sum.add((&measured).into(), counted as f64 / f64::from(z));
    }
    Ok(Some(sum))
}

/// Some planes of each time slice.
struct Part<'s> {
    sites: &'s dyn Sites,
    /// Number of sites in a plane.
    plane: u64,
    /// Size of a site in bytes.
    size: u64,
    /// Number of planes of the lattice in a time slice.
    z: u64,
    first: u64,
    planes: u64,
}

impl Part<'_> {
    fn measured(
        &self,
        layout: &Field,
        extents: Option<Extents>,
        counted: u64,
    ) -> io::Result<Option<Measured>> {
        let Some(extents) = extents else { return Ok(None) };
        let mut of_part = *layout;
        of_part.extents = extents;
        let colors = layout.links.and_then(|links| u16::try_from(links.columns).ok());
        let group = colors.and_then(GaugeKind::su);
        let Some(observables) = Observables::of(&of_part, group, false) else { return Ok(None) };
        let mut observables = observables.of_planes(usize::try_from(counted).unwrap_or(usize::MAX));
        observables.read(self)?;
        Ok(observables.finish())
    }
}

impl Bytes for Part<'_> {
    type Error = io::Error;

    /// The bytes of whole rows, which can be in several planes.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "the range is in the part, whose bytes are counted, and a plane has at least one site"
    )]
    fn get<'s>(&'s self, range: Range<u64>, scratch: &'s mut Vec<u8>) -> io::Result<&'s [u8]> {
        let length = usize::try_from(range.end.saturating_sub(range.start)).unwrap_or(usize::MAX);
        scratch.clear();
        memory::unwinding::resize(scratch, length);
        let (mut rest, mut at) = (&mut scratch[..], range.start);
        let of_plane = self.plane * self.size;
        while !rest.is_empty() {
            let (plane, inside) = (at / of_plane, at % of_plane);
            let (t, place) = (plane / self.planes, plane % self.planes);
            let z = (self.first + place) % self.z;
            let count = rest.len().min(usize::try_from(of_plane - inside).unwrap_or(usize::MAX));
            let (now, others) = rest.split_at_mut(count);
            self.sites.read((t * self.z + z) * self.plane + inside / self.size, now)?;
            (rest, at) = (others, at + count as u64);
        }
        Ok(scratch)
    }
}
