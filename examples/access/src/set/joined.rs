//! A file set as the single file with the same fields: the bytes of this file, and their places in the volumes. The
//! single file has the documents of the first volume, and data in lexicographic order.

use linkstream::lattice::{Region, SiteOrder};
use linkstream::lime::{HEADER_LEN, Header, Record, padding};
use linkstream::scidac::{PRIVATE_FILE_XML, PrivateFile, SITELIST, VolumeFormat};
use linkstream::xml::Spacing;
use linkstream_memory as memory;

use super::gather::covers;
use super::open::{OpenSet, SetFault};
use super::open_volume::for_each_rank;
use crate::source::{ReadAtError, Source, fill, read_some};

/// Size of a buffer for the private file XML that is written here; the longest one has eight extents.
const DOCUMENT: usize = 1024;

/// The single file.
#[expect(missing_debug_implementations, reason = "sources need not implement it")]
pub struct Joined<'s, E> {
    pub set: OpenSet<'s, E>,
    segments: Vec<Segment>,
}

/// A part of the single file.
#[derive(Debug)]
pub(crate) struct Segment {
    pub start: u64,
    pub length: u64,
    /// Offset of the bytes in the first volume that this segment replaces.
    offset: u64,
    pub content: Content,
}

#[derive(Debug)]
pub(crate) enum Content {
    Bytes(Vec<u8>),
    /// The bytes of the first volume.
    First,
    /// The data of the field with this index.
    Sites(usize),
}

impl<'s, E: embedded_io::Error + Send> Joined<'s, E> {
    /// The single file of a set with a first volume.
    ///
    /// # Errors
    /// Reason why the file set cannot be read as one file; the file set is returned with the error.
    pub fn new(set: OpenSet<'s, E>) -> Result<Self, Box<(OpenSet<'s, E>, SetFault)>> {
        let mut joined = Self { set, segments: Vec::new() };
        let added = (0..joined.set.records.len()).try_for_each(|index| joined.add(index));
        match added {
            Ok(()) => Ok(joined),
            Err(fault) => Err(Box::new((joined.set, fault))),
        }
    }

    /// Adds the segments that replace a record of the first volume.
    fn add(&mut self, index: usize) -> Result<(), SetFault> {
        let Some((first, (record, record_type))) = self.set.volumes.first().zip(self.set.records.get(index))
        else {
            return Ok(());
        };
        let (record, at) = (*record, record.payload_offset());
        if record_type == SITELIST.as_bytes() {
            return Ok(());
        }
        let is_document = record_type == PRIVATE_FILE_XML.as_bytes();
        if let Some(document) = first.decoder.content().private_file().filter(|_| is_document) {
            let document = of_single(document).ok_or(SetFault::Changed)?;
            let length = document.len() as u64;
            self.begin(index, length)?;
            self.push(length, at, Content::Bytes(document))?;
            return self.pad(length, at);
        }
        let field = self.set.fields.iter().position(|field| field.record.offset == record.offset);
        let field = field.and_then(|number| Some((number, self.set.fields.get(number)?)));
        let Some((number, field)) = field.filter(|(_, field)| field.region != Region::Global) else {
            // The padding is written anew, because the last record may have none.
            let length = record.length.checked_add(HEADER_LEN as u64).ok_or(SetFault::LargeSites)?;
            self.push(length, record.offset, Content::First)?;
            return self.pad(record.length, record.offset);
        };
        let length = field.data_length().ok_or(SetFault::LargeSites)?;
        self.begin(index, length)?;
        self.push(length, at, Content::Sites(number))?;
        self.pad(length, at)
    }

    /// Adds the header of a record that replaces another one.
    fn begin(&mut self, index: usize, length: u64) -> Result<(), SetFault> {
        let (record, record_type) = self.set.records.get(index).ok_or(SetFault::Changed)?;
        let header = Header::new(record_type, length, record.begin, record.end);
        let header = header.map_err(|_| SetFault::Changed)?;
        self.push(HEADER_LEN as u64, record.offset, Content::Bytes(header.as_bytes().to_vec()))
    }

    fn pad(&mut self, length: u64, offset: u64) -> Result<(), SetFault> {
        let padding = padding(length);
        self.push(padding.into(), offset, Content::Bytes(vec![0; padding.into()]))
    }

    /// Adds a segment. All offsets in the single file fit in 64 bits, so that no two segments overlap.
    fn push(&mut self, length: u64, offset: u64, content: Content) -> Result<(), SetFault> {
        let start = self.length();
        start.checked_add(length).ok_or(SetFault::LargeSites)?;
        if length > 0 {
            memory::unwinding::push(&mut self.segments, Segment { start, length, offset, content });
        }
        Ok(())
    }

    /// The length of the file in bytes.
    pub fn length(&self) -> u64 {
        self.segments.last().map_or(0, |last| last.start.saturating_add(last.length))
    }

    /// The segment that contains a byte, with the offset of the byte in it.
    pub(crate) fn segment(&self, at: u64) -> Option<(&Segment, u64)> {
        let number = self.segments.partition_point(|segment| segment.start <= at).checked_sub(1)?;
        let segment = self.segments.get(number)?;
        Some((segment, at.checked_sub(segment.start)?)).filter(|(segment, from)| *from < segment.length)
    }

    /// The index of the field whose data begin at this offset.
    pub fn field_at(&self, at: u64) -> Option<usize> {
        match self.segment(at)? {
            (Segment { content: Content::Sites(number), .. }, 0) => Some(*number),
            _ => None,
        }
    }

    /// The record of the first volume that is replaced by the one at this offset.
    pub fn record_at(&self, offset: u64) -> Option<Record> {
        let (_, at) = self.origin(offset);
        self.set.records.iter().map(|(record, _)| *record).find(|record| record.offset == at)
    }

    /// The index of the volume that has a byte, and the offset there.
    pub fn origin(&self, at: u64) -> (usize, u64) {
        match self.segment(at) {
            Some((Segment { content: Content::Sites(number), offset, .. }, from)) => {
                self.site_origin(*number, from).unwrap_or((0, *offset))
            }
            Some((Segment { content: Content::Bytes(_), offset, length, .. }, from)) => {
                (0, offset.saturating_add(if *length == HEADER_LEN as u64 { from } else { 0 }))
            }
            Some((segment, from)) => (0, segment.offset.saturating_add(from)),
            // The end of the file.
            None => (0, self.set.records.last().map_or(0, |(record, _)| record.next_offset())),
        }
    }

    /// The place of a byte of a field's data; `None` if its site is in no list.
    #[expect(clippy::arithmetic_side_effects, reason = "the divisor is at least 1")]
    fn site_origin(&self, number: usize, from: u64) -> Option<(usize, u64)> {
        let field = self.set.fields.get(number)?;
        let size = field.bytes_per_site.max(1);
        let wanted = SiteOrder::at(field.extents, field.region, from / size).rank();
        for (index, volume) in self.set.volumes.iter().enumerate() {
            let (mut before, mut is_found) = (0_u64, false);
            // An error is ignored: the list could be read before, and a volume that has changed since then has worse
            // errors.
            let _ = for_each_rank(volume, |rank| {
                is_found |= rank == wanted;
                before = before.saturating_add((!is_found && covers(field, rank)).into());
            });
            if is_found {
                let data = volume.data.get(number).copied().flatten()?;
                let in_data = before.saturating_mul(size).saturating_add(from % size);
                return Some((index, data.payload_offset().saturating_add(in_data)));
            }
        }
        None
    }
}

/// The single file with zeros in place of its data.
impl<E: embedded_io::Error + Send> Source for Joined<'_, E> {
    type Error = E;

    fn length(&self) -> Result<u64, E> {
        Ok(self.length())
    }

    fn is_changed(&self) -> Result<bool, E> {
        for volume in &self.set.volumes {
            if volume.source.is_changed()? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<usize, E> {
        let Some((segment, from)) = self.segment(offset) else { return Ok(0) };
        let left = segment.length.saturating_sub(from);
        let n = usize::try_from(left).map_or(out.len(), |left| left.min(out.len()));
        let (out, _) = out.split_at_mut(n);
        let at = segment.offset.saturating_add(from);
        match (&segment.content, self.set.volumes.first()) {
            (Content::Bytes(bytes), _) => {
                let rest = usize::try_from(from).ok().and_then(|from| bytes.get(from..)?.get(..n));
                // A segment of bytes is as long as they are.
                let Some(rest) = rest else { return Ok(0) };
                out.copy_from_slice(rest);
            }
            (Content::First, Some(first)) => match fill(&*first.source, at, out) {
                Ok(()) => {}
                // The record is truncated.
                Err(ReadAtError::Ended) => return read_some(&*first.source, at, out),
                Err(ReadAtError::Io(error)) => return Err(error),
            },
            (Content::Sites(_) | Content::First, _) => out.fill(0),
        }
        Ok(n)
    }
}

/// The private file XML, changed to describe a single file.
fn of_single(document: &PrivateFile) -> Option<Vec<u8>> {
    let mut buffer = vec![0; DOCUMENT];
    let length =
        document.clone().with_volume_format(VolumeFormat::Single).emit(Spacing::Line, &mut buffer).ok()?;
    buffer.truncate(length);
    Some(buffer)
}
