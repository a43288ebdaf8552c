//! Properties that hold for any LIME file, any cut, any sequence of calls, and for bytes that are not a LIME file.

use crate::lime::model::{LimeTrace, MODES, drive, expected, expected_at, restored};
use host_tests::drive::{Fitful, Item};
use host_tests::fixtures::Fixtures;
use host_tests::manifest::load;
use host_tests::oracle;
use linkstream::Encode as _;
use linkstream::io::{ReadError, Reader};
use linkstream::lime::{Decoder, EncodeErrorKind, Encoder, ErrorKind, Event, Header, Record, padding};
use linkstream::{Decode, Error, Misuse, Mode};
use proptest::collection::vec;
use proptest::prelude::*;

#[derive(Debug, Clone, PartialEq)]
struct Entry {
    kind: Vec<u8>,
    begin: bool,
    end: bool,
    payload: Vec<u8>,
}

/// Messages of one to four records. The last message may be open.
fn entries() -> impl Strategy<Value = Vec<Entry>> {
    let kind = prop_oneof![vec(1..=255u8, 1..20), vec(1..=255u8, 1..=127)];
    let payload = prop_oneof![Just(Vec::new()), vec(any::<u8>(), 0..20), vec(any::<u8>(), 0..700)];
    let message = vec((kind, payload), 1..5);
    (vec(message, 0..4), any::<bool>()).prop_map(|(messages, ended)| {
        let mut entries: Vec<Entry> = messages
            .into_iter()
            .flat_map(|message| {
                let last = message.len() - 1;
                message.into_iter().enumerate().map(move |(n, (kind, payload))| Entry {
                    kind,
                    begin: n == 0,
                    end: n == last,
                    payload,
                })
            })
            .collect();
        if let Some(last) = entries.last_mut() {
            last.end = ended;
        }
        entries
    })
}

/// Places to cut a file at, as fractions of its length.
fn cuts() -> impl Strategy<Value = Vec<prop::sample::Index>> {
    vec(any::<prop::sample::Index>(), 0..40)
}

fn cut_places(cuts: &[prop::sample::Index], len: usize) -> Vec<usize> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(len + 1)).collect();
    places.sort_unstable();
    places
}

fn header(entry: &Entry) -> Header {
    Header::new(&entry.kind, entry.payload.len() as u64, entry.begin, entry.end).expect("legal")
}

/// The file with these records, written by the encoder.
fn encode(entries: &[Entry]) -> Vec<u8> {
    let mut encoder = Encoder::new();
    let mut bytes = Vec::new();
    for entry in entries {
        bytes.extend_from_slice(encoder.begin(&header(entry)).expect("legal"));
        encoder.payload(entry.payload.len() as u64).expect("there is room");
        bytes.extend_from_slice(&entry.payload);
        bytes.extend_from_slice(encoder.end().expect("complete"));
        assert_eq!(encoder.position(), bytes.len() as u64);
    }
    encoder.finish().expect("nothing is open");
    bytes
}

/// The records that a decoder finds if the file is pushed in pieces.
fn decode(bytes: &[u8], cuts: &[usize]) -> Vec<Entry> {
    let mut decoder = Decoder::new(Mode::Strict);
    let mut entries: Vec<Entry> = Vec::new();
    let mut take = |decoder: &Decoder, event: Event, bytes: &[u8]| match event {
        Event::Record(record) => entries.push(Entry {
            kind: decoder.record_type().to_vec(),
            begin: record.begin,
            end: record.end,
            payload: Vec::new(),
        }),
        Event::Payload => entries.last_mut().expect("a record").payload.extend_from_slice(bytes),
        _ => {}
    };
    let mut from = 0;
    for to in cuts.iter().copied().chain([bytes.len()]) {
        let mut piece = &bytes[from..to];
        while !piece.is_empty() {
            let step = decoder.push(piece).expect("a valid file");
            let (bytes, rest) = piece.split_at(step.consumed);
            if let Some(event) = step.event {
                take(&decoder, event, bytes);
            }
            piece = rest;
        }
        from = to;
    }
    while let Some(event) = decoder.finish().expect("a complete file") {
        take(&decoder, event, &[]);
    }
    entries
}

/// Reads in every fundamentally different way and compares with the model.
fn assert_read_as_the_model(bytes: &[u8], cuts: &[usize], mode: Mode) -> LimeTrace {
    let decoder = Decoder::new(mode);
    let drive = drive(&decoder, bytes);
    let model = expected(bytes, mode);
    let (outline, seed) = (drive.outline(&model), bytes.len() as u64);
    let what = format!("{mode:?}");
    model.assert_same(&drive.whole(), &format!("{what} whole"));
    model.assert_same(&drive.cut(cuts, restored), &format!("{what} cut and restored"));
    model.assert_same(&drive.pull_reading(50, 30, seed), &format!("{what} read"));
    model.assert_same(&drive.awaiting(77, 0, true, seed), &format!("{what} async"));
    outline.assert_same(&drive.outline(&drive.skipping(seed)), &format!("{what} skipping"));
    outline.assert_same(&drive.outline(&drive.pull_skipping(50, 1, seed)), &format!("{what} skip"));
    outline.assert_same(&drive.outline(&drive.pull_seeking(50, 1, seed)), &format!("{what} seek"));
    outline.assert_same(&drive.outline(&drive.pull_seeking(200, 2, seed)), &format!("{what} seek later"));
    model
}

proptest! {
    #[test]
    fn decoding_gives_back_what_was_encoded(entries in entries(), cuts in cuts()) {
        let bytes = encode(&entries);
        let found = oracle::records(&bytes);
        prop_assert_eq!(found.len(), entries.len());
        for (record, entry) in found.iter().zip(&entries) {
            prop_assert_eq!(&record.kind, &entry.kind);
            prop_assert_eq!(record.payload(&bytes), &entry.payload);
        }
        let cuts = cut_places(&cuts, bytes.len());
        prop_assert_eq!(&decode(&bytes, &cuts), &entries);
        prop_assert_eq!(&encode(&decode(&bytes, &cuts)), &bytes);
        let trace = assert_read_as_the_model(&bytes, &cuts, Mode::Strict);
        prop_assert_eq!(trace.end, Ok(()));
    }

    #[test]
    fn bytes_of_any_kind_are_read_as_the_model_reads_them(
        bytes in prop_oneof![
            vec(any::<u8>(), 0..400),
            vec(almost_lime(), 0..6).prop_map(|parts| parts.concat()),
        ],
        cuts in cuts(),
    ) {
        let cuts = cut_places(&cuts, bytes.len());
        for mode in MODES {
            assert_read_as_the_model(&bytes, &cuts, mode);
        }
    }

    /// Arbitrary bytes, read from one of the records on.
    #[test]
    fn reading_can_begin_at_any_record(
        bytes in vec(almost_lime(), 0..6).prop_map(|parts| parts.concat()),
        from in any::<prop::sample::Index>(),
        base in prop_oneof![Just(0), 0..10_000u64, Just(u64::MAX - 5000), any::<u32>().prop_map(u64::from)],
        cuts in cuts(),
    ) {
        let records = oracle::records(&bytes);
        let offset = if records.is_empty() { 0 } else { records[from.index(records.len())].offset };
        let rest = &bytes[usize::try_from(offset).expect("in memory")..];
        let cuts = cut_places(&cuts, rest.len());
        for mode in MODES {
            let decoder = Decoder::at(base + offset, mode);
            let drive = drive(&decoder, rest);
            let model = expected_at(rest, base + offset, mode);
            model.assert_same(&drive.cut(&cuts, restored), "cut");
            drive.outline(&model).assert_same(&drive.outline(&drive.pull_seeking(50, 1, base)), "seek");
        }
    }
}

/// Headers that are valid or nearly so, each followed by more or fewer bytes than its length.
fn almost_lime() -> impl Strategy<Value = Vec<u8>> {
    let mostly = |right: u8| prop_oneof![9 => Just(right), 1 => any::<u8>()];
    let first = (mostly(0x45), mostly(0xAB), mostly(1), prop_oneof![9 => Just(0u8), 1 => any::<u8>()]);
    let flags = prop_oneof![9 => prop::sample::select(&[0u8, 0x40, 0x80, 0xC0][..]), 1 => any::<u8>()];
    let length = prop_oneof![
        9 => 0..40u64,
        1 => any::<u64>(),
        1 => (u64::MAX - 400)..=u64::MAX,
        1 => prop::sample::select(&[1u64 << 31, 1 << 32, 1 << 63, (1 << 63) - 1][..]),
    ];
    let kind = prop_oneof![
        2 => Just(Vec::new()),
        6 => vec(1..=255u8, 0..=128),
        1 => vec(any::<u8>(), 0..=128),
    ];
    let excess = prop_oneof![9 => Just(0), 1 => -3..4isize];
    let fill = prop_oneof![9 => Just(0u8), 1 => any::<u8>()];
    (first, flags, length, kind, excess, fill).prop_map(|(first, flags, length, kind, excess, fill)| {
        let mut bytes = vec![first.0, 0x67, 0x89, first.1, 0, first.2, flags, first.3];
        bytes.extend_from_slice(&length.to_be_bytes());
        bytes.extend_from_slice(&kind);
        bytes.resize(144, 0);
        let there = usize::try_from(length.min(40)).expect("small");
        bytes.extend((1..=there).map(|i| i as u8));
        let padded = bytes.len() + usize::from(padding(length));
        bytes.resize((padded as isize + excess).unsigned_abs(), fill);
        bytes
    })
}

/// Two messages with records with padding, without padding, and without payload.
fn three_records() -> Vec<u8> {
    let entry = |kind: &[u8], begin, end, payload: &[u8]| Entry {
        kind: kind.to_vec(),
        begin,
        end,
        payload: payload.to_vec(),
    };
    encode(&[
        entry(b"first", true, false, b"fives"),
        entry(b"", false, true, b""),
        entry(b"third", true, true, b"sixteen bytes it"),
    ])
}

#[test]
fn every_flipped_bit_is_an_error_or_another_reading() {
    let right = three_records();
    for mode in MODES {
        let before = expected(&right, mode);
        for bit in 0..8 * right.len() {
            let mut bytes = right.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let decoder = Decoder::new(mode);
            let drive = drive(&decoder, &bytes);
            let what = format!("bit {bit} flipped, {mode:?}");
            let model = expected(&bytes, mode);
            model.assert_same(&drive.whole(), &what);
            model.assert_same(&drive.chunks(1), &what);
            drive.outline(&model).assert_same(&drive.outline(&drive.pull_skipping(31, 1, bit as u64)), &what);
            drive.outline(&model).assert_same(&drive.outline(&drive.pull_seeking(145, 1, bit as u64)), &what);
            assert!(model != before, "{what}: the change is not noticed");
        }
    }
}

/// Seven wrong padding bytes are reported once per record, at the first of them.
#[test]
fn wrong_padding_is_reported_once_for_each_record() {
    let record = |begin, end| Entry { kind: b"odd".to_vec(), begin, end, payload: vec![1] };
    let mut bytes = encode(&[record(true, false), record(false, false), record(false, true)]);
    for start in [145, 145 + 152, 145 + 304] {
        bytes[start..start + 7].fill(0xFF);
    }
    let cuts: Vec<usize> = (1..bytes.len()).collect();
    let trace = assert_read_as_the_model(&bytes, &cuts, Mode::Lenient);
    let finding = |event: &Event| match event {
        Event::Finding(error) => Some(*error),
        _ => None,
    };
    let found: Vec<_> = trace.events().filter_map(finding).collect();
    let reported = |at| Error::new(at, ErrorKind::PaddingNonzero { found: 0xFF });
    assert_eq!(found, [reported(145), reported(145 + 152), reported(145 + 304)]);
    let strict = assert_read_as_the_model(&bytes, &cuts, Mode::Strict);
    assert_eq!(strict.end, Err(reported(145)));
}

/// All lengths of a record that ends near the largest offset, also in a file that begins at a large offset, and
/// lengths around the limits of other integers.
#[test]
fn lengths_up_to_the_last_address() {
    let limits = [1u64 << 31, 1 << 32, 1 << 53, 1 << 63];
    let near_limits = limits.into_iter().flat_map(|limit| limit - 9..limit + 9);
    for length in near_limits.chain(u64::MAX - 400..=u64::MAX) {
        for base in [0, 8, 1 << 62, u64::MAX - 400] {
            let mut bytes = *Header::new(b"long", 0, true, true).expect("legal").as_bytes();
            bytes[8..16].copy_from_slice(&length.to_be_bytes());
            let decoder = Decoder::at(base, Mode::Strict);
            let drive = drive(&decoder, &bytes);
            let (model, what) = (expected_at(&bytes, base, Mode::Strict), format!("{length} from {base}"));
            model.assert_same(&drive.whole(), &what);
            drive.outline(&model).assert_same(&drive.outline(&drive.pull_seeking(200, 1, length)), &what);

            // Exactly the headers that can be read can be written.
            let header = Header::from_bytes(bytes);
            let readable = !matches!(model.end, Err(Error { kind: ErrorKind::LengthOverflow { .. }, .. }));
            let refused = Encoder::append(base, false).begin(&header).err();
            assert_eq!(refused, (!readable).then_some(EncodeErrorKind::LengthOverflow { length }), "{what}");
        }
    }
}

fn files_are_written_again(fixtures: Fixtures, folders: [&str; 2]) -> u32 {
    let mut files = 0;
    for folder in folders {
        for entry in load(fixtures, folder) {
            let bytes = entry.bytes();
            // Wrong flags, a stale tail, and the sources of conversions, which are not LIME.
            let others = ["mbme-unchecked.lime", "quirks/single_append_overwrites.lime"];
            if others.contains(&entry.path.as_str()) || entry.path.ends_with(".nersc") {
                continue;
            }
            let cuts: Vec<usize> = (0..bytes.len()).step_by(4099).collect();
            let found = encode(&decode(&bytes, &cuts));
            assert!(found == bytes, "{folder}/{}", entry.path);
            files += 1;
        }
    }
    files
}

#[test]
fn files_of_the_reference_writers_are_written_again() {
    let files = files_are_written_again(Fixtures::Ours, ["lime", "qio"]);
    assert!(files > 150, "{files}");
}

/// One call of a reader.
#[derive(Debug, Clone)]
enum SiteOrder {
    Next,
    Read(usize),
    Skip,
    SkipSeeking,
    Seek(prop::sample::Index, bool),
    Open(prop::sample::Index),
}

fn walks() -> impl Strategy<Value = Vec<SiteOrder>> {
    let any_index = any::<prop::sample::Index>;
    let walk = prop_oneof![
        6 => Just(SiteOrder::Next),
        2 => (0..300usize).prop_map(SiteOrder::Read),
        1 => Just(SiteOrder::Skip),
        1 => Just(SiteOrder::SkipSeeking),
        4 => (any_index(), prop::bool::weighted(0.1)).prop_map(|(to, beyond)| SiteOrder::Seek(to, beyond)),
        1 => any_index().prop_map(SiteOrder::Open),
    ];
    vec(walk, 0..80)
}

/// Position of a reader.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    Before(usize),
    Inside(usize, usize),
    /// After the last record and after the report that its message is open, if it is.
    Ended,
}

type Walked<'b, 'i> = Reader<Fitful<'i>, &'b mut [u8], Decoder>;

/// A reader and its expected state.
struct Walker<'b, 'i> {
    reader: Walked<'b, 'i>,
    entries: &'i [Entry],
    records: Vec<oracle::Record>,
    end: u64,
    place: Place,
    message: u64,
    number: u64,
    message_open: bool,
}

impl Walker<'_, '_> {
    fn take(&mut self, walk: &SiteOrder) {
        match (walk, self.place) {
            (SiteOrder::Next, _) => self.next(),
            (SiteOrder::Open(to), _) => {
                let n = to.index(self.records.len() + 1);
                let offset = self.records.get(n).map_or(self.end, |record| record.offset);
                self.reader.seek_record(offset).expect("the source does not fail");
                self.place = Place::Before(n);
                (self.message, self.number, self.message_open) = (0, 0, false);
            }
            (SiteOrder::Read(n), Place::Inside(record, at)) => {
                let mut out = vec![0; *n];
                let got = self.reader.read(&mut out).expect("all data are present");
                let rest = &self.entries[record].payload[at..];
                assert_eq!(got == 0, rest.is_empty() || *n == 0, "0 must mean the end");
                assert_eq!(out[..got], rest[..got]);
                self.place = Place::Inside(record, at + got);
            }
            (SiteOrder::Skip | SiteOrder::SkipSeeking, place) => {
                let skipped = match walk {
                    SiteOrder::Skip => self.reader.skip(),
                    _ => self.reader.skip_seeking(),
                };
                skipped.expect("all data are present");
                if let Place::Inside(record, _) = place {
                    self.place = Place::Inside(record, self.entries[record].payload.len());
                }
            }
            (SiteOrder::Read(n), _) => {
                assert_eq!(self.reader.read(&mut vec![0; *n]).expect("an empty payload can be read"), 0);
            }
            (SiteOrder::Seek(to, beyond), Place::Inside(record, _)) => {
                let len = self.entries[record].payload.len();
                let to = to.index(len + 1) + if *beyond { len + 1 } else { 0 };
                let result = self.reader.seek_payload(to as u64);
                self.moved(result, record, Some(to));
            }
            (SiteOrder::Seek(..), _) => assert_no_payload(self.reader.seek_payload(0)),
        }
        assert_eq!(self.reader.decoder().position(), self.position(), "{walk:?} to {:?}", self.place);
    }

    fn position(&self) -> u64 {
        match self.place {
            Place::Before(n) => self.records.get(n).map_or(self.end, |record| record.offset),
            Place::Inside(n, at) => self.records[n].payload_offset + at as u64,
            Place::Ended => self.end,
        }
    }

    /// A seek to `to`, where `None` is before the start. It is refused or performed, but never clamped.
    fn moved(
        &mut self,
        result: Result<(), ReadError<host_tests::drive::Interrupted, ErrorKind>>,
        record: usize,
        to: Option<usize>,
    ) {
        let len = self.entries[record].payload.len();
        if let Some(to) = to.filter(|to| *to <= len) {
            result.expect("inside the payload");
            self.place = Place::Inside(record, to);
            return;
        }
        let Err(ReadError::Format(error)) = result else { panic!("{to:?} of {len} is outside: {result:?}") };
        let ErrorKind::Misuse(Misuse::SkipTooFar { asked, available }) = error.kind else {
            panic!("{error}")
        };
        assert!(available == len as u64 && asked > available, "{error}");
        assert!(to.is_none_or(|to| asked == to as u64), "{error}");
    }

    fn next(&mut self) {
        let event = self.reader.next().expect("a valid file");
        match self.place {
            Place::Inside(n, at) if at < self.entries[n].payload.len() => {
                assert_eq!(event, Some(Event::Payload));
                let bytes = self.reader.bytes();
                assert!(!bytes.is_empty());
                assert_eq!(bytes, &self.entries[n].payload[at..at + bytes.len()]);
                self.place = Place::Inside(n, at + bytes.len());
            }
            Place::Inside(n, _) => {
                assert_eq!(event, Some(Event::End));
                self.place = Place::Before(n + 1);
            }
            Place::Before(n) if n < self.entries.len() => {
                let entry = &self.entries[n];
                if entry.begin || self.message == 0 {
                    self.message += 1;
                    self.number = 0;
                }
                self.number += 1;
                let record = Record {
                    offset: self.records[n].offset,
                    length: entry.payload.len() as u64,
                    message: self.message,
                    number: self.number,
                    begin: entry.begin,
                    end: entry.end,
                };
                assert_eq!(event, Some(Event::Record(record)));
                assert_eq!(self.reader.decoder().record_type(), entry.kind);
                self.message_open = !entry.end;
                self.place = Place::Inside(n, 0);
            }
            Place::Before(_) if self.message_open => {
                assert_eq!(event, Some(Event::Finding(Error::new(self.end, ErrorKind::MessageOpen))));
                self.place = Place::Ended;
            }
            Place::Before(_) | Place::Ended => {
                assert_eq!(event, None);
                self.place = Place::Ended;
            }
        }
    }
}

fn assert_no_payload<E: std::fmt::Debug>(result: Result<(), ReadError<E, ErrorKind>>) {
    let Err(ReadError::Format(error)) = result else { panic!("{result:?}") };
    assert_eq!(error.kind, ErrorKind::Misuse(Misuse::NoPayload));
}

proptest! {
    /// The file follows foreign bytes in the source: the reader begins at the position of the source.
    #[test]
    fn walks_through_a_file(
        entries in entries(),
        walks in walks(),
        buffer in 1..300usize,
        before in prop_oneof![Just(0usize), 1..200usize],
    ) {
        let file = encode(&entries);
        let mut bytes = vec![0xEE; before];
        bytes.extend_from_slice(&file);
        let mut source = Fitful::new(&bytes, before as u64);
        embedded_io::Seek::seek(&mut source, embedded_io::SeekFrom::Start(before as u64)).expect("seeking succeeds");
        let mut buffer = vec![0; buffer];
        let mut walker = Walker {
            reader: Reader::new(source, &mut buffer, Decoder::new(Mode::Strict)),
            entries: &entries,
            records: oracle::records(&file),
            end: file.len() as u64,
            place: Place::Before(0),
            message: 0,
            number: 0,
            message_open: false,
        };
        for walk in &walks {
            walker.take(walk);
        }
        // Everything after the current position can be read.
        for _ in 0..file.len() + 2 * entries.len() + 3 {
            walker.take(&SiteOrder::Next);
        }
        prop_assert_eq!(walker.place, Place::Ended);
    }
}

/// A seeking reader of a damaged file reports the outline of the trace even if the damage is in the payload, because it
/// does not read that.
#[test]
fn seeking_does_not_look_at_payload() {
    let mut bytes = three_records();
    let decoder = Decoder::new(Mode::Strict);
    let before = drive(&decoder, &bytes).pull_seeking(145, 1, 0);
    bytes[145] ^= 1;
    drive(&decoder, &bytes).pull_seeking(145, 1, 0).assert_same(&before, "payload changed");
    assert!(before.items.iter().all(|item| !matches!(item, Item::Payload { crc: Some(_), .. })));
}

host_tests::of_other_projects! {
    fn files_are_written_again() {
        assert_eq!(super::files_are_written_again(Fixtures::OfOthers, ["wild", "qio"]), 5);
    }
}
