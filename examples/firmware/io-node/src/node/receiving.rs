//! Files that are received.

use embedded_sdmmc::BlockDevice;

use super::{Connection, Node, Progress, Task};
use crate::answer;
use crate::card::{CardError, Start};
use crate::catalogue::{Record, State};
use crate::digest::Digest;
use crate::job::{Job, JobError, Next};
use crate::meter::{Clock, measured};
use crate::name::Name;
use crate::store::StoreError;

impl<D: BlockDevice<Error = CardError> + Start + Copy, K: Clock> Node<'_, D, K> {
    pub(super) fn start_put(
        &mut self,
        name: Name,
        length: u64,
        digest: Digest,
    ) -> Result<Progress, JobError> {
        let Ok(length) = u32::try_from(length) else {
            return Ok(self.refuse("too-large", "FAT holds files of at most 4294967295 bytes"));
        };
        let same = |record: &Record| record.length == length && record.digest == digest;
        let known = self.job.take_if(|job| job.record.name == name && same(&job.record));
        let begun = if let Some(mut job) = known {
            match job.settle(&mut self.tools()?) {
                Ok(()) => job,
                // Too few bytes to recognise the file by, which are received once more.
                Err(JobError::File(_)) => self.begin_anew(job)?,
                Err(error) => {
                    if error != JobError::Store(StoreError::Card) {
                        self.abandon(job)?;
                    }
                    return Err(error);
                }
            }
        } else {
            self.park()?;
            let on_card = self.store()?.length(&name)?;
            let (place, record) = match self.store()?.find(&name)? {
                Some((place, record)) if record.state == State::Stored => {
                    if same(&record) && on_card == Some(length) {
                        answer::resume(&mut self.line, length, &record.digest);
                        answer::stored(&mut self.line, &record, None);
                        return Ok(self.answered());
                    }
                    // Somebody may have removed the file from the card.
                    if on_card.is_some() || !same(&record) {
                        return Ok(self.refuse("exists", "a stored file of this name has other contents"));
                    }
                    (place, Record { state: State::Unfinished, safe: 0, ..record })
                }
                Some((place, record)) if same(&record) => (place, record),
                Some((place, _)) => {
                    (place, Record { name, state: State::Unfinished, length, digest, safe: 0 })
                }
                None => {
                    if on_card.is_some() {
                        return Ok(self.refuse("exists", "a file that the node does not know has this name"));
                    }
                    let place = self.store()?.free_place()?;
                    (place, Record { name, state: State::Unfinished, length, digest, safe: 0 })
                }
            };
            self.store()?.has_room(&name, length)?;
            Job::begin(place, record, &mut self.tools()?)?
        };
        self.job = Some(begun);
        self.task = Task::Resume;
        Ok(Progress::Working)
    }

    /// Verifies the bytes that are there, before the client gets the offset: somebody else who has named the same digest may
    /// have sent them.
    pub(super) fn resume(&mut self) -> Progress {
        let Some(job) = &self.job else { return Progress::Done };
        if job.next(&self.stage) == Next::Work {
            return self.work().unwrap_or(Progress::Working);
        }
        answer::resume(&mut self.line, job.received(&self.stage), &self.verifier.digester.digest());
        self.task = Task::Put;
        Progress::Working
    }

    pub(super) fn receive(&mut self, connection: &mut impl Connection) -> Progress {
        let Some(job) = &self.job else { return Progress::Done };
        if job.next(&self.stage) == Next::Work {
            return self.work().unwrap_or(Progress::Working);
        }
        if self.is_late() {
            return self
                .refuse("timeout", "too few data came, or the upload took too long: continue it later");
        }
        if !connection.read_ready().unwrap_or(true) {
            return Progress::Waiting;
        }
        let room = job.room(&mut self.stage);
        match measured(self.clock, &self.meter.network, || connection.read(room)) {
            Ok(read) if read > 0 => {
                self.stage.filled = self.stage.filled.saturating_add(read);
                self.moved(read);
                Progress::Working
            }
            _ => Progress::Done,
        }
    }

    /// Works on the job. Returns the progress; `None` if the job has ended or failed while there is no connection.
    pub(super) fn work(&mut self) -> Option<Progress> {
        let mut job = self.job.take()?;
        let worked = match self.tools() {
            Ok(mut tools) => job.work(&mut tools),
            Err(error) => Err(error),
        };
        // The time of the card is not the client's.
        self.active = self.clock.milliseconds();
        let error = match worked {
            Ok(Next::Stored) => {
                if matches!(self.task, Task::Resume) {
                    answer::resume(&mut self.line, job.record.length, &job.record.digest);
                }
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
        if error == JobError::Store(StoreError::Card) {
            return Some(self.fail(error));
        }
        // The client has not sent a byte yet. Its file begins anew, since the bytes on the card do not belong to it.
        let is_new = matches!(self.task, Task::Resume) && job.record.safe > 0;
        let begun = if is_new { self.begin_anew(job).map(Some) } else { self.abandon(job).map(|()| None) };
        match begun {
            Ok(Some(job)) => {
                self.job = Some(job);
                Some(Progress::Working)
            }
            Ok(None) => Some(self.fail(error)),
            Err(_) => {
                self.lose_card();
                Some(self.fail(error))
            }
        }
    }

    fn abandon(&mut self, job: Job) -> Result<(), JobError> {
        Ok(job.abandon(&mut self.tools()?)?)
    }

    /// Removes what there is of a file. Returns a job without any bytes, in the same place of the list.
    fn begin_anew(&mut self, job: Job) -> Result<Job, JobError> {
        let (place, record) = (job.place, Record { safe: 0, ..job.record });
        self.abandon(job)?;
        Ok(Job::begin(place, record, &mut self.tools()?)?)
    }
}
