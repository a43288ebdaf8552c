//! The checksum of NERSC archives: the sum of 32-bit words. Some programs also write it into the texts of other files.

use linkstream::field::Field;

/// A sum of 32-bit words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordSum {
    /// Number of rows of each link that are summed.
    pub rows: u32,
    pub sum: u32,
}

/// Selection of the words to sum in a field.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    pub rows: u32,
    bytes_per_link: usize,
    /// Size of the rows that are summed, in bytes per link.
    bytes_of_rows: usize,
}

impl Words {
    /// `None` unless the field has links with at least `rows` rows. In double precision, each number counts as two
    /// words.
    pub fn of(field: &Field, rows: u32) -> Option<Self> {
        let links = field.links.filter(|links| links.rows >= rows)?;
        let bytes_per_link = links.bytes_per_link()?;
        let mut of_rows = links;
        of_rows.rows = rows;
        let bytes_of_rows = of_rows.bytes_per_link()?;
        Some(Self { rows, bytes_per_link, bytes_of_rows })
    }

    /// The sum over whole sites. The sums of parts of a field can be added.
    pub fn sum(&self, sites: &[u8]) -> u32 {
        let rows =
            sites.chunks_exact(self.bytes_per_link.max(1)).filter_map(|link| link.get(..self.bytes_of_rows));
        rows.flat_map(|rows| rows.as_chunks::<4>().0)
            .fold(0, |sum, word| sum.wrapping_add(u32::from_be_bytes(*word)))
    }
}
