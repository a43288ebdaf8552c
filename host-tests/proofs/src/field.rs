use linkstream::field::{
    Decoder, DocumentName, Event, Field, Kind, Link, LinkLayout, Site, Sites, SitesError, Source, Verdict,
};
use linkstream::lattice::Precision;
use linkstream::lime::Record;
use linkstream::{Decode, Mode};
use proofs::{unknown, used};

use crate::{error, io, lattice};

pub fn all() {
    decoder();
    io::reader(Decoder::new(unknown(Mode::Strict)));
    if let Some(field) = any_field() {
        sites(&field);
    }
    used(DocumentName::as_str(unknown(DocumentName::Format)));
    error::value(DocumentName::Format);
    used(Verdict::is_match(&unknown(Verdict::Absent)));
    error::value(Verdict::Absent);
    error::value(Event::Payload);
    error::kind(Kind::Undescribed);
    error::message(SitesError::BufferTooSmall { needed: 0 });
    error::value(SitesError::BufferTooSmall { needed: 0 });
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
    used(Decoder::save(&any()));
    used(Decoder::load(&unknown([0; Decoder::SAVED])));
}

fn any_field() -> Option<Field> {
    let links = LinkLayout {
        links: 4,
        rows: 3,
        columns: 3,
        parts: 2,
        precision: Precision::F64,
        absent_is_ones: false,
    };
    Some(unknown(Field {
        record: Record::default(),
        source: Source::Ildg,
        extents: lattice::any_extents().ok()?,
        region: lattice::any_region(),
        bytes_per_site: 576,
        precision: Some(Precision::F64),
        links: Some(links),
    }))
}

fn sites(field: &Field) {
    used(Field::sites(field));
    used(Field::data_length(field));
    error::value(*field);
    used(unknown(field.links).map(|layout| LinkLayout::bytes_per_link(&layout)));

    let mut buffer = [0; 64];
    let buffer: &mut [u8] = unknown(&mut buffer);
    used(Sites::begin(&mut unknown(Sites::new(buffer)), field));
    let mut sites = unknown(Sites::new(buffer));
    used(Sites::resume(&mut sites, field, unknown(0)));
    Sites::feed(&mut unknown(sites), unknown(&[0; 2000]), |found| site(&found));
}

fn site(site: &Site<'_>) {
    let site = unknown(*site);
    used(Site::rank(&site));
    used(Site::coordinates(&site));
    used(Site::bytes(&site));
    used(Site::numbers(&site).fold(0.0, |sum, number| sum + number));
    used(Site::numbers(&site).nth(unknown(0)));
    for each in Site::links(&site) {
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
    used(Link::get(&link, unknown(0), unknown(0)));
    used(Link::is_unphysical(&link));
}
