//! Links outside of their group, in messages: how many there are, and where the first one is.

use linkstream::field::Field;
use linkstream_arithmetic::figures::Measured;

/// The end of a message about links that deviate by more than this limit.
#[must_use]
pub fn shown(measured: &Measured, field: &Field, limit: f64) -> String {
    let outliers = measured.outliers_beyond(limit);
    let per_site = (measured.directions.len() as u64).max(1);
    let all = field.sites().saturating_mul(per_site);
    let (site, link) = (outliers.first.checked_div(per_site), outliers.first.checked_rem(per_site));
    let Some((site, link)) = site.zip(link).filter(|_| outliers.count > 0) else { return String::new() };
    let place =
        coordinates(site, field.extents.as_slice()).map(|x| x.to_string()).collect::<Vec<_>>().join(" ");
    let direction = measured.directions.get(link as usize).map_or(0, |direction| direction.mu);
    let letter = ["x", "y", "z", "t"]
        .get(usize::from(direction))
        .map_or_else(|| direction.to_string(), |letter| (*letter).to_owned());
    let count = outliers.count;
    format!("; {count} of {all} links, the first at site {place} in direction {letter}")
}

/// The coordinates of the site with this number, x first.
fn coordinates(site: u64, extents: &[u32]) -> impl Iterator<Item = u64> {
    let mut rest = site;
    extents.iter().map(move |extent| {
        let extent = u64::from(*extent).max(1);
        let coordinate = rest.checked_rem(extent).unwrap_or(0);
        rest = rest.checked_div(extent).unwrap_or(0);
        coordinate
    })
}
