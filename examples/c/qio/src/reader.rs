//! A file that is read: `QIO_Reader`.

use std::collections::BTreeMap;
use std::ffi::{CString, c_int};
use std::path::PathBuf;

use linkstream::lattice::{Checksum, Extents, Region};
use linkstream::scidac::{StoredChecksum, VolumeFormat};
use linkstream::xml::Spacing;
use linkstream::{Error, field};
use linkstream_c_ranks::Ranks;
use linkstream_memory::{self as memory, unwinding::caught};
use linkstream_parallel::comm::Comm as _;
use linkstream_parallel::field::volume_path;
use linkstream_parallel::{Arguments, ErrorKind};

use crate::code::{
    BAD_ARG, CHECKSUM_MISMATCH, ERR_BAD_READ_BYTES, ERR_BAD_SEEK, ERR_BAD_SITELIST, ERR_CHECKSUM_INFO,
    ERR_OPEN_READ, ERR_PRIVATE_FILE_INFO,
};
use crate::cursor::Cursor;
use crate::dml_checksum::DmlChecksum;
use crate::factory::Factory;
use crate::files::{Files, Ways, alone, read_lists};
use crate::filesystem::Filesystem;
use crate::layout::{Layout, SiteMap as _};
use crate::opened::Reading;
use crate::parts::Parts;
use crate::program;
use crate::record_info::RecordInfo;
use crate::stop::{Stop, agree, enter, share};
use crate::text::Text;
use crate::walk::{self, Found, Origin};

/// A request to open a file.
#[derive(Debug, Clone)]
pub struct Request {
    /// Name of the file.
    pub name: PathBuf,
    /// The layout of the program.
    pub layout: Layout,
    /// The I/O nodes.
    pub filesystem: Filesystem,
    /// The kind of set that is preferred to a file and to other sets.
    pub preferred: Option<VolumeFormat>,
}

/// A file that is read.
#[derive(Debug)]
pub struct Reader {
    pub(crate) comm: Ranks,
    pub(crate) layout: Layout,
    pub(crate) files: Files,
    pub(crate) origin: Origin,
    pub(crate) lattice: Extents,
    /// The extents for the program.
    pub latsize: Vec<c_int>,
    /// The user's document of the file; `None` until it has been read.
    pub text: Option<Vec<u8>>,
    /// The record whose documents have been read, but not its data.
    pub(crate) current: Option<Current>,
    /// Logical file name.
    pub lfn: Option<Text>,
    /// True if the record, or the last one, has an `ildg-format`.
    pub is_ildg: bool,
    /// Checksum of the last data.
    pub checksum: Checksum,
    /// Positions in all volumes of this rank that the program has asked for, by the position in the first one.
    pub(crate) marks: BTreeMap<u64, Vec<u64>>,
    /// True if the documents of a gauge field of another program have been read.
    pub(crate) has_gauge_field: bool,
    /// Global data are only for the master node.
    pub suppresses_broadcast: bool,
    pub(crate) master: usize,
    pub(crate) sites: Option<linkstream_parallel::field::Layout<'static>>,
    pub(crate) failed: Option<Stop>,
    /// The sites of the data of low-level calls.
    pub(crate) region: Region,
    /// The record that low-level calls have opened.
    pub(crate) opened: Option<Reading>,
    /// Place of the program for the checksum of single sites; null if there is none.
    pub(crate) sums: *mut DmlChecksum,
    /// Type of the last record of low-level calls, for the program.
    pub(crate) last_type: CString,
}

/// The documents of a record.
#[derive(Debug, Clone)]
pub struct Current {
    /// The private document.
    pub info: RecordInfo,
    /// The sites.
    pub region: Region,
    /// The user's document.
    pub text: Vec<u8>,
}

impl Reader {
    /// Collective: opens a file, and reads its private document and its site lists.
    ///
    /// # Errors
    /// The file cannot be opened or is damaged, or it has another lattice than the layout.
    pub fn open(comm: Ranks, request: Result<Request, Stop>) -> Result<Self, Stop> {
        let request = request.and_then(|request| program::check(&request.layout, &comm).map(|()| request));
        let request = enter(&comm, "QIO_open_read", request)?;
        let arguments = Arguments::new("open a file to read it")
            .text("filename", request.name.as_os_str().as_encoded_bytes())
            .list("latsize", &extents(request.layout.lattice()))
            .choice("volfmt", &request.preferred);
        same(&comm, arguments)?;
        let nodes = request.layout.nodes();
        let io = request
            .filesystem
            .io_node(comm.rank(), nodes)
            .and_then(|io_node| request.filesystem.master(nodes).map(|master| (io_node, master)));
        let (io_node, master) = agree(&comm, io.map_err(Stop::from))?;
        let ways = Ways::find(&comm, &request.name, request.preferred, io_node)?;
        if ways.is_single() {
            let files = ways.single(&comm)?;
            return Self::begin(comm, &request, files, master);
        }
        if let Some(files) = ways.own(&comm)? {
            match Self::begin(comm, &request, files, master) {
                Err(stop) if stop.code == ERR_BAD_SITELIST => {}
                other => return other,
            }
        }
        let files = ways.shared(&comm)?;
        Self::begin(comm, &request, files, master)
    }

    /// Collective: reads the start of what is open.
    fn begin(comm: Ranks, request: &Request, mut files: Files, master: usize) -> Result<Self, Stop> {
        let read = files.documents(&comm).map_or_else(
            || Ok(Vec::new()),
            |(cursor, io)| {
                let (origin, document) = walk::origin(cursor, io)?;
                check_lattice(&origin, request.layout.lattice())?;
                Ok(Parts::join(&[&[u8::from(matches!(origin, Origin::Native(_)))], &document])?)
            },
        );
        let bytes = agree(&comm, read)?;
        let bytes = share(&comm, files.root(), bytes)?;
        let mut parts = Parts::new(&bytes);
        let is_native = parts.next() == Some(&[1]);
        let origin = Origin::parse(parts.next().unwrap_or_default(), is_native, 0)?;
        let lattice = check_lattice(&origin, request.layout.lattice())?;
        match (&files, volume_format(&origin)) {
            (Files::Single { .. }, VolumeFormat::Single) => {}
            (Files::Set { .. }, format) if format != VolumeFormat::Single => {}
            (Files::Single { .. }, format) => {
                // A volume that was renamed or is opened by its own name.
                let message = format!("the file is a volume of a set ({format:?}): open the set by its name");
                return Err(Stop::file(ERR_PRIVATE_FILE_INFO, 0, message));
            }
            _ => {
                let message = "the volume has the documents of a single file";
                return Err(Stop::file(ERR_PRIVATE_FILE_INFO, 0, message));
            }
        }
        read_lists(&comm, &mut files, &lattice)?;
        Ok(Self::opened(comm, request, files, master, origin, lattice))
    }

    /// In one process: reads the lattice of a file of other nodes than this process, as programs do before a conversion.
    /// `request` names a single file, or the volume of the master node without its ending. No data can be read.
    ///
    /// # Errors
    /// The file cannot be opened or is damaged.
    pub fn discover(request: &Request) -> Result<Self, Stop> {
        let comm = Ranks::SINGLE;
        let master = request.filesystem.master(request.layout.nodes())?;
        let volume = |format| volume_path(&request.name, format, master as u64);
        let names =
            [request.name.clone(), volume(VolumeFormat::Partition), volume(VolumeFormat::PartitionDirectory)];
        let found = names.into_iter().find(|name| name.is_file());
        let missing = || {
            let message = format!("{}: there is no such file, and no volume of one", request.name.display());
            Stop::because(ERR_OPEN_READ, message)
        };
        let (mut file, mut cursor) = (alone(&found.ok_or_else(missing)?)?, Cursor::new());
        let (origin, _) = walk::origin(&mut cursor, &mut file)?;
        let lattice = check_lattice(&origin, None)?;
        let files = Files::Single { file, cursor: Box::new(cursor) };
        let mut reader = Self::opened(comm, request, files, master, origin, lattice);
        let message =
            "the layout has other nodes than this program: the file was opened for its lattice alone";
        reader.failed = Some(Stop::usage(message));
        Ok(reader)
    }

    fn opened(
        comm: Ranks,
        request: &Request,
        files: Files,
        master: usize,
        origin: Origin,
        lattice: Extents,
    ) -> Self {
        let latsize = lattice.as_slice().iter().map(|extent| c_int::try_from(*extent).unwrap_or(c_int::MAX));
        Self {
            comm,
            layout: request.layout.with_lattice(lattice),
            files,
            latsize: latsize.collect(),
            lattice,
            is_ildg: matches!(origin, Origin::Alien(_)),
            origin,
            text: None,
            current: None,
            lfn: None,
            checksum: Checksum::default(),
            marks: BTreeMap::new(),
            has_gauge_field: false,
            suppresses_broadcast: false,
            master,
            sites: None,
            failed: None,
            region: Region::Lattice,
            opened: None,
            sums: std::ptr::null_mut(),
            last_type: CString::default(),
        }
    }

    /// The volume format of the file.
    #[must_use]
    pub fn volume_format(&self) -> VolumeFormat {
        volume_format(&self.origin)
    }

    /// True for files of QIO, or like those.
    #[must_use]
    pub const fn is_native(&self) -> bool {
        matches!(self.origin, Origin::Native(_))
    }

    /// Runs a call. After an error of the file, all later calls return it.
    pub(crate) fn run<T>(&mut self, call: impl FnOnce(&mut Self) -> Result<T, Stop>) -> Result<T, Stop> {
        if let Some(stop) = &self.failed {
            return Err(stop.clone());
        }
        let outcome = caught(|| call(self)).unwrap_or_else(|short| Err(short.into()));
        if let Err(stop) = &outcome
            && stop.fault.kind != ErrorKind::Usage
            && stop.code != CHECKSUM_MISMATCH
        {
            self.failed = Some(stop.clone());
        }
        outcome
    }

    /// Collective: reads the user's document of the file.
    ///
    /// # Errors
    /// The file is damaged.
    pub fn read_text(&mut self) -> Result<Vec<u8>, Stop> {
        self.run(|reader| {
            if let Some(text) = &reader.text {
                return Ok(memory::copied(text)?);
            }
            let is_native = reader.is_native();
            let text = reader.on_root(|cursor, io| match is_native {
                true => walk::file_text(cursor, io).map(trim),
                false => Ok(walk::ALIEN_FILE.to_vec()),
            })?;
            reader.text = Some(memory::copied(&text)?);
            Ok(text)
        })
    }

    /// Collective: reads something on the rank with the documents, for all.
    pub(crate) fn on_root(
        &mut self,
        read: impl FnOnce(&mut Cursor, &mut dyn crate::cursor::Bytes) -> Result<Vec<u8>, Stop>,
    ) -> Result<Vec<u8>, Stop> {
        let comm = self.comm;
        let outcome =
            self.files.documents(&comm).map_or_else(|| Ok(Vec::new()), |(cursor, io)| read(cursor, io));
        let bytes = agree(&comm, outcome)?;
        share(&comm, self.files.root(), bytes)
    }

    /// Collective: reads the documents of the next record, unless they have been read. `None` at the end of the file.
    ///
    /// # Errors
    /// The file is damaged, or the documents are wrong.
    pub fn read_info(&mut self) -> Result<Option<&Current>, Stop> {
        if self.text.is_none() {
            self.read_text()?;
        }
        self.run(|reader| {
            if reader.current.is_none() {
                reader.current = reader.next_info()?;
            }
            Ok(())
        })?;
        Ok(self.current.as_ref())
    }

    fn next_info(&mut self) -> Result<Option<Current>, Stop> {
        let is_native = self.is_native();
        let bytes = self.on_root(|cursor, io| {
            let found = walk::documents(cursor, io, is_native)?;
            Ok(found.map_or_else(|| Ok(Vec::new()), |found| found.to_bytes())?)
        })?;
        if bytes.is_empty() {
            self.check_ends()?;
            return Ok(None);
        }
        let found = Found::from_bytes(&bytes)
            .ok_or_else(|| Stop::usage("the documents of the record are malformed"))?;
        // All ranks have the same documents, so they find the same errors.
        let info = walk::info(&found, &self.origin, &self.lattice)?;
        let region = info.region(&self.lattice)?;
        if !is_native && std::mem::replace(&mut self.has_gauge_field, true) && !found.is_update {
            let message = "a second gauge field without an ildg-update";
            return Err(Stop::file(crate::code::ERR_REC_INFO, found.at, message));
        }
        self.is_ildg = !is_native || !found.format.is_empty();
        if !found.lfn.is_empty() {
            self.lfn = Some(Text::new(walk::trimmed(&found.lfn)));
        }
        let text = if is_native { trim(found.text) } else { walk::ALIEN_RECORD.to_vec() };
        Ok(Some(Current { info, region, text }))
    }

    /// Collective: at the end of the first volume, the others must have no more records.
    fn check_ends(&mut self) -> Result<(), Stop> {
        let comm = self.comm;
        let ended = self.files.others(&comm).iter_mut().try_for_each(|volume| {
            let (cursor, io) = volume.parts();
            walk::no_data(cursor, io).map_err(|stop| stop.in_file(&volume.path))
        });
        agree(&comm, ended)
    }

    /// Collective: reads the data of the record whose documents have been read.
    ///
    /// # Errors
    /// The documents have not been read; the data do not suit them; the file is damaged; or the checksum differs: the
    /// program has got the data nevertheless.
    pub fn read_data(&mut self, factory: Result<Factory, Stop>) -> Result<(), Stop> {
        self.run(|reader| {
            let factory = factory.and_then(|factory| reader.check_factory(factory));
            let factory = agree(&reader.comm, factory)?;
            let Some(current) = reader.current.clone() else {
                return Err(Stop::usage("the description of the record has not been read"));
            };
            let computed = reader.transfer(current.region, factory)?;
            reader.checksum = computed;
            reader.current = None;
            let stored = reader.stored_checksum()?;
            judge(computed, stored.as_ref(), reader.is_native())
        })
    }

    /// Collective: reads the data of the record whose documents have been read, but not their checksum. Returns checksum
    /// and number of bytes, of all ranks.
    ///
    /// # Errors
    /// The errors of [`read_data`](Self::read_data), but for the checksum.
    pub fn read_data_only(&mut self, factory: Result<Factory, Stop>) -> Result<(Checksum, u64), Stop> {
        self.run(|reader| {
            let factory = factory.and_then(|factory| reader.check_factory(factory));
            let factory = agree(&reader.comm, factory)?;
            let Some(current) = reader.current.clone() else {
                return Err(Stop::usage("the description of the record has not been read"));
            };
            let computed = reader.transfer(current.region, factory)?;
            reader.checksum = computed;
            reader.current = None;
            Ok((computed, current.region.sites(&reader.lattice) * factory.size as u64))
        })
    }

    /// Checks a function of the program against the record.
    fn check_factory(&self, factory: Factory) -> Result<Factory, Stop> {
        let current = self.current.as_ref();
        let current =
            current.ok_or_else(|| Stop::usage("the description of the record has not been read"))?;
        let expected = current.info.bytes_per_site();
        if factory.size as u64 != expected {
            let message = format!(
                "datum_size is {}, but the record has {} items of {} bytes",
                factory.size, current.info.datacount, current.info.typesize
            );
            return Err(Stop::because(ERR_BAD_READ_BYTES, message));
        }
        Ok(Factory { count: current.info.datacount, ..factory })
    }

    /// Collective: passes the data, and reads the stored checksum.
    pub(crate) fn stored_checksum(&mut self) -> Result<Option<StoredChecksum>, Stop> {
        let bytes = self.on_root(|cursor, io| {
            let stored = walk::checksum(cursor, io)?;
            let mut document = vec![0; 1024];
            let length = stored.map_or(0, |stored| stored.emit(Spacing::Line, &mut document).unwrap_or(0));
            document.truncate(length);
            Ok(document)
        })?;
        Ok(StoredChecksum::parse(&bytes).ok())
    }

    /// Collective: goes to the next record.
    ///
    /// # Errors
    /// The file is damaged.
    pub fn skip(&mut self) -> Result<bool, Stop> {
        if self.read_info()?.is_none() {
            return Ok(false);
        }
        self.run(|reader| {
            let Some(current) = reader.current.take() else { return Ok(true) };
            let comm = reader.comm;
            let skipped = reader.skip_data(&comm, &current.region);
            agree(&comm, skipped)?;
            Ok(true)
        })
    }

    fn skip_data(&mut self, comm: &Ranks, region: &Region) -> Result<(), Stop> {
        if let Some((cursor, io)) = self.files.documents(comm) {
            walk::data(cursor, io)?;
            cursor.skip(io)?;
            walk::rest(cursor, io)?;
        }
        if *region != Region::Global {
            for volume in self.files.others(comm) {
                let (cursor, io) = volume.parts();
                walk::data(cursor, io)?;
                cursor.skip(io)?;
            }
        }
        Ok(())
    }

    /// The sites of this rank.
    pub(crate) fn make_sites(&mut self) -> Result<(), Stop> {
        if self.sites.is_none() {
            let own = program::sites(self.layout, &self.comm, &self.lattice);
            let sites = agree(&self.comm, own)?;
            let complete = sites.agree(&self.comm).map_err(crate::stop::with_code(BAD_ARG));
            agree(&self.comm, complete)?;
            self.sites = Some(sites);
        }
        Ok(())
    }
}

/// Compares the checksum of the data with the stored one. Other programs may store none: then nothing is compared.
pub(crate) fn judge(
    computed: Checksum,
    stored: Option<&StoredChecksum>,
    is_native: bool,
) -> Result<(), Stop> {
    let Some(stored) = stored else {
        return match is_native {
            false => Ok(()),
            true => Err(Stop::because(
                ERR_CHECKSUM_INFO,
                "the record has no checksum: the data were not verified",
            )),
        };
    };
    // QIO omits both sums if one of them is zero.
    let missing = || Stop::because(ERR_CHECKSUM_INFO, "the checksum has no sums: the data were not verified");
    let expected = match (stored.suma(), stored.sumb()) {
        (None, None) if computed.suma == 0 || computed.sumb == 0 => return Ok(()),
        (None, None) => return Err(missing()),
        (suma, sumb) => Checksum { suma: suma.unwrap_or(computed.suma), sumb: sumb.unwrap_or(computed.sumb) },
    };
    if expected == computed {
        return Ok(());
    }
    let kind = field::ErrorKind::ChecksumMismatch { computed, stored: expected };
    Err(Stop::codec(CHECKSUM_MISMATCH, 0, Error::new(0, kind)))
}

/// Collective: refuses calls with different arguments on different ranks.
pub(crate) fn same(comm: &Ranks, arguments: Arguments) -> Result<(), Stop> {
    arguments.agree(comm, Ok(())).map_err(|error| Stop { code: BAD_ARG, fault: error.fault })
}

/// The text up to its zero byte.
fn trim(mut text: Vec<u8>) -> Vec<u8> {
    text.truncate(walk::trimmed(&text).len());
    text
}

pub(crate) fn extents(lattice: Option<&Extents>) -> Vec<u64> {
    lattice
        .map_or_else(Vec::new, |lattice| lattice.as_slice().iter().map(|extent| (*extent).into()).collect())
}

fn volume_format(origin: &Origin) -> VolumeFormat {
    match origin {
        Origin::Native(file) => file.volume_format(),
        Origin::Alien(_) => VolumeFormat::Single,
    }
}

/// The lattice of the file, which must be the lattice of the layout if this has one.
fn check_lattice(origin: &Origin, expected: Option<&Extents>) -> Result<Extents, Stop> {
    let found = match origin {
        Origin::Native(file) => file.extents(),
        Origin::Alien(format) => format.extents(),
    };
    let wrong = |message: String| Stop::file(ERR_PRIVATE_FILE_INFO, 0, message);
    let found = found.ok_or_else(|| wrong("the file does not describe its lattice".to_owned()))?;
    match expected {
        Some(expected) if *expected != found => {
            Err(wrong(format!("the lattice of the file is {found}, but the layout is of {expected}")))
        }
        _ => Ok(found),
    }
}

impl Reader {
    /// Collective: closes the file.
    ///
    /// # Errors
    /// The ranks cannot communicate.
    pub fn close(mut self: Box<Self>) -> Result<(), Stop> {
        let comm = self.comm;
        if self.failed.as_ref().is_some_and(|stop| stop.fault.kind == ErrorKind::Communication) {
            return Ok(());
        }
        match &mut self.files {
            Files::Single { file, .. } => {
                let closed = linkstream_parallel::file::SharedFile::close(file, &comm);
                agree(&comm, closed.map_err(crate::stop::with_code(crate::code::ERR_CLOSE)))
            }
            Files::Set { .. } => Ok(()),
        }
    }

    /// Goes to a record of the file that this rank reads.
    ///
    /// # Errors
    /// The rank reads several volumes, and [`position`](Self::position) has not returned this offset.
    pub fn go_to(&mut self, to: u64) -> Result<(), Stop> {
        let marks = self.marks.get(&to);
        if let (Files::Set { own, .. }, None) = (&self.files, marks)
            && own.len() > 1
        {
            let message = format!("{to} is not an offset that QIO_get_reader_pointer has returned");
            return Err(Stop::because(ERR_BAD_SEEK, message));
        }
        let places = marks.cloned().unwrap_or_else(|| vec![to]);
        self.current = None;
        self.has_gauge_field = false;
        // The user's document of the file is not read any more.
        self.text.get_or_insert_default();
        match &mut self.files {
            Files::Single { cursor, .. } => cursor.go_to(to),
            Files::Set { own, .. } => {
                own.iter_mut().zip(places).for_each(|(volume, place)| volume.cursor.go_to(place));
            }
        }
        Ok(())
    }

    /// Offset of the next record of the file that this rank reads; `None` on ranks without one.
    #[must_use]
    pub fn position(&mut self) -> Option<u64> {
        match &self.files {
            Files::Single { cursor, .. } => (self.comm.rank() == 0).then(|| cursor.position()),
            Files::Set { own, .. } => {
                let places: Vec<u64> = own.iter().map(|volume| volume.cursor.position()).collect();
                let first = places.first().copied()?;
                if places.len() > 1 {
                    self.marks.insert(first, places);
                }
                Some(first)
            }
        }
    }

    /// Sets the description of the next data.
    ///
    /// # Errors
    /// It is no description of data on this lattice.
    pub fn set_info(&mut self, info: RecordInfo) -> Result<(), Stop> {
        info.check()?;
        let region = info.region(&self.lattice)?;
        self.current = Some(Current { info, region, text: Vec::new() });
        Ok(())
    }
}
