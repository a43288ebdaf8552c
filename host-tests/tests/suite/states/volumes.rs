//! Saved states of the decoder and the encoder of volumes, changed and given a matching checksum.

use host_tests::fixtures::Fixtures;
use linkstream::Resumable as _;
use linkstream::field::{self, BegunMessage, FieldDocuments, OutgoingMessage};
use linkstream::lattice::{Checksum, Extents, Precision};
use linkstream::scidac::{PrivateFile, PrivateRecord, VolumeFormat};
use linkstream::volume::{
    Decoder, EncodeErrorKind, Encoder, EntryWidth, Mesh, NodeOrder, SiteStream, VolumeKind, Want,
};
use linkstream::{Decode as _, Mode, State, lime};

use crate::states::changed::{Forger, refused};
use crate::states::decoders::run;

/// Maximum number of steps for a message.
const STEPS: usize = 60;

#[test]
fn changed_states_of_the_volume_decoder() {
    let mut forger = Forger::new();
    let (mut loaded, mut refused) = (0, 0);
    for volume in ["vol0000", "vol0001"] {
        let mut file = Fixtures::Ours.read(&format!("qio/multi/part2.lime.{volume}"));
        file.truncate(5000);
        for place in [0, 100, 144, 400, 900, 1500, 2100, 3000, 4000, file.len()] {
            let mut decoder = Decoder::new(Mode::Survey);
            let mut rest = &file[..place];
            while let Some(step) = Some(decoder.push(rest).expect("complete so far")) {
                rest = &rest[step.consumed..];
                if step.event.is_none() {
                    break;
                }
            }
            forger.each(decoder.save().expect("no error yet"), |saved| match Decoder::load(saved) {
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

/// A record that is complete can be reported only after one has begun, and not while its payload is open.
#[test]
fn a_record_that_has_not_ended_is_not_reported_as_complete() {
    let load = |saved: &_| Decoder::load(saved).map(|_| ());
    // After the decoder of documents come the kind of the volume, the part and the phase, which has a number of ends.
    let phase = 2 + (State::<field::Decoder>::LEN - 6) + 2 + 1;
    let ends = [(phase, 2), (phase, 3), (phase, 4)];
    let fresh = Decoder::new(Mode::Survey);
    refused(fresh.save().expect("no error yet"), &ends, load);
    let mut decoder = fresh;
    let header = lime::Header::new(b"scidac-sitelist", 8, true, true).expect("legal");
    let mut rest = &header.as_bytes()[..];
    while !rest.is_empty() {
        rest = &rest[decoder.push(rest).expect("a header").consumed..];
    }
    assert_eq!(decoder.push(&[0]).expect("a byte of the list").consumed, 1);
    refused(decoder.save().expect("no error yet"), &ends, load);
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
        [OutgoingMessage::file(&self.file, b"<title>t</title>"), self.field.message(b"a text")]
    }

    /// The next of a volume's four sites, if `missing` of them are left.
    fn rank(&self, kind: VolumeKind, missing: u64) -> Option<u64> {
        let done = 4_u64.checked_sub(missing)?;
        let volume = u64::from(kind == VolumeKind::Other);
        self.mesh.ranks(volume, NodeOrder::Lexicographic).nth(usize::try_from(done).ok()?)
    }

    /// Makes one step of a message. Returns the bytes to be written, or `None` at its end.
    fn step(
        &self,
        encoder: &mut Encoder,
        begun: &BegunMessage<'_>,
    ) -> Result<Option<Vec<u8>>, EncodeErrorKind> {
        let mut scratch = [0; 512];
        match encoder.next(begun, &mut scratch)? {
            Want::Bytes(bytes) => return Ok(Some(bytes.to_vec())),
            Want::Entries(missing) => {
                let Some(rank) = self.rank(encoder.kind(), missing) else { return Ok(None) };
                return encoder.entry(rank).map(|entry| Some(entry.as_bytes().to_vec()));
            }
            Want::Sites(missing) => {
                let Some(rank) = self.rank(encoder.kind(), missing) else { return Ok(None) };
                encoder.site(rank, &[7; 4])?;
                return Ok(Some(vec![7; 4]));
            }
            Want::Checksum => encoder.supply_checksum(Checksum { suma: 1, sumb: 2 })?,
            Want::Nothing => return Ok(None),
        }
        Ok(Some(Vec::new()))
    }

    /// Writes a volume, and passes every state to `each` with the bytes so far and the number of the message.
    fn write(&self, kind: VolumeKind, mut each: impl FnMut(&mut Encoder, &[u8], usize)) -> Vec<u8> {
        let (mut encoder, mut bytes) = (Encoder::new(kind, 4, 7), Vec::new());
        for (number, message) in self.messages().iter().enumerate() {
            each(&mut encoder, &bytes, number);
            let begun = encoder.begin(message, 0, &mut [0; 512]).expect("legal");
            loop {
                each(&mut encoder, &bytes, number);
                let Some(more) = self.step(&mut encoder, &begun).expect("legal") else { break };
                bytes.extend(more);
            }
        }
        assert_eq!(encoder.finish(), Ok(()));
        bytes
    }

    /// Continues from a state that may have message `number` open. Returns the bytes written, if it ends without an
    /// error.
    fn go_on(&self, mut encoder: Encoder, number: usize) -> Result<Vec<u8>, EncodeErrorKind> {
        let mut bytes = Vec::new();
        for message in &self.messages()[number..] {
            // Refused if it is open.
            let mut scratch = [0; 512];
            let begun =
                encoder.begin(message, 0, &mut scratch).or_else(|_| encoder.resume(message, &mut scratch))?;
            for step in 0.. {
                assert!(step < STEPS, "the encoder makes no progress");
                let Some(more) = self.step(&mut encoder, &begun)? else { break };
                bytes.extend(more);
            }
        }
        encoder.finish().map(|()| bytes)
    }
}

const KINDS: [VolumeKind; 2] = [VolumeKind::First, VolumeKind::Other];

#[test]
fn a_volume_continues_from_every_state() {
    let set = Set::new();
    for kind in KINDS {
        let mut states = 0;
        let expected = set.write(kind, |_, _, _| states += 1);
        let restored = set.write(kind, |encoder, _, _| {
            let loaded = Encoder::load(&encoder.save()).expect("a saved state can be loaded");
            assert_eq!(loaded, *encoder);
            *encoder = loaded;
        });
        assert!(restored == expected && states > 15, "{states}");
    }
}

/// A changed state is refused on loading, or stops with an error, or writes records that a decoder can read.
#[test]
fn changed_states_of_the_volume_encoder() {
    let mut forger = Forger::new();
    let set = Set::new();
    let (mut loaded, mut refused, mut ended) = (0, 0, 0);
    for kind in KINDS {
        let whole = set.write(kind, |_, _, _| {});
        set.write(kind, |encoder, before, number| {
            forger.each(encoder.save(), |saved| {
                let Ok(changed) = Encoder::load(saved) else {
                    refused += 1;
                    return;
                };
                loaded += 1;
                // If the position differs from the bytes written so far, the result cannot be compared.
                if changed.position() != before.len() as u64 {
                    let _ = set.go_on(changed, number);
                    return;
                }
                let after = match set.go_on(changed, number) {
                    Ok(after) => after,
                    Err(error) => {
                        // The end of the message and the length of a text depend on the message; entries and sites
                        // have 4 bytes.
                        let is_of_message = |kind: &lime::EncodeErrorKind| match kind {
                            lime::EncodeErrorKind::BeginMissing | lime::EncodeErrorKind::BeginUnexpected => {
                                true
                            }
                            lime::EncodeErrorKind::PayloadTooShort { .. } => true,
                            lime::EncodeErrorKind::PayloadTooLong { offered, .. } => *offered != 4,
                            _ => false,
                        };
                        let is_of_record = matches!(
                            &error,
                            EncodeErrorKind::Field(field::EncodeErrorKind::Lime(kind)) if !is_of_message(kind)
                        );
                        assert!(!is_of_record, "{error} at {}", before.len());
                        return;
                    }
                };
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
    let mut forger = Forger::new();
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
        forger.each(stream.save(), |saved| {
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
                assert!(steps < STEPS, "the stream makes no progress");
            }
            let _ = (stream.fault(1).map(|fault| fault.to_string()), stream.sites_read().checksum());
        });
    }
    assert!(loaded > 1_000, "{loaded}");
}
