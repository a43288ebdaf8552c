//! The node: takes a command from a connection and answers it, in small steps, so that the network is served between
//! them.

use embedded_io::{Read, ReadReady, Write, WriteReady};
use embedded_sdmmc::{BlockDevice, RawFile};

use crate::answer::{self, Line};
use crate::card::{CardError, Start};
use crate::catalogue::{Record, State};
use crate::command::{Command, LONGEST};
use crate::job::{Job, JobError, Next, Stage, Tools};
use crate::meter::{Clock, Meter, measured};
use crate::name::Name;
use crate::store::{Place, Store, StoreError};
use crate::text::Text;
use crate::verify::{Fault, Verifier, digest};

/// A connection that does not block. A read of 0 bytes means that no more will come.
pub trait Connection: Read + ReadReady + Write + WriteReady {}

impl<T: Read + ReadReady + Write + WriteReady> Connection for T {}

/// Milliseconds within which a command must come, and data.
const COMMAND_WITHIN: u64 = 5_000;
const DATA_WITHIN: u64 = 20_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// There is more to do at once.
    Working,
    /// Nothing can be done before the network delivers or takes bytes.
    Waiting,
    /// The command is answered, or the connection lost: close it.
    Done,
}

/// Reading of a stored file.
#[derive(Debug, Clone, Copy)]
struct Reading {
    record: Record,
    file: RawFile,
    at: u32,
    end: u32,
    digest: u32,
}

#[derive(Debug, Clone, Copy)]
enum Task {
    /// Waits for a command.
    Command,
    /// Receives the file of the job.
    Put,
    /// Lists the files from this place on.
    List { from: Place, count: u32 },
    /// Sends bytes.
    Send(Reading),
    /// Verifies a file.
    Check(Reading),
    /// Looks for the wanted field.
    Locate { reading: Reading, rank: u32, ranks: u32 },
    /// The answer is complete.
    End,
}

/// The node without its network.
#[derive(Debug)]
pub struct Node<'a, D: BlockDevice, K> {
    device: D,
    clock: &'a K,
    meter: &'a Meter,
    store: Option<Store<D>>,
    job: Option<Job>,
    stage: Stage,
    verifier: Verifier,
    task: Task,
    command: Text<LONGEST>,
    line: Line,
    /// Bytes of the line that are sent already.
    sent: usize,
    /// Time of the last byte received or sent.
    active: u64,
}

impl<'a, D: BlockDevice<Error = CardError> + Start + Copy, K: Clock> Node<'a, D, K> {
    pub const fn new(device: D, clock: &'a K, meter: &'a Meter) -> Self {
        Self {
            device,
            clock,
            meter,
            store: None,
            job: None,
            stage: Stage::new(),
            verifier: Verifier::new(),
            task: Task::End,
            command: Text::new(),
            line: Line::new(),
            sent: 0,
            active: 0,
        }
    }

    /// A connection has been accepted.
    pub fn begin(&mut self) {
        self.task = Task::Command;
        self.command.clear();
        self.line.clear();
        self.sent = 0;
        self.active = self.clock.milliseconds();
    }

    /// The connection has ended: what it was doing stops. A file that is being received can be continued.
    pub fn end(&mut self) {
        if let Task::Send(reading) | Task::Check(reading) | Task::Locate { reading, .. } = self.task {
            self.close(reading.file);
        }
        self.task = Task::End;
    }

    /// Verifies what has been received, while there is no connection. Returns true if there is more to do.
    pub fn alone(&mut self) -> bool {
        match &self.job {
            Some(job) if job.next(&self.stage) == Next::Work => {
                self.line.clear();
                self.work().is_some()
            }
            _ => false,
        }
    }

    /// Does the next piece of work for the connection.
    pub fn step(&mut self, connection: &mut impl Connection) -> Progress {
        match self.flush(connection) {
            Progress::Working => {}
            other => return other,
        }
        match self.task {
            Task::Command => self.listen(connection),
            Task::Put => self.receive(connection),
            Task::List { from, count } => self.list(from, count),
            Task::Send(reading) => self.send(connection, reading),
            Task::Check(reading) => self.check(reading),
            Task::Locate { reading, rank, ranks } => self.locate(reading, rank, ranks),
            Task::End => Progress::Done,
        }
    }

    /// Sends what is left of the line.
    fn flush(&mut self, connection: &mut impl Connection) -> Progress {
        while let Some(rest) = self.line.as_bytes().get(self.sent..).filter(|rest| !rest.is_empty()) {
            if !connection.write_ready().unwrap_or(true) {
                return Progress::Waiting;
            }
            match connection.write(rest) {
                Ok(sent) if sent > 0 => self.sent = self.sent.saturating_add(sent),
                _ => return Progress::Done,
            }
            self.active = self.clock.milliseconds();
        }
        self.line.clear();
        self.sent = 0;
        Progress::Working
    }

    /// Ends the command; the line is sent first.
    fn answered(&mut self) -> Progress {
        self.end();
        Progress::Working
    }

    fn fail(&mut self, error: JobError) -> Progress {
        if error == JobError::Store(StoreError::Card) {
            self.lose_card();
        }
        answer::error(&mut self.line, error);
        self.answered()
    }

    fn refuse(&mut self, code: &str, words: &str) -> Progress {
        answer::refusal(&mut self.line, code, words);
        self.answered()
    }

    /// The card has to be started again. A file that was being received continues from its last record.
    fn lose_card(&mut self) {
        self.job = None;
        self.store = None;
        self.stage.filled = 0;
        self.task = Task::End;
    }

    fn close(&mut self, file: RawFile) {
        let closed = self.store.as_ref().map(|store| store.close(file));
        if closed == Some(Err(StoreError::Card)) {
            self.lose_card();
        }
    }

    fn is_late(&self, within: u64) -> bool {
        self.clock.milliseconds().saturating_sub(self.active) > within
    }

    fn listen(&mut self, connection: &mut impl Connection) -> Progress {
        loop {
            if !connection.read_ready().unwrap_or(true) {
                return if self.is_late(COMMAND_WITHIN) {
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
    fn start(&mut self, command: Command) -> Progress {
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

    /// Opens the card, unless it is open.
    fn open(&mut self) -> Result<(), JobError> {
        if self.store.is_none() {
            Store::open(self.device, &mut self.store)?;
        }
        Ok(())
    }

    fn store(&mut self) -> Result<&mut Store<D>, JobError> {
        self.store.as_mut().ok_or(JobError::Store(StoreError::Card))
    }

    fn tools(&mut self) -> Result<Tools<'_, D, K>, JobError> {
        Ok(Tools {
            store: self.store.as_mut().ok_or(StoreError::Card)?,
            stage: &mut self.stage,
            verifier: &mut self.verifier,
            clock: self.clock,
            meter: self.meter,
        })
    }

    /// Frees the stage and the verifier for another file.
    fn park(&mut self) -> Result<(), JobError> {
        match self.job.take() {
            Some(job) => {
                let parked = job.park(&mut self.tools()?);
                self.stage.filled = 0;
                // The node cannot do more for this file now than to keep its last record.
                if parked == Err(JobError::Store(StoreError::Card)) { parked } else { Ok(()) }
            }
            None => Ok(()),
        }
    }

    fn start_put(&mut self, name: Name, length: u64, digest: u32) -> Result<Progress, JobError> {
        let Ok(length) = u32::try_from(length) else {
            return Ok(self.refuse("too-large", "FAT holds files of at most 4294967295 bytes"));
        };
        let same = |record: &Record| record.length == length && record.digest == digest;
        if !self.job.as_ref().is_some_and(|job| job.record.name == name && same(&job.record)) {
            self.park()?;
            let found = self.store()?.find(&name)?;
            let (place, record) = match found {
                Some((_, record)) if record.state == State::Stored => {
                    if !same(&record) {
                        return Ok(self.refuse("exists", "a stored file of this name has other contents"));
                    }
                    answer::resume(&mut self.line, length);
                    answer::stored(&mut self.line, &record, None);
                    return Ok(self.answered());
                }
                Some((place, record)) if same(&record) => (place, record),
                Some((place, _)) => {
                    (place, Record { name, state: State::Unfinished, length, digest, safe: 0 })
                }
                None => {
                    if self.store()?.length(&name).is_ok_and(|length| length > 1) {
                        return Ok(self.refuse("exists", "a file that the node does not know has this name"));
                    }
                    let place = self.store()?.free_place()?;
                    (place, Record { name, state: State::Unfinished, length, digest, safe: 0 })
                }
            };
            let job = Job::begin(place, record, &mut self.tools()?)?;
            self.job = Some(job);
        }
        let offset = self.job.as_ref().map_or(0, |job| job.received(&self.stage));
        answer::resume(&mut self.line, offset);
        self.task = Task::Put;
        Ok(Progress::Working)
    }

    fn receive(&mut self, connection: &mut impl Connection) -> Progress {
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
    fn work(&mut self) -> Option<Progress> {
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

    /// Opens a stored file; `None` if there is none, which the line then says.
    fn start_reading(&mut self, name: &Name) -> Result<Option<Reading>, JobError> {
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
        Ok(Some(Reading { record, file, at: 0, end: record.length, digest: 0 }))
    }

    fn drop(&mut self, name: &Name) -> Result<Progress, JobError> {
        self.park()?;
        let Some((place, record)) = self.store()?.find(name)? else {
            return Ok(self.refuse("unknown", "there is no file of this name"));
        };
        self.store()?.drop(place, &record.name)?;
        self.line.word("ok dropped ").bytes(record.name.text().as_bytes()).byte(b'\n');
        Ok(self.answered())
    }

    fn list(&mut self, from: Place, count: u32) -> Progress {
        let next = match self.store().and_then(|store| Ok(store.next(from)?)) {
            Ok(next) => next,
            Err(error) => return self.fail(error),
        };
        let Some((_, mut record, next)) = next else {
            self.line.word("ok list").number(count.into()).byte(b'\n');
            return self.answered();
        };
        if let Some(job) = self.job.as_ref().filter(|job| job.record.name == record.name) {
            record.safe = job.received(&self.stage);
        }
        answer::file(&mut self.line, &record);
        self.task = Task::List { from: next, count: count.wrapping_add(1) };
        Progress::Working
    }

    /// Reads the next piece of a file into the stage.
    fn fetch(&mut self, reading: &mut Reading) -> Result<(), JobError> {
        self.stage.filled = 0;
        let left = reading.end.saturating_sub(reading.at) as usize;
        let store = self.store.as_mut().ok_or(StoreError::Card)?;
        let piece = self.stage.bytes.get_mut(..left.min(crate::job::STAGE)).unwrap_or(&mut []);
        let read = store.read(reading.file, reading.at, piece)?;
        if read == 0 {
            return Err(StoreError::Card.into());
        }
        self.stage.filled = read;
        reading.at = reading.at.saturating_add(read as u32);
        Ok(())
    }

    fn send(&mut self, connection: &mut impl Connection, mut reading: Reading) -> Progress {
        if self.stage.filled == 0 {
            if reading.at == reading.end {
                return self.answered();
            }
            if self.fetch(&mut reading).is_err() {
                // The client notices that bytes are missing.
                self.lose_card();
                return Progress::Done;
            }
            self.task = Task::Send(reading);
        }
        if !connection.write_ready().unwrap_or(true) {
            return Progress::Waiting;
        }
        match connection.write(self.stage.contents()) {
            Ok(sent) if sent > 0 => {
                self.stage.remove(sent);
                Progress::Working
            }
            _ => Progress::Done,
        }
    }

    fn check(&mut self, mut reading: Reading) -> Progress {
        if reading.at < reading.end {
            if let Err(error) = self.fetch(&mut reading) {
                return self.fail(error);
            }
            let pushed = self.verifier.push(self.stage.contents());
            reading.digest = digest(reading.digest, self.stage.contents());
            self.task = Task::Check(reading);
            return match pushed {
                Ok(()) => Progress::Working,
                Err(fault) => self.fail(fault.into()),
            };
        }
        if let Err(fault) = self.verifier.finish() {
            return self.fail(fault.into());
        }
        if reading.digest != reading.record.digest {
            return self.fail(JobError::Digest(reading.digest));
        }
        answer::checked(&mut self.line, &reading.record, &self.verifier);
        self.answered()
    }

    fn locate(&mut self, mut reading: Reading, rank: u32, ranks: u32) -> Progress {
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
            return self.fail(error);
        }
        self.task = Task::Locate { reading, rank, ranks };
        match self.verifier.push(self.stage.contents()) {
            Ok(()) => Progress::Working,
            Err(Fault::Unrecognised) => self.refuse("no-field", "the file has no field on a lattice"),
            Err(fault) => self.fail(fault.into()),
        }
    }
}
