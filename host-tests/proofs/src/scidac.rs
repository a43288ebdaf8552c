use linkstream::lattice::Precision;
use linkstream::scidac::{
    Contradiction, Date, PrivateFile, PrivateRecord, RecordData, RecordType, StoredChecksum, Text,
    TextTooLong, VolumeFormat,
};
use linkstream::xml::Spacing;
use proofs::{unknown, used};

use crate::{error, lattice};

pub fn all() {
    let document: &[u8] = unknown(b"<scidacFile></scidacFile>");
    let mut buffer = [0; 64];
    let buffer: &mut [u8] = unknown(&mut buffer);
    stored_checksum(document, buffer);
    private_file(document, buffer);
    private_record(document, buffer);
    error::value(VolumeFormat::Single);
    error::value(RecordType::Field);
}

fn stored_checksum(document: &[u8], buffer: &mut [u8]) {
    used(StoredChecksum::parse(document));
    let stored = unknown(StoredChecksum::new(unknown(Default::default())));
    used(StoredChecksum::emit(&stored, unknown(Spacing::Lines), buffer));
    used(StoredChecksum::suma(&stored));
    used(StoredChecksum::sumb(&stored));
    used(StoredChecksum::checksum(&stored));
    error::value(stored);
}

fn private_file(document: &[u8], buffer: &mut [u8]) {
    used(PrivateFile::parse(document));
    let Ok(extents) = lattice::any_extents() else { return };
    let file = unknown(PrivateFile::new(&extents));
    used(PrivateFile::emit(&file, unknown(Spacing::Lines), buffer));
    used(PrivateFile::version(&file));
    used(PrivateFile::extents(&file));
    used(PrivateFile::volume_format(&file));
    used(PrivateFile::with_volume_format(file.clone(), unknown(VolumeFormat::Partition)));
    error::value(file);
}

fn private_record(document: &[u8], buffer: &mut [u8]) {
    let date = Date::from_unix(unknown(0));
    used(Date::text(unknown(date)));
    error::message(date);
    error::value(date);
    used(PrivateRecord::parse(document));
    used(PrivateRecord::version_1_0(unknown(true)));
    let record = unknown(PrivateRecord::new(&lattice::any_region()));
    used(PrivateRecord::with_data(&record, unknown(*PrivateRecord::data(&record))));
    used(RecordData::item(&unknown(*PrivateRecord::data(&record))));
    error::value(*record.data());
    error::message(Contradiction::Precision { named: unknown('F') });
    error::value(Contradiction::Precision { named: unknown('F') });
    used(PrivateRecord::emit(&record, unknown(Spacing::Lines), buffer));
    used(PrivateRecord::version(&record));
    used(PrivateRecord::record_type(&record));
    used(PrivateRecord::bytes_per_site(&record));
    if let Ok(extents) = lattice::any_extents() {
        used(PrivateRecord::region(&record, &extents));
    }
    error::value(record);
    let precision = unknown(Precision::F32);
    used(PrivateRecord::gauge_field(unknown(3), precision, unknown(4)));
    used(PrivateRecord::propagator(precision));
    used(PrivateRecord::dirac_fermion(precision));
    used(PrivateRecord::color_vector(precision));
    used(PrivateRecord::complex_field(precision));
    used(PrivateRecord::real_field(precision));
    used(PrivateRecord::global(precision, unknown(4)));
    let other = unknown(PrivateRecord::real_field(precision));
    used(PrivateRecord::differences(&unknown(PrivateRecord::propagator(precision)), &other).count());
    used(PrivateRecord::covering(other, &lattice::any_region()));
    used(PrivateRecord::dated(unknown(PrivateRecord::real_field(precision)), unknown(date)));
    if let Ok(text) = Text::<8>::try_from(unknown("text")) {
        used(Text::as_str(&text).len());
        used(text == *unknown("text") || text == unknown("text"));
        error::message(text);
        error::value(text);
    }
    let too_long: Result<Text<8>, TextTooLong> = Text::try_from(unknown("text"));
    if let Err(error) = too_long {
        error::message(error);
        error::value(error);
    }
}
