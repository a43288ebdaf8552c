//! Checks a file against the rules of ILDG 1.2 and QIO 2.3: logs every finding, and how many there are of each
//! severity.
#![no_std]
#![no_main]

use firmware::{Buffers, Failure, File};
use linkstream::conformance::Decoder;
use linkstream::field::Event;
use linkstream::io::Reader;
use linkstream::{Diagnostic as _, Mode, Severity};

firmware::program!(validate);

/// One sector of a disk.
static BUFFER: Buffers<[u8; 512]> = Buffers::new([0; 512]);

#[derive(Default)]
struct Count {
    infos: u32,
    warnings: u32,
    errors: u32,
}

impl Count {
    fn add(&mut self, severity: Severity) {
        let count = match severity {
            Severity::Info => &mut self.infos,
            Severity::Warning => &mut self.warnings,
            Severity::Error | Severity::Fatal => &mut self.errors,
        };
        *count = count.saturating_add(1);
    }
}

fn validate(file: File) -> Result<(), Failure> {
    let buffer = BUFFER.take().ok_or(Failure::Other("the buffer is lent already"))?;
    // Passed by reference, so that only one copy of the decoder is on the stack.
    let mut decoder = Decoder::new(Mode::Survey);
    let mut reader = Reader::new(file, &mut buffer[..], &mut decoder);
    let mut count = Count::default();
    while let Some(event) = reader.next()? {
        match event {
            Event::Finding(error) => {
                count.add(error.kind.severity());
                defmt::warn!(
                    "at byte {=u64}: {=str} ({=str})",
                    error.at,
                    error.kind.rule(),
                    error.kind.clause()
                );
            }
            Event::Verdict(verdict) => defmt::info!("verdict {}", verdict),
            _ => {}
        }
    }
    let Count { infos, warnings, errors } = count;
    defmt::info!("{=u32} errors, {=u32} warnings, {=u32} infos", errors, warnings, infos);
    Ok(())
}
