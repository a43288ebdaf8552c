//! Recognises a volume by its first bytes.

use linkstream::scidac::{PRIVATE_FILE_XML, SITELIST, VolumeFormat};
use linkstream::sniff::{Format, Sniff, sniff};
use linkstream::volume::{Decoder, ErrorKind, Event};
use linkstream::{Decode as _, Mode};

/// Number of bytes that are always enough to recognise a volume.
pub const FIRST: usize = 4 << 10;

/// Returns whether a file that begins with these bytes is a volume of a file set; `None` if the bytes do not decide it,
/// because they are too few or begin no known format.
pub fn is_volume(first: &[u8]) -> Option<bool> {
    if matches!(sniff(first), Sniff::Is(format) if format != Format::Lime) {
        return Some(false);
    }
    let mut decoder = Decoder::new(Mode::Survey);
    let mut rest = first;
    while !rest.is_empty() {
        let step = match decoder.push(rest) {
            Ok(step) => step,
            Err(error) => return (error.kind == ErrorKind::SingleFile).then_some(false),
        };
        rest = rest.get(step.consumed..).unwrap_or_default();
        let is_sure = match step.event {
            Some(Event::Record(record)) if record.offset == 0 => {
                let is = |name: &str| decoder.content().record_type() == name.as_bytes();
                (!is(PRIVATE_FILE_XML)).then(|| is(SITELIST))
            }
            // A document that cannot be read decides nothing.
            Some(Event::Record(_)) if decoder.content().private_file().is_none() => return None,
            _ => decoder.content().private_file().map(|file| file.volume_format() != VolumeFormat::Single),
        };
        if is_sure.is_some() {
            return is_sure;
        }
    }
    None
}
