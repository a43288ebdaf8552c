//! `ildg make --data x.npy`: compares the header of a NumPy array with the options.

use std::fmt::Write as _;

use linkstream::ildg::GaugeKind;
use linkstream_access::write::Rows;

use super::make_arguments::Make;
use crate::npy::{ByteOrder, Header, tuple};

/// Sets the options that the array determines, and rejects an array that contradicts the options.
pub fn adopt(how: &mut Make, header: &Header) -> anyhow::Result<()> {
    let (precision, complex) = header.floats()?;
    let dtype = header.dtype;
    if let Some(wanted) = how.precision.filter(|wanted| *wanted != precision) {
        let (found, wanted) = (precision.bits(), wanted.bits());
        anyhow::bail!(
            "the array has numbers of {found} bits, not {wanted}; `convert` changes the precision of the file"
        );
    }
    dtype.check_order(how.little_endian, how.big_endian)?;
    how.precision = Some(precision);
    how.little_endian = dtype.order == ByteOrder::Little;
    how.is_array = true;
    let kind = how.kind.unwrap_or(GaugeKind::SU3);
    let asked = how.extents.is_some();
    let extents = match how.extents {
        Some(extents) => extents,
        None => lattice(&header.shape)?,
    };
    how.extents = Some(extents);
    // The array determines the number of rows unless an option sets it.
    let rows = match how.rows {
        Some(rows) => rows.of(kind)?,
        None => {
            let stored = header.shape.get(5).and_then(|rows| u16::try_from(*rows).ok());
            Rows::Number(stored.unwrap_or(kind.colors())).of(kind)?
        }
    };
    how.rows = Some(Rows::Number(rows));
    check(&header.shape, kind, (extents, asked), (rows, complex))
}

/// The extents from the first four axes; t is the first axis.
fn lattice(shape: &[u64]) -> anyhow::Result<[u32; 4]> {
    let extents = shape.get(..4).and_then(|shape| <[u64; 4]>::try_from(shape).ok());
    let mut extents = extents.unwrap_or_default().map(|extent| u32::try_from(extent).unwrap_or(0));
    if extents.contains(&0) {
        let shape = tuple(shape);
        anyhow::bail!(
            "the array has the shape {shape}, but the first four indices must be those of t, z, y and x"
        );
    }
    extents.reverse();
    Ok(extents)
}

/// Checks the axes: t, z, y, x, link, row, column, and real and imaginary part unless the dtype is complex.
/// `asked`: an option has set the extents.
fn check(
    shape: &[u64],
    kind: GaugeKind,
    (extents, asked): ([u32; 4], bool),
    (rows, complex): (u16, bool),
) -> anyhow::Result<()> {
    if complex && kind.is_real() {
        anyhow::bail!("the array has complex numbers, but those of {kind} are real");
    }
    // A direction with a single site has no links (ILDG 1.2, section 2.5.1).
    let links = extents.iter().filter(|extent| **extent > 1).count() as u64;
    let mut expected: Vec<u64> = extents.iter().rev().map(|extent| u64::from(*extent)).collect();
    expected.extend([links, rows.into(), kind.colors().into()]);
    if !kind.is_real() && !complex {
        expected.push(2);
    }
    // Row and column may be absent for 1x1 matrices.
    let plain = (kind.colors() == 1).then(|| [&expected[..5], &expected[7..]].concat());
    if shape == expected || plain.as_deref() == Some(shape) {
        return Ok(());
    }
    let (found, wanted) = (tuple(shape), tuple(&expected));
    let mut text = if asked {
        let lattice = extents.map(|extent| extent.to_string()).join("x");
        format!("--extents {lattice} needs an array of the shape {wanted} for {kind}; this one has {found}")
    } else {
        format!("the array has the shape {found}, but {kind} takes {wanted}")
    };
    if let Some(plain) = plain {
        let _ = write!(text, " or {}", tuple(&plain));
    }
    anyhow::bail!(text)
}
