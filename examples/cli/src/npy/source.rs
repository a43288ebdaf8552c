//! Files of numbers: raw data or NPY files.

use std::io::Read;
use std::path::Path;

use linkstream::sniff::{Sniff, Sniffer, sniff};

use super::header::{Header, MAGIC};
use linkstream_report::identify::name;

use crate::failure::{Failure, failed};
use crate::own_input;
use crate::source::{filled, open};

/// The first bytes of a zip file.
const ZIP: &[u8] = b"PK\x03\x04";

/// The numbers of a file.
pub struct Numbers {
    pub source: Box<dyn Read>,
    /// Their length in bytes, if it can be known.
    pub length: Option<u64>,
    /// The header of the array; `None` for raw data.
    pub header: Option<Header>,
}

/// Opens a file of numbers; `-` is standard input.
pub fn open_numbers(path: &Path) -> anyhow::Result<Numbers> {
    let (mut source, mut length): (Box<dyn Read>, _) = if path == Path::new("-") {
        own_input::reading(path)?;
        (Box::new(std::io::stdin().lock()), None)
    } else {
        let file = open(path)?;
        let about = file.metadata().map_err(Failure::Input)?;
        let length = about.is_file().then_some(about.len());
        (Box::new(file), length)
    };
    let mut begun = vec![0; Sniffer::LONGEST.max(MAGIC.len())];
    let n = filled(&mut source, &mut begun).map_err(Failure::Input)?;
    begun.truncate(n);
    if begun.starts_with(ZIP) {
        return Err(failed(Failure::invalid(
            &"is a zip file, as numpy.savez writes them (NPZ): extract one of its arrays; `unzip -l FILE` lists them, \
              `unzip FILE NAME.npy` extracts one",
        )));
    }
    if let Sniff::Is(format) = sniff(&begun) {
        return Err(failed(Failure::invalid(&format!(
            "is a file of the format {}, not raw numbers",
            name(format)
        ))));
    }
    if !begun.starts_with(MAGIC) {
        let source = Box::new(std::io::Cursor::new(begun).chain(source));
        return Ok(Numbers { source, length, header: None });
    }
    let (header, size) = Header::read(&begun, &mut source)?;
    length = length.map(|length| length.saturating_sub(size));
    Ok(Numbers { source, length, header: Some(header) })
}
