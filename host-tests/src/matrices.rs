//! INEBIN files as described by their manifests: the directories `inebin` and `broken-inebin`.
//!
//! The bits of an entry are stored in a `u128`, whatever its type: a boolean is 0 or 1; the imaginary part of a complex
//! number is the high half. This makes NaNs and the signs of zeros comparable.

use crate::fixtures::Fixtures;
use crate::formula::splitmix;
use crate::manifest::{checked, listed};
use serde::Deserialize;
use std::path::PathBuf;

/// A valid file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matrix {
    #[serde(skip)]
    folder: PathBuf,
    pub path: String,
    sha256: String,
    bytes: u64,
    /// `B`, `Z`, `R` or `C`.
    #[serde(rename = "type")]
    pub letter: char,
    pub rows: u32,
    pub cols: u32,
    pub data_len: u64,
    values: String,
    pub same_as_document_sample_code: bool,
    pub notes: Option<String>,
}

/// A broken file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Broken {
    #[serde(skip)]
    folder: PathBuf,
    pub path: String,
    sha256: String,
    bytes: u64,
    pub what: String,
    /// Permitted behaviour of a reader, with `|` between alternatives.
    pub expect: String,
    pub aion: String,
}

/// The entries of the directory `inebin`.
///
/// # Panics
/// If the manifest cannot be read or has a field not known here.
pub fn load(fixtures: Fixtures) -> Vec<Matrix> {
    let (folder, mut files) = listed::<Matrix>(fixtures, "inebin");
    files.iter_mut().for_each(|file| file.folder.clone_from(&folder));
    files
}

/// The entries of the directory `broken-inebin`.
///
/// # Panics
/// If the manifest cannot be read or has a field not known here.
pub fn load_broken(fixtures: Fixtures) -> Vec<Broken> {
    let (folder, mut files) = listed::<Broken>(fixtures, "broken-inebin");
    files.iter_mut().for_each(|file| file.folder.clone_from(&folder));
    files
}

impl Broken {
    /// The content of the file, after a check of its size and hash.
    pub fn bytes(&self) -> Vec<u8> {
        checked(&self.folder.join(&self.path), self.bytes, &self.sha256)
    }
}

impl Matrix {
    /// The content of the file, after a check of its size and hash.
    pub fn bytes(&self) -> Vec<u8> {
        checked(&self.folder.join(&self.path), self.bytes, &self.sha256)
    }

    /// Number of entries.
    pub fn count(&self) -> usize {
        usize::try_from(u64::from(self.rows) * u64::from(self.cols)).expect("in memory")
    }

    /// The entries in reading order, by the manifest's formula.
    ///
    /// # Panics
    /// If the formula is not one of those described at the head of the manifest.
    pub fn entries(&self) -> Vec<u128> {
        let (name, arguments) = self.values.split_once(':').expect("a formula and its arguments");
        let list = || arguments.split(',').filter(|item| !item.is_empty());
        let numbers = || -> Vec<i64> { list().map(|item| item.parse().expect("a number")).collect() };
        let two = || <[i64; 2]>::try_from(numbers()).expect("two numbers");
        let seed = || arguments.parse::<u64>().expect("a seed");
        let count = self.count() as u64;
        let bits: Vec<u128> = match (self.letter, name) {
            ('B', "bits") => arguments.chars().map(|digit| u128::from(digit == '1')).collect(),
            ('B', "sm64") => (0..count)
                .map(|k| {
                    u128::from(
                        splitmix(seed(), k / 64 + 1).to_le_bytes()[(k % 64 / 8) as usize] >> (k % 8) & 1,
                    )
                })
                .collect(),
            ('B', "bmod") => {
                let [p, m] = two();
                (0..count as i64).map(|k| u128::from(p * k % m == 0)).collect()
            }
            ('Z', "ints") => numbers().into_iter().map(word).collect(),
            ('Z', "sm64") => (1..=count).map(|n| u128::from(splitmix(seed(), n))).collect(),
            ('Z', "zlin") => {
                let [p, q] = two();
                (0..count as i64).map(|k| word(p * k + q)).collect()
            }
            ('R', _) => self.reals(name, arguments).into_iter().map(u128::from).collect(),
            ('C', _) => {
                let words = self.reals(name, arguments);
                let pairs = words.chunks(2).map(|pair| u128::from(pair[0]) | u128::from(pair[1]) << 64);
                pairs.collect()
            }
            other => panic!("{}: formula {other:?}", self.path),
        };
        assert_eq!(bits.len() as u64, count, "{}: the formula must give all entries", self.path);
        bits
    }

    /// The bits of all numbers, two for each entry of a complex matrix.
    fn reals(&self, name: &str, arguments: &str) -> Vec<u64> {
        let list = arguments.split(',').filter(|item| !item.is_empty());
        let count = self.count() * if self.letter == 'C' { 2 } else { 1 };
        match name {
            "nums" => list.map(|item| item.parse::<f64>().expect("a number").to_bits()).collect(),
            "f64hex" => list.map(|item| u64::from_str_radix(item, 16).expect("hex")).collect(),
            "quad" => {
                let numbers: Vec<i64> = list.map(|item| item.parse().expect("a number")).collect();
                let [c, s] = numbers[..] else { panic!("{}: two numbers", self.path) };
                // Computed in integers, so that there is no negative zero.
                let value = |k: i64| (k * (k - c)) as f64 / 2f64.powi(s as i32);
                (0..count as i64).map(|k| value(k).to_bits()).collect()
            }
            other => panic!("{}: formula {other:?}", self.path),
        }
    }
}

fn word(value: i64) -> u128 {
    u128::from(value as u64)
}

/// Number of bits in an entry.
///
/// # Panics
/// If the letter is no type.
pub fn width(letter: char) -> usize {
    match letter {
        'B' => 1,
        'Z' | 'R' => 64,
        'C' => 128,
        other => panic!("type {other}"),
    }
}

/// A header.
pub fn header(letter: char, rows: u32, cols: u32) -> Vec<u8> {
    let mut bytes = b"INEBIN\0".to_vec();
    bytes.push(u8::try_from(letter).expect("a letter"));
    bytes.extend_from_slice(&rows.to_le_bytes());
    bytes.extend_from_slice(&cols.to_le_bytes());
    bytes
}

/// The data of these entries bit by bit, lowest bit first in an entry and in a byte.
pub fn data(letter: char, entries: &[u128]) -> Vec<u8> {
    let width = width(letter);
    let mut bytes = vec![0; (width * entries.len()).div_ceil(8)];
    for (k, entry) in entries.iter().enumerate() {
        for bit in (0..width).filter(|bit| entry >> bit & 1 == 1) {
            let at = k * width + bit;
            bytes[at / 8] |= 1 << (at % 8);
        }
    }
    bytes
}

/// A complete file.
pub fn file(letter: char, rows: u32, cols: u32, entries: &[u128]) -> Vec<u8> {
    [header(letter, rows, cols), data(letter, entries)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::Fixtures;

    #[test]
    fn every_file_equals_its_formula() {
        let files = load(Fixtures::Ours);
        assert_eq!(files.len(), 48);
        for entry in files {
            let bytes = entry.bytes();
            assert_eq!(entry.data_len, bytes.len() as u64 - 16, "{}", entry.path);
            let made = file(entry.letter, entry.rows, entry.cols, &entry.entries());
            assert!(made == bytes, "{}", entry.path);
        }
    }

    #[test]
    fn every_broken_file_is_the_one_described() {
        let files = load_broken(Fixtures::Ours);
        assert_eq!(files.len(), 32);
        for entry in files {
            entry.bytes();
            assert!(!entry.what.is_empty() && !entry.aion.is_empty(), "{}", entry.path);
        }
    }
}
