//! Exports the data of one record of a LIME file.

use std::io::{Read as _, SeekFrom, Write};

use embedded_io_adapters::std::FromStd;
use linkstream::Mode;
use linkstream::field::{Decoder, Event, Field, Source};
use linkstream::io::Reader;
use linkstream::lattice::Region;
use linkstream_access::Array;

use super::header::{begin, of_array};
use crate::failure::{Failure, failed};
use crate::fields::{next, pass_over, warn};
use crate::human::counted;
use crate::npy::Header;
use crate::source::{BUFFER, Rereadable, bar, length};

/// A data record and the document that describes it.
#[derive(Debug)]
pub struct DataRecord {
    pub field: Field,
    array: Array,
}

impl DataRecord {
    pub fn array(&self) -> Header {
        of_array(&self.array)
    }
}

/// Finds all data records without reading their data.
fn described(file: &mut dyn Rereadable, mode: Mode) -> anyhow::Result<Vec<DataRecord>> {
    file.rewind().map_err(Failure::Input)?;
    let mut buffer = vec![0; 64 << 10];
    let mut reader = Reader::new(FromStd::new(file), &mut buffer[..], Decoder::new(mode));
    let mut records = Vec::new();
    while let Some(event) = next(&mut reader)? {
        if event == Event::Field {
            let decoder = reader.decoder();
            records.extend(decoder.field().map(|field| {
                let record = decoder.private_record().filter(|_| field.source == Source::Scidac);
                DataRecord { field: *field, array: Array::of(field, record.map(|record| record.data())) }
            }));
            pass_over(&mut reader)?;
        }
    }
    Ok(records)
}

/// The data record at this offset, if documents describe it.
pub fn described_at(file: &mut dyn Rereadable, offset: u64) -> Option<DataRecord> {
    described(file, Mode::Survey).ok()?.into_iter().find(|record| record.field.record.offset == offset)
}

pub fn export(
    file: &mut dyn Rereadable,
    mode: Mode,
    number: Option<usize>,
    slice: Option<u32>,
    sink: &mut dyn Write,
) -> anyhow::Result<()> {
    let records = described(file, mode)?;
    let are = if records.len() == 1 { "is" } else { "are" };
    let all = format!("{are} {}", counted(records.len(), "data record", "data records"));
    let index = match (number, records.len()) {
        (Some(number), count) if number < count => number,
        (Some(number), _) => anyhow::bail!("there {all}, counted from 0, so no {number}"),
        (None, 1) => 0,
        (None, 0) => anyhow::bail!("there is no data record"),
        (None, _) => anyhow::bail!("there {all}; choose one with --field"),
    };
    let record = &records[index];
    match slice {
        None => {
            begin(&record.array(), sink)?;
            verified(file, mode, index, sink)
        }
        Some(slice) => one_slice(file, record, slice, sink),
    }
}

/// Writes all data of a record and verifies its checksum.
fn verified(file: &mut dyn Rereadable, mode: Mode, index: usize, sink: &mut dyn Write) -> anyhow::Result<()> {
    let length = length(file).map_err(Failure::Input)?;
    file.rewind().map_err(Failure::Input)?;
    let mut buffer = vec![0; BUFFER];
    let source = FromStd::new(bar(Some(length)).wrap_read(file));
    let mut reader = Reader::new(source, &mut buffer[..], Decoder::new(mode));
    let mut seen = 0;
    while let Some(event) = next(&mut reader)? {
        match event {
            Event::Field => {
                seen += 1;
                if seen != index + 1 {
                    pass_over(&mut reader)?;
                }
            }
            Event::Data => sink.write_all(reader.bytes()).map_err(Failure::Output)?,
            Event::Verdict(verdict) if seen == index + 1 => {
                if verdict.is_absent() {
                    warn(&"the data record has no checksum, so its data are not verified");
                }
                return Ok(());
            }
            _ => {}
        }
    }
    Ok(())
}

/// Writes the sites with one value of the slowest coordinate, which are contiguous (QIO 2.3, section 4.2).
fn one_slice(
    file: &mut dyn Rereadable,
    record: &DataRecord,
    slice: u32,
    sink: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut header = record.array();
    if record.field.region == Region::Global || header.shape.is_empty() {
        anyhow::bail!("global data have no time slices");
    }
    let slices = header.shape.remove(0);
    if u64::from(slice) >= slices {
        let are = if slices == 1 { "is" } else { "are" };
        let slices = counted(usize::try_from(slices)?, "time slice", "time slices");
        anyhow::bail!("there {are} {slices}, counted from 0, so no {slice}");
    }
    let length = record.field.record.length / slices;
    let from = record.field.record.payload_offset() + u64::from(slice) * length;
    begin(&header, sink)?;
    file.seek(SeekFrom::Start(from)).map_err(Failure::Input)?;
    let mut source = file.take(length);
    let mut buffer = vec![0; BUFFER];
    let mut left = length;
    while left > 0 {
        let n = crate::source::filled(&mut source, &mut buffer).map_err(Failure::Input)?;
        if n == 0 {
            return Err(failed(Failure::invalid(&"the file has changed while it was read")));
        }
        sink.write_all(&buffer[..n]).map_err(Failure::Output)?;
        left -= n as u64;
    }
    Ok(())
}
