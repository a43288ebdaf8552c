use linkstream::Resumable as _;
use linkstream::field::{
    Checkpoint, Decoder, DescribedBy, DocumentName, EncodeErrorKind, Encoder, ErrorKind, Event, Field,
    FieldDocuments, Fill, Form, Link, LinkLayout, LinkMut, OutgoingMessage, ReadInto, Site, SiteError,
    SiteMut, Sites, SitesError, Want,
};
use linkstream::ildg::{Format, GaugeKind};
use linkstream::lattice::{ByteOrder, Checksum, Extents, Precision};
use linkstream::lime::Record;
use linkstream::scidac::{Date, PrivateFile, PrivateRecord};
use linkstream::xml;
use linkstream::{CallbackError, Decode, Encode, Mode, State};
use proofs::{unknown, used};

use crate::{error, io, lattice, limits, state};

pub fn all() {
    decoder();
    if let Ok(extents) = lattice::any_extents() {
        let file = unknown(PrivateFile::new(&extents));
        let record = unknown(PrivateRecord::new(&lattice::any_region()));
        let format = Format::new(unknown(GaugeKind::SU3), unknown(Precision::F64), unknown([4; 4]));
        let message = message(&file, &record, &format);
        encoder(&message);
        io::field_writer(&message);
        io::field_jobs();
        documents(&extents);
    }
    error::message(EncodeErrorKind::NoData);
    error::value(EncodeErrorKind::NoData);
    io::reader(Decoder::new(unknown(Mode::Strict)));
    if let Some(field) = any_field() {
        sites(&field);
    }
    error::value(DocumentName::Format);
    error::value::<Event>(Event::Payload);
    error::kind(ErrorKind::Undescribed);
    error::message(SitesError::BufferTooSmall { needed: 0 });
    error::value(SitesError::BufferTooSmall { needed: 0 });
    error::message(SiteError::NoLinks);
    error::value(SiteError::NoLinks);
    error::message(CallbackError::<SitesError, SiteError>::Callback(SiteError::NoLinks));
    error::value(CallbackError::<SitesError, SiteError>::Callback(SiteError::NoLinks));
    let failed = CallbackError::<SiteError, core::convert::Infallible>::Failed(SiteError::NoLinks);
    used(CallbackError::into_failed(unknown(failed)));
}

fn decoder() {
    let any = || unknown(Decoder::new(unknown(Mode::Strict)));
    let input: &[u8] = unknown(b"");
    used(Decoder::push(&mut any(), input));
    used(Decoder::finish(&mut any()));
    used(Decoder::demand(&any()));
    used(Decoder::skip(&mut any(), unknown(0)));
    used(Decoder::position(&any()));
    used(Decoder::record_type(&any()));
    used(Decoder::lime(&any()));
    used(Decoder::field(&any()));
    used(Decoder::private_file(&any()));
    used(Decoder::private_record(&any()));
    used(Decoder::format(&any()));
    used(Decoder::stored_checksum(&any()));
    used(Decoder::checksum_offset(&any()));
    used(Decoder::format_describes_field(&any()));
    used(Decoder::supply_checksum(&mut any(), unknown(Checksum::default())));
    Decoder::reset(&mut any());
    used(Decoder::save(&any()));
    used(state::any().map(|state| Decoder::load(&state)));
    used(Decoder::save_into(&any(), unknown(&mut [0; State::<Decoder>::LEN])));
    used(Decoder::load_into(&mut any(), unknown(b"bytes")));
}

pub fn any_field() -> Option<Field> {
    let links = LinkLayout::new(4, 3, unknown(3), Precision::F64);
    let extents = lattice::any_extents().ok()?;
    let mut field = Field::with_links(Record::default(), DescribedBy::Ildg, extents, unknown(links));
    field.region = lattice::any_region();
    Some(unknown(field))
}

fn sites(field: &Field) {
    used(Field::sites(field));
    used(Field::number_count(field, limits::any()));
    used(Field::byte_count(field, limits::any()));
    used(Field::data_length(field));
    error::value(*field);
    used(unknown(field.links).map(|layout| LinkLayout::bytes_per_link(&layout)));

    let mut buffer = [0; 64];
    let buffer: &mut [u8] = unknown(&mut buffer);
    used(Sites::begin(&mut unknown(Sites::new(buffer)), field));
    let mut sites = unknown(Sites::new(buffer));
    used(Sites::resume(&mut sites, field, unknown(0)));
    let mut saved = [0; 600];
    let saved: &mut [u8] = unknown(&mut saved);
    used(Sites::incomplete(&unknown(Sites::new(unknown(&mut [0; 8])))));
    used(Sites::saved_len(unknown(0)));
    used(Sites::save_into(&unknown(Sites::new(unknown(&mut [0; 8]))), saved));
    used(Sites::load_into(&mut sites, field, unknown(None), saved));
    used(Checkpoint::len(unknown(0), unknown(0)));
    let mut decoder = unknown(Decoder::new(unknown(Mode::Strict)));
    used(Checkpoint::save(&decoder, &unknown(Sites::new(unknown(&mut [0; 8]))), unknown(&[0; 8]), saved));
    used(Checkpoint::position(saved));
    used(Checkpoint::load(&mut decoder, &mut sites, unknown(&mut [0; 8]), saved));
    used(Sites::feed(&mut unknown(sites), field, unknown(&[0; 2000]), |found| {
        site(&found);
        unknown(Err(SiteError::NoLinks))
    }));
}

fn site(site: &Site<'_>) {
    let site = unknown(*site);
    used(Site::rank(&site));
    used(Site::coordinates(&site));
    used(Site::bytes(&site));
    used(Site::index(&site));
    if let Ok(mut numbers) = Site::numbers(&site) {
        used(numbers.clone().fold(0.0, |sum, number| sum + number));
        used(numbers.size_hint());
        used(numbers.nth(unknown(0)));
    }
    used(Site::read_into(&site, unknown::<&mut [f32]>(&mut [0.0])));
    used(Site::copy_words(&site, unknown::<&mut [u32]>(&mut [0]), unknown(ByteOrder::Little)));
    used(Site::read_into(&site, unknown::<&mut [f64]>(&mut [0.0])));
    for each in Site::links(&site).into_iter().flatten() {
        link(each);
    }
    used(Site::link(&site, unknown(0)).map(link));
}

fn link(link: Link<'_>) {
    let link = unknown(link);
    used(Link::rows(&link));
    used(Link::columns(&link));
    used(Link::bytes(&link));
    used(Link::numbers(&link).fold(0.0, |sum, number| sum + number));
    used(Link::read_into(&link, unknown::<&mut [f32]>(&mut [0.0])));
    used(Link::get(&link, unknown(0), unknown(0)));
    used(Link::is_unphysical(&link));
}

fn message<'a>(file: &'a PrivateFile, record: &'a PrivateRecord, format: &'a Format) -> OutgoingMessage<'a> {
    let text: &[u8] = unknown(b"text");
    let name: &str = unknown("1");
    let message = match unknown(0) {
        0 => OutgoingMessage::file(file, text),
        1 => OutgoingMessage::scidac(record, text),
        2 => OutgoingMessage::ildg(format),
        3 => OutgoingMessage::lfn(name),
        _ => OutgoingMessage::foreign(text, text),
    };
    let message = OutgoingMessage::with_format(message, format);
    let message = OutgoingMessage::with_update(message, name);
    let message = OutgoingMessage::with_lfn(message, name);
    let message = OutgoingMessage::with_bare_lfn(message, name);
    let message = OutgoingMessage::with_checksum(message, unknown(true));
    let message = OutgoingMessage::with_spacing(message, unknown(xml::Spacing::Lines));
    unknown(if unknown(true) { message } else { OutgoingMessage::default() })
}

pub fn any_encoder() -> Encoder {
    let begun = state::any().and_then(|state| Encoder::load(&state).ok());
    match begun {
        Some(begun) => unknown(begun),
        None => unknown(Encoder::new()),
    }
}

fn encoder(message: &OutgoingMessage<'_>) {
    let mut buffer = [0; 64];
    let buffer: &mut [u8] = unknown(&mut buffer);
    used(Encoder::default());
    if let Ok(lattice) = lattice::any_extents() {
        used(Encoder::due_file(&any_encoder(), message, lattice, buffer));
    }
    used(Encoder::begin(&mut any_encoder(), message, buffer));
    if let Ok(begun) = Encoder::resume(&any_encoder(), message, buffer) {
        used(Encoder::next(&mut any_encoder(), &begun, buffer));
        used(begun == unknown(begun));
    }
    if let Ok(begun) = Encoder::begin(&mut any_encoder(), message, buffer) {
        used(Encoder::stage(&mut any_encoder(), &begun, buffer));
    }
    used(unknown(Want::Nothing));
    error::value(Want::Nothing);
    let bytes: &[u8] = unknown(b"");
    used(Encoder::put(&mut any_encoder(), bytes));
    used(Encoder::fill(&mut any_encoder(), &mut Fill::at_most(Fill::sites(site_mut), unknown(0)), buffer));
    used(Encoder::seek(&mut any_encoder(), unknown(0)));
    used(Encoder::others(&mut any_encoder(), unknown(Checksum::default())));
    used(Encoder::finish(&any_encoder()));
    used(Encoder::position(&any_encoder()));
    used(Encoder::lime(&any_encoder()));
    used(Encoder::field(&any_encoder()));
    used(Encoder::site(&any_encoder()));
    used(Encoder::room(&any_encoder()));
    used(Encoder::is_between_sites(&any_encoder()));
    used(Encoder::checksum(&any_encoder()));
    used(Encoder::save(&any_encoder()));
    Encoder::save_into(&any_encoder(), unknown(&mut [0; State::<Encoder>::LEN]));
    used(Encoder::load_into(&mut any_encoder(), unknown(b"bytes")));
    Encoder::reset(&mut any_encoder());
}

fn documents(lattice: &Extents) {
    let (kind, precision) = (unknown(GaugeKind::SU3), unknown(Precision::F64));
    if let Ok(documents) = FieldDocuments::gauge_field(kind, precision, unknown(Form::Both), lattice) {
        let documents = FieldDocuments::dated(unknown(documents), unknown(Date::from_unix(unknown(0))));
        used(FieldDocuments::message(&documents, unknown(b"text")));
        used(FieldDocuments::layout(&documents, lattice));
        error::value(documents);
    }
    used(FieldDocuments::scidac(unknown(PrivateRecord::propagator(precision))));
    error::value(Form::Both);
    if let Some(field) = any_field() {
        let mut numbers = [0.0_f32; 4];
        let numbers: &mut [f32] = unknown(&mut numbers);
        if let Ok(mut into) = ReadInto::new(&field, numbers) {
            used(ReadInto::feed(&mut into, unknown(b"data")));
            used(ReadInto::is_complete(&into));
        }
    }
    let mut buffer = [0; 64];
    let buffer: &mut [u8] = unknown(&mut buffer);
    used(Encoder::fill(&mut any_encoder(), &mut unknown::<&[f32]>(&[0.0]), buffer));
    used(Encoder::fill(&mut any_encoder(), &mut unknown::<&[f64]>(&[0.0]), buffer));
    used(Encoder::fill(&mut any_encoder(), &mut unknown::<&[u8]>(b"data"), buffer));
}

pub fn site_mut(site: &mut SiteMut<'_>) -> Result<(), SiteError> {
    used(SiteMut::index(site));
    used(SiteMut::put_rounded(site, unknown::<&[f32]>(&[0.0])));
    used(SiteMut::put_rounded(site, unknown::<&[f64]>(&[0.0])));
    used(SiteMut::rank(site));
    used(SiteMut::coordinates(site));
    used(SiteMut::bytes_mut(site));
    used(SiteMut::put(site, unknown::<&[f64]>(&[0.0])));
    used(SiteMut::put(site, unknown::<&[u8]>(&[0])));
    used(SiteMut::set(site, unknown(0), unknown(0.0)));
    if let Ok(mut link) = SiteMut::link_mut(site, unknown(0)) {
        used(LinkMut::put(&mut link, unknown::<&[f32]>(&[0.0])));
        used(LinkMut::set(&mut link, unknown(0), unknown(0), unknown([0.0; 2])));
        LinkMut::set_unphysical(&mut link);
    }
    unknown(Err(SiteError::NoLinks))
}
