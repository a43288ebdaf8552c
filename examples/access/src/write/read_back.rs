//! Reads the output back, with every rule enabled, before it gets its name.

use std::io::{Read, Seek};

use linkstream::conformance::{Boundaries, Decoder, ErrorKind, Event};
use linkstream::field::{SiteError, Sites};
use linkstream::io::FromStd;
use linkstream::io::Reader;
use linkstream::lattice::Checksum;
use linkstream::{Diagnostic as _, Mode};
use linkstream_memory as memory;

use super::error::Error;
use super::fault::Fault;
use super::found::{EventReader, next};
use super::input::{BUFFER, length};
use super::observer::{Observer, Watched};
use crate::source::MAX_SITE;

/// Reads a new LIME file from its start, and checks that its data have the checksums of the data that were `written`,
/// that it breaks no rule, and that it has open boundaries only where ILDG has them. Unless the input was sound, SciDAC
/// records may lack their checksums, and links may be missing anywhere.
///
/// # Errors
/// The file differs from the written one, cannot be read, or has absent links where ILDG does not allow them.
pub fn read_back(
    file: &mut (impl Read + Seek),
    written: &[Checksum],
    is_sound: bool,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let length = length(file).map_err(Error::Output)?;
    file.rewind().map_err(Error::Output)?;
    let mut buffer = vec![0; BUFFER];
    let source = FromStd(Watched::new(file, observer.phase(length)));
    let mut reader = Reader::new(source, &mut buffer[..], Decoder::new(Mode::Survey));
    let mut sums = Vec::new();
    while let Some(event) = next_sound(&mut reader, is_sound)? {
        if event != Event::Field {
            continue;
        }
        let field =
            reader.decoder().content().field().copied().filter(|field| field.bytes_per_site <= MAX_SITE);
        let mut boundaries = field.and_then(|_| Boundaries::of(reader.decoder().content()));
        let judged = field.filter(|_| boundaries.is_some());
        // At most MAX_SITE.
        let mut site = memory::unwinding::zeroed(judged.map_or(0, |field| field.bytes_per_site as usize));
        let mut sites = Sites::new(&mut site);
        if let Some(field) = &judged {
            sites.begin(field)?;
        }
        loop {
            match next_sound(&mut reader, is_sound)? {
                Some(Event::Data) if judged.is_some() => sites
                    .feed(judged.as_ref(), reader.bytes(), |site| {
                        if let Some(boundaries) = &mut boundaries {
                            boundaries.site(&site);
                        }
                        Ok::<(), SiteError>(())
                    })
                    .map_err(|error| Error::ReadBack(error.to_string()))?,
                Some(Event::FieldEnd(sum)) => sums.extend(sum),
                // One that differs is a finding.
                Some(Event::Verdict(_)) | None => break,
                _ => {}
            }
        }
        if let Some(fault) = boundaries.and_then(|boundaries| boundaries.fault()).filter(|_| is_sound) {
            return Err(Fault::Boundary(fault.kind).into());
        }
    }
    if sums == written { Ok(()) } else { Err(Error::ReadBack("its data differ".to_owned())) }
}

/// The next event of a file that must have no errors and no warnings. The rules for the structure of propagator files
/// are not applied: a copy of a single record is not a propagator file, and texts are copied unchanged.
fn next_sound<R: Read>(
    reader: &mut EventReader<'_, R, Decoder>,
    is_sound: bool,
) -> Result<Option<Event>, Error> {
    match next(reader).map_err(|error| Error::ReadBack(error.to_string()))? {
        Some(Event::Finding(error)) if error.kind == ErrorKind::ChecksumMissing && !is_sound => {
            Ok(Some(Event::Finding(error)))
        }
        Some(Event::Finding(error))
            if Mode::Strict.refuses(error.kind.severity()) && !matches!(error.kind, ErrorKind::Usqcd(_)) =>
        {
            Err(Error::ReadBack(error.to_string()))
        }
        event => Ok(event),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn read_back_of(bytes: &[u8], sums: &[Checksum]) -> Result<(), String> {
        read_back(&mut Cursor::new(bytes), sums, true, &mut Vec::new()).map_err(|error| {
            assert!(matches!(error, Error::ReadBack(_)), "the source must not be blamed");
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
