//! The data of a field, divided among all ranks.

use std::cell::{Cell, RefCell};
use std::io;

use linkstream::conformance::Decoder;
use linkstream_parallel::comm::{Comm, CommError, Op};
use linkstream_parallel::error::{agree, agree_with};
use linkstream_parallel::file::{PieceMut, SharedFile};
use linkstream_parallel::{Error, ErrorKind, Fault};
use linkstream_report::lime::{Elsewhere, Examination, Outcome, Part, PartSums};
use linkstream_report::survey::SurveyError;

use crate::message::{self, LEN, Message};
use crate::settings::Settings;
use crate::source::read_at;

/// The first rank: it meets the fields, and reads its part of each large one.
pub struct Lead<'r, C, F> {
    pub comm: &'r C,
    pub file: &'r RefCell<F>,
    pub size: u64,
    pub settings: &'r Settings<'r>,
    /// The common error of all ranks.
    pub failed: Cell<Option<Error>>,
}

impl<C: Comm, F: SharedFile<C>> Elsewhere for Lead<'_, C, F> {
    type Error = io::Error;

    fn read(
        &self,
        decoder: &Decoder,
        examination: Option<&mut Examination>,
    ) -> Result<Outcome, SurveyError<io::Error>> {
        let Some(examination) = examination else { return Ok(Outcome::InOrder) };
        let field = *examination.field();
        let start = field.record.payload_offset();
        let length = field.data_length().filter(|length| *length >= self.settings.least);
        let is_there =
            length.and_then(|length| start.checked_add(length)).is_some_and(|end| end <= self.size);
        let part = examination.part(self.comm.rank() as u64, self.comm.size() as u64);
        let message = message::of_field(decoder, examination.word_sum_rows());
        let (true, Some(part), Some(mut message)) = (is_there, part, message) else {
            return Ok(Outcome::InOrder);
        };
        let sums = self
            .comm
            .broadcast(0, &mut message)
            .map_err(|error| lost(self.comm, error))
            .and_then(|()| read_part(self.comm, self.file, start, Ok(part), self.settings.window));
        let sums = match sums {
            Ok(sums) => sums,
            // The file has become shorter. The rest is read in order.
            Err(error) if error.fault.kind == ErrorKind::File => return Ok(Outcome::InOrder),
            Err(error) => {
                let reason = io::Error::other(error.fault.message.clone());
                self.failed.set(Some(error));
                return Err(SurveyError::Io(reason));
            }
        };
        let Some(combined) = examination.supply(&sums) else { return Ok(Outcome::InOrder) };
        if combined.needs_boundaries {
            let mut buffer = vec![0; self.settings.window.clamp(1 << 10, 8 << 20) as usize];
            let all = length.unwrap_or(0);
            let mut at = 0;
            let looked = examination.look_at_boundaries(|each| {
                while at < all {
                    let wanted = (all - at).min(buffer.len() as u64) as usize;
                    let n = read_at::<C, F>(self.file, start + at, &mut buffer[..wanted])?;
                    each(&buffer[..n]);
                    at += n as u64;
                    if n < wanted {
                        break;
                    }
                }
                Ok(())
            });
            looked.map_err(SurveyError::Io)?;
            // The file has become shorter. Reading it in order reports where it ends.
            if at < all {
                return Ok(Outcome::InOrder);
            }
        }
        Ok(Outcome::Sum(combined.checksum))
    }
}

/// All other ranks: they read their parts of the fields that the first rank meets. Returns the common error of
/// all ranks, if there is one.
pub fn follow<C: Comm, F: SharedFile<C>>(
    comm: &C,
    file: &RefCell<F>,
    settings: &Settings<'_>,
) -> Result<Option<Error>, Error> {
    let mut failed = None;
    loop {
        let mut message = [0; LEN];
        comm.broadcast(0, &mut message).map_err(|error| lost(comm, error))?;
        let (start, part) = match Message::parse(&message) {
            Ok(Message::End) => return Ok(failed),
            Ok(Message::Field { decoder, rows }) => {
                let examination = Examination::of(&decoder, settings.options, rows);
                let start = examination.as_ref().map_or(0, |found| found.field().record.payload_offset());
                let part = examination.and_then(|found| found.part(comm.rank() as u64, comm.size() as u64));
                (start, part.ok_or_else(|| Fault::usage("the ranks have different options")))
            }
            Err(fault) => (0, Err(fault)),
        };
        match read_part(comm, file, start, part, settings.window) {
            Ok(_) => {}
            Err(error) if error.fault.kind == ErrorKind::Communication => return Err(error),
            Err(error) if error.fault.kind == ErrorKind::File => {}
            Err(error) => failed = Some(error),
        }
    }
}

/// The error of this rank if the ranks cannot communicate.
pub fn lost(comm: &impl Comm, error: CommError) -> Error {
    Error { rank: comm.rank(), fault: error.into() }
}

/// Collective: reads the part of this rank, a window at a time, and combines the results of all ranks.
///
/// # Errors
/// The same on all ranks. It is of the kind [`ErrorKind::File`] if the file ends before the last of the data.
fn read_part<C: Comm, F: SharedFile<C>>(
    comm: &C,
    file: &RefCell<F>,
    start: u64,
    part: Result<Part, Fault>,
    window: u64,
) -> Result<PartSums, Error> {
    let windows = part.as_ref().map(|part| windows(part, window)).unwrap_or_default();
    let mut rounds = [windows.len() as u64];
    let mut part = agree_with(comm, part, &mut rounds)?;
    let mut windows = windows.into_iter();
    let mut buffer = Vec::new();
    for _ in 0..rounds[0] {
        let window = windows.next();
        let (at, length) = window.unwrap_or((0, 0));
        buffer.resize(length as usize, 0);
        let mut piece = [PieceMut { offset: start + at, bytes: &mut buffer }];
        let pieces = if window.is_some() { &mut piece[..] } else { &mut [] };
        agree(comm, file.borrow_mut().read_all(comm, pieces))?;
        part.feed(&buffer);
    }
    let mut sums = part.finish();
    let combined = comm.combine(Op::Xor, &mut sums.xor).and_then(|()| comm.combine(Op::Sum, &mut sums.added));
    combined.map_err(|error| lost(comm, error))?;
    Ok(sums)
}

/// Offset and length of each window of a part.
fn windows(part: &Part, window: u64) -> Vec<(u64, u64)> {
    let length = (window / part.unit()).max(1) * part.unit();
    let of = |range: &std::ops::Range<u64>| {
        let (start, end) = (range.start, range.end);
        (start..end).step_by(length as usize).map(move |at| (at, length.min(end - at)))
    };
    of(part.own()).chain(of(part.after())).collect()
}
