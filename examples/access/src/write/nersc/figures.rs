//! Plaquette and link trace in the form that the header of a NERSC archive requires.

use linkstream::lattice::Precision;
use linkstream_arithmetic::figures::Measured;

use super::lines::Lines;

/// Maximum length of an observable in a header, in bytes.
const MAX_FIGURE: usize = 32;

/// Plaquette and link trace as text.
#[derive(Debug)]
pub struct Figures {
    /// Average plaquette, as the header line has it.
    pub plaquette: String,
    /// The link trace.
    pub link_trace: String,
}

impl Figures {
    /// The observables measured on the links; `None` if they are infinite or NaN.
    #[must_use]
    pub fn of_links(measured: &Measured) -> Option<Self> {
        Self::rounded(measured, 15)
    }

    /// The observables of links that are stored in this precision, with as many digits as it has.
    pub(in crate::write) fn in_precision(measured: &Measured, precision: Precision) -> Option<Self> {
        Self::rounded(measured, if precision == Precision::F32 { 7 } else { 15 })
    }

    fn rounded(measured: &Measured, digits: usize) -> Option<Self> {
        // A lattice without plaquettes gets the plaquette of the unit field.
        let (plaquette, link_trace) = (measured.plaquette.unwrap_or(1.0), measured.link_trace);
        let are_finite = plaquette.is_finite() && link_trace.is_finite();
        are_finite.then(|| Self { plaquette: text(plaquette, digits), link_trace: text(link_trace, digits) })
    }

    /// The observables in the header. If one is missing or not a finite number, the observable of the links replaces
    /// it. `None` if the observables of the links are needed, but infinite, NaN or not measured.
    #[must_use]
    pub fn of_archive(header: &Lines, measured: Option<&Measured>) -> Option<Self> {
        let figure = |key| header.text(key).filter(|text| text.parse().is_ok_and(f64::is_finite));
        match (figure("PLAQUETTE"), figure("LINK_TRACE")) {
            (Some(plaquette), Some(link_trace)) => Some(Self { plaquette, link_trace }),
            (plaquette, link_trace) => measured.and_then(Self::of_links).map(|of_links| Self {
                plaquette: plaquette.unwrap_or(of_links.plaquette),
                link_trace: link_trace.unwrap_or(of_links.link_trace),
            }),
        }
    }
}

/// Formats an observable with so many digits after the point, with an exponent if it would be too long without.
fn text(figure: f64, digits: usize) -> String {
    let text = format!("{figure:.digits$}");
    if text.len() <= MAX_FIGURE { text } else { format!("{figure:.digits$e}") }
}
