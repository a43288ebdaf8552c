//! Lists the contents of a file, without its data. Contents that are not certain are an error: a record with a wrong
//! length, a document that cannot be read, data that end too early.

use std::sync::{Arc, Mutex, OnceLock};

use linkstream::conformance;
use linkstream::field::{self, DescribedBy as Described, Event, Field as Layout};
use linkstream::lattice::{ByteOrder, Region};
use linkstream::scidac::PrivateRecord;
use linkstream::{Class, Decode as _, Mode};
use linkstream::{inebin, milc, nersc};
use linkstream_memory as memory;

use crate::archive::{Shape, keep_line};
use crate::array::Array;
use crate::broken::Broken;
use crate::error::Error;
use crate::field::Field;
use crate::findings::{Finding, Findings};
use crate::listing::{Listing, RecordEntry, SectionEntry, Shared, add, for_each_event, refuse_surplus};
use crate::noted::{self, Search, can_have_note, is_in_line};
use crate::open_qcd;
use crate::placement::{OpenedSet, Placement};
use crate::recorded::Header as Recorded;
use crate::source::fill_most;
use crate::sums::Stored;

/// Maximum length of records of unknown types that are passed to the decoder. Longer ones are skipped.
const MAX_FOREIGN: u64 = 64 << 10;
/// Maximum length of texts of the user that are searched for notes. Longer ones are not copied, so they have none.
const MAX_TEXT: u64 = crate::write::MAX_TEXT as u64;

/// A data record. It becomes a field at the end of the file, because its checksum can follow other records.
struct DataRecord {
    layout: Layout,
    document: Option<Box<PrivateRecord>>,
    datatype: Option<String>,
    stored: Stored,
}

/// BQCD's record with the sum of the command `cksum` over the data before it, in decimal.
const CKSUM: &str = "bqcd-cksum";
/// A longer text is no number of 32 bits.
const CKSUM_LEN: usize = 64;

impl DataRecord {
    /// True if a sum of BQCD can be about the data: only an `ildg-format` describes them, and no other sum verifies them.
    fn can_have_cksum(&self) -> bool {
        self.stored == Stored::Absent && self.layout.described_by == Described::Ildg
    }

    /// The field with these data, which are in the file or in the volumes of a set.
    fn field(self, source: &Shared, set: Option<&Arc<OpenedSet>>) -> Result<Field, Error> {
        let Self { layout, document, datatype, stored } = self;
        let start = layout.record.payload_offset();
        let placement = match set.and_then(|set| Some((set, set.field_at(start)?))) {
            Some((set, number)) => Placement::Set { set: set.clone(), number, places: OnceLock::new() },
            // Global data are only in the first volume.
            None if set.is_none() || layout.region == Region::Global => {
                Placement::Contiguous { source: source.clone(), start }
            }
            None => return Err(Error::Changed),
        };
        let record = document.map(|document| *document.data());
        let array = Array::of(&layout, record.as_ref());
        Ok(Field::new(layout, array, datatype, record, stored, placement))
    }
}

/// Lists a LIME file, or the single file with the same fields as a set. With `after`, the file may be cut: the source that
/// its fields then read has other bytes after the end.
pub(crate) fn lime(
    source: &Shared,
    mode: Mode,
    set: Option<&Arc<OpenedSet>>,
    after: Option<&Shared>,
) -> Result<Listing, Error> {
    let (mut listing, mut data, mut notes) =
        (Listing::default(), Vec::<DataRecord>::new(), Search::default());
    let mut cksum = Vec::new();
    let read = for_each_event(source, conformance::Decoder::new(mode), |reader, event, findings| {
        let decoder = reader.decoder().content();
        match event {
            Event::Record(record) => {
                let record_type = decoder.record_type().to_vec();
                add(&mut listing.records, RecordEntry { record, record_type }, "records")?;
                notes.record(decoder.record_type());
                let longest = if can_have_note(decoder.record_type()) { MAX_TEXT } else { MAX_FOREIGN };
                if record.length > longest && !may_be_data(decoder.record_type()) {
                    reader.skip_seeking()?;
                }
            }
            Event::Payload => {
                notes.feed(reader.bytes());
                if decoder.record_type() == CKSUM.as_bytes() && cksum.len() < CKSUM_LEN {
                    memory::extend(&mut cksum, reader.bytes())?;
                }
            }
            Event::End if decoder.record_type() == CKSUM.as_bytes() => {
                let text = String::from_utf8(std::mem::take(&mut cksum)).unwrap_or_default();
                let sum = text.trim_matches(|c: char| c == '\0' || c.is_whitespace()).parse();
                if let (Some(data), Ok(sum)) = (data.last_mut().filter(|data| data.can_have_cksum()), sum) {
                    let length = data.layout.data_length().unwrap_or(0);
                    let offset = decoder.lime().record().payload_offset();
                    data.stored = Stored::Cksum { sum, length, offset };
                }
            }
            Event::End if notes.is_found() => note_damage(decoder.lime().record().offset, mode, findings)?,
            Event::Field => {
                described(decoder).map_or(Ok(()), |described| memory::push(&mut data, described))?;
                reader.skip_seeking()?;
            }
            Event::Verdict(_) => {
                let stored = decoder.stored_checksum();
                if let Some((data, offset)) = data.last_mut().zip(decoder.checksum_offset()) {
                    data.stored = Stored::Scidac { suma: stored.suma(), sumb: stored.sumb(), offset };
                }
            }
            Event::Finding(error) => findings.add(&error),
            _ => {}
        }
        Ok(())
    });
    (listing.warnings, listing.end) = unless_cut(read, after, !data.is_empty())?;
    let source = after.unwrap_or(source);
    listing.fields = data.into_iter().map(|data| data.field(source, set)).collect::<Result<_, _>>()?;
    Ok(listing)
}

/// The warnings about a file. With `after`, it may end too early, or break another rule after a field; the
/// rest is not listed then, for the reason that is returned too.
fn unless_cut(
    read: Result<Vec<Finding>, Error>,
    after: Option<&Shared>,
    has_field: bool,
) -> Result<(Vec<Finding>, Option<Broken>), Error> {
    match read {
        Err(Error::Broken(broken)) if after.is_some() && (has_field || broken.class == Class::Truncated) => {
            Ok((Vec::new(), Some(*broken)))
        }
        read => read.map(|warnings| (warnings, None)),
    }
}

/// Adds the finding about a note that the data were damaged, which is an error unless damage is permitted.
fn note_damage(offset: u64, mode: Mode, findings: &mut Findings) -> Result<(), Error> {
    let found = noted::finding(offset);
    if mode != Mode::Survey {
        return Err(Broken::of(&found, None).into());
    }
    findings.push(found);
    Ok(())
}

/// Returns whether records of this type can contain data that a document describes. The decoder reports such data when
/// it has their header.
fn may_be_data(record_type: &[u8]) -> bool {
    [linkstream::scidac::BINARY_DATA, linkstream::ildg::BINARY_DATA]
        .iter()
        .any(|name| record_type == name.as_bytes())
}

fn described(decoder: &field::Decoder) -> Option<DataRecord> {
    let layout = *decoder.field()?;
    let (document, datatype) = match layout.described_by {
        Described::Scidac => {
            let document = decoder.private_record()?;
            (Some(Box::new(document.clone())), Some(document.datatype.as_str().to_owned()))
        }
        Described::Ildg => (None, decoder.format().map(|format| format.kind().to_string())),
    };
    Some(DataRecord { layout, document, datatype, stored: Stored::Absent })
}

/// Lists a NERSC archive.
pub(crate) fn nersc(source: &Shared, mode: Mode, after: Option<&Shared>) -> Result<Listing, Error> {
    use nersc::{Decoder, Event};

    let mut listing = Listing::default();
    let mut found = None;
    let read = for_each_event(source, Decoder::new(mode), |reader, event, findings| {
        match event {
            Event::Line => {
                if reader.decoder().line().is_some_and(|(_, value)| is_in_line(value)) {
                    note_damage(0, mode, findings)?;
                }
                keep_line(reader.decoder(), &mut listing.header);
            }
            Event::Header(header) => {
                let text = |observable: &str| Some(observable.to_owned()).filter(|text| !text.is_empty());
                let recorded = Recorded {
                    plaquette: text(header.plaquette.as_str()),
                    link_trace: text(header.link_trace.as_str()),
                };
                let shape = Shape::of_nersc(&header, reader.decoder().position());
                found = Some((shape, header.checksum, recorded));
                reader.skip_seeking()?;
            }
            Event::Finding(error) => findings.add(&error),
            _ => {}
        }
        Ok(())
    });
    (listing.warnings, listing.end) = unless_cut(read, after, false)?;
    if let Some((shape, stored, recorded)) = found {
        let mut first = vec![0; shape.format(ByteOrder::Big).length()];
        // A damaged file may end before.
        fill_most(&**source, shape.data_at, &mut first)?;
        let order = shape.order.unwrap_or_else(|| shape.guessed(&first));
        let stored = stored.map_or(Stored::Absent, |sum| Stored::Nersc {
            sum,
            order: shape.order,
            seen: shape.seen(&first),
        });
        listing.fields.push(of_archive(source, after, shape, order, stored, recorded));
    }
    refuse_surplus(&listing, mode)?;
    Ok(listing)
}

/// Lists a configuration of openQCD, whose length fits its header.
pub(crate) fn open_qcd(source: &Shared, header: &open_qcd::Header) -> Listing {
    // All digits: the last one is the limit of the comparison.
    let text = format!("{:.16}", header.plaquette());
    let recorded = Recorded { plaquette: Some(text.clone()), link_trace: None };
    let layout = Shape::of_open_qcd(header).field();
    let (source, geometry, slices) = (source.clone(), header.geometry(), Mutex::default());
    let placement = Placement::OpenQcd { source, geometry, slices };
    let (array, kind) = (Array::of(&layout, None), Some("su3gauge".to_owned()));
    let field = Field::new(layout, array, kind, None, Stored::Plaquette, placement).with_recorded(recorded);
    Listing { header: vec![("plaquette".to_owned(), text)], fields: vec![field], ..Listing::default() }
}

/// Lists a MILC file.
pub(crate) fn milc(source: &Shared, mode: Mode, after: Option<&Shared>) -> Result<Listing, Error> {
    use milc::{Decoder, Event};

    let mut listing = Listing::default();
    let mut found = None;
    let read = for_each_event(source, Decoder::new(mode), |reader, event, findings| {
        match event {
            Event::Header(header) => {
                let time = String::from_utf8_lossy(header.time_stamp()).into_owned();
                listing.header.push(("time_stamp".to_owned(), time));
                found = Some(header);
            }
            Event::Stored(sums) => {
                if let Some(header) = &found {
                    let stored = Stored::Milc(sums);
                    let shape = Shape::of_milc(header);
                    let order = header.order();
                    let field = of_archive(source, after, shape, order, stored, Recorded::default());
                    listing.fields.push(field);
                }
                reader.skip_seeking()?;
            }
            Event::Finding(error) => findings.add(&error),
            _ => {}
        }
        Ok(())
    });
    (listing.warnings, listing.end) = unless_cut(read, after, false)?;
    refuse_surplus(&listing, mode)?;
    Ok(listing)
}

fn of_archive(
    source: &Shared,
    after: Option<&Shared>,
    shape: Shape,
    order: ByteOrder,
    stored: Stored,
    recorded: Recorded,
) -> Field {
    // Of other archives, the length does not show which sites are there.
    let is_contiguous = shape.rows == nersc::StoredRows::Full && !shape.has_site_list;
    let source = after.filter(|_| is_contiguous).unwrap_or(source);
    let layout = shape.field();
    let placement = Placement::of_archive(source.clone(), shape, order);
    Field::new(layout, Array::of(&layout, None), Some(shape.kind().to_string()), None, stored, placement)
        .with_recorded(recorded)
}

/// Lists an INEBIN file.
pub(crate) fn inebin(source: &Shared, mode: Mode) -> Result<Listing, Error> {
    use inebin::{Decoder, Event};

    let mut listing = Listing::default();
    listing.warnings = for_each_event(source, Decoder::new(mode), |reader, event, findings| {
        match event {
            Event::Header(header) => {
                listing.matrix = Some(header);
                reader.skip_seeking()?;
            }
            Event::Finding(error) => findings.add(&error),
            _ => {}
        }
        Ok(())
    })?;
    refuse_surplus(&listing, mode)?;
    Ok(listing)
}

/// Lists an scda file.
pub(crate) fn scda(source: &Shared, mode: Mode) -> Result<Listing, Error> {
    use linkstream::scda::{Decoder, Event};

    let mut listing = Listing::default();
    listing.warnings = for_each_event(source, Decoder::new(mode, true), |reader, event, findings| {
        match event {
            Event::Section(section) => {
                let user = reader.decoder().user().to_vec();
                add(&mut listing.sections, SectionEntry { section, user }, "sections")?;
            }
            Event::Finding(error) => findings.add(&error),
            Event::End => {}
            _ => reader.skip_seeking()?,
        }
        Ok(())
    })?;
    Ok(listing)
}
