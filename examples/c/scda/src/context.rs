//! `scda_fcontext`: an open file, and its place.

use std::ffi::c_int;
use std::path::Path;

use linkstream_c_border::Handles;
use linkstream_c_ranks::Ranks;
use linkstream_parallel::comm::Comm as _;
use linkstream_parallel::file::{IoFile, IoOptions, IoRanks, SystemDisk};
use linkstream_parallel::scda::{ReadOptions, Reader, SectionHeader, WriteOptions, Writer};
use linkstream_parallel::{Arguments, Error, ErrorKind, Fault};

use crate::code::out_of_sequence;
use crate::owned::{File, Owned};
use crate::release::Release;

/// A writer of this library.
pub(crate) type FileWriter<'c> = Writer<'c, Ranks, IoFile<SystemDisk>>;
/// A reader of this library.
pub(crate) type FileReader<'c> = Reader<'c, Ranks, IoFile<SystemDisk>>;

/// All open files.
pub(crate) static FILES: Handles<Context> = Handles::new("an open scda file");

/// Purpose of opening a file, with the options.
#[derive(Debug)]
pub(crate) enum Purpose {
    Write(Vec<u8>, WriteOptions),
    Read(ReadOptions),
}

/// An open file.
#[derive(Debug)]
pub struct Context {
    /// `None` only while the file is being closed.
    file: Option<Owned>,
    ranks: Ranks,
    /// The header of the section whose data are next.
    header: Option<SectionHeader>,
    release: Release,
    /// A call that is refused before it writes anything leaves a file of the sections before it.
    keeps: bool,
}

impl Context {
    /// Collective: opens a file. All ranks have the same arguments.
    pub(crate) fn open(
        ranks: Ranks,
        path: &Path,
        purpose: &Purpose,
        io: IoOptions,
        (release, keeps): (Release, bool),
    ) -> Result<Self, Refusal> {
        let opened = Owned::open(ranks, |ranks| {
            let engine = IoRanks::with_options(ranks, SystemDisk, io);
            let engine = engine.map_err(|fault| Error { rank: ranks.rank(), fault })?;
            match purpose {
                Purpose::Write(userstr, options) => {
                    Writer::create(ranks, &engine, path, userstr, options).map(File::Writing)
                }
                Purpose::Read(options) => Reader::open(ranks, &engine, path, options).map(File::Reading),
            }
        });
        match opened {
            Ok(file) => Ok(Self { file: Some(file), ranks, header: None, release, keeps }),
            Err(error) => {
                release.call(is_usable(&error));
                Err(Refusal { error, ranks: ranks.size() })
            }
        }
    }

    /// The ranks.
    pub(crate) const fn ranks(&self) -> &Ranks {
        &self.ranks
    }

    /// Number of this rank.
    pub(crate) fn rank(&self) -> usize {
        self.ranks.rank()
    }

    /// The rank that an argument names.
    pub(crate) fn root(&self, root: c_int) -> Result<usize, Fault> {
        let ranks = self.ranks.size();
        let found = usize::try_from(root).ok().filter(|root| *root < ranks);
        found.ok_or_else(|| Fault::usage(format!("root is {root}, but there are {ranks} ranks")))
    }

    /// Collective: begins a call. See [`Arguments::enter`].
    pub(crate) fn enter<T>(&self, arguments: Arguments, ready: Result<T, Fault>) -> Result<T, Error> {
        arguments.enter(&self.ranks, ready)
    }

    /// Error if the file is not open for writing.
    pub(crate) fn is_writing(&mut self) -> Result<(), Fault> {
        self.with(|file| match file {
            File::Writing(_) => Ok(()),
            File::Reading(_) => Err(out_of_sequence("the file is open for reading: it cannot be written")),
        })
    }

    /// Error if the file is not open for reading, between two sections.
    pub(crate) fn is_between(&mut self) -> Result<(), Fault> {
        self.is_reading()?;
        match &self.header {
            None => Ok(()),
            Some(_) => {
                Err(out_of_sequence("the data of the section must be read or skipped before the next header"))
            }
        }
    }

    fn is_reading(&mut self) -> Result<(), Fault> {
        self.with(|file| match file {
            File::Reading(_) => Ok(()),
            File::Writing(_) => Err(out_of_sequence("the file is open for writing: it cannot be read")),
        })
    }

    /// The header of the section whose data are next. It must have one of these types.
    pub(crate) fn section(&mut self, types: &[u8]) -> Result<SectionHeader, Fault> {
        self.is_reading()?;
        let Some(header) = &self.header else {
            return Err(out_of_sequence("the header of a section must be read before its data"));
        };
        let found = header.section_type.letter();
        if types.contains(&found) {
            return Ok(header.clone());
        }
        let (expected, found) = (String::from_utf8_lossy(types), char::from(found));
        Err(out_of_sequence(format!("this call reads sections of type {expected}, but the type is {found}")))
    }

    /// Error if the sizes of the elements of this rank have not been read, or differ from these.
    pub(crate) fn check_sizes(&mut self, given: Option<&[u64]>) -> Result<(), Fault> {
        let is_same = self.with(|file| match file {
            File::Reading(reader) => reader.sizes().map(|sizes| given.is_none_or(|given| given == sizes)),
            File::Writing(_) => None,
        });
        match is_same {
            None => Err(out_of_sequence("the sizes of the elements must be read before their data")),
            Some(true) => Ok(()),
            Some(false) => Err(Fault::usage("E_i differs from the sizes in the file")),
        }
    }

    /// The user string of a file that is open for reading.
    pub(crate) fn userstr(&mut self) -> Vec<u8> {
        self.with(|file| match file {
            File::Reading(reader) => reader.userstr().to_vec(),
            File::Writing(_) => Vec::new(),
        })
    }

    /// Calls a function with the file.
    fn with<R>(&mut self, call: impl for<'c> FnOnce(&mut File<'c>) -> R) -> R {
        self.file.as_mut().expect("the file is open").with(call)
    }

    /// Writes, after [`is_writing`](Self::is_writing) has succeeded on all ranks.
    pub(crate) fn write(
        &mut self,
        call: impl for<'w, 'c> FnOnce(&'w mut FileWriter<'c>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.with(|file| match file {
            File::Writing(writer) => call(writer),
            File::Reading(_) => unreachable!("the file is open for writing"),
        })
    }

    /// Reads, after the place has been checked on all ranks.
    fn read<R>(
        &mut self,
        call: impl for<'w, 'c> FnOnce(&'w mut FileReader<'c>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        self.with(|file| match file {
            File::Reading(reader) => call(reader),
            File::Writing(_) => unreachable!("the file is open for reading"),
        })
    }

    /// Collective: reads the next header.
    pub(crate) fn next_header(&mut self, decode: bool) -> Result<Option<&SectionHeader>, Error> {
        self.header = self.read(|reader| reader.section_header(decode))?;
        Ok(self.header.as_ref())
    }

    /// Collective: reads sizes: the data are still next.
    pub(crate) fn read_sizes(
        &mut self,
        call: impl for<'w, 'c> FnOnce(&'w mut FileReader<'c>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.read(call)
    }

    /// Collective: reads or skips the data of the section.
    pub(crate) fn read_data(
        &mut self,
        call: impl for<'w, 'c> FnOnce(&'w mut FileReader<'c>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.read(call)?;
        self.header = None;
        Ok(())
    }

    /// Collective: closes the file.
    pub(crate) fn close(mut self: Box<Self>, err_is_there: Result<(), Fault>) -> Result<(), Refusal> {
        let in_section = match &self.header {
            None => Ok(()),
            Some(_) => Err(out_of_sequence(
                "the data of the section were neither read nor skipped before the file was closed",
            )),
        };
        let ready = err_is_there.and(in_section);
        let outcome = self.enter(Arguments::new("scda_fclose"), ready).and_then(|()| {
            let file = self.file.take().expect("the file is open");
            file.close(|file| match file {
                File::Writing(writer) => writer.close(),
                File::Reading(reader) => reader.close(),
            })
        });
        match outcome {
            Ok(()) => {
                self.release.call(true);
                Ok(())
            }
            Err(error) => Err(self.end(error)),
        }
    }

    /// Ends a file after an error: it is closed as it is (A.2).
    pub(crate) fn end(mut self: Box<Self>, error: Error) -> Refusal {
        match self.file.take() {
            // All ranks are here with the same error, so all of them close the file.
            Some(file) if self.keeps && error.fault.kind == ErrorKind::Usage => file.close(|file| {
                if let File::Writing(writer) = file {
                    // If this fails, too, the file begins with zeros, and the first error is the one that counts.
                    let _ = writer.close();
                }
            }),
            file => drop(file),
        }
        self.release.call(is_usable(&error));
        Refusal { error, ranks: self.ranks.size() }
    }
}

/// An error, and the number of ranks that have it.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub error: Error,
    pub ranks: usize,
}

/// True if the ranks can communicate after this error.
fn is_usable(error: &Error) -> bool {
    error.fault.kind != ErrorKind::Communication
}
