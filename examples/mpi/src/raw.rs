//! The calls of MPI. All unsafe code of the package is in this file.
//!
//! MPI is initialised while any function of this file runs: the types of this file are created by `start` after it has
//! initialised MPI, and it lends them to the program, which returns before it finalises MPI.
#![allow(unsafe_code, reason = "MPI is a C library")]

use std::ffi::CString;
use std::fmt;
use std::marker::PhantomData;
use std::os::raw::{c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::time::{Duration, Instant};

use mpi::ffi;

/// Largest number of bytes of one call of MPI, whose counts are signed 32-bit numbers.
pub(crate) const MOST: usize = 1 << 30;

/// A failed call of MPI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MpiError {
    call: &'static str,
    /// MPI's text, which some implementations begin with other words than the reason.
    text: String,
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

/// Ends all ranks of the job at once, with this exit status.
pub(crate) fn abort(status: u8) -> ! {
    // SAFETY: MPI may be called from any thread for this: the process ends in this call.
    unsafe { ffi::MPI_Abort(world(), c_int::from(status)) };
    std::process::abort()
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
    /// MPI is called from the main thread only.
    not_send: PhantomData<*const ()>,
}

impl Ranks {
    /// Collective: duplicates the communicator of all ranks.
    pub(crate) fn duplicate() -> Result<Self, MpiError> {
        let mut comm = world();
        // SAFETY: the communicator of all ranks can be duplicated while MPI is initialised.
        check("MPI_Comm_dup", unsafe { ffi::MPI_Comm_dup(world(), &raw mut comm) })?;
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
        Ok(Self { comm, rank: rank.max(0) as usize, size: size.max(1) as usize, not_send: PhantomData })
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
        let own = numbers.to_vec();
        let (length, mut nothing) = (count(own.len())?, 0);
        let to = room(numbers, &mut nothing);
        // SAFETY: both buffers have `length` numbers of 64 bits and do not overlap. All ranks pass the same length.
        let code =
            unsafe { ffi::MPI_Allreduce(address(&own), to, length, word(), reduction.op(), self.comm) };
        check("MPI_Allreduce", code)
    }

    /// Collective: sums of the numbers of the ranks below the own one.
    pub(crate) fn scan(&self, numbers: &mut [u64]) -> Result<(), MpiError> {
        let own = numbers.to_vec();
        let (length, mut nothing) = (count(own.len())?, 0);
        let to = room(numbers, &mut nothing);
        let sum = Reduction::Sum.op();
        // SAFETY: both buffers have `length` numbers of 64 bits and do not overlap. All ranks pass the same length.
        let code = unsafe { ffi::MPI_Exscan(address(&own), to, length, word(), sum, self.comm) };
        check("MPI_Exscan", code)?;
        if self.rank == 0 {
            // MPI leaves the result of rank 0 undefined.
            numbers.fill(0);
        }
        Ok(())
    }

    /// Collective: copies the bytes of one rank to all.
    pub(crate) fn broadcast(&self, root: usize, bytes: &mut [u8]) -> Result<(), MpiError> {
        let root = count(root)?;
        for part in bytes.chunks_mut(MOST) {
            let length = count(part.len())?;
            let to = part.as_mut_ptr().cast();
            // SAFETY: the buffer has `length` bytes, at least one. All ranks pass the same lengths and root.
            check("MPI_Bcast", unsafe { ffi::MPI_Bcast(to, length, byte(), root, self.comm) })?;
        }
        Ok(())
    }

    /// Collective: sends one number to each rank, and returns the numbers from each rank.
    pub(crate) fn all_to_all(&self, numbers: &[u64]) -> Result<Vec<u64>, MpiError> {
        let mut from = vec![0_u64; self.size];
        if numbers.len() != self.size {
            return Err(MpiError { call: "MPI_Alltoall", text: "one number for each rank is needed".into() });
        }
        let to = from.as_mut_ptr().cast();
        // SAFETY: both buffers have one number of 64 bits for each rank, and do not overlap.
        let code = unsafe { ffi::MPI_Alltoall(address(numbers), 1, word(), to, 1, word(), self.comm) };
        check("MPI_Alltoall", code)?;
        Ok(from)
    }

    /// Sends bytes to ranks and receives bytes from ranks, in parts of at most `most` bytes. Each rank knows how much it
    /// receives: `receive` has the room, and is returned filled. No message may be for the own rank.
    pub(crate) fn transfer(
        &self,
        send: Vec<(usize, Vec<u8>)>,
        mut receive: Vec<(usize, Vec<u8>)>,
        most: usize,
    ) -> Result<Vec<(usize, Vec<u8>)>, MpiError> {
        let mut requests = Vec::new();
        let outcome = self.begin(&send, &mut receive, most, &mut requests).and_then(|()| {
            let length = count(requests.len())?;
            if length == 0 {
                return Ok(());
            }
            // SAFETY: a constant that the C code of rsmpi defines.
            let no_statuses = unsafe { ffi::RSMPI_STATUSES_IGNORE };
            let all = requests.as_mut_ptr();
            // SAFETY: `requests` has `length` requests that MPI has created. Their buffers are not moved, freed or
            // accessed before this call has ended.
            check("MPI_Waitall", unsafe { ffi::MPI_Waitall(length, all, no_statuses) })
        });
        match outcome {
            Ok(()) => Ok(receive),
            Err(error) => {
                // MPI may still read from and write to these buffers, so they must exist until the process ends.
                std::mem::forget((send, receive));
                Err(error)
            }
        }
    }

    /// Begins the requests of [`transfer`](Self::transfer).
    fn begin(
        &self,
        send: &[(usize, Vec<u8>)],
        receive: &mut [(usize, Vec<u8>)],
        most: usize,
        requests: &mut Vec<ffi::MPI_Request>,
    ) -> Result<(), MpiError> {
        const TAG: c_int = 1;
        // SAFETY: a constant that the C code of rsmpi defines.
        let none = unsafe { ffi::RSMPI_REQUEST_NULL };
        for (rank, bytes) in receive {
            for part in bytes.chunks_mut(most) {
                let (length, from, mut request) = (count(part.len())?, count(*rank)?, none);
                let to = part.as_mut_ptr().cast();
                // SAFETY: `part` has `length` bytes, at least one, and exists until the request has ended: see
                // `transfer`. Nothing else accesses it.
                let code =
                    unsafe { ffi::MPI_Irecv(to, length, byte(), from, TAG, self.comm, &raw mut request) };
                check("MPI_Irecv", code)?;
                requests.push(request);
            }
        }
        for (rank, bytes) in send {
            for part in bytes.chunks(most) {
                let (length, to, mut request) = (count(part.len())?, count(*rank)?, none);
                // SAFETY: `part` has `length` bytes, at least one, and exists until the request has ended: see
                // `transfer`. Nothing writes to it.
                let code = unsafe {
                    ffi::MPI_Isend(address(part), length, byte(), to, TAG, self.comm, &raw mut request)
                };
                check("MPI_Isend", code)?;
                requests.push(request);
            }
        }
        Ok(())
    }

    /// Collective: waits until all ranks have entered this call, without using the processor much. Ends early if
    /// `go_on` returns false, which is called with the time waited so far. Returns whether all ranks have entered.
    pub(crate) fn meet(&self, mut go_on: impl FnMut(Duration) -> bool) -> Result<bool, MpiError> {
        // SAFETY: a constant that the C code of rsmpi defines.
        let mut request = unsafe { ffi::RSMPI_REQUEST_NULL };
        // SAFETY: `request` is a valid place for a request, which uses no buffers.
        check("MPI_Ibarrier", unsafe { ffi::MPI_Ibarrier(self.comm, &raw mut request) })?;
        let begin = Instant::now();
        loop {
            let mut done = 0;
            // SAFETY: `request` was created by MPI and has not ended, and `done` is a valid place for a number.
            let code = unsafe { ffi::MPI_Test(&raw mut request, &raw mut done, no_status()) };
            check("MPI_Test", code)?;
            if done != 0 {
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
