//! The calls of MPI. All unsafe code of the package is in this file.
//!
//! MPI is initialised while any function of this file runs: the types of this file are created by `start` after it has
//! initialised MPI, and it lends them to the program, which returns before it finalises MPI.
#![allow(unsafe_code, reason = "MPI is a C library")]

use std::cell::Cell;
use std::ffi::CString;
use std::fmt;
use std::marker::PhantomData;
use std::os::raw::{c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use mpi::ffi;
use mpi::traits::Communicator;

/// Largest number of bytes of one call of MPI, whose counts are signed 32-bit numbers.
pub(crate) const MOST: usize = 1 << 30;

/// A failed call of MPI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MpiError {
    call: &'static str,
    /// MPI's text, which some implementations begin with other words than the reason.
    text: String,
}

impl MpiError {
    /// An error that MPI has not reported.
    pub(crate) const fn new(call: &'static str, text: String) -> Self {
        Self { call, text }
    }
}

impl fmt::Display for MpiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.call, self.text)
    }
}

/// Turns the return code of a call into a result.
fn check(call: &'static str, code: c_int) -> Result<(), MpiError> {
    const ROOM: usize = 4096;
    const { assert!(ROOM > ffi::MPI_MAX_ERROR_STRING as usize) };
    if code == ffi::MPI_SUCCESS as c_int {
        return Ok(());
    }
    let mut text = [0_u8; ROOM];
    let mut length = 0;
    // SAFETY: the room is larger than the longest text, and `length` is a valid place for a number.
    let found = unsafe { ffi::MPI_Error_string(code, text.as_mut_ptr().cast::<c_char>(), &raw mut length) };
    let length = if found == ffi::MPI_SUCCESS as c_int { length.max(0) as usize } else { 0 };
    let text = String::from_utf8_lossy(&text[..length.min(ROOM)]);
    let text = text.trim_end_matches('\0').trim();
    let text = if text.is_empty() { format!("error {code}") } else { text.replace('\n', "; ") };
    Err(MpiError { call, text })
}

/// Address of bytes to send. It is never the address of an empty slice, which is 1: in Open MPI this is `MPI_IN_PLACE`.
fn address<T>(slice: &[T]) -> *const c_void {
    static NOTHING: u64 = 0;
    if slice.is_empty() { (&raw const NOTHING).cast() } else { slice.as_ptr().cast() }
}

/// Address of room. If the room is empty, it is the address of `nothing`, for the reason given at [`address`].
fn room<T>(slice: &mut [T], nothing: &mut u64) -> *mut c_void {
    if slice.is_empty() { ptr::from_mut(nothing).cast() } else { slice.as_mut_ptr().cast() }
}

/// A length as a count of MPI.
fn count(length: usize) -> Result<c_int, MpiError> {
    c_int::try_from(length)
        .map_err(|_| MpiError { call: "a count of MPI", text: format!("{length} is 2^31 or more") })
}

/// The type of bytes.
fn byte() -> ffi::MPI_Datatype {
    // SAFETY: a constant that the C code of rsmpi defines.
    unsafe { ffi::RSMPI_UINT8_T }
}

/// The type of numbers of 64 bits.
fn word() -> ffi::MPI_Datatype {
    // SAFETY: a constant that the C code of rsmpi defines.
    unsafe { ffi::RSMPI_UINT64_T }
}

/// The communicator of all ranks.
fn world() -> ffi::MPI_Comm {
    // SAFETY: a constant that the C code of rsmpi defines.
    unsafe { ffi::RSMPI_COMM_WORLD }
}

/// The value of a C pointer to a status that is not wanted.
fn no_status() -> *mut ffi::MPI_Status {
    // SAFETY: a constant that the C code of rsmpi defines.
    unsafe { ffi::RSMPI_STATUS_IGNORE }
}

/// The handler that lets calls return their errors.
fn errors_return() -> ffi::MPI_Errhandler {
    // SAFETY: a constant that the C code of rsmpi defines.
    unsafe { ffi::RSMPI_ERRORS_RETURN }
}

/// No hints for a file.
fn no_info() -> ffi::MPI_Info {
    // SAFETY: a constant that the C code of rsmpi defines.
    unsafe { ffi::RSMPI_INFO_NULL }
}

/// True if this process is ending the job.
static IS_ABORTING: AtomicBool = AtomicBool::new(false);

/// Ends all ranks of the job at once, with this exit status.
pub(crate) fn abort(status: u8) -> ! {
    IS_ABORTING.store(true, Ordering::SeqCst);
    // The reason has just been printed. Launchers forward it, unless the job ends before they have read it.
    std::thread::sleep(Duration::from_millis(200));
    // SAFETY: MPI may be called from any thread for this: the process ends in this call.
    unsafe { ffi::MPI_Abort(world(), c_int::from(status)) };
    std::process::abort()
}

/// Aborts the job if this process ends in another way than by returning from the program. Some launchers report success
/// when a rank ends with status 0 and leaves the others waiting.
pub(crate) fn abort_at_exit(rank: usize) {
    static RANK: AtomicUsize = AtomicUsize::new(0);
    extern "C" fn at_exit() {
        if mpi::environment::is_finalized() || IS_ABORTING.swap(true, Ordering::SeqCst) {
            return;
        }
        let rank = RANK.load(Ordering::SeqCst);
        eprintln!("rank {rank} has ended its process while MPI is in use; the job is aborted");
        abort(1)
    }
    unsafe extern "C" {
        safe fn atexit(function: extern "C" fn()) -> c_int;
    }
    RANK.store(rank, Ordering::SeqCst);
    // If there is no room for one more function, the launcher has the last word.
    let _ = atexit(at_exit);
}

/// An operation that combines numbers of all ranks.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Reduction {
    Sum,
    Max,
    Xor,
}

impl Reduction {
    fn op(self) -> ffi::MPI_Op {
        match self {
            // SAFETY: a constant that the C code of rsmpi defines.
            Self::Sum => unsafe { ffi::RSMPI_SUM },
            // SAFETY: a constant that the C code of rsmpi defines.
            Self::Max => unsafe { ffi::RSMPI_MAX },
            // SAFETY: a constant that the C code of rsmpi defines.
            Self::Xor => unsafe { ffi::RSMPI_BXOR },
        }
    }
}

/// A communicator of our own: a duplicate, so that our messages meet no others. It is freed with MPI.
#[derive(Debug)]
pub(crate) struct Ranks {
    comm: ffi::MPI_Comm,
    rank: usize,
    size: usize,
    /// True if the number of exchanges so far is odd.
    is_odd: Cell<bool>,
    /// MPI is called from the main thread only.
    not_send: PhantomData<*const ()>,
}

/// Tags of announcements, in even and odd exchanges.
const ANNOUNCEMENTS: [c_int; 2] = [1, 2];

/// Tag of parts of messages.
const PART: c_int = 3;

/// The buffers that MPI reads from and writes to in an exchange.
struct Buffers {
    lengths: Vec<[u64; 1]>,
    messages: Vec<(usize, Vec<u8>)>,
    received: Vec<(usize, Vec<u8>)>,
}

/// No request.
fn no_request() -> ffi::MPI_Request {
    // SAFETY: a constant that the C code of rsmpi defines.
    unsafe { ffi::RSMPI_REQUEST_NULL }
}

/// True if all of these requests have ended.
fn have_ended(requests: &mut [ffi::MPI_Request]) -> Result<bool, MpiError> {
    let (length, mut done) = (count(requests.len())?, 0);
    if length == 0 {
        return Ok(true);
    }
    // SAFETY: a constant that the C code of rsmpi defines.
    let no_statuses = unsafe { ffi::RSMPI_STATUSES_IGNORE };
    let all = requests.as_mut_ptr();
    // SAFETY: there are `length` requests that MPI has created, or that have ended, and `done` is a valid place for a
    // number. The functions that created the requests keep their buffers.
    check("MPI_Testall", unsafe { ffi::MPI_Testall(length, all, &raw mut done, no_statuses) })?;
    Ok(done != 0)
}

/// Waits until all of these requests have ended.
fn wait(requests: &mut [ffi::MPI_Request]) -> Result<(), MpiError> {
    let mut pause = Pause::default();
    while !have_ended(requests)? {
        pause.pause();
    }
    Ok(())
}

/// Waits for the requests of a call that returned `code`, and returns their buffers.
fn finish<B>(
    call: &'static str,
    code: c_int,
    requests: &mut [ffi::MPI_Request],
    buffers: B,
) -> Result<B, MpiError> {
    match check(call, code).and_then(|()| wait(requests)) {
        Ok(()) => Ok(buffers),
        Err(error) => {
            // MPI may still read from and write to these buffers, so they must exist until the process ends.
            std::mem::forget(buffers);
            Err(error)
        }
    }
}

/// The time between two looks at a request: nothing at first, then the turn of another process. Ranks often share
/// processors, and some MPI libraries never let the others work while they wait in a blocking call.
#[derive(Default)]
struct Pause {
    looks: u32,
}

impl Pause {
    fn pause(&mut self) {
        const BUSY: u32 = 50;
        self.looks = self.looks.saturating_add(1);
        if self.looks < BUSY { std::hint::spin_loop() } else { std::thread::yield_now() }
    }
}

impl Ranks {
    /// Collective: duplicates a communicator.
    pub(crate) fn duplicate(comm: &impl Communicator) -> Result<Self, MpiError> {
        let (of, mut comm) = (comm.as_raw(), comm.as_raw());
        // SAFETY: the communicator of the program can be duplicated while MPI is initialised.
        check("MPI_Comm_dup", unsafe { ffi::MPI_Comm_dup(of, &raw mut comm) })?;
        Self::of(comm)
    }

    fn of(comm: ffi::MPI_Comm) -> Result<Self, MpiError> {
        // SAFETY: the communicator was created by MPI.
        let code = unsafe { ffi::MPI_Comm_set_errhandler(comm, errors_return()) };
        check("MPI_Comm_set_errhandler", code)?;
        let (mut rank, mut size) = (0, 0);
        // SAFETY: the communicator was created by MPI, and `rank` is a valid place for a number.
        check("MPI_Comm_rank", unsafe { ffi::MPI_Comm_rank(comm, &raw mut rank) })?;
        // SAFETY: the communicator was created by MPI, and `size` is a valid place for a number.
        check("MPI_Comm_size", unsafe { ffi::MPI_Comm_size(comm, &raw mut size) })?;
        let (rank, size) = (rank.max(0) as usize, size.max(1) as usize);
        Ok(Self { comm, rank, size, is_odd: Cell::new(false), not_send: PhantomData })
    }

    pub(crate) const fn rank(&self) -> usize {
        self.rank
    }

    pub(crate) const fn size(&self) -> usize {
        self.size
    }

    /// Collective: the lowest rank on the same node.
    pub(crate) fn node_leader(&self) -> Result<usize, MpiError> {
        let mut comm = self.comm;
        let rank = count(self.rank)?;
        // SAFETY: a constant that the C code of rsmpi defines.
        let shared = unsafe { ffi::RSMPI_COMM_TYPE_SHARED };
        // SAFETY: the communicator is valid, and `comm` is a valid place for another one.
        let code = unsafe { ffi::MPI_Comm_split_type(self.comm, shared, rank, no_info(), &raw mut comm) };
        check("MPI_Comm_split_type", code)?;
        let node = Self::of(comm)?;
        let mut leader = (self.rank as u64).to_le_bytes();
        node.broadcast(0, &mut leader)?;
        // SAFETY: the communicator was created above, and is not used after this.
        check("MPI_Comm_free", unsafe { ffi::MPI_Comm_free(&raw mut comm) })?;
        Ok(u64::from_le_bytes(leader) as usize)
    }

    /// Collective: combines the numbers of all ranks.
    pub(crate) fn all_reduce(&self, reduction: Reduction, numbers: &mut [u64]) -> Result<(), MpiError> {
        let (own, mut result) = (numbers.to_vec(), numbers.to_vec());
        let (length, mut nothing) = (count(own.len())?, 0);
        let (from, to, op) = (address(&own), room(&mut result, &mut nothing), reduction.op());
        let mut request = no_request();
        // SAFETY: both buffers have `length` numbers of 64 bits, do not overlap, and exist until the request has ended.
        // All ranks pass the same length.
        let code = unsafe { ffi::MPI_Iallreduce(from, to, length, word(), op, self.comm, &raw mut request) };
        let (_, result) = finish("MPI_Iallreduce", code, &mut [request], (own, result))?;
        numbers.copy_from_slice(&result);
        Ok(())
    }

    /// Collective: sums of the numbers of the ranks below this one.
    pub(crate) fn scan(&self, numbers: &mut [u64]) -> Result<(), MpiError> {
        let (own, mut result) = (numbers.to_vec(), numbers.to_vec());
        let (length, mut nothing) = (count(own.len())?, 0);
        let (from, to, op) = (address(&own), room(&mut result, &mut nothing), Reduction::Sum.op());
        let mut request = no_request();
        // SAFETY: both buffers have `length` numbers of 64 bits, do not overlap, and exist until the request has ended.
        // All ranks pass the same length.
        let code = unsafe { ffi::MPI_Iexscan(from, to, length, word(), op, self.comm, &raw mut request) };
        let (_, result) = finish("MPI_Iexscan", code, &mut [request], (own, result))?;
        match self.rank {
            // MPI leaves the result of rank 0 undefined.
            0 => numbers.fill(0),
            _ => numbers.copy_from_slice(&result),
        }
        Ok(())
    }

    /// Collective: copies the bytes of one rank to all.
    pub(crate) fn broadcast(&self, root: usize, bytes: &mut [u8]) -> Result<(), MpiError> {
        let root = count(root)?;
        for part in bytes.chunks_mut(MOST) {
            let (length, mut copy, mut request) = (count(part.len())?, part.to_vec(), no_request());
            let to = copy.as_mut_ptr().cast();
            // SAFETY: the buffer has `length` bytes, at least one, and exists until the request has ended. All ranks
            // pass the same lengths and root.
            let code = unsafe { ffi::MPI_Ibcast(to, length, byte(), root, self.comm, &raw mut request) };
            part.copy_from_slice(&finish("MPI_Ibcast", code, &mut [request], copy)?);
        }
        Ok(())
    }

    /// Collective: sends messages to ranks, at most one to each and none of them empty, and returns the messages for
    /// this rank. They are sent in parts of at most `most` bytes; `allocate` makes room for them.
    ///
    /// A rank does not know which ranks have messages for it, and a table of all ranks would need memory and time. So
    /// each message is announced by its length, with a request that ends only when the receiver has taken it. A rank
    /// whose announcements have all been taken enters a barrier, and goes on taking announcements until all ranks have
    /// entered it: there can be no others then (Hoefler, Siebert and Lumsdaine, PPoPP 2010).
    pub(crate) fn exchange(
        &self,
        messages: Vec<(usize, Vec<u8>)>,
        most: usize,
        allocate: impl Fn(u64) -> Result<Vec<u8>, MpiError>,
    ) -> Result<Vec<(usize, Vec<u8>)>, MpiError> {
        // A rank that has left this exchange may announce a message of the next one while others are still in this one.
        let tag = ANNOUNCEMENTS[usize::from(self.is_odd.replace(!self.is_odd.get()))];
        let lengths: Vec<[u64; 1]> = messages.iter().map(|(_, bytes)| [bytes.len() as u64]).collect();
        let mut buffers = Buffers { lengths, messages, received: Vec::new() };
        let outcome = self.exchange_in(&mut buffers, tag, most, allocate);
        match outcome {
            Ok(()) => Ok(buffers.received),
            Err(error) => {
                // MPI may still read from and write to these buffers, so they must exist until the process ends.
                std::mem::forget(buffers);
                Err(error)
            }
        }
    }

    /// The exchange, with buffers that exist until the requests have ended.
    fn exchange_in(
        &self,
        buffers: &mut Buffers,
        tag: c_int,
        most: usize,
        allocate: impl Fn(u64) -> Result<Vec<u8>, MpiError>,
    ) -> Result<(), MpiError> {
        let (mut announcements, mut parts) = (Vec::new(), Vec::new());
        for ((rank, bytes), length) in buffers.messages.iter().zip(&buffers.lengths) {
            let (to, mut request) = (count(*rank)?, no_request());
            let from = address(length);
            // SAFETY: one number of 64 bits, which exists until the request has ended: see `exchange`. Nothing writes
            // to it.
            let code = unsafe { ffi::MPI_Issend(from, 1, word(), to, tag, self.comm, &raw mut request) };
            check("MPI_Issend", code)?;
            announcements.push(request);
            for part in bytes.chunks(most) {
                let (from, length, mut request) = (address(part), count(part.len())?, no_request());
                // SAFETY: `part` has `length` bytes, at least one, and exists until the request has ended: see
                // `exchange`. Nothing writes to it.
                let code =
                    unsafe { ffi::MPI_Isend(from, length, byte(), to, PART, self.comm, &raw mut request) };
                check("MPI_Isend", code)?;
                parts.push(request);
            }
        }
        let (mut barrier, mut pause) = (None::<[ffi::MPI_Request; 1]>, Pause::default());
        loop {
            while let Some((rank, length)) = self.announced(tag)? {
                buffers.received.push((rank, allocate(length)?));
                let bytes = buffers.received.last_mut().map(|(_, bytes)| &mut bytes[..]).unwrap_or_default();
                for part in bytes.chunks_mut(most) {
                    let (length, from, mut request) = (count(part.len())?, count(rank)?, no_request());
                    let to = part.as_mut_ptr().cast();
                    // SAFETY: `part` has `length` bytes, at least one, and exists until the request has ended: see
                    // `exchange`. Nothing else accesses it.
                    let code = unsafe {
                        ffi::MPI_Irecv(to, length, byte(), from, PART, self.comm, &raw mut request)
                    };
                    check("MPI_Irecv", code)?;
                    parts.push(request);
                }
            }
            if let Some(request) = &mut barrier {
                if have_ended(request)? {
                    break;
                }
            } else if have_ended(&mut announcements)? {
                let mut request = no_request();
                // SAFETY: `request` is a valid place for a request, which uses no buffers.
                check("MPI_Ibarrier", unsafe { ffi::MPI_Ibarrier(self.comm, &raw mut request) })?;
                barrier = Some([request]);
            }
            pause.pause();
        }
        wait(&mut parts)
    }

    /// Takes an announcement, if there is one: its rank, and the length of the message.
    fn announced(&self, tag: c_int) -> Result<Option<(usize, u64)>, MpiError> {
        let (mut is_there, mut status) = (0, Status::new());
        // SAFETY: a constant that the C code of rsmpi defines.
        let any = unsafe { ffi::RSMPI_ANY_SOURCE };
        // SAFETY: the places for a number and a status are valid.
        let code = unsafe { ffi::MPI_Iprobe(any, tag, self.comm, &raw mut is_there, status.place()) };
        check("MPI_Iprobe", code)?;
        if is_there == 0 {
            return Ok(None);
        }
        let (mut length, from) = (0_u64, status.0.MPI_SOURCE);
        let to = (&raw mut length).cast();
        // SAFETY: there is a message of one number of 64 bits, and room for it. Only this thread receives messages.
        let code = unsafe { ffi::MPI_Recv(to, 1, word(), from, tag, self.comm, no_status()) };
        check("MPI_Recv", code)?;
        Ok(Some((from.max(0) as usize, length)))
    }

    /// Collective: waits until all ranks have entered this call, without using the processor much. Ends early if
    /// `go_on` returns false, which is called with the time waited so far. Returns whether all ranks have entered.
    pub(crate) fn meet(&self, mut go_on: impl FnMut(Duration) -> bool) -> Result<bool, MpiError> {
        let mut request = no_request();
        // SAFETY: `request` is a valid place for a request, which uses no buffers.
        check("MPI_Ibarrier", unsafe { ffi::MPI_Ibarrier(self.comm, &raw mut request) })?;
        let begin = Instant::now();
        loop {
            if have_ended(&mut [request])? {
                return Ok(true);
            }
            if !go_on(begin.elapsed()) {
                return Ok(false);
            }
            std::thread::sleep(Duration::from_micros(500));
        }
    }
}

/// A file that all ranks have opened with MPI-IO. It is not closed when it is dropped, since closing is collective.
#[derive(Debug)]
pub(crate) struct File {
    handle: ffi::MPI_File,
    /// MPI is called from the main thread only.
    not_send: PhantomData<*const ()>,
}

impl File {
    /// Collective: opens an existing file.
    pub(crate) fn open(ranks: &Ranks, path: &Path, write: bool) -> Result<Self, MpiError> {
        let name = CString::new(path.as_os_str().as_bytes()).map_err(|_| MpiError {
            call: "MPI_File_open",
            text: "the name of the file contains a zero byte".into(),
        })?;
        let mode = if write { ffi::MPI_MODE_RDWR } else { ffi::MPI_MODE_RDONLY } as c_int;
        // SAFETY: a constant that the C code of rsmpi defines.
        let mut handle = unsafe { ffi::RSMPI_FILE_NULL };
        // SAFETY: the name ends with a zero byte, and `handle` is a valid place for a file.
        let code = unsafe { ffi::MPI_File_open(ranks.comm, name.as_ptr(), mode, no_info(), &raw mut handle) };
        check("MPI_File_open", code)?;
        // SAFETY: the file was opened above.
        let code = unsafe { ffi::MPI_File_set_errhandler(handle, errors_return()) };
        check("MPI_File_set_errhandler", code)?;
        Ok(Self { handle, not_send: PhantomData })
    }

    /// Collective: makes the parts of the file, in ascending order, appear as one sequence to this rank. With no parts,
    /// the whole file.
    ///
    /// After an error, the other ranks are not kept waiting.
    pub(crate) fn view(&mut self, offsets: &[i64], lengths: &[usize]) -> Result<(), MpiError> {
        if offsets.is_empty() {
            return self.set_view(byte());
        }
        match Self::parts(offsets, lengths) {
            Ok(mut parts) => {
                let outcome = self.set_view(parts);
                // SAFETY: MPI has created the type. The file keeps what it needs of it.
                check("MPI_Type_free", unsafe { ffi::MPI_Type_free(&raw mut parts) })?;
                outcome
            }
            Err(error) => self.set_view(byte()).and(Err(error)),
        }
    }

    /// The type of the parts of a file.
    fn parts(offsets: &[i64], lengths: &[usize]) -> Result<ffi::MPI_Datatype, MpiError> {
        let lengths: Vec<c_int> = lengths.iter().map(|length| count(*length)).collect::<Result<_, _>>()?;
        let offsets: Vec<ffi::MPI_Aint> =
            offsets.iter().map(|offset| ffi::MPI_Aint::try_from(*offset)).collect::<Result<_, _>>().map_err(
                |_| MpiError { call: "MPI_Type_create_hindexed", text: "the offset is too large".into() },
            )?;
        let (number, mut parts) = (count(offsets.len().min(lengths.len()))?, byte());
        // SAFETY: both arrays have at least `number` elements, and `parts` is a valid place for a type.
        let code = unsafe {
            ffi::MPI_Type_create_hindexed(number, lengths.as_ptr(), offsets.as_ptr(), byte(), &raw mut parts)
        };
        check("MPI_Type_create_hindexed", code)?;
        // SAFETY: the type was created above.
        check("MPI_Type_commit", unsafe { ffi::MPI_Type_commit(&raw mut parts) })?;
        Ok(parts)
    }

    fn set_view(&mut self, parts: ffi::MPI_Datatype) -> Result<(), MpiError> {
        // SAFETY: the file is open, the type is committed, and the text ends with a zero byte.
        let code =
            unsafe { ffi::MPI_File_set_view(self.handle, 0, byte(), parts, c"native".as_ptr(), no_info()) };
        check("MPI_File_set_view", code)
    }

    /// Writes bytes on this rank alone. Returns the number that MPI reports.
    pub(crate) fn write_at(&mut self, offset: i64, bytes: &[u8]) -> Result<usize, MpiError> {
        let (length, mut status) = (count(bytes.len())?, Status::new());
        let from = address(bytes);
        // SAFETY: `bytes` has `length` bytes, and the file is open.
        let code =
            unsafe { ffi::MPI_File_write_at(self.handle, offset, from, length, byte(), status.place()) };
        check("MPI_File_write_at", code)?;
        status.count()
    }

    /// Collective: writes bytes of each rank.
    pub(crate) fn write_at_all(&mut self, offset: i64, bytes: &[u8]) -> Result<usize, MpiError> {
        let (length, mut status) = (count(bytes.len())?, Status::new());
        let from = address(bytes);
        // SAFETY: `bytes` has `length` bytes, and the file is open.
        let code =
            unsafe { ffi::MPI_File_write_at_all(self.handle, offset, from, length, byte(), status.place()) };
        check("MPI_File_write_at_all", code)?;
        status.count()
    }

    /// Reads bytes on this rank alone.
    pub(crate) fn read_at(&mut self, offset: i64, bytes: &mut [u8]) -> Result<usize, MpiError> {
        let (length, mut status, mut nothing) = (count(bytes.len())?, Status::new(), 0);
        let to = room(bytes, &mut nothing);
        // SAFETY: `bytes` has room for `length` bytes, and the file is open.
        let code = unsafe { ffi::MPI_File_read_at(self.handle, offset, to, length, byte(), status.place()) };
        check("MPI_File_read_at", code)?;
        status.count()
    }

    /// Collective: reads bytes of each rank.
    pub(crate) fn read_at_all(&mut self, offset: i64, bytes: &mut [u8]) -> Result<usize, MpiError> {
        let (length, mut status, mut nothing) = (count(bytes.len())?, Status::new(), 0);
        let to = room(bytes, &mut nothing);
        // SAFETY: `bytes` has room for `length` bytes, and the file is open.
        let code =
            unsafe { ffi::MPI_File_read_at_all(self.handle, offset, to, length, byte(), status.place()) };
        check("MPI_File_read_at_all", code)?;
        status.count()
    }

    /// Size of the file in bytes.
    pub(crate) fn size(&mut self) -> Result<u64, MpiError> {
        let mut size = 0;
        // SAFETY: the file is open, and `size` is a valid place for a number.
        check("MPI_File_get_size", unsafe { ffi::MPI_File_get_size(self.handle, &raw mut size) })?;
        Ok(size.max(0) as u64)
    }

    /// Collective: waits until the bytes that were written are on the storage device.
    pub(crate) fn sync(&mut self) -> Result<(), MpiError> {
        // SAFETY: the file is open.
        check("MPI_File_sync", unsafe { ffi::MPI_File_sync(self.handle) })
    }

    /// Collective: closes the file.
    pub(crate) fn close(mut self) -> Result<(), MpiError> {
        // SAFETY: the file is open, and cannot be used after this call, which consumes it.
        check("MPI_File_close", unsafe { ffi::MPI_File_close(&raw mut self.handle) })
    }
}

/// Room for the status of a call that reads or writes.
struct Status(ffi::MPI_Status);

impl Status {
    fn new() -> Self {
        // SAFETY: a status is a structure of integers, and each may be 0.
        Self(unsafe { std::mem::zeroed() })
    }

    const fn place(&mut self) -> *mut ffi::MPI_Status {
        &raw mut self.0
    }

    /// Number of bytes that were read or written, as MPI reports it.
    fn count(&self) -> Result<usize, MpiError> {
        let mut number = 0;
        // SAFETY: the status was set by a call of MPI that succeeded, and `number` is a valid place for a number.
        check("MPI_Get_count", unsafe { ffi::MPI_Get_count(&raw const self.0, byte(), &raw mut number) })?;
        Ok(usize::try_from(number).unwrap_or(0))
    }
}

/// Name and version of the MPI library.
pub(crate) fn library() -> String {
    const ROOM: usize = 16 << 10;
    const { assert!(ROOM > ffi::MPI_MAX_LIBRARY_VERSION_STRING as usize) };
    let mut text = vec![0_u8; ROOM];
    let mut length = 0;
    // SAFETY: the room is larger than the longest text, and `length` is a valid place for a number.
    let code = unsafe { ffi::MPI_Get_library_version(text.as_mut_ptr().cast::<c_char>(), &raw mut length) };
    text.truncate(if code == ffi::MPI_SUCCESS as c_int { length.max(0) as usize } else { 0 });
    String::from_utf8_lossy(&text).trim_end_matches('\0').trim().to_owned()
}
