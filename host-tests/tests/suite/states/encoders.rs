//! Saved states of the encoders of messages and compressed sections. They are restored at every step. They are also
//! changed and given a matching checksum; then they are refused, or loaded without harm.

use crate::states::changed::{Forger, refused};
use linkstream::Encode as _;
use linkstream::Resumable as _;
use linkstream::field::{Encoder, OutgoingMessage, Want};
use linkstream::ildg::{Format, GaugeKind};
use linkstream::lattice::{Checksum, Coordinates, Extents, Hypercube, Precision, Region};
use linkstream::scda;
use linkstream::scidac::{PrivateFile, PrivateRecord, RecordData};
use linkstream::{LoadError, State};

/// Maximum number of steps for a message of 10 records, with a margin.
const STEPS: usize = 60;

/// The documents of a file with a field that SciDAC and ILDG describe, and a hypercube.
struct Documents {
    file: PrivateFile,
    field: PrivateRecord,
    format: Format,
    cube: PrivateRecord,
}

impl Documents {
    fn new() -> Self {
        let lattice = Extents::new(&[2, 2, 1, 1]).expect("small");
        let corner = |x| Coordinates::new(&[x, 1, 0, 0]).expect("four");
        let cube = Hypercube::new(corner(0), corner(1), &lattice).expect("inside");
        let data = RecordData { typesize: 4, datacount: 2, ..RecordData::default() };
        let data = RecordData { precision: "F".try_into().expect("short"), ..data };
        let field = PrivateRecord::new(&Region::Lattice).with_data(data).expect("they agree");
        let data = RecordData { typesize: 3, datacount: 1, ..RecordData::default() };
        let box_of = PrivateRecord::new(&Region::Hypercube(cube)).with_data(data).expect("they agree");
        let kind = GaugeKind::parse(b"u1phase").expect("a kind");
        let format = Format::new(kind, Precision::F32, [2, 2, 1, 1]);
        Self { file: PrivateFile::new(&lattice), field, format, cube: box_of }
    }

    fn messages(&self) -> [OutgoingMessage<'_>; 4] {
        let field = OutgoingMessage::scidac(&self.field, b"text").with_format(&self.format);
        [
            OutgoingMessage::file(&self.file, b"title"),
            field.with_update("1").with_lfn("lfn://x"),
            OutgoingMessage::scidac(&self.cube, b""),
            OutgoingMessage::foreign(b"own", b"payload"),
        ]
    }
}

/// Writes all messages, with data in odd pieces and by seeking, and passes every state to `each` with the number of its
/// message. Returns all bytes with their offsets.
fn states(documents: &Documents, mut each: impl FnMut(&mut Encoder, usize)) -> Vec<(u64, Vec<u8>)> {
    let (mut encoder, mut scratch, mut bytes) = (Encoder::new(), [0; 512], Vec::new());
    for (n, message) in documents.messages().iter().enumerate() {
        each(&mut encoder, n);
        let begun = encoder.begin(message, &mut scratch).expect("legal");
        loop {
            each(&mut encoder, n);
            let position = encoder.position();
            match encoder.next(&begun, &mut scratch).expect("the same message") {
                Want::Bytes(more) => bytes.push((position, more.to_vec())),
                Want::Data(_) => {
                    // First the last site, then pieces that end inside a site, then the checksum of another process.
                    let size = encoder.field().expect("data").bytes_per_site;
                    encoder.seek(encoder.field().expect("data").sites() - 1).expect("a site");
                    each(&mut encoder, n);
                    bytes.push((encoder.position(), vec![7; size as usize]));
                    encoder.put(&vec![7; size as usize]).expect("a site");
                    each(&mut encoder, n);
                    encoder.seek(0).expect("a site");
                    for piece in [size - 1, 1] {
                        bytes.push((encoder.position(), vec![8; piece as usize]));
                        encoder.put(&vec![8; piece as usize]).expect("there is room");
                        each(&mut encoder, n);
                    }
                    if encoder.room() > 0 {
                        encoder.others(Checksum { suma: 1, sumb: 2 }).expect("between sites");
                    }
                }
                Want::Nothing => break,
            }
        }
    }
    assert_eq!(encoder.finish(), Ok(()));
    bytes
}

#[test]
fn a_restored_state_continues_without_a_difference() {
    let documents = Documents::new();
    let mut count = 0;
    let expected = states(&documents, |_, _| count += 1);
    let restored = states(&documents, |encoder, _| {
        let loaded = Encoder::load(&encoder.save()).expect("a saved state can be loaded");
        // After the last site, the position follows only from the number of sites.
        assert!(loaded.save() == encoder.save());
        *encoder = loaded;
    });
    assert!(restored == expected && count > 60, "{count}");
}

#[test]
fn damaged_states_are_refused() {
    let documents = Documents::new();
    states(&documents, |encoder, _| {
        let saved = encoder.save().as_bytes().to_vec();
        for at in (0..saved.len()).step_by(7).chain([saved.len() - 1]) {
            let mut damaged = saved.clone();
            damaged[at] ^= 0x10;
            assert_eq!(State::<Encoder>::from_bytes(&damaged), Err(LoadError::Damaged), "byte {at}");
        }
    });
}

/// Continues to the end, like a caller that does not know of the change.
fn go_on(mut encoder: Encoder, message: &OutgoingMessage<'_>) {
    let _ = (
        encoder.field(),
        encoder.checksum(),
        encoder.is_between_sites(),
        encoder.site().map(|walk| walk.rank()),
    );
    let mut scratch = [0; 512];
    let begun = match encoder.resume(message, &mut scratch) {
        Ok(begun) => begun,
        Err(_) if encoder.finish().is_ok() => {
            let _ = encoder.begin(message, &mut scratch);
            return;
        }
        Err(_) => return,
    };
    for step in 0.. {
        assert!(step < STEPS, "the encoder makes no progress");
        match encoder.next(&begun, &mut scratch) {
            Ok(Want::Bytes(_)) => {}
            Ok(Want::Data(missing)) => {
                let most = usize::try_from(missing).unwrap_or(usize::MAX).min(40);
                let written = encoder.put(&[1; 40][..most]);
                let _ = (encoder.seek(1), encoder.put(b"x"), encoder.put(&[0; 7]), encoder.seek(0));
                if written.is_err() && encoder.others(Checksum::default()).is_err() {
                    return;
                }
            }
            Ok(Want::Nothing) => {
                assert_eq!(encoder.finish(), Ok(()));
                let _ = encoder.begin(message, &mut scratch);
                return;
            }
            Err(_) => return,
        }
    }
}

#[test]
fn changed_states_of_the_field_encoder() {
    let mut forger = Forger::new();
    let documents = Documents::new();
    let messages = documents.messages();
    let (mut loaded, mut refused, mut turn) = (0, 0, 0);
    states(&documents, |encoder, n| {
        turn += 1;
        // All states of the message with all records, and some of the others.
        if n != 1 && turn % 5 != 0 {
            return;
        }
        forger.each(encoder.save(), |saved| match Encoder::load(saved) {
            Ok(encoder) => {
                loaded += 1;
                go_on(encoder, &messages[n]);
            }
            Err(error) => {
                assert_ne!(error, LoadError::Damaged);
                refused += 1;
            }
        });
    });
    assert!(loaded > 10_000 && refused > 10_000, "{loaded} loaded, {refused} refused");
}

/// The state of the data is at the end: site, bytes of it so far, CRC and sums, and whether all bytes were passed.
#[test]
fn states_that_contradict_themselves_are_refused() {
    const WHOLE: usize = State::<Encoder>::LEN - 5;
    const IN_SITE: usize = WHOLE - 13;
    const SITE: usize = IN_SITE - 8;
    let documents = Documents::new();
    let load = |saved: &_| Encoder::load(saved).map(|_| ());
    let mut inside = 0;
    states(&documents, |encoder, _| {
        let Some(site) = encoder.site() else { return };
        let (done, missing) = (site.done(), encoder.room());
        if missing == 0 {
            return;
        }
        let in_site = if encoder.is_between_sites() { 0 } else { 7 };
        let changes = [(WHOLE, 2), (IN_SITE, in_site + 1), (SITE, if done == 1 { 0 } else { 1 })];
        refused(encoder.save(), &changes, load);
        inside += 1;
    });
    assert!(inside > 5, "{inside}");
}

/// The states between messages and after `begin`, and the offset of the phase, the first byte that differs. The part
/// precedes it; the numbers of the message and of its last record, 8 bytes each, follow.
fn phase_offset() -> (State<Encoder>, State<Encoder>, usize) {
    let [idle, begun] = [false, true].map(|begin| {
        let mut encoder = Encoder::new();
        if begin {
            let _ = encoder.begin(&OutgoingMessage::foreign(b"own", b""), &mut []).expect("legal");
        }
        encoder.save()
    });
    let phase =
        idle.as_bytes().iter().zip(begun.as_bytes()).position(|(a, b)| a != b).expect("another phase");
    (idle, begun, phase)
}

/// Part and phase must agree with whether a record is open and whether it has data.
#[test]
fn impossible_phases_are_refused() {
    let (idle, begun, phase) = phase_offset();
    let load = |saved: &_| Encoder::load(saved).map(|_| ());
    refused(idle, &[(phase, 2), (phase, 3), (phase, 4), (phase, 5), (phase, 6), (phase, 7)], load);
    refused(begun, &[(phase, 2), (phase, 3), (phase, 4), (phase, 5), (phase, 6), (phase, 7)], load);
    let documents = Documents::new();
    let (mut texts, mut data) = (0, 0);
    states(&documents, |encoder, _| {
        let saved = encoder.save();
        match saved.as_bytes()[phase] {
            0 | 1 => return,
            4 => {
                data += 1;
                refused(saved, &[(phase - 1, 0), (phase - 1, 4), (phase - 1, 9)], load);
            }
            _ => texts += 1,
        }
        refused(saved, &[(phase, 0), (phase, 1), (phase, 7)], load);
        // Before the first byte of the data, a box can have been written, which is not accounted for by bytes.
        let field = encoder.field().filter(|_| encoder.site().is_some());
        let at_start = field.is_some_and(|field| {
            encoder.position() == field.record.payload_offset() && encoder.room() == field.record.length
        });
        if !at_start {
            refused(encoder.save(), &[(phase, 6)], load);
        }
    });
    assert!(texts > 20 && data > 5, "{texts}, {data}");
}

/// The numbers of message and record: they cannot exceed the number of headers that fit before the position, and a
/// record that begins a message is its first.
#[test]
fn impossible_counters_are_refused() {
    let (idle, begun, phase) = phase_offset();
    let load = |saved: &_| Encoder::load(saved).map(|_| ());
    let (message, record) = (phase + 8, phase + 16);
    refused(idle, &[(message, 1), (record, 1), (message - 7, 1), (record - 7, 1)], load);
    refused(begun, &[(message, 0), (message, 2), (record, 1)], load);
    let documents = Documents::new();
    let mut count = 0;
    states(&documents, |encoder, _| {
        let saved = encoder.save();
        if encoder.position() == 0 {
            return;
        }
        count += 1;
        refused(saved, &[(message, 0), (message, 0xff), (message - 7, 0xff), (record, 0xff)], load);
        match (saved.as_bytes()[phase], saved.as_bytes()[record]) {
            // Between messages, there is no flag that would contradict the number.
            (0, _) => refused(saved, &[(record, 0)], load),
            (1, 0) => refused(saved, &[(record, 1)], load),
            (1, _) => refused(saved, &[(record, 0)], load),
            (_, 1) => refused(saved, &[(record, 0), (record, 2)], load),
            _ => refused(saved, &[(record, 0), (record, 1)], load),
        }
    });
    assert!(count > 60, "{count}");
}

/// The type of the open record must belong to the part. Its first byte is 16 bytes after the beginning of the header,
/// which is the first value after tag and version.
#[test]
fn records_of_another_part_are_refused() {
    const TYPE: usize = 2 + 16;
    let (_, _, phase) = phase_offset();
    let documents = Documents::new();
    let (mut count, mut foreign) = (0, 0);
    states(&documents, |encoder, _| {
        let saved = encoder.save();
        let load = |saved: &_| Encoder::load(saved).map(|_| ());
        match (saved.as_bytes()[phase], saved.as_bytes()[phase - 1]) {
            (0 | 1, _) => {}
            // Any type is valid that is not the type of a document.
            (_, 0) => {
                refused(saved, &[(phase - 1, 1)], load);
                foreign += 1;
            }
            _ => {
                refused(saved, &[(TYPE, b'x')], load);
                count += 1;
            }
        }
    });
    assert!(count > 40 && foreign > 1, "{count}, {foreign}");
}

/// The data belong to a record of the current message: offset, length, number and flags in the field equal the values
/// of the open record, or of one that ends where the next begins. After the data, their checksum is complete.
#[test]
fn data_of_another_record_are_refused() {
    let documents = Documents::new();
    let load = |saved: &_| Encoder::load(saved).map(|_| ());
    let mut count = 0;
    states(&documents, |encoder, _| {
        let saved = encoder.save();
        let Some(field) = encoder.field() else { return };
        let record = field.record;
        // Offset, length, message and number of the field's record are adjacent.
        let words = [record.offset, record.length, record.message, record.number];
        let bytes: Vec<u8> = words.into_iter().flat_map(u64::to_be_bytes).collect();
        let at = saved
            .as_bytes()
            .windows(32)
            .rposition(|window| window == bytes)
            .expect("the record of the field");
        let other = |at: usize| (at, saved.as_bytes()[at] ^ 0x20);
        let changes = [0, 1, 2, 3].map(|word| other(at + 8 * word + 7));
        refused(saved, &changes, load);
        refused(saved, &[(State::<Encoder>::LEN - 5, 0)], load);
        count += 1;
    });
    assert!(count > 20, "{count}");
}

/// The states between all calls that write compressed sections of each type.
fn compressed() -> Vec<scda::Encoder> {
    let text = b"AAAAAAAAAAF6eNpLBAAAYgBi=\n";
    let mut encoder = scda::Encoder::new(scda::Style::Unix);
    let mut states = vec![encoder.clone()];
    macro_rules! then {
        ($call:expr) => {
            $call.expect("legal");
            states.push(encoder.clone());
        };
    }
    then!(encoder.header(b"vendor", b"user"));
    then!(encoder.compressed_block(b"b", 1.into(), 26));
    then!(encoder.put(&text[..10]));
    then!(encoder.put(&text[10..26]));
    then!(encoder.end());
    then!(encoder.compressed_array(b"a", 2.into(), 1.into()));
    then!(encoder.size(26));
    then!(encoder.size(26));
    then!(encoder.put(&text[..26]));
    then!(encoder.put(&text[..26]));
    then!(encoder.end());
    then!(encoder.compressed_varray(2.into()));
    then!(encoder.uncompressed(1));
    then!(encoder.uncompressed(1));
    then!(encoder.second_half(b"v"));
    then!(encoder.size(26));
    then!(encoder.size(26));
    then!(encoder.put(&[text[..26].to_vec(), text[..13].to_vec()].concat()));
    then!(encoder.put(&text[13..26]));
    then!(encoder.end());
    encoder.finish().expect("complete");
    states
}

/// Makes every call on a state twice. The resulting state must be one that can be saved and loaded.
fn every_call(encoder: &scda::Encoder) {
    type Encoder = scda::Encoder;
    let calls: [fn(&mut Encoder) -> bool; 11] = [
        |encoder| encoder.inline(b"i").is_ok(),
        |encoder| encoder.compressed_block(b"b", 1.into(), 26).is_ok(),
        |encoder| encoder.compressed_array(b"a", 2.into(), 1.into()).is_ok(),
        |encoder| encoder.compressed_varray(2.into()).is_ok(),
        |encoder| encoder.uncompressed(1).is_ok(),
        |encoder| encoder.second_half(b"v").is_ok(),
        |encoder| encoder.size(26).is_ok(),
        |encoder| encoder.put(&[b'A'; 26]).is_ok(),
        |encoder| encoder.put(&[]).is_ok(),
        |encoder| encoder.end().is_ok(),
        |encoder| encoder.finish().is_ok(),
    ];
    // A file that may end here may also continue.
    assert!(
        encoder.finish().is_err()
            || encoder.clone().inline(b"i").map(drop) != Err(scda::EncodeErrorKind::SectionOpen),
        "the file must not end while a section is open"
    );
    for call in calls {
        let mut encoder = encoder.clone();
        for _ in 0..2 {
            let before = encoder.save();
            if !call(&mut encoder) {
                assert!(encoder.save() == before, "a refused call must change nothing");
                break;
            }
        }
    }
}

/// The next part and the section that is written determine each other. The part is stored before the last count, the
/// number of entries left and the checksum.
#[test]
fn parts_that_contradict_the_section_are_refused() {
    const PART: usize = State::<scda::Encoder>::LEN - 4 - 8 - 16 - 1;
    let mut refusals = 0;
    for state in compressed() {
        let saved = state.save();
        // A complete section may be followed by any other, or by a first half.
        if state.finish() == Err(scda::EncodeErrorKind::SectionOpen) {
            continue;
        }
        assert_eq!(saved.as_bytes()[PART], 0);
        refused(saved, &[(PART, 1), (PART, 2)], |saved| scda::Encoder::load(saved).map(|_| ()));
        refusals += 1;
    }
    assert_eq!(refusals, 5);
}

#[test]
fn changed_states_of_the_encoder_of_compressed_sections() {
    let mut forger = Forger::new();
    let states = compressed();
    assert_eq!(states.len(), 21);
    let (mut loaded, mut refused) = (0, 0);
    for state in states {
        assert_eq!(scda::Encoder::load(&state.save()).as_ref(), Ok(&state));
        every_call(&state);
        forger.each(state.save(), |saved| match scda::Encoder::load(saved) {
            Ok(encoder) => {
                loaded += 1;
                every_call(&encoder);
            }
            Err(error) => {
                assert_ne!(error, LoadError::Damaged);
                refused += 1;
            }
        });
    }
    assert!(loaded > 2000 && refused > 5000, "{loaded} loaded, {refused} refused");
}
