//! Measures links while they are written: whether they are unitary, as links of a gauge field are, and the plaquette.

use linkstream::field::{DescribedBy, Field as Layout, LinkLayout};
use linkstream::ildg::{GaugeKind, Group};
use linkstream::lattice::{Extents, Precision};
use linkstream::lime::Record;
use linkstream_arithmetic::figures::{Measured, Observables};

use super::document::Planned;

/// Measures links that are written in pieces of any length.
pub(super) struct Pieces {
    observables: Observables,
    /// Bytes of a row that is incomplete so far.
    rest: Vec<u8>,
}

impl Pieces {
    pub(super) const fn new(observables: Observables) -> Self {
        Self { observables, rest: Vec::new() }
    }

    /// Measures the next bytes as they are written, big-endian.
    pub(super) fn feed(&mut self, piece: &[u8]) {
        self.rest.extend_from_slice(piece);
        let done = self.observables.feed(&self.rest);
        self.rest.drain(..done);
    }

    /// The observables, or `None` if the links are not complete.
    pub(super) fn finish(self) -> Option<Measured> {
        self.observables.finish()
    }
}

/// Measures how far links are from being unitary.
pub(super) struct Unitarity(Pieces);

impl Unitarity {
    /// `kind` is the kind in the `ildg-format`. `None` if the links cannot be measured.
    pub(super) fn of(layout: &Layout, kind: Option<GaugeKind>) -> Option<Self> {
        Some(Self(Pieces::new(Observables::of(layout, kind, false)?)))
    }

    /// Measures the next bytes as they are written, big-endian.
    pub(super) fn feed(&mut self, piece: &[u8]) {
        self.0.feed(piece);
    }

    /// The largest deviation, if rounding to this precision does not explain it: infinity if it cannot be computed.
    pub(super) fn finish(self, precision: Precision) -> Option<f64> {
        let measured = self.0.finish()?;
        let deviation = measured.max_group_deviation();
        let deviation = if deviation.is_nan() { f64::INFINITY } else { deviation };
        Some(deviation).filter(|deviation| *deviation > measured.explained_by_rounding(precision))
    }
}

/// The layout of links as they are written.
pub(super) fn links_layout(
    planned: &Planned,
    lattice: &Extents,
    kind: GaugeKind,
    rows: u16,
) -> Option<Layout> {
    let mut layout = LinkLayout::new(1, rows.into(), kind.colors().into(), planned.precision()?);
    layout.parts = if kind.is_real() { 1 } else { 2 };
    layout.absent_is_ones = kind.group() == Group::U1Phase;
    let links = planned.bytes_per_site().checked_div(layout.bytes_per_link()? as u64)?;
    layout.links = links.try_into().ok()?;
    Some(Layout::with_links(Record::default(), DescribedBy::Ildg, *lattice, layout))
}
