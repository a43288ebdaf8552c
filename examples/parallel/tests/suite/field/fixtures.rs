//! Files of QIO and of other programs: many ranks read what one process reads.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

use host_tests::fixtures::Fixtures;
use host_tests::manifest;
use linkstream::field::{Decoder as FieldDecoder, Event as FieldEvent, Verdict};
use linkstream::io::{FromStd, ReadError, Reader, VolumeReader};
use linkstream::lattice::{Extents, Region};
use linkstream::volume::{Decoder, Event};
use linkstream::{Diagnostic as _, Mode};
use linkstream_parallel::Error;
use linkstream_parallel::comm::{Comm, Threads};
use linkstream_parallel::field::{Bytes, FieldReader, Grid, Layout, SetReader};
use linkstream_parallel::file::{IoRanks, SystemDisk};

/// The bytes of each site of a field.
type SitesOf = BTreeMap<u64, Vec<u8>>;

/// A grid of two ranks in the last dimension, and three in the first if it is long enough.
fn grid(lattice: &Extents) -> Grid {
    let mut ranks = vec![1; lattice.as_slice().len()];
    *ranks.last_mut().unwrap() = 2;
    ranks[0] = if ranks.len() > 1 { 3 } else { ranks[0] };
    Grid::new(lattice, &ranks).unwrap()
}

/// Adds sites that a rank has read.
fn taken<'f>(
    found: &'f Mutex<SitesOf>,
) -> Bytes<impl FnMut(&linkstream::lattice::SiteOrder, &[u8]) -> Result<(), linkstream_parallel::Fault> + 'f>
{
    Bytes::taken(|site, bytes: &[u8]| {
        assert!(found.lock().unwrap().insert(site.rank(), bytes.to_vec()).is_none());
        Ok(())
    })
}

/// The fields of a set, read by one process in strict mode.
fn serial_set(volumes: &[Vec<u8>]) -> Vec<SitesOf> {
    let (mut fields, mut found) = (Vec::new(), Vec::new());
    for (nth, bytes) in volumes.iter().enumerate() {
        let (mut list, mut buffer) = ([0; 64], vec![0; 1 << 16]);
        let source = FromStd(std::io::Cursor::new(&bytes[..]));
        let mut reader = VolumeReader::new(source, &mut list, &mut buffer, Decoder::new(Mode::Strict));
        let with_sites: Vec<usize> = (0..fields.len())
            .filter(|index| {
                let field: &linkstream::field::Field = &fields[*index];
                field.region != Region::Global
            })
            .collect();
        let mut at = 0;
        loop {
            if nth > 0 {
                match with_sites.get(at) {
                    Some(index) => reader.decoder_mut().expect_field(&fields[*index]),
                    None => reader.decoder_mut().expect_no_field(),
                }
            }
            match reader.next().unwrap() {
                Some(Event::Field) => {
                    let field = *reader.decoder().field().unwrap();
                    let index = if nth == 0 { fields.len() } else { with_sites[at] };
                    if nth == 0 {
                        fields.push(field);
                        found.push(SitesOf::new());
                    }
                    at += 1;
                    let _ = reader
                        .for_each_site(|site| {
                            found[index].insert(site.rank(), site.bytes().to_vec());
                        })
                        .unwrap();
                }
                Some(_) => {}
                None => break,
            }
        }
    }
    found
}

fn read_set(path: &Path, ranks: usize) -> Vec<SitesOf> {
    let all: Mutex<BTreeMap<usize, Mutex<SitesOf>>> = Mutex::default();
    let outcomes = Threads::on_nodes(ranks, 2).run(|comm| -> Result<(), Error> {
        let mut set = SetReader::open(comm, SystemDisk, path)?.with_memory(500);
        for index in 0..set.fields().len() {
            let grid = grid(&set.fields()[index].layout().extents);
            let layout = Layout::grid(&if ranks < 6 { one(&grid) } else { grid }, comm.rank());
            let found = Mutex::default();
            let verdict = set.read(index, &layout, taken(&found))?;
            assert_eq!(verdict.is_match(), set.fields()[index].checksum().is_some());
            let mut all = all.lock().unwrap();
            let sites = all.entry(index).or_default().get_mut().unwrap();
            for (rank, bytes) in found.into_inner().unwrap() {
                assert!(sites.insert(rank, bytes).is_none());
            }
        }
        set.close()
    });
    for outcome in outcomes {
        outcome.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    all.into_inner().unwrap().into_values().map(|sites| sites.into_inner().unwrap()).collect()
}

/// The grid with one rank.
fn one(grid: &Grid) -> Grid {
    Grid::new(grid.lattice(), &[1]).unwrap()
}

#[test]
fn sets_of_qio_are_read_like_by_one_process() {
    let directory = tempfile::tempdir().unwrap();
    let mut checked = 0;
    for folder in ["qio/multi", "qio/convert"] {
        let mut sets = BTreeMap::<String, Vec<(String, Vec<u8>)>>::new();
        for entry in manifest::load(Fixtures::Ours, "qio") {
            let Some(path) = entry.path.strip_prefix(folder.strip_prefix("qio/").unwrap()) else { continue };
            let name = path.trim_start_matches('/');
            if let Some((set, _)) = name.rsplit_once(".vol") {
                sets.entry(set.to_owned()).or_default().push((name.to_owned(), entry.bytes()));
            }
        }
        for (set, volumes) in sets {
            for (name, bytes) in &volumes {
                std::fs::write(directory.path().join(name), bytes).unwrap();
            }
            let bytes: Vec<_> = volumes.into_iter().map(|(_, bytes)| bytes).collect();
            let expected = serial_set(&bytes);
            for ranks in [1, 3, 7] {
                let found = read_set(&directory.path().join(&set), ranks);
                assert!(found == expected, "{set} on {ranks} ranks");
            }
            checked += 1;
        }
    }
    assert!(checked >= 10, "{checked}");
}

/// The outcome of reading a single file in strict mode: verdicts, or the first error.
type Outcome = Result<Vec<Verdict>, (u64, &'static str)>;

fn serial_file(bytes: &[u8]) -> Outcome {
    let mut reader = Reader::new(bytes, vec![0; 1 << 16], FieldDecoder::new(Mode::Strict));
    let mut verdicts = Vec::new();
    loop {
        match reader.next() {
            Ok(Some(FieldEvent::Verdict(verdict))) => verdicts.push(verdict),
            Ok(Some(_)) => {}
            Ok(None) => return Ok(verdicts),
            Err(ReadError::Format(error)) => return Err((error.at, error.kind.rule())),
            Err(error) => panic!("{error:?}"),
        }
    }
}

#[test]
fn single_files_are_read_like_by_one_process() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    let (mut good, mut bad) = (0, 0);
    for entry in manifest::load(Fixtures::Ours, "qio") {
        if entry.path.contains(".vol") || entry.path.contains("nersc") && !entry.path.ends_with(".lime") {
            continue;
        }
        let bytes = entry.bytes();
        std::fs::write(&path, &bytes).unwrap();
        let expected = serial_file(&bytes);
        let outcomes = Threads::on_nodes(7, 3).run(|comm| -> Result<_, Error> {
            let engine = IoRanks::new(comm, SystemDisk).unwrap();
            let mut file = FieldReader::open(comm, &engine, &path)?.with_memory(700);
            let mut verdicts = Vec::new();
            for index in 0..file.fields().len() {
                let layout = Layout::grid(&grid(&file.fields()[index].layout().extents), comm.rank());
                let found = Mutex::default();
                verdicts.push(file.read(index, &layout, taken(&found))?);
            }
            file.close().map(|()| verdicts)
        });
        assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]), "{}: {outcomes:?}", entry.path);
        match (&expected, &outcomes[0]) {
            (Ok(expected), Ok(found)) => {
                assert_eq!(found, expected, "{}", entry.path);
                good += 1;
            }
            (Err((at, rule)), Err(error)) => {
                let fault = &error.fault;
                assert_eq!((fault.offset, fault.rule.as_str()), (Some(*at), *rule), "{}", entry.path);
                bad += 1;
            }
            _ => panic!("{}: {expected:?}, {:?}", entry.path, outcomes[0]),
        }
    }
    assert!(good > 40, "{good} files without errors, {bad} with errors");
}
