//! The list of the fields of a file: rank 0 reads it, and all ranks get it.

use linkstream::field::{Decoder, Event, Field, Verdict};
use linkstream::ildg::{self, Format};
use linkstream::io::Reader;
use linkstream::lattice::Checksum;
use linkstream::scidac::{self, PrivateRecord};
use linkstream::{Decode, Mode, Resumable as _, State, volume};
use linkstream_memory as memory;

use super::layout::Layout;
use super::source::{FileSource, Kept};
use crate::comm::{Comm, CommError};
use crate::error::Fault;
use crate::file::SharedFile;

/// Size of the buffer that documents are read into: a request of the file.
pub(super) const BUFFER: usize = 4096;

/// Longer payloads of other records are skipped, not read.
pub(super) const LONG: u64 = 64 << 10;

/// A field of a file, as its documents describe it.
#[derive(Debug, Clone)]
pub struct FoundField {
    /// The state of the decoder where the data begin.
    pub(super) decoder: Described,
    pub(super) field: Field,
    pub(super) checksum: Option<Checksum>,
    pub(super) text: String,
    pub(super) lfn: String,
    pub(super) update: String,
}

/// The decoder that has read the documents of a field.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "both have about the same size in practice")]
pub(super) enum Described {
    File(Decoder),
    /// A field of a file set, and whether it has an `ildg-format`.
    Set(volume::Decoder, bool),
}

impl FoundField {
    /// The layout of the data, and their position in the file.
    #[must_use]
    pub const fn layout(&self) -> &Field {
        &self.field
    }

    /// The stored checksum; `None` if none is stored, or only one of its two sums.
    #[must_use]
    pub const fn checksum(&self) -> Option<Checksum> {
        self.checksum
    }

    /// The `scidac-private-record-xml`; `None` if the field has none.
    #[must_use]
    pub fn record(&self) -> Option<&PrivateRecord> {
        let record = match &self.decoder {
            Described::File(decoder) => decoder.private_record(),
            Described::Set(decoder, _) => decoder.content().private_record(),
        };
        record.filter(|_| self.field.described_by == linkstream::field::DescribedBy::Scidac)
    }

    /// The `ildg-format`; `None` if the field has none.
    #[must_use]
    pub fn format(&self) -> Option<&Format> {
        match &self.decoder {
            Described::File(decoder) => decoder.format().filter(|_| decoder.format_describes_field()),
            Described::Set(decoder, has_format) => decoder.content().format().filter(|_| *has_format),
        }
    }

    /// Number of sites of a rank in the data, for the size of its memory: fewer than the layout has if the data cover a
    /// hypercube, and one on rank 0 if they are global.
    ///
    /// # Errors
    /// The layout is of another lattice.
    pub fn sites_of(&self, layout: &Layout<'_>, rank: usize) -> Result<u64, Fault> {
        Ok(layout.of_field(&self.field, rank == 0)?.sites())
    }

    /// The text of the `scidac-record-xml` of this field; empty if there is none, or it is longer than 64 KiB.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The logical file name, if it is stored between the data of the last field and of this one.
    #[must_use]
    pub fn lfn(&self) -> &str {
        &self.lfn
    }

    /// The `ildg-update` of this field; empty if there is none.
    #[must_use]
    pub fn update(&self) -> &str {
        &self.update
    }
}

/// The content of a file.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) fields: Vec<FoundField>,
    /// The text of the file message.
    pub(super) title: String,
}

/// Reads everything but the data, and checks it in strict mode, up to the end of the file. Data that the file does not
/// contain are an error.
pub(super) fn scan<C: Comm, F: SharedFile<C>>(file: &mut F, kept: &mut Kept) -> Result<Contents, Fault> {
    let source = FileSource::new(file, kept, 0);
    let mut reader = Reader::new(source, vec![0; BUFFER], Decoder::new(Mode::Strict));
    let mut contents = Contents::default();
    let mut texts = Texts::default();
    let mut current: Option<FoundField> = None;
    let mut is_empty = true;
    loop {
        let event = match reader.next() {
            Ok(Some(event)) => event,
            // The decoder takes an empty file for one without messages. It is certainly not what was written.
            Ok(None) if is_empty => return Err(Fault::file(0, "format-unknown", "the file is empty")),
            Ok(None) => break,
            Err(error) => return Err(reader.into_parts().0.fault(error)),
        };
        is_empty = false;
        let mut skips = false;
        match event {
            Event::Field => {
                let decoder = reader.decoder().clone();
                if let Some(field) = decoder.field().copied() {
                    let Texts { text, lfn, update, .. } =
                        std::mem::take(&mut texts).into_strings(&mut contents.title);
                    let decoder = Described::File(decoder);
                    current = Some(FoundField { decoder, field, checksum: None, text, lfn, update });
                }
                skips = true;
            }
            Event::Record(record) => {
                skips = record.length > LONG;
            }
            Event::Payload => texts.take(reader.decoder().record_type(), reader.bytes()),
            Event::Verdict(_) => {
                contents.fields.extend(current.take());
                // A checksum record in another message brings a second verdict.
                let decoder = reader.decoder();
                if let Some((field, _)) = contents.fields.last_mut().zip(decoder.checksum_offset()) {
                    field.checksum = decoder.stored_checksum().checksum();
                }
            }
            _ => {}
        }
        if skips && let Err(error) = reader.skip_seeking() {
            return Err(reader.into_parts().0.fault(error));
        }
    }
    let _ = texts.into_strings(&mut contents.title);
    Ok(contents)
}

/// The result of comparing the checksum of all data of a field with the stored one, as the codec's decoder finds it: it
/// continues after the data.
pub(super) fn judge<C: Comm, F: SharedFile<C>>(
    file: &mut F,
    kept: &mut Kept,
    found: &FoundField,
    computed: Checksum,
) -> Result<Verdict, Fault> {
    let Described::File(mut decoder) = found.decoder.clone() else { return Ok(Verdict::Unchecked) };
    let record = found.field.record;
    let supplied = decoder.skip(record.length).and_then(|()| decoder.supply_checksum(computed));
    supplied.map_err(|error| Fault::usage(error.to_string()))?;
    let source = FileSource::new(file, kept, record.payload_offset() + record.length);
    let mut reader = Reader::new(source, vec![0; BUFFER], decoder);
    let mut last = Verdict::Unchecked;
    loop {
        match reader.next() {
            // A checksum record can follow in another message, as long as no other data come.
            Ok(Some(Event::Verdict(verdict))) if verdict.is_absent() => last = verdict,
            Ok(Some(Event::Verdict(verdict))) => return Ok(verdict),
            Ok(None | Some(Event::Field)) => return Ok(last),
            Ok(Some(_)) => {}
            Err(error) => return Err(reader.into_parts().0.fault(error)),
        }
    }
}

/// Texts since the last field.
#[derive(Debug, Default)]
pub(super) struct Texts<T = Vec<u8>> {
    title: T,
    pub(super) text: T,
    pub(super) lfn: T,
    pub(super) update: T,
}

/// Types of the records that have texts.
const TYPES: [&str; 4] = [scidac::FILE_XML, scidac::RECORD_XML, ildg::DATA_LFN, ildg::UPDATE];

impl Texts {
    /// True if a record of this type has a text.
    pub(super) fn has(record_type: &[u8]) -> bool {
        TYPES.iter().any(|name| record_type == name.as_bytes())
    }

    pub(super) fn take(&mut self, record_type: &[u8], bytes: &[u8]) {
        let texts = [&mut self.title, &mut self.text, &mut self.lfn, &mut self.update];
        for (name, text) in TYPES.into_iter().zip(texts) {
            if record_type == name.as_bytes() {
                memory::unwinding::extend(text, bytes);
            }
        }
    }

    /// The texts without their terminators. The title belongs to the file.
    pub(super) fn into_strings(self, title: &mut String) -> Texts<String> {
        let string = |text: Vec<u8>| {
            let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
            String::from_utf8_lossy(&text[..end]).into_owned()
        };
        if !self.title.is_empty() {
            *title = string(self.title);
        }
        Texts {
            title: String::new(),
            text: string(self.text),
            lfn: string(self.lfn),
            update: string(self.update),
        }
    }
}

/// Size of the first broadcast, which suffices for a file with a few fields.
const FIRST: usize = 4096;

/// Collective: passes the contents from rank 0 to all ranks. One or two small collective calls.
pub(super) fn spread(comm: &impl Comm, contents: Contents) -> Result<Contents, Fault> {
    let bytes = if comm.rank() == 0 { to_bytes(&contents)? } else { Vec::new() };
    let bytes = broadcast(comm, bytes)?;
    if comm.rank() == 0 { Ok(contents) } else { from_bytes(&bytes).ok_or_else(malformed) }
}

/// Collective: passes bytes of rank 0, whose length only rank 0 knows, to all ranks.
pub(super) fn broadcast(comm: &impl Comm, bytes: Vec<u8>) -> Result<Vec<u8>, Fault> {
    let mut first = vec![0; FIRST];
    if comm.rank() == 0 {
        first[..8].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
        let n = bytes.len().min(FIRST - 8);
        first[8..8 + n].copy_from_slice(&bytes[..n]);
    }
    comm.broadcast(0, &mut first)?;
    let length = u64::from_le_bytes(first[..8].try_into().unwrap_or_default()) as usize;
    let mut all = first.split_off(8);
    if length > all.len() {
        let known = all.len();
        memory::resize(&mut all, length)?;
        if comm.rank() == 0 {
            all[known..].copy_from_slice(&bytes[known..]);
        }
        comm.broadcast(0, &mut all[known..])?;
    }
    all.truncate(length);
    Ok(all)
}

pub(super) fn malformed() -> Fault {
    CommError::new("the list of fields is malformed").into()
}

fn put(bytes: &mut Vec<u8>, part: &[u8]) {
    bytes.extend_from_slice(&(part.len() as u32).to_le_bytes());
    bytes.extend_from_slice(part);
}

fn take<'b>(bytes: &mut &'b [u8]) -> Option<&'b [u8]> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (part, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    *bytes = rest;
    Some(part)
}

/// The contents as bytes, for [`from_bytes`].
pub(super) fn to_bytes(contents: &Contents) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    put(&mut bytes, contents.title.as_bytes());
    for field in &contents.fields {
        match &field.decoder {
            Described::File(decoder) => {
                bytes.push(0);
                put(&mut bytes, decoder.save().map_err(|error| Fault::usage(error.to_string()))?.as_bytes());
            }
            Described::Set(decoder, has_format) => {
                bytes.push(1 + u8::from(*has_format));
                put(&mut bytes, decoder.save().map_err(|error| Fault::usage(error.to_string()))?.as_bytes());
            }
        }
        let sums = field.checksum.map(|sum| [sum.suma.to_le_bytes(), sum.sumb.to_le_bytes()].concat());
        put(&mut bytes, &sums.unwrap_or_default());
        for text in [&field.text, &field.lfn, &field.update] {
            put(&mut bytes, text.as_bytes());
        }
    }
    Ok(bytes)
}

/// The contents of bytes from [`to_bytes`].
pub(super) fn from_bytes(mut bytes: &[u8]) -> Option<Contents> {
    let bytes = &mut bytes;
    let string = |bytes: &mut &[u8]| Some(String::from_utf8_lossy(take(bytes)?).into_owned());
    let mut contents = Contents { title: string(bytes)?, fields: Vec::new() };
    while !bytes.is_empty() {
        let kind = *bytes.split_off_first()?;
        let (decoder, field) = if kind == 0 {
            let decoder = Decoder::load(&State::from_bytes(take(bytes)?).ok()?).ok()?;
            let field = *decoder.field()?;
            (Described::File(decoder), field)
        } else {
            let decoder = volume::Decoder::load(&State::from_bytes(take(bytes)?).ok()?).ok()?;
            let field = *decoder.field()?;
            (Described::Set(decoder, kind > 1), field)
        };
        let checksum = take(bytes)?.as_chunks().0;
        let checksum = match checksum {
            [suma, sumb] => {
                Some(Checksum { suma: u32::from_le_bytes(*suma), sumb: u32::from_le_bytes(*sumb) })
            }
            _ => None,
        };
        let [text, lfn, update] = [string(bytes)?, string(bytes)?, string(bytes)?];
        contents.fields.push(FoundField { decoder, field, checksum, text, lfn, update });
    }
    Some(contents)
}
