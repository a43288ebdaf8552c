//! Compares a pair of data records, with their descriptions, number by number.

use embedded_io::{Read, Seek};
use linkstream::field::{Field, LinkLayout};
use linkstream::lattice::{Precision, Region};
use linkstream::scidac::PrivateRecord;
use linkstream::xml::ElementName;
use linkstream_memory as memory;

use super::bytes::ranges;
use super::changes::Changes;
use super::error::DiffError;
use super::input::Input;
use super::numbers::{Number, Tally, Tolerance};
use super::outcome::Outcome;
use super::place::Place;

/// Count of numbers read at a time from each source, unless a link has more.
const PIECE: usize = 16 << 10;
/// Maximum count of numbers in a link for a comparison row by row, so that a header cannot cause unlimited use of
/// memory.
const MAX_LINK: u64 = 1 << 20;

/// A data record: its layout and, if there is one, the SciDAC document that describes it.
#[derive(Debug, Clone)]
pub struct Described {
    pub field: Field,
    pub document: Option<Box<PrivateRecord>>,
}

pub fn compare<A: Read + Seek, B: Read + Seek>(
    (a, described_a): (&mut Input<A>, &Described),
    (b, described_b): (&mut Input<B>, &Described),
    tolerance: Tolerance,
) -> Result<Outcome, DiffError> {
    let [field_a, field_b] = [&described_a.field, &described_b.field];
    let mut shapes = Changes::default();
    shapes.unless_equal("lattice", &field_a.extents, &field_b.extents);
    shapes.unless_equal("region", &region(field_a), &region(field_b));
    if !shapes.is_empty() {
        return Ok(Outcome::Shapes(shapes));
    }
    if let Some(common) = Common::of(field_a, field_b) {
        let tally = numbers((a, field_a), (b, field_b), &common, tolerance)?;
        let place = |index| Place::in_field(field_a, common.links.as_ref(), common.per_site, index);
        let bytes = [field_a.bytes_per_site, field_b.bytes_per_site];
        return Ok(Outcome::Numbers(tally.finish(Some(bytes), place)));
    }
    if field_a.bytes_per_site == field_b.bytes_per_site && field_a.precision == field_b.precision {
        let range = |field: &Field| (field.record.payload_offset(), field.record.length);
        let ((from_a, length_a), (from_b, length_b)) = (range(field_a), range(field_b));
        return Ok(Outcome::Bytes(ranges((a, from_a, length_a), (b, from_b, length_b))?));
    }
    shapes.differ("data of a site", site(field_a), site(field_b));
    if let (Some(a), Some(b)) = (&described_a.document, &described_b.document) {
        descriptions(a, b, &mut shapes);
    }
    Ok(Outcome::Shapes(shapes))
}

/// Adds the elements that differ between the descriptions of a site.
fn descriptions(a: &PrivateRecord, b: &PrivateRecord, shapes: &mut Changes) {
    // In both directions, because an element that only one of them has is a difference too.
    let either: Vec<_> = a.differences(b).chain(b.differences(a)).collect();
    let mut number = |element, a: u32, b: u32| {
        if either.contains(&element) {
            shapes.differ(element.as_str(), a, b);
        }
    };
    number(ElementName::Colors, a.colors, b.colors);
    number(ElementName::Spins, a.spins, b.spins);
    number(ElementName::Typesize, a.typesize, b.typesize);
    number(ElementName::Datacount, a.datacount, b.datacount);
    let texts = [
        (ElementName::Datatype, &*a.datatype, &*b.datatype),
        (ElementName::Precision, &*a.precision, &*b.precision),
    ];
    for (element, a, b) in texts {
        if either.contains(&element) {
            shapes.differ(element.as_str(), a, b);
        }
    }
}

/// The numbers that two fields have in common at a site. The data of both consist of blocks. The first numbers of each
/// block are compared.
struct Common {
    /// Count of numbers in a block of each file.
    blocks: [usize; 2],
    /// Count of numbers in a block that both files have.
    both: usize,
    /// Count of numbers at a site that both files have.
    per_site: u64,
    /// The layout of the links that are compared, if the data are links.
    links: Option<LinkLayout>,
}

impl Common {
    /// `None` if the numbers of a site do not correspond, or if the data are not known to be numbers.
    fn of(a: &Field, b: &Field) -> Option<Self> {
        let numbers = |field: &Field| {
            let size = field.precision?.size() as u64;
            field.bytes_per_site.is_multiple_of(size).then(|| field.bytes_per_site.checked_div(size))?
        };
        let (count, other) = (numbers(a)?, numbers(b)?);
        let alike =
            |a: &LinkLayout, b: &LinkLayout| (a.links, a.columns, a.parts) == (b.links, b.columns, b.parts);
        match a.links.zip(b.links).filter(|(a, b)| alike(a, b)) {
            // If one file omits rows, they can be computed from the others (ILDG 1.2, appendix A.2).
            Some((a, b)) if a.rows != b.rows => {
                let row = u64::from(a.columns).saturating_mul(a.parts.into());
                let blocks = [a.rows, b.rows].map(|rows| row.saturating_mul(rows.into()));
                if blocks.iter().any(|block| *block > MAX_LINK) {
                    return None;
                }
                let mut links = a;
                links.rows = a.rows.min(b.rows);
                let both = row.saturating_mul(links.rows.into());
                let blocks = blocks.map(|block| block as usize);
                let per_site = both.checked_mul(links.links.into())?;
                Some(Self { blocks, both: both as usize, per_site, links: Some(links) })
            }
            links if count == other => {
                let links = links.map(|(a, _)| a).or(a.links);
                Some(Self { blocks: [1, 1], both: 1, per_site: count, links })
            }
            _ => None,
        }
    }
}

fn numbers<A: Read + Seek, B: Read + Seek>(
    (a, field_a): (&mut Input<A>, &Field),
    (b, field_b): (&mut Input<B>, &Field),
    common: &Common,
    tolerance: Tolerance,
) -> Result<Tally, DiffError> {
    let (mut here, mut there) = (Words::open(a, field_a)?, Words::open(b, field_b)?);
    let [block, other] = common.blocks;
    let mut left = here.left.checked_div((block as u64).saturating_mul(here.size())).unwrap_or(0);
    let most = PIECE.checked_div(block.max(other)).unwrap_or(1).max(1);
    let mut tally = Tally::new(tolerance, common.per_site);
    while left > 0 {
        let n = left.min(most as u64) as usize;
        // At most `PIECE` numbers, or a single block of at most `MAX_LINK`.
        here.fill(n.saturating_mul(block))?;
        there.fill(n.saturating_mul(other))?;
        left = left.saturating_sub(n as u64);
        if here.precision == there.precision && here.bytes == there.bytes {
            tally.skip(n.saturating_mul(common.both) as u64);
            continue;
        }
        for i in 0..n {
            for j in 0..common.both {
                #[expect(
                    clippy::arithmetic_side_effects,
                    reason = "i < n and j < both, which is at most the size of either block, so each index is below the \
                              count of numbers that `fill` has read"
                )]
                tally.add(here.number(i * block + j), there.number(i * other + j));
            }
        }
    }
    Ok(tally)
}

/// The numbers of one source.
struct Words<'i, R> {
    input: &'i mut Input<R>,
    precision: Precision,
    /// Number of bytes of data not read yet.
    left: u64,
    bytes: Vec<u8>,
}

impl<'i, R: Read + Seek> Words<'i, R> {
    fn open(input: &'i mut Input<R>, field: &Field) -> Result<Self, DiffError> {
        input.seek(field.record.payload_offset())?;
        let precision = field.precision.unwrap_or(Precision::F64);
        Ok(Self { input, precision, left: field.record.length, bytes: Vec::new() })
    }

    fn size(&self) -> u64 {
        self.precision.size() as u64
    }

    /// Reads `count` numbers.
    fn fill(&mut self, count: usize) -> Result<(), DiffError> {
        memory::unwinding::resize(&mut self.bytes, count.saturating_mul(self.precision.size()));
        self.left = self.left.saturating_sub(self.bytes.len() as u64);
        self.input.fill(&mut self.bytes)
    }

    fn number(&self, index: usize) -> Number {
        Number::Real(self.precision.read(&self.bytes, index).unwrap_or(f64::NAN))
    }
}

fn region(field: &Field) -> String {
    match &field.region {
        Region::Lattice => "the lattice".to_owned(),
        Region::Hypercube(cube) => {
            format!("sites {:?} to {:?}", cube.lower().as_slice(), cube.upper().as_slice())
        }
        Region::Global => "global data".to_owned(),
    }
}

fn site(field: &Field) -> String {
    let precision = field.precision.map_or_else(String::new, |p| format!(", {} bits each", p.bits()));
    match &field.links {
        Some(links) => {
            let parts = if links.parts == 2 { "complex" } else { "real" };
            let LinkLayout { links, rows, columns, .. } = links;
            format!("{links} links of {rows} x {columns} {parts} numbers{precision}")
        }
        None => format!("{} bytes{precision}", field.bytes_per_site),
    }
}
