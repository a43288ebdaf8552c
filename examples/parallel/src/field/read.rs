//! Collective reading of single files.

use std::path::Path;

use linkstream::field::{Field, Verdict};
use linkstream::lattice::Checksum;

use super::data::Target;
use super::layout::{Layout, OwnPart};
use super::record::read_rounds;
use super::rounds::{NUMBERS, ROUND, Rounds};
use super::scan::{Contents, FoundField, judge, scan, spread};
use super::source::Kept;
use super::transfer;
use crate::arguments::Arguments;
use crate::comm::Comm;
use crate::error::{Error, Fault};
use crate::file::{Access, Engine, SharedFile};
use crate::session::Session;

/// Reads SciDAC and ILDG files together with all ranks, on any process grid.
///
/// When the file is opened, rank 0 reads its documents in strict mode, up to its end; all other ranks get the list of
/// its fields. A file that ends before its data do is refused then, before any data are read. Each rank reads the sites
/// of its layout in rounds, and computes their checksum. The combined checksum is compared with the stored one: a
/// mismatch is an error on all ranks, and data without a stored checksum have the verdict
/// [`Absent`](linkstream::Verdict::Absent), so that `require_match` refuses them. For an example, see
/// [`FieldWriter`](super::FieldWriter).
#[derive(Debug)]
pub struct FieldReader<'c, C, F> {
    session: Session<'c, C, F>,
    contents: Contents,
    /// Documents that rank 0 has read.
    kept: Kept,
    memory: usize,
}

/// A verdict in one number.
const MATCH: u64 = 1;
const ABSENT: u64 = 2;

impl<'c, C: Comm, F: SharedFile<C>> FieldReader<'c, C, F> {
    /// Collective: opens a file and reads the list of its fields.
    ///
    /// # Errors
    /// The file cannot be read, or is invalid: it ends before its data do, for example. The error is the one of the
    /// codec's reader in [`Mode::Strict`](linkstream::Mode::Strict), with offset and rule.
    pub fn open<E: Engine<C, File = F>>(comm: &'c C, engine: &E, path: &Path) -> Result<Self, Error> {
        let arguments = Arguments::new("open a file of fields");
        arguments.text("path", path.as_os_str().as_encoded_bytes()).enter(comm, Ok(()))?;
        let mut kept = Kept::default();
        let (mut session, contents) =
            Session::open(comm, engine, path, Access::Read, |file| scan(file, &mut kept))?;
        let contents = session.call(|comm, _| spread(comm, contents))?;
        Ok(Self { session, contents, kept, memory: ROUND })
    }

    /// Sets the memory for the data of a round on each rank, in bytes. All ranks set the same.
    #[must_use]
    pub fn with_memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// The fields of the file, in order.
    #[must_use]
    pub fn fields(&self) -> &[FoundField] {
        &self.contents.fields
    }

    /// The text of the `scidac-file-xml`; empty if there is none.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.contents.title
    }

    /// Collective: reads the data of a field, which is given by its index in [`fields`](Self::fields), and compares its
    /// checksum with the stored one. Each rank gets the sites of its layout that the data cover; rank 0 gets global
    /// data.
    ///
    /// # Errors
    /// There is no such field; the layouts of the ranks are not a layout of its lattice; the memory of a rank does not
    /// suit it; the data cannot be read; or their checksum differs from the stored one. The memory of the ranks then
    /// has unspecified contents.
    pub fn read(&mut self, index: usize, layout: &Layout<'_>, mut to: impl Target) -> Result<Verdict, Error> {
        let (field, part, rounds) = self.begin(index, layout, &to)?;
        let sum = self.session.call(|comm, file| {
            read_rounds(comm, file, layout, &field, Some(&part), rounds, &mut to, Ok(()))
        })?;
        self.verdict(index, sum)
    }

    /// Agrees on the rounds of a field.
    fn begin(
        &mut self,
        index: usize,
        layout: &Layout<'_>,
        to: &impl Target,
    ) -> Result<(Field, OwnPart, Rounds), Error> {
        let Self { session, contents, memory, .. } = self;
        let found = contents.fields.get(index);
        let arguments = Arguments::new("read a field").word("index", index as u64);
        session.enter(arguments.word("memory", *memory as u64))?;
        let mut largest = [0; NUMBERS];
        let (field, part) = session.call_with(&mut largest, |comm, _, largest| {
            let covered = layout.cover(comm);
            layout.check().and(covered)?;
            let number = contents.fields.len();
            let found = found
                .ok_or_else(|| Fault::usage(format!("there is no field {index}: the file has {number}")))?;
            let part = layout.of_field(found.layout(), comm.rank() == 0)?;
            to.check(found.layout(), part.sites(), layout.place(found.layout()).as_deref())?;
            largest.copy_from_slice(&Rounds::require(found.layout(), &part, *memory));
            Ok((*found.layout(), part))
        })?;
        let rounds = Rounds::new(&field, *memory, &largest);
        Ok((field, part, rounds))
    }

    /// Combines the checksums of all ranks. Rank 0 compares the result with the stored one.
    fn verdict(&mut self, index: usize, own: Checksum) -> Result<Verdict, Error> {
        let Self { session, contents, kept, .. } = self;
        let mut kind = [0];
        let computed = session.call_with(&mut kind, |comm, file, kind| {
            let computed = transfer::combined(comm, own)?;
            if let (0, Some(found)) = (comm.rank(), contents.fields.get(index)) {
                match judge(file, kept, found, computed)? {
                    Verdict::Match { .. } => kind[0] = MATCH,
                    Verdict::Absent { .. } => kind[0] = ABSENT,
                    _ => {}
                }
            }
            Ok(computed)
        })?;
        Ok(match kind {
            [MATCH] => Verdict::Match { stored: computed, computed },
            [ABSENT] => Verdict::Absent { computed },
            _ => Verdict::Unchecked,
        })
    }

    /// Collective: closes the file.
    ///
    /// # Errors
    /// An earlier call failed.
    pub fn close(self) -> Result<(), Error> {
        self.session.close()
    }
}
