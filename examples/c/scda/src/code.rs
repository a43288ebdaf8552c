//! Error codes (scda A.6), and the description of errors.

use std::ffi::c_int;

use linkstream::Class;
use linkstream::scda;
use linkstream_c_border::Failure;
use linkstream_parallel::{DIFFERENT, Error, ErrorKind, Fault};

/// Success.
pub(crate) const SUCCESS: c_int = 0;
const FORMAT: c_int = 100;
const VERSION: c_int = 101;
const TRUNCATED: c_int = 102;
const DECODE: c_int = 103;
const LIMIT: c_int = 104;
const SYSTEM: c_int = 200;
const NO_FILE: c_int = 201;
const ACCESS: c_int = 202;
const NO_SPACE: c_int = 203;
const BAD_FILE: c_int = 204;
const IO: c_int = 205;
/// There is not enough memory.
pub(crate) const MEMORY: c_int = 206;
/// The ranks cannot communicate.
pub(crate) const COMM: c_int = 290;
/// An argument without meaning.
pub(crate) const ARGUMENT: c_int = 300;
const SEQUENCE: c_int = 301;
const DIFFERENT_RANKS: c_int = 302;
/// A defect of this library.
pub(crate) const DEFECT: c_int = 390;

/// Text of each code.
const TEXTS: [(c_int, &str); 18] = [
    (SUCCESS, "success"),
    (FORMAT, "the file is no scda file, or its metadata are damaged"),
    (VERSION, "the file has a version of the format that is not supported"),
    (TRUNCATED, "the file ends inside a section"),
    (DECODE, "a compressed section is damaged"),
    (LIMIT, "a count or a section is larger than this library supports"),
    (SYSTEM, "the system reports an error"),
    (NO_FILE, "there is no such file or directory"),
    (ACCESS, "permission to access the file is missing"),
    (NO_SPACE, "there is no space left for the file"),
    (BAD_FILE, "the name is not a regular file, or cannot be the name of one"),
    (IO, "the device failed"),
    (MEMORY, "there is not enough memory"),
    (COMM, "the ranks cannot communicate"),
    (ARGUMENT, "an argument is invalid, or contradicts the file"),
    (SEQUENCE, "this call is not possible now"),
    (DIFFERENT_RANKS, "ranks passed different arguments, or made different calls"),
    (DEFECT, "a defect of this library"),
];

/// Text of a code.
pub(crate) fn text(code: c_int) -> Option<&'static str> {
    TEXTS.iter().find(|(each, _)| *each == code).map(|(_, text)| *text)
}

/// [`Fault::code`] of calls at a wrong time, next to [`DIFFERENT`].
const OUT_OF_SEQUENCE: i32 = 2;
/// [`Fault::code`] of counts that C cannot represent.
const TOO_LARGE: i32 = 3;

/// A call at a wrong time.
pub(crate) fn out_of_sequence(message: impl Into<String>) -> Fault {
    Fault { code: OUT_OF_SEQUENCE, ..Fault::usage(message) }
}

/// A count that C cannot represent, in a section at this offset.
pub(crate) fn too_large(offset: u64, message: impl Into<String>) -> Fault {
    Fault { code: TOO_LARGE, ..Fault::file(offset, "", message) }
}

/// Code of an error.
pub(crate) fn code(fault: &Fault) -> c_int {
    match fault.kind {
        ErrorKind::File => in_file(fault),
        ErrorKind::System | ErrorKind::Elsewhere => of_system(fault.code),
        ErrorKind::Communication => COMM,
        ErrorKind::Usage => match fault.code {
            DIFFERENT => DIFFERENT_RANKS,
            OUT_OF_SEQUENCE => SEQUENCE,
            _ => ARGUMENT,
        },
    }
}

/// Class and clause of a rule.
fn rule(name: &str) -> Option<(Class, &'static str)> {
    let rules = scda::ErrorKind::RULES;
    rules.iter().find(|rule| rule.name == name).map(|rule| (rule.class, rule.clause))
}

fn in_file(fault: &Fault) -> c_int {
    match rule(&fault.rule) {
        _ if fault.code == TOO_LARGE => LIMIT,
        // Only a file that has become shorter breaks no rule.
        None => TRUNCATED,
        Some((Class::Version | Class::Unsupported, _)) => VERSION,
        Some((Class::Truncated, _)) => TRUNCATED,
        Some((Class::Decode | Class::Checksum, _)) => DECODE,
        Some((Class::Limit, _)) => LIMIT,
        Some(_) => FORMAT,
    }
}

/// Translation of `errno`.
fn of_system(errno: i32) -> c_int {
    use std::io::ErrorKind as Io;
    match std::io::Error::from_raw_os_error(errno).kind() {
        _ if errno == 0 => SYSTEM,
        Io::NotFound | Io::NotADirectory => NO_FILE,
        Io::PermissionDenied | Io::ReadOnlyFilesystem => ACCESS,
        Io::StorageFull | Io::QuotaExceeded | Io::FileTooLarge => NO_SPACE,
        Io::IsADirectory | Io::InvalidFilename | Io::InvalidInput | Io::NotSeekable => BAD_FILE,
        Io::OutOfMemory => MEMORY,
        _ if errno == libc::EIO => IO,
        _ if errno == libc::ELOOP || errno == libc::ENXIO => BAD_FILE,
        _ => SYSTEM,
    }
}

/// Description of an error for C.
pub(crate) fn failure(error: Error, ranks: usize) -> Failure {
    let Error { rank, fault } = error;
    let message = if ranks > 1 { format!("rank {rank}: {}", fault.message) } else { fault.message };
    let clause = rule(&fault.rule).map_or(String::new(), |(_, clause)| clause.to_owned());
    Failure { rule: fault.rule, clause, offset: fault.offset, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_have_the_code_of_their_group() {
        let file = |rule: &str| code(&Fault::file(0, rule, ""));
        assert_eq!(file("scda-magic"), FORMAT);
        assert_eq!(file("scda-version"), VERSION);
        assert_eq!(file("scda-data-truncated"), TRUNCATED);
        assert_eq!(file("scda-second-half-missing"), TRUNCATED);
        assert_eq!(file("scda-adler32"), DECODE);
        assert_eq!(file("scda-too-long"), LIMIT);
        assert_eq!(file(""), TRUNCATED);
        assert_eq!(code(&too_large(0, "")), LIMIT);
        let system = |errno| code(&Fault::system(None, &std::io::Error::from_raw_os_error(errno)));
        for (errno, expected) in [
            (libc::ENOENT, NO_FILE),
            (libc::EACCES, ACCESS),
            (libc::EROFS, ACCESS),
            (libc::ENOSPC, NO_SPACE),
            (libc::EDQUOT, NO_SPACE),
            (libc::EISDIR, BAD_FILE),
            (libc::ENAMETOOLONG, BAD_FILE),
            (libc::ELOOP, BAD_FILE),
            (libc::EIO, IO),
            (libc::ENOMEM, MEMORY),
            (libc::EMFILE, SYSTEM),
        ] {
            assert_eq!(system(errno), expected, "{errno}");
        }
        assert_eq!(code(&Fault::system(None, &std::io::ErrorKind::OutOfMemory.into())), SYSTEM);
        assert_eq!(code(&Fault::usage("")), ARGUMENT);
        assert_eq!(code(&out_of_sequence("")), SEQUENCE);
        assert!(scda::ErrorKind::RULES.iter().all(|rule| text(file(rule.name)).is_some()));
    }
}
