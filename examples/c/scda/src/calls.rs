//! Opening and closing a file, and texts of errors (scda A.3 and A.6).
#![allow(unsafe_code, reason = "the C interface")]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::Path;
use std::ptr;

use linkstream::Mode;
use linkstream::scda::Style;
use linkstream_c_border::{Failure, Unwound, fail, guard, guarded, replaces_when_complete};
use linkstream_c_ranks::{Callbacks, Ranks};
use linkstream_parallel::comm::{Comm as _, CommError};
use linkstream_parallel::file::IoOptions;
use linkstream_parallel::scda::{ReadOptions, WriteOptions};
use linkstream_parallel::{Arguments, Error, Fault};

use crate::code::{ARGUMENT, COMM, DEFECT, MEMORY, SUCCESS, code, failure, text};
use crate::context::{Context, FILES, Purpose, Refusal};
use crate::memory::{path, place, put_userstr, userstr, userstr_c};
use crate::release::{Free, Release};

/// Communicator of a serial program: `SCDA_COMM_WORLD` in `scda.h`.
const COMM_WORLD: c_int = 0x5cda_0001;
/// Communicator of a serial program: `SCDA_COMM_SELF` in `scda.h`.
const COMM_SELF: c_int = 0x5cda_0002;

/// Options of [`scda_fopen_with`]: `scda_options` in `scda.h`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Options {
    struct_size: usize,
    release: Option<Free>,
    vendor: *const c_char,
    style: c_int,
    level: c_int,
    strict: c_int,
    replace: c_int,
    keep: c_int,
    io_engine: c_int,
    io_ranks: u64,
    io_buffer: u64,
    io_stripe: u64,
}

/// An old file is replaced when the new one is complete: `SCDA_REPLACE_COMPLETE` in `scda.h`.
const REPLACE_COMPLETE: c_int = 0;
/// An old file is truncated: `SCDA_REPLACE_AT_ONCE`.
const REPLACE_AT_ONCE: c_int = 1;
/// The variable `LINKSTREAM_REPLACE` decides: `SCDA_REPLACE_AS_SET`.
const REPLACE_AS_SET: c_int = 2;

/// Sizes of the options of earlier versions: before `replace`, and before `io_engine`. With pointers of 64 bits, the
/// next member was padding.
const OLD_SIZES: [usize; 2] = [
    std::mem::offset_of!(Options, replace).next_multiple_of(align_of::<usize>()),
    std::mem::offset_of!(Options, io_engine).next_multiple_of(align_of::<usize>()),
];

impl Options {
    const DEFAULT: Self = Self {
        struct_size: size_of::<Self>(),
        release: None,
        vendor: ptr::null(),
        style: 0,
        level: 0,
        strict: 0,
        replace: REPLACE_COMPLETE,
        keep: 0,
        io_engine: 0,
        io_ranks: 0,
        io_buffer: 0,
        io_stripe: 0,
    };

    /// The options of the calls of the paper, which have none.
    const OF_PAPER: Self = Self { replace: REPLACE_AS_SET, ..Self::DEFAULT };

    /// Options of a program.
    ///
    /// # Safety
    /// The pointer is null, or points to options.
    unsafe fn of(options: *const Self) -> Result<Self, Fault> {
        if options.is_null() {
            return Ok(Self::DEFAULT);
        }
        if !options.is_aligned() {
            return Err(Fault::usage("options is not a valid pointer: its address is not aligned"));
        }
        // SAFETY: as this function requires; the size comes first.
        let size = unsafe { *options.cast::<usize>() };
        if OLD_SIZES.contains(&size) {
            let mut known = Self::DEFAULT;
            // SAFETY: the program's structure has so many bytes, and so has this one; they are the same members.
            unsafe { ptr::copy_nonoverlapping(options.cast::<u8>(), (&raw mut known).cast(), size) };
            if size == OLD_SIZES[0] {
                (known.replace, known.keep) = (REPLACE_AS_SET, 0);
            }
            return Ok(Self { struct_size: size_of::<Self>(), io_engine: 0, ..known });
        }
        if size != size_of::<Self>() {
            let expected = size_of::<Self>();
            return Err(Fault::usage(format!("struct_size of the options is {size}, and not {expected}")));
        }
        // SAFETY: as this function requires; the structure has the expected size.
        Ok(unsafe { *options })
    }

    /// The options for writing a file.
    ///
    /// # Safety
    /// The vendor string is null or a C string.
    unsafe fn to_write(self) -> Result<WriteOptions, Fault> {
        let mut options = WriteOptions::default();
        if !self.vendor.is_null() {
            // SAFETY: as this function requires.
            options.vendor = linkstream_memory::copied(unsafe { CStr::from_ptr(self.vendor) }.to_bytes())?;
        }
        options.style = match self.style {
            0 => Style::Unix,
            1 => Style::Mime,
            style => return Err(Fault::usage(format!("there is no style {style}"))),
        };
        options.level = match self.level {
            -1 => 0,
            0 => 6,
            level @ 1..=9 => level as u8,
            // The level of another compressor, which earlier versions had.
            10 => 9,
            level => return Err(Fault::usage(format!("there is no level of compression {level}"))),
        };
        options.replace = match self.replace {
            REPLACE_COMPLETE => true,
            REPLACE_AT_ONCE => false,
            REPLACE_AS_SET => replaces_when_complete().map_err(|failure| Fault::usage(failure.message))?,
            replace => return Err(Fault::usage(format!("there is no way to replace a file {replace}"))),
        };
        Ok(options)
    }

    /// The options of the engine.
    fn io(self) -> Result<IoOptions, Fault> {
        let direct = match self.io_engine {
            0 => None,
            1 => Some(false),
            2 => Some(true),
            engine => return Err(Fault::usage(format!("there is no engine {engine}"))),
        };
        Ok(IoOptions { per_node: self.io_ranks, buffer: self.io_buffer, stripe: self.io_stripe, direct })
    }

    fn to_read(self) -> ReadOptions {
        ReadOptions { mode: if self.strict == 0 { Mode::Lenient } else { Mode::Strict } }
    }
}

/// Keeps an error, and returns its code.
pub(crate) fn refused(refusal: Refusal) -> c_int {
    let Refusal { error, ranks } = refusal;
    let code = code(&error.fault);
    fail(&failure(error, ranks));
    code
}

/// Code of a call that ended without a result.
const fn of_unwound(unwound: Unwound) -> c_int {
    match unwound {
        Unwound::Memory => MEMORY,
        Unwound::Defect => DEFECT,
    }
}

/// Runs a call that returns a code.
fn coded(call: impl FnOnce() -> c_int) -> c_int {
    guarded(call).unwrap_or_else(of_unwound)
}

/// Sets the error of a call.
///
/// # Safety
/// `err` is null or points to a number.
pub(crate) unsafe fn set(err: *mut c_int, code: c_int) {
    // SAFETY: as this function requires.
    if let Ok(err) = unsafe { place(err, "err") } {
        *err = code;
    }
}

/// Checks the pointer of a call's error. The error of a call without it would not be noticed.
pub(crate) fn err_is_there(err: *mut c_int) -> Result<(), Fault> {
    // SAFETY: nothing is read or written through the place.
    unsafe { place(err, "err") }.map(drop)
}

/// Runs a call on an open file, and returns the file. After an error, the file is closed and freed, and null is
/// returned.
///
/// # Safety
/// `err` is null or points to a number.
pub(crate) unsafe fn on_file(
    f: *mut Context,
    err: *mut c_int,
    call: impl FnOnce(&mut Context) -> Result<(), Error>,
) -> *mut Context {
    let code = guarded(|| match FILES.with(f, call) {
        Ok(Ok(())) => SUCCESS,
        Ok(Err(error)) => match FILES.close(f) {
            Ok(context) => refused(context.end(error)),
            Err(failure) => local(&failure),
        },
        Err(failure) => local(&failure),
    });
    let code = code.unwrap_or_else(|unwound| {
        // The file is closed without communication.
        guard((), || drop(FILES.free(f)));
        of_unwound(unwound)
    });
    // SAFETY: as this function requires.
    unsafe { set(err, code) };
    if code == SUCCESS { f } else { ptr::null_mut() }
}

/// Keeps an error of this rank alone, which has no open file.
fn local(failure: &Failure) -> c_int {
    fail(failure);
    ARGUMENT
}

/// Opens a file in a serial program (A.3.1).
///
/// # Safety
/// `filename` is null or a C string. `userstr` is a C string with mode `w`; with mode `r`, it is null or room for 59
/// bytes. `err` is null or points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scda_fopen(
    mpicomm: c_int,
    filename: *const c_char,
    mode: c_char,
    userstr: *mut c_char,
    err: *mut c_int,
) -> *mut Context {
    if mpicomm != COMM_WORLD && mpicomm != COMM_SELF {
        let message = "the communicator is neither SCDA_COMM_WORLD nor SCDA_COMM_SELF: a program with MPI must include \
                       mpi.h before scda.h";
        // SAFETY: as this function requires.
        unsafe { set(err, coded(|| local(&Failure::usage(message)))) };
        return ptr::null_mut();
    }
    // SAFETY: as this function requires.
    unsafe { scda_fopen_comm(ptr::null(), filename, mode, userstr, err) }
}

/// Opens a file for the ranks of a program (A.3.1).
///
/// # Safety
/// The requirements of [`scda_fopen_with`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scda_fopen_comm(
    comm: *const Callbacks,
    filename: *const c_char,
    mode: c_char,
    userstr: *mut c_char,
    err: *mut c_int,
) -> *mut Context {
    // SAFETY: as this function requires.
    unsafe { scda_fopen_with(comm, &Options::OF_PAPER, filename, mode, userstr.cast(), ptr::null_mut(), err) }
}

/// Opens a file for the ranks of a program, with a user string of any bytes, and with options.
///
/// # Safety
/// `comm` is null, or its functions do what `linkstream_comm.h` says until the file is closed. `options` is null or
/// points to options. `filename` is null or a C string. `userstr` has `*length` bytes, or is a C string if `length` is
/// null; with mode `r`, it is null or room for 59 bytes. `err` is null or points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scda_fopen_with(
    comm: *const Callbacks,
    options: *const Options,
    filename: *const c_char,
    mode: c_char,
    userstr: *mut c_void,
    length: *mut usize,
    err: *mut c_int,
) -> *mut Context {
    let opened = guarded(|| {
        // SAFETY: as this function requires.
        let ranks = unsafe { Ranks::new(comm) }.map_err(|error| without_ranks(&error))?;
        // SAFETY: as this function requires.
        let options = unsafe { Options::of(options) };
        let release = match &options {
            Ok(Options { release: Some(free), .. }) if !comm.is_null() => {
                // SAFETY: `Ranks::new` has found a structure there.
                let context = unsafe { (*comm).context };
                // SAFETY: the program passes the function for this context, which it does not use otherwise.
                unsafe { Release::new(*free, context) }
            }
            _ => Release::NOTHING,
        };
        let keeps = matches!(&options, Ok(options) if options.keep != 0);
        // SAFETY: as this function requires.
        let path = unsafe { path(filename, "filename") };
        let io = options.clone().and_then(Options::io);
        // SAFETY: as this function requires.
        let purpose = options.and_then(|options| unsafe { purpose(mode, options, userstr, length) });
        let arguments = Arguments::new("scda_fopen").text("mode", &[mode as u8]);
        let arguments =
            arguments.text("filename", path.as_ref().map_or(&[], |path| path.as_os_str().as_encoded_bytes()));
        let arguments = match &purpose {
            Ok(Purpose::Write(userstr, options)) => {
                let arguments = arguments.text("userstr", userstr).text("vendor", &options.vendor);
                let arguments = arguments.choice("style", &options.style).word("level", options.level.into());
                arguments.flag("replace", options.replace).flag("keep", keeps)
            }
            Ok(Purpose::Read(options)) => arguments.choice("strict", options),
            Err(_) => arguments,
        };
        let arguments = match &io {
            Ok(IoOptions { per_node, buffer, stripe, direct }) => {
                let arguments = arguments.word("io_ranks", *per_node).word("io_buffer", *buffer);
                arguments.word("io_stripe", *stripe).choice("io_engine", direct)
            }
            Err(_) => arguments,
        };
        let ready = err_is_there(err).and_then(|()| Ok((path?, purpose?, io?)));
        // SAFETY: as this function requires.
        unsafe { open(ranks, arguments, ready, (release, keeps), (userstr, length)) }.map_err(refused)
    });
    let opened = opened.unwrap_or_else(|unwound| Err(of_unwound(unwound)));
    let (file, code) = match opened {
        Ok(file) => (file, SUCCESS),
        Err(code) => (ptr::null_mut(), code),
    };
    // SAFETY: as this function requires.
    unsafe { set(err, code) };
    file
}

/// Opens a file, and fills the room for its user string.
///
/// # Safety
/// The room is null, or has 59 bytes with mode `r`. The pointer to its length is null, or points to a number.
unsafe fn open(
    ranks: Ranks,
    arguments: Arguments,
    ready: Result<(&Path, Purpose, IoOptions), Fault>,
    (release, keeps): (Release, bool),
    (room, length): (*mut c_void, *mut usize),
) -> Result<*mut Context, Refusal> {
    let (path, purpose, io) = match arguments.enter(&ranks, ready) {
        Ok(ready) => ready,
        Err(error) => {
            let usable = error.fault.kind != linkstream_parallel::ErrorKind::Communication;
            release.call(usable);
            return Err(Refusal { error, ranks: ranks.size() });
        }
    };
    // An old file that is kept until the new one is complete is not replaced by a file that lacks sections.
    let keeps = keeps && matches!(&purpose, Purpose::Write(_, options) if !options.replace);
    let mut context = Context::open(ranks, path, &purpose, io, (release, keeps))?;
    if let Purpose::Read(_) = purpose {
        let found = context.userstr();
        // SAFETY: as this function requires.
        unsafe { put_userstr(room, &found) };
        // SAFETY: as this function requires.
        if let Ok(length) = unsafe { place(length, "length") } {
            *length = found.len();
        }
    }
    Ok(FILES.create(context))
}

/// The purpose of opening a file.
///
/// # Safety
/// The pointers are as [`scda_fopen_with`] requires.
unsafe fn purpose(
    mode: c_char,
    options: Options,
    string: *mut c_void,
    length: *mut usize,
) -> Result<Purpose, Fault> {
    match mode as u8 {
        b'r' => Ok(Purpose::Read(options.to_read())),
        b'w' => {
            let string = if length.is_null() {
                // SAFETY: as this function requires.
                unsafe { userstr_c(string.cast()) }
            } else {
                // SAFETY: as this function requires.
                let length = *unsafe { place(length, "length") }?;
                // SAFETY: as this function requires.
                unsafe { userstr(string, length) }
            }?;
            // SAFETY: as this function requires.
            Ok(Purpose::Write(string.to_vec(), unsafe { options.to_write() }?))
        }
        mode => Err(Fault::usage(format!("the mode is neither 'r' nor 'w' (it is the character {mode})"))),
    }
}

/// Keeps the error of a program without usable ranks.
fn without_ranks(error: &CommError) -> c_int {
    fail(&Failure::usage(error.to_string()));
    COMM
}

/// Sets the error of a program that could not create its ranks. Returns null.
///
/// # Safety
/// `err` is null or points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scda_fopen_failed(err: *mut c_int) -> *mut Context {
    let error =
        CommError::new("the ranks of the communicator cannot be determined, or it cannot be duplicated");
    // SAFETY: as this function requires.
    unsafe { set(err, coded(|| without_ranks(&error))) };
    ptr::null_mut()
}

/// Ends the call that the other ranks make with an error of this rank, or sets an error if `f` is null. Without a message,
/// the ranks only agree that no rank refuses.
///
/// # Safety
/// `message` is null or a C string; `err` is null or points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scda_frefuse(
    f: *mut Context,
    message: *const c_char,
    err: *mut c_int,
) -> *mut Context {
    let refusal = || {
        if message.is_null() {
            return Ok(());
        }
        // SAFETY: as this function requires.
        Err(unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned())
    };
    if f.is_null() {
        let refused = || refusal().map_or_else(|message| local(&Failure::usage(message)), |()| SUCCESS);
        // SAFETY: as this function requires.
        unsafe { set(err, coded(refused)) };
        return ptr::null_mut();
    }
    let call = |context: &mut Context| {
        let ready = err_is_there(err).and_then(|()| refusal().map_err(Fault::usage));
        context.enter(Arguments::new("scda_frefuse"), ready)
    };
    // SAFETY: as this function requires.
    unsafe { on_file(f, err, call) }
}

/// Closes a file (A.3.2). Returns 0 if all is well.
///
/// # Safety
/// `err` is null or points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scda_fclose(f: *mut Context, err: *mut c_int) -> c_int {
    let code = coded(|| match FILES.close(f) {
        Ok(context) => context.close(err_is_there(err)).map_or_else(refused, |()| SUCCESS),
        Err(failure) => local(&failure),
    });
    // SAFETY: as this function requires.
    unsafe { set(err, code) };
    if code == SUCCESS { 0 } else { -1 }
}

/// Text of an error code (A.6.1).
///
/// # Safety
/// `length` is null or points to a number; `errorstr` is null or has so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scda_ferror_string(err: c_int, errorstr: *mut c_char, length: *mut c_int) -> c_int {
    guard(-1, || {
        // SAFETY: as this function requires.
        let Ok(length) = (unsafe { place(length, "length") }) else { return -1 };
        let size = u64::try_from(std::mem::take(length)).unwrap_or(0);
        // SAFETY: as this function requires.
        let room = unsafe { crate::memory::slice_mut(errorstr.cast::<u8>(), size, "errorstr") };
        let (Some(text), Ok(room)) = (text(err), room) else { return -1 };
        let Some(most) = room.len().checked_sub(1) else { return -1 };
        let text = &text.as_bytes()[..text.len().min(most)];
        room[..text.len()].copy_from_slice(text);
        room[text.len()] = 0;
        *length = text.len() as c_int;
        0
    })
}
