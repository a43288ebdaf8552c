//! One volume of a file set, as the rank that writes it does: the encoder of the codec, and the bytes that are not yet
//! in the file.

use linkstream::field::{Field, OutgoingMessage};
use linkstream::lattice::{Checksum, SiteOrder};
use linkstream::volume::{EncodeErrorKind, Encoder, VolumeKind, Want};
use linkstream_memory as memory;

use crate::error::Fault;
use crate::file::{Disk, NewFile, OpenFile, Piece, PieceMut};

/// Room for a document.
const SCRATCH: usize = 64 << 10;

/// Bytes that were written, for comparison: offset, length, and checksum.
type Written = (u64, usize, Checksum);

/// A volume that is written from its first byte to its last.
#[derive(Debug)]
pub(super) struct Volume {
    encoder: Encoder,
    /// The next bytes of the file, and their offset.
    pending: Vec<u8>,
    at: u64,
    /// Bytes that are written at a time.
    memory: usize,
    /// Everything that was written and not read again, if it is to be read again.
    written: Option<Vec<Written>>,
    scratch: Vec<u8>,
}

fn refused(error: &EncodeErrorKind) -> Fault {
    Fault::usage(error.to_string())
}

impl Volume {
    pub(super) fn new(kind: VolumeKind, sites: u64, largest: u64) -> Self {
        Self {
            encoder: Encoder::new(kind, sites, largest),
            pending: Vec::new(),
            at: 0,
            memory: 1,
            written: None,
            scratch: vec![0; SCRATCH],
        }
    }

    /// Sets the number of bytes that are written at a time, and whether they are read again.
    pub(super) fn set(&mut self, memory: usize, verify: bool) {
        self.memory = memory;
        self.written = verify.then(|| self.written.take().unwrap_or_default());
    }

    /// Begins a message, and writes its documents up to the site list, data or checksum. `sites` is the number of sites
    /// of the volume that have data, for a field on a hypercube.
    pub(super) fn begin<D: Disk>(
        &mut self,
        file: &mut NewFile<OpenFile<D>>,
        message: &OutgoingMessage<'_>,
        sites: u64,
    ) -> Result<(), Fault> {
        // `go_on` resumes it.
        let _ = self.encoder.begin(message, sites, &mut self.scratch).map_err(|error| refused(&error))?;
        self.go_on(file, message)
    }

    /// Writes the documents of a message that has begun, up to the next data.
    pub(super) fn go_on<D: Disk>(
        &mut self,
        file: &mut NewFile<OpenFile<D>>,
        message: &OutgoingMessage<'_>,
    ) -> Result<(), Fault> {
        if !self.is_open() {
            return Ok(());
        }
        let Self { encoder, pending, scratch, .. } = self;
        let begun = encoder.resume(message, scratch).map_err(|error| refused(&error))?;
        while let Want::Bytes(bytes) = encoder.next(&begun, scratch).map_err(|error| refused(&error))? {
            memory::extend(pending, bytes)?;
        }
        self.write_if_long(file)
    }

    /// True if a message is open. Global data are no message of volumes other than the first.
    fn is_open(&self) -> bool {
        self.encoder
            .finish()
            .is_err_and(|error| error == linkstream::field::EncodeErrorKind::MessageOpen.into())
    }

    /// The next entries of the site list: these ranks in the lattice.
    pub(super) fn entries<D: Disk>(
        &mut self,
        file: &mut NewFile<OpenFile<D>>,
        ranks: impl Iterator<Item = u64>,
    ) -> Result<(), Fault> {
        for rank in ranks {
            let entry = self.encoder.entry(rank).map_err(|error| refused(&error))?;
            memory::extend(&mut self.pending, entry.as_bytes())?;
        }
        self.write_if_long(file)
    }

    /// The next sites of the data: `count` sites in the stored order of the field, from this index on.
    pub(super) fn sites<D: Disk>(
        &mut self,
        file: &mut NewFile<OpenFile<D>>,
        field: &Field,
        stored: u64,
        count: u64,
        bytes: &[u8],
    ) -> Result<(), Fault> {
        let mut site = SiteOrder::at(field.extents, field.region, stored);
        for _ in 0..count {
            self.encoder.pass_site(site.rank()).map_err(|error| refused(&error))?;
            site.step();
        }
        memory::extend(&mut self.pending, bytes)?;
        self.write_if_long(file)
    }

    /// The checksum of the data of all ranks, which the first volume stores.
    pub(super) fn checksum<D: Disk>(
        &mut self,
        file: &mut NewFile<OpenFile<D>>,
        message: &OutgoingMessage<'_>,
        checksum: Checksum,
    ) -> Result<(), Fault> {
        if self.encoder.kind() == VolumeKind::First {
            self.encoder.supply_checksum(checksum).map_err(|error| refused(&error))?;
        }
        self.go_on(file, message)
    }

    /// Checks that the volume can end here.
    pub(super) fn complete(&self) -> Result<(), Fault> {
        self.encoder.finish().map_err(|error| refused(&error))
    }

    fn write_if_long<D: Disk>(&mut self, file: &mut NewFile<OpenFile<D>>) -> Result<(), Fault> {
        if self.pending.len() < self.memory { Ok(()) } else { self.write(file) }
    }

    fn write<D: Disk>(&mut self, file: &mut NewFile<OpenFile<D>>) -> Result<(), Fault> {
        let Self { pending, at, written, .. } = self;
        if pending.is_empty() {
            return Ok(());
        }
        file.put(Piece { offset: *at, bytes: pending })?;
        if let Some(written) = written {
            written.push((*at, pending.len(), sum(pending)));
        }
        *at += pending.len() as u64;
        pending.clear();
        Ok(())
    }

    /// Writes all bytes up to here and, if requested, reads them again and compares them.
    pub(super) fn flush<D: Disk>(&mut self, file: &mut NewFile<OpenFile<D>>) -> Result<(), Fault> {
        self.write(file)?;
        for (offset, length, expected) in self.written.iter_mut().flat_map(std::mem::take) {
            let mut again = memory::zeroed(length)?;
            let read = file.take(PieceMut { offset, bytes: &mut again })?;
            if read != length || sum(&again) != expected {
                return Err(Fault::lost(offset));
            }
        }
        Ok(())
    }
}

/// The checksum of bytes, as if they were the data of a site.
fn sum(bytes: &[u8]) -> Checksum {
    let mut sum = Checksum::default();
    sum.add(1, bytes);
    sum
}
