//! The data of a record on their way from the ranks to the file.

use linkstream::lattice::{Checksum, Region};
use linkstream::scidac::VolumeFormat;
use linkstream_memory::{self as memory, unwinding};
use linkstream_parallel::comm::{Comm as _, CommError, Message, Op};
use linkstream_parallel::field::{ROUND, write_data};
use linkstream_parallel::{ErrorKind, Fault};

use crate::code::{BAD_ARG, ERR_BAD_WRITE_BYTES};
use crate::factory::{Factory, Room, SiteData};
use crate::files::coordinates;
use crate::out::Sink;
use crate::program;
use crate::stop::{Stop, agree, share, with_code};
use crate::transfer::{buffer, field_of, sites_in};
use crate::writer::Writer;

impl Writer {
    /// Collective: writes a record with data. Returns the checksum of all data.
    pub(crate) fn send(
        &mut self,
        record_type: &str,
        flags: [bool; 2],
        region: Region,
        factory: Factory,
    ) -> Result<Checksum, Stop> {
        let sum = match (region, self.format) {
            (Region::Global, _) => self.send_global(record_type, flags, factory),
            (_, VolumeFormat::Single) => self.send_single(record_type, flags, region, factory),
            _ => self.send_set(record_type, flags, region, factory),
        }?;
        self.checksum = sum;
        Ok(sum)
    }

    /// The data of the sites of this rank.
    fn data(&self, factory: Factory) -> Result<SiteData, Stop> {
        SiteData::new(factory, program::own(&self.layout)?)
    }

    fn send_global(
        &mut self,
        record_type: &str,
        flags: [bool; 2],
        factory: Factory,
    ) -> Result<Checksum, Stop> {
        let comm = self.comm;
        let (rank, is_single) = (comm.rank(), self.format == VolumeFormat::Single);
        let made = buffer(if rank == self.master { factory.size } else { 0 }).and_then(|mut bytes| {
            if rank == self.master {
                factory.get(&mut Room::new(factory.size)?, 0, &mut bytes);
            }
            Ok(bytes)
        });
        let mut bytes = agree(&comm, made)?;
        if is_single && self.master != 0 {
            bytes = share(&comm, self.master, bytes)?;
        }
        let mut own = Checksum::default();
        let mut written = Ok(());
        if self.follows_documents() {
            written =
                self.out.begin(record_type.as_bytes(), factory.size as u64, flags[0], flags[1]).map(drop);
            let has_bytes = bytes.len() == factory.size;
            if has_bytes && rank == self.first {
                own.add(0, &bytes);
            }
            let payload = |writer: &mut Self| match has_bytes {
                true => writer.out.payload(&bytes),
                false => writer.out.pass(),
            };
            written = written.and_then(|()| payload(self)).and_then(|()| self.out.end());
            written = written.and_then(|()| self.flush());
        }
        agree(&comm, written)?;
        self.combined(own)
    }

    fn combined(&self, own: Checksum) -> Result<Checksum, Stop> {
        let mut sums = [u64::from(own.suma), u64::from(own.sumb)];
        self.comm.combine(Op::Xor, &mut sums)?;
        let [suma, sumb] = sums.map(|sum| sum as u32);
        Ok(Checksum { suma, sumb })
    }

    fn send_single(
        &mut self,
        record_type: &str,
        flags: [bool; 2],
        region: Region,
        factory: Factory,
    ) -> Result<Checksum, Stop> {
        let mut data = agree(&self.comm, self.data(factory))?;
        let mut field = field_of(&self.lattice, region, factory.size, linkstream::lime::Record::default())?;
        let length = field.data_length().unwrap_or(u64::MAX);
        // The same on all ranks.
        field.record = self.out.begin(record_type.as_bytes(), length, flags[0], flags[1])?;
        let before = self.flush().map_err(|stop| stop.fault);
        let Self { comm, sink: Some(Sink::Shared(file)), sites, out, .. } = self else {
            return Err(Stop::usage("the file is not open"));
        };
        let written = write_data(comm, file, sites, &field, &mut data, ROUND, before);
        let written = written.map_err(|fault| {
            let code = if fault.kind == ErrorKind::Usage { BAD_ARG } else { ERR_BAD_WRITE_BYTES };
            // The record has begun: the file cannot be continued.
            let kind = if fault.kind == ErrorKind::Usage { ErrorKind::System } else { fault.kind };
            with_code(code)(Fault { kind, ..fault })
        });
        let ended = written.and_then(|sum| {
            out.pass()?;
            out.end()?;
            Ok(sum)
        });
        agree(comm, ended)
    }

    fn send_set(
        &mut self,
        record_type: &str,
        flags: [bool; 2],
        region: Region,
        factory: Factory,
    ) -> Result<Checksum, Stop> {
        let mut data = agree(&self.comm, self.data(factory))?;
        let size = factory.size;
        let length = sites_in(&self.family.list, &region, &self.lattice).checked_mul(size as u64);
        let begun =
            length.ok_or_else(|| Stop::usage("the data have 2^64 bytes or more")).and_then(|length| {
                if self.has_records() {
                    let flags = if self.follows_documents() { flags } else { [true, true] };
                    self.out.begin(record_type.as_bytes(), length, flags[0], flags[1])?;
                }
                Ok(())
            });
        let mut own = Checksum::default();
        let sent = match (self.format, self.family.is_shared) {
            (VolumeFormat::Multifile, _) => {
                begun.and_then(|()| self.send_in_order(region, size, &mut data, &mut own))
            }
            (_, false) => begun.and_then(|()| self.send_own(region, size, &mut data, &mut own)),
            _ => self.send_family(region, size, &mut data, &mut own, begun),
        };
        let ended = sent.and_then(|()| match self.has_records() {
            true => self.out.end().and_then(|()| self.flush()),
            false => Ok(()),
        });
        let sum = self.combined(own);
        // After an error the file cannot be continued, whatever the error.
        agree(&self.comm, ended.map_err(unusable))?;
        sum
    }

    fn contains(&self, region: &Region, rank: u64) -> bool {
        match region {
            Region::Hypercube(cube) => cube.contains(&coordinates(&self.lattice, rank)),
            _ => true,
        }
    }

    /// Writes one own site.
    fn send_site(
        &mut self,
        (rank, index): (u64, u64),
        bytes: &mut [u8],
        data: &mut SiteData,
        own: &mut Checksum,
    ) -> Result<(), Stop> {
        data.get(rank, index, bytes).map_err(with_code(BAD_ARG))?;
        own.add(rank, bytes);
        self.out.payload(bytes)?;
        match &mut self.sink {
            Some(sink) => self.out.flush_if_long(sink),
            None => Ok(()),
        }
    }

    /// The sites of a volume of a multifile set: in the order of memory.
    fn send_in_order(
        &mut self,
        region: Region,
        size: usize,
        data: &mut SiteData,
        own: &mut Checksum,
    ) -> Result<(), Stop> {
        let mut bytes = buffer(size)?;
        for index in 0..self.family.list.len() {
            let rank = self.family.list[index];
            if self.contains(&region, rank) {
                self.send_site((rank, index as u64), &mut bytes, data, own)?;
            }
        }
        Ok(())
    }

    /// The sites of a rank that writes only for itself.
    fn send_own(
        &mut self,
        region: Region,
        size: usize,
        data: &mut SiteData,
        own: &mut Checksum,
    ) -> Result<(), Stop> {
        let mut bytes = buffer(size)?;
        for place in 0..self.family.own.len() {
            let site = self.family.own[place];
            if self.contains(&region, site.0) {
                self.send_site(site, &mut bytes, data, own)?;
            }
        }
        Ok(())
    }

    /// Collective: the sites of families. In each round, a rank that writes gets its next sites.
    fn send_family(
        &mut self,
        region: Region,
        size: usize,
        data: &mut SiteData,
        own: &mut Checksum,
        mut outcome: Result<(), Stop>,
    ) -> Result<(), Stop> {
        let comm = self.comm;
        let ends = self.round_ends(&region, size);
        let ends_bytes = unwinding::collect(ends.iter().flat_map(|end| end.to_le_bytes()));
        let members = self.family.members.iter();
        let messages =
            members.map(|member| Message { rank: *member, bytes: unwinding::copied(&ends_bytes) }).collect();
        let inbox = comm.exchange(messages)?;
        let mine = inbox.first().map_or(&[][..], |message| &message.bytes);
        let mine = unwinding::collect(mine.as_chunks::<8>().0.iter().map(|end| u64::from_le_bytes(*end)));
        let mut rounds = [ends.len() as u64];
        comm.combine(Op::Max, &mut rounds)?;
        let mut place = 0;
        for round in 0..rounds[0] {
            let mut bytes = Vec::new();
            if let (Ok(()), Some(end)) = (&outcome, mine.get(round as usize)) {
                outcome = self.gather(&region, size, data, &mut place, *end, &mut bytes);
            }
            let message =
                Message { rank: self.head, bytes: if outcome.is_ok() { bytes } else { Vec::new() } };
            // Every rank enters the exchange, with nothing after an error.
            let inbox = comm.exchange(vec![message])?;
            if outcome.is_ok() {
                outcome = self.scatter(&inbox, size, own);
            }
        }
        outcome
    }

    /// The rank in the lattice after the last site of each round of this volume.
    fn round_ends(&self, region: &Region, size: usize) -> Vec<u64> {
        let most = (ROUND / size.max(1)).max(1);
        let inside = self.family.list.iter().copied().filter(|rank| self.contains(region, *rank));
        let (mut ends, mut number) = (Vec::new(), 0);
        let mut last = None;
        for rank in inside {
            number += 1;
            last = Some(rank + 1);
            if number == most {
                last.take().into_iter().for_each(|end| unwinding::push(&mut ends, end));
                number = 0;
            }
        }
        ends.extend(last);
        ends
    }

    /// The next own sites up to a rank in the lattice, each with its rank.
    fn gather(
        &self,
        region: &Region,
        size: usize,
        data: &mut SiteData,
        place: &mut usize,
        end: u64,
        bytes: &mut Vec<u8>,
    ) -> Result<(), Stop> {
        while let Some((rank, index)) = self.family.own.get(*place).copied().filter(|(rank, _)| *rank < end) {
            *place += 1;
            if self.contains(region, rank) {
                memory::extend(bytes, &rank.to_le_bytes())?;
                let start = bytes.len();
                memory::resize(bytes, start + size)?;
                data.get(rank, index, &mut bytes[start..]).map_err(with_code(BAD_ARG))?;
            }
        }
        Ok(())
    }

    /// Writes the sites of a round in ascending order.
    fn scatter(&mut self, inbox: &[Message], size: usize, own: &mut Checksum) -> Result<(), Stop> {
        let mut sites = Vec::new();
        for message in inbox {
            let parts = message.bytes.chunks_exact(8 + size);
            if !parts.remainder().is_empty() {
                return Err(CommError::new("a message between ranks is malformed").into());
            }
            for site in parts {
                let (rank, bytes) = site.split_at(8);
                let rank = rank.try_into().map_or(u64::MAX, u64::from_le_bytes);
                memory::push(&mut sites, (rank, bytes))?;
            }
        }
        sites.sort_unstable_by_key(|(rank, _)| *rank);
        for (rank, bytes) in sites {
            own.add(rank, bytes);
            self.out.payload(bytes)?;
            if let Some(sink) = &mut self.sink {
                self.out.flush_if_long(sink)?;
            }
        }
        Ok(())
    }
}

/// The error of a record that was begun: the file cannot be continued.
fn unusable(stop: Stop) -> Stop {
    let kind = if stop.fault.kind == ErrorKind::Usage { ErrorKind::System } else { stop.fault.kind };
    Stop { fault: Fault { kind, ..stop.fault }, ..stop }
}
