//! Plaquette and link trace in the form that the header of a NERSC archive requires.

use linkstream::sniff::Format;
use linkstream_report::figures::Measured;

use super::judged::judged;
use super::lines::Lines;
use crate::system::File;

/// Maximum length of a figure in a header, in bytes.
const MAX_FIGURE: usize = 32;

/// Plaquette and link trace as text.
#[derive(Debug)]
pub struct Figures {
    pub plaquette: String,
    pub link_trace: String,
}

impl Figures {
    /// The figures measured on the links; `None` if they are infinite or NaN.
    pub fn of_links(measured: &Measured) -> Option<Self> {
        // A lattice without plaquettes gets the plaquette of the unit field.
        let (plaquette, link_trace) = (measured.plaquette.unwrap_or(1.0), measured.link_trace);
        let are_finite = plaquette.is_finite() && link_trace.is_finite();
        are_finite.then(|| Self { plaquette: text(plaquette), link_trace: text(link_trace) })
    }

    /// The figures in the header. If one is missing or not a finite number, the figure of the links replaces it; the
    /// links are read unless they have been measured already. `None` if the figures of the links are infinite or NaN.
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
            // Infinite numbers and NaNs in the links are an error only where figures are needed.
            None => judged(file, Format::Nersc, true).ok().and_then(|(contents, _)| contents.measured),
            measured => measured,
        };
        Ok(measured.as_ref().and_then(Self::of_links).map(|of_links| Self {
            plaquette: plaquette.unwrap_or(of_links.plaquette),
            link_trace: link_trace.unwrap_or(of_links.link_trace),
        }))
    }
}

/// Formats a figure with 15 digits after the point, with an exponent if it would be too long without.
fn text(figure: f64) -> String {
    let text = format!("{figure:.15}");
    if text.len() <= MAX_FIGURE { text } else { format!("{figure:.15e}") }
}
