//! Findings on many files together.

use linkstream_report::ensemble::duplicates::unhashed;
use linkstream_report::ensemble::findings::judge;
use linkstream_report::ensemble::groups::{Template, groups};
use linkstream_report::ensemble::manifest::entries_of;
use linkstream_report::ensemble::members::with_members;
use linkstream_report::ensemble::name::Name;
use linkstream_report::json::each;
use linkstream_report::json_line::line_of;
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::task;

/// Prepares the judgement of the files that these lines of manifests describe. The result is what
/// `linkstream ensemble --json` prints, and a list: the names of files that may be equal to others, but have no hash.
#[wasm_bindgen]
pub fn ensemble(lines: String, pattern: Option<String>) {
    task::prepare(move || {
        let misuse = |error: &dyn std::error::Error| Failure::request(&error.to_string());
        let template: Option<Template> =
            pattern.map(|pattern| pattern.parse()).transpose().map_err(|error| misuse(&error))?;
        let entries = with_members(entries_of(&lines).map_err(|error| misuse(&error))?);
        drop(lines);
        let ensembles = judge(&entries, groups(&entries, template.as_ref()));
        let mut found = ensembles.lines(true).map_err(|error| misuse(&error))?;
        let unhashed = line_of(&each(&unhashed(&entries), Name::text));
        found.extend(unhashed.map_err(|error| misuse(&error))?);
        Ok(found)
    });
}
