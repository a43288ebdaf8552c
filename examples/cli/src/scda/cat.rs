//! Writes the data of one section, or of one element, to standard output in constant memory.

use std::io::Write;
use std::path::Path;

use embedded_io::{Read, Seek};
use linkstream::Mode;
use linkstream::io::FromStd;
use linkstream::io::Reader;
use linkstream::scda::Count;

use super::pick::{Pick, Picker, Wanted};
use crate::export::say;
use crate::failure::{Failure, failed, of_input};
use crate::human::no_such;
use crate::judged::{Permission, judged};
use crate::npy::{Dtype, Header};
use crate::output::streamed;
use crate::source::{BUFFER, bar, rereadable};
use linkstream_report::scda::words;

/// Reads a file, or standard input (`-`), and writes the selected data.
pub fn cat(file: &Path, wanted: Wanted, permission: Permission) -> anyhow::Result<()> {
    let mut shape = Vec::new();
    streamed(Path::new("-"), false, |out| {
        shape = read(file, wanted, permission, out).map_err(|error| of_input(error, file))?;
        Ok(())
    })?;
    say(&Header::new(Dtype::BYTES, shape));
    Ok(())
}

/// Writes the selected data. Returns their shape as an array of bytes.
fn read(
    path: &Path,
    wanted: Wanted,
    permission: Permission,
    out: &mut dyn Write,
) -> anyhow::Result<Vec<u64>> {
    let file = rereadable(path)?;
    let trust = judged(&file, path, permission)?;
    let length = file.metadata()?.len();
    pick(FromStd(bar(Some(length)).wrap_read(file)), wanted, trust.mode(), out)
}

fn pick<R>(source: R, wanted: Wanted, mode: Mode, out: &mut dyn Write) -> anyhow::Result<Vec<u64>>
where
    R: Read<Error = std::io::Error> + Seek,
{
    let mut buffer = vec![0; BUFFER];
    let mut reader = Reader::new(source, &mut buffer, Picker::new(wanted, mode));
    let index = wanted.section;
    let mut written = 0;
    loop {
        match reader.skip_seeking().and_then(|()| reader.next()).map_err(failed)? {
            Some(Pick::Nothing) => {}
            Some(Pick::Bytes(n)) => {
                out.write_all(&reader.bytes()[..n]).map_err(Failure::Output)?;
                written += n as u64;
            }
            Some(Pick::Unpacked) => {
                let bytes = reader.decoder().unpacked();
                out.write_all(bytes).map_err(Failure::Output)?;
                written += bytes.len() as u64;
            }
            Some(Pick::Done) => return Ok(shape(reader.decoder().array(), written)),
            Some(Pick::NoElement(n)) => {
                let elements = n.to_u64().unwrap_or(u64::MAX);
                let owner = format!("section {index}");
                anyhow::bail!(no_such(
                    "element",
                    "elements",
                    &owner,
                    elements,
                    0,
                    wanted.element.unwrap_or(0)
                ))
            }
            Some(Pick::NoArray(section_type)) => {
                anyhow::bail!("section {index} is {}, which has no elements", words(section_type))
            }
            None => {
                anyhow::bail!(no_such(
                    "section",
                    "sections",
                    "the file",
                    reader.decoder().sections(),
                    0,
                    index
                ))
            }
        }
    }
}

/// The number of elements and their size, or else the number of bytes written.
fn shape(array: Option<[Count; 2]>, written: u64) -> Vec<u64> {
    let extents = array.and_then(|[n, e]| Some(vec![n.to_u64()?, e.to_u64()?]));
    extents.filter(|extents| extents[1] != 1).unwrap_or_else(|| vec![written])
}
