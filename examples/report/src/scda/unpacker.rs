//! Decompresses the elements of a section on all cores, with the same events as the codec's `Unpacker`.

use std::collections::VecDeque;
use std::convert::Infallible;

use linkstream::Limits;
use linkstream::scda::{
    Decoder, Element, ElementUnpacker, ErrorKind, Event, Section, SectionType, element_size,
};
use linkstream::{Decode, Demand, Error, Step};
use linkstream_arithmetic::parallel;
use linkstream_memory as memory;

/// Maximum size of a reported part of an element if elements are decompressed one after the other.
const PART: usize = 1 << 20;
/// Maximum size of an element that is decompressed in parallel, before and after compression. Larger ones are
/// decompressed one after the other, in constant memory.
const LONGEST: usize = 16 << 20;
/// Maximum number of text sizes that are kept. In a section with more texts, elements are decompressed one after the
/// other.
const MOST_SIZES: usize = 4 << 20;
/// Maximum number of bytes that a zlib stream can produce from one byte.
const DEFLATE_RATIO: u64 = 1032;

/// Amount of text that is collected before it is divided among threads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Batch {
    /// Minimum length of the text of a section. Sections with less text are decompressed in order.
    pub(super) worthwhile: u64,
    /// Number of bytes of text for each thread.
    pub(super) text: usize,
}

const BATCH: Batch = Batch { worthwhile: 256 << 10, text: 1 << 20 };

/// Reads sections like the `Unpacker` of the codec and reports the same elements and findings, in the same order and
/// with the same offsets, except that an element of up to 16 MiB is reported as one part. Memory is bounded: for each
/// thread, 1 MiB of text and its elements, or one element of up to 16 MiB; and the sizes of 4 million texts.
///
/// Only elements without errors are decompressed here. From the first element with an error on, the `Unpacker` of the
/// codec reads the section. Text that it cannot decompress is not reported.
#[derive(Debug)]
pub struct Unpacker {
    inner: linkstream::scda::Unpacker<Vec<u8>>,
    batch: Batch,
    /// The current section, as long as its elements are decompressed in parallel.
    section: Option<Section>,
    /// Number of the next element to be reported.
    index: u64,
    /// Sizes of the texts that have not been decompressed yet, as far as they have been read.
    sizes: VecDeque<u64>,
    /// Number of text sizes that have been read.
    sizes_seen: usize,
    /// Text that has been consumed.
    text: Vec<u8>,
    /// Number of bytes of `text` that `inner` has passed.
    passed: usize,
    /// Number of bytes of text in the next batch; 0 if it is not known yet.
    wanted: usize,
    /// Elements that have been decompressed, but not reported yet. They follow each other in `bytes`.
    ready: VecDeque<Ready>,
    bytes: Vec<u8>,
    /// The range in `bytes` of the element that was reported last; `None` if `inner` has it.
    pub(super) reported: Option<(usize, usize)>,
    /// The remaining text is read by `inner`.
    is_replayed: bool,
}

/// An element that has been decompressed: the length of its text, and where its bytes are.
#[derive(Debug, Clone, Copy)]
struct Ready {
    text: usize,
    from: usize,
    size: usize,
}

/// The work of a thread on one text.
struct Job<'b> {
    text: &'b [u8],
    element: &'b mut [u8],
    is_whole: &'b mut bool,
}

impl Unpacker {
    /// An unpacker with this decoder, which must be before a section.
    pub fn new(sections: Decoder) -> Self {
        Self::with(sections, BATCH)
    }

    pub(super) fn with(sections: Decoder, batch: Batch) -> Self {
        Self {
            inner: linkstream::scda::Unpacker::new(sections, memory::unwinding::zeroed(PART)),
            batch,
            section: None,
            index: 0,
            sizes: VecDeque::new(),
            sizes_seen: 0,
            text: Vec::new(),
            passed: 0,
            wanted: 0,
            ready: VecDeque::new(),
            bytes: Vec::new(),
            reported: None,
            is_replayed: false,
        }
    }

    /// The bytes of the part of an element that was reported last.
    #[expect(clippy::indexing_slicing, reason = "`unpack` has made room for all elements that are reported")]
    pub fn bytes(&self) -> &[u8] {
        match self.reported {
            Some((from, to)) => &self.bytes[from..to],
            None => self.inner.bytes(),
        }
    }

    /// The decoder of the sections, which has their strings and counts.
    pub const fn sections(&self) -> &Decoder {
        self.inner.sections()
    }

    /// Does not decompress the texts of the current section, so that they can be skipped.
    pub fn leave_packed(&mut self) {
        self.in_order();
        self.inner.leave_packed();
    }

    /// Follows the events before the texts.
    fn note(&mut self, event: &Event) {
        match event {
            Event::Section(section) => {
                // A block has a single element.
                let has_elements = matches!(section.section_type, SectionType::Array | SectionType::Varray);
                let several = section.is_compressed() && has_elements && parallel::threads() > 1;
                self.section = several.then_some(*section);
                (self.index, self.sizes_seen, self.wanted) = (0, 0, 0);
                self.sizes.clear();
            }
            Event::TextSize(size) if self.section.is_some() => {
                self.sizes_seen = self.sizes_seen.saturating_add(1);
                self.sizes.push_back(*size);
                if self.sizes_seen > MOST_SIZES {
                    self.in_order();
                }
            }
            Event::Compressed(_) | Event::Finding(_) => self.in_order(),
            _ => {}
        }
    }

    /// Lets `inner` decompress the rest of the section.
    fn in_order(&mut self) {
        self.section = None;
        self.sizes = VecDeque::new();
        self.wanted = 0;
    }

    /// Number of bytes of text in the next batch. `None` if `inner` must read the next bytes.
    fn batch_text(&mut self) -> Option<usize> {
        let section = self.section?;
        if self.wanted > 0 {
            return Some(self.wanted);
        }
        let Demand::Skip(left) = self.inner.sections().demand() else { return None };
        // The sizes of all texts precede the first text, and `inner` reads them.
        let all = self.sizes_seen as u128 == section.n.get();
        let is_worthwhile = self.index > 0 || left >= self.batch.worthwhile;
        if !all || self.sizes.is_empty() || !is_worthwhile {
            return None;
        }
        let threads = parallel::threads();
        let mut text = 0_usize;
        for (before, size) in self.sizes.iter().enumerate() {
            let enough = before >= threads && text >= threads.saturating_mul(self.batch.text);
            // With many threads, the text may not fit in 32 bits of memory; then the batch is smaller.
            let size = usize::try_from(*size).ok().filter(|size| *size <= LONGEST && !enough);
            match size.and_then(|size| text.checked_add(size)) {
                Some(longer) => text = longer,
                None => break,
            }
        }
        if text == 0 || text as u64 > left {
            self.in_order();
            return None;
        }
        self.wanted = text;
        Some(text)
    }

    /// Decompresses the batch, up to the first error or the limit of memory.
    fn unpack(&mut self) {
        let Some(section) = self.section else { return };
        let mut planned = Vec::new();
        let most = LONGEST.saturating_mul(parallel::threads());
        let (mut from, mut rest) = (0_usize, self.text.get(..self.wanted).unwrap_or(&self.text));
        while !rest.is_empty() {
            let length = self.sizes.get(planned.len()).map_or(0, |size| *size as usize);
            // No text of this length can contain a larger element, whatever size it claims.
            let limits = Limits::new(DEFLATE_RATIO.saturating_mul(length as u64));
            let Some((text, others)) = rest.split_at_checked(length) else { break };
            let size = element_size(text, limits).ok().flatten().filter(|size| *size <= LONGEST);
            let Some(size) = size else { break };
            let Some(end) = from.checked_add(size).filter(|end| *end <= most) else { break };
            planned.push(Ready { text: length, from, size });
            (from, rest) = (end, others);
        }
        let length = from.max(self.bytes.len());
        memory::unwinding::resize(&mut self.bytes, length);
        let mut whole = vec![false; planned.len()];
        let (mut texts, mut elements) = (&self.text[..], &mut self.bytes[..]);
        let mut jobs = Vec::with_capacity(planned.len());
        for (ready, is_whole) in planned.iter().zip(&mut whole) {
            // This always succeeds. A text without a job would be left to `inner`, like one with an error.
            let Some((text, other_texts)) = texts.split_at_checked(ready.text) else { break };
            let Some((element, other_elements)) = elements.split_at_mut_checked(ready.size) else { break };
            (texts, elements) = (other_texts, other_elements);
            jobs.push(Job { text, element, is_whole });
        }
        let Ok(()) = parallel::each(true, jobs, |job, unpacker: &mut ElementUnpacker| {
            // If there is an error, `inner` will find it again, with its offset.
            *job.is_whole = unpacker.unpack(&section, job.text, 0, job.element).is_ok();
            Ok::<(), Infallible>(())
        });
        let right = whole.iter().take_while(|is_whole| **is_whole).count();
        self.ready.extend(planned.iter().take(right));
        self.sizes.drain(..right);
        self.wanted = 0;
        if right < whole.len() || right == 0 {
            self.replay_text();
        }
    }

    /// Lets `inner` read the remaining text.
    fn replay_text(&mut self) {
        self.in_order();
        self.is_replayed = true;
    }

    /// The next element that has been decompressed.
    fn next_ready(&mut self) -> Result<Option<Event>, Error<ErrorKind>> {
        let Some(Ready { text, from, size }) = self.ready.pop_front() else { return Ok(None) };
        #[expect(
            clippy::arithmetic_side_effects,
            clippy::indexing_slicing,
            reason = "`unpack` has split the texts of all ready elements off `self.text`, one after the other"
        )]
        let text = &self.text[self.passed..self.passed + text];
        self.passed = self.passed.saturating_add(text.len());
        self.inner.pass_element(text, size as u64)?;
        if self.ready.is_empty() {
            self.text.drain(..self.passed);
            self.passed = 0;
        }
        self.reported = Some((from, from.saturating_add(size)));
        let element = Element { index: self.index, size: size as u64, offset: 0, length: size };
        self.index = self.index.saturating_add(1);
        Ok(Some(Event::Element(element)))
    }

    /// The next event in the text that `inner` reads.
    fn next_replayed(&mut self) -> Result<Option<Event>, Error<ErrorKind>> {
        while self.is_replayed {
            #[expect(clippy::indexing_slicing, reason = "the steps consume no more than the text")]
            let rest = &self.text[self.passed..];
            let step = self.inner.push(rest);
            self.passed = self.passed.saturating_add(step.map_or(0, |step| step.consumed));
            if self.passed >= self.text.len() || step.is_err() {
                self.text.clear();
                self.passed = 0;
                self.is_replayed = false;
            }
            self.reported = None;
            match step?.event {
                None | Some(Event::Text) => {}
                event => return Ok(event),
            }
        }
        Ok(None)
    }

    /// The next event that needs no further input.
    fn next_known(&mut self) -> Result<Option<Event>, Error<ErrorKind>> {
        match self.next_ready()? {
            None => self.next_replayed(),
            event => Ok(event),
        }
    }
}

impl Decode for Unpacker {
    type Event = Event;
    type ErrorKind = ErrorKind;

    fn push(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        let mut consumed = 0;
        loop {
            if let Some(event) = self.next_known()? {
                return Ok(Step { consumed, event: Some(event) });
            }
            #[expect(clippy::indexing_slicing, reason = "no more bytes are consumed than there are")]
            let rest = &input[consumed..];
            let Some(wanted) = self.batch_text() else {
                let step = self.inner.push(rest)?;
                self.reported = None;
                if let Some(event) = &step.event {
                    self.note(event);
                }
                return Ok(Step { consumed: consumed.saturating_add(step.consumed), event: step.event });
            };
            let missing = wanted.saturating_sub(self.text.len());
            let n = missing.min(rest.len());
            memory::unwinding::extend(&mut self.text, rest.get(..n).unwrap_or(rest));
            consumed = consumed.saturating_add(n);
            if n < missing {
                return Ok(Step { consumed, event: None });
            }
            self.unpack();
        }
    }

    fn finish(&mut self) -> Result<Option<Event>, Error<ErrorKind>> {
        if let Some(event) = self.next_known()? {
            return Ok(Some(event));
        }
        if !self.text.is_empty() {
            self.replay_text();
            if let Some(event) = self.next_replayed()? {
                return Ok(Some(event));
            }
        }
        self.inner.finish()
    }

    fn demand(&self) -> Demand {
        if !self.ready.is_empty() || self.is_replayed {
            return Demand::Bytes(0);
        }
        if self.text.is_empty() {
            return self.inner.demand();
        }
        Demand::Bytes(self.wanted.saturating_sub(self.text.len()) as u64)
    }

    fn skip(&mut self, n: u64) -> Result<(), Error<ErrorKind>> {
        self.inner.skip(n)
    }

    fn position(&self) -> u64 {
        self.inner.position().saturating_add(self.text.len().saturating_sub(self.passed) as u64)
    }
}
