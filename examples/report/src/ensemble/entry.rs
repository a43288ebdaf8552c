//! Entries of a manifest, one for each file.

use std::collections::BTreeMap;

#[cfg(feature = "digest")]
use std::ops::Range;

#[cfg(feature = "digest")]
use linkstream_access::digest::{Digests, HashFunction, sha256};
use serde::{Deserialize, Serialize};

use super::name::{Name, NameError};
use super::stamp::Stamp;
use crate::json::SCHEMA;

/// A verdict that a manifest keeps. The later ones are worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Ok,
    Unverified,
    /// A file of another format, which is not checked.
    Other,
    Wrong,
    Unreadable,
}

impl Verdict {
    /// The verdict as a word, as in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Unverified => "unverified",
            Self::Other => "other",
            Self::Wrong => "wrong",
            Self::Unreadable => "unreadable",
        }
    }

    /// True if there is something wrong with the file.
    #[must_use]
    pub const fn is_bad(self) -> bool {
        matches!(self, Self::Wrong | Self::Unreadable)
    }
}

/// The content of a file that was damaged later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Was {
    /// Hash of the file.
    pub hash: Option<String>,
    pub verdict: Verdict,
}

/// A file of a store: a line of a manifest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub schema: u32,
    file: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file_hex: Option<String>,
    #[serde(skip)]
    pub name: Name,
    pub bytes: u64,
    /// Time of the last modification.
    pub modified: Option<Stamp>,
    /// Time of the last change, which programs cannot set (`ctime`). `None` if the system has none.
    pub changed: Option<Stamp>,
    /// When all bytes of the file were last read.
    pub read: Stamp,
    pub format: Option<String>,
    pub verdict: Verdict,
    /// Hash of all bytes; `None` if the file could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blake3: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub md5: Option<String>,
    /// SHA-256 of the bytes that are not data; `None` if it is unknown which are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texts: Option<String>,
    /// SHA-256 of lengths and sums (`cksum`) of all data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// The name of the file set that the file is a volume of. The verdict is that on the set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// Why the file could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The rules that the file breaks, as far as they are errors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// The content before the damage, if the file was damaged after it was in a manifest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<Was>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Field>,
    /// The compression and the archive, from the outside inwards. Entries about data describe the content; `bytes` and the
    /// hash describe the file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packing: Vec<String>,
    /// The files of an archive, in its order: `old.tar!lat.0360`. The verdict on the archive is the worst of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<Self>,
    /// Number of files of the archive that are not listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub members_left_out: Option<u64>,
    /// Keys of the header of an archive, and of texts with lines `KEY = VALUE`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub header: BTreeMap<String, String>,
    /// Values of XML documents, by the path that was asked for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub xml: BTreeMap<String, String>,
}

/// A field, or the data of another format.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Field {
    /// Offset and length of the data in the file.
    pub data_offset: u64,
    pub data_bytes: u64,
    /// The region that the data cover.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extents: Vec<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub datatype: Option<String>,
    /// The gauge group, such as SU(3).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Directions with open boundaries, or the boundary conditions that a header states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boundary: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lfn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub update: Option<String>,
    /// Checksums of the data, as computed, by their name in the format.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub checksums: BTreeMap<String, String>,
    /// Result of comparing them with the stored ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checksum: Option<String>,
    /// Sum of the command `cksum` (POSIX) of the data: `crcCheckSum` of ILDG catalogues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cksum: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plaquette: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spatial_plaquette: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temporal_plaquette: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link_trace: Option<f64>,
    /// Real and imaginary part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub polyakov_loop: Option<[f64; 2]>,
    /// Quantities that texts of the file record, and whether the data agree.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub recorded: Vec<Recorded>,
}

/// A quantity that a text records.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Recorded {
    pub quantity: String,
    pub recorded: String,
    /// `None` if it was not computed.
    pub agrees: Option<bool>,
}

impl Entry {
    /// An entry about a file without further knowledge.
    #[must_use]
    pub fn new(name: Name, bytes: u64, read: Stamp, verdict: Verdict) -> Self {
        Self {
            schema: SCHEMA,
            file: name.text(),
            file_hex: name.hexadecimal(),
            name,
            bytes,
            modified: None,
            changed: None,
            read,
            format: None,
            verdict,
            sha256: None,
            blake3: None,
            md5: None,
            texts: None,
            data: None,
            set: None,
            error: None,
            rules: Vec::new(),
            was: None,
            fields: Vec::new(),
            packing: Vec::new(),
            members: Vec::new(),
            members_left_out: None,
            header: BTreeMap::new(),
            xml: BTreeMap::new(),
        }
    }

    /// An entry as it was read, with its name.
    ///
    /// # Errors
    /// The name could lead out of the store.
    pub(super) fn named(mut self) -> Result<Self, NameError> {
        self.name = Name::of_json(&self.file, self.file_hex.as_deref())?;
        self.members = self.members.into_iter().map(Self::named).collect::<Result<_, _>>()?;
        let is_inside = |member: &Self| {
            let rest = member.name.as_bytes().strip_prefix(self.name.as_bytes());
            rest.is_some_and(|rest| rest.starts_with(b"!"))
        };
        if !self.members.iter().all(is_inside) {
            return Err(NameError::Elsewhere);
        }
        Ok(self)
    }

    /// Adds the hash of all bytes.
    #[cfg(feature = "digest")]
    pub fn set_hash(&mut self, function: HashFunction, hash: String) {
        match function {
            HashFunction::Sha256 => self.sha256 = Some(hash),
            #[cfg(feature = "store")]
            HashFunction::Blake3 => self.blake3 = Some(hash),
            #[cfg(feature = "store")]
            HashFunction::Md5 => self.md5 = Some(hash),
        }
    }

    /// Adds the hashes of the texts and the data, and the sums of the data of each field.
    #[cfg(feature = "digest")]
    pub fn parts(&mut self, ranges: &[Range<u64>], digests: &Digests) {
        let mut sums = Vec::new();
        for (range, sum) in ranges.iter().zip(&digests.cksums) {
            let length = range.end.saturating_sub(range.start);
            sums.extend(length.to_le_bytes());
            sums.extend(sum.unwrap_or_default().to_le_bytes());
            let is_this = |field: &&mut Field| (field.data_offset, field.data_bytes) == (range.start, length);
            if let Some(field) = self.fields.iter_mut().find(is_this) {
                field.cksum = *sum;
            }
        }
        self.texts = Some(digests.texts.clone());
        self.data = Some(sha256(&sums));
    }

    /// The hash of all bytes, of whichever function the manifest has.
    #[must_use]
    pub fn hash(&self) -> Option<&str> {
        self.sha256.as_deref().or(self.blake3.as_deref()).or(self.md5.as_deref())
    }

    /// True if both entries have a hash of the same function, and the content is the same.
    #[must_use]
    pub fn has_content_of(&self, other: &Self) -> bool {
        let same = |a: &Option<String>, b: &Option<String>| a.is_some() && a == b;
        same(&self.sha256, &other.sha256) || same(&self.blake3, &other.blake3) || same(&self.md5, &other.md5)
    }
}
