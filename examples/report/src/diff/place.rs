//! The place of a number in the data.

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
        let (site, number) = (index / per_site.max(1), index % per_site.max(1));
        let site = match field.region {
            Region::Global => Vec::new(),
            region => SiteOrder::at(field.extents, region, site).coordinates().as_slice().to_vec(),
        };
        let within = match links {
            Some(links) => in_links(field, links, number),
            None if per_site == 1 => String::new(),
            None => format!("number {number}"),
        };
        Self { site, within }
    }

    /// The place of number `index` in a matrix.
    pub(super) fn in_matrix(matrix: MatrixType, columns: u32, index: u64) -> Self {
        let (entry, part) = match matrix {
            MatrixType::Complex => (index / 2, [", real part", ", imaginary part"][(index % 2) as usize]),
            _ => (index, ""),
        };
        let columns = u64::from(columns).max(1);
        let site = [entry / columns, entry % columns].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        Self { site: site.to_vec(), within: part.trim_start_matches(", ").to_owned() }
    }
}

/// Describes number `number` of the links of a site.
fn in_links(field: &Field, links: &LinkLayout, number: u64) -> String {
    let [rows, columns, parts] = [links.rows, links.columns, links.parts].map(u64::from);
    let (element, part) = (number / parts, number % parts);
    let (row, column) = (element / columns % rows, element % columns);
    let link = element / columns / rows;
    let part = match (parts, part) {
        (1, _) => "",
        (_, 0) => ", real part",
        _ => ", imaginary part",
    };
    let direction = direction(field, links, link);
    format!("link {direction}, row {row}, column {column}{part}")
}

/// The direction of a link. In ILDG 1.2, directions with a single site have no links (section 2.5.1).
fn direction(field: &Field, links: &LinkLayout, link: u64) -> String {
    let extents = field.extents.as_slice();
    let all = links.links as usize == extents.len();
    let mut stored = extents.iter().enumerate().filter(|(_, extent)| all || **extent > 1);
    let mu = usize::try_from(link).ok().and_then(|link| stored.nth(link)).map(|(mu, _)| mu);
    match mu {
        Some(mu) if extents.len() <= 4 => ["x", "y", "z", "t"][mu].to_owned(),
        Some(mu) => format!("in direction {mu}"),
        None => link.to_string(),
    }
}
