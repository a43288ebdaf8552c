//! Gauge fields: which ones can be measured, and which of them must be unitary.

use linkstream::conformance::Decoder;
use linkstream::field::Field;
use linkstream::scidac;

use super::contents::{Contents, FieldEntry};
use crate::figures::Observables;
use crate::options::Options;
use crate::plausibility::is_about_other_links;

/// The measurement of a field that begins, if it is a gauge field.
pub fn measurement(field: &Field, decoder: &Decoder, options: &Options) -> Option<Observables> {
    let decoder = decoder.content();
    let format = decoder.format().filter(|_| decoder.format_describes_field());
    let observables = Observables::of(field, format.map(|format| format.kind()), options.slices)?;
    Some(if options.polyakov_loop { observables.with_polyakov_loop() } else { observables })
}

/// Returns whether a document states that a field with links is a gauge field, as opposed to momenta, for example: an
/// `ildg-format` describes it, or its datatype or a text of the program that wrote it mentions gauge fields or
/// plaquettes.
pub fn is_gauge(entry: &FieldEntry, contents: &Contents) -> bool {
    let mentions = |text: &str| {
        let text = text.to_ascii_lowercase();
        ["gauge", "plaq"].iter().any(|word| text.contains(word))
    };
    let described = entry.measured.as_ref().is_some_and(|measured| measured.group.is_some());
    described
        || entry.datatype.as_deref().is_some_and(mentions)
        || texts(entry, contents).any(|text| mentions(&text))
}

/// Returns whether a text about a field says that its links are smeared, fat or long links. They are no gauge field,
/// even if the other documents describe one: MILC writes these links with the documents of a gauge field.
pub fn has_other_links(entry: &FieldEntry, contents: &Contents) -> bool {
    texts(entry, contents).any(|text| is_about_other_links(&text))
}

/// The texts of the user about a field.
fn texts(entry: &FieldEntry, contents: &Contents) -> impl Iterator<Item = String> {
    [scidac::FILE_XML, scidac::RECORD_XML].iter().filter_map(|name| contents.text_about(entry, name))
}
