//! Compares LIME files: records are paired by type, data records by their order. Memory does not depend on their number.

use std::collections::{HashMap, VecDeque};

use embedded_io::{Read, Seek};
use linkstream::field::{Decoder, DescribedBy, ErrorKind, Event};
use linkstream::io::Reader;
use linkstream::lime::{self, Record};
use linkstream::{Decode as _, Diagnostic as _, Error, Mode, Severity};
use linkstream_memory as memory;

use super::bytes::ranges;
use super::changes::{Change, Changes};
use super::document;
use super::error::{DiffError, Side};
use super::field::{self, Described};
use super::input::Input;
use super::kept::Kept;
use super::options::Options;
use super::outcome::{Comparison, Damage, Data, Document, Outcome};

/// Maximum length of records that are compared as documents. Longer ones are compared as bytes.
const MAX_DOCUMENT: u64 = 1 << 20;
/// Records of this length or longer are not read when the fields are listed.
const MAX_READ: u64 = 64 << 10;

/// Number of records of each file that are listed at a time. No list of a window is longer than 512 KiB, which
/// [`linkstream_memory::Reserve`] serves if the system has no memory.
const WINDOW: usize = 3000;

/// A record of one of the files.
struct Listed {
    record: Record,
    record_type: String,
    /// The description of its data, if it is a data record.
    field: Option<Box<Described>>,
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
    compare_in_windows(a, b, options, WINDOW)
}

/// Compares the files window by window: lists so many records of each, pairs and compares them, and goes on. Records
/// without a partner wait for the next windows, at most one window of them.
fn compare_in_windows<A: Read + Seek, B: Read + Seek>(
    a: &mut Input<A>,
    b: &mut Input<B>,
    options: &Options,
    window: usize,
) -> Result<Comparison, DiffError> {
    let mut comparison = Comparison::default();
    let (mut here, mut there) = (Lister::new(), Lister::new());
    let mut pairs = Pairs { all_have_partners: true, ..Pairs::default() };
    let mut fields = Fields::default();
    while !(here.is_ended && there.is_ended) {
        let first = here.list(a, window, &mut comparison.damage)?;
        let second = there.list(b, window, &mut comparison.damage)?;
        fields.add(&first, &second);
        if !options.data_only {
            let is_last = here.is_ended && there.is_ended;
            let found = pairs.window(first, second, is_last, window, &mut comparison.structure);
            for (first, second) in found {
                compare_records((a, &first), (b, &second), &mut comparison)?;
            }
        }
        fields.compare(a, b, options, window, &mut comparison)?;
    }
    if !options.data_only {
        pairs.end(&mut comparison.structure);
    }
    comparison.structure.unless_equal("bytes after the last record", &here.surplus, &there.surplus);
    let [first, second] = fields.counts;
    if first != second {
        comparison.structure.differ("number of fields", first, second);
    }
    Ok(comparison)
}

/// Fields of both files that have not been compared yet: the files have them in different windows.
#[derive(Default)]
struct Fields {
    here: VecDeque<Box<Described>>,
    there: VecDeque<Box<Described>>,
    /// Number of fields of each file.
    counts: [u64; 2],
    compared: u64,
}

impl Fields {
    fn add(&mut self, first: &[Listed], second: &[Listed]) {
        let [here, there] = &mut self.counts;
        for (fields, list, count) in [(&mut self.here, first, here), (&mut self.there, second, there)] {
            for field in list.iter().filter_map(|listed| listed.field.clone()) {
                *count = count.saturating_add(1);
                fields.push_back(field);
            }
        }
    }

    /// Compares the fields that both files have. Of the others, no more than fit into a window are kept.
    fn compare<A: Read + Seek, B: Read + Seek>(
        &mut self,
        a: &mut Input<A>,
        b: &mut Input<B>,
        options: &Options,
        window: usize,
        comparison: &mut Comparison,
    ) -> Result<(), DiffError> {
        while !(self.here.is_empty() || self.there.is_empty()) {
            let (Some(first), Some(second)) = (self.here.pop_front(), self.there.pop_front()) else { break };
            let outcome = field::compare((a, &first), (b, &second), options.tolerance)?;
            comparison.add_data(Data { name: format!("field {}", self.compared), outcome });
            self.compared = self.compared.saturating_add(1);
        }
        self.here.truncate(window);
        self.there.truncate(window);
        Ok(())
    }
}

/// The description of the data record that begins.
fn described(decoder: &Decoder) -> Option<Described> {
    let field = *decoder.field()?;
    let document = decoder.private_record().filter(|_| field.described_by == DescribedBy::Scidac);
    Some(Described { field, document: document.cloned().map(Box::new) })
}

/// Lists the records of a file, window by window, and counts the bytes after the last one. Data are skipped.
struct Lister {
    decoder: Option<Decoder>,
    surplus: u32,
    is_ended: bool,
}

impl Lister {
    fn new() -> Self {
        Self { decoder: Some(Decoder::new(Mode::Survey)), surplus: 0, is_ended: false }
    }

    /// The next records. The last one is complete.
    fn list<R: Read + Seek>(
        &mut self,
        input: &mut Input<R>,
        window: usize,
        damage: &mut Kept<Damage>,
    ) -> Result<Vec<Listed>, DiffError> {
        let mut list = Vec::new();
        let Some(decoder) = self.decoder.take() else { return Ok(list) };
        let side = input.side();
        input.seek(decoder.position())?;
        let mut buffer = vec![0; 64 << 10];
        let mut reader = Reader::new(input.source(), &mut buffer, decoder);
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
                        listed.field = described(reader.decoder()).map(Box::new);
                    }
                    reader.skip_seeking().map_err(|error| DiffError::read(side, error))?;
                }
                Event::Finding(Error {
                    kind: ErrorKind::Lime(lime::ErrorKind::Trailing { count }), ..
                }) => {
                    self.surplus = count;
                }
                Event::Finding(error) if error.kind.severity() >= Severity::Error => {
                    damage.push(Damage { side, at: error.at, message: error.kind.to_string() }, 0);
                }
                Event::End if list.len() >= window => {
                    self.decoder = Some(reader.into_parts().1);
                    return Ok(list);
                }
                _ => {}
            }
        }
        self.is_ended = true;
        Ok(list)
    }
}

/// Pairs records of the same type: the first with the first, and so on.
#[derive(Default)]
struct Pairs {
    /// Records of earlier windows without a partner, in the order of their file.
    here: VecDeque<Listed>,
    there: VecDeque<Listed>,
    /// True if no record has waited for a partner so far, so that the order can be compared.
    all_have_partners: bool,
    /// Number of records in the windows before.
    before: u64,
    /// True if a different order was reported, which explains all that follows.
    has_other_order: bool,
}

impl Pairs {
    /// Pairs the records of the next windows with each other and with waiting ones. Records without a counterpart
    /// are differences in structure, and so are a different order and different messages. Pairs of data records are
    /// not returned.
    fn window(
        &mut self,
        a: Vec<Listed>,
        b: Vec<Listed>,
        is_last: bool,
        window: usize,
        structure: &mut Changes,
    ) -> Vec<(Listed, Listed)> {
        let number = self.before;
        self.before = self.before.saturating_add(a.len() as u64);
        if self.all_have_partners {
            let types = |list: &[Listed]| {
                let mut types: Vec<_> = list.iter().map(|listed| listed.record_type.clone()).collect();
                types.sort_unstable();
                types
            };
            self.all_have_partners = a.len() == b.len() && types(&a) == types(&b);
        }
        if self.all_have_partners && !self.has_other_order {
            self.has_other_order = order(&a, &b, number, structure);
        }
        self.here.extend(a);
        self.there.extend(b);
        let mut by_type = HashMap::<String, VecDeque<usize>>::new();
        for (index, listed) in self.there.iter().enumerate() {
            by_type.entry(listed.record_type.clone()).or_default().push_back(index);
        }
        let mut there: Vec<Option<Listed>> = self.there.drain(..).map(Some).collect();
        let (mut pairs, mut waiting) = (Vec::new(), VecDeque::new());
        for listed in self.here.drain(..) {
            let partner = by_type.get_mut(&listed.record_type).and_then(VecDeque::pop_front);
            match partner.and_then(|index| there.get_mut(index)).and_then(Option::take) {
                Some(partner) => memory::unwinding::push(&mut pairs, (listed, partner)),
                None => waiting.push_back(listed),
            }
        }
        self.here = waiting;
        self.there = there.into_iter().flatten().collect();
        if !is_last {
            self.give_up(window, structure);
        }
        pairs.retain(|(a, b)| a.field.is_none() && b.field.is_none());
        pairs
    }

    /// Reports the first waiting records, so that at most `most` of each file are left.
    fn give_up(&mut self, most: usize, structure: &mut Changes) {
        while self.here.len() > most {
            self.here.pop_front().into_iter().for_each(|listed| only(&listed, Side::First, structure));
        }
        while self.there.len() > most {
            self.there.pop_front().into_iter().for_each(|listed| only(&listed, Side::Second, structure));
        }
    }

    /// Reports all that are left.
    fn end(&mut self, structure: &mut Changes) {
        self.give_up(0, structure);
    }
}

/// A record that only one file has.
fn only(listed: &Listed, side: Side, structure: &mut Changes) {
    let path = format!("record {}", listed.record_type);
    let (a, b) = match side {
        Side::First => (Some(listed.place()), None),
        Side::Second => (None, Some(listed.place())),
    };
    structure.push(Change { path, a, b });
}

/// Adds differences in order and messages between the same records, after `before` records in earlier windows. Returns
/// whether the order differs.
fn order(a: &[Listed], b: &[Listed], before: u64, structure: &mut Changes) -> bool {
    for (number, (first, second)) in (before.saturating_add(1)..).zip(a.iter().zip(b)) {
        if first.record_type != second.record_type {
            let path = format!("order of records, from record {number}");
            structure.differ(path, &first.record_type, &second.record_type);
            return true;
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
    false
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
                comparison.add_document(Document { name: first.name(), changes });
            }
            return Ok(());
        }
    }
    let bytes = ranges((a, from_a, length_a), (b, from_b, length_b))?;
    if !bytes.is_same() {
        let name = format!("record {}", first.name());
        comparison.add_data(Data { name, outcome: Outcome::Bytes(bytes) });
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
