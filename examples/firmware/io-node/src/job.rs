//! A file that is being received: written to the card, read back, and verified.

use embedded_sdmmc::{BlockDevice, RawFile};

use crate::card::{CardError, Start};
use crate::catalogue::{Place, Record, State};
use crate::meter::{Clock, Meter, measured};
use crate::stage::{STAGE, Stage};
use crate::store::{Store, StoreError};
use crate::verify::{Fault, Verifier};

/// The data are secured and verified after so many bytes. Two of them are the most that a power failure costs.
const INTERVAL: u32 = 512 * 1024;

/// Reason why a file was not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobError {
    Store(StoreError),
    File(Fault),
    /// The bytes on the card have another digest, which the verifier has computed.
    Digest,
}

impl From<StoreError> for JobError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Fault> for JobError {
    fn from(error: Fault) -> Self {
        Self::File(error)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Wants bytes.
    Receive,
    /// Has to work on without them.
    Work,
    /// The file is stored.
    Stored,
}

/// The file being received.
#[derive(Debug)]
pub struct Job {
    pub place: Place,
    pub record: Record,
    /// Open while the file is written and read back; before the first bytes it does not exist.
    file: Option<RawFile>,
    /// True if the record is on the card.
    is_recorded: bool,
    written: u32,
    verified: u32,
    /// True until all bytes that are safe have been verified; others are received afterwards.
    verifying: bool,
}

/// Parts of the node that a job uses.
#[derive(Debug)]
pub struct Tools<'a, D: BlockDevice, K> {
    pub store: &'a mut Store<D>,
    pub stage: &'a mut Stage,
    pub verifier: &'a mut Verifier,
    pub clock: &'a K,
    pub meter: &'a Meter,
}

impl Job {
    /// Begins a file, or continues it from the bytes that are safe.
    ///
    /// # Errors
    /// The card cannot be used.
    pub fn begin<D, K>(place: Place, record: Record, tools: &mut Tools<'_, D, K>) -> Result<Self, StoreError>
    where
        D: BlockDevice<Error = CardError> + Start + Copy,
        K: Clock,
    {
        tools.stage.filled = 0;
        tools.verifier.restart();
        let is_recorded = record.safe > 0;
        let mut job =
            Self { place, record, file: None, is_recorded, written: 0, verified: 0, verifying: false };
        if is_recorded {
            let (file, offset) = tools.store.open_to_write(&record.name, record.safe, record.length)?;
            job.file = Some(file);
            job.written = offset;
            job.record.safe = offset;
            job.verifying = offset > 0;
        }
        Ok(job)
    }

    /// Writes what has been received, to be verified before more is: so the client can compare what is there with its
    /// file.
    ///
    /// # Errors
    /// The card does not work, or the bytes begin no file of a known format.
    pub fn settle<D, K>(&mut self, tools: &mut Tools<'_, D, K>) -> Result<(), JobError>
    where
        D: BlockDevice<Error = CardError> + Start + Copy,
        K: Clock,
    {
        if tools.stage.filled > 0 {
            self.write(tools)?;
        }
        if self.verified < self.written {
            self.secure(tools)?;
            self.verifying = true;
        }
        Ok(())
    }

    /// Offset of the byte that is wanted next.
    pub fn received(&self, stage: &Stage) -> u32 {
        self.written.saturating_add(stage.filled as u32)
    }

    /// The part of the stage that can still be filled; empty if there is other work.
    pub fn room<'s>(&self, stage: &'s mut Stage) -> &'s mut [u8] {
        let missing = self.record.length.saturating_sub(self.received(stage));
        let end = stage.filled.saturating_add(missing as usize).min(STAGE);
        stage.bytes.get_mut(stage.filled..end).unwrap_or(&mut [])
    }

    /// Next step.
    pub fn next(&self, stage: &Stage) -> Next {
        let is_complete = self.received(stage) == self.record.length;
        if self.verifying || stage.filled == STAGE || is_complete { Next::Work } else { Next::Receive }
    }

    fn is_due(&self) -> bool {
        self.written == self.record.length || self.written.saturating_sub(self.verified) >= INTERVAL
    }

    /// Does one piece of work: writes the stage, or reads a piece back.
    ///
    /// # Errors
    /// The card does not work, or the file is not what it should be.
    pub fn work<D, K>(&mut self, tools: &mut Tools<'_, D, K>) -> Result<Next, JobError>
    where
        D: BlockDevice<Error = CardError> + Start + Copy,
        K: Clock,
    {
        if self.verifying {
            self.verify(tools)?;
            self.verifying = self.verified < self.record.safe;
        } else if tools.stage.filled > 0 {
            self.write(tools)?;
            if self.is_due() {
                self.secure(tools)?;
                self.verifying = true;
            }
        }
        if self.verified == self.record.length {
            return self.complete(tools).map(|()| Next::Stored);
        }
        Ok(self.next(tools.stage))
    }

    fn write<D, K>(&mut self, tools: &mut Tools<'_, D, K>) -> Result<(), JobError>
    where
        D: BlockDevice<Error = CardError> + Start + Copy,
        K: Clock,
    {
        let file = match self.file {
            Some(file) => file,
            None => {
                // Before anything is written: is it a file for this node?
                Verifier::recognise(tools.stage.contents())?;
                tools.store.record(self.place, Some(&self.record))?;
                self.is_recorded = true;
                let (file, _) = tools.store.open_to_write(&self.record.name, 0, self.record.length)?;
                self.file = Some(file);
                file
            }
        };
        tools.store.write(file, self.written, tools.stage.contents())?;
        if self.written == 0 {
            // The directory has the first cluster from now on, so that a power failure cannot lose it. The record comes
            // before: when it is on the card, the table has the cluster, which no other file can get.
            tools.store.record(self.place, Some(&self.record))?;
            tools.store.flush(file)?;
        }
        tools.meter.bytes.set(tools.meter.bytes.get().wrapping_add(tools.stage.filled as u64));
        self.written = self.received(tools.stage);
        tools.stage.filled = 0;
        Ok(())
    }

    /// Records what has been written as safe: first the directory, then the list.
    fn secure<D, K>(&mut self, tools: &mut Tools<'_, D, K>) -> Result<(), JobError>
    where
        D: BlockDevice<Error = CardError> + Start + Copy,
    {
        if let Some(file) = self.file {
            tools.store.flush(file)?;
        }
        let record = Record { safe: self.written, ..self.record };
        tools.store.record(self.place, Some(&record))?;
        self.record = record;
        Ok(())
    }

    fn verify<D, K>(&mut self, tools: &mut Tools<'_, D, K>) -> Result<(), JobError>
    where
        D: BlockDevice<Error = CardError> + Start + Copy,
        K: Clock,
    {
        let Some(file) = self.file else { return Err(StoreError::Card.into()) };
        let left = self.record.safe.saturating_sub(self.verified) as usize;
        let piece = tools.stage.bytes.get_mut(..left.min(STAGE)).unwrap_or(&mut []);
        let read = tools.store.read(file, self.verified, piece)?;
        let piece = piece.get(..read).filter(|piece| !piece.is_empty()).ok_or(StoreError::Card)?;
        measured(tools.clock, &tools.meter.codec, || tools.verifier.push(piece))?;
        measured(tools.clock, &tools.meter.digest, || tools.verifier.digester.push(piece));
        self.verified = self.verified.saturating_add(read as u32);
        Ok(())
    }

    fn complete<D, K>(&mut self, tools: &mut Tools<'_, D, K>) -> Result<(), JobError>
    where
        D: BlockDevice<Error = CardError> + Start + Copy,
    {
        tools.verifier.finish()?;
        if tools.verifier.digester.digest() != self.record.digest {
            return Err(JobError::Digest);
        }
        let record = Record { state: State::Stored, safe: self.record.length, ..self.record };
        tools.store.record(self.place, Some(&record))?;
        self.record = record;
        self.close(tools.store);
        Ok(())
    }

    /// Ends the job for now: it can be continued at the byte that it has received last.
    ///
    /// # Errors
    /// The card does not work.
    pub fn park<D, K>(mut self, tools: &mut Tools<'_, D, K>) -> Result<(), JobError>
    where
        D: BlockDevice<Error = CardError> + Start + Copy,
        K: Clock,
    {
        let result = if tools.stage.filled > 0 { self.write(tools) } else { Ok(()) };
        match result {
            Ok(()) if self.file.is_none() => Ok(()),
            Ok(()) => {
                let secured = self.secure(tools);
                self.close(tools.store);
                secured
            }
            // The card may have refused the file itself, whose record must not stay.
            Err(error) if self.file.is_none() && error != StoreError::Card.into() => Ok(self.abandon(tools)?),
            Err(error) => {
                self.close(tools.store);
                Err(error)
            }
        }
    }

    /// Removes the file and its record.
    ///
    /// # Errors
    /// The card does not work.
    pub fn abandon<D, K>(mut self, tools: &mut Tools<'_, D, K>) -> Result<(), StoreError>
    where
        D: BlockDevice<Error = CardError> + Start + Copy,
    {
        tools.stage.filled = 0;
        self.close(tools.store);
        if self.is_recorded { tools.store.drop(self.place, &self.record) } else { Ok(()) }
    }

    fn close<D: BlockDevice<Error = CardError> + Start + Copy>(&mut self, store: &Store<D>) {
        if let Some(file) = self.file.take() {
            // All data have been flushed. If closing fails, the card does not work, which the next
            // command finds.
            let _ = store.close(file);
        }
    }
}
