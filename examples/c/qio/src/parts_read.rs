//! Reading piece by piece: single LIME records, data without documents, single sites.

use linkstream::lattice::{Checksum, Region};
use linkstream::lime::Record;
use linkstream_c_ranks::Ranks;
use linkstream_parallel::Arguments;
use linkstream_parallel::comm::{Comm as _, Op};

use crate::code::{ERR_BAD_READ_BYTES, ERR_BAD_SEEK, ERR_BAD_SITELIST};
use crate::cursor::Bytes as _;
use crate::factory::{Factory, Room};
use crate::files::{Files, coordinates, entries};
use crate::layout::SiteMap as _;
use crate::opened::Reading;
use crate::parts::Parts;
use crate::reader::Reader;
use crate::stop::{Stop, agree, with_code};
use crate::transfer::{buffer, field_of, sites_in};
use crate::walk;

impl Reader {
    /// Collective: goes to the next record whose type is in a list; to the next one if the list is empty. Returns its
    /// type and length; `None` at the end of the file.
    ///
    /// # Errors
    /// The file is damaged.
    pub fn next_of(&mut self, types: &[Vec<u8>]) -> Result<Option<(Vec<u8>, u64)>, Stop> {
        self.run(|reader| {
            reader.text.get_or_insert_default();
            let bytes = reader.on_root(|cursor, io| {
                while let Some(record) = cursor.peek(io)? {
                    let is_wanted =
                        types.is_empty() || types.iter().any(|name| *name == cursor.record_type());
                    if is_wanted {
                        return Ok(Parts::join(&[cursor.record_type(), &record.length.to_le_bytes()])?);
                    }
                    cursor.skip(io)?;
                }
                Ok(Vec::new())
            })?;
            let mut parts = Parts::new(&bytes);
            let Some(record_type) = parts.next() else { return Ok(None) };
            let length = parts.next().and_then(|length| length.try_into().ok()).map_or(0, u64::from_le_bytes);
            Ok(Some((record_type.to_vec(), length)))
        })
    }

    /// Collective: reads the payload of the record that [`next_of`](Self::next_of) has found.
    ///
    /// # Errors
    /// The file is damaged, or the payload has another length.
    pub fn payload(&mut self, length: Option<u64>) -> Result<Vec<u8>, Stop> {
        self.run(|reader| {
            reader.current = None;
            reader.on_root(|cursor, io| {
                let found = cursor.peek(io)?.map(|record| record.length);
                if length.is_some() && length != found {
                    return Err(Stop::because(ERR_BAD_READ_BYTES, "the record has another length"));
                }
                cursor.take(io)
            })
        })
    }

    /// Collective: passes the record that [`next_of`](Self::next_of) has found. Of data, all volumes pass theirs.
    ///
    /// # Errors
    /// The file is damaged.
    pub fn pass(&mut self) -> Result<(), Stop> {
        self.run(|reader| {
            let (comm, mut is_data) = (reader.comm, [0]);
            reader.current = None;
            let passed = reader.files.documents(&comm).map_or(Ok(()), |(cursor, io)| {
                cursor.peek(io)?;
                is_data[0] = u64::from(walk::is_data(cursor.record_type()));
                cursor.skip(io)
            });
            comm.combine(Op::Max, &mut is_data)?;
            let others = match (is_data, reader.region) {
                ([1], Region::Lattice | Region::Hypercube(_)) => reader.pass_others(&comm),
                _ => Ok(()),
            };
            agree(&comm, passed.and(others))
        })
    }

    fn pass_others(&mut self, comm: &Ranks) -> Result<(), Stop> {
        self.files.others(comm).iter_mut().try_for_each(|volume| {
            let (cursor, io) = volume.parts();
            walk::data(cursor, io)?;
            cursor.skip(io)
        })
    }

    /// Collective: compares a site list with the layout, or with the volume.
    ///
    /// # Errors
    /// It differs, or the file is damaged.
    pub fn compare_list(&mut self) -> Result<(), Stop> {
        let bytes = self.payload(None)?;
        self.run(|reader| {
            let (lattice, comm) = (reader.lattice, reader.comm);
            let compared = match &reader.files {
                Files::Set { own, root } if *root == comm.rank() => {
                    entries(&bytes, &lattice).and_then(|list| match own.first() {
                        Some(first) if first.list == list => Ok(()),
                        _ => {
                            Err(Stop::because(ERR_BAD_SITELIST, "the site list is not the one of the volume"))
                        }
                    })
                }
                _ => Ok(()),
            };
            agree(&comm, compared)
        })
    }

    /// Collective: reads the data of the next record. Returns their checksum and number of bytes, of all ranks.
    ///
    /// # Errors
    /// The data have another length, or the file is damaged.
    pub fn read_field(&mut self, factory: Result<Factory, Stop>) -> Result<(Checksum, u64), Stop> {
        self.run(|reader| {
            let factory = agree(&reader.comm, factory)?;
            let region = reader.region;
            let sum = reader.transfer(region, factory)?;
            reader.checksum = sum;
            reader.current = None;
            Ok((sum, region.sites(&reader.lattice) * factory.size as u64))
        })
    }

    /// Collective: begins to read single sites of the next data, with so many bytes each.
    ///
    /// # Errors
    /// The data have another length, or the file is damaged.
    pub fn begin_sites(&mut self, size: usize) -> Result<(), Stop> {
        self.run(|reader| {
            let (comm, region, lattice) = (reader.comm, reader.region, reader.lattice);
            let arguments = Arguments::new("begin to read single sites").word("datum_size", size as u64);
            crate::reader::same(&comm, arguments)?;
            let field = agree(&comm, field_of(&lattice, region, size, Record::default()))?;
            let record = match &mut reader.files {
                Files::Single { .. } => reader.find_data(field.data_length())?,
                Files::Set { own, .. } => {
                    let found = own.iter_mut().try_for_each(|volume| {
                        let sites = sites_in(&volume.list, &region, &lattice);
                        let (cursor, io) = volume.parts();
                        let record = walk::data(cursor, io)?;
                        match record.length == sites * size as u64 {
                            true => Ok(()),
                            false => Err(Stop::because(ERR_BAD_READ_BYTES, "the data have another length")),
                        }
                    });
                    agree(&comm, found)?;
                    Record::default()
                }
            };
            reader.opened = Some(Reading { record, size, sum: Checksum::default(), bytes: 0 });
            Ok(())
        })
    }

    /// Reads one site, on this rank alone: a site that the rank has, and whose file it can read.
    ///
    /// # Errors
    /// It is not such a site, or the file cannot be read.
    pub fn read_site(&mut self, rank: u64, factory: Factory) -> Result<Checksum, Stop> {
        let Some(mut opened) = self.opened else { return Err(Stop::usage("no record of data is open")) };
        let (region, lattice) = (self.region, self.lattice);
        if factory.size != opened.size {
            return Err(Stop::usage(format!("datum_size is {}, but was {}", factory.size, opened.size)));
        }
        let size = opened.size as u64;
        let (index, stored) = place(&self.layout, &lattice, &region, rank, self.comm.rank())?;
        let mut bytes = buffer(opened.size)?;
        match &mut self.files {
            Files::Single { file, .. } => {
                let at = opened.record.payload_offset() + stored * size;
                fill(file.at(at, &mut bytes), &bytes, at)?;
            }
            Files::Set { own, .. } => {
                let mut found = false;
                for volume in own {
                    let Some(entry) = volume.list.iter().position(|listed| *listed == rank) else { continue };
                    let before = sites_in(&volume.list[..entry], &region, &lattice);
                    let (cursor, io) = volume.parts();
                    let at = walk::data(cursor, io)?.payload_offset() + before * size;
                    fill(io.at(at, &mut bytes), &bytes, at)?;
                    found = true;
                }
                if !found {
                    let message = format!("site {rank} is in no volume that this rank reads");
                    return Err(Stop::because(ERR_BAD_SEEK, message));
                }
            }
        }
        opened.sum.add(rank, &bytes);
        opened.bytes += size;
        factory.put(&mut Room::new(factory.size)?, index, &bytes);
        self.opened = Some(opened);
        Ok(opened.sum)
    }

    /// Collective: ends reading single sites. Returns checksum and number of bytes of the sites that all ranks have read.
    ///
    /// # Errors
    /// No record is open, or the file is damaged.
    pub fn end_sites(&mut self) -> Result<(Checksum, u64), Stop> {
        self.run(|reader| {
            let comm = reader.comm;
            let opened = reader.opened.take().ok_or_else(|| Stop::usage("no record of data is open"));
            let opened = agree(&comm, opened)?;
            let mut sums = [u64::from(opened.sum.suma), u64::from(opened.sum.sumb)];
            comm.combine(Op::Xor, &mut sums)?;
            let mut bytes = [opened.bytes];
            comm.combine(Op::Sum, &mut bytes)?;
            let [suma, sumb] = sums.map(|sum| sum as u32);
            let passed = reader.files.documents(&comm).map_or(Ok(()), |(cursor, io)| {
                walk::data(cursor, io)?;
                cursor.skip(io)
            });
            let others = match reader.region {
                Region::Global => Ok(()),
                _ => reader.pass_others(&comm),
            };
            agree(&comm, passed.and(others))?;
            reader.current = None;
            reader.checksum = Checksum { suma, sumb };
            Ok((reader.checksum, bytes[0]))
        })
    }
}

fn fill(read: Result<usize, linkstream_parallel::Fault>, bytes: &[u8], at: u64) -> Result<(), Stop> {
    let read = read.map_err(with_code(ERR_BAD_READ_BYTES))?;
    match read == bytes.len() {
        true => Ok(()),
        false => Err(Stop::file(ERR_BAD_READ_BYTES, at + read as u64, "the file has become shorter")),
    }
}

/// The index of a site on this rank, and its place in the stored order of a region.
pub(crate) fn place(
    layout: &crate::layout::Layout,
    lattice: &linkstream::lattice::Extents,
    region: &Region,
    rank: u64,
    own: usize,
) -> Result<(u64, u64), Stop> {
    if *region == Region::Global {
        return Ok((0, 0));
    }
    let outside = || Stop::because(ERR_BAD_SEEK, format!("there is no data for site {rank}"));
    if rank >= lattice.sites() {
        return Err(outside());
    }
    let site = coordinates(lattice, rank);
    let node = layout.node_number(&site)?;
    if node != own {
        let message = format!("site {rank} is on node {node}, not on this one");
        return Err(Stop::because(ERR_BAD_SEEK, message));
    }
    let stored = match region {
        Region::Hypercube(cube) => cube.index(&site).ok_or_else(outside)?,
        _ => rank,
    };
    Ok((layout.node_index(&site)?, stored))
}
