//! Unpacking one element by itself, from a slice with its text.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::error::ErrorKind;
use super::event::Section;
use super::inflate::{HEAD, Inflater};
use crate::error::Error;
use crate::limits::{Limits, OverLimit};

/// Characters that hold the stored size and the format byte.
const HEAD_CHARS: usize = HEAD / 3 * 4;

/// The size in bytes of the element whose text begins with `text` (scda 3.1), for which to allocate memory. The size is
/// a claim of the file, which decompression verifies. `None` if `text` has fewer than 12 characters, is not Base64, or
/// has a wrong format byte.
///
/// ```
/// use linkstream::Limits;
/// use linkstream::scda::logical::element_size;
///
/// let text = b"AAAAAAAAAB16eNrLSM3JyVfIwE4CAKMQCuU==\n";
/// assert_eq!(element_size(text, Limits::DEFAULT)?, Some(29));
/// assert!(element_size(text, Limits::bytes(28)).is_err());
/// assert_eq!(element_size(b"AAAAAAAAAB1", Limits::DEFAULT)?, None);
/// # Ok::<(), linkstream::OverLimit>(())
/// ```
///
/// # Errors
/// The size is above the limit.
pub fn element_size(text: &[u8], limits: Limits) -> Result<Option<usize>, OverLimit> {
    claimed_size(text).map(|size| limits.check(size)).transpose()
}

fn claimed_size(text: &[u8]) -> Option<u64> {
    let chars: &[u8; HEAD_CHARS] = text.first_chunk()?;
    let mut head = [0; HEAD];
    STANDARD.decode_slice(chars, head.as_mut_slice()).ok()?;
    let [size @ .., format] = head;
    (format == b'z').then_some(u64::from_be_bytes(size))
}

/// Decompresses single elements of compressed sections, each from a slice with its whole text. Several threads can
/// decompress one section, each with its own `ElementUnpacker`.
///
/// The sizes of the texts ([`Event::TextSize`](super::Event::TextSize)) determine the slices. They are claims of the
/// file, which decompression verifies. Pass an element that has been decompressed to [`Unpacker::pass_element`] of
/// the file's [`Unpacker`]. If an element cannot be decompressed, push its text and all that follows to the
/// `Unpacker`, which then reports the error.
///
/// [`Unpacker`]: super::Unpacker
/// [`Unpacker::pass_element`]: super::Unpacker::pass_element
///
/// ```
/// use linkstream::scda::logical::{Decoder, ElementUnpacker, Event, element_size};
/// use linkstream::scda::Unpacker;
/// use linkstream::{Decode, Demand, Limits, Mode};
///
/// # let file = file()?;
/// # fn file() -> Result<Vec<u8>, Box<dyn core::error::Error>> {
/// #     use linkstream::scda::{Encoder, Style};
/// #     let text = b"AAAAAAAAAB16eNrLSM3JyVfIwE4CAKMQCuU==\n";
/// #     let mut raw = Encoder::new(Style::Unix);
/// #     let mut file = raw.header(b"vendor", b"file")?.to_vec();
/// #     let mut encoder = linkstream::scda::logical::Encoder::new(raw);
/// #     file.extend_from_slice(encoder.array(b"greetings", 2.into(), 29.into())?);
/// #     for _ in 0..2 { file.extend_from_slice(&encoder.text_size(text.len() as u64)?); }
/// #     for _ in 0..2 { encoder.data(text)?; file.extend_from_slice(text); }
/// #     file.extend_from_slice(encoder.end()?);
/// #     Ok(file)
/// # }
/// // A file with a compressed array. The sizes of its texts come before the texts.
/// let mut unpacker = Unpacker::new(Decoder::new(Mode::Strict, true), vec![0; 1024]);
/// let (mut rest, mut lengths) = (&file[..], Vec::new());
/// while !matches!(unpacker.sections().demand(), Demand::Skip(_)) || lengths.len() < 2 {
///     let step = unpacker.push(&rest[..rest.len().min(32)])?;
///     rest = &rest[step.consumed..];
///     if let Some(Event::TextSize(length)) = step.event {
///         lengths.push(usize::try_from(length)?);
///     }
/// }
/// let section = *unpacker.sections().section();
///
/// // This could be done by several threads.
/// let mut threads = ElementUnpacker::new();
/// let mut elements = Vec::new();
/// for length in lengths {
///     let (text, behind) = rest.split_at(length);
///     let mut element = vec![0; element_size(text, Limits::DEFAULT)?.ok_or("no size")?];
///     threads.unpack(&section, text, unpacker.position(), &mut element)?;
///     unpacker.pass_element(text, element.len() as u64)?;
///     elements.push(element);
///     rest = behind;
/// }
/// assert_eq!(elements, [b"hello hello hello hello hello"; 2]);
///
/// // The rest of the file, with whatever is wrong with sizes and padding.
/// while !rest.is_empty() {
///     rest = &rest[unpacker.push(rest)?.consumed..];
/// }
/// while unpacker.finish()?.is_some() {}
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ElementUnpacker {
    inflater: Inflater,
}

impl Default for ElementUnpacker {
    fn default() -> Self {
        Self::new()
    }
}

impl ElementUnpacker {
    /// A decompressor for elements of any section.
    #[must_use]
    pub fn new() -> Self {
        Self { inflater: Inflater::new() }
    }

    /// Decompresses an element of `section` from `text`, which must be exactly the text of the element and is at the
    /// absolute offset `at` of the file. The element is written to the front of `element`; returns its size.
    ///
    /// # Errors
    /// The text is invalid; the error has an absolute offset. [`ErrorKind::BufferTooSmall`] if the element does not
    /// fit into `element`; [`element_size`] returns the required size.
    pub fn unpack(
        &mut self,
        section: &Section,
        text: &[u8],
        at: u64,
        element: &mut [u8],
    ) -> Result<usize, Error<ErrorKind>> {
        self.inflater.unpack(text, at, section, element)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_is_that_of_the_head() {
        assert_eq!(claimed_size(b"AAAAAAAAAAV6eNpj"), Some(5));
        assert_eq!(claimed_size(b"AAAAAAAAAAV6"), Some(5));
        assert_eq!(claimed_size(b"////////////"), None, "the format byte is no z");
        assert_eq!(claimed_size(b"AAAAAAAAA=V6"), None, "no base64");
        assert_eq!(claimed_size(b""), None);
        // 12 characters claim 2^60 bytes.
        let refused = element_size(b"EAAAAAAAAAB6", Limits::DEFAULT).map_err(|error| error.claimed);
        assert_eq!(refused, Err(1 << 60));
        assert_eq!(element_size(b"AAAAAAAAAAV6", Limits::bytes(5)), Ok(Some(5)));
    }
}
