//! A file system that counts the requests of each rank, and makes a chosen one fail. For tests.

use std::cell::RefCell;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::rc::Rc;

use super::disk::{Disk, RankFile};
use super::shared::Access;

/// A request to the operating system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// Open or create a file or a directory, or list a directory.
    Open,
    /// Read bytes.
    Read,
    /// Write bytes.
    Write,
    /// Ask for the size of a file.
    Size,
    /// Wait for the storage device.
    Sync,
}

/// Disturbance of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Injection {
    /// The request fails with the error number of the system, and so do all later ones that write.
    Error(i32),
    /// Half of the bytes are read or written, at least one; nothing is wrong.
    Short,
    /// The request is interrupted by a signal; nothing is wrong.
    Interrupted,
    /// The file ends at this request, if it reads.
    Ends,
    /// The process ends at this request, as if it were killed, after this time: meanwhile, other ranks go on until they
    /// wait for this one.
    Killed {
        /// Time until the process ends.
        after: std::time::Duration,
    },
}

/// Status of a process that [`Injection::Killed`] has ended.
const KILLED: i32 = 137;

/// Requests of a rank, in order, and the number of bytes that each read or wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Requests {
    /// The requests.
    pub list: Vec<(Request, usize)>,
}

impl Requests {
    /// Number of requests of this kind.
    #[must_use]
    pub fn count(&self, request: Request) -> usize {
        self.list.iter().filter(|(each, _)| *each == request).count()
    }

    /// Number of bytes of requests of this kind.
    #[must_use]
    pub fn bytes(&self, request: Request) -> usize {
        self.list.iter().filter(|(each, _)| *each == request).map(|(_, bytes)| bytes).sum()
    }
}

#[derive(Debug, Default)]
struct State {
    requests: Requests,
    injection: Option<(usize, Injection)>,
    /// Number of the error that writing returns from now on.
    failed: Option<i32>,
}

/// A file system that counts its requests, and can disturb one of them. Each rank has its own; clones share the count.
#[derive(Debug, Clone)]
pub struct Faulty<D> {
    disk: D,
    state: Rc<RefCell<State>>,
}

impl<D> Faulty<D> {
    /// Counts the requests to `disk`. The request with the given number, from 0, is disturbed.
    pub fn new(disk: D, injection: Option<(usize, Injection)>) -> Self {
        Self { disk, state: Rc::new(RefCell::new(State { injection, ..State::default() })) }
    }

    /// The requests so far.
    #[must_use]
    pub fn requests(&self) -> Requests {
        self.state.borrow().requests.clone()
    }
}

/// Continuation of a request.
enum Course {
    /// With at most this many bytes.
    Most(usize),
    Fails(io::Error),
}

impl State {
    fn next(&mut self, request: Request, bytes: usize) -> Course {
        let number = self.requests.list.len();
        let injection = self.injection.filter(|(at, _)| *at == number).map(|(_, injection)| injection);
        self.requests.list.push((request, 0));
        if let Some(Injection::Killed { after }) = injection {
            std::thread::sleep(after);
            // No destructor runs.
            std::process::exit(KILLED);
        }
        let is_write = matches!(request, Request::Write | Request::Sync);
        match (injection, self.failed) {
            (Some(Injection::Error(number)), _) => {
                self.failed = Some(number);
                Course::Fails(io::Error::from_raw_os_error(number))
            }
            (_, Some(number)) if is_write => Course::Fails(io::Error::from_raw_os_error(number)),
            (Some(Injection::Interrupted), _) => Course::Fails(io::ErrorKind::Interrupted.into()),
            (Some(Injection::Short), _) => Course::Most(bytes.div_ceil(2)),
            (Some(Injection::Ends), _) if request == Request::Read => Course::Most(0),
            _ => Course::Most(bytes),
        }
    }

    /// Notes the number of bytes of the last request.
    fn done(&mut self, bytes: io::Result<usize>) -> io::Result<usize> {
        if let (Ok(bytes), Some((_, counted))) = (&bytes, self.requests.list.last_mut()) {
            *counted = *bytes;
        }
        bytes
    }
}

impl<D: Disk> Disk for Faulty<D> {
    type File = FaultyFile<D::File>;

    fn open(&self, path: &Path, access: Access) -> io::Result<Self::File> {
        self.begin()?;
        Ok(FaultyFile { file: self.disk.open(path, access)?, state: Rc::clone(&self.state) })
    }

    fn open_created(&self, path: &Path) -> io::Result<Self::File> {
        self.begin()?;
        Ok(FaultyFile { file: self.disk.open_created(path)?, state: Rc::clone(&self.state) })
    }

    fn names(&self, directory: &Path) -> io::Result<Vec<OsString>> {
        self.begin()?;
        self.disk.names(directory)
    }

    fn make_directory(&self, directory: &Path) -> io::Result<()> {
        self.begin()?;
        self.disk.make_directory(directory)
    }
}

impl<D> Faulty<D> {
    fn begin(&self) -> io::Result<()> {
        match self.state.borrow_mut().next(Request::Open, 0) {
            // The system restarts `open` by itself; Rust's library does too.
            Course::Fails(error) if error.kind() == io::ErrorKind::Interrupted => Ok(()),
            Course::Fails(error) => Err(error),
            Course::Most(_) => Ok(()),
        }
    }
}

/// A file of [`Faulty`].
#[derive(Debug)]
pub struct FaultyFile<F> {
    file: F,
    state: Rc<RefCell<State>>,
}

impl<F: RankFile> RankFile for FaultyFile<F> {
    fn read_at(&self, offset: u64, to: &mut [u8]) -> io::Result<usize> {
        let mut state = self.state.borrow_mut();
        match state.next(Request::Read, to.len()) {
            Course::Most(0) => Ok(0),
            Course::Most(most) => state.done(self.file.read_at(offset, &mut to[..most])),
            Course::Fails(error) => Err(error),
        }
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.state.borrow_mut();
        match state.next(Request::Write, bytes.len()) {
            Course::Most(most) => state.done(self.file.write_at(offset, &bytes[..most])),
            Course::Fails(error) => Err(error),
        }
    }

    fn size(&self) -> io::Result<u64> {
        match self.state.borrow_mut().next(Request::Size, 0) {
            Course::Fails(error) if error.kind() != io::ErrorKind::Interrupted => Err(error),
            _ => self.file.size(),
        }
    }

    fn sync(&self) -> io::Result<()> {
        match self.state.borrow_mut().next(Request::Sync, 0) {
            Course::Fails(error) if error.kind() != io::ErrorKind::Interrupted => Err(error),
            _ => self.file.sync(),
        }
    }
}
