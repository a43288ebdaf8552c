//! Arguments of a collective call that must be the same on all ranks.

use std::io::Write as _;

use crate::comm::{Comm, CommError, Op};
use crate::error::{Error, ErrorKind, Fault, agree, agree_with, rank_at};

/// Largest digest. Both the digest and its complement can be compared by MPI.
const LARGEST: u64 = (1 << 62) - 1;

/// [`Fault::code`] if ranks pass different arguments.
pub const DIFFERENT: i32 = 1;

/// Most arguments of a call that can have a name; the digest has further ones, too.
const NAMED: usize = 12;

/// Most bytes of a value that are shown.
const SHOWN: usize = 64;

/// A digest of the arguments of a call, which detects that ranks pass different ones.
///
/// The scda paper leaves this undefined (A.2). [`enter`](Self::enter) compares the digests before a call does anything;
/// [`agree`](Self::agree) compares them at its end, without a message of its own: they may have been used. The error
/// names the first argument that differs, and both values, if it was added with a name.
///
/// ```
/// use linkstream_parallel::Arguments;
/// use linkstream_parallel::comm::{Comm, Threads};
///
/// let errors = Threads::new(3).run(|comm| {
///     let root = if comm.rank() == 2 { 1 } else { 0 };
///     let arguments = Arguments::new("write a block").number(root);
///     arguments.agree(comm, Ok(())).map_err(|error| error.rank)
/// });
/// assert_eq!(errors, [Err(2); 3]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arguments {
    call: &'static str,
    state: u64,
    /// The name in the error.
    named: [Named; NAMED],
}

/// An argument with a name, as the error shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Named {
    name: &'static str,
    /// The state with this argument and all before it.
    state: u64,
    value: [u8; SHOWN],
}

const UNNAMED: Named = Named { name: "", state: 0, value: [0; SHOWN] };

impl Named {
    fn value(&self) -> String {
        shown(&self.value)
    }
}

/// A value up to its zero bytes.
fn shown(value: &[u8]) -> String {
    String::from_utf8_lossy(value).trim_end_matches('\0').to_owned()
}

impl Arguments {
    /// The digest of a call without arguments. `call` is a verb and its object.
    #[must_use]
    pub fn new(call: &'static str) -> Self {
        Self { call, state: 0xcbf2_9ce4_8422_2325, named: [UNNAMED; NAMED] }.bytes(call.as_bytes())
    }

    /// Adds bytes, and their number.
    #[must_use]
    pub fn bytes(self, bytes: &[u8]) -> Self {
        bytes.iter().fold(self.number(bytes.len() as u64), |digest, byte| digest.number((*byte).into()))
    }

    /// Adds numbers, and how many they are.
    #[must_use]
    pub fn numbers(self, numbers: &[u64]) -> Self {
        numbers.iter().fold(self.number(numbers.len() as u64), |digest, number| digest.number(*number))
    }

    /// Adds a number.
    #[must_use]
    pub const fn number(self, number: u64) -> Self {
        // The odd factor spreads bits upwards, the rotation brings them down again, so that order matters.
        let mixed = (self.state ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Self { state: mixed.rotate_left(29) ^ mixed, ..self }
    }

    /// Adds a number that the error names.
    #[must_use]
    pub fn word(self, name: &'static str, number: u64) -> Self {
        self.number(number).show(name, format_args!("{number}"))
    }

    /// Adds a flag that the error names.
    #[must_use]
    pub fn flag(self, name: &'static str, flag: bool) -> Self {
        self.number(flag.into()).show(name, format_args!("{flag}"))
    }

    /// Adds a text that the error names. Its first bytes are shown.
    #[must_use]
    pub fn text(self, name: &'static str, text: &[u8]) -> Self {
        self.bytes(text).show(name, format_args!("\"{}\" ({} bytes)", text.escape_ascii(), text.len()))
    }

    /// Adds numbers that the error names. The first ones are shown.
    #[must_use]
    pub fn list(self, name: &'static str, numbers: &[u64]) -> Self {
        self.numbers(numbers).show(name, format_args!("{:?}", &numbers[..numbers.len().min(SHOWN)]))
    }

    /// Adds one of several possibilities that the error names.
    #[must_use]
    pub fn choice(self, name: &'static str, choice: &dyn std::fmt::Debug) -> Self {
        self.bytes(format!("{choice:?}").as_bytes()).show(name, format_args!("{choice:?}"))
    }

    /// Names what was added last.
    fn show(mut self, name: &'static str, value: std::fmt::Arguments<'_>) -> Self {
        let state = self.state;
        if let Some(next) = self.named.iter_mut().find(|named| named.name.is_empty()) {
            *next = Named { name, state, value: [0; SHOWN] };
            let [room @ .., _, _, _] = &mut next.value;
            if (&mut room[..]).write_fmt(value).is_err() {
                next.value[SHOWN - 3..].copy_from_slice(b"...");
            }
        }
        self
    }

    /// Forgets the names of what was added so far; the digest stays.
    #[must_use]
    pub(crate) const fn unnamed(self) -> Self {
        Self { named: [UNNAMED; NAMED], ..self }
    }

    /// Collective: agrees on the outcome of a call, and on its arguments. One small collective call.
    ///
    /// # Errors
    /// The errors of [`agree`](crate::error::agree). If arguments differ, this is the error, whatever else went wrong;
    /// its rank is the lowest one whose arguments differ from rank 0's.
    pub fn agree<T>(self, comm: &impl Comm, outcome: Result<T, Fault>) -> Result<T, Error> {
        let own = self.digest();
        let mut largest = [own, LARGEST - own];
        let agreed = agree_with(comm, outcome, &mut largest);
        let is_lost = matches!(&agreed, Err(error) if error.fault.kind == ErrorKind::Communication);
        if is_lost || largest[0] == LARGEST - largest[1] {
            return agreed;
        }
        self.refuse(comm)
    }

    /// Collective: agrees before a call that all ranks have the same arguments, and are ready. A rank that is not ready
    /// takes no part in the comparison: its error comes first. One small collective call.
    ///
    /// It is the same collective call whatever the arguments are. So ranks that make different calls get an error, and
    /// none waits for the others, if all calls begin with it.
    ///
    /// # Errors
    /// A rank is not ready, arguments differ, or the ranks cannot communicate.
    ///
    /// ```
    /// use linkstream_parallel::comm::{Comm, Threads};
    /// use linkstream_parallel::{Arguments, Fault};
    ///
    /// let errors = Threads::new(3).run(|comm| {
    ///     let call = if comm.rank() == 2 { "write" } else { "close" };
    ///     Arguments::new(call).enter(comm, Ok(())).map_err(|error| error.rank)
    /// });
    /// assert_eq!(errors, [Err(2); 3]);
    /// let errors = Threads::new(3).run(|comm| {
    ///     let number = if comm.rank() == 1 { Err(Fault::usage("no number")) } else { Ok(comm.rank()) };
    ///     let arguments = Arguments::new("write").number(comm.rank() as u64);
    ///     arguments.enter(comm, number).map_err(|error| error.fault.message)
    /// });
    /// assert_eq!(errors, vec![Err("no number".to_owned()); 3]);
    /// ```
    pub fn enter<T>(self, comm: &impl Comm, ready: Result<T, Fault>) -> Result<T, Error> {
        let own = self.digest();
        // Neither of two zeros is the largest number if another rank compares.
        let mut largest = if ready.is_ok() { [own, LARGEST - own] } else { [0; 2] };
        let ready = agree_with(comm, ready, &mut largest)?;
        if largest[0] == LARGEST - largest[1] { Ok(ready) } else { self.refuse(comm) }
    }

    /// Collective: the error of ranks that pass different arguments. It names the first argument that differs, and both
    /// values.
    fn refuse<T>(self, comm: &impl Comm) -> Result<T, Error> {
        match self.compare(comm) {
            Ok((rank, fault)) => {
                agree(comm, if comm.rank() == rank { Err(fault.clone()) } else { Ok(()) })?;
                Err(Error { rank, fault })
            }
            Err(error) => Err(Error { rank: comm.rank(), fault: error.into() }),
        }
    }

    /// Collective: the lowest rank whose arguments are not rank 0's, and there the error of all ranks.
    fn compare(self, comm: &impl Comm) -> Result<(usize, Fault), CommError> {
        let rank = differing(comm, self.digest())?;
        let mut first = [0; SHOWN + NAMED * (8 + SHOWN)];
        let (call, values) = first.split_at_mut(SHOWN);
        if comm.rank() == 0 {
            let length = self.call.len().min(SHOWN);
            call[..length].copy_from_slice(&self.call.as_bytes()[..length]);
            for (place, named) in values.chunks_exact_mut(8 + SHOWN).zip(&self.named) {
                let (state, value) = place.split_at_mut(8);
                state.copy_from_slice(&named.state.to_le_bytes());
                value.copy_from_slice(&named.value);
            }
        }
        comm.broadcast(0, &mut first)?;
        let (call, values) = first.split_at(SHOWN);
        let mut fault = self.differ();
        let own = self.call.as_bytes();
        if !call.starts_with(&own[..own.len().min(SHOWN)])
            || call.get(own.len()).is_some_and(|byte| *byte != 0)
        {
            fault.message = format!(
                "ranks made different calls: \"{}\" on rank {rank}, \"{}\" on rank 0",
                self.call,
                shown(call)
            );
            return Ok((rank, fault));
        }
        let differs = values
            .chunks_exact(8 + SHOWN)
            .zip(&self.named)
            .find(|(place, named)| !named.name.is_empty() && place[..8] != named.state.to_le_bytes());
        if let Some((place, named)) = differs {
            let (name, value, other) = (named.name, named.value(), shown(&place[8..]));
            fault.message += &format!(": {name} is {value} on rank {rank}, but {other} on rank 0");
        }
        Ok((rank, fault))
    }

    /// The digest, below 2^62.
    pub(crate) const fn digest(self) -> u64 {
        self.state & LARGEST
    }

    /// The error of ranks that pass different arguments.
    pub(crate) fn differ(self) -> Fault {
        let fault = Fault::usage(format!("ranks passed different arguments to: {}", self.call));
        Fault { code: DIFFERENT, ..fault }
    }
}

/// The lowest rank whose digest is not the one of rank 0.
fn differing(comm: &impl Comm, own: u64) -> Result<usize, CommError> {
    let mut first = own.to_le_bytes();
    comm.broadcast(0, &mut first)?;
    let differs = u64::from_le_bytes(first) != own;
    let mut place = [if differs { (comm.size() - comm.rank()) as u64 } else { 0 }];
    comm.combine(Op::Max, &mut place)?;
    rank_at(comm, place[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comm::Threads;

    #[test]
    fn every_argument_counts() {
        let new = || Arguments::new("call");
        let all = [
            Arguments::new("other"),
            new(),
            new().number(0),
            new().number(1),
            new().bytes(b""),
            new().bytes(b"a"),
            new().bytes(b"").bytes(b"a"),
            new().bytes(b"a").bytes(b""),
            new().numbers(&[1, 2]),
            new().numbers(&[2, 1]),
        ];
        // No bytes and the number 0 have the same digest. A call always has either bytes or a number at the same place.
        for (i, one) in all.iter().enumerate().filter(|(i, _)| *i != 4) {
            for (j, other) in all.iter().enumerate().filter(|(j, _)| *j != 4) {
                assert_eq!(one.state & LARGEST == other.state & LARGEST, i == j, "{i} and {j}");
            }
        }
    }

    #[test]
    fn different_arguments_are_the_error_even_if_a_rank_failed() {
        let errors = Threads::new(3).run(|comm| {
            let outcome = if comm.rank() == 0 { Err(Fault::usage("failed")) } else { Ok(()) };
            Arguments::new("call").number((comm.rank() / 2) as u64).agree(comm, outcome).unwrap_err()
        });
        assert!(errors.iter().all(|error| error.rank == 2 && error.fault.message.ends_with("to: call")));
    }

    #[test]
    fn the_error_names_the_argument_and_both_values() {
        let message = |of: &(dyn Fn(u64) -> Arguments + Sync)| {
            let refuse = |comm: &crate::comm::ThreadComm| of(u64::from(comm.rank() == 2)).enter(comm, Ok(()));
            let errors = Threads::new(3).run(|comm| refuse(comm).unwrap_err());
            assert!(errors.iter().all(|error| *error == errors[0] && error.rank == 2));
            errors[0].fault.message.clone()
        };
        let call = || Arguments::new("write");
        let both = message(&|q| call().word("root", 3).flag("encode", q == 1).word("e", q));
        assert_eq!(
            both,
            "ranks passed different arguments to: write: encode is true on rank 2, but false on rank 0"
        );
        let text = message(&|q| call().text("userstr", if q == 1 { b"a\n" } else { b"" }));
        assert!(
            text.ends_with(r#"userstr is "a\n" (2 bytes) on rank 2, but "" (0 bytes) on rank 0"#),
            "{text}"
        );
        let list = message(&|q| call().list("N_q", &[q; 40]).number(0));
        assert!(list.contains("N_q is [1, 1") && list.contains("... on rank 2, but [0, 0"), "{list}");
        let other = message(&|q| Arguments::new(if q == 1 { "write it" } else { "write" }));
        assert_eq!(other, r#"ranks made different calls: "write it" on rank 2, "write" on rank 0"#);
    }
}
