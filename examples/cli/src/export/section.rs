//! The data of one section of an scda file, as they were before compression.

use std::fs::File;
use std::io::Write;

use embedded_io_adapters::std::FromStd;
use linkstream::io::SectionReader;
use linkstream::scda::logical::Section;
use linkstream::scda::{INLINE_LEN, SectionType};
use linkstream_report::scda::{ELEMENT, words};

use super::header::begin;
use crate::failure::{Failure, failed};
use crate::human::counted;
use crate::npy::{Dtype, Header};
use crate::source::{BUFFER, bar};

pub fn export(file: &File, number: u64, dtype: Dtype, sink: &mut dyn Write) -> anyhow::Result<()> {
    let length = file.metadata().map_err(Failure::Input)?.len();
    let (mut buffer, mut elements) = (vec![0; BUFFER], vec![0; ELEMENT]);
    let source = FromStd::new(bar(Some(length)).wrap_read(file));
    let mut sections = SectionReader::unpacking(source, &mut buffer, &mut elements);
    let mut count = 0;
    while let Some(section) = sections.next_section().map_err(failed)? {
        // Compressed, it is two in the file, of which the second has the data.
        count += if section.is_compressed() { 2 } else { 1 };
        if number + 1 < count {
            anyhow::bail!(
                "section {number} has the sizes of a compressed one; its data are in section {}",
                count - 1
            );
        }
        if number + 1 == count {
            begin(&Header::new(dtype, shape(&section, number, dtype)?), sink)?;
            let mut piece = vec![0; BUFFER];
            loop {
                let n = sections.read(&mut piece).map_err(failed)?;
                if n == 0 {
                    return Ok(());
                }
                sink.write_all(&piece[..n]).map_err(Failure::Output)?;
            }
        }
    }
    let sections = counted(usize::try_from(count)?, "section", "sections");
    anyhow::bail!("there are {sections}, counted from 0, so no section {number}")
}

/// Elements, and the numbers of each if it has more than one.
fn shape(section: &Section, number: u64, dtype: Dtype) -> anyhow::Result<Vec<u64>> {
    let bytes = match section.section_type {
        SectionType::Inline => INLINE_LEN as u128,
        SectionType::Block | SectionType::Array => section.e.get(),
        other => anyhow::bail!(
            "section {number} is no array of one shape: {}; `scda cat --element` extracts an element",
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
    Ok(extents.into_iter().flatten().map(u64::try_from).collect::<Result<_, _>>()?)
}
