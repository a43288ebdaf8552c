//! Exports the data of one section of an scda file, decompressed if necessary.

use std::io::Write;

use linkstream::Mode;
use linkstream::io::FromStd;
use linkstream::io::Reader;
use linkstream::scda::{Decoder, Event, INLINE_LEN, Section, SectionType};
use linkstream_report::scda::{Unpacker, words};

use super::header::begin;
use crate::failure::{Failure, failed};
use crate::human::no_such;
use crate::npy::{Dtype, Header, too_large};
use crate::source::{BUFFER, Rereadable, bar, length};

pub fn export(
    file: &mut dyn Rereadable,
    mode: Mode,
    number: u64,
    dtype: Dtype,
    sink: &mut dyn Write,
) -> anyhow::Result<()> {
    let length = length(file).map_err(Failure::Input)?;
    file.rewind().map_err(Failure::Input)?;
    let mut buffer = vec![0; BUFFER];
    let source = FromStd(bar(Some(length)).wrap_read(file));
    let sections = Decoder::new(mode, true);
    let mut reader = Reader::new(source, &mut buffer, Unpacker::new(sections));
    let mut count = 0;
    while let Some(event) = reader.next().map_err(failed)? {
        let is_wanted = number + 1 == count;
        match event {
            Event::Section(section) => {
                count += 1;
                if number + 1 == count {
                    begin(&Header::new(dtype, shape(&section, number, dtype)?), sink)?;
                } else {
                    reader.decoder_mut().leave_packed();
                    reader.skip_seeking().map_err(failed)?;
                }
            }
            Event::Data if is_wanted => sink.write_all(reader.bytes()).map_err(Failure::Output)?,
            Event::Element(_) if is_wanted => {
                sink.write_all(reader.decoder().bytes()).map_err(Failure::Output)?;
            }
            Event::End if is_wanted => return Ok(()),
            _ => reader.skip_seeking().map_err(failed)?,
        }
    }
    anyhow::bail!(no_such("section", "sections", "the file", count, 0, number))
}

/// The number of elements, then the numbers in each if there are several.
fn shape(section: &Section, number: u64, dtype: Dtype) -> anyhow::Result<Vec<u64>> {
    let bytes = match section.section_type {
        SectionType::Inline => INLINE_LEN as u128,
        SectionType::Block | SectionType::Array => section.e.get(),
        other => anyhow::bail!(
            "section {number} is not an array of one shape: {}; `scda cat --element` extracts an element",
            words(other)
        ),
    };
    let size = u128::from(dtype.size);
    if !bytes.is_multiple_of(size) {
        anyhow::bail!(
            "an element of section {number} has {bytes} bytes, which are no numbers of type {dtype}"
        );
    }
    let each = Some(bytes / size).filter(|each| *each != 1);
    let extents = match section.section_type {
        SectionType::Array => [Some(section.n.get()), each],
        _ => [Some(bytes / size), None],
    };
    let extents: Vec<u128> = extents.into_iter().flatten().collect();
    let shape = extents.iter().map(|extent| u64::try_from(*extent)).collect::<Result<_, _>>();
    shape.map_err(|_| {
        let extents: Vec<_> = extents.iter().map(u128::to_string).collect();
        too_large(&format!("({})", extents.join(", ")))
    })
}
