//! Exports a field.

use std::io::{self, Write};

use indicatif::ProgressBar;
use linkstream::ildg::GaugeKind;
use linkstream::lattice::{ByteOrder, Region};
use linkstream_access::source::{MAX_SITE, fill_most};
use linkstream_access::{
    self as access, Field, FileFormat, Selection, Stored, Sum, Unverified, Verdict, Verify,
};

use super::header::{begin, of_array};
use crate::archive::of_links;
use crate::failure::{Failure, failed};
use crate::fields::warn;
use crate::human::{counted, no_such};
use crate::judged::Trust;
use crate::npy::Header;
use crate::source::{BUFFER, FileParts};
use crate::system::File;

/// The array of the data record at this offset, if documents describe it.
pub fn described_at(file: &File, offset: u64) -> Option<Header> {
    let source = FileParts::new(file.try_clone().ok()?, &ProgressBar::hidden());
    let opened = access::File::open_damaged(std::sync::Arc::new(source)).ok()?;
    let field = opened.fields().iter().find(|field| field.layout().record.offset == offset)?;
    Some(of_array(field.array()))
}

/// Writes a field, or a time slice, as an array. `chosen`: its number, the time slice, and the kind of links that the data
/// are, if no document says it.
pub fn export(
    file: &access::File,
    trust: &Trust,
    chosen: (Option<usize>, Option<u32>, Option<GaugeKind>),
    sink: &mut dyn Write,
) -> anyhow::Result<()> {
    let (number, slice, kind) = chosen;
    let fields = file.fields();
    let are = if fields.len() == 1 { "is" } else { "are" };
    let all = format!("{are} {}", counted(fields.len(), "field", "fields"));
    let number = match (number, fields) {
        (Some(number), fields) if number < fields.len() => number,
        (Some(number), _) => {
            anyhow::bail!(no_such("field", "fields", "the file", fields.len() as u64, 0, number))
        }
        (None, [_]) => 0,
        (None, []) => anyhow::bail!("there is no field"),
        (None, _) => anyhow::bail!("there {all}; choose one with --field"),
    };
    let field = &fields[number];
    let as_links = kind.map(|kind| declared(field, kind)).transpose()?;
    let field = as_links.as_ref().unwrap_or(field);
    let (header, selection) = array(field, slice)?;
    let is_large = field.layout().bytes_per_site > MAX_SITE;
    let verify = if trust.damage.is_some() { Verify::No } else { Verify::Yes };
    let is_archive = file.format() != FileFormat::Lime;
    let refuse = if is_archive { of_links } else { Failure::from };
    if verify == Verify::Yes && !is_large {
        let judged = trust.slice_sums.get(number).and_then(Option::as_ref);
        know_slices(field, judged, slice.is_some()).map_err(refuse)?;
    }
    begin(&header, sink)?;
    if is_large && let Some((start, length, _)) = field.contiguous() {
        let slices = field.array().sites().first().copied().unwrap_or(1);
        let (start, length) = match slice {
            None => (start, length),
            Some(slice) => (start + u64::from(slice) * (length / slices), length / slices),
        };
        copy(file, start, length, sink)?;
        if *field.stored() == Stored::Absent {
            warn_of_no_checksum();
        }
        return Ok(());
    }
    let mut refused = None;
    let mut write = |bytes: &[u8]| {
        sink.write_all(bytes).map_err(|error| {
            refused = Some(error);
            io::ErrorKind::Other.into()
        })
    };
    let read = field.stream(&selection, ByteOrder::Big, verify, &mut write);
    if let Some(error) = refused {
        return Err(Failure::Output(error).into());
    }
    let verdict = read.map_err(refuse)?;
    // A time slice is compared with the checked data, even if no checksum of them is stored.
    let is_unverified = match slice {
        Some(_) if verify == Verify::Yes => !trust.verified.get(number).copied().unwrap_or(false),
        _ => lacks_checksum(field, verdict),
    };
    // The report on an archive has led to warnings already.
    if !is_archive && is_unverified {
        warn_of_no_checksum();
    }
    Ok(())
}

/// The field as links of this kind.
fn declared(field: &Field, kind: GaugeKind) -> anyhow::Result<Field> {
    if field.datatype() == Some(&*kind.to_string()) {
        return Ok(field.clone());
    }
    let Some(links) = field.layout().links else {
        return field.as_links(kind).ok_or_else(|| {
            anyhow::anyhow!(
                "a site has {} bytes, which are not the links of {kind}",
                field.layout().bytes_per_site
            )
        });
    };
    let parts = if kind.is_real() { 1 } else { 2 };
    anyhow::ensure!(
        (links.columns, links.parts) == (u32::from(kind.colors()), parts),
        "the documents describe other links than those of {kind}"
    );
    Ok(field.clone())
}

/// Makes the field compare what is read next with what was checked. If the judgement did not keep the sums of time
/// slices, as in archives, slices are compared with one more pass over the data.
fn know_slices(field: &Field, judged: Option<&Vec<Sum>>, is_slice: bool) -> Result<(), access::Error> {
    let _ = match judged {
        Some(sums) => field.verify_by(sums.clone())?,
        None if is_slice && *field.stored() != Stored::Absent => field.verify()?,
        None => return Ok(()),
    };
    Ok(())
}

/// The array that is exported, and what is read for it.
fn array(field: &Field, slice: Option<u32>) -> anyhow::Result<(Header, Selection)> {
    let mut header = of_array(field.array());
    let Some(slice) = slice else { return Ok((header, Selection::All)) };
    if field.layout().region == Region::Global || header.shape.is_empty() {
        anyhow::bail!("global data have no time slices");
    }
    let slices = header.shape.remove(0);
    if u64::from(slice) >= slices {
        anyhow::bail!(no_such("time slice", "time slices", "the field", slices, 0, slice));
    }
    Ok((header, Selection::slice(slice.into())))
}

/// True if the file has no checksum of the field, which has been read with this verdict.
fn lacks_checksum(field: &Field, verdict: Verdict) -> bool {
    match verdict {
        Verdict::Unverified(Unverified::NotRequested) => {
            matches!(field.stored(), Stored::Absent | Stored::Plaquette)
        }
        verdict => verdict == Verdict::Unverified(Unverified::NoChecksum),
    }
}

fn warn_of_no_checksum() {
    warn(&"the data record has no checksum, so its data are not verified");
}

/// Copies bytes of a field whose sites, or global data, are too large to be read one by one.
fn copy(file: &access::File, start: u64, length: u64, sink: &mut dyn Write) -> anyhow::Result<()> {
    let (mut buffer, mut at) = (vec![0; BUFFER], 0);
    while at < length {
        let wanted = usize::try_from(length - at).map_or(BUFFER, |left| left.min(BUFFER));
        let n = fill_most(file.source(), start + at, &mut buffer[..wanted]).map_err(Failure::of_source)?;
        if n < wanted {
            return Err(failed(access::Error::Changed));
        }
        sink.write_all(&buffer[..n]).map_err(Failure::Output)?;
        at += n as u64;
    }
    Ok(())
}
