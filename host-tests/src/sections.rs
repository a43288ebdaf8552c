//! scda files as described by their manifests: the directories `scda` and `broken-scda`.
//!
//! A section here is a raw one, as it is in the file. A compressed section consists of two raw ones; the manifest also
//! describes its content before compression.

mod formula;

use crate::fixtures::Fixtures;
use crate::manifest::{checked, listed, sha256};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::path::PathBuf;

/// A valid file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    #[serde(skip)]
    folder: PathBuf,
    pub path: String,
    sha256: String,
    pub bytes: u64,
    pub made_by: String,
    pub eol: Eol,
    pub libsc_written: Vec<String>,
    pub libsc_reads: String,
    /// Reading this file, libsc writes beyond the end of one of its arrays.
    #[serde(default)]
    pub libsc_asan: bool,
    pub sc_io_decode_checked_elements: Option<u64>,
    pub notes: Option<String>,
    #[serde(rename = "section")]
    pub sections: Vec<Section>,
}

/// The line breaks and the padding of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Eol {
    Unix,
    Mime,
    /// Padding of arbitrary bytes, which the paper allows.
    Arbitrary,
}

/// A raw section.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// `F`, `I`, `B`, `A` or `V`.
    #[serde(rename = "type")]
    pub letter: char,
    pub offset: u64,
    #[serde(rename = "user_hex", deserialize_with = "hex")]
    pub user: Vec<u8>,
    #[serde(rename = "user")]
    pub user_text: String,
    #[serde(default, rename = "vendor_hex", deserialize_with = "some_hex")]
    pub vendor: Option<Vec<u8>>,
    #[serde(default, rename = "N", deserialize_with = "count")]
    pub n: Option<u128>,
    #[serde(default, rename = "E", deserialize_with = "count")]
    pub e: Option<u128>,
    sizes: Option<String>,
    pub sizes_offset: Option<u64>,
    pub data_offset: Option<u64>,
    pub data_len: Option<u64>,
    pub pad_len: Option<u64>,
    data_sha256: Option<String>,
    payload: Option<String>,

    /// The compressed section that this one belongs to: `B`, `A` or `V`, with the suffix `-header` for its first half.
    pub convention: Option<String>,
    /// Size of a block, or of each element, before compression.
    #[serde(default, rename = "U", deserialize_with = "count")]
    pub u: Option<u128>,
    #[serde(rename = "U_sizes")]
    u_sizes: Option<String>,
    pub plain_len: Option<u64>,
    plain_sha256: Option<String>,
}

/// A broken or unusual file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Broken {
    #[serde(skip)]
    folder: PathBuf,
    pub path: String,
    sha256: String,
    pub bytes: u64,
    pub what: String,
    /// Required behaviour of a reader that decompresses, with `|` between alternatives.
    pub expect: String,
    /// Error that another reader found, and its position.
    pub checker: Option<String>,
    pub libsc: String,
    pub libsc_asan: Option<String>,
    pub libsc_debug: Option<String>,
    pub sc_io_decode: Option<String>,
    pub sc_io_decode_asan: Option<String>,
    pub sc_io_decode_debug: Option<String>,
    pub note: Option<String>,
}

/// The entries of the directory `scda`.
///
/// # Panics
/// If the manifest cannot be read or has a field not known here.
pub fn load(fixtures: Fixtures) -> Vec<File> {
    let (folder, mut files) = listed::<File>(fixtures, "scda");
    files.retain(|file| fixtures.includes("scda", &file.path));
    files.iter_mut().for_each(|file| file.folder.clone_from(&folder));
    files
}

/// The entries of the directory `broken-scda`.
///
/// # Panics
/// If the manifest cannot be read or has a field not known here.
pub fn load_broken(fixtures: Fixtures) -> Vec<Broken> {
    let (folder, mut files) = listed::<Broken>(fixtures, "broken-scda");
    files.iter_mut().for_each(|file| file.folder.clone_from(&folder));
    files
}

impl Broken {
    /// The content of the file, after a check of its size and hash.
    pub fn bytes(&self) -> Vec<u8> {
        checked(&self.folder.join(&self.path), self.bytes, &self.sha256)
    }
}

impl File {
    /// The content of the file, after a check of its size and hash.
    pub fn bytes(&self) -> Vec<u8> {
        checked(&self.folder.join(&self.path), self.bytes, &self.sha256)
    }
}

impl Section {
    /// The sizes of the elements of a variable array.
    pub fn sizes(&self) -> Option<Vec<u64>> {
        Some(formula::sizes(self.sizes.as_deref()?, self.n?))
    }

    /// The sizes of the elements of a compressed variable array before compression; known for both halves.
    pub fn u_sizes(&self) -> Option<Vec<u64>> {
        Some(formula::sizes(self.u_sizes.as_deref()?, self.n?))
    }

    /// True if the data are compressed text or, for a compressed variable array, the sizes in entries of 32 bytes.
    /// There is no formula for these.
    pub fn is_encoded(&self) -> bool {
        matches!(self.convention.as_deref(), Some("B" | "A" | "V" | "V-header"))
    }

    /// The data: from the file if they are encoded, otherwise by the manifest's formula. Their hash is verified. Empty
    /// for the file header.
    ///
    /// # Panics
    /// If the hash differs.
    pub fn data(&self, file: &[u8]) -> Vec<u8> {
        let (Some(offset), Some(length)) = (self.data_offset, self.data_len) else { return Vec::new() };
        let data = match &self.payload {
            Some(payload) if !self.is_encoded() => formula::payload(payload, length),
            _ => {
                let start = usize::try_from(offset).expect("in memory");
                file[start..start + usize::try_from(length).expect("in memory")].to_vec()
            }
        };
        assert_eq!(Some(sha256(&data)), self.data_sha256, "hash of the data at {offset}");
        data
    }

    /// The data of all elements before compression, by the manifest's formula. Their hash is verified. `None` if the
    /// section is not compressed.
    ///
    /// # Panics
    /// If the hash differs.
    pub fn plain(&self) -> Option<Vec<u8>> {
        let plain = formula::payload(self.payload.as_deref()?, self.plain_len?);
        assert_eq!(
            Some(sha256(&plain)),
            self.plain_sha256,
            "hash of the data before compression at {}",
            self.offset
        );
        Some(plain)
    }
}

/// A count. The manifest has counts beyond 64 bits as strings.
fn count<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u128>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Count {
        Number(u64),
        Text(String),
    }
    match Count::deserialize(from)? {
        Count::Number(value) => Ok(Some(value.into())),
        Count::Text(text) => text.parse().map(Some).map_err(Error::custom),
    }
}

fn hex<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    formula::hex(&String::deserialize(from)?).ok_or_else(|| Error::custom("not hexadecimal"))
}

fn some_hex<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<u8>>, D::Error> {
    hex(from).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::Fixtures;

    /// The formulas are correct: they give the bytes in the files.
    #[test]
    fn every_file_is_the_one_described() {
        let (mut by_formula, mut encoded) = (0, 0);
        let files = load(Fixtures::Ours);
        assert_eq!(files.len(), 35);
        for file in files {
            let bytes = file.bytes();
            for section in &file.sections {
                let what = format!("{} at {}", file.path, section.offset);
                let data = section.data(&bytes);
                if let Some(offset) = section.data_offset {
                    let offset = usize::try_from(offset).expect("in memory");
                    assert_eq!(data, bytes[offset..offset + data.len()], "{what}");
                    if section.is_encoded() { encoded += 1 } else { by_formula += 1 }
                }
                if let Some(sizes) = section.sizes() {
                    assert_eq!(Some(sizes.iter().sum()), section.data_len, "{what}");
                }
                if let (Some(sizes), Some(length)) = (section.u_sizes(), section.plain_len) {
                    assert_eq!(sizes.iter().sum::<u64>(), length, "{what}");
                }
                assert_eq!(section.plain().is_some(), section.plain_len.is_some(), "{what}");
            }
        }
        assert_eq!((by_formula, encoded), (346, 62));
    }

    #[test]
    fn every_broken_file_is_the_one_described() {
        let files = load_broken(Fixtures::Ours);
        assert_eq!(files.len(), 193);
        for file in files {
            file.bytes();
        }
    }

    #[test]
    fn counts_beyond_64_bits_survive() {
        let files = load(Fixtures::Ours);
        let file = files.iter().find(|file| file.path == "array-extreme-counts.scda").expect("listed");
        assert_eq!(file.sections[1].e, Some(10_u128.pow(26) - 1));
        assert_eq!(file.sections[4].n, Some(u128::from(u64::MAX)));
    }

    crate::of_other_projects! {
        fn the_file_of_libsc_is_the_one_described() {
            let files = load(Fixtures::OfOthers);
            let [file] = &files[..] else { panic!("{} files", files.len()) };
            let bytes = file.bytes();
            for section in &file.sections {
                section.data(&bytes);
            }
        }
    }
}
