//! The node: takes a command from a connection and answers it, in small steps, so that the network is served between
//! them.

mod commands;
mod reading;
mod receiving;

use embedded_io::{Read, ReadReady, Write, WriteReady};
use embedded_sdmmc::{BlockDevice, RawFile};

use crate::answer::{self, Line};
use crate::card::{CardError, Start};
use crate::catalogue::{Place, Record};
use crate::command::LONGEST;
use crate::digest;
use crate::job::{Job, JobError, Next, Tools};
use crate::meter::{Clock, Meter};
use crate::stage::Stage;
use crate::store::{Store, StoreError};
use crate::text::Text;
use crate::verify::Verifier;

/// A connection that does not block. A read of 0 bytes means that no more will come.
pub trait Connection: Read + ReadReady + Write + WriteReady {}

impl<T: Read + ReadReady + Write + WriteReady> Connection for T {}

/// Milliseconds within which a whole command must come.
const COMMAND_WITHIN: u64 = 5_000;
/// A client may send and take nothing for so many milliseconds. Each byte gives one of them back, so that 1,000 bytes a
/// second are the least for long; fewer would keep the others out.
const PATIENCE: u64 = 20_000;
/// A connection ends after so many milliseconds in any case. A file of 4 GiB needs some hours of the card.
const LONGEST_CONNECTION: u64 = 8 * 3_600_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// There is more to do at once.
    Working,
    /// Nothing can be done before the network delivers or takes bytes.
    Waiting,
    /// The command is answered, or the connection lost: close it.
    Done,
    /// The bytes of a file cannot be sent to their end: reset the connection, since an ordinary end would look complete.
    Broken,
}

/// Reading of a stored file.
#[derive(Debug, Clone, Copy)]
struct Reading {
    record: Record,
    file: RawFile,
    at: u32,
    end: u32,
}

#[derive(Debug, Clone, Copy)]
enum Task {
    /// Waits for a command.
    Command,
    /// Verifies what is there of the file of the job.
    Resume,
    /// Receives the rest.
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
    /// Times of the beginning of the connection, and of the last byte received or sent.
    begun: u64,
    active: u64,
    /// Milliseconds that the client may wait from then on.
    patience: u64,
}

impl<'a, D: BlockDevice<Error = CardError> + Start + Copy, K: Clock> Node<'a, D, K> {
    pub fn new(device: D, clock: &'a K, meter: &'a Meter) -> Self {
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
            begun: 0,
            active: 0,
            patience: PATIENCE,
        }
    }

    /// A number for the seed of TCP's sequence numbers, which differs at each start: from the starts that the card has
    /// counted, the time, and a secret. Without a card that can be written, the time alone must differ.
    pub fn seed(&mut self, secret: &[u8]) -> u64 {
        let opened = self.open();
        let starts = opened.and_then(|()| Ok(self.store()?.count_start()?)).unwrap_or(0);
        digest::number([secret, &starts.to_le_bytes(), &self.clock.ticks().to_le_bytes()])
    }

    /// A connection has been accepted.
    pub fn begin(&mut self) {
        self.task = Task::Command;
        self.command.clear();
        self.line.clear();
        self.line.word(answer::GREETING);
        self.sent = 0;
        self.begun = self.clock.milliseconds();
        self.active = self.begun;
        self.patience = PATIENCE;
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
            Task::Resume => self.resume(),
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
                return self.blocked();
            }
            match connection.write(rest) {
                Ok(sent) if sent > 0 => {
                    self.sent = self.sent.saturating_add(sent);
                    self.moved(sent);
                }
                _ => return Progress::Done,
            }
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
        answer::error(&mut self.line, error, &self.verifier);
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

    /// So many bytes have been received or sent.
    fn moved(&mut self, bytes: usize) {
        let now = self.clock.milliseconds();
        let left = self.patience.saturating_sub(now.saturating_sub(self.active));
        self.patience = left.saturating_add(bytes as u64).min(PATIENCE);
        self.active = now;
    }

    fn is_late(&self) -> bool {
        let since = |time| self.clock.milliseconds().saturating_sub(time);
        since(self.active) > self.patience || since(self.begun) > LONGEST_CONNECTION
    }

    /// The connection takes no bytes for now. A client that acknowledges and does not read would keep the node busy.
    fn blocked(&self) -> Progress {
        if self.is_late() { Progress::Done } else { Progress::Waiting }
    }

    /// Opens the card, unless it is open. The contents of memory may be from a card that has been removed since.
    fn open(&mut self) -> Result<(), JobError> {
        if self.store.as_ref().is_some_and(|store| !store.is_present()) {
            self.lose_card();
        }
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
}
