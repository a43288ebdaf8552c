//! Values of an entry by the names of columns, for tables and conditions.

use super::entry::{Entry, Field};

/// A value of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Number(f64),
    Integer(u64),
    Text(String),
    /// A name, a sum or a time: a text even if it looks like a number.
    Word(String),
}

impl Value {
    /// The value as a number, if it is one, or a text that is one.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(*value),
            Self::Integer(value) => Some(*value as f64),
            Self::Text(text) => text.trim().parse().ok().filter(|value: &f64| value.is_finite()),
            Self::Word(_) => None,
        }
    }

    /// The value as a number, if it is a whole one. It is exact, which floating-point numbers above 2^53 are not.
    #[must_use]
    pub(super) fn integer(&self) -> Option<i128> {
        match self {
            Self::Integer(value) => Some((*value).into()),
            Self::Text(text) => text.trim().parse().ok(),
            Self::Number(_) | Self::Word(_) => None,
        }
    }

    /// The value as text.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Number(value) => format!("{value:?}"),
            Self::Integer(value) => value.to_string(),
            Self::Text(text) | Self::Word(text) => text.clone(),
        }
    }
}

/// Names of the columns that are not `xml:PATH`, `header:KEY`, `recorded:QUANTITY` or `checksum:NAME`.
pub const COLUMNS: [&str; 35] = [
    "file",
    "bytes",
    "format",
    "verdict",
    "modified",
    "read",
    "hash",
    "sha256",
    "blake3",
    "set",
    "error",
    "rules",
    "fields",
    "region",
    "extents",
    "precision",
    "datatype",
    "group",
    "boundary",
    "lfn",
    "update",
    "checksum",
    "cksum",
    "suma",
    "sumb",
    "data_offset",
    "data_bytes",
    "plaquette",
    "spatial_plaquette",
    "temporal_plaquette",
    "link_trace",
    "polyakov_loop_re",
    "polyakov_loop_im",
    "texts",
    "data",
];

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column(String);

/// A name that no column has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no column '{0}'; the columns are {list}, and xml:PATH, header:KEY, recorded:QUANTITY and checksum:NAME",
    list = COLUMNS.join(", ")
)]
pub struct ColumnError(String);

impl std::str::FromStr for Column {
    type Err = ColumnError;

    fn from_str(name: &str) -> Result<Self, ColumnError> {
        // A list may have spaces after its commas.
        let name = name.trim();
        let is_of = ["xml:", "header:", "recorded:", "checksum:"]
            .iter()
            .any(|kind| name.strip_prefix(kind).is_some_and(|rest| !rest.is_empty()));
        if is_of || COLUMNS.contains(&name) {
            Ok(Self(name.to_owned()))
        } else {
            Err(ColumnError(name.to_owned()))
        }
    }
}

impl Column {
    /// The name as the user gave it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0
    }

    /// The path, if it is a column of XML values.
    #[must_use]
    pub fn xml_path(&self) -> Option<&str> {
        self.0.strip_prefix("xml:")
    }

    /// The value of this column for a file and its first field.
    #[must_use]
    pub fn of(&self, entry: &Entry) -> Option<Value> {
        value(entry, &self.0)
    }
}

/// A value by the name of a column, or of a key of XML documents or headers.
#[must_use]
pub fn by_name(entry: &Entry, name: &str) -> Option<Value> {
    let text = |text: Option<&String>| text.cloned().map(Value::Text);
    value(entry, name).or_else(|| text(entry.xml.get(name))).or_else(|| text(entry.header.get(name)))
}

fn value(entry: &Entry, name: &str) -> Option<Value> {
    let text = |text: &Option<String>| text.clone().map(Value::Text);
    let word = |word: &str| Some(Value::Word(word.to_owned()));
    if let Some((kind, key)) = name.split_once(':') {
        let of = match kind {
            "xml" => entry.xml.get(key)?.clone(),
            "header" => entry.header.get(key)?.clone(),
            "checksum" => return word(entry.fields.first()?.checksums.get(key)?),
            "recorded" => {
                let mut recorded = entry.fields.first()?.recorded.iter();
                recorded.find(|of| of.quantity == key)?.recorded.clone()
            }
            _ => return None,
        };
        return Some(Value::Text(of));
    }
    match name {
        "file" => Some(Value::Word(entry.name.text())),
        "bytes" => Some(Value::Integer(entry.bytes)),
        "format" => text(&entry.format),
        "verdict" => word(entry.verdict.as_str()),
        "modified" => entry.modified.map(|time| Value::Word(time.to_string())),
        "read" => Some(Value::Word(entry.read.to_string())),
        "hash" => entry.hash().and_then(word),
        "sha256" => word(entry.sha256.as_ref()?),
        "blake3" => word(entry.blake3.as_ref()?),
        "texts" => word(entry.texts.as_ref()?),
        "data" => word(entry.data.as_ref()?),
        "set" => word(entry.set.as_ref()?),
        "error" => text(&entry.error),
        "rules" => Some(Value::Text(entry.rules.join(" "))).filter(|_| !entry.rules.is_empty()),
        "fields" => Some(Value::Integer(entry.fields.len() as u64)),
        _ => of_field(entry.fields.first()?, name),
    }
}

fn of_field(field: &Field, name: &str) -> Option<Value> {
    let text = |text: &Option<String>| text.clone().map(Value::Text);
    let sum = |name: &str| field.checksums.get(name).cloned().map(Value::Word);
    match name {
        "region" => text(&field.region),
        "extents" => {
            let extents: Vec<String> = field.extents.iter().map(u64::to_string).collect();
            (!extents.is_empty()).then(|| Value::Text(extents.join("x")))
        }
        "precision" => field.precision.map(|bits| Value::Integer(bits.into())),
        "datatype" => text(&field.datatype),
        "group" => text(&field.group),
        "boundary" => text(&field.boundary),
        "lfn" => field.lfn.clone().map(Value::Word),
        "update" => text(&field.update).map(|update| match &update {
            Value::Text(text) => text.trim().parse().map_or(update, Value::Integer),
            _ => update,
        }),
        "checksum" => text(&field.checksum),
        "cksum" => field.cksum.map(|sum| Value::Integer(sum.into())),
        "suma" | "sumb" => sum(name),
        "data_offset" => Some(Value::Integer(field.data_offset)),
        "data_bytes" => Some(Value::Integer(field.data_bytes)),
        "plaquette" => field.plaquette.map(Value::Number),
        "spatial_plaquette" => field.spatial_plaquette.map(Value::Number),
        "temporal_plaquette" => field.temporal_plaquette.map(Value::Number),
        "link_trace" => field.link_trace.map(Value::Number),
        "polyakov_loop_re" => field.polyakov_loop.map(|[re, _]| Value::Number(re)),
        "polyakov_loop_im" => field.polyakov_loop.map(|[_, im]| Value::Number(im)),
        _ => None,
    }
}
