//! Conversions between single files and partition files, by one process (QIO 2.3, section 4.6).

use std::collections::BTreeMap;
use std::ffi::c_int;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use linkstream::ildg;
use linkstream::lattice::{Checksum, Extents, Region};
use linkstream::lime::Record;
use linkstream::scidac::{
    CHECKSUM, FILE_XML, PRIVATE_FILE_XML, PRIVATE_RECORD_XML, PrivateFile, RECORD_XML, SITELIST,
    StoredChecksum, VolumeFormat,
};
use linkstream::xml::Spacing;
use linkstream_memory::{self as memory, Short};
use linkstream_parallel::field::ROUND;
use linkstream_parallel::file::{Access, NewFile, OpenFile, SharedFile, SystemDisk, beside, rename};

use crate::code::{
    BAD_ARG, ERR_ALLOC, ERR_BAD_READ_BYTES, ERR_BAD_SITELIST, ERR_BAD_VOLFMT, ERR_CLOSE, ERR_OPEN_READ,
    ERR_OPEN_WRITE,
};
use crate::cursor::{Bytes as _, Cursor};
use crate::filename::{self, PARTFILE, PARTFILE_DIR};
use crate::files::{coordinates, entries, open};
use crate::filesystem::Filesystem;
use crate::layout::{Layout, SiteMap as _};
use crate::out::{Out, Sink};
use crate::reader::judge;
use crate::stop::{Stop, with_code};
use crate::transfer::{buffer, sites_in};
use crate::walk::{self, Found, Origin};
use crate::writer::{emitted, terminated};

/// The volumes of a set, by the nodes that have them.
#[derive(Debug)]
pub struct Mesh {
    layout: Layout,
    filesystem: Filesystem,
    /// The volume of each node.
    io_nodes: Vec<usize>,
    master: usize,
}

impl Mesh {
    /// The volumes of a layout.
    ///
    /// # Errors
    /// A function of the program returns no node.
    pub fn new(layout: Layout, filesystem: Filesystem) -> Result<Self, Stop> {
        let nodes = layout.nodes();
        let mut io_nodes = Vec::new();
        let none = |_| Stop::because(ERR_ALLOC, format!("there is no memory for {nodes} nodes"));
        io_nodes.try_reserve_exact(nodes).map_err(none)?;
        for node in 0..nodes {
            io_nodes.push(filesystem.io_node(node, nodes)?);
        }
        let master = filesystem.master(nodes)?;
        if io_nodes.get(master) != Some(&master) {
            return Err(Stop::because(
                crate::code::ERR_BAD_IONODE,
                format!("the master node {master} writes no volume"),
            ));
        }
        Ok(Self { layout, filesystem, io_nodes, master })
    }

    /// The nodes with a volume, the master first.
    fn volumes(&self) -> Result<Vec<usize>, Short> {
        let mut nodes = memory::copied(&self.io_nodes)?;
        nodes.sort_unstable();
        nodes.dedup();
        nodes.retain(|node| *node != self.master);
        // There is room: the master was among them.
        nodes.insert(0, self.master);
        Ok(nodes)
    }

    /// The node whose volume has a site.
    fn volume_of(&self, lattice: &Extents, rank: u64) -> Result<usize, Stop> {
        let node = self.layout.node_number(&coordinates(lattice, rank))?;
        self.io_nodes.get(node).copied().ok_or_else(|| Stop::usage(format!("there is no node {node}")))
    }

    /// # Safety
    /// The tables of the file system are as `qio_types.h` says.
    #[allow(unsafe_code, reason = "tables of the program")]
    unsafe fn path(&self, name: &[u8], volfmt: c_int, node: usize) -> Result<PathBuf, Stop> {
        // SAFETY: as this function requires.
        let base = unsafe { self.filesystem.path(name, node) }?;
        let number = c_int::try_from(node).map_err(|_| Stop::usage("2^31 nodes or more"))?;
        let path = filename::edit(&base, volfmt, number)?;
        Ok(std::ffi::OsStr::from_bytes(&path).into())
    }
}

/// A file that is being made, as `.NAME.part`. It is removed unless it is completed.
struct Made {
    path: PathBuf,
    out: Out,
    is_complete: bool,
}

impl Made {
    fn new(path: PathBuf) -> Result<Self, Stop> {
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            let made = std::fs::create_dir_all(parent);
            made.map_err(|error| Stop::because(ERR_OPEN_WRITE, format!("{}: {error}", parent.display())))?;
        }
        drop(open(&beside(&path), Access::Write)?);
        Ok(Self { path, out: Out::new(0, false, true), is_complete: false })
    }

    /// The files are opened for each piece: there can be more of them than a process can open.
    fn flush(&mut self) -> Result<(), Stop> {
        let mut sink = Sink::Own(NewFile::complete(open(&beside(&self.path), Access::Update)?));
        self.out.flush(&mut sink)
    }

    fn flush_if_long(&mut self) -> Result<(), Stop> {
        if self.out.is_long() { self.flush() } else { Ok(()) }
    }

    fn complete(&mut self) -> Result<(), Stop> {
        self.out.finish()?;
        self.flush()?;
        let part = beside(&self.path);
        let mut file = open(&part, Access::Update)?;
        let closed =
            SharedFile::<linkstream_parallel::comm::Solo>::close(&mut file, &linkstream_parallel::comm::Solo);
        closed.and_then(|()| rename(&part, &self.path)).map_err(with_code(ERR_CLOSE))?;
        self.is_complete = true;
        Ok(())
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        if !self.is_complete {
            let _ = std::fs::remove_file(beside(&self.path));
        }
    }
}

/// Makes partition files from a single file.
///
/// # Errors
/// The file cannot be read or is damaged, or a volume cannot be written: then no volume is left.
///
/// # Safety
/// The tables of the file system are as `qio_types.h` says.
#[allow(unsafe_code, reason = "tables of the program")]
pub unsafe fn single_to_part(name: &[u8], mesh: &Mesh, volfmt: c_int) -> Result<(), Stop> {
    let format = match volfmt {
        PARTFILE => VolumeFormat::Partition,
        PARTFILE_DIR => VolumeFormat::PartitionDirectory,
        _ => {
            return Err(Stop::because(
                ERR_BAD_VOLFMT,
                format!("volume format {volfmt} is no partition format"),
            ));
        }
    };
    let path = Path::new(std::ffi::OsStr::from_bytes(name));
    let mut file = open(path, Access::Read)?;
    let mut cursor = Cursor::new();
    let (origin, _) = walk::origin(&mut cursor, &mut file)?;
    let lattice = lattice_of(&origin, &mesh.layout)?;
    if let Origin::Native(document) = &origin
        && document.volume_format() != VolumeFormat::Single
    {
        return Err(Stop::because(ERR_BAD_VOLFMT, "the file is no single file"));
    }
    let is_native = matches!(origin, Origin::Native(_));
    let mut lists = BTreeMap::<usize, Vec<u64>>::new();
    for rank in 0..lattice.sites() {
        memory::push(lists.entry(mesh.volume_of(&lattice, rank)?).or_default(), rank)?;
    }
    let text = match is_native {
        true => walk::file_text(&mut cursor, &mut file)?,
        false => terminated(walk::ALIEN_FILE)?,
    };
    let mut made = Vec::new();
    for node in mesh.volumes()? {
        // SAFETY: as this function requires.
        let path = unsafe { mesh.path(name, volfmt, node) }?;
        let mut volume = Made::new(path)?;
        let list = lists.get(&node).map_or(&[][..], Vec::as_slice);
        let is_first = node == mesh.master;
        if is_first {
            let document = PrivateFile::new(&lattice).with_volume_format(format);
            volume.out.record(
                PRIVATE_FILE_XML,
                [true, false],
                &emitted(|buffer| document.emit(Spacing::Line, buffer))?,
            )?;
        }
        let entries = site_list(list)?;
        volume.out.record(SITELIST, if is_first { [false, false] } else { [true, true] }, &entries)?;
        if is_first {
            volume.out.record(FILE_XML, [false, true], &text)?;
        }
        volume.flush()?;
        made.push((node, volume));
    }
    while let Some(found) = walk::documents(&mut cursor, &mut file, is_native)? {
        let record_type = cursor.record_type().to_vec();
        let record = walk::data(&mut cursor, &mut file)?;
        let info = walk::info(&found, &origin, &lattice)?;
        let region = info.region(&lattice)?;
        put_documents(&mut made[0].1.out, &found, &info, &origin, &lattice, None)?;
        let size = site_size(info.bytes_per_site(), &record, region.sites(&lattice))?;
        let mut places = BTreeMap::new();
        for (index, (node, volume)) in made.iter_mut().enumerate() {
            let is_first = index == 0;
            let list = lists.get(node).map_or(&[][..], Vec::as_slice);
            let sites = match region {
                Region::Global if is_first => 1,
                Region::Global => continue,
                _ => sites_in(list, &region, &lattice),
            };
            let flags = if is_first { [false, false] } else { [true, true] };
            volume.out.begin(&record_type, sites * size as u64, flags[0], flags[1])?;
            places.insert(*node, index);
        }
        let mut computed = Checksum::default();
        each_site(&mut file, &record, size, &region, &lattice, |rank, bytes| {
            let node = if region == Region::Global { mesh.master } else { mesh.volume_of(&lattice, rank)? };
            let index = places.get(&node).copied().unwrap_or(0);
            computed.add(rank, bytes);
            made[index].1.out.payload(bytes)?;
            made[index].1.flush_if_long()
        })?;
        for (index, (_, volume)) in made.iter_mut().enumerate() {
            if index == 0 || region != Region::Global {
                volume.out.end()?;
                volume.flush()?;
            }
        }
        cursor.skip(&mut file)?;
        let stored = walk::checksum(&mut cursor, &mut file)?;
        judge(computed, stored.as_ref(), is_native)?;
        put_checksum(&mut made[0].1.out, computed)?;
        made[0].1.flush()?;
        if !is_native {
            // As in QIO, only the first field of a file of another program.
            break;
        }
    }
    made.iter_mut().try_for_each(|(_, volume)| volume.complete())
}

/// A volume that is read.
struct Part {
    path: PathBuf,
    file: OpenFile<SystemDisk>,
    cursor: Cursor,
    list: Vec<u64>,
    /// Bytes that were read ahead, and the next one.
    ahead: Vec<u8>,
    used: usize,
    at: u64,
}

/// Makes a single file from partition files. `lfn` replaces the logical file name.
///
/// # Errors
/// A volume cannot be read or is damaged, or the file exists or cannot be written: then no file is left.
///
/// # Safety
/// The tables of the file system are as `qio_types.h` says.
#[allow(unsafe_code, reason = "tables of the program")]
pub unsafe fn part_to_single(
    name: &[u8],
    mesh: &Mesh,
    is_ildg: bool,
    lfn: Option<&[u8]>,
) -> Result<(), Stop> {
    let path = Path::new(std::ffi::OsStr::from_bytes(name));
    if path.exists() {
        return Err(Stop::because(ERR_OPEN_WRITE, format!("{} exists already", path.display())));
    }
    let mut parts = Vec::new();
    for node in mesh.volumes()? {
        let found = [PARTFILE, PARTFILE_DIR].into_iter().find_map(|volfmt| {
            // SAFETY: as this function requires.
            let path = unsafe { mesh.path(name, volfmt, node) };
            path.map(|path| path.is_file().then_some(path)).transpose()
        });
        let missing = || Stop::because(ERR_OPEN_READ, format!("the volume of node {node} is missing"));
        let path = found.ok_or_else(missing)??;
        let file = open(&path, Access::Read)?;
        parts.push(Part {
            path,
            file,
            cursor: Cursor::new(),
            list: Vec::new(),
            ahead: Vec::new(),
            used: 0,
            at: 0,
        });
    }
    let (origin, _) = {
        let first = &mut parts[0];
        walk::origin(&mut first.cursor, &mut first.file)?
    };
    let lattice = lattice_of(&origin, &mesh.layout)?;
    match &origin {
        Origin::Native(document)
            if matches!(
                document.volume_format(),
                VolumeFormat::Partition | VolumeFormat::PartitionDirectory
            ) => {}
        _ => return Err(Stop::because(ERR_BAD_VOLFMT, "the volumes are no partition files")),
    }
    for part in &mut parts {
        let bytes =
            walk::site_list(&mut part.cursor, &mut part.file).map_err(|stop| stop.in_file(&part.path))?;
        part.list = entries(&bytes, &lattice)?;
        if part.list.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(Stop::because(ERR_BAD_SITELIST, "a site list is not ascending").in_file(&part.path));
        }
    }
    check_cover(&parts, &lattice)?;
    let first = &mut parts[0];
    let text = walk::file_text(&mut first.cursor, &mut first.file)?;
    let mut made = Made::new(path.into())?;
    let document = PrivateFile::new(&lattice);
    made.out.record(
        PRIVATE_FILE_XML,
        [true, false],
        &emitted(|buffer| document.emit(Spacing::Line, buffer))?,
    )?;
    made.out.record(FILE_XML, [false, true], &text)?;
    loop {
        let first = &mut parts[0];
        let Some(mut found) = walk::documents(&mut first.cursor, &mut first.file, true)? else { break };
        let record_type = first.cursor.record_type().to_vec();
        if !is_ildg {
            (found.format, found.lfn) = (Vec::new(), Vec::new());
        }
        let info = walk::info(&found, &origin, &lattice)?;
        let region = info.region(&lattice)?;
        put_documents(&mut made.out, &found, &info, &origin, &lattice, lfn)?;
        let size = usize::try_from(info.bytes_per_site()).map_err(|_| Stop::usage("a site is too large"))?;
        made.out.begin(&record_type, region.sites(&lattice) * size as u64, false, false)?;
        let computed = match region {
            Region::Global => join_global(&mut parts[0], size, &mut made)?,
            _ => join(&mut parts, size, &region, &lattice, &mut made)?,
        };
        made.out.end()?;
        let first = &mut parts[0];
        let stored = walk::checksum(&mut first.cursor, &mut first.file)?;
        judge(computed, stored.as_ref(), true)?;
        put_checksum(&mut made.out, computed)?;
        made.flush()?;
    }
    for part in &mut parts[1..] {
        if part.cursor.peek(&mut part.file)?.is_some() {
            let message = "the volume has more records than the first one";
            return Err(Stop::because(ERR_BAD_READ_BYTES, message).in_file(&part.path));
        }
    }
    made.complete()
}

/// Checks that the volumes have each site once.
fn check_cover(parts: &[Part], lattice: &Extents) -> Result<(), Stop> {
    let all = memory::collect(parts.iter().flat_map(|part| part.list.iter().copied()))?;
    let site = |index: usize| coordinates(lattice, all.get(index).copied().unwrap_or(0));
    let sites = linkstream_parallel::field::Layout::listed(lattice, all.len(), site, |_| 0);
    sites.agree(&linkstream_parallel::comm::Solo).map_err(with_code(ERR_BAD_SITELIST))
}

/// Joins the data of all volumes in ascending order of the sites.
fn join(
    parts: &mut [Part],
    size: usize,
    region: &Region,
    lattice: &Extents,
    made: &mut Made,
) -> Result<Checksum, Stop> {
    let most = (ROUND / parts.len().max(1)).max(size) / size.max(1) * size;
    let mut next = std::collections::BinaryHeap::new();
    let is_in = |rank: &&u64| match region {
        Region::Hypercube(cube) => cube.contains(&coordinates(lattice, **rank)),
        _ => true,
    };
    let inside = parts.iter().map(|part| memory::collect(part.list.iter().filter(is_in).copied()));
    let inside = inside.collect::<Result<Vec<_>, _>>()?;
    for (index, part) in parts.iter_mut().enumerate() {
        let record = walk::data(&mut part.cursor, &mut part.file).map_err(|stop| stop.in_file(&part.path))?;
        if record.length != inside[index].len() as u64 * size as u64 {
            let message = "the data have another length";
            return Err(Stop::file(ERR_BAD_READ_BYTES, record.offset, message).in_file(&part.path));
        }
        (part.ahead, part.used, part.at) = (Vec::new(), 0, record.payload_offset());
        if let Some(rank) = inside[index].first() {
            next.push(std::cmp::Reverse((*rank, index, 0_usize)));
        }
    }
    let mut computed = Checksum::default();
    while let Some(std::cmp::Reverse((rank, index, place))) = next.pop() {
        let part = &mut parts[index];
        if part.used == part.ahead.len() {
            let left = (inside[index].len() - place).saturating_mul(size);
            part.ahead = buffer(left.min(most))?;
            part.used = 0;
            read_exactly(&mut part.file, part.at, &mut part.ahead)
                .map_err(|stop| stop.in_file(&part.path))?;
            part.at += part.ahead.len() as u64;
        }
        let bytes = &part.ahead[part.used..part.used + size];
        computed.add(rank, bytes);
        made.out.payload(bytes)?;
        part.used += size;
        made.flush_if_long()?;
        if let Some(rank) = inside[index].get(place + 1) {
            next.push(std::cmp::Reverse((*rank, index, place + 1)));
        }
    }
    for part in parts {
        part.cursor.skip(&mut part.file)?;
    }
    Ok(computed)
}

fn join_global(first: &mut Part, size: usize, made: &mut Made) -> Result<Checksum, Stop> {
    let record = walk::data(&mut first.cursor, &mut first.file)?;
    if record.length != size as u64 {
        return Err(Stop::file(ERR_BAD_READ_BYTES, record.offset, "the data have another length"));
    }
    let bytes = first.cursor.take(&mut first.file)?;
    let mut computed = Checksum::default();
    computed.add(0, &bytes);
    made.out.payload(&bytes)?;
    Ok(computed)
}

fn read_exactly(file: &mut OpenFile<SystemDisk>, at: u64, bytes: &mut [u8]) -> Result<(), Stop> {
    let read = file.at(at, bytes).map_err(with_code(ERR_BAD_READ_BYTES))?;
    match read == bytes.len() {
        true => Ok(()),
        false => Err(Stop::file(ERR_BAD_READ_BYTES, at + read as u64, "the file has become shorter")),
    }
}

/// Calls a function for each site of data, in stored order.
fn each_site(
    file: &mut OpenFile<SystemDisk>,
    record: &Record,
    size: usize,
    region: &Region,
    lattice: &Extents,
    mut each: impl FnMut(u64, &[u8]) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let most = (ROUND / size.max(1)).max(1) as u64;
    let all = region.sites(lattice);
    let mut site = linkstream::lattice::SiteOrder::new(*lattice, *region);
    let mut done = 0;
    while done < all {
        let count = most.min(all - done);
        let mut bytes = buffer(usize::try_from(count).unwrap_or(usize::MAX).saturating_mul(size))?;
        read_exactly(file, record.payload_offset() + done * size as u64, &mut bytes)?;
        for bytes in bytes.chunks_exact(size.max(1)) {
            each(if *region == Region::Global { 0 } else { site.rank() }, bytes)?;
            site.step();
        }
        done += count;
    }
    Ok(())
}

fn site_size(bytes: u64, record: &Record, sites: u64) -> Result<usize, Stop> {
    if Some(record.length) != bytes.checked_mul(sites) {
        return Err(Stop::file(ERR_BAD_READ_BYTES, record.offset, "the data have another length"));
    }
    usize::try_from(bytes).map_err(|_| Stop::usage("a site is too large"))
}

/// The documents of a record as they were found; of a record of another program, new ones.
fn put_documents(
    out: &mut Out,
    found: &Found,
    info: &crate::record_info::RecordInfo,
    origin: &Origin,
    lattice: &Extents,
    lfn: Option<&[u8]>,
) -> Result<(), Stop> {
    if let Origin::Alien(format) = origin {
        let document = info.private_record(lattice)?;
        out.record(
            PRIVATE_RECORD_XML,
            [true, false],
            &emitted(|buffer| document.emit(Spacing::Line, buffer))?,
        )?;
        out.record(RECORD_XML, [false, false], &terminated(walk::ALIEN_RECORD)?)?;
        let extents = <[u32; 4]>::try_from(lattice.as_slice());
        let extents = extents.map_err(|_| Stop::usage("an ILDG lattice has 4 dimensions"))?;
        let format = ildg::Format::version_1_0(format.kind(), format.precision(), extents);
        return out.record(
            ildg::FORMAT,
            [false, false],
            &emitted(|buffer| format.emit(Spacing::Line, buffer))?,
        );
    }
    out.record(PRIVATE_RECORD_XML, [true, false], &found.private)?;
    out.record(RECORD_XML, [false, false], &found.text)?;
    if !found.format.is_empty() {
        out.record(ildg::FORMAT, [false, false], &found.format)?;
        let lfn = lfn.map(terminated).transpose()?;
        let lfn = lfn.as_deref().unwrap_or(&found.lfn);
        if !lfn.is_empty() {
            out.record(ildg::DATA_LFN, [false, false], lfn)?;
        }
    }
    Ok(())
}

fn put_checksum(out: &mut Out, sum: Checksum) -> Result<(), Stop> {
    let document = emitted(|buffer| StoredChecksum::new(sum).emit(Spacing::Line, buffer))?;
    out.record(CHECKSUM, [false, true], &document)
}

/// A site list as bytes.
fn site_list(list: &[u64]) -> Result<Vec<u8>, Short> {
    let is_long = list.iter().any(|rank| *rank > u64::from(u32::MAX));
    let skipped = if is_long { 0 } else { 4 };
    memory::collect(list.iter().flat_map(|rank| rank.to_be_bytes().into_iter().skip(skipped)))
}

/// The lattice of a file, which must be the one of the layout.
fn lattice_of(origin: &Origin, layout: &Layout) -> Result<Extents, Stop> {
    let found = match origin {
        Origin::Native(file) => file.extents(),
        Origin::Alien(format) => format.extents(),
    };
    let found = found.ok_or_else(|| Stop::usage("the file does not describe its lattice"))?;
    match layout.lattice() {
        Some(lattice) if *lattice == found => Ok(found),
        Some(lattice) => Err(Stop::because(
            BAD_ARG,
            format!("the lattice of the file is {found}, but the layout is of {lattice}"),
        )),
        None => Err(Stop::usage("the layout has no dimensions (latdim is 0)")),
    }
}
