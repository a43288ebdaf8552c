//! The data of a record on their way from the file to the ranks that have their sites.

use linkstream::field::{Field, FieldDocuments};
use linkstream::lattice::{Checksum, Extents, Precision, Region};
use linkstream::lime::Record;
use linkstream::scidac::PrivateRecord;
use linkstream_c_ranks::Ranks;
use linkstream_memory as memory;
use linkstream_parallel::comm::{Comm as _, CommError, Message, Op};
use linkstream_parallel::field::{ROUND, read_data};
use linkstream_parallel::{Arguments, ErrorKind};

use crate::code::{BAD_ARG, ERR_ALLOC, ERR_BAD_READ_BYTES, ERR_BAD_SITELIST};
use crate::cursor::Bytes as _;
use crate::factory::{Factory, Room, SiteData};
use crate::files::{Files, Volume, coordinates};
use crate::layout::{Layout, SiteMap as _};
use crate::program;
use crate::reader::Reader;
use crate::stop::{Stop, agree, with_code};
use crate::walk;

/// The layout of data: their sites, and their position in the file.
///
/// # Errors
/// The data have more than 64 bits.
pub fn field_of(lattice: &Extents, region: Region, size: usize, record: Record) -> Result<Field, Stop> {
    // A field of other data: all that differs is replaced.
    let any = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32));
    let mut field = any.layout(lattice).map_err(|error| Stop::usage(error.to_string()))?;
    (field.region, field.bytes_per_site, field.record) = (region, size as u64, record);
    (field.precision, field.links) = (None, None);
    match field.data_length() {
        Some(_) => Ok(field),
        None => Err(Stop::usage("the data have 2^64 bytes or more")),
    }
}

impl Reader {
    /// Collective: passes the data of the current record to the program. Returns their checksum.
    pub(crate) fn transfer(&mut self, region: Region, factory: Factory) -> Result<Checksum, Stop> {
        let arguments = Arguments::new("read data").word("datum_size", factory.size as u64);
        let arguments = arguments.word("count", factory.count as u64).word("word_size", factory.word as u64);
        crate::reader::same(&self.comm, arguments)?;
        if region == Region::Global {
            return self.read_global(factory);
        }
        // The file must have the data before memory is allocated for a list of their sites.
        let record = match &self.files {
            Files::Single { .. } => {
                let field = field_of(&self.lattice, region, factory.size, Record::default())?;
                Some(self.find_data(field.data_length())?)
            }
            Files::Set { .. } => None,
        };
        self.make_sites()?;
        let data = program::own(&self.layout).and_then(|own| SiteData::new(factory, own));
        let data = agree(&self.comm, data)?;
        match record {
            Some(record) => self.read_single(region, factory.size, record, data),
            None => self.read_set(region, factory.size, data),
        }
    }

    /// Collective: the position of the data in the only file. They must have this length.
    pub(crate) fn find_data(&mut self, expected: Option<u64>) -> Result<Record, Stop> {
        let bytes = self.on_root(|cursor, io| {
            let record = walk::data(cursor, io)?;
            check_length(&record, expected)?;
            Ok([record.offset.to_le_bytes(), record.length.to_le_bytes()].concat())
        })?;
        let [offset, length] = bytes.as_chunks::<8>().0 else {
            return Err(Stop::usage("the position of the data is malformed"));
        };
        let [offset, length] = [offset, length].map(|word| u64::from_le_bytes(*word));
        Ok(Record { offset, length, ..Record::default() })
    }

    fn read_single(
        &mut self,
        region: Region,
        size: usize,
        record: Record,
        mut data: SiteData,
    ) -> Result<Checksum, Stop> {
        let field = field_of(&self.lattice, region, size, record)?;
        let Self { comm, files, sites, .. } = self;
        let (Files::Single { file, cursor }, Some(sites)) = (files, sites) else {
            return Err(Stop::usage("the file is not open"));
        };
        let read = read_data(comm, file, sites, &field, &mut data, ROUND, Ok(()));
        let read = read.map_err(|fault| {
            let code = if fault.kind == ErrorKind::Usage { BAD_ARG } else { ERR_BAD_READ_BYTES };
            with_code(code)(fault)
        });
        let passed = read.and_then(|sum| match comm.rank() {
            0 => cursor.skip(file).map(|()| sum),
            _ => Ok(sum),
        });
        agree(comm, passed)
    }

    /// Collective: reads global data on one rank, for all.
    fn read_global(&mut self, factory: Factory) -> Result<Checksum, Stop> {
        let comm = self.comm;
        let mut computed = Checksum::default();
        let bytes = self.on_root(|cursor, io| {
            let record = walk::data(cursor, io)?;
            check_length(&record, Some(factory.size as u64))?;
            cursor.take(io)
        })?;
        computed.add(0, &bytes);
        let is_master = comm.rank() == self.master;
        let mut room = agree(&comm, Room::new(factory.size))?;
        if !self.suppresses_broadcast || is_master {
            factory.put(&mut room, 0, &bytes);
        }
        Ok(computed)
    }

    /// Collective: reads the data of a set. The ranks that read volumes send each site to the rank that has it.
    fn read_set(&mut self, region: Region, size: usize, mut data: SiteData) -> Result<Checksum, Stop> {
        let Self { comm, files, lattice, layout, .. } = self;
        let Files::Set { own, .. } = files else { return Err(Stop::usage("the volumes are not open")) };
        let mut found = own.iter_mut().try_for_each(|volume| {
            let sites = sites_in(&volume.list, &region, lattice);
            let (cursor, io) = volume.parts();
            let expected = sites.checked_mul(size as u64);
            walk::data(cursor, io)
                .and_then(|record| check_length(&record, expected))
                .map_err(|stop| stop.in_file(&volume.path))
        });
        let most = (ROUND / size.max(1)).max(1) as u64;
        let rounds: u64 =
            own.iter().map(|volume| sites_in(&volume.list, &region, lattice).div_ceil(most)).sum();
        let is_foreign = own
            .iter()
            .flat_map(|volume| &volume.list)
            .any(|rank| layout.node_number(&coordinates(lattice, *rank)).ok() != Some(comm.rank()));
        let mut largest = [rounds, u64::from(is_foreign)];
        comm.combine(Op::Max, &mut largest)?;
        let [rounds, is_foreign] = largest;
        let mut chunks = Chunks { volume: 0, entry: 0, sites: 0, most };
        let mut computed = Checksum::default();
        for _ in 0..rounds {
            let mut messages = Vec::new();
            if found.is_ok() {
                let read = chunks.read(own, &region, lattice, layout, size, comm, &mut data, &mut computed);
                match read {
                    Ok(sent) => messages = sent,
                    Err(stop) => found = Err(stop),
                }
            }
            if is_foreign == 0 {
                continue;
            }
            // Every rank enters the exchange, with nothing after an error.
            let inbox = comm.exchange(messages)?;
            if found.is_ok() {
                found = receive(&inbox, comm.rank(), layout, lattice, size, &mut data);
            }
        }
        let passed = found.and_then(|()| {
            own.iter_mut().try_for_each(|volume| {
                let (cursor, io) = volume.parts();
                cursor.skip(io)
            })
        });
        let mut sums = [u64::from(computed.suma), u64::from(computed.sumb)];
        comm.combine(Op::Xor, &mut sums)?;
        agree(comm, passed)?;
        let [suma, sumb] = sums.map(|sum| sum as u32);
        Ok(Checksum { suma, sumb })
    }
}

fn check_length(record: &Record, expected: Option<u64>) -> Result<(), Stop> {
    if Some(record.length) == expected {
        return Ok(());
    }
    let needed = expected.map_or_else(|| "2^64 or more".to_owned(), |length| length.to_string());
    let message = format!("the data have {} bytes, but the documents describe {needed}", record.length);
    Err(Stop::file(ERR_BAD_READ_BYTES, record.offset, message))
}

/// Number of the sites of a list in a region.
pub(crate) fn sites_in(list: &[u64], region: &Region, lattice: &Extents) -> u64 {
    match region {
        Region::Hypercube(cube) => {
            list.iter().filter(|rank| cube.contains(&coordinates(lattice, **rank))).count() as u64
        }
        _ => list.len() as u64,
    }
}

/// The parts of the volumes of a rank that it reads one after the other.
struct Chunks {
    volume: usize,
    /// The next entry of the list, and the number of sites before it that have data.
    entry: usize,
    sites: u64,
    most: u64,
}

impl Chunks {
    /// Reads the next part. Own sites go to the program, others into messages to the ranks that have them.
    #[allow(clippy::too_many_arguments, reason = "the state of one call")]
    fn read(
        &mut self,
        own: &mut [Volume],
        region: &Region,
        lattice: &Extents,
        layout: &Layout,
        size: usize,
        comm: &Ranks,
        data: &mut SiteData,
        computed: &mut Checksum,
    ) -> Result<Vec<Message>, Stop> {
        while own.get(self.volume).is_some_and(|volume| self.entry >= volume.list.len()) {
            (self.volume, self.entry, self.sites) = (self.volume + 1, 0, 0);
        }
        let Some(volume) = own.get_mut(self.volume) else { return Ok(Vec::new()) };
        let mut ranks = Vec::new();
        while let Some(rank) = volume.list.get(self.entry).filter(|_| (ranks.len() as u64) < self.most) {
            self.entry += 1;
            let is_in = match region {
                Region::Hypercube(cube) => cube.contains(&coordinates(lattice, *rank)),
                _ => true,
            };
            if is_in {
                memory::push(&mut ranks, *rank)?;
            }
        }
        let (cursor, io) = volume.parts();
        let record = walk::data(cursor, io)?;
        let start = record.payload_offset() + self.sites * size as u64;
        self.sites += ranks.len() as u64;
        let mut bytes = buffer(ranks.len().saturating_mul(size))?;
        let read = volume.file.at(start, &mut bytes).map_err(with_code(ERR_BAD_READ_BYTES))?;
        if read < bytes.len() {
            let end = start + read as u64;
            return Err(
                Stop::file(ERR_BAD_READ_BYTES, end, "the file has become shorter").in_file(&volume.path)
            );
        }
        let mut messages = std::collections::BTreeMap::<usize, Vec<u8>>::new();
        for (rank, site) in ranks.into_iter().zip(bytes.chunks_exact(size.max(1))) {
            computed.add(rank, site);
            let place = coordinates(lattice, rank);
            let node = layout.node_number(&place)?;
            if node == comm.rank() {
                data.put(rank, layout.node_index(&place)?, site).map_err(with_code(BAD_ARG))?;
                continue;
            }
            let message = messages.entry(node).or_default();
            memory::extend(message, &rank.to_le_bytes())?;
            memory::extend(message, site)?;
        }
        Ok(messages.into_iter().map(|(rank, bytes)| Message { rank, bytes }).collect())
    }
}

/// Passes the sites of other ranks to the program.
fn receive(
    inbox: &[Message],
    own: usize,
    layout: &Layout,
    lattice: &Extents,
    size: usize,
    data: &mut SiteData,
) -> Result<(), Stop> {
    for message in inbox {
        let sites = message.bytes.chunks_exact(8 + size);
        if !sites.remainder().is_empty() {
            return Err(CommError::new("a message between ranks is malformed").into());
        }
        for site in sites {
            let (rank, bytes) = site.split_at(8);
            let rank = rank.try_into().map_or(u64::MAX, u64::from_le_bytes);
            let place = coordinates(lattice, rank);
            let node = layout.node_number(&place)?;
            if node != own {
                let message = format!(
                    "site {rank} is on node {own} by the layout of another node, on {node} by its own"
                );
                return Err(Stop::because(ERR_BAD_SITELIST, message));
            }
            let index = layout.node_index(&place)?;
            data.put(rank, index, bytes).map_err(with_code(ERR_BAD_SITELIST))?;
        }
    }
    Ok(())
}

/// Room for bytes.
pub(crate) fn buffer(length: usize) -> Result<Vec<u8>, Stop> {
    let mut bytes = Vec::new();
    let none = |_| Stop::because(ERR_ALLOC, format!("there is no memory for {length} bytes"));
    bytes.try_reserve_exact(length).map_err(none)?;
    bytes.resize(length, 0);
    Ok(bytes)
}
