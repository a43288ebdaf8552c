//! Writing piece by piece: single LIME records, data without documents, single sites.

use linkstream::lattice::{Checksum, Region};
use linkstream::lime::Record;
use linkstream::scidac::VolumeFormat;
use linkstream_parallel::comm::{Comm as _, Op};
use linkstream_parallel::{Arguments, ErrorKind};

use crate::code::{ERR_BAD_SEEK, ERR_BAD_WRITE_BYTES};
use crate::factory::{Factory, Indices, Room};
use crate::opened::{Sites, Writing};
use crate::parts_read::place;
use crate::stop::{Stop, agree, with_code};
use crate::transfer::{buffer, field_of, sites_in};
use crate::writer::Writer;

impl Writer {
    /// Collective: writes the site list of each volume as a record.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn list(&mut self, record_type: &str, flags: [bool; 2]) -> Result<(), Stop> {
        self.run(|writer| {
            let arguments = Arguments::new("write the site list").text("lime_type", record_type.as_bytes());
            writer.same_record(arguments, flags)?;
            let is_set = writer.format != VolumeFormat::Single;
            let flags = if writer.follows_documents() { flags } else { [true, true] };
            let written = match is_set && writer.has_records() {
                true => writer.put_list(record_type, flags).and_then(|()| writer.flush()),
                false => Ok(()),
            };
            agree(&writer.comm, written)
        })
    }

    /// Collective: writes data as a record. Returns checksum and number of bytes, of all ranks.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn write_field(
        &mut self,
        record_type: &str,
        flags: [bool; 2],
        factory: Result<Factory, Stop>,
    ) -> Result<(Checksum, u64), Stop> {
        self.run(|writer| {
            let factory = agree(&writer.comm, factory)?;
            let arguments = Arguments::new("write data").text("lime_type", record_type.as_bytes());
            let arguments =
                arguments.word("datum_size", factory.size as u64).word("count", factory.count as u64);
            let arguments = arguments.word("word_size", factory.word as u64);
            writer.same_record(arguments, flags)?;
            let region = writer.region;
            let sum = writer.send(record_type, flags, region, factory)?;
            Ok((sum, region.sites(&writer.lattice) * factory.size as u64))
        })
    }

    /// Collective: opens a record of data with so many bytes per site. It is written by [`finish_field`](Self::finish_field).
    ///
    /// # Errors
    /// A record is open.
    pub fn open_field(&mut self, record_type: &str, flags: [bool; 2], size: usize) -> Result<(), Stop> {
        self.run(|writer| {
            let free = match writer.opened {
                Some(_) => Err(Stop::usage("a record of data is open")),
                None => field_of(&writer.lattice, writer.region, size, Record::default()).map(drop),
            };
            agree(&writer.comm, free)?;
            let arguments = Arguments::new("open a record of data").text("lime_type", record_type.as_bytes());
            let arguments = arguments.word("datum_size", size as u64);
            writer.same_record(arguments, flags)?;
            let record_type = record_type.to_owned();
            writer.opened =
                Some(Writing { record: Record::default(), size, record_type, flags, sites: None });
            Ok(())
        })
    }

    /// Collective: writes all data of the record that [`open_field`](Self::open_field) has opened.
    ///
    /// # Errors
    /// No record is open, the data have another size, or they cannot be written.
    pub fn finish_field(&mut self, factory: Result<Factory, Stop>) -> Result<(Checksum, u64), Stop> {
        let checked = factory.and_then(|factory| match &self.opened {
            Some(opened) if opened.sites.is_none() && opened.size == factory.size => Ok(factory),
            Some(opened) => Err(Stop::because(
                ERR_BAD_WRITE_BYTES,
                format!("the record has sites of {} bytes", opened.size),
            )),
            None => Err(Stop::usage("no record of data is open")),
        });
        let factory = agree(&self.comm, checked)?;
        let Some(opened) = self.opened.take() else { return Err(Stop::usage("no record of data is open")) };
        self.write_field(&opened.record_type, opened.flags, Ok(factory))
    }

    /// Collective: begins to write single sites of a record of data.
    ///
    /// # Errors
    /// A record is open, or the header cannot be written.
    pub fn begin_sites(&mut self, record_type: &str, flags: [bool; 2], size: usize) -> Result<(), Stop> {
        self.open_field(record_type, flags, size)?;
        self.run(|writer| {
            let begun = writer.begin_record_of_sites(record_type, flags, size);
            let (record, sites) = agree(&writer.comm, begun)?;
            if let Some(opened) = &mut writer.opened {
                (opened.record, opened.sites) = (record, Some(sites));
            }
            Ok(())
        })
    }

    fn begin_record_of_sites(
        &mut self,
        record_type: &str,
        flags: [bool; 2],
        size: usize,
    ) -> Result<(Record, Sites), Stop> {
        let is_single = self.format == VolumeFormat::Single;
        let sites = match (is_single, self.region) {
            (_, Region::Global) => u64::from(self.follows_documents()),
            (true, region) => region.sites(&self.lattice),
            (false, region) => sites_in(&self.family.list, &region, &self.lattice),
        };
        let mut record = Record::default();
        if self.has_records() && (self.region != Region::Global || self.follows_documents()) {
            let flags = if self.follows_documents() { flags } else { [true, true] };
            record = self.out.begin(record_type.as_bytes(), sites * size as u64, flags[0], flags[1])?;
            self.flush()?;
        }
        let sites = Sites { done: Indices::new(sites)?, sum: Checksum::default(), bytes: 0 };
        Ok((record, sites))
    }

    /// Writes one site, on this rank alone: a site that the rank has, and whose volume it writes. Each is written once.
    ///
    /// # Errors
    /// It is not such a site, or it cannot be written.
    pub fn write_site(&mut self, rank: u64, factory: Factory) -> Result<Checksum, Stop> {
        let own = self.comm.rank();
        let (index, stored) = place(&self.layout, &self.lattice, &self.region, rank, own)?;
        let stored = match (self.format, self.region) {
            (VolumeFormat::Single, _) | (_, Region::Global) => stored,
            _ => {
                let entry = self.family.list.iter().position(|listed| *listed == rank);
                let entry = entry.ok_or_else(|| {
                    Stop::because(
                        ERR_BAD_SEEK,
                        format!("site {rank} is not in the volume that this rank writes"),
                    )
                })?;
                sites_in(&self.family.list[..entry], &self.region, &self.lattice)
            }
        };
        let Self { opened: Some(opened), sink: Some(sink), .. } = self else {
            return Err(Stop::usage("no record of data is open"));
        };
        let (Some(sites), size) = (&mut opened.sites, opened.size) else {
            return Err(Stop::usage("no record of single sites is open"));
        };
        if factory.size != size {
            return Err(Stop::usage(format!("datum_size is {}, but was {size}", factory.size)));
        }
        sites
            .done
            .note(rank, stored)
            .map_err(|_| Stop::because(ERR_BAD_SEEK, format!("site {rank} has been written before")))?;
        let mut bytes = buffer(size)?;
        factory.get(&mut Room::new(size)?, index, &mut bytes);
        let at = opened.record.payload_offset() + stored * size as u64;
        sink.write(at, &bytes).map_err(with_code(ERR_BAD_WRITE_BYTES))?;
        sites.sum.add(rank, &bytes);
        sites.bytes += size as u64;
        Ok(sites.sum)
    }

    /// Collective: ends a record of single sites. Returns checksum and number of bytes, of all ranks.
    ///
    /// # Errors
    /// Sites are missing or were written by several ranks: the file cannot be continued then.
    pub fn end_sites(&mut self) -> Result<(Checksum, u64), Stop> {
        self.run(|writer| {
            let comm = writer.comm;
            let opened =
                writer.opened.take().and_then(|opened| opened.sites.map(|sites| (opened.size, sites)));
            let opened = opened.ok_or_else(|| Stop::usage("no record of single sites is open"));
            let (size, sites) = agree(&comm, opened)?;
            let mut sums = [u64::from(sites.sum.suma), u64::from(sites.sum.sumb)];
            comm.combine(Op::Xor, &mut sums)?;
            let mut bytes = [sites.bytes];
            comm.combine(Op::Sum, &mut bytes)?;
            let expected = writer.region.sites(&writer.lattice) * size as u64;
            let ended = match bytes[0] == expected {
                true => writer.end_record_of_sites(),
                false => {
                    let message = format!("{} of {expected} bytes of the record were written", bytes[0]);
                    let mut stop = Stop::because(ERR_BAD_WRITE_BYTES, message);
                    stop.fault.kind = ErrorKind::System;
                    Err(stop)
                }
            };
            agree(&comm, ended)?;
            let [suma, sumb] = sums.map(|sum| sum as u32);
            writer.checksum = Checksum { suma, sumb };
            Ok((writer.checksum, bytes[0]))
        })
    }

    fn end_record_of_sites(&mut self) -> Result<(), Stop> {
        if self.has_records() && (self.region != Region::Global || self.follows_documents()) {
            self.out.pass()?;
            self.out.end()?;
            self.flush()?;
        }
        Ok(())
    }
}
