//! Volumes of QIO's file sets. Checks the contract of the decoder in every mode, with and without a description of its
//! data; that the pull reader joins sites with the ranks in the site lists; and that reading always ends.

use linkstream::Resumable as _;
use linkstream::field::{Field, FieldDocuments};
use linkstream::io::{ReadError, VolumeReader};
use linkstream::lattice::{Checksum, Extents, Precision};
use linkstream::scidac::PrivateRecord;
use linkstream::volume::{Decoder, ErrorKind, Event, SiteAccount, SiteStream};
use linkstream::{CallbackError, Error, Mode};

use crate::raw::{MB, ME, Raw};
use crate::source::Trickle;
use crate::stream::{self, Checked, FEW_WAYS, WAYS};

impl Checked for Decoder {
    fn is_payload(event: &Event) -> bool {
        matches!(event, Event::Payload | Event::Data | Event::SiteList)
    }

    fn finding(event: &Event) -> Option<Error<ErrorKind>> {
        match event {
            Event::Finding(finding) => Some(*finding),
            _ => None,
        }
    }

    fn through_bytes(&self) -> Result<Self, Error<ErrorKind>> {
        Ok(Self::load(&self.save()?).expect("a saved state loads"))
    }
}

/// A field with one number at each site of a small lattice.
fn field() -> (Extents, Field) {
    let lattice = Extents::new(&[4, 2, 2]).expect("the extents are valid");
    let documents = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32));
    (lattice, documents.layout(&lattice).expect("the documents describe a field"))
}

/// Checks the decoder and the reader with this file.
pub fn check(file: &[u8]) {
    let (lattice, field) = field();
    let described = |mode| {
        move || {
            let mut decoder = Decoder::new(mode);
            decoder.expect_field(&field);
            decoder
        }
    };
    let strict = stream::check(described(Mode::Strict), file, &FEW_WAYS);
    let lenient = stream::check(described(Mode::Lenient), file, &FEW_WAYS);
    let survey = stream::check(described(Mode::Survey), file, &WAYS);
    stream::milder::<Decoder>(&strict, &lenient);
    stream::milder::<Decoder>(&lenient, &survey);
    stream::check(|| Decoder::new(Mode::Survey), file, &FEW_WAYS);
    join(file, &lattice, described(Mode::Survey)());
}

/// Reads the sites of all fields, and the site list.
fn join(file: &[u8], lattice: &Extents, decoder: Decoder) {
    let (mut list, mut buffer) = ([0; 11], [0; 300]);
    let mut volume = VolumeReader::new(Trickle::new(file), &mut list[..], &mut buffer[..], decoder);
    while let Ok(Some(event)) = volume.next() {
        if event != Event::Field {
            continue;
        }
        let field = *volume.decoder().field().expect("the field was reported");
        let (mut sum, mut sites_inside, mut next) = (Checksum::default(), 0, 0);
        let joined = volume.for_each_site(|site| {
            let coordinates = field.extents.coordinates(site.rank()).expect("inside the lattice");
            // The index counts sites outside the lattice, which are not passed to the callback.
            assert!(site.index() >= next, "{} comes after {next}", site.index());
            assert_eq!(site.coordinates(), coordinates.as_slice());
            sum.add(site.rank(), site.bytes());
            sites_inside += 1;
            next = site.index() + 1;
        });
        match joined {
            Ok(read) => {
                let (sites, checksum) = (read.sites(), read.checksum());
                // Sites outside the lattice are counted only.
                assert!(sites > sites_inside || (sites, checksum) == (sites_inside, sum));
                assert!(next as u64 <= sites);
                assert_eq!(sites.checked_mul(field.bytes_per_site), Some(field.record.length));
                again(file, &volume, &field, checksum);
            }
            Err(CallbackError::Failed(
                ReadError::Format(_) | ReadError::TooSmall { .. } | ReadError::Limit(_),
            )) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
    let mut account = SiteAccount::new(lattice);
    account.begin_volume();
    let mut entries = 0;
    match volume.for_each_rank(|rank| {
        account.take(rank);
        entries += 1;
    }) {
        Ok(()) => assert!(entries * 4 <= file.len() && account.sites() <= entries as u64),
        Err(CallbackError::Failed(ReadError::NotOpen)) => {}
        Err(other) => panic!("{other:?}"),
    }
    let _ = account.end();
}

/// Checks that joining site list and data in memory gives the same checksum, with the state saved at every step.
fn again(
    file: &[u8],
    volume: &VolumeReader<Trickle<'_>, &mut [u8], &mut [u8]>,
    field: &Field,
    checksum: Checksum,
) {
    let payload = |record: &linkstream::lime::Record| {
        let from = record.payload_offset() as usize;
        &file[from..from + record.length as usize]
    };
    let Some(record) = volume.decoder().site_list() else { return };
    let (mut list, mut data) = (payload(&record), payload(&field.record));
    let mut stream = SiteStream::new(field, volume.decoder().entry_width());
    loop {
        // Short pieces, so that they end inside an entry and inside a site.
        let (some_list, some_data) = (&list[..list.len().min(3)], &data[..data.len().min(5)]);
        let step = stream.push(some_list, some_data);
        (list, data) = (&list[step.list..], &data[step.data..]);
        stream = SiteStream::load(&stream.save()).expect("a saved state loads");
        if step.piece.is_none() && step.list == 0 {
            break;
        }
    }
    assert_eq!((stream.sites_read().checksum(), stream.fault(data.len() as u64)), (checksum, None));
}

/// First and other volumes, and one for each error.
#[must_use]
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    let list = |ranks: &[u32]| {
        let entries: Vec<u8> = ranks.iter().flat_map(|rank| rank.to_be_bytes()).collect();
        Raw::record(MB | ME, b"scidac-sitelist", &entries)
    };
    let data = |sites: usize| Raw::record(MB | ME, b"scidac-binary-data", &[0x3f; 64][..4 * sites]);
    let first = |volume_format: &str| {
        let document = format!(
            "<?xml version=\"1.0\"?><scidacFile><version>1.1</version><spacetime>3</spacetime>\
             <dims>4 2 2 </dims><volfmt>{volume_format}</volfmt></scidacFile>"
        );
        let record = b"<?xml version=\"1.0\"?><scidacRecord><version>1.1</version><recordtype>0</recordtype>\
            <datatype>QDP_F_Real</datatype><precision>F</precision><typesize>4</typesize>\
            <datacount>1</datacount></scidacRecord>";
        Raw::record(MB, b"scidac-private-file-xml", document.as_bytes())
            .then(Raw::record(0, b"scidac-sitelist", &[0, 0, 0, 1, 0, 0, 0, 5]))
            .then(Raw::record(ME, b"scidac-file-xml", b"\0"))
            .then(Raw::record(MB, b"scidac-private-record-xml", record))
            .then(Raw::record(0, b"scidac-record-xml", b"\0"))
            .then(Raw::record(0, b"scidac-binary-data", b"12345678"))
            .then(Raw::record(
                ME,
                b"scidac-checksum",
                b"<scidacChecksum><version>1.0</version></scidacChecksum>",
            ))
    };
    let wide = Raw::record(MB | ME, b"scidac-sitelist", &[0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 3]);
    [
        ("first", first("2")),
        ("first-multifile", first("1")),
        ("single", first("0")),
        ("other", list(&[8, 9, 10, 11]).then(data(4))),
        ("alone", list(&[8, 9])),
        ("wide", wide.then(data(2))),
        ("descending", list(&[3, 2, 1]).then(data(3))),
        ("repeated", list(&[3, 3, 1]).then(data(3))),
        ("outside", list(&[3, 99]).then(data(2))),
        ("outside-first", list(&[99, 3]).then(data(2))),
        ("empty-list", list(&[]).then(data(0))),
        ("odd-list", Raw::record(MB | ME, b"scidac-sitelist", b"12345").then(data(1))),
        ("two-lists", list(&[1, 2]).then(data(2)).then(list(&[1, 2]))),
        ("other-lists", list(&[1, 2]).then(data(2)).then(list(&[2, 1]))),
        ("too-few-data", list(&[1, 2, 5]).then(data(2))),
        ("part-of-a-site", list(&[1]).then(Raw::record(MB | ME, b"scidac-binary-data", b"123"))),
        ("surplus", list(&[1]).then(data(1)).then(data(1))),
        ("no-list", data(1)),
        ("claims-four-billion", list(&[1]).with(8, &4_000_000_000_u64.to_be_bytes())),
        ("cut", list(&[1, 2]).then(data(2)).cut(310)),
    ]
    .into_iter()
    .map(|(name, raw)| (name.to_owned(), raw.bytes))
    .collect()
}
