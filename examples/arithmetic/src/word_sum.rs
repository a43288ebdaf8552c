//! The checksum of NERSC archives, which programs copy into texts: the sum of 32-bit words.

use linkstream::field::{Field, LinkLayout};

/// A sum of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordSum {
    /// Rows of each link that are summed up.
    pub rows: u32,
    pub sum: u32,
}

/// How to sum up.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    pub rows: u32,
    bytes_per_link: usize,
    /// Of the rows that are summed up.
    bytes_of_rows: usize,
}

impl Words {
    /// For a gauge field whose links have as many rows; the words of doubles are their halves.
    pub fn of(field: &Field, rows: u32) -> Option<Self> {
        let links = field.links.filter(|links| links.rows >= rows)?;
        let bytes_per_link = links.bytes_per_link()?;
        let bytes_of_rows = LinkLayout { rows, ..links }.bytes_per_link()?;
        Some(Self { rows, bytes_per_link, bytes_of_rows })
    }

    /// The sum over whole sites. Sums over different sites add up.
    pub fn sum(&self, sites: &[u8]) -> u32 {
        let rows = sites.chunks_exact(self.bytes_per_link.max(1)).map(|link| &link[..self.bytes_of_rows]);
        rows.flat_map(|rows| rows.as_chunks::<4>().0)
            .fold(0, |sum, word| sum.wrapping_add(u32::from_be_bytes(*word)))
    }
}
