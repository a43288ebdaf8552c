//! Links that no document describes as such.

use linkstream::field::{Field, LinkLayout};
use linkstream::ildg::{GaugeKind, Group};
use linkstream::lattice::Region;

/// The layout of links of this kind in every direction of the lattice; `None` if documents describe links, or if the size
/// of a site is not the one of such links.
#[must_use]
pub fn links_of_kind(field: &Field, kind: GaugeKind) -> Option<LinkLayout> {
    let precision = field.precision.filter(|_| field.links.is_none() && field.region == Region::Lattice)?;
    let colors = u32::from(kind.colors());
    let mut links = LinkLayout::new(field.extents.dimensions().into(), colors, colors, precision);
    links.parts = if kind.is_real() { 1 } else { 2 };
    links.absent_is_ones = kind.group() == Group::U1Phase;
    let size = (links.bytes_per_link()? as u64).checked_mul(links.links.into())?;
    (size == field.bytes_per_site).then_some(links)
}
