//! `ildg make`: writes raw numbers, or the field of another file, with the documents that ILDG 1.2 requires.

use std::io::Read;
use std::path::Path;

use anyhow::Context as _;
use linkstream::ildg::{Format, GaugeKind};
use linkstream::lattice::{Checksum, Extents, Precision, reverse_words};
use linkstream::scidac::PrivateFile;
use linkstream_access::write::{
    FieldSink as _, FileSink, Measuring, NO_TEXT, Planned, Rows, SCRATCH, Target, Wish, links_record,
    read_back,
};

use super::array::adopt;
use super::make_arguments::Make;
use crate::failure::Failure;
use crate::fields::{self, Plausibility, Terminal, check_tolerance, made, written_to};
use crate::human::{bytes, counted};
use crate::judged::Asked;
use crate::npy::{Numbers, open_numbers};
use crate::source::{BUFFER, bar, filled};
use crate::system::File;
use crate::volumes::Layout;

pub fn make(mut how: Make) -> anyhow::Result<()> {
    if let Some(from) = &how.from {
        check_tolerance(how.tolerance, how.rows)?;
        let target = if how.scidac { Target::Both } else { Target::Ildg };
        let wish = Wish {
            as_set: false,
            keeps_update: false,
            target: Some(target),
            newest: true,
            field: how.field,
            one: true,
            kind: how.kind,
            precision: how.precision,
            rows: how.rows,
            tolerance: how.tolerance,
            lfn: how.lfn,
            update: how.update,
            date: how.date,
            file_xml: how.file_xml,
            record_xml: how.record_xml,
            observables: how.scidac,
            title: how.title,
            checksum: how.checksum,
        };
        return fields::run(from, &Layout::default(), how.permission, &how.out, how.force, &wish);
    }
    let data = how.data.clone().context("no data given: use --data or --from")?;
    let (out, force) = (how.out.clone(), how.force);
    written_to(&data, &out, force, |file| {
        let (source, length) = source(&data, &mut how)?;
        let (planned, extents) = planned(&how)?;
        let sum = write(source, length, &how, &planned, &extents, file)?;
        read_back(&mut &*file, &[sum], true, &mut Terminal).map_err(made)?;
        Ok(Some(Asked { any_numbers: how.any_numbers, ..Asked::default() }))
    })
}

/// The description of raw data.
fn planned(how: &Make) -> anyhow::Result<(Planned, [u32; 4])> {
    let extents = how.extents.context("raw data need --extents")?;
    let kind = how.kind.unwrap_or(GaugeKind::SU3);
    let precision = how.precision.unwrap_or(Precision::F64);
    let wish = Wish {
        target: Some(if how.scidac { Target::Both } else { Target::Ildg }),
        newest: true,
        lfn: how.lfn.clone(),
        update: how.update.clone(),
        date: how.date.clone(),
        record_xml: how.record_xml.clone(),
        observables: how.scidac,
        title: how.title.clone(),
        checksum: how.checksum,
        ..Wish::default()
    };
    let planned = links_record(kind, precision, extents, how.rows.unwrap_or(Rows::Full), &wish)?;
    Ok((planned, extents))
}

/// Opens the data. Returns their length if it can be known. The header of a NumPy array sets the options that it
/// determines.
fn source(data: &Path, how: &mut Make) -> anyhow::Result<(Box<dyn Read>, Option<u64>)> {
    let Numbers { source, length, header } = open_numbers(data)?;
    if let Some(header) = header {
        adopt(how, &header)?;
    }
    Ok((source, length))
}

fn write(
    source: Box<dyn Read>,
    length: Option<u64>,
    how: &Make,
    planned: &Planned,
    extents: &[u32; 4],
    out: &File,
) -> anyhow::Result<Checksum> {
    let format = planned.format.as_ref().context("no format")?;
    let expected = format.data_length().context("the length of the data in bytes does not fit in 64 bits")?;
    if let Some(length) = length.filter(|length| *length != expected) {
        anyhow::bail!("{} of data, but {}", bytes(length), demand(format, expected));
    }
    let mut scratch = [0; SCRATCH];
    let mut file_sink = FileSink::new(out, &mut scratch);
    let mut sink = Measuring::new(&mut file_sink);
    if planned.scidac.is_some() {
        let file = PrivateFile::new(&Extents::new(extents)?);
        let text = how.file_xml.as_deref().unwrap_or(NO_TEXT);
        sink.file(&file, text.as_bytes()).map_err(made)?;
    }
    sink.begin(planned).map_err(made)?;
    let mut source = bar(Some(expected)).wrap_read(source);
    let mut buffer = vec![0; BUFFER];
    let mut plausibility = Plausibility::of_links(format);
    let mut done = 0;
    while done < expected {
        let n = BUFFER.min(usize::try_from(expected - done).unwrap_or(BUFFER));
        let read = filled(&mut source, &mut buffer[..n])?;
        done += read as u64;
        if read < n {
            anyhow::bail!("the data end after {}, but {}", bytes(done), demand(format, expected));
        }
        let piece = &mut buffer[..n];
        if how.little_endian {
            // The lengths of the buffer and of the data are both multiples of the word size.
            reverse_words(piece, format.precision().size());
        }
        if !how.any_numbers {
            plausibility.feed(piece);
        }
        sink.data(piece).map_err(made)?;
    }
    if filled(&mut source, &mut [0])? > 0 {
        anyhow::bail!("there are more data, but {}", demand(format, expected));
    }
    if let Some(fault) = plausibility.fault(advice(how)) {
        return Err(Failure::invalid(&fault).into());
    }
    let sum = sink.end(planned).map_err(made)?.context("no data were written")?;
    sink.finish().map_err(made)?;
    let texts = sink.into_texts();
    drop(file_sink);
    texts.fill(&mut &*out).map_err(made)?;
    Ok(sum)
}

/// The remedy for data in the other byte order.
const fn advice(how: &Make) -> &'static str {
    match (how.is_array, how.little_endian) {
        (true, _) => "the type of the array names the wrong one",
        (false, true) => "leave out --little-endian",
        (false, false) => "use --little-endian",
    }
}

/// The required number of bytes and the reason, for messages.
fn demand(format: &Format, expected: u64) -> String {
    let lattice = format.extents().map_or_else(String::new, |extents| extents.to_string());
    let links = counted(format.links_per_site().into(), "link", "links");
    format!(
        "{} on {lattice} in {} bits, with {links} of {} x {} numbers at a site, takes {}",
        format.kind(),
        format.precision().bits(),
        format.rows(),
        format.kind().colors(),
        bytes(expected)
    )
}
