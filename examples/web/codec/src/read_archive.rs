//! The links of NERSC archives and MILC files, with all rows and in natural order, as those of LIME files.

use std::io;
use std::ops::Range;

use linkstream::io::Reader;
use linkstream::lattice::ByteOrder;
use linkstream::milc::{self, HEADER_LEN, SITE_LEN};
use linkstream::nersc::{self, LinkFormat};
use linkstream::{Decode, Error, Mode, SeekPayload};
use linkstream_access::SourceReader;
use linkstream_access::archive::{Shape, for_each_listed};
use linkstream_access::source::{ReadAtError, fill};
use linkstream_report::archive::WholeLinks;
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::numbers::{Numbers, PIECE, ended, failure, place_of, read_part};
use crate::sink::JsSink;
use crate::source::{Source, failed};

/// Bytes of the longest link.
const LONGEST: usize = 144;

type Archive<'s, D> = Reader<SourceReader<'s, io::Error>, &'s mut [u8], D>;

/// Reads from a NERSC archive. The byte order is `shown` by its checksum, if it has turned out that the first link does
/// not.
pub fn read_nersc(
    source: &Source,
    shown: Option<ByteOrder>,
    slice: Option<u32>,
    sink: &JsSink,
) -> Result<(), JsValue> {
    let mut buffer = vec![0; PIECE];
    let mut archive =
        Reader::new(SourceReader::new(source), &mut buffer[..], nersc::Decoder::new(Mode::Lenient));
    let shape = loop {
        match archive.next().map_err(failure)? {
            Some(nersc::Event::Header(header)) => {
                break Shape::of_nersc(&header, archive.decoder().position());
            }
            Some(_) => {}
            None => return Err(ended(&mut archive)),
        }
    };
    let order = match shape.order.or(shown) {
        Some(order) => order,
        None => guessed(source, &shape)?,
    };
    let links = Links::begin(source, &shape, order, slice, sink)?;
    if slice.is_some() {
        return links.read_part(&mut archive);
    }
    let verdict = links.read_all(&mut archive, |event| match event {
        nersc::Event::Data => Event::Data,
        nersc::Event::Verdict(_) => Event::Verdict,
        _ => Event::Other,
    })?;
    match verdict {
        Some(nersc::Event::Verdict(nersc::Verdict::Match { computed, .. })) if computed.order != order => {
            read_nersc(source, Some(computed.order), slice, sink)
        }
        _ => Ok(()),
    }
}

/// The byte order that the first link shows. One that is missing is reported when it is read.
fn guessed(source: &Source, shape: &Shape) -> Result<ByteOrder, JsValue> {
    let mut link = [0; LONGEST];
    match fill(source, shape.data_at, &mut link[..shape.format(ByteOrder::Big).bytes()]) {
        Ok(()) | Err(ReadAtError::Ended) => Ok(shape.guessed(&link)),
        Err(ReadAtError::Io(error)) => Err(failed(&error)),
    }
}

/// Reads from a MILC file.
pub fn read_milc(source: &Source, slice: Option<u32>, sink: &JsSink) -> Result<(), JsValue> {
    let mut buffer = vec![0; PIECE];
    let mut archive =
        Reader::new(SourceReader::new(source), &mut buffer[..], milc::Decoder::new(Mode::Lenient));
    let header = loop {
        match archive.next().map_err(failure)? {
            Some(milc::Event::Header(header)) => break header,
            Some(_) => {}
            None => return Err(ended(&mut archive)),
        }
    };
    // The list of sites, if there is one, which is verified.
    while archive.decoder().stored().is_none() {
        if archive.next().map_err(failure)?.is_none() {
            return Err(ended(&mut archive));
        }
    }
    let shape = Shape::of_milc(&header);
    let links = Links::begin(source, &shape, header.order(), slice, sink)?;
    let kind = |event: &milc::Event| match event {
        milc::Event::Data => Event::Data,
        milc::Event::Verdict(_) => Event::Verdict,
        _ => Event::Other,
    };
    match (header.has_site_list(), slice) {
        (false, None) => links.read_all(&mut archive, kind).map(|_| ()),
        (false, Some(_)) => links.read_part(&mut archive),
        (true, None) => {
            until_verdict(&mut archive, kind, |_| Ok(()))?;
            links.read_listed(source, &shape, &mut archive)
        }
        (true, Some(_)) => links.read_listed(source, &shape, &mut archive),
    }
}

/// What an event of either decoder is.
enum Event {
    Data,
    Verdict,
    Other,
}

/// Reads the data to their end. What is wrong with them, also with their checksum, is an error.
fn until_verdict<D: Decode>(
    archive: &mut Archive<'_, D>,
    kind: impl Fn(&D::Event) -> Event,
    mut put: impl FnMut(&[u8]) -> Result<(), JsValue>,
) -> Result<Option<D::Event>, JsValue> {
    while let Some(event) = archive.next().map_err(failure)? {
        match kind(&event) {
            Event::Data => put(archive.bytes())?,
            Event::Verdict => return Ok(Some(event)),
            Event::Other => {}
        }
    }
    Ok(None)
}

/// The links that were asked for.
struct Links<'s> {
    format: LinkFormat,
    /// Their bytes among those of all links with all rows.
    place: Range<u64>,
    numbers: Numbers<'s>,
}

impl<'s> Links<'s> {
    fn begin(
        source: &Source,
        shape: &Shape,
        order: ByteOrder,
        slice: Option<u32>,
        sink: &'s JsSink,
    ) -> Result<Self, JsValue> {
        let (field, format) = (shape.field(), shape.format(order));
        let place = place_of(&field, slice)?;
        // What a header claims is not allocated.
        let most = source.at_most(u64::MAX) / format.bytes() as u64;
        let length = (place.end - place.start).min(most.saturating_mul(format.whole_bytes() as u64));
        Ok(Self { format, place, numbers: Numbers::begin(&field, length, sink)? })
    }

    fn read_all<D: Decode>(
        &self,
        archive: &mut Archive<'_, D>,
        kind: impl Fn(&D::Event) -> Event,
    ) -> Result<Option<D::Event>, JsValue> {
        let mut links = WholeLinks::new(self.format);
        until_verdict(archive, kind, |bytes| {
            links.feed(bytes);
            self.numbers.put(links.whole())
        })
    }

    fn read_part<D: SeekPayload>(&self, archive: &mut Archive<'_, D>) -> Result<(), JsValue> {
        let mut links = WholeLinks::new(self.format);
        let stored = |bytes: u64| bytes / self.format.whole_bytes() as u64 * self.format.bytes() as u64;
        read_part(archive, stored(self.place.start)..stored(self.place.end), |bytes| {
            links.feed(bytes);
            self.numbers.put(links.whole())
        })
    }

    /// Puts the sites of a MILC file where the list has them.
    fn read_listed(
        &self,
        source: &Source,
        shape: &Shape,
        archive: &mut Archive<'_, milc::Decoder>,
    ) -> Result<(), JsValue> {
        let site = SITE_LEN as u64;
        let wanted = self.place.start / site..self.place.end / site;
        let mut links = WholeLinks::new(self.format);
        // Without an error, the file ended.
        let read = |offset: u64, out: &mut [u8]| {
            fill(source, offset, out).map_err(|error| match error {
                ReadAtError::Io(error) => Some(failed(&error)),
                ReadAtError::Ended => None,
            })
        };
        let listed = for_each_listed(shape, &wanted, read, |rank, bytes| {
            links.feed(bytes);
            self.numbers.put_at((rank - wanted.start) * site, links.whole()).map_err(Some)
        });
        match listed {
            Ok(true) => Ok(()),
            Ok(false) => Err(Failure::of(&Error::new(HEADER_LEN as u64, milc::ErrorKind::SiteList))),
            Err(error) => Err(error.unwrap_or_else(|| ended(archive))),
        }
    }
}
