//! Random calls of each reader on a source that fails at random, compared with the truth. The rules for all of them:
//!
//! - A call delivers the true data for the place where the calls before it have ended, or none.
//! - A call that fails may have delivered a part of the data. The part is true, and its length is the one that
//!   [`Interrupted`](ReadError::Interrupted) and `resume` report.
//! - After [`Lost`](ReadError::Lost) no call reads anything.
//! - A verdict is a match only for undamaged data, and a mismatch only for damaged data.
//! - A valid file is never refused, and no call ends with [`NoProgress`](ReadError::NoProgress), panics, or reads without
//!   end.

mod archives;
mod fields;
mod matrices;
mod records;
mod sections;
mod volumes;

use std::fmt::Debug;

use embedded_io::{ErrorKind, ErrorType, Read, Seek, SeekFrom};
use host_tests::drive::Random;
use linkstream::io::ReadError;

/// A source that returns few bytes at a time, and fails or is interrupted at random.
struct Unsteady<'f> {
    file: &'f [u8],
    at: u64,
    random: Random,
    /// One call in so many fails.
    fails: usize,
    /// Most bytes of a read.
    most: usize,
    /// Number of further reads. No sequence of calls here needs so many.
    left: u32,
}

impl ErrorType for Unsteady<'_> {
    type Error = ErrorKind;
}

impl Read for Unsteady<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, ErrorKind> {
        self.left = self.left.checked_sub(1).expect("a call that ends");
        if self.random.below(self.fails) == 0 {
            return Err(ErrorKind::TimedOut);
        }
        if self.random.below(7) == 0 {
            return Err(ErrorKind::Interrupted);
        }
        let rest = self.file.get(self.at as usize..).unwrap_or_default();
        let n = rest.len().min(out.len()).min(1 + self.random.below(self.most));
        out[..n].copy_from_slice(&rest[..n]);
        self.at += n as u64;
        Ok(n)
    }
}

impl Seek for Unsteady<'_> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64, ErrorKind> {
        if self.random.below(self.fails) == 0 {
            return Err(ErrorKind::TimedOut);
        }
        self.at = match to {
            SeekFrom::Start(to) => to,
            SeekFrom::End(by) => (self.file.len() as u64).checked_add_signed(by).expect("inside"),
            SeekFrom::Current(by) => self.at.checked_add_signed(by).expect("inside"),
        };
        Ok(self.at)
    }
}

/// A random sequence of calls. If it breaks a rule, its calls are printed.
struct Case {
    seed: u64,
    random: Random,
    calls: Vec<&'static str>,
    is_lost: bool,
    /// Number of calls that have delivered data.
    delivered: u32,
}

impl Case {
    fn source<'f>(&mut self, file: &'f [u8]) -> Unsteady<'f> {
        let (fails, most) = ([7, 30, 150][self.random.below(3)], [8, 60, 500][self.random.below(3)]);
        Unsteady { file, at: 0, random: Random(!self.seed), fails, most, left: 20_000 }
    }

    /// The buffer of a reader.
    fn buffer(&mut self) -> Vec<u8> {
        let most = [8, 60, 500][self.random.below(3)];
        vec![0; 1 + self.random.below(most)]
    }

    fn is_chosen(&mut self, one_in: usize) -> bool {
        self.random.below(one_in) == 0
    }

    /// The next call.
    fn call(&mut self, of: &[&'static str]) -> &'static str {
        let call = of[self.random.below(of.len())];
        self.calls.push(call);
        call
    }

    /// Checks the rules for the result of every call.
    fn check<T: Debug, K: Debug>(
        &mut self,
        result: Result<T, ReadError<ErrorKind, K>>,
    ) -> Result<T, ReadError<ErrorKind, K>> {
        match &result {
            Err(ReadError::Lost) => self.is_lost = true,
            Ok(_) | Err(ReadError::Io(_)) => assert!(!self.is_lost, "after `Lost`: {result:?}"),
            Err(ReadError::Format(_) | ReadError::NoProgress | ReadError::NoBuffer | ReadError::Limit(_)) => {
                panic!("{result:?}")
            }
            Err(_) => {}
        }
        result
    }
}

impl Drop for Case {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("seed {}: {:?}", self.seed, self.calls);
        }
    }
}

/// Runs cases, and returns the number of calls that have delivered data.
fn run(cases: u32, mut run: impl FnMut(&mut Case)) -> u32 {
    let cases = host_tests::long::number(10 * cases, 10);
    let run = |seed: u32| {
        let seed = u64::from(seed);
        let mut case =
            Case { seed, random: Random(seed << 32), calls: Vec::new(), is_lost: false, delivered: 0 };
        run(&mut case);
        case.delivered
    };
    (0..cases).map(run).sum()
}

/// The number of values at the front that a call has replaced. No value that it delivers equals the one before.
fn replaced<T: PartialEq>(out: &[T], before: &[T]) -> usize {
    out.iter().zip(before).position(|(now, before)| now == before).unwrap_or(before.len())
}
