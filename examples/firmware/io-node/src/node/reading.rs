//! Stored files that are sent or verified again.

use embedded_sdmmc::BlockDevice;

use super::{Connection, Node, Progress, Reading, Task};
use crate::answer;
use crate::card::{CardError, Start};
use crate::catalogue::{Record, State};
use crate::job::JobError;
use crate::meter::Clock;
use crate::name::Name;
use crate::stage::STAGE;
use crate::store::StoreError;
use crate::verify::Fault;

impl<D: BlockDevice<Error = CardError> + Start + Copy, K: Clock> Node<'_, D, K> {
    /// Opens a stored file; `None` if there is none, which the line then says.
    pub(super) fn start_reading(&mut self, name: &Name) -> Result<Option<Reading>, JobError> {
        self.park()?;
        let Some((_, record)) = self.store()?.find(name)? else {
            self.refuse("unknown", "there is no file of this name");
            return Ok(None);
        };
        if record.state == State::Unfinished {
            self.refuse("unfinished", "the file is not stored completely");
            return Ok(None);
        }
        let file = self.store()?.open_to_read(name)?;
        self.stage.filled = 0;
        self.verifier.restart();
        Ok(Some(Reading { record, file, at: 0, end: record.length }))
    }

    /// Reads the next piece of a file into the stage.
    pub(super) fn fetch(&mut self, reading: &mut Reading) -> Result<(), JobError> {
        self.stage.filled = 0;
        let left = reading.end.saturating_sub(reading.at) as usize;
        let store = self.store.as_mut().ok_or(StoreError::Card)?;
        let piece = self.stage.bytes.get_mut(..left.min(STAGE)).unwrap_or(&mut []);
        let read = store.read(reading.file, reading.at, piece)?;
        if read == 0 {
            return Err(StoreError::Card.into());
        }
        self.stage.filled = read;
        reading.at = reading.at.saturating_add(read as u32);
        Ok(())
    }

    pub(super) fn send(&mut self, connection: &mut impl Connection, mut reading: Reading) -> Progress {
        if self.stage.filled == 0 {
            if reading.at == reading.end {
                return self.answered();
            }
            if self.fetch(&mut reading).is_err() {
                self.lose_card();
                return Progress::Broken;
            }
            self.task = Task::Send(reading);
        }
        if !connection.write_ready().unwrap_or(true) {
            return self.blocked();
        }
        match connection.write(self.stage.contents()) {
            Ok(sent) if sent > 0 => {
                self.stage.remove(sent);
                self.moved(sent);
                Progress::Working
            }
            _ => Progress::Done,
        }
    }

    /// A stored file could not be read, or is damaged: it counts as unfinished, so that `put` does not call it stored
    /// before it has been verified again.
    fn distrust(&mut self, reading: &Reading, error: JobError) -> Progress {
        if let Some(store) = &mut self.store
            && let Ok(Some((place, record))) = store.find(&reading.record.name)
        {
            // A card that cannot be written keeps its record.
            let _ = store.record(place, Some(&Record { state: State::Unfinished, ..record }));
        }
        self.fail(error)
    }

    pub(super) fn check(&mut self, mut reading: Reading) -> Progress {
        if reading.at < reading.end {
            if let Err(error) = self.fetch(&mut reading) {
                return self.distrust(&reading, error);
            }
            let pushed = self.verifier.push(self.stage.contents());
            self.verifier.digester.push(self.stage.contents());
            self.task = Task::Check(reading);
            return match pushed {
                Ok(()) => Progress::Working,
                Err(fault) => self.distrust(&reading, fault.into()),
            };
        }
        if let Err(fault) = self.verifier.finish() {
            return self.distrust(&reading, fault.into());
        }
        if self.verifier.digester.digest() != reading.record.digest {
            return self.distrust(&reading, JobError::Digest);
        }
        answer::checked(&mut self.line, &reading.record, &self.verifier);
        self.answered()
    }

    pub(super) fn locate(&mut self, mut reading: Reading, rank: u32, ranks: u32) -> Progress {
        if let Some(lattice) = self.verifier.facts().lattice {
            let part =
                lattice.part(rank, ranks).filter(|part| part.offset + part.length <= reading.end.into());
            let Some(part) = part else {
                return self.refuse("no-field", "the field has fewer sites than there are ranks");
            };
            self.stage.filled = 0;
            answer::slice(&mut self.line, &part);
            reading.at = part.offset as u32;
            reading.end = (part.offset + part.length) as u32;
            self.task = Task::Send(reading);
            return Progress::Working;
        }
        if reading.at == reading.end {
            return self.refuse("no-field", "the file has no field on a lattice");
        }
        if let Err(error) = self.fetch(&mut reading) {
            return self.distrust(&reading, error);
        }
        self.task = Task::Locate { reading, rank, ranks };
        match self.verifier.push(self.stage.contents()) {
            Ok(()) => Progress::Working,
            Err(Fault::Unrecognised) => self.refuse("no-field", "the file has no field on a lattice"),
            Err(fault) => self.distrust(&reading, fault.into()),
        }
    }
}
