//! Files that are received.

use embedded_sdmmc::BlockDevice;

use super::{Connection, DATA_WITHIN, Node, Progress, Task};
use crate::answer;
use crate::card::{CardError, Start};
use crate::catalogue::{Record, State};
use crate::job::{Job, JobError, Next};
use crate::meter::{Clock, measured};
use crate::name::Name;
use crate::store::StoreError;

impl<D: BlockDevice<Error = CardError> + Start + Copy, K: Clock> Node<'_, D, K> {
    pub(super) fn start_put(&mut self, name: Name, length: u64, digest: u32) -> Result<Progress, JobError> {
        let Ok(length) = u32::try_from(length) else {
            return Ok(self.refuse("too-large", "FAT holds files of at most 4294967295 bytes"));
        };
        let same = |record: &Record| record.length == length && record.digest == digest;
        if !self.job.as_ref().is_some_and(|job| job.record.name == name && same(&job.record)) {
            self.park()?;
            let on_card = self.store()?.length(&name)?;
            let (place, record) = match self.store()?.find(&name)? {
                Some((place, record)) if record.state == State::Stored => {
                    if same(&record) && on_card == length {
                        answer::resume(&mut self.line, length);
                        answer::stored(&mut self.line, &record, None);
                        return Ok(self.answered());
                    }
                    // Somebody may have removed the file from the card.
                    if on_card > 1 || !same(&record) {
                        return Ok(self.refuse("exists", "a stored file of this name has other contents"));
                    }
                    (place, Record { state: State::Unfinished, safe: 0, ..record })
                }
                Some((place, record)) if same(&record) => (place, record),
                Some((place, _)) => {
                    (place, Record { name, state: State::Unfinished, length, digest, safe: 0 })
                }
                None => {
                    if on_card > 1 {
                        return Ok(self.refuse("exists", "a file that the node does not know has this name"));
                    }
                    let place = self.store()?.free_place()?;
                    (place, Record { name, state: State::Unfinished, length, digest, safe: 0 })
                }
            };
            self.store()?.has_room(&name, length)?;
            let job = Job::begin(place, record, &mut self.tools()?)?;
            self.job = Some(job);
        }
        let offset = self.job.as_ref().map_or(0, |job| job.received(&self.stage));
        answer::resume(&mut self.line, offset);
        self.task = Task::Put;
        Ok(Progress::Working)
    }

    pub(super) fn receive(&mut self, connection: &mut impl Connection) -> Progress {
        let Some(job) = &self.job else { return Progress::Done };
        if job.next(&self.stage) == Next::Work {
            return self.work().unwrap_or(Progress::Working);
        }
        if !connection.read_ready().unwrap_or(true) {
            return if self.is_late(DATA_WITHIN) {
                self.refuse("timeout", "no data came")
            } else {
                Progress::Waiting
            };
        }
        let room = job.room(&mut self.stage);
        match measured(self.clock, &self.meter.network, || connection.read(room)) {
            Ok(read) if read > 0 => {
                self.stage.filled = self.stage.filled.saturating_add(read);
                self.active = self.clock.milliseconds();
                Progress::Working
            }
            _ => Progress::Done,
        }
    }

    /// Works on the job. Returns the progress; `None` if the job has ended or failed while there is no connection.
    pub(super) fn work(&mut self) -> Option<Progress> {
        self.active = self.clock.milliseconds();
        let mut job = self.job.take()?;
        let worked = match self.tools() {
            Ok(mut tools) => job.work(&mut tools),
            Err(error) => Err(error),
        };
        let error = match worked {
            Ok(Next::Stored) => {
                answer::stored(&mut self.line, &job.record, Some(&self.verifier));
                self.task = Task::End;
                return Some(Progress::Working);
            }
            Ok(_) => {
                self.job = Some(job);
                return Some(Progress::Working);
            }
            Err(error) => error,
        };
        if error != JobError::Store(StoreError::Card) {
            let abandoned = match self.tools() {
                Ok(mut tools) => job.abandon(&mut tools),
                Err(_) => Err(StoreError::Card),
            };
            if abandoned.is_err() {
                self.lose_card();
            }
        }
        Some(self.fail(error))
    }
}
