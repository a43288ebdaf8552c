//! Reading sections and decompressing their elements, and decompressing one element by itself.
//!
//! # Invariants
//! | fields | hold |
//! |---|---|
//! | `sections`, `inflater` | each byte of text that the inflater has consumed has been pushed to `sections`, and no other: both have the same position |
//! | `ready` | range in the buffer of the part that was reported last; what lies after it is of no element |
//! | `packed` | texts of the current section are reported as they are: after `leave_packed`, or after an error in it; cleared where the next compressed section begins |
//! | `waiting` | an error that the end of the texts has shown: it is reported before the end of the section |

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::decode::Decoder;
use super::error::ErrorKind;
use super::event::Event;
use super::inflate::{HEAD, Inflater};
use super::section::{Section, SectionType};
use crate::bytes::{part, prefix, suffix};
use crate::counter::{Counter as _, Watch, at_most};
use crate::error::{Diagnostic as _, Error};
use crate::limits::{Limits, OverLimit};
use crate::machine::DecoderBase as _;
use crate::step::{Decode, Demand, Step};

/// Reads the sections of an scda file, and decompresses the elements of compressed sections into a buffer provided
/// by the caller: `B` is `&mut [u8]`, an array, or another type that holds bytes.
///
/// An element that fits into the buffer is reported in one piece. A longer one is reported in parts if the buffer
/// holds at least 32 KiB. The sizes in a file are not trusted: decompression stops at the first byte in excess. The
/// sizes that precede the texts are not stored. A difference from the sizes of the texts or elements is reported at the
/// end of the section.
///
/// The data of a compressed section can only be skipped if the section is [left compressed](Unpacker::leave_packed).
/// The state of an `Unpacker` cannot be saved, because the decompressor is too large; save its [`Decoder`] at the
/// beginning of a section instead.
///
/// ```
/// use linkstream::scda::{Decoder, Event};
/// use linkstream::scda::Unpacker;
/// use linkstream::{Decode, Mode};
///
/// # let file = b"\
/// # scdata0 libsc -----------------\n\
/// # F demo -------------------------\
/// # -------------------------------\n\
/// # \n=============================\n\n\
/// # I B compressed scda 00 ---------\
/// # -------------------------------\n\
/// # U 29 --------------------------\n\
/// # B greeting ---------------------\
/// # -------------------------------\n\
/// # E 38 --------------------------\n\
/// # AAAAAAAAAB16eNrLSM3JyVfIwE4CAKMQ\
/// # CuU==\n========================\n\n";
/// let mut unpacker = Unpacker::new(Decoder::new(Mode::Lenient, true), [0; 64]);
/// let mut rest = &file[..];
/// let mut text = Vec::new();
/// loop {
///     let step = unpacker.push(rest)?;
///     rest = &rest[step.consumed..];
///     match step.event {
///         Some(Event::Element(element)) => {
///             assert_eq!((element.index, element.size), (0, 29));
///             text.extend_from_slice(unpacker.bytes());
///         }
///         Some(_) => {}
///         None => break,
///     }
/// }
/// while unpacker.finish()?.is_some() {}
/// assert_eq!(text, b"hello hello hello hello hello");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Unpacker<B> {
    sections: Decoder,
    inflater: Inflater,
    buffer: B,
    /// The range in the buffer of the part reported last.
    ready: (usize, usize),
    /// The texts of the current section are not decompressed.
    packed: bool,
    /// Error found at the end of a section's texts, to be reported next.
    waiting: Option<Error<ErrorKind>>,
}

impl<B: AsRef<[u8]> + AsMut<[u8]>> Unpacker<B> {
    /// An unpacker with this decoder, which must be before a section, and this buffer for elements.
    pub fn new(sections: Decoder, buffer: B) -> Self {
        Self { sections, inflater: Inflater::new(), buffer, ready: (0, 0), packed: false, waiting: None }
    }

    /// The bytes of the part of an element that was reported last.
    pub fn bytes(&self) -> &[u8] {
        let (from, to) = self.ready;
        part(self.buffer.as_ref(), from..to)
    }

    /// The decoder of the sections, which has their strings and counts.
    pub const fn sections(&self) -> &Decoder {
        &self.sections
    }

    /// Leaves the current section compressed. Can be called from [`Event::Compressed`] or [`Event::Section`] on; the
    /// following texts are reported as [`Event::Text`] and can be skipped.
    ///
    /// # Example
    /// ```
    /// use linkstream::Mode;
    /// use linkstream::scda::{Decoder, Unpacker};
    ///
    /// let mut unpacker = Unpacker::new(Decoder::new(Mode::Strict, true), [0; 1024]);
    /// unpacker.leave_packed();
    /// let (decoder, buffer) = unpacker.into_parts();
    /// assert_eq!((decoder.section().offset, buffer.len()), (0, 1024));
    /// ```
    pub const fn leave_packed(&mut self) {
        self.packed = true;
    }

    /// Takes the next element if it has been decompressed elsewhere, by an [`ElementUnpacker`](super::ElementUnpacker);
    /// see the example there. `size` is its size in bytes and `text` its whole text, which is consumed as if it were
    /// pushed. At the end of the section the sizes are compared with the sizes that precede the texts. The element is
    /// not reported as an event.
    ///
    /// # Errors
    /// [`Misuse::SkipTooFar`](crate::Misuse::SkipTooFar) if the next bytes are not the text of an element, or `text`
    /// is longer than the texts that are left, or the elements of the section have another size. The unpacker does
    /// not change then.
    pub fn pass_element(&mut self, text: &[u8], size: u64) -> Result<(), Error<ErrorKind>> {
        let section = *self.sections.section();
        let length = text.len() as u64;
        // The element must be the next one, lie in what the section has left, and have the size that all elements have.
        let comes_next = matches!(self.sections.demand(), Demand::Skip(left) if length <= left)
            && self.is_unpacking()
            && self.inflater.is_between_elements()
            && u128::from(self.inflater.index()) < section.elements().get()
            && !(section.has_one_size() && u128::from(size) != section.e.get());
        if !comes_next || text.is_empty() {
            return self.sections.refuse_skip(length);
        }
        self.take(text)?;
        self.inflater.pass_element(length, size);
        self.end_texts(&section);
        Ok(())
    }

    /// Returns the decoder and the buffer.
    pub fn into_parts(self) -> (Decoder, B) {
        (self.sections, self.buffer)
    }

    /// True if the next payload is text to be decompressed.
    fn is_unpacking(&self) -> bool {
        !self.packed && self.sections.is_in_text()
    }

    /// Returns the error or reports a finding, depending on the mode. The rest of the section's texts is not
    /// decompressed.
    fn report(&mut self, consumed: usize, error: Error<ErrorKind>) -> Result<Step<Event>, Error<ErrorKind>> {
        self.packed = true;
        if self.sections.mode().refuses(error.kind.severity()) {
            return Err(self.sections.failed_mut().set(error));
        }
        Ok(Step::event(consumed, Event::Finding(error)))
    }

    /// Decompresses text of compressed elements.
    fn unpack(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        let Demand::Skip(left) = self.sections.demand() else { return Ok(Step::more(0)) };
        let n = at_most(left, input.len());
        let text = prefix(input, n);
        let at = self.sections.position();
        let section = *self.sections.section();
        let fed = match self.inflater.feed(text, at, &section, self.buffer.as_mut()) {
            Ok(fed) => fed,
            Err(error) => {
                // The byte that caused the error counts as read. Its offset may lie before the text of this call.
                let seen = at_most(error.at.plus(1).saturating_sub(at), n);
                self.take(prefix(text, seen))?;
                return self.report(seen, error);
            }
        };
        self.take(prefix(text, fed.consumed))?;
        self.end_texts(&section);
        let Some((element, from)) = fed.ready else { return Ok(Step::more(fed.consumed)) };
        self.ready = (from, from.plus(element.length));
        Ok(Step::event(fed.consumed, Event::Element(element)))
    }

    /// Checks the sizes of the texts and elements after the last text of the section.
    fn end_texts(&mut self, section: &Section) {
        if !self.sections.is_in_text() {
            let (texts, elements) = self.sections.accounts();
            let elements = (section.section_type == SectionType::Varray).then_some(elements);
            self.waiting = self.inflater.end_section(self.sections.position(), texts, elements).err();
        }
    }

    /// Passes the text to the decoder of the sections, which counts it.
    fn take(&mut self, text: &[u8]) -> Result<(), Error<ErrorKind>> {
        if !text.is_empty() {
            let _ = self.sections.push(text)?;
        }
        Ok(())
    }

    /// A step, during which a mistake of this crate is not noticed.
    fn push_unwatched(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        // Checked before any text is parsed.
        self.sections.check_usable()?;
        let mut done = 0_usize;
        loop {
            if let Some(error) = self.waiting.take() {
                return self.report(done, error);
            }
            let rest = suffix(input, done);
            let unpacking = self.is_unpacking();
            // Even an empty element has a text, so nothing is due without input.
            if unpacking && rest.is_empty() {
                return Ok(Step::more(done));
            }
            let step = if unpacking { self.unpack(rest)? } else { self.sections.push(rest)? };
            done.increase(step.consumed);
            match step.event {
                // Reported before the second half, so that the caller can leave the section compressed.
                Some(Event::Compressed(_)) => self.packed = false,
                Some(Event::Section(section)) if section.is_compressed() => self.inflater.begin_section(),
                // It has taken all of the input. The inflater stops where the texts of the section end.
                None if !unpacking => return Ok(Step::more(done)),
                _ => {}
            }
            if let Some(event) = step.event {
                return Ok(Step::event(done, event));
            }
        }
    }
}

impl<B: AsRef<[u8]> + AsMut<[u8]>> Decode for Unpacker<B> {
    type Event = Event;
    type ErrorKind = ErrorKind;

    fn push(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        let watch = Watch::begin();
        let step = self.push_unwatched(input);
        if watch.has_seen_mistake() { Err(self.sections.internal_error()) } else { step }
    }

    fn finish(&mut self) -> Result<Option<Event>, Error<ErrorKind>> {
        match self.waiting.take() {
            Some(error) => self.report(0, error).map(|step| step.event),
            None => self.sections.finish(),
        }
    }

    fn demand(&self) -> Demand {
        match self.sections.demand() {
            _ if self.waiting.is_some() => Demand::Bytes(0),
            // The sizes of the elements are known only when their texts are decompressed.
            Demand::Skip(_) if self.is_unpacking() => Demand::Bytes(1),
            demand => demand,
        }
    }

    fn skip(&mut self, n: u64) -> Result<(), Error<ErrorKind>> {
        if self.is_unpacking() && n > 0 {
            return self.sections.refuse_skip(n);
        }
        self.sections.skip(n)
    }

    fn position(&self) -> u64 {
        self.sections.position()
    }
}

/// Characters that hold the stored size and the format byte.
const HEAD_CHARS: usize = HEAD / 3 * 4;

/// Size in bytes of the element whose text begins with `text` (scda 3.1), for allocating memory. The size is a claim of
/// the file, which decompression verifies. `None` if `text` has fewer than 12 characters, is not Base64, or has a wrong
/// format byte.
///
/// ```
/// use linkstream::Limits;
/// use linkstream::scda::element_size;
///
/// let text = b"AAAAAAAAAB16eNrLSM3JyVfIwE4CAKMQCuU==\n";
/// assert_eq!(element_size(text, Limits::DEFAULT)?, Some(29));
/// assert!(element_size(text, Limits::new(28)).is_err());
/// assert_eq!(element_size(b"AAAAAAAAAB1", Limits::DEFAULT)?, None);
/// # Ok::<(), linkstream::OverLimit>(())
/// ```
///
/// # Errors
/// The size is above the limit.
pub fn element_size(text: &[u8], limits: Limits) -> Result<Option<usize>, OverLimit> {
    claimed_size(text).map(|size| limits.decompressed().check(size)).transpose()
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
/// use linkstream::Encode;
/// use linkstream::scda::{Decoder, ElementUnpacker, Event, element_size};
/// use linkstream::scda::Unpacker;
/// use linkstream::{Decode, Demand, Limits, Mode};
///
/// # let file = file()?;
/// # fn file() -> Result<Vec<u8>, Box<dyn core::error::Error>> {
/// #     use linkstream::scda::{Encoder, Style};
/// #     let text = b"AAAAAAAAAB16eNrLSM3JyVfIwE4CAKMQCuU==\n";
/// #     let mut encoder = Encoder::new(Style::Unix);
/// #     let mut file = encoder.header(b"vendor", b"file")?.to_vec();
/// #     file.extend_from_slice(encoder.compressed_array(b"greetings", 2.into(), 29.into())?);
/// #     for _ in 0..2 { file.extend_from_slice(&encoder.size(text.len() as u64)?); }
/// #     for _ in 0..2 { encoder.put(text)?; file.extend_from_slice(text); }
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
///     let (text, after) = rest.split_at(length);
///     let mut element = vec![0; element_size(text, Limits::DEFAULT)?.ok_or("no size")?];
///     threads.unpack(&section, text, unpacker.position(), &mut element)?;
///     unpacker.pass_element(text, element.len() as u64)?;
///     elements.push(element);
///     rest = after;
/// }
/// assert_eq!(elements, [b"hello hello hello hello hello"; 2]);
///
/// // The rest of the file. Errors in sizes and padding are reported here.
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
    fn the_size_is_read_from_the_first_characters() {
        assert_eq!(claimed_size(b"AAAAAAAAAAV6eNpj"), Some(5));
        assert_eq!(claimed_size(b"AAAAAAAAAAV6"), Some(5));
        assert_eq!(claimed_size(b"////////////"), None, "the format byte is no z");
        assert_eq!(claimed_size(b"AAAAAAAAA=V6"), None, "no base64");
        assert_eq!(claimed_size(b""), None);
        // 12 characters claim 2^60 bytes.
        let refused = element_size(b"EAAAAAAAAAB6", Limits::DEFAULT).map_err(|error| error.claimed);
        assert_eq!(refused, Err(1 << 60));
        assert_eq!(element_size(b"AAAAAAAAAAV6", Limits::new(5)), Ok(Some(5)));
    }
}
