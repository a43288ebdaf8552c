//! The place of a number in the data.

use std::num::NonZero;

use linkstream::field::{Field, LinkLayout};
use linkstream::inebin::MatrixType;
use linkstream::lattice::{Region, SiteOrder};

/// The place of a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Coordinates of the site, or row and column of the entry; empty if the data belong to no site.
    pub site: Vec<u32>,
    /// The number within the site or entry, in words; empty if there is only one.
    pub within: String,
}

impl Place {
    /// The place of number `index` in a field, if `per_site` numbers of each site are compared.
    pub(super) fn in_field(field: &Field, links: Option<&LinkLayout>, per_site: u64, index: u64) -> Self {
        let per_site = NonZero::new(per_site).unwrap_or(NonZero::<u64>::MIN);
        let (site, number) = (index / per_site, index % per_site);
        let site = match field.region {
            Region::Global => Vec::new(),
            region => SiteOrder::at(field.extents, region, site).coordinates().as_slice().to_vec(),
        };
        let within = match links {
            Some(links) => in_links(field, links, number).unwrap_or_else(|| format!("number {number}")),
            None if per_site.get() == 1 => String::new(),
            None => format!("number {number}"),
        };
        Self { site, within }
    }

    /// The place of number `index` in a matrix.
    pub(super) fn in_matrix(matrix: MatrixType, columns: u32, index: u64) -> Self {
        let (entry, part) = match matrix {
            MatrixType::Complex if index.is_multiple_of(2) => (index / 2, "real part"),
            MatrixType::Complex => (index / 2, "imaginary part"),
            _ => (index, ""),
        };
        let columns = NonZero::new(u64::from(columns)).unwrap_or(NonZero::<u64>::MIN);
        let site = [entry / columns, entry % columns].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        Self { site: site.to_vec(), within: part.to_owned() }
    }
}

/// Describes number `number` of the links of a site; `None` if the links have no numbers.
fn in_links(field: &Field, links: &LinkLayout, number: u64) -> Option<String> {
    let size = |count: u32| NonZero::new(u64::from(count));
    let (rows, columns, parts) = (size(links.rows)?, size(links.columns)?, size(links.parts)?);
    let (element, part) = (number / parts, number % parts);
    let (row, column) = (element / columns % rows, element % columns);
    let link = element / columns / rows;
    let part = match (parts.get(), part) {
        (1, _) => "",
        (_, 0) => ", real part",
        _ => ", imaginary part",
    };
    let direction = direction(field, links, link);
    Some(format!("link {direction}, row {row}, column {column}{part}"))
}

/// The direction of a link. In ILDG 1.2, directions with a single site have no links (section 2.5.1).
fn direction(field: &Field, links: &LinkLayout, link: u64) -> String {
    let extents = field.extents.as_slice();
    let all = links.links as usize == extents.len();
    let mut stored = extents.iter().enumerate().filter(|(_, extent)| all || **extent > 1);
    let mu = usize::try_from(link).ok().and_then(|link| stored.nth(link)).map(|(mu, _)| mu);
    let name = mu.and_then(|mu| ["x", "y", "z", "t"].get(mu)).filter(|_| extents.len() <= 4);
    match (mu, name) {
        (_, Some(name)) => (*name).to_owned(),
        (Some(mu), None) => format!("in direction {mu}"),
        (None, None) => link.to_string(),
    }
}
