//! A file that is written: `QIO_Writer`.

use std::ffi::c_int;
use std::path::PathBuf;

use linkstream::field::LinkLayout;
use linkstream::ildg::{self, Format, GaugeKind};
use linkstream::lattice::{Checksum, Extents, Precision, Region};
use linkstream::scidac::{
    BINARY_DATA, CHECKSUM, FILE_XML, PRIVATE_FILE_XML, PRIVATE_RECORD_XML, PrivateFile, PrivateRecord,
    RECORD_XML, RecordType, SITELIST, StoredChecksum, VolumeFormat,
};
use linkstream::xml::Spacing;
use linkstream_c_ranks::Ranks;
use linkstream_memory::{self as memory, Short, unwinding::caught};
use linkstream_parallel::comm::{Comm as _, Message, Op};
use linkstream_parallel::field::{Layout as Sites, volume_path};
use linkstream_parallel::file::{Access, Engine as _, NewFile, everywhere};
use linkstream_parallel::{Arguments, ErrorKind};

use crate::code::{
    BAD_ARG, ERR_BAD_IONODE, ERR_BAD_SITELIST, ERR_BAD_WRITE_BYTES, ERR_CLOSE, ERR_OPEN_WRITE,
    ERR_PRIVATE_FILE_INFO, ERR_PRIVATE_REC_INFO,
};
use crate::cursor::{Bytes, Cursor};
use crate::dml_checksum::DmlChecksum;
use crate::factory::Factory;
use crate::files::{engine, entries, open};
use crate::filesystem::Filesystem;
use crate::layout::{Layout, SiteMap as _};
use crate::opened::Writing;
use crate::out::{Out, Sink};
use crate::program;
use crate::reader::{extents, same};
use crate::record_info::RecordInfo;
use crate::stop::{Stop, agree, enter, with_code};
use crate::walk::{self, Origin};

/// A request to create a file, or to append to one.
#[derive(Debug, Clone)]
pub struct Request {
    /// Name of the file.
    pub name: PathBuf,
    /// The layout of the program.
    pub layout: Layout,
    /// The I/O nodes.
    pub filesystem: Filesystem,
    /// Distribution over volumes.
    pub format: VolumeFormat,
    /// True to keep the records of an existing file.
    pub appends: bool,
    /// True for gauge fields in ILDG form.
    pub is_ildg: bool,
    /// Logical file name.
    pub lfn: Option<Vec<u8>>,
    /// True if a single file replaces an existing one when it is complete.
    pub replaces: bool,
}

/// A file that is written.
#[derive(Debug)]
pub struct Writer {
    pub(crate) comm: Ranks,
    pub(crate) layout: Layout,
    pub(crate) lattice: Extents,
    pub(crate) format: VolumeFormat,
    /// The file; `None` on ranks that write no volume.
    pub(crate) sink: Option<Sink>,
    pub(crate) out: Out,
    /// The rank with the documents.
    pub(crate) first: usize,
    /// The rank that writes the sites of this rank.
    pub(crate) head: usize,
    /// The rank that global data come from.
    pub(crate) master: usize,
    pub(crate) family: Family,
    pub(crate) sites: Sites<'static>,
    /// True if the file has a file message already.
    pub(crate) has_header: bool,
    pub(crate) is_ildg: bool,
    pub(crate) lfn: Option<Vec<u8>>,
    /// Checksum of the last data.
    pub checksum: Checksum,
    /// The sites of the data of low-level calls.
    pub(crate) region: Region,
    pub(crate) failed: Option<Stop>,
    pub(crate) opened: Option<Writing>,
    /// Place of the program for the checksum of single sites; null if there is none.
    pub(crate) sums: *mut DmlChecksum,
}

/// The sites of a volume, on the rank that writes it, and the sites of this rank.
#[derive(Debug, Default)]
pub(crate) struct Family {
    /// The ranks of the sites in the lattice, in the order of the volume.
    pub(crate) list: Vec<u64>,
    /// Rank in the lattice and index of each own site, ascending; only for sets.
    pub(crate) own: Vec<(u64, u64)>,
    /// The ranks that this one writes for.
    pub(crate) members: Vec<usize>,
    /// True if some rank writes for others.
    pub(crate) is_shared: bool,
}

impl Writer {
    /// Collective: creates a file or the volumes of a set, or opens them to append to them.
    ///
    /// # Errors
    /// The layouts of the ranks are not a layout of one lattice; there is no such I/O node; or the file cannot be
    /// created.
    pub fn open(comm: Ranks, request: Result<Request, Stop>) -> Result<Self, Stop> {
        let request = request.and_then(|request| {
            program::check(&request.layout, &comm)?;
            let lattice = request.layout.lattice().copied();
            let lattice = lattice.ok_or_else(|| Stop::usage("the layout has no dimensions (latdim is 0)"))?;
            Ok((request, lattice))
        });
        let (mut request, lattice) = enter(&comm, "QIO_open_write", request)?;
        if comm.size() == 1 {
            // As in QIO: one node has one file.
            request.format = VolumeFormat::Single;
        }
        let arguments = Arguments::new("open a file to write it")
            .text("filename", request.name.as_os_str().as_encoded_bytes())
            .list("latsize", &extents(Some(&lattice)))
            .choice("volfmt", &request.format)
            .flag("QIO_APPEND", request.appends)
            .flag("ildgstyle", request.is_ildg)
            .flag("LINKSTREAM_REPLACE", request.replaces);
        same(&comm, arguments)?;
        let sites = agree(&comm, program::sites(request.layout, &comm, &lattice))?;
        let complete = sites.agree(&comm).map_err(with_code(BAD_ARG));
        agree(&comm, complete)?;
        let (head, master) = agree(&comm, io_nodes(&comm, &request))?;
        let is_set = request.format != VolumeFormat::Single;
        let family = if is_set {
            Family::meet(&comm, &request.layout, &lattice, request.format, head)?
        } else {
            Family::default()
        };
        let first = if is_set { master } else { 0 };
        let mut writer = Self {
            comm,
            layout: request.layout,
            lattice,
            format: request.format,
            sink: None,
            out: Out::new(0, false, false),
            first,
            head,
            master,
            family,
            sites,
            has_header: false,
            is_ildg: request.is_ildg,
            lfn: request.lfn.clone(),
            checksum: Checksum::default(),
            region: Region::Lattice,
            failed: None,
            opened: None,
            sums: std::ptr::null_mut(),
        };
        writer.open_files(&request)?;
        Ok(writer)
    }

    /// Collective: opens what this rank writes.
    fn open_files(&mut self, request: &Request) -> Result<(), Stop> {
        let comm = self.comm;
        let (rank, is_set) = (comm.rank(), self.format != VolumeFormat::Single);
        let path =
            if is_set { volume_path(&request.name, self.format, rank as u64) } else { request.name.clone() };
        let is_writer = if is_set { self.head == rank } else { rank == 0 };
        // A file that does not exist is created, also to append to it.
        let mut exists = [u64::from(is_writer && request.appends && path.exists())];
        comm.combine(Op::Max, &mut exists)?;
        let appends = exists != [0];
        let access = if appends { Access::Update } else { Access::Write };
        let sink = if is_set {
            let made = match path.parent() {
                Some(parent) if self.format == VolumeFormat::PartitionDirectory && is_writer => {
                    std::fs::create_dir_all(parent).map_err(|error| {
                        Stop::because(ERR_OPEN_WRITE, format!("{}: {error}", parent.display()))
                    })
                }
                _ => Ok(()),
            };
            let file = made.and_then(|()| is_writer.then(|| open(&path, access)).transpose());
            agree(&comm, file)?.map(|file| Sink::Own(NewFile::from_offset(file, 0)))
        } else {
            let engine = engine(&comm)?;
            let file = if appends {
                engine.open(&comm, &path, access).map(|file| NewFile::from_offset(file, 0))
            } else {
                NewFile::create(&comm, &engine, &path, request.replaces)
            };
            Some(Sink::Shared(agree(&comm, file.map_err(with_code(ERR_OPEN_WRITE)))?))
        };
        self.sink = sink;
        let mut position = Ok((0, 0));
        if appends
            && is_writer
            && let Some(sink) = &mut self.sink
        {
            position = end_of(sink, &self.lattice, self.format, rank == self.first, &self.family.list);
        }
        let (mut offset, fields) = agree(&comm, position.map_err(|stop| stop.in_file(&path)))?;
        if appends && is_set {
            same_number(&comm, is_writer.then_some(fields))?;
        }
        if !is_set {
            let mut shared = [offset];
            comm.combine(Op::Max, &mut shared)?;
            offset = shared[0];
        }
        match &mut self.sink {
            Some(Sink::Shared(file)) => file.begin_at(offset),
            Some(Sink::Own(file)) => file.begin_at(offset),
            None => {}
        }
        self.out = Out::new(offset, false, is_writer);
        self.has_header = appends;
        Ok(())
    }

    /// Runs a call. After an error of the file, all later calls return it.
    pub(crate) fn run<T>(&mut self, call: impl FnOnce(&mut Self) -> Result<T, Stop>) -> Result<T, Stop> {
        if let Some(stop) = &self.failed {
            return Err(stop.clone());
        }
        let outcome = caught(|| call(self)).unwrap_or_else(|short| Err(short.into()));
        if let Err(stop) = &outcome
            && stop.fault.kind != ErrorKind::Usage
        {
            self.failed = Some(stop.clone());
        }
        outcome
    }

    /// True if this rank writes the documents; all ranks follow them in a single file.
    pub(crate) fn follows_documents(&self) -> bool {
        self.format == VolumeFormat::Single || self.comm.rank() == self.first
    }

    /// True if this rank has records of its own or follows them.
    pub(crate) fn has_records(&self) -> bool {
        self.format == VolumeFormat::Single || self.head == self.comm.rank()
    }

    /// Writes what is pending.
    pub(crate) fn flush(&mut self) -> Result<(), Stop> {
        match &mut self.sink {
            Some(sink) => self.out.flush(sink),
            None => Ok(()),
        }
    }

    /// Collective: writes a record with a text in the first volume.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn text(&mut self, record_type: &str, flags: [bool; 2], payload: &[u8]) -> Result<(), Stop> {
        self.run(|writer| {
            let arguments = Arguments::new("write a text").text("lime_type", record_type.as_bytes());
            writer.same_record(arguments, flags)?;
            let written = writer.put_text(record_type, flags, payload).and_then(|()| writer.flush());
            agree(&writer.comm, written)
        })
    }

    fn put_text(&mut self, record_type: &str, flags: [bool; 2], payload: &[u8]) -> Result<(), Stop> {
        if self.follows_documents() { self.out.record(record_type, flags, payload) } else { Ok(()) }
    }

    /// Writes the site list of the volume of this rank.
    pub(crate) fn put_list(&mut self, record_type: &str, flags: [bool; 2]) -> Result<(), Stop> {
        let Self { out, sink: Some(sink), family, .. } = self else { return Ok(()) };
        // QIO writes 64-bit words if a rank of this volume needs them.
        let is_long = family.list.iter().any(|rank| *rank > u64::from(u32::MAX));
        let width = if is_long { 8 } else { 4 };
        let length = family.list.len() as u64 * width as u64;
        out.begin(record_type.as_bytes(), length, flags[0], flags[1])?;
        for rank in &family.list {
            out.payload(&rank.to_be_bytes()[8 - width..])?;
            out.flush_if_long(sink)?;
        }
        out.end()
    }

    /// Collective: writes the documents of the file and the site lists. A file that is appended to has them.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn header(&mut self, text: &[u8]) -> Result<(), Stop> {
        self.run(|writer| {
            if std::mem::replace(&mut writer.has_header, true) {
                return Ok(());
            }
            let written = writer.put_header(text).and_then(|()| writer.flush());
            agree(&writer.comm, written)
        })
    }

    /// Collective: a text of the rank with the documents. Texts of other ranks do not count, as in QIO: QDP++ has texts
    /// on rank 0 only.
    ///
    /// # Errors
    /// The ranks cannot communicate.
    pub(crate) fn shared(&self, text: &[u8]) -> Result<Vec<u8>, Stop> {
        crate::stop::share(&self.comm, self.first, memory::copied(text)?)
    }

    /// Collective: compares what all ranks pass for a record.
    pub(crate) fn same_record(&self, arguments: Arguments, flags: [bool; 2]) -> Result<(), Stop> {
        same(&self.comm, arguments.flag("msg_begin", flags[0]).flag("msg_end", flags[1]))
    }

    fn put_header(&mut self, text: &[u8]) -> Result<(), Stop> {
        let is_set = self.format != VolumeFormat::Single;
        // All ranks follow the documents of a single file: they need the length of the text of rank 0.
        let text = self.shared(text)?;
        if self.follows_documents() {
            let document = PrivateFile::new(&self.lattice).with_volume_format(self.format);
            let document = emitted(|buffer| document.emit(Spacing::Line, buffer))?;
            self.put_text(PRIVATE_FILE_XML, [true, false], &document)?;
            if is_set {
                self.put_list(SITELIST, [false, false])?;
            }
            return self.put_text(FILE_XML, [false, true], &terminated(&text)?);
        }
        if self.has_records() { self.put_list(SITELIST, [true, true]) } else { Ok(()) }
    }

    /// Collective: writes a record: documents, data, checksum.
    ///
    /// # Errors
    /// The description contradicts the arguments, or the record cannot be written.
    pub fn record(
        &mut self,
        info: Result<(RecordInfo, Vec<u8>), Stop>,
        factory: Result<Factory, Stop>,
    ) -> Result<(), Stop> {
        self.run(|writer| {
            let (info, factory) = writer.checked(info, factory)?;
            let data_type = writer.put_documents(&info.0, &info.1, [true, false])?;
            let region = info.0.region(&writer.lattice)?;
            let sum = writer.send(data_type, [false, false], region, factory)?;
            writer.put_checksum(sum)
        })
    }

    /// Collective: writes the documents of a record.
    ///
    /// # Errors
    /// The description contradicts the arguments, or the documents cannot be written.
    pub fn documents(
        &mut self,
        info: Result<(RecordInfo, Vec<u8>), Stop>,
        size: usize,
        word: c_int,
        begin: bool,
    ) -> Result<(), Stop> {
        self.run(|writer| {
            // The data come later, and with them the function.
            let (info, _) = writer.checked(info, Factory::of_sizes(size, word))?;
            writer.same_record(Arguments::new("write the documents of a record"), [begin, false])?;
            writer.put_documents(&info.0, &info.1, [begin, false])?;
            let flushed = writer.flush();
            agree(&writer.comm, flushed)
        })
    }

    /// Collective: writes the data of a record whose documents have been written. Returns checksum and number of bytes,
    /// of all ranks.
    ///
    /// # Errors
    /// The description contradicts the arguments, or the data cannot be written.
    pub fn record_data(
        &mut self,
        info: Result<(RecordInfo, Vec<u8>), Stop>,
        factory: Result<Factory, Stop>,
        flags: [bool; 2],
    ) -> Result<(Checksum, u64), Stop> {
        self.run(|writer| {
            let (info, factory) = writer.checked(info, factory)?;
            writer.same_record(Arguments::new("write the data of a record"), flags)?;
            let is_ildg = writer.is_ildg && is_gauge_field(&info.0, &writer.lattice);
            let record_type = if is_ildg { ildg::BINARY_DATA } else { BINARY_DATA };
            let region = info.0.region(&writer.lattice)?;
            let sum = writer.send(record_type, flags, region, factory)?;
            Ok((sum, region.sites(&writer.lattice) * factory.size as u64))
        })
    }

    /// Collective: checks the arguments of a record.
    pub(crate) fn checked(
        &mut self,
        info: Result<(RecordInfo, Vec<u8>), Stop>,
        factory: Result<Factory, Stop>,
    ) -> Result<((RecordInfo, Vec<u8>), Factory), Stop> {
        let checked = info.and_then(|info| {
            let factory = factory?;
            check_size(&info.0, factory.size)?;
            let document = info.0.private_record(&self.lattice)?;
            let _ = emitted(|buffer| document.emit(Spacing::Line, buffer))?;
            let factory = Factory { count: info.0.datacount, ..factory };
            Ok((info, factory))
        });
        let (info, factory) = agree(&self.comm, checked)?;
        let RecordInfo { recordtype, typesize, datacount, colors, spins, .. } = info.0;
        let number = |number: c_int| u64::from(number.cast_unsigned());
        let (lower, upper) = info.0.bounds().unwrap_or_default();
        let bounds: Vec<u64> = lower.iter().chain(upper).map(|bound| number(*bound)).collect();
        let arguments = Arguments::new("write a record")
            .word("recordtype", number(recordtype))
            .text("datatype", info.0.datatype.as_bytes())
            .text("precision", info.0.precision.as_bytes())
            .word("colors", number(colors))
            .word("spins", number(spins))
            .word("typesize", number(typesize))
            .word("datacount", number(datacount))
            .list("the hypercube", &bounds)
            .word("word_size", factory.word as u64);
        // Only the text and the date of the rank that writes them are used.
        same(&self.comm, arguments)?;
        Ok((info, factory))
    }

    /// Collective: writes the documents of a record. Returns the type of the record with its data.
    pub(crate) fn put_documents(
        &mut self,
        info: &RecordInfo,
        text: &[u8],
        flags: [bool; 2],
    ) -> Result<&'static str, Stop> {
        // One record of another kind ends the ILDG form of a file.
        self.is_ildg &= is_gauge_field(info, &self.lattice);
        let is_ildg = self.is_ildg;
        let comm = self.comm;
        let bytes = self.shared(text)?;
        if is_ildg {
            let lfn = self.shared(self.lfn.as_deref().unwrap_or_default())?;
            self.lfn = (!lfn.is_empty()).then_some(lfn);
        }
        let date = crate::stop::share(&comm, self.first, info.date.as_bytes().to_vec())?;
        let info = RecordInfo { date: crate::text::Text::new(&date), ..info.clone() };
        let written = self.put_record_documents(&info, &bytes, flags, is_ildg);
        agree(&comm, written)?;
        Ok(if is_ildg { ildg::BINARY_DATA } else { BINARY_DATA })
    }

    fn put_record_documents(
        &mut self,
        info: &RecordInfo,
        text: &[u8],
        flags: [bool; 2],
        is_ildg: bool,
    ) -> Result<(), Stop> {
        if !self.follows_documents() {
            return Ok(());
        }
        let document = info.private_record(&self.lattice)?;
        let document = emitted(|buffer| document.emit(Spacing::Line, buffer))?;
        self.put_text(PRIVATE_RECORD_XML, flags, &document)?;
        self.put_text(RECORD_XML, [false, false], &terminated(text)?)?;
        if is_ildg {
            let format = format_of(info, &self.lattice)?;
            let document = emitted(|buffer| format.emit(Spacing::Line, buffer))?;
            self.put_text(ildg::FORMAT, [false, false], &document)?;
            if let Some(lfn) = &self.lfn {
                let lfn = terminated(lfn)?;
                self.put_text(ildg::DATA_LFN, [false, false], &lfn)?;
            }
        }
        Ok(())
    }

    /// Collective: writes the checksum of data, which ends the message.
    pub(crate) fn put_checksum(&mut self, sum: Checksum) -> Result<(), Stop> {
        // The sums of all ranks, unless a program passes others, whose digits can be fewer.
        let sums = self.shared([sum.suma.to_le_bytes(), sum.sumb.to_le_bytes()].as_flattened())?;
        let (words, _) = sums.as_chunks::<4>();
        let sum = match *words {
            [suma, sumb] => Checksum { suma: u32::from_le_bytes(suma), sumb: u32::from_le_bytes(sumb) },
            _ => sum,
        };
        let document = emitted(|buffer| StoredChecksum::new(sum).emit(Spacing::Line, buffer));
        let written = document.and_then(|document| self.put_text(CHECKSUM, [false, true], &document));
        let written = written.and_then(|()| self.flush());
        agree(&self.comm, written)
    }

    /// Collective: completes and closes the file.
    ///
    /// # Errors
    /// A message is open, bytes may be lost, or an earlier call failed.
    pub fn close(mut self) -> Result<(), Stop> {
        let comm = self.comm;
        let flushed = self.flush();
        let complete = match &self.failed {
            Some(stop) => Err(stop.clone()),
            None if self.has_records() => self.out.finish().map_err(|stop| Stop { code: ERR_CLOSE, ..stop }),
            None => Ok(()),
        };
        let is_lost = self.failed.as_ref().is_some_and(|stop| stop.fault.kind == ErrorKind::Communication);
        if is_lost {
            return complete;
        }
        let complete = complete.and(flushed);
        let ready = complete.as_ref().map(|_| ()).map_err(|stop| stop.fault.clone());
        let closed = match &mut self.sink {
            Some(Sink::Shared(file)) => file.close_if(&comm, ready, false),
            Some(Sink::Own(file)) => file.close_if(&comm, ready, false),
            // The others wait for this rank.
            None => everywhere(&comm, ready),
        };
        agree(&comm, complete.and(closed.map_err(with_code(ERR_CLOSE))))
    }
}

impl Family {
    /// Collective: the ranks send the ranks that write for them their sites.
    fn meet(
        comm: &Ranks,
        layout: &Layout,
        lattice: &Extents,
        format: VolumeFormat,
        head: usize,
    ) -> Result<Self, Stop> {
        let order = layout.with_lattice(*lattice).ranks(layout.this_node()).map_err(Stop::from);
        let lists = order.and_then(|order| {
            let mut own: Vec<(u64, u64)> = memory::collect(order.iter().copied().zip(0..))?;
            own.sort_unstable();
            let bytes = memory::collect(own.iter().flat_map(|(rank, _)| rank.to_le_bytes()))?;
            Ok((order, own, bytes))
        });
        let (order, own, bytes) = agree(comm, lists)?;
        if format == VolumeFormat::Multifile {
            return Ok(Self { list: order, own, members: vec![comm.rank()], is_shared: false });
        }
        let inbox = comm.exchange(vec![Message { rank: head, bytes }])?;
        let words = inbox.iter().flat_map(|message| message.bytes.as_chunks::<8>().0);
        let list = memory::collect(words.map(|word| u64::from_le_bytes(*word))).map_err(Stop::from);
        let members: Vec<usize> = inbox.iter().map(|message| message.rank).collect();
        let is_head = head == comm.rank();
        let stray = (!is_head && !members.is_empty()).then(|| {
            let message = format!("rank {} writes for others, but rank {head} writes for it", comm.rank());
            Stop::because(ERR_BAD_IONODE, message)
        });
        let mut list = agree(comm, stray.map_or(list, Err))?;
        list.sort_unstable();
        let mut is_shared = [u64::from(members.iter().any(|member| *member != comm.rank()))];
        comm.combine(Op::Max, &mut is_shared)?;
        Ok(Self { list, own, members, is_shared: is_shared != [0] })
    }
}

/// The rank that writes for this one, and the master.
fn io_nodes(comm: &Ranks, request: &Request) -> Result<(usize, usize), Stop> {
    let nodes = comm.size();
    let head = match request.format {
        // Each node has a volume of its own.
        VolumeFormat::Multifile => comm.rank(),
        _ => request.filesystem.io_node(comm.rank(), nodes)?,
    };
    let master = request.filesystem.master(nodes)?;
    if request.format != VolumeFormat::Single && comm.rank() == master && head != master {
        let message = format!("the master node {master} writes no volume: its I/O node is {head}");
        return Err(Stop::because(ERR_BAD_IONODE, message));
    }
    Ok((head, master))
}

/// Collective: the volumes of a set must have data of the same number of fields, so that none is truncated.
fn same_number(comm: &Ranks, fields: Option<u64>) -> Result<(), Stop> {
    let most = u64::MAX >> 1;
    let mut numbers = [fields.unwrap_or(0), fields.map_or(0, |fields| most - fields)];
    comm.combine(Op::Max, &mut numbers)?;
    let [largest, smallest] = [numbers[0], most - numbers[1]];
    if largest == smallest {
        return Ok(());
    }
    let message = format!("the volumes have data of {smallest} to {largest} fields: one is truncated");
    Err(Stop::because(ERR_PRIVATE_FILE_INFO, message))
}

/// Reads a file that is appended to, up to its end. Returns its length, and the number of fields with data in it; global
/// data are not counted.
fn end_of(
    sink: &mut Sink,
    lattice: &Extents,
    format: VolumeFormat,
    is_first: bool,
    list: &[u64],
) -> Result<(u64, u64), Stop> {
    let io: &mut dyn Bytes = match sink {
        Sink::Shared(file) => file.file(),
        Sink::Own(file) => file.file(),
    };
    let mut cursor = Cursor::new();
    if is_first {
        let (origin, _) = walk::origin(&mut cursor, io)?;
        let Origin::Native(file) = origin else {
            return Err(Stop::because(ERR_PRIVATE_FILE_INFO, "only SciDAC files can be appended to"));
        };
        if file.extents() != Some(*lattice) || file.volume_format() != format {
            let message = "the file has another lattice or another volume format";
            return Err(Stop::because(ERR_PRIVATE_FILE_INFO, message));
        }
    }
    if format != VolumeFormat::Single {
        let bytes = walk::site_list(&mut cursor, io)?;
        if entries(&bytes, lattice)? != list {
            return Err(Stop::because(ERR_BAD_SITELIST, "the volume has other sites than the layout"));
        }
    }
    let (mut fields, mut is_global) = (0, false);
    while let Some(record) = cursor.peek(io)? {
        if cursor.record_type() == PRIVATE_RECORD_XML.as_bytes() {
            let document = PrivateRecord::parse(&cursor.take(io)?);
            let document = document
                .map_err(|error| Stop::codec(ERR_PRIVATE_REC_INFO, record.payload_offset(), error))?;
            is_global = document.record_type() == RecordType::Global;
            continue;
        }
        fields += u64::from(walk::is_data(cursor.record_type()) && !is_global);
        cursor.skip(io)?;
    }
    if cursor.is_inside_message() {
        return Err(Stop::because(ERR_PRIVATE_FILE_INFO, "the last message of the file has not been ended"));
    }
    Ok((cursor.position(), fields))
}

/// A text with its zero byte.
///
/// # Errors
/// There is not enough memory.
pub(crate) fn terminated(text: &[u8]) -> Result<Vec<u8>, Short> {
    let text = walk::trimmed(text);
    let mut copy = memory::room(text.len() + 1)?;
    copy.extend_from_slice(text);
    copy.push(0);
    Ok(copy)
}

/// A document as bytes.
pub(crate) fn emitted<E: std::fmt::Display>(
    emit: impl FnOnce(&mut [u8]) -> Result<usize, E>,
) -> Result<Vec<u8>, Stop> {
    let mut buffer = vec![0; 8192];
    let length = emit(&mut buffer).map_err(|error| Stop::because(crate::code::BAD_XML, error.to_string()))?;
    buffer.truncate(length);
    Ok(buffer)
}

/// Checks the size of a site against the description.
pub(crate) fn check_size(info: &RecordInfo, size: usize) -> Result<(), Stop> {
    if size > 0 && info.bytes_per_site() == size as u64 {
        return Ok(());
    }
    let message = format!(
        "datum_size is {size}, but the record has {} items of {} bytes",
        info.datacount, info.typesize
    );
    Err(Stop::because(ERR_BAD_WRITE_BYTES, message))
}

/// True for the gauge fields that QIO writes in ILDG form: also for a part of the lattice, whose `ildg-format` describes
/// the whole one.
fn is_gauge_field(info: &RecordInfo, lattice: &Extents) -> bool {
    let datatype = info.datatype.as_bytes();
    let names: [&[u8]; 4] =
        [b"QDP_F3_ColorMatrix", b"QDP_D3_ColorMatrix", b"USQCD_F3_ColorMatrix", b"USQCD_D3_ColorMatrix"];
    names.contains(&datatype) && info.datacount == 4 && lattice.dimensions() == 4
}

/// The `ildg-format` of a gauge field.
fn format_of(info: &RecordInfo, lattice: &Extents) -> Result<Format, Stop> {
    let extents = <[u32; 4]>::try_from(lattice.as_slice());
    let extents = extents.map_err(|_| Stop::usage("an ILDG lattice has 4 dimensions"))?;
    let is_single =
        info.typesize == LinkLayout::new(1, 3, 3, Precision::F32).bytes_per_link().unwrap_or(0) as i32;
    let precision = if is_single { Precision::F32 } else { Precision::F64 };
    Ok(Format::version_1_0(GaugeKind::SU3, precision, extents))
}
