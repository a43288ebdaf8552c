//! Compares LIME files: records are paired by type, data records by their order.

use std::collections::HashMap;

use embedded_io::{Read, Seek};
use linkstream::field::{Decoder, ErrorKind, Event, Source};
use linkstream::io::Reader;
use linkstream::lime::{self, Record};
use linkstream::{Diagnostic as _, Error, Mode, Severity};
use linkstream_memory as memory;

use super::bytes::ranges;
use super::changes::{Change, Changes};
use super::document;
use super::error::DiffError;
use super::field::{self, Described};
use super::input::Input;
use super::options::Options;
use super::outcome::{Comparison, Damage, Data, Document, Outcome};

/// Maximum length of records that are compared as documents. Longer ones are compared as bytes.
const MAX_DOCUMENT: u64 = 1 << 20;
/// Records of this length or longer are not read when the fields are listed.
const MAX_READ: u64 = 64 << 10;

/// A record of one of the files.
struct Listed {
    record: Record,
    record_type: String,
    /// The description of its data, if it is a data record.
    field: Option<Described>,
}

impl Listed {
    fn place(&self) -> String {
        let Record { message, number, offset, .. } = self.record;
        format!("message {message}, record {number} at byte {offset}")
    }

    fn name(&self) -> String {
        let Record { message, number, .. } = self.record;
        format!("{} (message {message}, record {number})", self.record_type)
    }
}

pub fn compare<A: Read + Seek, B: Read + Seek>(
    a: &mut Input<A>,
    b: &mut Input<B>,
    options: &Options,
) -> Result<Comparison, DiffError> {
    let mut comparison = Comparison::default();
    let (here, surplus_a) = list(a, &mut comparison.damage)?;
    let (there, surplus_b) = list(b, &mut comparison.damage)?;
    comparison.structure.unless_equal("bytes after the last record", &surplus_a, &surplus_b);
    if !options.data_only {
        let pairs = pair(&here, &there, &mut comparison.structure);
        for (first, second) in pairs {
            compare_records((a, first), (b, second), &mut comparison)?;
        }
    }
    let fields = |list: &[Listed]| list.iter().filter_map(|listed| listed.field.clone()).collect::<Vec<_>>();
    let (fields_a, fields_b) = (fields(&here), fields(&there));
    if fields_a.len() != fields_b.len() {
        comparison.structure.differ("number of fields", fields_a.len(), fields_b.len());
    }
    for (number, (first, second)) in fields_a.iter().zip(&fields_b).enumerate() {
        let outcome = field::compare((a, first), (b, second), options.tolerance)?;
        comparison.data.push(Data { name: format!("field {number}"), outcome });
    }
    Ok(comparison)
}

/// The description of the data record that begins.
fn described(decoder: &Decoder) -> Option<Described> {
    let field = *decoder.field()?;
    let document = decoder.private_record().filter(|_| field.source == Source::Scidac);
    Some(Described { field, document: document.cloned().map(Box::new) })
}

/// Lists all records of a file, and counts the bytes after the last one. Data are skipped.
fn list<R: Read + Seek>(
    input: &mut Input<R>,
    damage: &mut Vec<Damage>,
) -> Result<(Vec<Listed>, u8), DiffError> {
    let side = input.side();
    let mut buffer = vec![0; 64 << 10];
    let mut reader = Reader::new(input.source(), &mut buffer, Decoder::new(Mode::Survey));
    let (mut list, mut surplus) = (Vec::new(), 0);
    while let Some(event) = reader.next().map_err(|error| DiffError::read(side, error))? {
        match event {
            Event::Record(record) => {
                let record_type = String::from_utf8_lossy(reader.decoder().record_type()).into_owned();
                memory::unwinding::push(&mut list, Listed { record, record_type, field: None });
                if record.length >= MAX_READ {
                    reader.skip_seeking().map_err(|error| DiffError::read(side, error))?;
                }
            }
            Event::Field => {
                if let Some(listed) = list.last_mut() {
                    listed.field = described(reader.decoder());
                }
                reader.skip_seeking().map_err(|error| DiffError::read(side, error))?;
            }
            Event::Finding(Error { kind: ErrorKind::Lime(lime::ErrorKind::Trailing { count }), .. }) => {
                surplus = count;
            }
            Event::Finding(error) if error.kind.severity() >= Severity::Error => {
                damage.push(Damage { side, at: error.at, message: error.kind.to_string() });
            }
            _ => {}
        }
    }
    Ok((list, surplus))
}

/// Pairs the records of the same type: the first with the first, and so on. Records without a counterpart are
/// differences in structure, and so are a different order and different messages. Pairs of data records are not
/// returned.
fn pair<'l>(a: &'l [Listed], b: &'l [Listed], structure: &mut Changes) -> Vec<(&'l Listed, &'l Listed)> {
    let mut by_type = HashMap::<_, Vec<_>>::new();
    for listed in b.iter().rev() {
        by_type.entry(&listed.record_type[..]).or_default().push(listed);
    }
    let mut pairs = Vec::new();
    let mut all_have_partners = a.len() == b.len();
    for listed in a {
        match by_type.get_mut(&listed.record_type[..]).and_then(Vec::pop) {
            Some(partner) => pairs.push((listed, partner)),
            None => {
                all_have_partners = false;
                let path = format!("record {}", listed.record_type);
                structure.push(Change { path, a: Some(listed.place()), b: None });
            }
        }
    }
    let mut alone: Vec<_> = by_type.into_values().flatten().collect();
    alone.sort_by_key(|listed| listed.record.offset);
    for listed in alone {
        let path = format!("record {}", listed.record_type);
        structure.push(Change { path, a: None, b: Some(listed.place()) });
    }
    if all_have_partners {
        order(a, b, structure);
    }
    pairs.retain(|(a, b)| a.field.is_none() && b.field.is_none());
    pairs
}

/// Adds differences in order and messages between the same records.
fn order(a: &[Listed], b: &[Listed], structure: &mut Changes) {
    for (number, (first, second)) in (1..).zip(a.iter().zip(b)) {
        if first.record_type != second.record_type {
            let path = format!("order of records, from record {number}");
            return structure.differ(path, &first.record_type, &second.record_type);
        }
    }
    let flags = |record: &Record| {
        let Record { message, begin, end, .. } = record;
        let flag = |set: bool, flag: &'static str| if set { flag } else { "" };
        format!("message {message}{}{}", flag(*begin, ", MB"), flag(*end, ", ME"))
    };
    for (first, second) in a.iter().zip(b) {
        let (here, there) = (flags(&first.record), flags(&second.record));
        structure.unless_equal(&format!("record {}", first.name()), &here, &there);
    }
}

fn compare_records<A: Read + Seek, B: Read + Seek>(
    (a, first): (&mut Input<A>, &Listed),
    (b, second): (&mut Input<B>, &Listed),
    comparison: &mut Comparison,
) -> Result<(), DiffError> {
    let (length_a, length_b) = (first.record.length, second.record.length);
    let (from_a, from_b) = (first.record.payload_offset(), second.record.payload_offset());
    comparison.documents_compared = comparison.documents_compared.saturating_add(1);
    if length_a.max(length_b) <= MAX_DOCUMENT {
        let (here, there) = (payload(a, &first.record)?, payload(b, &second.record)?);
        if here == there {
            return Ok(());
        }
        if let Some(changes) = document::compare(&here, &there) {
            if !changes.is_empty() {
                comparison.documents.push(Document { name: first.name(), changes });
            }
            return Ok(());
        }
    }
    let bytes = ranges((a, from_a, length_a), (b, from_b, length_b))?;
    if !bytes.is_same() {
        comparison
            .data
            .push(Data { name: format!("record {}", first.name()), outcome: Outcome::Bytes(bytes) });
    }
    Ok(())
}

/// Reads the payload of a record. Only for documents, which are short.
fn payload<R: Read + Seek>(input: &mut Input<R>, record: &Record) -> Result<Vec<u8>, DiffError> {
    input.seek(record.payload_offset())?;
    let mut payload = memory::unwinding::zeroed(record.length as usize);
    input.fill(&mut payload)?;
    Ok(payload)
}
