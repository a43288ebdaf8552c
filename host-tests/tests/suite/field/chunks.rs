//! A decoder reports the same for any cut of the input, any driver and any place where it is saved and restored. If
//! data are skipped, everything is reported except what depends on their bytes.

use crate::field::support::driven::{FieldTrace, MODES, cuts, drive, restored};
use crate::field::support::run::Run;
use host_tests::fixtures::Fixtures;
use host_tests::long;
use host_tests::manifest::{Entry, load};
use host_tests::oracle;
use linkstream::Resumable as _;
use linkstream::SeekPayload as _;
use linkstream::conformance::{Decoder, ErrorKind, Event};
use linkstream::field::{self, Checkpoint, Field, SiteError, Sites, SitesError, Verdict};
use linkstream::{Decode, LoadError, Mode, State};

/// The LIME files of a directory.
fn files(fixtures: Fixtures, folder: &str, only: fn(&Entry) -> bool) -> Vec<(String, Vec<u8>)> {
    let entries = load(fixtures, folder).into_iter().filter(|entry| !entry.path.ends_with(".nersc"));
    entries.filter(only).map(|entry| (entry.path.clone(), entry.bytes())).collect()
}

/// True if a checksum mismatch ended the trace. It is an error if data are read, and is not noticed if they are
/// skipped.
fn is_checksum_mismatch(trace: &FieldTrace) -> bool {
    trace
        .end
        .is_err_and(|error| matches!(error.kind, ErrorKind::Field(field::ErrorKind::ChecksumMismatch { .. })))
}

fn agree(file: &[u8], mode: Mode, what: &str) -> FieldTrace {
    let decoder = Decoder::new(mode);
    let drive = drive(&decoder, file);
    let what = format!("{what}, {mode:?}");
    let whole = drive.agree_reading(&what, &cuts(file), restored);
    if is_checksum_mismatch(&whole) {
        drive.agree_passing(&what, &drive.pull_seeking(97, 1, 0), &[1]);
    } else {
        drive.agree_passing(&what, &whole, &[1, 2]);
    }
    whole
}

#[test]
fn files_of_qio() {
    assert!(files_of_qio_of(Fixtures::Ours) > 120);
}

fn files_of_qio_of(fixtures: Fixtures) -> usize {
    let files = files(fixtures, "qio", |_| true);
    for (path, file) in long::sample(files.iter(), 3) {
        agree(file, Mode::Survey, path);
    }
    files.len()
}

#[test]
fn broken_files() {
    let broken = files(Fixtures::Ours, "broken", |entry| !entry.path.starts_with("lime/"));
    assert!(broken.len() > 104, "{}", broken.len());
    for (number, (path, file)) in broken.into_iter().enumerate() {
        // Each file in one of the modes.
        for mode in long::sample(MODES.into_iter().cycle().skip(number).take(MODES.len()), MODES.len()) {
            agree(&file, mode, &path);
        }
    }
}

/// Rank and bytes of each site if, at each of `cuts`, everything is dropped except the saved states, and reading is
/// resumed from them with another site buffer.
fn sites_resumed(file: &[u8], cuts: &[usize]) -> Vec<(u64, Vec<u8>)> {
    let mut decoder = Decoder::new(Mode::Survey);
    let mut buffers = [vec![0x77; 4096], vec![0x77; 4096]];
    let mut saved = vec![0; Sites::saved_len(4096)];
    Sites::new(&mut []).save_into(&mut saved).expect("long enough");
    let mut reported = Vec::new();
    let mut from = 0;
    for to in cuts.iter().copied().chain([file.len()]) {
        let mut piece = &file[from..to];
        from = to;
        decoder = restored(decoder);
        buffers.swap(0, 1);
        buffers[1].fill(0x77);
        let mut sites = Sites::new(&mut buffers[0]);
        let position = decoder.content().lime().payload_position();
        sites.load_into(decoder.content().field(), position, &saved).expect("saved at the same position");
        while !piece.is_empty() {
            let step = decoder.push(piece).expect("a valid file");
            let (bytes, rest) = piece.split_at(step.consumed);
            piece = rest;
            match step.event {
                Some(Event::Field) => sites.begin(decoder.content().field()).expect("large enough"),
                Some(Event::Data) => sites
                    .feed(decoder.content().field(), bytes, |site| -> Result<(), SiteError> {
                        reported.push((site.rank(), site.bytes().to_vec()));
                        Ok(())
                    })
                    .expect("has begun"),
                _ => {}
            }
        }
        sites.save_into(&mut saved).expect("long enough");
    }
    reported
}

/// Rank and bytes of each site if everything is dropped at each of `cuts` except a checkpoint.
fn sites_after_checkpoints(file: &[u8], cuts: &[usize]) -> Vec<(u64, Vec<u8>)> {
    let mut page = vec![0; Checkpoint::len(4096, 8)];
    let (mut decoder, mut buffer) = (field::Decoder::new(Mode::Survey), vec![0x77; 4096]);
    Checkpoint::save(&decoder, &Sites::new(&mut buffer), &[0; 8], &mut page).expect("long enough");
    let mut reported = Vec::new();
    for (to, number) in cuts.iter().copied().chain([file.len()]).zip(0_u64..) {
        (decoder, buffer) = (field::Decoder::new(Mode::Strict), vec![0x77; 4096]);
        let mut sites = Sites::new(&mut buffer);
        let mut results = [0; 8];
        let from = Checkpoint::load(&mut decoder, &mut sites, &mut results, &page).expect("saved before");
        assert_eq!((u64::from_be_bytes(results), Ok(from)), (number, Checkpoint::position(&page)));
        let read =
            linkstream::drive(&mut decoder, &file[from as usize..to], |event, bytes, decoder| match event {
                field::Event::Field => sites.begin(decoder.field()).expect("large enough"),
                field::Event::Data => sites
                    .feed(decoder.field(), bytes, |site| -> Result<(), SiteError> {
                        reported.push((site.rank(), site.bytes().to_vec()));
                        Ok(())
                    })
                    .expect("has begun"),
                _ => {}
            });
        assert_eq!(read, Ok(to - from as usize));
        Checkpoint::save(&decoder, &sites, &(number + 1).to_be_bytes(), &mut page).expect("long enough");
    }
    reported
}

/// A checkpoint is refused if any bit or the end is wrong, and then nothing changes; so is one with other results.
#[test]
fn torn_checkpoints_are_refused() {
    let file = Fixtures::Ours.read("qio/single/complex_d_n3_2x3x4x5.lime");
    let run = Run::clean(Mode::Strict, &file, usize::MAX, "complex");
    let at = run.fields[0].field.record.payload_offset() as usize + 100;
    let (mut decoder, mut buffer) = (field::Decoder::new(Mode::Strict), [0; 48]);
    let mut sites = Sites::new(&mut buffer);
    let read = linkstream::drive(&mut decoder, &file[..at], |event, bytes, decoder| match event {
        field::Event::Field => sites.begin(decoder.field()).expect("large enough"),
        field::Event::Data => {
            sites.feed(decoder.field(), bytes, |_| Ok::<_, SiteError>(())).expect("has begun")
        }
        _ => {}
    });
    assert_eq!(read, Ok(at));
    assert_eq!(sites.incomplete(), &file[at - 4..at]);
    let needed = Checkpoint::len(4, 3);
    let short = Checkpoint::save(&decoder, &sites, b"abc", &mut vec![0; needed - 1]);
    assert_eq!(short, Err(SitesError::MemoryTooShort { needed }));
    let mut page = vec![0xEE; needed + 5];
    Checkpoint::save(&decoder, &sites, b"abc", &mut page).expect("long enough");

    let load = |page: &[u8], results: &mut [u8], room: usize| {
        let (mut decoder, mut buffer) = (decoder.clone(), vec![0xAA; room]);
        assert_eq!(decoder.push(&file[at..at + 1]).expect("data").consumed, 1);
        let mut sites = Sites::new(&mut buffer);
        let loaded = Checkpoint::load(&mut decoder, &mut sites, results, page);
        (loaded, decoder.position())
    };
    let mut results = [0; 3];
    assert_eq!(load(&page, &mut results, 48), (Ok(at as u64), at as u64));
    assert_eq!(&results, b"abc");
    let refused = |error| Err(SitesError::Load(error));
    results = [0; 3];
    for bit in 0..page.len() * 8 {
        let mut torn = page.clone();
        torn[bit / 8] ^= 1 << (bit % 8);
        let expected = (refused(LoadError::Damaged), at as u64 + 1);
        assert_eq!(load(&torn, &mut results, 48), expected, "bit {bit}");
        assert_eq!(Checkpoint::position(&torn), Err(LoadError::Damaged));
    }
    for length in 0..page.len() {
        let (loaded, position) = load(&page[..length], &mut results, 48);
        assert_eq!((loaded, position), (refused(LoadError::Damaged), at as u64 + 1), "{length} bytes");
    }
    let state = decoder.save().expect("it is running");
    assert_eq!(load(state.as_bytes(), &mut results, 48).0, refused(LoadError::Foreign));
    for other in 0..8 {
        if other != 3 {
            assert_eq!(
                load(&page, &mut vec![0; other], 48),
                (refused(LoadError::Inconsistent), 0),
                "{other}"
            );
        }
    }
    assert_eq!(load(&page, &mut results, 47).0, Err(SitesError::BufferTooSmall { needed: 48 }));
    assert_eq!(results, [0; 3]);

    // After an error there is nothing to continue.
    let mut stopped = field::Decoder::new(Mode::Strict);
    assert_eq!(stopped.push(b"no record").expect("too short for a header").consumed, 9);
    stopped.push(&[b'x'; 144]).expect_err("no record");
    let saved = Checkpoint::save(&stopped, &sites, b"abc", &mut page);
    assert_eq!(saved, Err(SitesError::Stopped));
}

/// Data that were not fed: a checkpoint is refused when it is saved, not when it is loaded.
#[test]
fn a_checkpoint_that_is_saved_can_be_loaded() {
    let file = Fixtures::Ours.read("qio/single/complex_d_n3_2x3x4x5.lime");
    let record = Run::clean(Mode::Strict, &file, usize::MAX, "complex").fields[0].field.record;
    let (data, end) = (record.payload_offset() as usize, record.payload_offset() + record.length);
    let mut page = vec![0; Checkpoint::len(48, 0)];
    // The position and the incomplete site after loading.
    let mut saved = |decoder: &field::Decoder, sites: &Sites<'_>| {
        Checkpoint::save(decoder, sites, &[], &mut page)?;
        let (mut decoder, mut buffer) = (field::Decoder::new(Mode::Strict), [0; 48]);
        let mut sites = Sites::new(&mut buffer);
        let position = Checkpoint::load(&mut decoder, &mut sites, &mut [], &page).expect("it was saved");
        Ok::<_, SitesError>((position, sites.incomplete().to_vec()))
    };
    let reads = |decoder: &mut field::Decoder, sites: &mut Sites<'_>, from: usize, to: usize| {
        let read = linkstream::drive(decoder, &file[from..to], |event, bytes, decoder| match event {
            field::Event::Field => sites.begin(decoder.field()).expect("large enough"),
            field::Event::Data => {
                sites.feed(decoder.field(), bytes, |_| Ok::<_, SiteError>(())).expect("has begun");
            }
            _ => {}
        });
        assert_eq!(read, Ok(to - from));
    };

    // In the callback of data: the decoder is after them, the sites are before them.
    let (mut decoder, mut buffer) = (field::Decoder::new(Mode::Strict), [0; 48]);
    let mut sites = Sites::new(&mut buffer);
    reads(&mut decoder, &mut sites, 0, data + 100);
    for piece in [&file[data + 100..data + 148], &file[data + 148..end as usize]] {
        let before = decoder.lime().payload_position().expect("in the data");
        assert_eq!(decoder.push(piece).map(|step| step.consumed), Ok(piece.len()));
        let behind = SitesError::Elsewhere { sites: before, decoder: before + piece.len() as u64 };
        assert_eq!(saved(&decoder, &sites), Err(behind));
        sites.feed(decoder.field(), piece, |_| Ok::<_, SiteError>(())).expect("has begun");
        assert!(saved(&decoder, &sites).is_ok());
    }

    // The rest of the data is skipped. Sites that are left incomplete then end with the record.
    for fed in [0, 48, 100] {
        let (mut decoder, mut buffer) = (field::Decoder::new(Mode::Strict), [0; 48]);
        let mut sites = Sites::new(&mut buffer);
        reads(&mut decoder, &mut sites, 0, data + fed);
        decoder.skip(record.length - fed as u64).expect("as many bytes follow");
        let behind = SitesError::Elsewhere { sites: fed as u64, decoder: record.length };
        assert_eq!(saved(&decoder, &sites), Err(behind));
        let mut complete = [0; 48];
        let mut complete = Sites::new(&mut complete);
        complete.resume(decoder.field(), record.length).expect("between sites");
        assert_eq!(saved(&decoder, &complete), Ok((end, vec![])));
        for to in end as usize + 1..=file.len() {
            reads(&mut decoder, &mut sites, to - 1, to);
            assert_eq!(saved(&decoder, &sites), Ok((to as u64, vec![])), "{fed} bytes fed");
        }
    }
}

/// Only one field of a file is divided into sites.
#[test]
fn checkpoints_in_fields_without_sites() {
    let file = Fixtures::Ours.read("qio/single/mixed_2x3x4x5.lime");
    let fields = Run::clean(Mode::Strict, &file, usize::MAX, "mixed").fields;
    assert!(fields.len() > 1, "{}", fields.len());
    for begun in fields.iter().map(|reported| reported.field.record.offset) {
        for to in (0..=file.len()).step_by(37) {
            let (mut decoder, mut buffer) = (field::Decoder::new(Mode::Strict), vec![0; 4096]);
            let mut sites = Sites::new(&mut buffer);
            let read = linkstream::drive(&mut decoder, &file[..to], |event, bytes, decoder| {
                match (event, decoder.field().filter(|field| field.record.offset == begun)) {
                    (field::Event::Field, Some(field)) => sites.begin(field).expect("large enough"),
                    (field::Event::Data, Some(field)) => {
                        sites.feed(field, bytes, |_| Ok::<_, SiteError>(())).expect("has begun");
                    }
                    _ => {}
                }
                Ok::<_, ()>(())
            });
            assert_eq!(read, Ok(to));
            let (mut page, mut memory) = ([0; Checkpoint::len(4096, 0)], [0; Sites::saved_len(4096)]);
            Checkpoint::save(&decoder, &sites, &[], &mut page).expect("all data of the field were fed");
            sites.save_into(&mut memory).expect("long enough");
            let (mut loaded, mut buffer) = (field::Decoder::new(Mode::Strict), vec![0; 4096]);
            let mut other = Sites::new(&mut buffer);
            assert_eq!(Checkpoint::load(&mut loaded, &mut other, &mut [], &page), Ok(to as u64));
            assert_eq!(other.incomplete(), sites.incomplete());
            let place = decoder.lime().payload_position();
            assert_eq!(other.load_into(decoder.field(), place, &memory), Ok(()), "at {to}");
            assert_eq!(other.incomplete(), sites.incomplete());
        }
    }
}

/// A decoder keeps the mode of its program unless a state is loaded.
#[test]
fn a_refused_state_leaves_the_mode() {
    for (of_caller, of_state) in MODES.into_iter().flat_map(|mode| MODES.map(|other| (mode, other))) {
        let mut page = vec![0; Checkpoint::len(0, 1)];
        let saved = Checkpoint::save(&field::Decoder::new(of_state), &Sites::new(&mut []), &[1], &mut page);
        assert_eq!(saved, Ok(()));
        let mut decoder = field::Decoder::new(of_caller);
        let mut load = |page: &[u8], results: &mut [u8]| {
            let loaded = Checkpoint::load(&mut decoder, &mut Sites::new(&mut []), results, page);
            (loaded, decoder.save())
        };
        let refused = Err(SitesError::Load(LoadError::Inconsistent));
        assert_eq!(load(&page, &mut []), (refused, field::Decoder::new(of_caller).save()));
        // Another position than the decoder's: that is noticed when it has been loaded.
        let mut other = page.clone();
        other[9] ^= 1;
        let (body, sum) = other.split_last_chunk_mut().expect("longer than its checksum");
        *sum = crc32fast::hash(body).to_be_bytes();
        assert_eq!(load(&other, &mut [0]), (refused, field::Decoder::new(of_caller).save()));
        assert_eq!(load(&page, &mut [0]), (Ok(0), field::Decoder::new(of_state).save()));
    }
}

/// Saved positions are refused if any bit has changed, also of the bytes of a site, and beside a decoder at another
/// position or in another field. Then nothing is passed on.
#[test]
fn torn_positions_are_refused() {
    let file = Fixtures::Ours.read("qio/single/complex_d_n3_2x3x4x5.lime");
    let run = Run::clean(Mode::Strict, &file, usize::MAX, "complex");
    let (field, payload) = (run.fields[0].field, &run.records[4].payload);
    let mut buffer = [0; 48];
    let mut sites = Sites::new(&mut buffer);
    sites.begin(&field).expect("large enough");
    sites.feed(&field, &payload[..100], |_| Ok::<_, SiteError>(())).expect("data");
    let needed = Sites::saved_len(4);
    assert_eq!(sites.save_into(&mut vec![0; needed - 1]), Err(SitesError::MemoryTooShort { needed }));
    let mut saved = vec![0xEE; Sites::saved_len(48)];
    sites.save_into(&mut saved).expect("long enough");

    let load = |field: Option<&Field>, position, saved: &[u8]| {
        let mut buffer = [0xAA; 48];
        let mut sites = Sites::new(&mut buffer);
        let loaded = sites.load_into(field, position, saved);
        let mut first = None;
        let fed = sites.feed(field, &payload[100..144], |site| {
            first = Some(site.bytes().to_vec());
            Ok::<_, SiteError>(())
        });
        assert_eq!((fed.is_ok(), first.is_some()), (loaded.is_ok(), loaded.is_ok()));
        (loaded, first)
    };
    assert_eq!(load(Some(&field), Some(100), &saved), (Ok(()), Some(payload[96..144].to_vec())));
    let refused = |error| (Err(SitesError::Load(error)), None);
    for bit in 0..saved.len() * 8 {
        let mut torn = saved.clone();
        torn[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(load(Some(&field), Some(100), &torn), refused(LoadError::Damaged), "bit {bit}");
    }
    for length in 0..saved.len() {
        assert_eq!(
            load(Some(&field), Some(100), &saved[..length]),
            refused(LoadError::Damaged),
            "{length} bytes"
        );
    }
    let state = Decoder::new(Mode::Strict).save().expect("a new decoder");
    assert_eq!(load(Some(&field), Some(100), state.as_bytes()), refused(LoadError::Foreign));
    let mut other = field;
    other.record.offset += 8;
    for (field, position) in [
        (None, Some(100)),
        (Some(&other), Some(100)),
        (Some(&field), Some(148)),
        (Some(&field), Some(96)),
        (Some(&field), None),
    ] {
        assert_eq!(load(field, position, &saved), refused(LoadError::Inconsistent), "{position:?}");
    }
    let mut small = [0; 47];
    let loaded = Sites::new(&mut small).load_into(&field, Some(100), &saved);
    assert_eq!(loaded, Err(SitesError::BufferTooSmall { needed: 48 }));
}

#[test]
fn sites_go_on_where_the_saved_state_left_them() {
    for name in [
        "qio/single/dim1_17.lime",
        "qio/single/real_d_2x3x4x5.lime",
        "qio/single/hyper_2x3x4x5.lime",
        "qio/single/global.lime",
        "qio/alien/ildg12_u1gauge.lime",
        "qio/alien/ildg12_three_dim.lime",
        "qio/single/type2_U3x5_2x3x4x5.lime",
    ] {
        let file = Fixtures::Ours.read(name);
        let run = Run::clean(Mode::Strict, &file, usize::MAX, name);
        let whole: Vec<(u64, Vec<u8>)> = run
            .fields
            .iter()
            .flat_map(|reported| &reported.sites)
            .map(|site| (site.rank, site.bytes.clone()))
            .collect();
        let all: Vec<usize> = (1..file.len()).collect();
        assert!(sites_resumed(&file, &all) == whole, "{name}: at every byte");
        assert!(sites_after_checkpoints(&file, &all) == whole, "{name}: checkpoints at every byte");
        for every in [3, 7, 64, 145] {
            let cuts: Vec<usize> = (every..file.len()).step_by(every).collect();
            assert!(sites_resumed(&file, &cuts) == whole, "{name}: each {every} bytes");
        }
        for cut in (1..file.len()).step_by(if file.len() < 4096 { 1 } else { 13 }) {
            assert!(sites_resumed(&file, &[cut]) == whole, "{name}: at {cut}");
        }
    }
}

/// A buffer one byte smaller than a site is refused, and a callback never gets an incomplete site.
#[test]
fn a_site_buffer_holds_a_site_or_is_refused() {
    let file = Fixtures::Ours.read("qio/single/complex_d_n3_2x3x4x5.lime");
    let run = Run::clean(Mode::Strict, &file, usize::MAX, "complex");
    let (field, payload) = (run.fields[0].field, &run.records[4].payload);
    for (size, holds) in [(0, false), (1, false), (47, false), (48, true), (49, true), (5000, true)] {
        let mut buffer = vec![0; size];
        let mut sites = Sites::new(&mut buffer);
        let begun = sites.begin(&field);
        assert_eq!(begun, if holds { Ok(()) } else { Err(SitesError::BufferTooSmall { needed: 48 }) });
        assert_eq!(sites.resume(&field, 96), begun);
        // The first bytes of the site are not there.
        let inside = if holds { Err(SitesError::InsideSite { missing: 4 }) } else { begun };
        assert_eq!(sites.resume(&field, 100), inside);
        assert_eq!(
            sites.feed(&field, &payload[100..148], |_| Ok::<_, SiteError>(())),
            Err(SitesError::NotBegun.into())
        );
        sites.begin(&field).ok();
        let mut count = 0;
        for piece in payload.chunks(17) {
            let fed = sites.feed(&field, piece, |site| -> Result<(), SiteError> {
                assert_eq!((site.bytes().len(), site.index()), (48, count));
                count += 1;
                Ok(())
            });
            assert_eq!(fed, if holds { Ok(()) } else { Err(SitesError::NotBegun.into()) });
        }
        assert_eq!(count, if holds { 120 } else { 0 });
    }
}

/// Skipping payload of unknown records has no effect; skipping data leaves them without a verdict. Both with every
/// driver that can skip.
#[test]
fn skipped_payload_is_not_checked() {
    let names =
        ["broken/scidac/foreign-before-data.lime", "broken/scidac/suma-wrong.lime", "qio/single/global.lime"];
    for name in names {
        let file = Fixtures::Ours.read(name);
        let foreign = |decoder: &Decoder| {
            decoder.content().record_type() != b"scidac-binary-data"
                && matches!(decoder.demand(), linkstream::Demand::Skip(_))
        };
        let run = Run::of(Mode::Survey, &file, usize::MAX);
        let read: Vec<Verdict> = run.fields.iter().filter_map(|reported| reported.verdict).collect();
        assert_eq!(verdicts(&file, foreign), read, "{name}: only foreign records were skipped");
        let data = |decoder: &Decoder| matches!(decoder.demand(), linkstream::Demand::Skip(_));
        assert_eq!(
            verdicts(&file, data),
            vec![Verdict::Unchecked; read.len()],
            "{name}: all payload was skipped"
        );
    }
}

fn verdicts(file: &[u8], pass: impl Fn(&Decoder) -> bool) -> Vec<Verdict> {
    let mut buffer = [0; 50];
    let source = std::io::Cursor::new(file);
    let source = linkstream::io::FromStd(source);
    let mut reader = linkstream::io::Reader::new(source, &mut buffer, Decoder::new(Mode::Survey));
    let mut verdicts = Vec::new();
    loop {
        if pass(reader.decoder()) {
            reader.skip_seeking().expect("nothing fails");
        }
        match reader.next().expect("nothing fatal") {
            Some(Event::Verdict(verdict)) => verdicts.push(verdict),
            Some(_) => {}
            None => return verdicts,
        }
    }
}

/// Loading a saved state with any bit changed is refused.
#[test]
fn a_damaged_state_is_refused() {
    let file = Fixtures::Ours.read("qio/single/hyper_2x3x4x5.lime");
    let data = oracle::records(&file)[4].payload_offset as usize;
    let mut decoder = Decoder::new(Mode::Strict);
    let mut rest = &file[..data + 11];
    while !rest.is_empty() {
        rest = &rest[decoder.push(rest).expect("a valid file").consumed..];
    }
    let saved = decoder.save().expect("no error");
    assert!(Decoder::load(&saved).is_ok());
    for bit in 0..8 * saved.as_bytes().len() {
        let mut damaged = saved.as_bytes().to_vec();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(State::<Decoder>::from_bytes(&damaged), Err(LoadError::Damaged), "bit {bit}");
    }
}

host_tests::of_other_projects! {
    fn files_from_the_wild() {
        for name in ["wild/ksvector.src.sample.l8", "wild/lat.sample.l4444.ildg", "wild/unity.lime"] {
            let file = Fixtures::OfOthers.read(name);
            assert_eq!(agree(&file, Mode::Strict, name).end, Ok(()), "{name}");
        }
        let name = "wild/lat.sample.l4448.foreign";
        let file = Fixtures::OfOthers.read(name);
        assert!(agree(&file, Mode::Strict, name).end.is_err());
        assert_eq!(agree(&file, Mode::Lenient, name).end, Ok(()));
    }

    fn file_of_qio() {
        assert_eq!(files_of_qio_of(Fixtures::OfOthers), 1);
    }
}
