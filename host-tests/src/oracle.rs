//! An independent reader of LIME files and of the checksums and observables of their data, written so plainly that it
//! can be verified by reading.
//!
//! It works on a complete file in memory and knows neither messages nor XML.

/// One LIME record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Offset of the header.
    pub offset: u64,
    pub mb: bool,
    pub me: bool,
    /// The length in the header, whether or not the file contains that many bytes.
    pub length: u64,
    /// The type up to its first NUL.
    pub kind: Vec<u8>,
    pub payload_offset: u64,
}

impl Record {
    /// The payload, as far as the file contains it.
    pub fn payload<'a>(&self, file: &'a [u8]) -> &'a [u8] {
        let start = usize::try_from(self.payload_offset).expect("offset");
        let rest = &file[start..];
        &rest[..usize::try_from(self.length).map_or(rest.len(), |length| length.min(rest.len()))]
    }
}

/// The records before the first invalid header, and the offset where the scan stopped: the end of the file if all is
/// valid, less if there is no header with the magic number at this offset, more if the last payload or its padding is
/// truncated.
pub fn scan(file: &[u8]) -> (Vec<Record>, u64) {
    let mut records = Vec::new();
    let mut offset = 0u64;
    loop {
        let header = usize::try_from(offset).ok().and_then(|start| file.get(start..)?.get(..144));
        let Some(header) = header.filter(|header| header[..4] == [0x45, 0x67, 0x89, 0xAB]) else {
            return (records, offset);
        };
        let length = u64::from_be_bytes(header[8..16].try_into().expect("8 bytes"));
        records.push(Record {
            offset,
            mb: header[6] & 0x80 != 0,
            me: header[6] & 0x40 != 0,
            length,
            kind: header[16..].split(|&byte| byte == 0).next().unwrap_or_default().to_vec(),
            payload_offset: offset + 144,
        });
        let next = length.checked_next_multiple_of(8).and_then(|padded| padded.checked_add(offset + 144));
        let Some(next) = next else { return (records, u64::MAX) };
        offset = next;
    }
}

/// The records before the first invalid header.
pub fn records(file: &[u8]) -> Vec<Record> {
    scan(file).0
}

/// The SciDAC checksum (suma, sumb) of sites stored in the order of `ranks`.
///
/// # Panics
/// If the numbers of sites and ranks differ.
pub fn checksum(payload: &[u8], bytes_per_site: usize, ranks: impl Iterator<Item = u64>) -> (u32, u32) {
    let (mut suma, mut sumb) = (0, 0);
    let mut sites = payload.chunks(bytes_per_site);
    for rank in ranks {
        let site = sites.next().expect("as many sites as ranks");
        assert_eq!(site.len(), bytes_per_site, "the last site is incomplete");
        let crc = crc32fast::hash(site);
        suma ^= crc.rotate_left((rank % 29) as u32);
        sumb ^= crc.rotate_left((rank % 31) as u32);
    }
    assert!(sites.next().is_none(), "more sites than ranks");
    (suma, sumb)
}

/// The ranks in a site list of 4- or 8-byte words. Only the number of the file's sites shows which of the two it has.
///
/// # Panics
/// If the list ends inside a word.
pub fn sitelist(payload: &[u8], bytes_per_rank: usize) -> Vec<u64> {
    match bytes_per_rank {
        4 => words(payload).map(|word| u32::from_be_bytes(word).into()).collect(),
        8 => words(payload).map(u64::from_be_bytes).collect(),
        other => panic!("{other} bytes per rank"),
    }
}

/// The ranks of the sites with `lower <= coordinate <= upper`, ascending.
pub fn box_ranks(dims: &[u64], lower: &[u64], upper: &[u64]) -> Vec<u64> {
    let inside = |&rank: &u64| {
        let mut rest = rank;
        dims.iter().zip(lower.iter().zip(upper)).all(|(extent, (low, high))| {
            let coordinate = rest % extent;
            rest /= extent;
            (low..=high).contains(&&coordinate)
        })
    };
    (0..dims.iter().product()).filter(inside).collect()
}

/// The result of [`observables`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Observables {
    /// Average of Re tr (plaquette) / 3.
    pub plaquette: f64,
    /// Average of Re tr (link) / 3.
    pub link_trace: f64,
    /// Largest modulus of any element of (U U^dagger - 1).
    pub max_unitarity_deviation: f64,
}

type Complex = (f64, f64);
type Matrix = [[Complex; 3]; 3];

/// Plaquette, link trace and unitarity of a gauge field with one 3x3 matrix for each dimension of the periodic lattice,
/// computed in f64.
///
/// # Panics
/// If the payload is not exactly one such field of 32- or 64-bit numbers.
pub fn observables(payload: &[u8], dims: &[u64], precision_bits: u32) -> Observables {
    let numbers: Vec<f64> = match precision_bits {
        32 => words(payload).map(|word| f32::from_be_bytes(word).into()).collect(),
        64 => words(payload).map(f64::from_be_bytes).collect(),
        other => panic!("precision {other}"),
    };
    let links: Vec<Matrix> = numbers.chunks(18).map(matrix).collect();
    let directions = dims.len();
    let volume = usize::try_from(dims.iter().product::<u64>()).expect("volume");
    assert_eq!(links.len(), volume * directions, "one matrix is required for each site and dimension");

    // The neighbour of a site in the direction mu.
    let step = |site: usize, mu: usize| {
        let extent = usize::try_from(dims[mu]).expect("extent");
        let stride = usize::try_from(dims[..mu].iter().product::<u64>()).expect("stride");
        if site / stride % extent == extent - 1 { site - (extent - 1) * stride } else { site + stride }
    };
    let link = |site: usize, mu: usize| &links[site * directions + mu];

    let (mut plaquette, mut plaquettes) = (0.0, 0u32);
    for site in 0..volume {
        for nu in 0..directions {
            for mu in 0..nu {
                let there = product(link(site, mu), link(step(site, mu), nu));
                let back = product(link(site, nu), link(step(site, nu), mu));
                plaquette += trace(&product(&there, &dagger(&back))) / 3.0;
                plaquettes += 1;
            }
        }
    }
    Observables {
        plaquette: plaquette / f64::from(plaquettes),
        link_trace: links.iter().map(trace).sum::<f64>() / 3.0 / links.len() as f64,
        max_unitarity_deviation: links.iter().map(deviation).fold(0.0, f64::max),
    }
}

/// The payload in words of N bytes.
fn words<const N: usize>(payload: &[u8]) -> impl Iterator<Item = [u8; N]> {
    assert_eq!(payload.len() % N, 0, "an integral number of words");
    payload.chunks(N).map(|word| word.try_into().expect("whole words"))
}

fn matrix(numbers: &[f64]) -> Matrix {
    assert_eq!(numbers.len(), 18, "whole matrices");
    std::array::from_fn(|row| {
        std::array::from_fn(|column| (numbers[6 * row + 2 * column], numbers[6 * row + 2 * column + 1]))
    })
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let element = |row: usize, column: usize| {
        (0..3).fold((0.0, 0.0), |sum: Complex, k| {
            let (x, y) = (a[row][k], b[k][column]);
            (sum.0 + x.0 * y.0 - x.1 * y.1, sum.1 + x.0 * y.1 + x.1 * y.0)
        })
    };
    std::array::from_fn(|row| std::array::from_fn(|column| element(row, column)))
}

fn dagger(a: &Matrix) -> Matrix {
    std::array::from_fn(|row| std::array::from_fn(|column| (a[column][row].0, -a[column][row].1)))
}

/// The real part of the trace.
fn trace(a: &Matrix) -> f64 {
    a[0][0].0 + a[1][1].0 + a[2][2].0
}

fn deviation(a: &Matrix) -> f64 {
    let square = product(a, &dagger(a));
    let distance = |row: usize, column: usize| {
        let (re, im) = square[row][column];
        (re - if row == column { 1.0 } else { 0.0 }).hypot(im)
    };
    (0..9).map(|n| distance(n / 3, n % 3)).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests;
