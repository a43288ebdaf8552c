//! Sections of scda files one by one: the jobs of [`SectionReader`](crate::io::SectionReader), for any source.

use core::marker::PhantomData;
use core::task::{Poll, ready};

use crate::bytes::{copy, suffix, suffix_mut};
use crate::counter::Counter as _;
use crate::io::buffer::Buffer;
use crate::io::error::ReadError;
use crate::io::format_reader::{FormatFrame, Progress, ReadState, Resume};
use crate::io::frame::{Job, Target};
#[cfg(feature = "inflate")]
use crate::scda::Unpacker;
use crate::scda::{Decoder, ElementsError, ErrorKind, Event, Section, SectionType, Sizes};
use crate::step::Decode;

/// Implemented by the decoders that a [`SectionReader`](crate::io::SectionReader) can use: [`Decoder`], and, with the
/// feature `inflate`, `Unpacker`, which decompresses sections.
///
/// ```
/// use linkstream::io::{Buffer, ReadError, SectionReader, Sections};
/// use linkstream::scda::ErrorKind;
///
/// /// The bytes that the last step decompressed.
/// fn last<R, B: Buffer, D: Sections>(sections: &SectionReader<'_, R, B, D>) -> usize {
///     sections.decoder().unpacked().len()
/// }
///
/// /// Counts sections, compressed or not.
/// fn count<R: embedded_io::Read, B: Buffer, D: Sections>(
///     mut sections: SectionReader<'_, R, B, D>,
/// ) -> Result<u64, ReadError<R::Error, ErrorKind>> {
///     let mut count = 0;
///     while sections.next_section()?.is_some() {
///         count += 1;
///     }
///     Ok(count)
/// }
/// ```
pub trait Sections: Decode<Event = Event, ErrorKind = ErrorKind> {
    /// The decoder of the sections.
    fn sections(&self) -> &Decoder;

    /// The bytes that the last step decompressed; empty if nothing is decompressed.
    fn unpacked(&self) -> &[u8];

    /// True if the decoder decompresses elements.
    const UNPACKS: bool;

    /// Leaves the current section compressed, so that it can be skipped.
    fn leave_packed(&mut self);
}

impl Sections for Decoder {
    const UNPACKS: bool = false;

    fn sections(&self) -> &Decoder {
        self
    }

    fn unpacked(&self) -> &[u8] {
        &[]
    }

    fn leave_packed(&mut self) {}
}

/// A decoder that is lent, for example one in a `static`.
impl<D: Sections> Sections for &mut D {
    const UNPACKS: bool = D::UNPACKS;

    fn sections(&self) -> &Decoder {
        D::sections(self)
    }

    fn unpacked(&self) -> &[u8] {
        D::unpacked(self)
    }

    fn leave_packed(&mut self) {
        D::leave_packed(self);
    }
}

#[cfg(feature = "inflate")]
impl<B: Buffer> Sections for Unpacker<B> {
    const UNPACKS: bool = true;

    fn sections(&self) -> &Decoder {
        Self::sections(self)
    }

    fn unpacked(&self) -> &[u8] {
        self.bytes()
    }

    fn leave_packed(&mut self) {
        Self::leave_packed(self);
    }
}

/// A part of a decompressed element that is still to be delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Part {
    /// Size of the element in bytes.
    size: u64,
    /// Number of bytes of the element before this part.
    offset: u64,
    /// Number of bytes of this part that have been delivered.
    taken: usize,
}

/// Way of reading the data of the current section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    /// There is no section, or its data were skipped.
    Closed,
    /// The data are being skipped.
    Skipping,
    Open,
    ByElement,
    ByBytes,
}

/// The position in the current section.
#[derive(Debug)]
pub struct SectionState<'t, D> {
    /// Sizes of the elements of a variable array, if the caller has lent a table for them.
    table: Option<&'t mut [u64]>,
    /// Number of sizes that have been read.
    sizes: u64,
    /// A size did not fit into the table.
    lacks_sizes: bool,
    access: Access,
    /// Number of the next element.
    index: u64,
    part: Option<Part>,
    /// Number of bytes of the next element that interrupted calls have delivered.
    before: u64,
    /// Last element of a variable array that was found by a seek.
    pub(super) sought: Sought,
    of: PhantomData<fn() -> D>,
}

/// An element of a variable array, and its place.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sought {
    /// Offset of the section.
    pub(super) section: u64,
    pub(super) index: u64,
    /// Offset of the element within the data of the array.
    pub(super) offset: u64,
}

impl<D: Sections> ReadState for SectionState<'_, D> {
    type Decoder = D;
    type ErrorKind = ErrorKind;

    const START: Self = Self {
        table: None,
        sizes: 0,
        lacks_sizes: false,
        access: Access::Closed,
        index: 0,
        part: None,
        before: 0,
        sought: Sought { section: u64::MAX, index: 0, offset: 0 },
        of: PhantomData,
    };
}

impl<D: Sections> Resume for SectionState<'_, D> {
    fn resume(&mut self, done: usize) {
        if self.access == Access::ByElement {
            self.before = self.before.saturating_add(done as u64);
        }
    }
}

impl<'t, D> SectionState<'t, D> {
    /// Sizes that were read before are not in this table.
    pub(super) const fn lend_table(&mut self, table: &'t mut [u64]) {
        self.table = Some(table);
        self.lacks_sizes = self.sizes > 0;
    }

    fn table(&self) -> &[u64] {
        self.table.as_deref().unwrap_or_default()
    }

    pub(super) const fn is_open(&self) -> bool {
        !matches!(self.access, Access::Closed | Access::Skipping)
    }

    /// Notes the next size. It is lost if the table has no room for it.
    fn note_size(&mut self, size: u64) {
        let at = usize::try_from(self.sizes).ok();
        match self.table.as_deref_mut().zip(at).and_then(|(table, at)| table.get_mut(at)) {
            Some(place) => *place = size,
            None => self.lacks_sizes = true,
        }
        self.sizes.increase(1);
    }
}

/// The frame of a reader of sections.
type SectionFrame<'t, B, D> = FormatFrame<B, D, SectionState<'t, D>>;

impl<D: Sections> Progress<SectionState<'_, D>> {
    /// Ends reading of the current section's data.
    pub(super) fn close(&mut self, frame: &mut SectionFrame<'_, impl Buffer, D>) {
        if self.state.access != Access::Closed {
            frame.decoder.get_mut().leave_packed();
        }
        (self.state.access, self.state.part, self.state.before) = (Access::Closed, None, 0);
        self.delivery.end();
    }

    /// Reads the sizes before data that will be skipped. The data cannot be read after that.
    pub(super) fn pass_sizes<E>(
        &mut self,
        frame: &mut SectionFrame<'_, impl Buffer, D>,
    ) -> Job<(), E, ErrorKind> {
        if self.state.access != Access::Closed {
            // An interrupted call is repeated: the sizes read so far are counted, but the data stay closed.
            self.state.access = Access::Skipping;
            frame.decoder.get_mut().leave_packed();
            while ready!(self.size(frame)?).is_some() {}
        }
        Poll::Ready(Ok(()))
    }

    fn open<E>(&mut self, access: Access) -> Result<(), ReadError<E, ErrorKind>> {
        if !self.state.is_open() || (self.state.access != access && self.state.access != Access::Open) {
            return Err(ReadError::NotOpen);
        }
        self.state.access = access;
        Ok(())
    }

    /// The error for a slice, table or buffer that is too short. Its length must be `needed`, in units of `size` bytes.
    pub(super) fn too_small<E>(&self, needed: u64, size: u64) -> ReadError<E, ErrorKind> {
        // The section may be compressed.
        match self.limits.decompressed().check(needed.saturating_mul(size)) {
            Ok(_) => ReadError::TooSmall { needed },
            Err(error) => ReadError::Limit(error),
        }
    }

    /// Goes to the next section, and skips the rest of the current one.
    pub(super) fn next<E>(
        &mut self,
        frame: &mut SectionFrame<'_, impl Buffer, D>,
    ) -> Job<Option<Section>, E, ErrorKind> {
        self.close(frame);
        loop {
            ready!(frame.skip()?);
            match ready!(frame.next()?) {
                Some(Event::Section(section)) => {
                    (self.state.access, self.state.sizes, self.state.index) = (Access::Open, 0, 0);
                    self.state.lacks_sizes = false;
                    return Poll::Ready(Ok(Some(section)));
                }
                Some(Event::Finding(finding)) => self.findings.note(finding),
                Some(_) => {}
                None => return Poll::Ready(Ok(None)),
            }
        }
    }

    /// Reads the next sizes of a variable array, as many as `out` holds or are left.
    pub(super) fn sizes<E>(
        &mut self,
        frame: &mut SectionFrame<'_, impl Buffer, D>,
        out: &mut [u64],
    ) -> Job<usize, E, ErrorKind> {
        if self.state.access != Access::Open || Self::is_unpacked(frame) {
            return Poll::Ready(Err(ReadError::NotOpen));
        }
        while let Some(to) = out.get_mut(self.delivery.done) {
            match ready!(self.size(frame)?) {
                Some(size) => *to = size,
                None => break,
            }
            self.delivery.add(1);
        }
        Poll::Ready(Ok(self.delivery.end()))
    }

    /// Reads the next size of a variable array; `None` after the last one, and in other sections.
    fn size<E>(&mut self, frame: &mut SectionFrame<'_, impl Buffer, D>) -> Job<Option<u64>, E, ErrorKind> {
        let section = frame.decoder.get().sections().section().stored();
        if section.section_type != SectionType::Varray
            || section.n.to_u64().is_none_or(|n| self.state.sizes >= n)
        {
            return Poll::Ready(Ok(None));
        }
        loop {
            match ready!(frame.next()?) {
                Some(Event::Size(size) | Event::TextSize(size)) => {
                    self.state.note_size(size);
                    return Poll::Ready(Ok(Some(size)));
                }
                Some(Event::Finding(finding)) => self.findings.note(finding),
                _ => return Poll::Ready(Err(ReadError::NoProgress)),
            }
        }
    }

    /// True if the elements of the current section are decompressed.
    fn is_unpacked(frame: &SectionFrame<'_, impl Buffer, D>) -> bool {
        D::UNPACKS && frame.decoder.get().sections().section().is_compressed()
    }

    /// Reads the next element into the front of a target. Returns its size; `None` after the last one.
    pub(super) fn element<E>(
        &mut self,
        frame: &mut SectionFrame<'_, impl Buffer, D>,
        target: &mut Target<'_>,
    ) -> Job<Option<usize>, E, ErrorKind> {
        let is_unpacked = Self::is_unpacked(frame);
        let sizes = Sizes::of(frame.decoder.get().sections().section(), self.state.table().len());
        // Refused before a size is read, so that the call can be repeated with a longer table.
        if self.state.is_open() && !is_unpacked {
            match sizes {
                Ok(Sizes::Table(_)) | Err(ElementsError::TableTooSmall { .. }) if self.state.lacks_sizes => {
                    return Poll::Ready(Err(ReadError::NotOpen));
                }
                Err(ElementsError::TableTooSmall { needed }) => {
                    let needed = needed.to_u64().unwrap_or(u64::MAX);
                    return Poll::Ready(Err(self.too_small(needed, size_of::<u64>() as u64)));
                }
                _ => {}
            }
        }
        self.open(Access::ByElement)?;
        if is_unpacked {
            return self.unpacked_element(frame, target.out);
        }
        while ready!(self.size(frame)?).is_some() {}
        let size = sizes.ok().and_then(|sizes| sizes.at(self.state.index, self.state.table()));
        let Some(size) = size else { return Poll::Ready(Ok(None)) };
        let rest = size.saturating_sub(self.state.before);
        let Some(rest) = usize::try_from(rest).ok().filter(|rest| *rest <= target.out.len()) else {
            return Poll::Ready(Err(self.too_small(rest, 1)));
        };
        ready!(frame.fill(target, rest, &mut self.delivery)?);
        self.state.index.increase(1);
        self.state.before = 0;
        Poll::Ready(Ok(Some(rest)))
    }

    /// Decompresses the next element into the front of `out`. Returns its size; `None` after the last one.
    fn unpacked_element<E>(
        &mut self,
        frame: &mut SectionFrame<'_, impl Buffer, D>,
        out: &mut [u8],
    ) -> Job<Option<usize>, E, ErrorKind> {
        loop {
            let Some(part) = ready!(self.part(frame)?) else { return Poll::Ready(Ok(None)) };
            let rest = part.size.saturating_sub(self.state.before);
            let size = usize::try_from(rest).ok().filter(|size| *size <= out.len());
            let Some(size) = size else {
                return Poll::Ready(Err(self.too_small(rest, 1)));
            };
            let bytes = frame.decoder.get().unpacked();
            // The parts of an element arrive one after the other.
            self.delivery.add(copy(suffix_mut(out, self.delivery.done), bytes));
            self.state.part = None;
            if part.offset.plus(bytes.len() as u64) >= part.size {
                self.state.before = 0;
                self.delivery.end();
                return Poll::Ready(Ok(Some(size)));
            }
        }
    }

    /// The part of an element that has not been delivered completely, or the next one; `None` at the end of the
    /// section.
    fn part<E>(&mut self, frame: &mut SectionFrame<'_, impl Buffer, D>) -> Job<Option<Part>, E, ErrorKind> {
        loop {
            if self.state.part.is_some() {
                return Poll::Ready(Ok(self.state.part));
            }
            // No section has so many elements: the end of this one has been reported.
            if self.state.index == u64::MAX {
                return Poll::Ready(Ok(None));
            }
            match ready!(frame.next()?) {
                #[cfg(feature = "inflate")]
                Some(Event::Element(element)) => {
                    self.state.part = Some(Part { size: element.size, offset: element.offset, taken: 0 });
                }
                // An error of compression: this element cannot be delivered. Wrong padding is only counted.
                Some(Event::Finding(error)) if !error.kind.is_of_padding() => {
                    return Poll::Ready(Err(error.into()));
                }
                Some(Event::Finding(finding)) => self.findings.note(finding),
                // Counted for `pass_sizes`. The decoder keeps what it needs of them.
                Some(Event::Size(_) | Event::TextSize(_)) => self.state.sizes.increase(1),
                // The section is complete.
                Some(Event::End) | None => self.state.index = u64::MAX,
                Some(_) => {}
            }
        }
    }

    /// Reads the next bytes of data into the front of a target. Returns their number; 0 after the last one.
    pub(super) fn bytes<E>(
        &mut self,
        frame: &mut SectionFrame<'_, impl Buffer, D>,
        target: &mut Target<'_>,
    ) -> Job<usize, E, ErrorKind> {
        self.open(Access::ByBytes)?;
        if Self::is_unpacked(frame) {
            return self.unpacked_bytes(frame, target.out);
        }
        while ready!(self.size(frame)?).is_some() {}
        let all = target.out.len();
        frame.read(target, 0..all)
    }

    /// Fills a target with the next bytes of data. The length of data that are not compressed is known, so a new call
    /// for too many bytes is refused before anything is read.
    pub(super) fn exact<E>(
        &mut self,
        frame: &mut SectionFrame<'_, impl Buffer, D>,
        target: &mut Target<'_>,
        is_new: &mut bool,
    ) -> Job<(), E, ErrorKind> {
        self.open(Access::ByBytes)?;
        let wanted = target.out.len();
        if !Self::is_unpacked(frame) {
            while ready!(self.size(frame)?).is_some() {}
            let left = frame.payload();
            if core::mem::take(is_new) && left < wanted as u64 {
                return Poll::Ready(Err(ReadError::TooFew { left }));
            }
            return frame.fill(target, wanted, &mut self.delivery);
        }
        while self.delivery.done < wanted {
            let rest = suffix_mut(target.out, self.delivery.done);
            match ready!(self.unpacked_bytes(frame, rest)?) {
                0 => return Poll::Ready(Err(ReadError::TooFew { left: self.delivery.done as u64 })),
                n => self.delivery.add(n),
            }
        }
        self.delivery.end();
        Poll::Ready(Ok(()))
    }

    /// Reads the next decompressed bytes. Returns their number; 0 after the last one.
    fn unpacked_bytes<E>(
        &mut self,
        frame: &mut SectionFrame<'_, impl Buffer, D>,
        out: &mut [u8],
    ) -> Job<usize, E, ErrorKind> {
        while !out.is_empty() {
            let Some(mut part) = ready!(self.part(frame)?) else { break };
            let rest = suffix(frame.decoder.get().unpacked(), part.taken);
            let n = copy(out, rest);
            part.taken.increase(n);
            self.state.part = (n < rest.len()).then_some(part);
            if n > 0 {
                return Poll::Ready(Ok(n));
            }
        }
        Poll::Ready(Ok(0))
    }
}
