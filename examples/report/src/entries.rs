//! The records, fields, sections and findings of a file one by one, while it is read.

use std::ops::ControlFlow;

use linkstream_access::source::SourceError as SurveyError;
use serde::ser::SerializeMap;

use crate::findings::Finding;
use crate::json::{Entries, Object};
use crate::lime::{Contents, FieldEntry, RecordEntry};
use crate::scda::SectionEntry;
use crate::{lime, scda};

/// A part of a report.
#[derive(Debug, Clone, Copy)]
pub enum Entry<'a> {
    Record(&'a RecordEntry),
    /// A field, in a file with these contents.
    Field(&'a Contents, &'a FieldEntry),
    /// A section, in a file with this vendor string.
    Section(&'a SectionEntry, &'a [u8]),
    Finding(&'a Finding),
}

/// Functions that receive all entries, even if a report does not list them.
#[derive(Debug, Clone, Copy)]
pub struct Receiver {
    /// Receives records, fields and sections. `Break` ends the survey.
    pub entry: fn(&Entry<'_>) -> ControlFlow<()>,
    pub finding: fn(&Finding),
}

/// Passes an entry to the receiver, if there is one.
pub(crate) fn pass<E>(receiver: Option<Receiver>, entry: &Entry<'_>) -> Result<(), SurveyError<E>> {
    match receiver.map(|receiver| (receiver.entry)(entry)) {
        Some(ControlFlow::Break(())) => Err(SurveyError::Stopped),
        _ => Ok(()),
    }
}

/// One entry: the kind, and the object that the list of a report has.
impl Entries for Entry<'_> {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        match self {
            Self::Record(record) => object.serialize_entry("record", &Object(record)),
            Self::Field(contents, entry) => {
                object.serialize_entry("field", &Object(lime::json::Field { contents, entry }))
            }
            Self::Section(entry, vendor) => {
                object.serialize_entry("section", &Object(scda::json::Section { entry, vendor }))
            }
            Self::Finding(finding) => object.serialize_entry("finding", &Object(finding)),
        }
    }
}
