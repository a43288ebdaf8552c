//! The MANIFEST.toml files of the fixture directories: facts about each file that do not come from our own reader.
//!
//! One [`Entry`] type covers the directories `lime`, `wild`, `qio` and `broken`. An unknown key is an error, so that no
//! fact in a manifest is ignored.

use crate::fixtures::Fixtures;
use crate::oracle::{self, Record};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    file: Vec<Entry>,
}

/// One file of a fixture directory. Its keys, except the path, depend on the directory and the kind of file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The directory `path` is relative to; filled in by [`load`].
    #[serde(skip)]
    pub folder: PathBuf,
    pub path: String,
    pub bytes: Option<u64>,
    pub sha256: Option<String>,
    pub made_by: Option<String>,
    /// The program that writes such files.
    pub writer: Option<String>,
    /// The required behaviour of a reader.
    pub right: Option<String>,
    pub origin: Option<String>,
    pub note: Option<String>,

    #[serde(default, alias = "records")]
    lime: Option<Vec<LimeEntry>>,
    lime_count: Option<usize>,
    /// True if only the first records are listed; `lime_count` is the number of all.
    #[serde(default)]
    pub lime_truncated: bool,
    #[serde(default)]
    record: Vec<LogicalRecord>,

    pub dims: Option<Vec<u64>>,
    pub volfmt: Option<u32>,
    /// Base name of the file set that this file is a volume of.
    pub set: Option<String>,
    pub nodes: Option<u32>,
    pub layout: Option<String>,
    pub grid: Option<Vec<u64>>,
    pub iogrid: Option<Vec<u64>>,
    pub sites_in_volume: Option<u64>,
    pub sitelist_sha256: Option<String>,
    pub filexml: Option<String>,
    #[serde(default)]
    pub ildg: bool,
    pub lfn: Option<String>,

    /// `su3gauge` if absent.
    pub field: Option<String>,
    pub rows: Option<u64>,
    pub precision: Option<String>,
    pub formula: Option<String>,
    #[serde(default, deserialize_with = "hex64")]
    pub seed: Option<u64>,
    #[serde(default, deserialize_with = "hex64_list")]
    pub seeds: Vec<u64>,
    pub words_per_site: Option<u64>,
    pub links_per_site: Option<u64>,
    pub bytes_per_site: Option<u64>,
    #[serde(default, deserialize_with = "hex32")]
    suma: Option<u32>,
    #[serde(default, deserialize_with = "hex32")]
    sumb: Option<u32>,
    scidac_checksum: Option<String>,
    #[serde(default, deserialize_with = "hex32")]
    stored_suma: Option<u32>,
    #[serde(default, deserialize_with = "hex32")]
    stored_sumb: Option<u32>,
    pub plaquette: Option<f64>,
    pub link_trace: Option<f64>,
    pub max_unitarity_deviation: Option<f64>,

    pub header_bytes: Option<usize>,
    #[serde(default, deserialize_with = "hex32")]
    pub nersc_checksum: Option<u32>,
    pub reported_crc32: Option<u32>,
    pub exit_status: Option<i32>,
    pub message: Option<String>,
    pub byte_identical_to_original: Option<bool>,
    pub byte_identical_to_serial_write: Option<bool>,
    pub reference_contents: Option<String>,
    pub reference_read: Option<String>,

    pub what: Option<String>,
    pub should: Option<String>,
    pub judged: Option<String>,
    pub verdict: Option<String>,
    pub lime_contents: Option<String>,
    pub qio_read: Option<String>,
}

/// A LIME record with the keys of the manifests. [`Entry::records`] returns it as a [`Record`].
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct LimeEntry {
    #[serde(alias = "offset")]
    off: u64,
    #[serde(deserialize_with = "flag")]
    mb: bool,
    #[serde(deserialize_with = "flag")]
    me: bool,
    #[serde(alias = "length")]
    len: u64,
    #[serde(rename = "type")]
    kind: String,
}

impl LimeEntry {
    /// The type in bytes. The manifests decode it as Latin-1, which preserves every byte in a string.
    fn type_bytes(&self) -> Vec<u8> {
        self.kind.chars().map(|c| u8::try_from(u32::from(c)).expect("type is Latin-1")).collect()
    }
}

/// A SciDAC record (field, global or hypercube): its private record XML and its expected data.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogicalRecord {
    pub index: usize,
    /// 0 field, 1 global, 2 hypercube.
    pub recordtype: u32,
    pub datatype: String,
    pub precision: String,
    pub colors: u32,
    pub spins: u32,
    pub typesize: u64,
    pub datacount: u64,
    pub word_size: u64,
    pub formula: String,
    #[serde(deserialize_with = "hex64")]
    pub seed: Option<u64>,
    #[serde(default, deserialize_with = "hex32")]
    suma: Option<u32>,
    #[serde(default, deserialize_with = "hex32")]
    sumb: Option<u32>,
    pub lower: Option<Vec<u64>>,
    pub upper: Option<Vec<u64>>,
    pub plaquette: Option<f64>,
    pub link_trace: Option<f64>,
}

impl LogicalRecord {
    /// Number of bytes per site, or of the whole record if it is global.
    pub fn site_len(&self) -> usize {
        usize::try_from(self.typesize * self.datacount).expect("site size")
    }

    /// The ranks, in the full lattice, of the sites in the record, in ascending order; only 0 for a global record.
    pub fn ranks(&self, dims: &[u64]) -> Vec<u64> {
        match self.recordtype {
            0 => (0..dims.iter().product()).collect(),
            1 => vec![0],
            2 => {
                let bounds = self.lower.as_deref().zip(self.upper.as_deref());
                let (lower, upper) = bounds.expect("a hypercube record has bounds");
                oracle::box_ranks(dims, lower, upper)
            }
            other => panic!("recordtype {other}"),
        }
    }

    /// (suma, sumb).
    pub fn checksum(&self) -> Option<(u32, u32)> {
        self.suma.zip(self.sumb)
    }
}

impl Entry {
    /// The content of the file, after a check of its size and hash.
    ///
    /// # Panics
    /// If it cannot be read or is not the file that the manifest describes.
    pub fn bytes(&self) -> Vec<u8> {
        let path = self.folder.join(&self.path);
        let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        if let Some(expected) = self.bytes {
            assert_eq!(bytes.len() as u64, expected, "size of {}", path.display());
        }
        if let Some(expected) = &self.sha256 {
            assert_eq!(&sha256(&bytes), expected, "hash of {}", path.display());
        }
        bytes
    }

    /// The LIME records listed, with the two spellings of flags and offsets unified; `None` if the manifest lists none.
    ///
    /// There are two exceptions: with `lime_truncated`, only the first records are listed. And if the manifest's
    /// scanner met a header with a wrong magic number, the last one listed is not a record (see [`oracle::scan`]).
    pub fn records(&self) -> Option<Vec<Record>> {
        let record = |entry: &LimeEntry| Record {
            offset: entry.off,
            mb: entry.mb,
            me: entry.me,
            length: entry.len,
            kind: entry.type_bytes(),
            payload_offset: entry.off + 144,
        };
        Some(self.lime.as_ref()?.iter().map(record).collect())
    }

    /// The number of all LIME records, even if [`Entry::records`] lists only the first ones.
    pub fn record_count(&self) -> Option<usize> {
        self.lime_count.or(self.lime.as_ref().map(Vec::len))
    }

    /// The extents of the lattice.
    ///
    /// # Panics
    /// If the manifest does not have it.
    pub fn dims(&self) -> &[u64] {
        self.dims.as_deref().unwrap_or_else(|| panic!("{}: no dims", self.path))
    }

    /// The SciDAC records with known content. The facts about a file that QIO did not write are keys of the entry
    /// itself; they are returned here as one field record.
    ///
    /// A file with two stored rows gives items of 2x3 numbers without checksum and observables, since the manifest has
    /// them for the full matrices.
    pub fn logical_records(&self) -> Vec<LogicalRecord> {
        let Some(formula) = &self.formula else { return self.record.clone() };
        let precision = self.precision.clone().expect("a top-level formula has a precision");
        let word_size = if precision == "D" { 8 } else { 4 };
        let rows = self.rows.unwrap_or(3);
        let (typesize, datacount) = match self.words_per_site {
            Some(words) => (word_size * words, 1),
            None => (word_size * rows * 6, self.links_per_site.unwrap_or(4)),
        };
        let sums = self.checksum().filter(|_| rows == 3);
        let seeds = if self.seeds.is_empty() { self.seed.as_slice() } else { &self.seeds };
        let record = |(index, seed): (usize, &u64)| LogicalRecord {
            index,
            recordtype: 0,
            datatype: String::new(),
            precision: precision.clone(),
            colors: 0,
            spins: 0,
            typesize,
            datacount,
            word_size,
            formula: formula.clone(),
            seed: Some(*seed),
            suma: sums.map(|s| s.0),
            sumb: sums.map(|s| s.1),
            lower: None,
            upper: None,
            plaquette: self.plaquette.filter(|_| rows == 3),
            link_trace: self.link_trace.filter(|_| rows == 3),
        };
        seeds.iter().enumerate().map(record).collect()
    }

    /// The checksum (suma, sumb) of the only field of a file, as computed from the data.
    pub fn checksum(&self) -> Option<(u32, u32)> {
        if let Some(text) = &self.scidac_checksum {
            let (a, b) = text.split_once(' ').expect("two sums");
            return Some((parse_hex32(a).expect("suma"), parse_hex32(b).expect("sumb")));
        }
        self.suma.zip(self.sumb)
    }

    /// The checksum (suma, sumb) of each data record in the report of the reference reader, if `reference_read` is such
    /// a report ("… | REC 0 data status SUCCESS puts 120 suma dc5f6a52 sumb b369ac61 | …"), otherwise nothing.
    pub fn reported_checksums(&self) -> Vec<(u32, u32)> {
        let sum = |part: &str, name: &str| {
            let text = part.split_once(name)?.1.split_whitespace().next()?;
            Some(parse_hex32(text).expect("reported sum"))
        };
        let report = self.reference_read.as_deref().unwrap_or_default();
        let data = report.split(" | ").filter(|part| part.contains("data status SUCCESS"));
        data.filter_map(|part| sum(part, "suma ").zip(sum(part, "sumb "))).collect()
    }

    /// The checksum (suma, sumb) in the file's own checksum record.
    pub fn stored_checksum(&self) -> Option<(u32, u32)> {
        self.stored_suma.zip(self.stored_sumb)
    }
}

/// The entries of one fixture directory (`lime`, `wild`, `qio` or `broken`), restricted to these fixtures.
///
/// # Panics
/// If the manifest cannot be read or has an unknown key.
pub fn load(fixtures: Fixtures, name: &str) -> Vec<Entry> {
    let folder = fixtures.join(name);
    let path = folder.join("MANIFEST.toml");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut manifest: Manifest = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    manifest.file.retain(|entry| fixtures.includes(name, &entry.path));
    for entry in &mut manifest.file {
        entry.folder.clone_from(&folder);
    }
    manifest.file
}

/// The files that contain fields: in `qio` and, for other projects, also in `wild`.
pub fn load_fields(fixtures: Fixtures) -> Vec<Entry> {
    let folders: &[&str] = match fixtures {
        Fixtures::Ours => &["qio"],
        Fixtures::OfOthers => &["wild", "qio"],
    };
    folders.iter().flat_map(|folder| load(fixtures, folder)).collect()
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Schema1<T> {
    schema: u32,
    file: Vec<T>,
}

/// The directory `name` and the entries of its manifest, which is of schema 1. The type of an entry is defined by the
/// module of the format.
pub(crate) fn listed<T: DeserializeOwned>(fixtures: Fixtures, name: &str) -> (PathBuf, Vec<T>) {
    let folder = fixtures.join(name);
    let path = folder.join("MANIFEST.toml");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let manifest: Schema1<T> = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert_eq!(manifest.schema, 1, "{}", path.display());
    (folder, manifest.file)
}

/// The content of a file, after a check of its size and hash.
pub(crate) fn checked(path: &Path, size: u64, hash: &str) -> Vec<u8> {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert_eq!(bytes.len() as u64, size, "size of {}", path.display());
    assert_eq!(sha256(&bytes), hash, "hash of {}", path.display());
    bytes
}

/// SHA-256 in lower-case hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn parse_hex32(text: &str) -> Result<u32, std::num::ParseIntError> {
    u32::from_str_radix(text, 16)
}

fn parse_hex64(text: &str) -> Result<u64, std::num::ParseIntError> {
    u64::from_str_radix(text.trim_start_matches("0x"), 16)
}

fn hex32<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    parse_hex32(&String::deserialize(from)?).map(Some).map_err(Error::custom)
}

fn hex64<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    parse_hex64(&String::deserialize(from)?).map(Some).map_err(Error::custom)
}

fn hex64_list<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u64>, D::Error> {
    let texts = Vec::<String>::deserialize(from)?;
    texts.iter().map(|text| parse_hex64(text)).collect::<Result<_, _>>().map_err(Error::custom)
}

/// A flag: `wild` has booleans, the other manifests have 0 and 1.
fn flag<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Flag {
        Bool(bool),
        Bit(u8),
    }
    match Flag::deserialize(from)? {
        Flag::Bool(value) => Ok(value),
        Flag::Bit(bit @ 0..=1) => Ok(bit == 1),
        Flag::Bit(other) => Err(Error::custom(format!("flag {other}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::Fixtures;

    #[test]
    fn no_entry_is_left_out() {
        for (name, count) in [("lime", 33), ("qio", 130), ("broken", 168)] {
            let entries = load(Fixtures::Ours, name);
            assert!(entries.len() >= count, "{name}: {} entries", entries.len());
        }
    }

    #[test]
    fn lengths_beyond_i64_survive() {
        let entries = load(Fixtures::Ours, "broken");
        for (path, length) in [
            ("2e63m1", i64::MAX as u64),
            ("2e63", 1 << 63),
            ("2e64m1", u64::MAX),
            ("2e64m152", u64::MAX - 151),
        ] {
            let path = format!("lime/length-{path}.lime");
            let entry = entries.iter().find(|entry| entry.path == path).expect("listed");
            assert_eq!(entry.records().expect("records")[0].length, length, "{path}");
        }
    }

    #[test]
    fn type_strings_are_latin1_bytes() {
        let entries = load(Fixtures::Ours, "lime");
        let entry = entries.iter().find(|entry| entry.path == "type-odd-chars.lime").expect("listed");
        let kinds: Vec<Vec<u8>> = entry.records().expect("records").into_iter().map(|r| r.kind).collect();
        assert_eq!(kinds[1], "café-utf8".as_bytes());
        assert_eq!(kinds[2], b"latin1-\xe9");
    }

    crate::of_other_projects! {
        fn every_file_is_the_one_described() {
            for (name, count) in [("wild", 4), ("qio", 1)] {
                let entries = load(Fixtures::OfOthers, name);
                assert_eq!(entries.len(), count, "{name}");
                for entry in entries {
                    assert!(entry.sha256.is_some(), "{name}/{} has no hash", entry.path);
                    entry.bytes();
                }
            }
        }
    }
}
