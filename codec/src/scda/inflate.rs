//! Reading the text of compressed elements (scda 3.1): base64 in lines, in it the size, a `z` and a zlib stream.
//!
//! The sizes of all texts come before the first text and are not stored, so the end of a text is known only when its
//! stream ends. A batch of characters is therefore decoded on trial. Characters that turn out to belong to the next
//! element are not consumed.
//!
//! # Invariants
//! Between two calls of [`Inflater::feed`], for the element that is being read:
//!
//! | fields | hold |
//! |---|---|
//! | `begin`, `seen` | `begin + seen` is the absolute offset of the next byte of text |
//! | `decoded`, `cut` | `decoded + cut` is the number of characters among the `seen` bytes: each is decoded, or in `chars[..cut]`; `decoded` is a multiple of 4 |
//! | `drop` | less than 3: bytes of the group after `decoded` that the stream has taken; 0 unless a part of the element has been returned in the middle of a group |
//! | `head_filled` | at most 9; it is 9 in `Stream` and `Break`, and less in `Head` |
//! | `size` | the size in `head`, once `head_filled` is 9 |
//! | `produced`, `given` | `given <= produced <= size`; what lies between them is in the buffer of the caller, and less than a window |
//! | `index`, `texts`, `elements` | number of the elements before this one, and the account of their texts and sizes |
//!
//! The stream has taken `decoded / 4 * 3 + drop` bytes of the element, among them the 9 of `head`.

use base64::engine::general_purpose::STANDARD;
use base64::{DecodeError, DecodeSliceError, Engine as _};
use core::cmp::Ordering;
use core::fmt;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

use super::compressed::{Account, LINE};
use super::error::ErrorKind;
use super::event::Element;
use super::section::Section;
use crate::bytes::{part, prefix, prefix_mut, split, suffix, suffix_mut};
use crate::counter::{Counter as _, plus, times};
use crate::error::Error;

/// Lines decoded at a time.
const LINES: usize = 16;
const CHARS: usize = LINES * LINE as usize;
const RAW: usize = CHARS / 4 * 3;
/// The stored size and the `z`.
pub(super) const HEAD: usize = 9;
/// Smallest window that suffices for every stream.
const WINDOW: usize = 32 << 10;

/// Part of the text that the next byte belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// A new element.
    Start,
    Head,
    Stream,
    /// Bytes left of the line break after an element.
    Break(u8),
}

/// Result of feeding a piece of text.
pub(super) struct Fed {
    /// Number of bytes consumed.
    pub(super) consumed: usize,
    /// A part of an element that is ready, and where it lies in the buffer.
    pub(super) ready: Option<(Element, usize)>,
}

/// Decodes texts into elements.
#[derive(Clone)]
pub(super) struct Inflater {
    phase: Phase,
    stream: DecompressorOxide,
    /// Characters of this batch without line breaks. It begins with the characters of a group that the input has cut.
    chars: [u8; CHARS],
    cut: usize,
    raw: [u8; RAW],
    /// Number of characters of this element that have been decoded and consumed, a multiple of 4.
    decoded: u64,
    /// Bytes of the next group that the stream has already taken.
    drop: usize,
    /// Text bytes of this element that have been consumed.
    seen: u64,
    /// Absolute offset of this element's text.
    begin: u64,
    head: [u8; HEAD],
    head_filled: usize,
    index: u64,
    size: u64,
    produced: u64,
    /// Number of bytes of this element that have been returned.
    given: u64,
    texts: Account,
    elements: Account,
}

impl fmt::Debug for Inflater {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inflater")
            .field("phase", &self.phase)
            .field("index", &self.index)
            .finish_non_exhaustive()
    }
}

/// A batch of decoded text.
struct Batch {
    /// Number of text bytes of this call in it, including line breaks.
    taken: usize,
    /// Characters in it, whole groups.
    chars: usize,
    /// Bytes decoded.
    raw: usize,
    /// The last group is padded: nothing can follow.
    padded: bool,
    /// The first character after the decoded ones that is not permitted in its place.
    wrong: Option<(usize, u8)>,
}

impl Inflater {
    pub(super) fn new() -> Self {
        Self {
            phase: Phase::Start,
            stream: DecompressorOxide::new(),
            chars: [0; CHARS],
            cut: 0,
            raw: [0; RAW],
            decoded: 0,
            drop: 0,
            seen: 0,
            begin: 0,
            head: [0; HEAD],
            head_filled: 0,
            index: 0,
            size: 0,
            produced: 0,
            given: 0,
            texts: Account::NONE,
            elements: Account::NONE,
        }
    }

    /// Begins the texts of another section.
    pub(super) fn begin_section(&mut self) {
        self.phase = Phase::Start;
        self.index = 0;
        self.texts = Account::NONE;
        self.elements = Account::NONE;
    }

    /// Checks the section after its last text, at the absolute offset `at`. `texts` and `elements` are the announced
    /// sizes.
    pub(super) fn end_section(
        &self,
        at: u64,
        texts: Account,
        elements: Option<Account>,
    ) -> Result<(), Error<ErrorKind>> {
        if self.phase != Phase::Start {
            return Err(Error::new(at, ErrorKind::TextTruncated));
        }
        // The account of the texts includes their number.
        let elements_fit = elements.is_none_or(|elements| elements == self.elements);
        if texts == self.texts && elements_fit {
            return Ok(());
        }
        Err(Error::new(at, ErrorKind::SizesDiffer))
    }

    /// Takes text that begins at the absolute offset `at`, until a part of an element is ready in `buffer` or
    /// no text is left.
    pub(super) fn feed(
        &mut self,
        text: &[u8],
        at: u64,
        section: &Section,
        buffer: &mut [u8],
    ) -> Result<Fed, Error<ErrorKind>> {
        let mut consumed = 0_usize;
        loop {
            let rest = suffix(text, consumed);
            if rest.is_empty() {
                return Ok(Fed { consumed, ready: None });
            }
            match self.phase {
                Phase::Start => self.start(at.plus(consumed as u64), section)?,
                Phase::Break(left) => {
                    let n = usize::from(left).min(rest.len());
                    consumed.increase(n);
                    let left = left.minus(n as u8);
                    self.phase = if left > 0 { Phase::Break(left) } else { Phase::Start };
                }
                Phase::Head | Phase::Stream => {
                    let fed = self.element(rest, section, buffer)?;
                    consumed.increase(fed.consumed);
                    if fed.ready.is_some() {
                        return Ok(Fed { consumed, ready: fed.ready });
                    }
                }
            }
        }
    }

    /// Decodes one element from its complete text, which begins at the absolute offset `at`. Returns the size of the
    /// element.
    pub(super) fn unpack(
        &mut self,
        text: &[u8],
        at: u64,
        section: &Section,
        element: &mut [u8],
    ) -> Result<usize, Error<ErrorKind>> {
        self.begin_section();
        // A section without elements has no texts: `start` refuses this one.
        self.start(at, section)?;
        let fed = self.feed(text, at, section, element)?;
        let Some((whole, _)) = fed.ready else {
            return Err(Error::new(at.plus(text.len() as u64), ErrorKind::TextTruncated));
        };
        if !whole.is_complete() {
            // The buffer is large enough to decode the element in parts, but not as a whole.
            return Err(Error::new(at, ErrorKind::BufferTooSmall { needed: whole.size }));
        }
        // Only the rest of the line break may follow.
        let broken = match self.phase {
            Phase::Break(left) => usize::from(left),
            _ => 0,
        };
        let end = fed.consumed.plus(broken);
        match end.cmp(&text.len()) {
            Ordering::Equal => Ok(whole.length),
            Ordering::Less => Err(Error::new(at.plus(end as u64), ErrorKind::LeftOver)),
            Ordering::Greater => Err(Error::new(at.plus(text.len() as u64), ErrorKind::TextTruncated)),
        }
    }

    /// True if the text of an element comes next.
    pub(super) const fn is_between_elements(&self) -> bool {
        matches!(self.phase, Phase::Start)
    }

    /// Number of elements that have been decompressed.
    pub(super) const fn index(&self) -> u64 {
        self.index
    }

    /// Counts an element of `size` bytes, with a text of `length` bytes, that has been decompressed elsewhere.
    pub(super) fn pass_element(&mut self, length: u64, size: u64) {
        self.texts.add(length);
        self.elements.add(size);
        self.index.increase(1);
    }

    /// Begins an element: a text byte follows that belongs to no element before.
    fn start(&mut self, at: u64, section: &Section) -> Result<(), Error<ErrorKind>> {
        if u128::from(self.index) >= section.elements().get() {
            return Err(Error::new(at, ErrorKind::LeftOver));
        }
        self.phase = Phase::Head;
        self.stream.init();
        (self.cut, self.decoded, self.drop, self.seen) = (0, 0, 0, 0);
        (self.begin, self.head_filled, self.size) = (at, 0, 0);
        (self.produced, self.given) = (0, 0);
        Ok(())
    }

    /// Decodes a batch and passes it to the stream.
    fn element(
        &mut self,
        text: &[u8],
        section: &Section,
        buffer: &mut [u8],
    ) -> Result<Fed, Error<ErrorKind>> {
        let batch = self.decode(text);
        let mut from = self.drop;
        if self.phase == Phase::Head {
            // The input may have ended inside a group that the stream has already taken in part.
            let raw = self.raw.get(from..batch.raw).unwrap_or_default();
            let wanted = suffix_mut(&mut self.head, self.head_filled);
            for (to, byte) in wanted.iter_mut().zip(raw) {
                *to = *byte;
                self.head_filled.increase(1);
                from.increase(1);
            }
            if self.head_filled == HEAD {
                self.begin_stream(section, buffer)?;
            }
        }
        // If fewer bytes are decoded than the stream has taken of the group, the group is not complete yet: `from` is then
        // `drop`, beyond the batch.
        // A group that the stream has taken in part must be decoded as a whole again before the stream continues in it.
        if self.phase == Phase::Stream
            && from <= batch.raw
            && let Some(fed) = self.inflate(&batch, from, buffer)?
        {
            return Ok(fed);
        }
        // The stream has taken the whole batch and needs more, so an invalid character after it is an error now.
        if let Some((char, found)) = batch.wrong {
            return Err(Error::new(self.offset(char), ErrorKind::Base64 { found }));
        }
        if batch.padded {
            return Err(Error::new(self.offset(batch.chars), ErrorKind::TextTruncated));
        }
        if batch.chars > 0 {
            self.drop = 0;
        }
        self.decoded.increase(batch.chars as u64);
        self.seen.increase(batch.taken as u64);
        let total = self.cut;
        self.chars.copy_within(batch.chars.min(total)..total, 0);
        self.cut = total.minus(batch.chars);
        Ok(Fed { consumed: batch.taken, ready: None })
    }

    /// Absolute offset of a character. `char` is counted from the first character that has not been consumed.
    const fn offset(&self, char: usize) -> u64 {
        let char = plus(self.decoded, char as u64);
        plus(self.begin, text_before(char))
    }

    /// Fills the batch with characters of `text`, from its current position.
    fn decode(&mut self, text: &[u8]) -> Batch {
        let most = self.batch_size();
        let line = LINE as usize;
        let mut rest = text;
        let mut filled = self.cut;
        let mut column = usize::try_from(self.seen % (LINE + 2)).unwrap_or(0);
        while filled < most && !rest.is_empty() {
            // Nearly all text is whole lines. A constant length makes copying them faster.
            if column == 0
                && most.minus(filled) >= line
                && let Some((now, later)) = rest.split_first_chunk::<{ LINE as usize + 2 }>()
                && let Some(room) = self.chars.get_mut(filled..).and_then(|room| room.first_chunk_mut())
                && let Some(chars) = now.first_chunk::<{ LINE as usize }>()
            {
                *room = *chars;
                filled.increase(line);
                rest = later;
                continue;
            }
            let Some(in_line) = line.checked_sub(column).filter(|left| *left > 0) else {
                // The line break: any two bytes.
                let n = line.plus(2).minus(column).min(rest.len());
                column.increase(n);
                column = if column == line.plus(2) { 0 } else { column };
                rest = suffix(rest, n);
                continue;
            };
            let n = in_line.min(most.minus(filled)).min(rest.len());
            let (now, later) = split(rest, n);
            if let Some(room) = self.chars.get_mut(filled..filled.plus(n)) {
                room.copy_from_slice(now);
            }
            filled.increase(n);
            column.increase(n);
            rest = later;
        }
        self.cut = filled;
        let taken = text.len().minus(rest.len());
        let groups = filled & !3;
        let chars = prefix(&self.chars, groups);
        let (chars, raw, padded, wrong) = decode_groups(chars, &mut self.raw);
        Batch { taken, chars, raw, padded, wrong }
    }

    /// Number of characters to decode at a time: not many more than a short element can have.
    fn batch_size(&self) -> usize {
        if self.phase == Phase::Head {
            return LINE as usize;
        }
        // Characters beyond the element are decoded in vain, and again for the next element.
        // Stored blocks are the longest form that a compressor produces. The size is a claim of the file and the result
        // only an estimate, so the sums saturate.
        let longest = self.size.saturating_add(self.size >> 12).saturating_add(64);
        let longest = longest.saturating_sub(self.decoded >> 1).max(57);
        usize::try_from(longest.saturating_mul(4).div_ceil(3)).unwrap_or(CHARS).min(CHARS) & !3
    }

    /// Checks the stored size and the format byte, and begins the stream.
    fn begin_stream(&mut self, section: &Section, buffer: &[u8]) -> Result<(), Error<ErrorKind>> {
        let [size @ .., format] = self.head;
        if format != b'z' {
            return Err(Error::new(self.begin, ErrorKind::FormatByte { found: format }));
        }
        self.size = u64::from_be_bytes(size);
        if section.has_one_size() && u128::from(self.size) != section.e.get() {
            let kind = ErrorKind::SizeDiffers { announced: section.e, stored: self.size };
            return Err(Error::new(self.begin, kind));
        }
        if !self.is_whole_in(buffer) && buffer.len() < WINDOW {
            return Err(Error::new(self.begin, ErrorKind::BufferTooSmall { needed: self.size }));
        }
        self.phase = Phase::Stream;
        Ok(())
    }

    /// True if the buffer holds the whole element, so that no window is needed.
    fn is_whole_in(&self, buffer: &[u8]) -> bool {
        usize::try_from(self.size).is_ok_and(|size| size <= buffer.len())
    }

    /// Passes the batch from its byte `from` on to the stream. Returns `None` if the stream has taken all of it and
    /// needs more. Otherwise a part of the element is ready, or all of it.
    fn inflate(
        &mut self,
        batch: &Batch,
        from: usize,
        buffer: &mut [u8],
    ) -> Result<Option<Fed>, Error<ErrorKind>> {
        let is_whole = self.is_whole_in(buffer);
        let mut flags =
            inflate_flags::TINFL_FLAG_PARSE_ZLIB_HEADER | inflate_flags::TINFL_FLAG_HAS_MORE_INPUT;
        let length = if is_whole {
            usize::try_from(self.size).unwrap_or(0)
        } else {
            // The window must be a power of two.
            1_usize.wrapping_shl(buffer.len().checked_ilog2().unwrap_or(0))
        };
        let out = prefix_mut(buffer, length);
        let place = if is_whole || self.produced < length as u64 {
            // With this flag the stream detects references to bytes before its beginning. In a wrapping window they
            // would read stale bytes of the buffer.
            flags |= inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
            self.produced
        } else {
            self.produced & (length as u64).minus(1)
        };
        let place = usize::try_from(place).unwrap_or(0);
        let window_end = out.len();
        // After a return in the middle of a group, its first bytes are decoded again, but not passed again: `from` is `drop`.
        let input = part(&self.raw, from..batch.raw);
        let given = input.len();
        let (status, read, written) = decompress(&mut self.stream, input, out, place, flags);
        self.produced.increase(written as u64);
        let begin = self.begin;
        let fail = |kind| Err(Error::new(begin, kind));
        if self.produced > self.size {
            return fail(ErrorKind::TooMuch { announced: self.size });
        }
        let used = from.plus(read);
        // A full window is returned before anything after it is examined, so that the result does not depend on how the
        // input is divided. The last part is returned only after the stream has ended and its checksum is verified.
        let is_full = self.produced.minus(self.given) == window_end as u64;
        if is_full && !is_whole && self.produced < self.size {
            // The line break of the last line is not consumed here, so another call follows. It continues the stream,
            // or finds that it has ended too early.
            let consumed = self.rewind(used);
            return Ok(Some(Fed { consumed, ready: Some(self.ready(window_end)) }));
        }
        match status {
            TINFLStatus::NeedsMoreInput => Ok(None),
            // The stream returns this even if the output is full and only its end is missing.
            TINFLStatus::HasMoreOutput if read == given && !self.has_pending_output() => Ok(None),
            TINFLStatus::HasMoreOutput => fail(ErrorKind::TooMuch { announced: self.size }),
            TINFLStatus::Done if self.produced < self.size => {
                fail(ErrorKind::TooLittle { announced: self.size, found: self.produced })
            }
            TINFLStatus::Done => {
                let consumed = self.end_element(batch, used)?;
                // 0: the window was full before this call, which only read the end of the stream.
                let end = match place.plus(written) {
                    0 => window_end,
                    end => end,
                };
                let ready = self.ready(end);
                self.index.increase(1);
                Ok(Some(Fed { consumed, ready: Some(ready) }))
            }
            TINFLStatus::Adler32Mismatch => fail(ErrorKind::Adler32),
            _ => fail(ErrorKind::Deflate),
        }
    }

    /// True if the stream holds another byte after it has filled its output and read all of its input. Such a byte is
    /// in excess, and must be reported as such wherever the input was divided. A stream that holds no byte is not
    /// changed by this call, which passes no input.
    fn has_pending_output(&mut self) -> bool {
        let flags = inflate_flags::TINFL_FLAG_PARSE_ZLIB_HEADER | inflate_flags::TINFL_FLAG_HAS_MORE_INPUT;
        let (status, _, _) = decompress(&mut self.stream, &[], &mut [0], 0, flags);
        status != TINFLStatus::NeedsMoreInput
    }

    /// The bytes that have been produced and not returned yet, and their start in the buffer. They end at `end`.
    fn ready(&mut self, end: usize) -> (Element, usize) {
        let length = usize::try_from(self.produced.minus(self.given)).unwrap_or(0);
        let element = Element { index: self.index, size: self.size, offset: self.given, length };
        self.given = self.produced;
        (element, end.minus(length))
    }

    /// Keeps the first `used` bytes of a batch, which the stream has taken, and drops the rest. Returns the number of
    /// text bytes of this call that are consumed.
    fn rewind(&mut self, used: usize) -> usize {
        // Three bytes are a group of four characters. The group that is cut is decoded again by the next call.
        let groups = used.checked_div(3).unwrap_or(0).times(4);
        self.drop = used.checked_rem(3).unwrap_or(0);
        if groups == 0 {
            // Characters of a call before this one stay where they are.
            let kept = usize::try_from(self.seen_chars().minus(self.decoded)).unwrap_or(0);
            self.cut = kept;
            return 0;
        }
        self.decoded.increase(groups as u64);
        // Up to the last of these characters, not the line break after it.
        let seen = text_before(self.decoded.minus(1)).plus(1);
        let consumed = seen.minus(self.seen);
        self.seen = seen;
        self.cut = 0;
        usize::try_from(consumed).unwrap_or(0)
    }

    /// Characters among the text bytes that have been consumed.
    const fn seen_chars(&self) -> u64 {
        let (lines, column) = (self.seen / (LINE + 2), self.seen % (LINE + 2));
        let column = if column < LINE { column } else { LINE };
        plus(times(lines, LINE), column)
    }

    /// Ends the element: its stream is complete after the first `used` bytes of the batch. Returns the number of text
    /// bytes of this call that are consumed.
    fn end_element(&mut self, batch: &Batch, used: usize) -> Result<usize, Error<ErrorKind>> {
        let whole = used.checked_div(3).unwrap_or(0).times(4);
        let over = used.checked_rem(3).unwrap_or(0);
        let mut chars = self.decoded.plus(whole as u64);
        if over > 0 {
            // The last group must hold no byte after the stream.
            if !batch.padded || used != batch.raw {
                return Err(Error::new(self.offset(whole), ErrorKind::LeftOver));
            }
            chars.increase(4);
        }
        // A break of two bytes follows each line, also the last one.
        let length = chars.plus(chars.div_ceil(LINE).times(2));
        self.texts.add(length);
        self.elements.add(self.size);
        let left = length.minus(self.seen);
        let consumed = left.min(batch.taken as u64);
        self.phase = match left.minus(consumed) {
            0 => Phase::Start,
            line_break => Phase::Break(line_break as u8),
        };
        Ok(usize::try_from(consumed).unwrap_or(0))
    }
}

/// Text bytes before the character `char` of an element, line breaks counted.
const fn text_before(char: u64) -> u64 {
    plus(char, times(char / LINE, 2))
}

/// Decodes whole groups up to the first invalid one. Returns the number of characters and of bytes decoded, true if the
/// last group is padded, and the first invalid character.
fn decode_groups(chars: &[u8], raw: &mut [u8; RAW]) -> (usize, usize, bool, Option<(usize, u8)>) {
    let all = chars.len();
    let wrong = match STANDARD.decode_slice(chars, raw) {
        Ok(n) => return (all, n, n.times(4) < all.times(3), None),
        Err(error) => wrong_char(error).map_or(all.minus(4), |(at, _)| at),
    };
    let groups = wrong & !3;
    let (front, rest) = split(chars, groups);
    let n = STANDARD.decode_slice(front, raw.as_mut_slice()).unwrap_or(0);
    // The failing group is decoded again by itself. It may be a padded group, which is valid only at the end; the
    // result must not depend on whether the groups after it are in this batch.
    let group = prefix(rest, 4);
    match STANDARD.decode_slice(group, suffix_mut(raw, n)) {
        Ok(more) => (groups.plus(4), n.plus(more), true, None),
        Err(error) => {
            let equals = group.iter().position(|char| *char == b'=').unwrap_or(0);
            let (at, found) = wrong_char(error).unwrap_or((equals, b'='));
            (groups, n, false, Some((groups.plus(at), found)))
        }
    }
}

/// `None`: invalid padding, which is possible only in the last group.
const fn wrong_char(error: DecodeSliceError) -> Option<(usize, u8)> {
    match error {
        DecodeSliceError::DecodeError(DecodeError::InvalidByte(at, found)) => Some((at, found)),
        DecodeSliceError::DecodeError(DecodeError::InvalidLastSymbol { offset, symbol, .. }) => {
            Some((offset, symbol))
        }
        _ => None,
    }
}
