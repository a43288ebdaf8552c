//! The data of one record, written or read by all ranks: for programs that write or read the documents themselves.

use linkstream::field::Field;
use linkstream::lattice::Checksum;

use super::data::{Source, Target};
use super::layout::{Layout, OwnPart};
use super::rounds::{NUMBERS, Rounds, note};
use super::transfer::{self, Transfer};
use crate::comm::{Comm, Op};
use crate::error::Fault;
use crate::file::SharedFile;

/// Collective: writes the data of `field` at the offset of its record, and returns the checksum of the data of all
/// ranks. The documents and the header of the record are the business of the caller, and so is the agreement on the
/// outcome ([`agree`](crate::error::agree)): a fault is the fault of this rank.
///
/// All ranks pass the same field and memory: bytes of each rank in a round. A rank that has failed before passes its
/// fault as `before`; it takes part without data, and gets the fault back.
///
/// ```
/// use linkstream::field::FieldDocuments;
/// use linkstream::lattice::{Extents, Precision};
/// use linkstream::scidac::PrivateRecord;
/// use linkstream_parallel::comm::Solo;
/// use linkstream_parallel::field::{Grid, Layout, ROUND, read_data, write_data};
/// use linkstream_parallel::file::{Access, Direct, Engine, SystemDisk};
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("data");
///
/// let lattice = Extents::new(&[4, 4])?;
/// let mut field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F64)).layout(&lattice)?;
/// field.record.offset = 1000;
/// let layout = Layout::grid(&Grid::new(&lattice, &[1])?, 0);
/// let mut file = Direct::<SystemDisk>::default().open(&Solo, &path, Access::Write)?;
/// let written = write_data(&Solo, &mut file, &layout, &field, &mut &[0.5_f64; 16][..], ROUND, Ok(()))?;
/// let mut again = [0.0_f64; 16];
/// let read = read_data(&Solo, &mut file, &layout, &field, &mut &mut again[..], ROUND, Ok(()))?;
/// assert_eq!((read, again), (written, [0.5; 16]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The layout is of another lattice, the data do not suit the field, or bytes cannot be written.
pub fn write_data<C: Comm, F: SharedFile<C>>(
    comm: &C,
    file: &mut F,
    layout: &Layout<'_>,
    field: &Field,
    data: &mut impl Source,
    memory: usize,
    before: Result<(), Fault>,
) -> Result<Checksum, Fault> {
    let place = layout.place(field);
    let check = |part: &OwnPart| data.check(field, part.sites(), place.as_deref());
    let (part, rounds, outcome) = begin(comm, layout, field, memory, before, check)?;
    let own = write_rounds(comm, file, layout, field, part.as_ref(), rounds, data, outcome);
    all(comm, own)
}

/// Collective: reads the data of `field` at the offset of its record, and returns the checksum of the data of all ranks,
/// which the caller compares with the stored one. See [`write_data`].
///
/// # Errors
/// The layout is of another lattice, the data do not suit the field, or bytes cannot be read.
pub fn read_data<C: Comm, F: SharedFile<C>>(
    comm: &C,
    file: &mut F,
    layout: &Layout<'_>,
    field: &Field,
    data: &mut impl Target,
    memory: usize,
    before: Result<(), Fault>,
) -> Result<Checksum, Fault> {
    let place = layout.place(field);
    let check = |part: &OwnPart| data.check(field, part.sites(), place.as_deref());
    let (part, rounds, outcome) = begin(comm, layout, field, memory, before, check)?;
    let own = read_rounds(comm, file, layout, field, part.as_ref(), rounds, data, outcome);
    all(comm, own)
}

/// The part of a rank, the rounds, and the outcome so far.
type Begun = (Option<OwnPart>, Rounds, Result<(), Fault>);

/// Collective: agrees on the rounds.
fn begin(
    comm: &impl Comm,
    layout: &Layout<'_>,
    field: &Field,
    memory: usize,
    before: Result<(), Fault>,
    check: impl FnOnce(&OwnPart) -> Result<(), Fault>,
) -> Result<Begun, Fault> {
    let part = before.and_then(|()| layout.of_field(field, comm.rank() == 0));
    let part = part.and_then(|part| check(&part).map(|()| part));
    let (part, outcome) = match part {
        Ok(part) => (Some(part), Ok(())),
        Err(fault) => (None, Err(fault)),
    };
    let mut largest = part.as_ref().map_or([0; NUMBERS], |part| Rounds::require(field, part, memory));
    comm.combine(Op::Max, &mut largest)?;
    Ok((part, Rounds::new(field, memory, &largest), outcome))
}

/// Collective: the checksum of all ranks. A rank that has failed takes part.
fn all(comm: &impl Comm, own: Result<Checksum, Fault>) -> Result<Checksum, Fault> {
    let (own, outcome) = match own {
        Err(fault) if fault.kind == crate::ErrorKind::Communication => return Err(fault),
        Err(fault) => (Checksum::default(), Err(fault)),
        Ok(sum) => (sum, Ok(())),
    };
    let sum = transfer::combined(comm, own)?;
    outcome.map(|()| sum)
}

/// Collective: writes the data in rounds. Returns the checksum of the data of this rank.
#[allow(clippy::too_many_arguments, reason = "the state of one call")]
pub(super) fn write_rounds<C: Comm, F: SharedFile<C>>(
    comm: &C,
    file: &mut F,
    layout: &Layout<'_>,
    field: &Field,
    part: Option<&OwnPart>,
    rounds: Rounds,
    data: &mut impl Source,
    mut outcome: Result<(), Fault>,
) -> Result<Checksum, Fault> {
    let mut transfer = Transfer::new(layout, field);
    for round in 0..rounds.number {
        if let (Ok(()), Some(part)) = (&outcome, part) {
            outcome = transfer.fill(rounds.windows(part, round), data);
        }
        // Every rank enters the call, with nothing after an error.
        let pieces = if outcome.is_ok() { transfer.pieces() } else { Vec::new() };
        note(&mut outcome, file.write_all(comm, &pieces))?;
    }
    outcome.map(|()| transfer.checksum())
}

/// Collective: reads the data in rounds. Returns the checksum of the data of this rank.
#[allow(clippy::too_many_arguments, reason = "the state of one call")]
pub(super) fn read_rounds<C: Comm, F: SharedFile<C>>(
    comm: &C,
    file: &mut F,
    layout: &Layout<'_>,
    field: &Field,
    part: Option<&OwnPart>,
    rounds: Rounds,
    data: &mut impl Target,
    mut outcome: Result<(), Fault>,
) -> Result<Checksum, Fault> {
    let mut transfer = Transfer::new(layout, field);
    for round in 0..rounds.number {
        let windows = part.map(|part| rounds.windows(part, round));
        note(&mut outcome, transfer.prepare(windows.unwrap_or_default()))?;
        // Every rank enters the call, with nothing after an error.
        let mut pieces = if outcome.is_ok() { transfer.pieces_mut() } else { Vec::new() };
        note(&mut outcome, file.read_all(comm, &mut pieces))?;
        if outcome.is_ok() {
            outcome = transfer.sum().and_then(|()| transfer.take(data));
        }
    }
    outcome.map(|()| transfer.checksum())
}
