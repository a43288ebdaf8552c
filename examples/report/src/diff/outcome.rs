//! The result of a comparison.

use super::bytes::Bytes;
use super::changes::Changes;
use super::error::Side;
use super::kept::Kept;
use super::numbers::Numbers;

/// Everything that differs between two files, and how much was compared.
#[derive(Debug, Default)]
pub struct Comparison {
    /// Differences in structure: records or sections that only one file has, and their order, types and shapes.
    pub structure: Changes,
    /// Documents that differ.
    pub documents: Kept<Document>,
    /// Number of documents that were compared.
    pub documents_compared: u64,
    /// Fields, the matrix, or sections that were compared, or whose shapes differ.
    pub data: Kept<Data>,
    /// Number of pairs of data that differ.
    pub data_differing: u64,
    /// Errors in the files themselves. They may make the comparison incomplete.
    pub damage: Kept<Damage>,
}

impl Comparison {
    /// True if nothing differs beyond the tolerance.
    pub fn is_same(&self) -> bool {
        self.structure.is_empty()
            && self.documents.is_empty()
            && self.documents.left_out() == 0
            && self.data_differing == 0
    }

    /// Adds a pair of data.
    pub(super) fn add_data(&mut self, data: Data) {
        self.data_differing = self.data_differing.saturating_add(u64::from(!data.outcome.is_same()));
        let bytes = match &data.outcome {
            Outcome::Shapes(shapes) => shapes.bytes(),
            Outcome::Numbers(Numbers { ranges, .. }) | Outcome::Bytes(Bytes { ranges, .. }) => {
                size_of_val(ranges.as_slice())
            }
        };
        self.data.push(data, bytes);
    }

    /// Adds a document that differs.
    pub(super) fn add_document(&mut self, document: Document) {
        let bytes = document.changes.bytes();
        self.documents.push(document, bytes);
    }
}

/// A document that differs.
#[derive(Debug)]
pub struct Document {
    /// The type of its record, and its place in the first file.
    pub name: String,
    pub changes: Changes,
}

/// The comparison of a pair of data.
#[derive(Debug)]
pub struct Data {
    /// Name of the data in the first file: `field 0`, `matrix`, `section 3`.
    pub name: String,
    pub outcome: Outcome,
}

/// Result of comparing a pair of data.
#[derive(Debug)]
pub enum Outcome {
    Numbers(Numbers),
    Bytes(Bytes),
    /// Not compared, because their shapes differ.
    Shapes(Changes),
}

impl Outcome {
    pub fn is_same(&self) -> bool {
        match self {
            Self::Numbers(numbers) => numbers.differing == 0,
            Self::Bytes(bytes) => bytes.is_same(),
            Self::Shapes(_) => false,
        }
    }
}

/// An error in one of the files.
#[derive(Debug)]
pub struct Damage {
    pub side: Side,
    pub at: u64,
    pub message: String,
}
