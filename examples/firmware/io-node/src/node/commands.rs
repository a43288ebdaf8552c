//! Commands: their first step, and commands that are answered from the list of files alone.

use embedded_sdmmc::BlockDevice;

use super::{COMMAND_WITHIN, Connection, Node, Progress, Task};
use crate::answer;
use crate::card::{CardError, Start};
use crate::catalogue::Place;
use crate::command::{Command, LONGEST};
use crate::job::JobError;
use crate::meter::Clock;
use crate::name::Name;

impl<D: BlockDevice<Error = CardError> + Start + Copy, K: Clock> Node<'_, D, K> {
    pub(super) fn listen(&mut self, connection: &mut impl Connection) -> Progress {
        loop {
            if !connection.read_ready().unwrap_or(true) {
                return if self.clock.milliseconds().saturating_sub(self.begun) > COMMAND_WITHIN {
                    self.refuse("timeout", "no command was sent")
                } else {
                    Progress::Waiting
                };
            }
            let mut byte = [0];
            match connection.read(&mut byte) {
                Ok(1) => {}
                _ => return Progress::Done,
            }
            let [byte] = byte;
            if byte == b'\n' {
                let command = Command::parse(self.command.as_bytes());
                return match command {
                    Some(command) => self.start(command),
                    None => self.refuse("command", "the line is not a command"),
                };
            }
            if self.command.as_bytes().len() == LONGEST {
                return self.refuse("command", "the line is too long");
            }
            self.command.byte(byte);
        }
    }

    #[inline(never)]
    pub(super) fn start(&mut self, command: Command) -> Progress {
        if command == Command::Figures {
            answer::figures(&mut self.line, self.meter, self.clock);
            return self.answered();
        }
        let started = self.open().and_then(|()| match command {
            Command::Put { name, length, digest } => self.start_put(name, length, digest),
            Command::List => {
                self.task = Task::List { from: Place::FIRST, count: 0 };
                Ok(Progress::Working)
            }
            Command::Get(name) => {
                let Some(reading) = self.start_reading(&name)? else { return Ok(Progress::Working) };
                answer::data(&mut self.line, &reading.record);
                self.task = Task::Send(reading);
                Ok(Progress::Working)
            }
            Command::Check(name) => {
                let Some(reading) = self.start_reading(&name)? else { return Ok(Progress::Working) };
                self.task = Task::Check(reading);
                Ok(Progress::Working)
            }
            Command::Slice { name, rank, ranks } => {
                let Some(reading) = self.start_reading(&name)? else { return Ok(Progress::Working) };
                self.task = Task::Locate { reading, rank, ranks };
                Ok(Progress::Working)
            }
            Command::Drop(name) => self.drop(&name),
            Command::Figures => Ok(Progress::Working),
        });
        started.unwrap_or_else(|error| self.fail(error))
    }

    pub(super) fn drop(&mut self, name: &Name) -> Result<Progress, JobError> {
        self.park()?;
        let Some((place, record)) = self.store()?.find(name)? else {
            return Ok(self.refuse("unknown", "there is no file of this name"));
        };
        self.store()?.drop(place, &record)?;
        self.line.word("ok dropped ").bytes(record.name.text().as_bytes()).byte(b'\n');
        Ok(self.answered())
    }

    pub(super) fn list(&mut self, from: Place, count: u32) -> Progress {
        let next = match self.store().and_then(|store| Ok(store.next(from)?)) {
            Ok(next) => next,
            Err(error) => return self.fail(error),
        };
        let Some((_, mut record, next)) = next else {
            self.line.word("ok list").number(count.into()).byte(b'\n');
            return self.answered();
        };
        if let Some(job) = self.job.as_ref().filter(|job| job.record.name == record.name) {
            record = job.record;
            record.safe = job.received(&self.stage);
        }
        answer::file(&mut self.line, &record);
        self.task = Task::List { from: next, count: count.wrapping_add(1) };
        Progress::Working
    }
}
