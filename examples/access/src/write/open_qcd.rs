//! Writes a gauge field as a configuration of openQCD.

use std::io::{BufWriter, Seek, SeekFrom, Write};

use linkstream::lattice::{ByteOrder, reverse_words};
use linkstream_arithmetic::figures::{FAR, Observables};
use linkstream_memory as memory;

use super::error::Error;
use super::fault::Fault;
use super::observer::Observer;
use super::refusal::Refusal;
use crate::field::{Field, Verify};
use crate::open_qcd::Header;
use crate::selection::Selection;

/// Writes links of SU(3) in double precision with all rows as a configuration of openQCD into `out`, which is empty, and
/// computes the plaquette of its header from them. Two time slices are held in memory.
///
/// # Errors
/// The file has no links of SU(3) in double precision on a lattice with four even extents, they are not unitary, or
/// `out` cannot be written. The contents of `out` are then useless.
pub fn write_open_qcd(
    links: &Field,
    out: &mut (impl Write + Seek),
    observer: &mut dyn Observer,
) -> Result<Header, Error> {
    let layout = links.layout();
    let of = layout.links.filter(|of| (of.links, of.rows, of.columns, of.parts) == (4, 3, 3, 2));
    let header = of.and_then(|_| Header::new(layout.extents, 0.0)).ok_or(Refusal::NotOpenQcd)?;
    let mut observables = Observables::of(layout, None, false).ok_or(Refusal::NotMeasured)?;
    let geometry = header.geometry();
    let read = |t: usize| {
        let mut slice = memory::zeroed(geometry.slice_bytes())?;
        let _ = links.read_bytes(&Selection::slice(t as u64), &mut slice, ByteOrder::Big, Verify::No)?;
        Ok::<Vec<u8>, crate::error::Error>(slice)
    };
    let failed = |error: crate::error::Error| Error::Temporary(std::io::Error::other(error));
    let last = geometry.slices().saturating_sub(1);
    let mut before = read(last).map_err(failed)?;
    let mut points = memory::zeroed(geometry.slice_bytes()).map_err(|short| Error::Output(short.into()))?;
    let mut phase = observer.phase(header.file_length());
    let mut sink = BufWriter::new(&mut *out);
    sink.write_all(&header.bytes()).map_err(Error::Output)?;
    for t in 0..=last {
        let here = read(t).map_err(failed)?;
        observables.feed(&here);
        // This cannot fail: both slices are whole.
        let _ = geometry.points(t, &here, &before, &mut points);
        reverse_words(&mut points, 8);
        sink.write_all(&points).map_err(Error::Output)?;
        phase.reached(geometry.slice_at(t.saturating_add(1))).map_err(Error::Output)?;
        before = here;
    }
    sink.flush().map_err(Error::Output)?;
    drop(sink);
    let measured = observables.finish().ok_or(Refusal::NotMeasured)?;
    let deviation = measured.max_group_deviation();
    if deviation.partial_cmp(&FAR).is_none_or(std::cmp::Ordering::is_gt) {
        return Err(Fault::NotUnitary { deviation }.into());
    }
    let plaquette = measured.plaquette.ok_or(Refusal::NotMeasured)?;
    let header = Header::new(layout.extents, plaquette).ok_or(Refusal::NotOpenQcd)?;
    out.seek(SeekFrom::Start(0)).map_err(Error::Output)?;
    out.write_all(&header.bytes()).map_err(Error::Output)?;
    Ok(header)
}
