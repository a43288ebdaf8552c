//! The value formulas of the fixture manifests, which give the expected value of every site, word and payload byte.
//!
//! The formulas are defined in the comments at the head of `qio/MANIFEST.toml` and `lime/MANIFEST.toml`.

use crate::manifest::{Entry, LogicalRecord};

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The finalizer of splitmix64.
pub fn mix64(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The n-th (from 1) output of splitmix64 started with `seed`.
pub fn splitmix(seed: u64, n: u64) -> u64 {
    mix64(seed.wrapping_add(n.wrapping_mul(GOLDEN)))
}

/// The bytes of one site as stored in the file. A global record has rank 0 only, with all of its bytes.
///
/// Formula su3 uses square roots and divisions in an order that the manifest does not specify, so that the last digits
/// of its numbers may differ; compare numbers with [`su3_site`] instead.
pub fn site_bytes(record: &LogicalRecord, rank: u64) -> Vec<u8> {
    let seed = record.seed.expect("a formula has a seed");
    if record.formula == "su3" {
        let stored = usize::try_from(record.typesize / record.word_size).expect("words per matrix");
        let matrices = su3_site(seed, rank, record.datacount);
        let words = matrices.chunks(18).flat_map(|matrix| &matrix[..stored]);
        return words.flat_map(|&value| real(record, value)).collect();
    }
    let words = record.typesize * record.datacount / record.word_size;
    let words_per_item = record.typesize / record.word_size;
    let word = |k: u64| {
        let h = splitmix(seed, rank * 65536 + k + 1);
        match (record.formula.as_str(), record.precision.as_str()) {
            ("lin", "I") => u32::try_from(1024 * rank + k).expect("fits").to_be_bytes().to_vec(),
            ("lin", _) => real(record, (1024 * rank + k) as f64),
            ("const", "I") => 1u32.to_be_bytes().to_vec(),
            ("const", _) => real(record, 1.0),
            ("mix", "F") => real(record, ((h >> 40) as f64 - 2f64.powi(23)) * 2f64.powi(-20)),
            ("mix", "D") => real(record, ((h >> 11) as f64 - 2f64.powi(52)) * 2f64.powi(-49)),
            ("mix", "S") if (k + 1).is_multiple_of(words_per_item) => 0x3380_0000u32.to_be_bytes().to_vec(),
            ("mix", "I" | "S" | "") => ((h >> 32) as u32).to_be_bytes().to_vec(),
            ("mix", "U") => vec![(h >> 56) as u8],
            ("text", _) => vec![32 + (h % 95) as u8],
            (formula, precision) => panic!("formula {formula:?} with precision {precision:?}"),
        }
    };
    let bytes: Vec<u8> = (0..words).flat_map(word).collect();
    assert_eq!(bytes.len(), record.site_len(), "word size of precision {:?}", record.precision);
    bytes
}

/// A number in the precision of the record.
fn real(record: &LogicalRecord, value: f64) -> Vec<u8> {
    match record.precision.as_str() {
        "F" => (value as f32).to_be_bytes().to_vec(),
        "D" => value.to_be_bytes().to_vec(),
        other => panic!("precision {other:?} is not a floating-point type"),
    }
}

/// Formula su3: the first `links` matrices of a site with 18 numbers each, row by row, real and imaginary parts.
pub fn su3_site(seed: u64, rank: u64, links: u64) -> Vec<f64> {
    (0..links)
        .flat_map(|mu| su3_link(seed.wrapping_add((4 * rank + mu).wrapping_mul(0xD134_2543_DE82_EF95))))
        .collect()
}

fn su3_link(state: u64) -> [f64; 18] {
    let mut m = [0.0; 18];
    for (n, value) in (1..).zip(&mut m[..12]) {
        *value = (splitmix(state, n) >> 11) as f64 * 2f64.powi(-53) * 2.0 - 1.0;
    }
    normalise(&mut m[..6]);
    // <row0|row1> is the sum of conj(a) b.
    let (mut re, mut im) = (0.0, 0.0);
    for i in [0, 2, 4] {
        let (a, b) = ((m[i], m[i + 1]), (m[i + 6], m[i + 7]));
        re += a.0 * b.0 + a.1 * b.1;
        im += a.0 * b.1 - a.1 * b.0;
    }
    for i in [0, 2, 4] {
        let a = (m[i], m[i + 1]);
        m[i + 6] -= re * a.0 - im * a.1;
        m[i + 7] -= re * a.1 + im * a.0;
    }
    normalise(&mut m[6..12]);
    for (column, i, j) in [(0, 2, 4), (2, 4, 0), (4, 0, 2)] {
        let times = |i: usize, j: usize| {
            let (a, b) = ((m[i], m[i + 1]), (m[j + 6], m[j + 7]));
            (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
        };
        let (plus, minus) = (times(i, j), times(j, i));
        m[12 + column] = plus.0 - minus.0;
        m[13 + column] = minus.1 - plus.1;
    }
    m
}

fn normalise(row: &mut [f64]) {
    let norm = row.iter().map(|value| value * value).sum::<f64>().sqrt();
    for value in row {
        *value /= norm;
    }
}

/// The payload of the record `n_th_record` (from 0) of a file in the directory `lime`; `None` if the manifest does not
/// define it, as for texts and packed files.
pub fn lime_payload(entry: &Entry, n_th_record: usize, len: u64) -> Option<Vec<u8>> {
    let len = usize::try_from(len).expect("payload length");
    match entry.path.as_str() {
        "single.lime" | "packed.lime" => None,
        "binary-256.lime" => Some((0..=255).collect()),
        "mbme-unchecked.lime" => Some(Vec::new()),
        "short-write-pad.lime" => {
            let mut payload = b"abcde".to_vec();
            payload.resize(len, 0);
            Some(payload)
        }
        // The concatenation of single (1 record), two-messages (3), padding (18), zero-length (5) and packed (3).
        "concat.lime" => match n_th_record {
            1..=3 => Some(lime_bytes(n_th_record - 1, len)),
            4..=21 => Some(lime_bytes(n_th_record - 4, len)),
            22..=26 => Some(lime_bytes(n_th_record - 22, len)),
            _ => None,
        },
        _ => Some(lime_bytes(n_th_record, len)),
    }
}

fn lime_bytes(n: usize, len: usize) -> Vec<u8> {
    (1..=len as u64).map(|i| (splitmix(0x11ed, ((n as u64) << 32) + i) >> 56) as u8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::Fixtures;
    use crate::manifest::load;
    use crate::oracle;

    #[test]
    fn mix64_is_the_published_one() {
        // The first outputs of splitmix64 with seed 0.
        assert_eq!(splitmix(0, 1), 0xE220_A839_7B1D_CDAF);
        assert_eq!(splitmix(0, 2), 0x6E78_9E6A_A1B9_65F4);
    }

    #[test]
    fn lime_payloads_follow_the_formula() {
        let mut checked = 0;
        for entry in load(Fixtures::Ours, "lime") {
            let bytes = entry.bytes();
            for (n, record) in oracle::records(&bytes).iter().enumerate() {
                if let Some(expected) = lime_payload(&entry, n, record.length) {
                    assert!(record.payload(&bytes) == expected, "{} record {n}", entry.path);
                    checked += 1;
                }
            }
        }
        assert!(checked > 2000, "{checked} records checked");
    }
}
