//! Observables that files record, compared with the ones of the links.
//!
//! The sum of a NERSC archive does not change if words, links or sites are exchanged. Its header therefore records the
//! plaquette and the link trace, and readers of the format compare them. Only the plaquette shows links that were
//! exchanged.

use std::io;

use lexical_parse_float::FromLexical as _;
use linkstream::Class;
use linkstream::field::Field;
use linkstream::ildg::GaugeKind;
use linkstream::lattice::{ByteOrder, Precision, reverse_words};
use linkstream_arithmetic::figures::{FAR, Observables};
use linkstream_memory as memory;

use crate::broken::Broken;
use crate::in_planes::{Figures, Sites, measure};

/// Relative error of an observable that was computed in single precision.
const SINGLE: f64 = 1e-6;
/// Values from here on are shown with an exponent.
const LARGE: f64 = 1e6;

/// A decimal number as a text has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Printed {
    pub value: f64,
    /// One unit of the last printed digit.
    pub unit: f64,
}

impl Printed {
    /// Parses a number without the tables of the standard library, which would be the largest part of the module that a
    /// web page loads. `None` if the text is not a finite number.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let value = f64::from_lexical(text.as_bytes()).ok().filter(|value: &f64| value.is_finite())?;
        let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let last = exponent.parse::<i32>().ok()?.checked_sub(i32::try_from(decimals).ok()?)?;
        Some(Self { value, unit: 10_f64.powi(last) })
    }

    /// True if the value computed from the data agrees with it within the printed digits and rounding.
    #[must_use]
    pub fn agrees(&self, computed: f64, rounding: f64) -> bool {
        (self.value - computed).abs() <= self.unit + rounding
    }

    /// True if the data contradict it even if a program computed it in single precision.
    #[must_use]
    pub fn is_contradicted(&self, computed: f64, rounding: f64) -> bool {
        !self.agrees(computed, rounding.max(SINGLE * computed.abs().max(1.0)))
    }
}

/// A computed value in the format of `text`, which is the recorded one.
#[must_use]
pub fn shown_like(text: &str, value: f64) -> String {
    if text.contains(['e', 'E']) || value.abs() >= LARGE {
        format!("{value:.9e}")
    } else {
        format!("{value:.9}")
    }
}

/// Largest difference in an observable of an archive that rounding explains: the program that wrote the header computed
/// it from links in memory, which had more digits than the stored ones.
#[must_use]
pub fn rounding(precision: Precision, widened: bool) -> f64 {
    if precision == Precision::F64 && !widened { 1e-12 } else { SINGLE }
}

/// The values that the header of an archive records about its links, as printed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Header {
    pub plaquette: Option<String>,
    pub link_trace: Option<String>,
}

impl Header {
    /// Names of the observables that links can be compared with: a text that is not a number shows nothing.
    pub fn observables(&self) -> Vec<&'static str> {
        let recorded = [("plaquette", &self.plaquette), ("link trace", &self.link_trace)];
        let is_number = |text: &Option<String>| text.as_deref().and_then(Printed::parse).is_some();
        recorded.into_iter().filter(|(_, text)| is_number(text)).map(|(name, _)| name).collect()
    }
}

/// A measurement of the links of an archive, to be compared with the header.
pub(crate) struct Measurement<'h> {
    header: &'h Header,
    colors: u32,
    precision: Precision,
    data_at: u64,
    layout: &'h Field,
    observables: Observables,
    /// The observables, if the links were not fed.
    figures: Option<Figures>,
    order: ByteOrder,
    /// Bytes of a row that is incomplete so far, big-endian.
    rest: Vec<u8>,
}

impl<'h> Measurement<'h> {
    /// `layout` has all rows of the links; the numbers that are measured have the byte order `order`. `None` if the
    /// links cannot be measured.
    pub(crate) fn of(header: &'h Header, layout: &'h Field, order: ByteOrder) -> Option<Self> {
        let colors = layout.links.as_ref()?.columns;
        let observables = Observables::of(layout, GaugeKind::su(colors.try_into().ok()?), false)?;
        let (precision, data_at) = (layout.precision?, layout.record.offset);
        let (figures, rest) = (None, Vec::new());
        Some(Self { header, colors, precision, data_at, layout, observables, figures, order, rest })
    }

    /// Measures the next bytes, which can end anywhere.
    pub(crate) fn feed(&mut self, mut bytes: &[u8]) {
        let word = self.precision.size();
        if self.order == ByteOrder::Big && self.rest.is_empty() {
            bytes = bytes.get(self.observables.feed(bytes)..).unwrap_or_default();
        }
        let old = self.rest.len();
        memory::unwinding::extend(&mut self.rest, bytes);
        if self.order == ByteOrder::Little {
            reverse_words(self.rest.get_mut(old..).unwrap_or_default(), word);
        }
        let done = self.observables.feed(&self.rest);
        self.rest.drain(..done);
    }

    /// Measures all links in memory.
    pub(crate) fn read(&mut self, bytes: &[u8]) {
        let (order, word) = (self.order, self.precision.size());
        let all = InMemory { bytes, size: self.layout.bytes_per_site, order, word };
        // Fails only if the memory is too short; the observables are missing then.
        self.figures = measure(self.layout, &all).ok().flatten();
    }

    /// Measures all links, which can be read in any order.
    ///
    /// # Errors
    /// Errors of reading.
    pub(crate) fn read_sites(&mut self, sites: &dyn Sites) -> io::Result<()> {
        self.figures = measure(self.layout, sites)?;
        Ok(())
    }

    /// The rule that the links break, if they break one.
    pub(crate) fn finish(self) -> Option<Broken> {
        let Self { header, colors, precision, data_at, observables, figures, .. } = self;
        let measured = figures.or_else(|| Some((&observables.finish()?).into()))?;
        let broken = |class, rule, offset, message| {
            Some(Broken { file: None, offset, class, rule, clause: "", message })
        };
        if let Some((rule, message)) = outside_group(&measured, colors) {
            return broken(Class::Decode, rule, data_at, message);
        }
        let rounding = rounding(precision, measured.widened);
        let recorded = [
            ("recorded-plaquette-differs", "plaquette", &header.plaquette, measured.plaquette),
            ("recorded-link-trace-differs", "link trace", &header.link_trace, Some(measured.link_trace)),
        ];
        let (rule, quantity, text, computed) =
            recorded.into_iter().find_map(|(rule, quantity, text, computed)| {
                let (text, computed) = (text.as_deref()?, computed?);
                let differs = Printed::parse(text)?.is_contradicted(computed, rounding);
                differs.then_some((rule, quantity, text, computed))
            })?;
        let message = format!(
            "the header records {text} as {quantity}, but the data give {}",
            shown_like(text, computed)
        );
        broken(Class::Rule, rule, 0, message)
    }
}

/// The rule of links that are certainly not in SU(N).
fn outside_group(measured: &Figures, colors: u32) -> Option<(&'static str, String)> {
    let deviation = measured.deviation;
    if !deviation.is_finite() || !measured.link_trace.is_finite() {
        let message = "links contain numbers that are infinite, not numbers, or too large to be squared";
        return Some(("links-not-finite", message.to_owned()));
    }
    (deviation > FAR).then(|| {
        let message = format!(
            "links are not in SU({colors}): the largest deviation is {deviation:.3e}, above {FAR:.3e}"
        );
        ("links-not-unitary", message)
    })
}

/// The bytes of all links in memory, in any byte order.
struct InMemory<'a> {
    bytes: &'a [u8],
    /// Size of a site in bytes.
    size: u64,
    order: ByteOrder,
    word: usize,
}

impl Sites for InMemory<'_> {
    fn read(&self, first: u64, out: &mut [u8]) -> io::Result<()> {
        let start = first.checked_mul(self.size).and_then(|start| usize::try_from(start).ok());
        let range = start.and_then(|start| Some(start..start.checked_add(out.len())?));
        let bytes = range.and_then(|range| self.bytes.get(range)).ok_or(io::ErrorKind::UnexpectedEof)?;
        out.copy_from_slice(bytes);
        if self.order == ByteOrder::Little {
            reverse_words(out, self.word);
        }
        Ok(())
    }
}
