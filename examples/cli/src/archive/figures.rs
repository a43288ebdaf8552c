//! Plaquette and link trace as the header of a NERSC archive has them.

use std::fs::File;

use linkstream::sniff::Format;
use linkstream_report::figures::Measured;

use super::judged::judged;
use super::lines::Lines;

/// Bytes of the longest figure in a header.
const MAX_FIGURE: usize = 32;

/// Both as texts.
#[derive(Debug)]
pub struct Figures {
    pub plaquette: String,
    pub link_trace: String,
}

impl Figures {
    /// Those of links; `None` if they are infinite or NaN.
    pub fn of_links(measured: &Measured) -> Option<Self> {
        // Of a lattice without plaquettes all of them are those of the unit field.
        let (plaquette, link_trace) = (measured.plaquette.unwrap_or(1.0), measured.link_trace);
        let are_finite = plaquette.is_finite() && link_trace.is_finite();
        are_finite.then(|| Self { plaquette: text(plaquette), link_trace: text(link_trace) })
    }

    /// Those in the header; if one is missing or not a finite number, that of the links, which are read unless they
    /// have been measured. `None` if those hold numbers that are infinite or NaN.
    pub fn of_archive(
        file: &File,
        header: &Lines,
        measured: Option<Measured>,
    ) -> anyhow::Result<Option<Self>> {
        let figure = |key| header.text(key).filter(|text| text.parse().is_ok_and(f64::is_finite));
        let (plaquette, link_trace) = match (figure("PLAQUETTE"), figure("LINK_TRACE")) {
            (Some(plaquette), Some(link_trace)) => return Ok(Some(Self { plaquette, link_trace })),
            figures => figures,
        };
        let measured = match measured {
            // Such numbers are an error only where figures are needed.
            None => judged(file, Format::Nersc, true).ok().and_then(|(contents, _)| contents.measured),
            measured => measured,
        };
        Ok(measured.as_ref().and_then(Self::of_links).map(|of_links| Self {
            plaquette: plaquette.unwrap_or(of_links.plaquette),
            link_trace: link_trace.unwrap_or(of_links.link_trace),
        }))
    }
}

/// With 15 digits after the point, and an exponent if it would be too long without.
fn text(figure: f64) -> String {
    let text = format!("{figure:.15}");
    if text.len() <= MAX_FIGURE { text } else { format!("{figure:.15e}") }
}
