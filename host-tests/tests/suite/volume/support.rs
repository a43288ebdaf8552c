//! File sets in memory, and a reader that records everything it finds.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::Cursor;

use host_tests::drive::Fitful;
use host_tests::fixtures::Fixtures;
use host_tests::manifest::{self, Entry};
use linkstream::field::{Field, Site, Verdict};
use linkstream::io::FromStd;
use linkstream::io::{ReadError, VolumeReader};
use linkstream::scidac::{StoredChecksum, VolumeFormat};
use linkstream::volume::{Decoder, ErrorKind, Event, Members, SiteAccount, SitesRead, Tally, VolumeKind};
use linkstream::{CallbackError, Diagnostic as _, Error, Mode, Severity};

/// Number and bytes of a volume.
pub type Volume = (u64, Vec<u8>);

/// The sets in a fixture directory by name, each with the entries of its volumes in order.
pub fn sets(folder: &str) -> BTreeMap<String, Vec<(u64, Entry)>> {
    let mut sets: BTreeMap<String, Vec<(u64, Entry)>> = BTreeMap::new();
    for entry in manifest::load(Fixtures::Ours, folder) {
        let Some(set) = entry.set.clone() else { continue };
        let number = number(&entry.path);
        sets.entry(set).or_default().push((number, entry));
    }
    sets
}

/// The number in `….volNNNN` or `volNNNN/…`.
fn number(path: &str) -> u64 {
    let (_, rest) = path.rsplit_once("vol").expect("the path of a volume");
    rest.split('/').next().expect("a part").parse().expect("digits")
}

pub fn volumes(entries: &[(u64, Entry)]) -> Vec<Volume> {
    entries.iter().map(|(number, entry)| (*number, entry.bytes())).collect()
}

/// A field of a set.
#[derive(Debug)]
pub struct ReadField {
    pub field: Field,
    /// The bytes of each site, by rank.
    pub sites: BTreeMap<u64, Vec<u8>>,
    pub tally: Tally,
    pub stored: Option<StoredChecksum>,
}

impl ReadField {
    pub fn verdict(&self) -> Verdict {
        self.tally.verdict(self.stored.as_ref().unwrap_or(&StoredChecksum::default()))
    }
}

/// Everything found in a set.
#[derive(Debug, Default)]
pub struct ReadSet {
    pub fields: Vec<ReadField>,
    pub format: Option<VolumeFormat>,
    /// Findings with the number of their volume; `None` for the set as a whole.
    pub findings: Vec<(Option<u64>, Error<ErrorKind>)>,
    /// The ranks of each volume, in the order of its list.
    pub lists: BTreeMap<u64, Vec<u64>>,
}

impl ReadSet {
    pub fn rules(&self) -> Vec<(Option<u64>, &'static str)> {
        self.findings.iter().map(|(volume, error)| (*volume, error.kind.rule())).collect()
    }
}

/// Method of counting the sites of a file set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    WithMap,
    WithoutMap,
}

/// The kind of source for the volumes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Blocking,
    /// Returns few bytes at a time, and is interrupted.
    Fitful,
}

type LentReader<'b, R> = VolumeReader<R, &'b mut [u8], &'b mut [u8]>;

/// A reader of a volume from either kind of source.
enum AnyReader<'b> {
    Blocking(LentReader<'b, FromStd<Cursor<&'b [u8]>>>),
    Fitful(LentReader<'b, Fitful<'b>>),
}

/// The same call on either kind of reader.
macro_rules! either {
    ($any:expr, $call:ident ($($argument:expr),*)) => {
        match $any {
            AnyReader::Blocking(reader) => reader.$call($($argument),*).map_err(|error| of_call(error)),
            AnyReader::Fitful(reader) => reader.$call($($argument),*).map_err(|error| of_call(error)),
        }
    };
}

/// Unwraps an error of the format: a source in memory does not fail.
fn of_volume<E: std::fmt::Debug>(error: ReadError<E, ErrorKind>) -> Error<ErrorKind> {
    match error {
        ReadError::Format(error) => error,
        other => panic!("{other:?}"),
    }
}

/// Unwraps an error of the format: neither source nor callback fails.
fn of_call<E: std::fmt::Debug>(
    error: CallbackError<ReadError<E, ErrorKind>, Infallible>,
) -> Error<ErrorKind> {
    match error {
        CallbackError::Failed(error) => of_volume(error),
        CallbackError::Callback(never) => match never {},
    }
}

impl<'b> AnyReader<'b> {
    fn new(source: Source, bytes: &'b [u8], list: &'b mut [u8], buffer: &'b mut [u8]) -> Self {
        let decoder = Decoder::new(Mode::Survey);
        match source {
            Source::Blocking => {
                Self::Blocking(VolumeReader::new(FromStd(Cursor::new(bytes)), list, buffer, decoder))
            }
            Source::Fitful => Self::Fitful(VolumeReader::new(Fitful::new(bytes, 5), list, buffer, decoder)),
        }
    }

    fn decoder(&mut self) -> &mut Decoder {
        match self {
            Self::Blocking(reader) => reader.decoder_mut(),
            Self::Fitful(reader) => reader.decoder_mut(),
        }
    }

    fn next(&mut self) -> Result<Option<Event>, Error<ErrorKind>> {
        match self {
            Self::Blocking(reader) => reader.next().map_err(of_volume),
            Self::Fitful(reader) => reader.next().map_err(of_volume),
        }
    }

    fn for_each_site(&mut self, each: impl FnMut(Site<'_>)) -> Result<SitesRead, Error<ErrorKind>> {
        either!(self, for_each_site(each))
    }

    fn for_each_rank(&mut self, each: impl FnMut(u64)) -> Result<(), Error<ErrorKind>> {
        either!(self, for_each_rank(each))
    }
}

/// Reads a set in survey mode, the first volume before the others. Both kinds of source must give the same result.
pub fn read(volumes: &[Volume], counting: Counting) -> ReadSet {
    let [blocking, fitful] =
        [Source::Blocking, Source::Fitful].map(|source| read_from(source, volumes, counting));
    assert_eq!(format!("{blocking:?}"), format!("{fitful:?}"));
    blocking
}

fn read_from(source: Source, volumes: &[Volume], counting: Counting) -> ReadSet {
    let mut set = ReadSet::default();
    let begins = |volume: &&Volume| {
        volume.1.get(16..).is_some_and(|kind| kind.starts_with(b"scidac-private-file-xml\0"))
    };
    let (first, others): (Vec<_>, Vec<_>) = volumes.iter().partition(begins);
    let mut members = Members::new();
    let mut lattice = None;
    let mut lists = Vec::new();
    for (index, (number, bytes)) in first.into_iter().chain(others).enumerate() {
        let decoder = read_volume(&mut set, source, *number, bytes, index == 0, &mut lists);
        if let Some(kind) = decoder.kind() {
            let format = decoder.content().private_file().map(|file| file.volume_format());
            set.format = set.format.or(format);
            let wrong = members.add(*number, kind, format);
            set.findings.extend(wrong.map(|kind| (Some(*number), Error::new(0, kind))));
        }
        lattice = lattice.or(decoder.content().private_file().and_then(|file| file.extents()));
    }
    set.findings.extend(members.end().map(|kind| (None, Error::new(0, kind))));
    let Some(lattice) = lattice else { return set };
    let mut map = vec![0; SiteAccount::map_length(&lattice) as usize];
    let mut account = match counting {
        Counting::WithMap => SiteAccount::with_map(&lattice, &mut map).expect("large enough"),
        Counting::WithoutMap => SiteAccount::new(&lattice),
    };
    let is_partition = set.format != Some(VolumeFormat::Multifile);
    for (number, decoder) in &lists {
        let Some(list) = decoder.site_list() else { continue };
        account.begin_volume();
        set.lists[number].iter().for_each(|rank| account.take(*rank));
        let wrong = account.end_volume(&list, decoder.entry_width(), is_partition);
        set.findings.extend(wrong.map(|error| (Some(*number), error)));
    }
    set.findings.extend(account.end().map(|kind| (None, Error::new(0, kind))));
    set
}

fn read_volume(
    set: &mut ReadSet,
    source: Source,
    number: u64,
    bytes: &[u8],
    is_first: bool,
    lists: &mut Vec<(u64, Decoder)>,
) -> Decoder {
    let (mut list, mut buffer) = ([0; 7], [0; 700]);
    let mut volume = AnyReader::new(source, bytes, &mut list, &mut buffer);
    // The fields with sites: all except global ones.
    let fields = |set: &ReadSet| -> Vec<usize> {
        let with_sites = |field: &ReadField| field.field.region != linkstream::lattice::Region::Global;
        (0..set.fields.len()).filter(|index| with_sites(&set.fields[*index])).collect()
    };
    let mut next = 0;
    if !is_first && let Some(index) = fields(set).first() {
        volume.decoder().expect_field(&set.fields[*index].field);
    }
    loop {
        let event = match volume.next() {
            Ok(Some(event)) => event,
            Ok(None) => break,
            Err(stopped) => {
                set.findings.push((Some(number), stopped));
                break;
            }
        };
        match event {
            Event::Field => {
                let field = *volume.decoder().field().expect("announced");
                let index = if is_first || volume.decoder().kind() == Some(VolumeKind::First) {
                    let new =
                        ReadField { field, sites: BTreeMap::new(), tally: Tally::new(&field), stored: None };
                    set.fields.push(new);
                    set.fields.len() - 1
                } else {
                    fields(set)[next]
                };
                next += 1;
                let (sites, mut sites_here) = (&mut set.fields[index].sites, 0);
                match volume.for_each_site(|site| {
                    let coordinates = field.extents.coordinates(site.rank()).expect("inside the lattice");
                    assert_eq!((site.index(), site.coordinates()), (sites_here, coordinates.as_slice()));
                    sites_here += 1;
                    sites.insert(site.rank(), site.bytes().to_vec());
                }) {
                    Ok(read) => set.fields[index].tally.add(read),
                    Err(stopped) => {
                        set.findings.push((Some(number), stopped));
                        if stopped.kind.severity() == Severity::Fatal {
                            break;
                        }
                    }
                }
            }
            Event::Checksum => {
                set.fields.last_mut().expect("of a field").stored =
                    Some(volume.decoder().content().stored_checksum().clone());
            }
            Event::End if !is_first && volume.decoder().kind() == Some(VolumeKind::Other) => {
                if let Some(index) = fields(set).get(next) {
                    volume.decoder().expect_field(&set.fields[*index].field);
                }
            }
            Event::Finding(finding) => set.findings.push((Some(number), finding)),
            _ => {}
        }
    }
    let mut ranks = Vec::new();
    if volume.decoder().site_list().is_some() {
        volume.for_each_rank(|rank| ranks.push(rank)).expect("in memory");
    }
    set.lists.insert(number, ranks);
    let decoder = volume.decoder().clone();
    lists.push((number, decoder.clone()));
    decoder
}
