use linkstream::Resumable as _;
use linkstream::field::OutgoingMessage;
use linkstream::lattice::Checksum;
use linkstream::lime::Record;
use linkstream::scidac::{PrivateFile, PrivateRecord, StoredChecksum, VolumeFormat};
use linkstream::volume::{
    Decoder, EncodeErrorKind, Encoder, Entry, EntryWidth, ErrorKind, Event, MapTooSmall, Members, Mesh,
    MeshError, MeshVolume, NodeOrder, SiteAccount, SiteStream, SitesRead, Tally, VolumeKind, Want,
};
use linkstream::{Decode, Mode, State};
use proofs::{unknown, used};

use crate::{error, field, io, lattice, state};

pub fn all() {
    decoder();
    entries();
    sites();
    set();
    mesh();
    if let Ok(extents) = lattice::any_extents() {
        let file = unknown(PrivateFile::new(&extents).with_volume_format(unknown(VolumeFormat::Partition)));
        let record = unknown(PrivateRecord::new(&lattice::any_region()));
        let file = OutgoingMessage::file(&file, b"");
        let record = OutgoingMessage::scidac(&record, b"");
        for message in [unknown(file), unknown(record)] {
            encoder(&message);
            io::volumes(&message);
        }
    }
    error::kind(ErrorKind::ListMissing);
    error::message(EncodeErrorKind::NoList);
    error::value(EncodeErrorKind::NoList);
    error::message(MeshError::Extents);
    error::value(MeshError::Extents);
    error::value(Event::Payload);
    error::value(VolumeKind::First);
}

fn decoder() {
    let any = || {
        let mut decoder = Decoder::new(unknown(Mode::Strict));
        if let Some(field) = field::any_field() {
            Decoder::expect_field(&mut decoder, &field);
            Decoder::expect_no_field(&mut decoder);
        }
        unknown(decoder)
    };
    let input: &[u8] = unknown(b"");
    used(Decoder::push(&mut any(), input));
    used(Decoder::finish(&mut any()));
    used(Decoder::demand(&any()));
    used(Decoder::skip(&mut any(), unknown(0)));
    used(Decoder::position(&any()));
    used(Decoder::kind(&any()));
    used(Decoder::site_list(&any()));
    used(Decoder::entry_width(&any()));
    used(Decoder::field(&any()));
    used(Decoder::content(&any()));
    Decoder::reset(&mut any());
    used(Decoder::save(&any()));
    used(state::any().map(|state| Decoder::load(&state)));
    used(Decoder::save_into(&any(), unknown(&mut [0; State::<Decoder>::LEN])));
    used(Decoder::load_into(&mut any(), unknown(b"bytes")));
}

fn entries() {
    let width = || unknown(EntryWidth::Bits32);
    used(EntryWidth::of(unknown(0), unknown(0)));
    used(EntryWidth::size(width()));
    if let Some(entry) = Entry::new(unknown(0), width()) {
        used(Entry::as_bytes(&unknown(entry)));
        error::value(entry);
    }
}

fn sites() {
    let Some(field) = field::any_field() else { return };
    let any = || unknown(SiteStream::new(&field, unknown(EntryWidth::Bits64)));
    let step = SiteStream::push(&mut any(), unknown(&[0; 100]), unknown(&[0; 100]));
    error::value(step);
    error::value(step.piece);
    used(SiteStream::sites_read(&any()));
    used(SiteStream::fault(&any(), unknown(0)));
    used(SiteStream::save(&any()));
    used(SiteStream::save_into(&any(), unknown(&mut [0; State::<SiteStream>::LEN])));
    used(state::any().map(|state| SiteStream::load(&state)));
    let mut tally = unknown(Tally::new(&field));
    let mut read = unknown(SitesRead::default());
    SitesRead::take(&mut read, unknown(0), unknown(b""));
    used(SitesRead::combine(read, unknown(SitesRead::default())));
    used(SitesRead::sites(&read));
    used(SitesRead::checksum(&read));
    Tally::add(&mut tally, unknown(read));
    used(Tally::checksum(&tally));
    used(Tally::is_complete(&tally));
    used(Tally::verdict(&tally, &unknown(StoredChecksum::new(Checksum::default()))));
    error::value(tally);
}

fn set() {
    let Ok(lattice) = lattice::any_extents() else { return };
    used(SiteAccount::map_length(&lattice));
    let mut map = [0; 64];
    let too_small: Option<MapTooSmall> = SiteAccount::with_map(&lattice, unknown(&mut map)).err();
    if let Some(error) = too_small {
        error::message(error);
        error::value(error);
    }
    let mut account = unknown(SiteAccount::new(&lattice));
    SiteAccount::begin_volume(&mut account);
    SiteAccount::take(&mut account, unknown(0));
    used(
        SiteAccount::end_volume(
            &account,
            &unknown(Record::default()),
            unknown(EntryWidth::Bits32),
            unknown(true),
        )
        .last(),
    );
    used(SiteAccount::sites(&account));
    used(SiteAccount::end(&account));
    let mut members = unknown(Members::new());
    used(Members::add(&mut members, unknown(0), unknown(VolumeKind::First), unknown(None)));
    used(Members::end(&members));
    error::value(members);
}

fn mesh() {
    let Ok(lattice) = lattice::any_extents() else { return };
    let Ok(mesh) = Mesh::new(&lattice, unknown(&[1, 2]), unknown(&[1])) else { return };
    let mesh = unknown(mesh);
    used(Mesh::volumes(&mesh));
    used::<Option<MeshVolume>>(Mesh::volume(&mesh, unknown(0)));
    used(Mesh::volume_of(&mesh, unknown(0)));
    used(Mesh::ranks(&mesh, unknown(0), unknown(NodeOrder::EvenOdd)).next());
    used(NodeOrder::of(unknown(VolumeFormat::Multifile)));
    error::value(mesh);
}

fn encoder(message: &OutgoingMessage<'_>) {
    let any = || unknown(Encoder::new(unknown(VolumeKind::First), unknown(0), unknown(0)));
    let mut scratch = [0; 64];
    let scratch: &mut [u8] = unknown(&mut scratch);
    used(Encoder::begin(&mut any(), message, unknown(0), scratch));
    let mut encoder = any();
    if let Ok(begun) = Encoder::resume(&encoder, message, scratch) {
        used(matches!(Encoder::next(&mut encoder, &begun, scratch), Ok(Want::Nothing)));
    }
    used(Encoder::entry(&mut any(), unknown(0)));
    used(Encoder::site(&mut any(), unknown(0), unknown(b"")));
    used(Encoder::pass_site(&mut any(), unknown(0)));
    used(Encoder::supply_checksum(&mut any(), unknown(Checksum::default())));
    used(Encoder::finish(&any()));
    used(Encoder::kind(&any()));
    used(Encoder::position(&any()));
    used(Encoder::field(&any()));
    used(Encoder::checksum(&any()));
    used(Encoder::save(&any()));
    used(Encoder::save_into(&any(), unknown(&mut [0; State::<Encoder>::LEN])));
    used(state::any().map(|state| Encoder::load(&state)));
}
