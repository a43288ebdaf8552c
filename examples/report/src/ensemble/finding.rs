//! A finding on files of a store.

use serde::ser::SerializeMap;

use super::name::Name;
use crate::json::{Entries, each};

/// A finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Kind, as listed by `linkstream ensemble --help`.
    pub kind: &'static str,
    /// The files that it is about. Files that are missing are named in the message.
    pub files: Vec<Name>,
    pub message: String,
}

/// A finding as an object of JSON.
impl Entries for Finding {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("kind", self.kind)?;
        object.serialize_entry("files", &each(&self.files, Name::text))?;
        object.serialize_entry("message", &self.message)
    }
}
