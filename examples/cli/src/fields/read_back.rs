//! Reads the output back, with every rule enabled, before it gets its name.

use std::io::{Read, Seek as _};

use embedded_io_adapters::std::FromStd;
use linkstream::conformance::{Boundaries, Decoder, ErrorKind, Event};
use linkstream::field::{SiteError, Sites, Verdict};
use linkstream::io::Reader;
use linkstream::lattice::Checksum;
use linkstream::{Diagnostic as _, Mode};

use linkstream_report::reading::MAX_SITE;

use super::fault::Fault;
use super::found::{FieldReader, next};
use crate::failure::{Failure, failed};
use crate::source::{BUFFER, bar};
use crate::system::File;

/// Checks that the data have the checksums of the written data, and open boundaries only where ILDG has them. Unless the
/// input was sound, SciDAC records may lack their checksums, and links may be missing anywhere.
pub fn read_back(mut file: &File, written: &[Checksum], is_sound: bool) -> anyhow::Result<()> {
    let length = file.metadata().map_err(Failure::Output)?.len();
    file.rewind().map_err(Failure::Output)?;
    let mut buffer = vec![0; BUFFER];
    let source = FromStd::new(bar(Some(length)).wrap_read(file));
    let mut reader = Reader::new(source, &mut buffer, Decoder::new(Mode::Survey));
    let mut sums = Vec::new();
    while let Some(event) = next_sound(&mut reader, is_sound)? {
        if event != Event::Field {
            continue;
        }
        let field = reader.decoder().field().copied().filter(|field| field.bytes_per_site <= MAX_SITE);
        let mut boundaries = field.and_then(|_| Boundaries::of(reader.decoder()));
        let judged = field.filter(|_| boundaries.is_some());
        let mut site = vec![0; judged.map_or(Ok(0), |field| usize::try_from(field.bytes_per_site))?];
        let mut sites = Sites::new(&mut site);
        if let Some(field) = &judged {
            sites.begin(field)?;
        }
        loop {
            match next_sound(&mut reader, is_sound)? {
                Some(Event::Data) if judged.is_some() => {
                    sites.feed(judged.as_ref(), reader.bytes(), |site| {
                        if let Some(boundaries) = &mut boundaries {
                            boundaries.site(&site);
                        }
                        Ok::<(), SiteError>(())
                    })?
                }
                Some(Event::FieldEnd(sum)) => sums.extend(sum),
                Some(Event::Verdict(Verdict::Mismatch { .. })) => {
                    return Err(disk(anyhow::anyhow!("its checksum differs")));
                }
                Some(Event::Verdict(_)) | None => break,
                _ => {}
            }
        }
        if let Some(fault) = boundaries.and_then(|boundaries| boundaries.fault()).filter(|_| is_sound) {
            return Err(failed(Fault::Boundary(fault.kind)));
        }
    }
    if sums == written { Ok(()) } else { Err(disk(anyhow::anyhow!("its data differ"))) }
}

/// The next event of a file that must have no errors and no warnings. The rules for the structure of propagator files
/// are not applied: a copy of a single record is not a propagator file, and texts are copied unchanged.
fn next_sound<R: Read>(
    reader: &mut FieldReader<'_, R, Decoder>,
    is_sound: bool,
) -> anyhow::Result<Option<Event>> {
    match next(reader).map_err(disk)? {
        Some(Event::Finding(error)) if error.kind == ErrorKind::ChecksumMissing && !is_sound => {
            Ok(Some(Event::Finding(error)))
        }
        Some(Event::Finding(error))
            if Mode::Strict.refuses(error.kind.severity()) && !matches!(error.kind, ErrorKind::Usqcd(_)) =>
        {
            Err(disk(Failure::invalid(&error.to_string()).into()))
        }
        event => Ok(event),
    }
}

/// An error of the output, whatever the reader reports about the copy: the source is not at fault.
fn disk(error: anyhow::Error) -> anyhow::Error {
    let said = std::io::Error::other(format!("the written file does not read back as expected: {error:#}"));
    Failure::Output(said).into()
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;
    use crate::failure::is_output;

    fn read_back_of(bytes: &[u8], sums: &[Checksum]) -> Result<(), String> {
        let mut file = File::from(tempfile::tempfile().expect("the temporary folder is writable"));
        file.write_all(bytes).expect("the temporary folder is writable");
        read_back(&file, sums, true).map_err(|error| {
            assert!(is_output(&error), "the source must not be blamed");
            error.to_string()
        })
    }

    #[test]
    fn a_copy_that_is_not_what_was_written_is_refused() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../su3-4x4x4x8.lime");
        let bytes = std::fs::read(path).expect("the sample is part of the repository");
        let sum = Checksum { suma: 0x43c9_818d, sumb: 0x1f29_d948 };
        assert_eq!(read_back_of(&bytes, &[sum]), Ok(()));
        let other = Checksum { suma: sum.suma ^ 1, ..sum };
        for wrong in [&[][..], &[other], &[sum, sum]] {
            let said = read_back_of(&bytes, wrong).expect_err("other sums");
            assert!(said.ends_with("its data differ"), "{said}");
        }
        // The disk changes a bit, or loses the end.
        let mut damaged = bytes.clone();
        damaged[100_000] ^= 4;
        for copy in [&damaged, &bytes[..149_000]] {
            let said = read_back_of(copy, &[sum]).expect_err("another file");
            assert!(said.starts_with("the written file does not read back as expected: at byte"), "{said}");
        }
    }
}
