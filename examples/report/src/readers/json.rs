//! Answers in JSON.

use serde::ser::SerializeMap;

use super::answer::{Answer, Reason};
use crate::json::{Entries, objects};

/// An entry of `readers`.
impl Entries for Answer {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("program", self.program.key())?;
        object.serialize_entry("version", self.program.version())?;
        object.serialize_entry("answer", self.effect.as_str())?;
        object.serialize_entry("reasons", &objects(&self.reasons))
    }
}

impl Entries for Reason {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("effect", self.effect.as_str())?;
        object.serialize_entry("offset", &self.offset)?;
        object.serialize_entry("message", self.why)?;
        object.serialize_entry("remedy", &self.remedy)?;
        object.serialize_entry("source", self.source)?;
        object.serialize_entry("evidence", self.evidence.as_str())
    }
}
