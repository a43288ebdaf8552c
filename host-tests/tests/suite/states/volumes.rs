//! Saved states of what reads and writes volumes of file sets, changed and made to look whole again.

use host_tests::fixtures::Fixtures;
use linkstream::field::{FieldDocuments, OutgoingMessage};
use linkstream::lattice::{Checksum, Extents, Precision};
use linkstream::scidac::{PrivateFile, PrivateRecord, VolumeFormat};
use linkstream::volume::{Decoder, Encoder, EntryWidth, Mesh, NodeOrder, SiteStream, VolumeKind, Want};
use linkstream::{Decode as _, Mode, lime};

use crate::states::changed::each_changed;
use crate::states::decoders::run;

/// Steps that a message can take at the very most.
const STEPS: usize = 60;

#[test]
fn changed_states_of_the_volume_decoder() {
    let (mut loaded, mut refused) = (0, 0);
    for volume in ["vol0000", "vol0001"] {
        let mut file = Fixtures::Ours.read(&format!("qio/multi/part2.lime.{volume}"));
        file.truncate(5000);
        for place in [0, 100, 144, 400, 900, 1500, 2100, 3000, 4000, file.len()] {
            let mut decoder = Decoder::new(Mode::Survey);
            let mut rest = &file[..place];
            while let Some(step) = Some(decoder.push(rest).expect("whole so far")) {
                rest = &rest[step.consumed..];
                if step.event.is_none() {
                    break;
                }
            }
            each_changed(decoder.save().expect("no error yet"), |saved| match Decoder::load(saved) {
                Ok(decoder) => {
                    loaded += 1;
                    run(decoder, &file[place..]);
                }
                Err(_) => refused += 1,
            });
        }
    }
    assert!(loaded > 10_000 && refused > 10_000, "{loaded} loaded, {refused} refused");
}

/// Two volumes of a lattice of eight sites, with a file message and a field.
struct Set {
    file: PrivateFile,
    field: FieldDocuments,
    mesh: Mesh,
}

impl Set {
    fn new() -> Self {
        let lattice = Extents::new(&[4, 2]).expect("small");
        Self {
            file: PrivateFile::new(&lattice).with_volume_format(VolumeFormat::Partition),
            field: FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32)),
            mesh: Mesh::new(&lattice, &[2], &[2]).expect("two halves"),
        }
    }

    fn messages(&self) -> [OutgoingMessage<'_>; 2] {
        [OutgoingMessage::file(&self.file, b"<title>t</title>"), self.field.message(b"text")]
    }

    fn ranks(&self, kind: VolumeKind) -> impl Iterator<Item = u64> {
        self.mesh.ranks(u64::from(kind == VolumeKind::Other), NodeOrder::Lexicographic)
    }

    /// Takes a step of a message, and gives what is written; `None` at its end.
    fn step(&self, encoder: &mut Encoder, message: &OutgoingMessage<'_>) -> Option<Vec<u8>> {
        let mut scratch = [0; 512];
        match encoder.next(message, &mut scratch).ok()? {
            Want::Bytes(bytes) => return Some(bytes.to_vec()),
            Want::Entries(missing) => {
                let rank =
                    self.ranks(encoder.kind()).nth(4_usize.checked_sub(usize::try_from(missing).ok()?)?);
                return encoder.entry(rank?).ok().map(|entry| entry.as_bytes().to_vec());
            }
            Want::Sites(missing) => {
                let rank =
                    self.ranks(encoder.kind()).nth(4_usize.checked_sub(usize::try_from(missing).ok()?)?);
                encoder.site(rank?, &[7; 4]).ok()?;
                return Some(vec![7; 4]);
            }
            Want::Checksum => encoder.supply_checksum(Checksum { suma: 1, sumb: 2 }).ok()?,
            Want::Nothing => return None,
        }
        Some(Vec::new())
    }

    /// Writes a volume, and hands every state to `each`, with the bytes so far and the number of the message.
    fn write(&self, kind: VolumeKind, mut each: impl FnMut(&mut Encoder, &[u8], usize)) -> Vec<u8> {
        let (mut encoder, mut bytes) = (Encoder::new(kind, 4, 7), Vec::new());
        for (number, message) in self.messages().iter().enumerate() {
            each(&mut encoder, &bytes, number);
            encoder.begin(message, 0, &mut [0; 512]).expect("legal");
            loop {
                each(&mut encoder, &bytes, number);
                let Some(more) = self.step(&mut encoder, message) else { break };
                bytes.extend(more);
            }
        }
        assert_eq!(encoder.finish(), Ok(()));
        bytes
    }

    /// Goes on from a state in which message `number` may be open. Gives what it writes, if it ends well.
    fn go_on(&self, mut encoder: Encoder, number: usize) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        for (index, message) in self.messages().iter().enumerate().skip(number) {
            if index > number || encoder.finish().is_ok() || encoder.field().is_none() && bytes.is_empty() {
                // Refused if it is open.
                let _ = encoder.begin(message, 0, &mut [0; 512]);
            }
            for step in 0.. {
                assert!(step < STEPS, "the encoder stands still");
                let Some(more) = self.step(&mut encoder, message) else { break };
                bytes.extend(more);
            }
        }
        encoder.finish().ok().map(|()| bytes)
    }
}

const KINDS: [VolumeKind; 2] = [VolumeKind::First, VolumeKind::Other];

#[test]
fn a_volume_goes_on_from_every_state() {
    let set = Set::new();
    for kind in KINDS {
        let mut states = 0;
        let expected = set.write(kind, |_, _, _| states += 1);
        let restored = set.write(kind, |encoder, _, _| {
            let loaded = Encoder::load(&encoder.save()).expect("its own");
            assert_eq!(loaded, *encoder);
            *encoder = loaded;
        });
        assert!(restored == expected && states > 15, "{states}");
    }
}

/// What is refused is no state; what is taken either stops with an error, or writes records that a decoder finds whole.
#[test]
fn changed_states_of_the_volume_encoder() {
    let set = Set::new();
    let (mut loaded, mut refused, mut ended) = (0, 0, 0);
    for kind in KINDS {
        let whole = set.write(kind, |_, _, _| {});
        set.write(kind, |encoder, before, number| {
            each_changed(encoder.save(), |saved| {
                let Ok(changed) = Encoder::load(saved) else {
                    refused += 1;
                    return;
                };
                loaded += 1;
                // Bytes that are not there do not tell whether others are right.
                if changed.position() != before.len() as u64 {
                    let _ = set.go_on(changed, number);
                    return;
                }
                let Some(after) = set.go_on(changed, number) else { return };
                ended += 1;
                let file = [before, &after].concat();
                let mut decoder = lime::Decoder::new(Mode::Strict);
                let read = linkstream::drive(&mut decoder, &file, |_, _, _| {});
                let read = read.and_then(|_| linkstream::finish(&mut decoder, |_, _, _| {}));
                assert_eq!(read, Ok(()), "{} of {} bytes", file.len(), whole.len());
            });
        });
    }
    assert!(loaded > 10_000 && refused > 10_000 && ended > 1_000, "{loaded} {refused} {ended}");
}

#[test]
fn changed_states_of_the_sites_of_a_volume() {
    let lattice = Extents::new(&[4, 2]).expect("small");
    let set = Set::new();
    let field = set.field.layout(&lattice).expect("described");
    let (list, data) = ([0_u8, 0, 0, 5, 0, 0, 0, 2], [7_u8; 8]);
    let mut loaded = 0;
    for (listed, read) in [(0, 0), (3, 0), (4, 0), (4, 3), (4, 4), (6, 4), (8, 8)] {
        let mut stream = SiteStream::new(&field, EntryWidth::Bits32);
        let (mut l, mut d) = (0, 0);
        loop {
            let step = stream.push(&list[l..listed], &data[d..read]);
            (l, d) = (l + step.list, d + step.data);
            if step.list == 0 && step.data == 0 {
                break;
            }
        }
        assert_eq!(SiteStream::load(&stream.save()), Ok(stream.clone()));
        each_changed(stream.save(), |saved| {
            let Ok(mut stream) = SiteStream::load(saved) else { return };
            loaded += 1;
            let (mut l, mut d, mut steps) = (l, d, 0);
            loop {
                let step = stream.push(&list[l..], &data[d..]);
                (l, d) = (l + step.list, d + step.data);
                if step.list == 0 && step.data == 0 {
                    break;
                }
                steps += 1;
                assert!(steps < STEPS, "the stream stands still");
            }
            let _ = (stream.fault(1).map(|fault| fault.to_string()), stream.checksum());
        });
    }
    assert!(loaded > 1_000, "{loaded}");
}
