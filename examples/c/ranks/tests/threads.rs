//! `Ranks` on functions in C, which threads implement.
#![allow(unsafe_code, reason = "functions with the calling convention of C")]

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::path::{Path, PathBuf};
use std::ptr;
use std::slice::{from_raw_parts, from_raw_parts_mut};

use linkstream_c_ranks::{Callbacks, Outgoing, Ranks, Room};
use linkstream_parallel::comm::{Comm, CommError, Message, Op, ThreadComm, Threads};
use linkstream_parallel::file::{IoRanks, SystemDisk};
use linkstream_parallel::scda::{Elements, ElementsMut, Partition, Reader, Writer};

/// Context of the functions: a rank, and the number of calls before they fail.
struct Context<'c> {
    comm: &'c ThreadComm,
    left: Cell<u64>,
    /// Messages are sent by `transfer`.
    transfers: bool,
}

impl Context<'_> {
    /// Code of a call: 7 if the time has come.
    fn code(&self, outcome: Result<(), CommError>) -> c_int {
        match self.left.get().checked_sub(1) {
            None => 7,
            Some(left) => {
                self.left.set(left);
                c_int::from(outcome.is_err())
            }
        }
    }
}

unsafe fn own<'a>(context: *mut c_void) -> &'a Context<'a> {
    // SAFETY: the tests pass a context.
    unsafe { &*context.cast::<Context<'a>>() }
}

unsafe extern "C" fn combine(context: *mut c_void, op: c_int, numbers: *mut u64, count: usize) -> c_int {
    // SAFETY: as `linkstream_comm.h` says.
    let (own, numbers) = (unsafe { own(context) }, unsafe { from_raw_parts_mut(numbers, count) });
    if own.left.get() == 0 {
        return 7;
    }
    let op = [Op::Sum, Op::Max, Op::Xor, Op::Scan][usize::try_from(op).unwrap()];
    own.code(own.comm.combine(op, numbers))
}

unsafe extern "C" fn broadcast(
    context: *mut c_void,
    root: c_int,
    bytes: *mut c_void,
    length: usize,
) -> c_int {
    // SAFETY: as `linkstream_comm.h` says.
    let (own, bytes) = (unsafe { own(context) }, unsafe { from_raw_parts_mut(bytes.cast::<u8>(), length) });
    if own.left.get() == 0 {
        return 7;
    }
    own.code(own.comm.broadcast(usize::try_from(root).unwrap(), bytes))
}

unsafe extern "C" fn counts(context: *mut c_void, to: *const u64, from: *mut u64) -> c_int {
    // SAFETY: as `linkstream_comm.h` says.
    let own = unsafe { own(context) };
    if own.left.get() == 0 {
        return 7;
    }
    let size = own.comm.size();
    // SAFETY: as `linkstream_comm.h` says.
    let (to, from) = (unsafe { from_raw_parts(to, size) }, unsafe { from_raw_parts_mut(from, size) });
    let messages = to.iter().enumerate();
    let messages = messages.map(|(rank, n)| Message { rank, bytes: n.to_le_bytes().to_vec() }).collect();
    let outcome = own.comm.exchange(messages).map(|found| {
        for Message { rank, bytes } in found {
            from[rank] = u64::from_le_bytes(bytes.try_into().unwrap());
        }
    });
    own.code(outcome)
}

unsafe extern "C" fn exchange(
    context: *mut c_void,
    send: *const c_void,
    to: *const u64,
    receive: *mut c_void,
    from: *const u64,
) -> c_int {
    // SAFETY: as `linkstream_comm.h` says.
    let own = unsafe { own(context) };
    if own.left.get() == 0 {
        return 7;
    }
    let size = own.comm.size();
    // SAFETY: as `linkstream_comm.h` says.
    let (to, from) = (unsafe { from_raw_parts(to, size) }, unsafe { from_raw_parts(from, size) });
    // A rank's message to itself does not come here.
    assert_eq!((to[own.comm.rank()], from[own.comm.rank()]), (0, 0));
    let length = |lengths: &[u64]| usize::try_from(lengths.iter().sum::<u64>()).unwrap();
    // SAFETY: as `linkstream_comm.h` says.
    let mut send = unsafe { from_raw_parts(send.cast::<u8>(), length(to)) };
    // SAFETY: as `linkstream_comm.h` says.
    let receive = unsafe { from_raw_parts_mut(receive.cast::<u8>(), length(from)) };
    let mut messages = Vec::new();
    for (rank, n) in to.iter().enumerate() {
        let (bytes, rest) = send.split_at(usize::try_from(*n).unwrap());
        messages.push(Message { rank, bytes: bytes.to_vec() });
        send = rest;
    }
    let outcome = own.comm.exchange(messages).map(|found| {
        for message in &found {
            assert_eq!(message.bytes.len() as u64, from[message.rank]);
        }
        receive.copy_from_slice(&found.into_iter().flat_map(|message| message.bytes).collect::<Vec<_>>());
    });
    own.code(outcome)
}

unsafe extern "C" fn transfer(
    context: *mut c_void,
    messages: *const Outgoing,
    count: usize,
    room: Room,
    receiver: *mut c_void,
) -> c_int {
    // SAFETY: as `linkstream_comm.h` says.
    let own = unsafe { own(context) };
    if own.left.get() == 0 {
        return 7;
    }
    // SAFETY: as `linkstream_comm.h` says.
    let messages = unsafe { from_raw_parts(messages, count) };
    let messages = messages.iter().map(|Outgoing { rank, bytes, length }| {
        assert!(*length > 0);
        // SAFETY: as `linkstream_comm.h` says.
        let bytes = unsafe { from_raw_parts(bytes.cast::<u8>(), usize::try_from(*length).unwrap()) };
        Message { rank: usize::try_from(*rank).unwrap(), bytes: bytes.to_vec() }
    });
    let outcome = own.comm.exchange(messages.collect()).map(|found| {
        // In any order.
        for Message { rank, bytes } in found.iter().rev() {
            // SAFETY: as `linkstream_comm.h` says.
            let to = unsafe { room(receiver, c_int::try_from(*rank).unwrap(), bytes.len() as u64) };
            assert!(!to.is_null());
            // SAFETY: there is room for the bytes.
            unsafe { to.cast::<u8>().copy_from(bytes.as_ptr(), bytes.len()) };
        }
    });
    own.code(outcome)
}

fn callbacks(context: &Context<'_>) -> Callbacks {
    let number = |number: usize| c_int::try_from(number).unwrap();
    Callbacks {
        struct_size: size_of::<Callbacks>(),
        context: ptr::from_ref(context).cast_mut().cast(),
        rank: number(context.comm.rank()),
        size: number(context.comm.size()),
        node_leader: number(context.comm.node_leader()),
        combine: Some(combine),
        broadcast: Some(broadcast),
        transfer: context.transfers.then_some(transfer),
        counts: (!context.transfers).then_some(counts),
        exchange: (!context.transfers).then_some(exchange),
    }
}

/// Runs a function on ranks whose functions fail after some calls.
fn run<T: Send>(
    job: Threads,
    transfers: bool,
    left: impl Fn(usize) -> u64 + Sync,
    each: impl Fn(&Ranks) -> T + Sync,
) -> Vec<T> {
    job.run(|comm| {
        let context = Context { comm, left: Cell::new(left(comm.rank())), transfers };
        // SAFETY: the functions do what they should, or fail, until the end of this closure.
        let ranks = unsafe { Ranks::new(&callbacks(&context)) }.unwrap();
        each(&ranks)
    })
}

/// A file that only one test uses.
fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ranks-{name}.scda"))
}

const ALWAYS: fn(usize) -> u64 = |_| u64::MAX;

#[test]
fn every_operation_reaches_all_ranks() {
    reaches_all_ranks(false);
    reaches_all_ranks(true);
}

fn reaches_all_ranks(transfers: bool) {
    let outcomes = run(Threads::on_nodes(5, 2), transfers, ALWAYS, |ranks| {
        let own = ranks.rank() as u64;
        assert_eq!((ranks.size(), ranks.node_leader()), (5, ranks.rank() / 2 * 2));
        let combined = |op, number| {
            let mut numbers = [number, 1];
            ranks.combine(op, &mut numbers).map(|()| numbers)
        };
        assert_eq!(combined(Op::Sum, own), Ok([10, 5]));
        assert_eq!(combined(Op::Sum, u64::MAX), Ok([u64::MAX - 4, 5]));
        assert_eq!(combined(Op::Max, own), Ok([4, 1]));
        assert_eq!(combined(Op::Xor, 1 << own), Ok([31, 1]));
        assert_eq!(combined(Op::Scan, own), Ok([own * own.saturating_sub(1) / 2, own]));
        ranks.combine(Op::Sum, &mut []).unwrap();
        let mut bytes = [own as u8; 3];
        ranks.broadcast(3, &mut bytes).unwrap();
        assert_eq!(bytes, [3; 3]);
        ranks.broadcast(0, &mut []).unwrap();
        // To each rank above, and to itself, a message of its own length; empty ones are not delivered.
        let message = |rank: usize| Message { rank, bytes: vec![own as u8; rank - ranks.rank()] };
        let mut messages: Vec<_> = (ranks.rank()..5).map(message).collect();
        messages.push(Message { rank: 0, bytes: vec![9; usize::from(own == 0) * 2] });
        messages.retain(|message| own != 0 || message.rank != 0 || message.bytes.len() == 2);
        ranks.exchange(messages).unwrap()
    });
    for (rank, messages) in outcomes.into_iter().enumerate() {
        let mut expected: Vec<_> =
            (0..rank).map(|from| Message { rank: from, bytes: vec![from as u8; rank - from] }).collect();
        if rank == 0 {
            expected.push(Message { rank: 0, bytes: vec![9; 2] });
        }
        assert_eq!(messages, expected);
    }
}

#[test]
fn a_single_rank_needs_no_functions() {
    // SAFETY: a null pointer is allowed.
    let single = unsafe { Ranks::new(ptr::null()) }.unwrap();
    let one = Threads::new(1).run(|comm| {
        // The functions fail: they are not called.
        let context = Context { comm, left: Cell::new(0), transfers: false };
        // SAFETY: the functions are not called.
        let ranks = unsafe { Ranks::new(&callbacks(&context)) }.unwrap();
        works_alone(&ranks);
    });
    assert_eq!(one.len(), 1);
    works_alone(&single);
    works_alone(&Ranks::SINGLE);
}

fn works_alone(ranks: &Ranks) {
    assert_eq!((ranks.rank(), ranks.size(), ranks.node_leader()), (0, 1, 0));
    for (op, expected) in [(Op::Sum, 5), (Op::Max, 5), (Op::Xor, 5), (Op::Scan, 0)] {
        let mut numbers = [5];
        ranks.combine(op, &mut numbers).unwrap();
        assert_eq!(numbers, [expected]);
    }
    let mut bytes = *b"abc";
    ranks.broadcast(0, &mut bytes).unwrap();
    assert_eq!(&bytes, b"abc");
    assert!(ranks.broadcast(1, &mut bytes).is_err());
    let messages = vec![Message { rank: 0, bytes: b"own".to_vec() }];
    assert_eq!(ranks.exchange(messages.clone()), Ok(messages));
    assert_eq!(ranks.exchange(vec![Message { rank: 0, bytes: Vec::new() }]), Ok(Vec::new()));
    assert!(ranks.exchange(vec![Message { rank: 1, bytes: b"a".to_vec() }]).is_err());
    let twice = Message { rank: 0, bytes: b"a".to_vec() };
    assert!(ranks.exchange(vec![twice.clone(), twice]).is_err());
}

#[test]
fn numbers_that_mpi_cannot_compare_are_refused_on_any_rank() {
    assert!(Ranks::SINGLE.combine(Op::Max, &mut [1 << 63]).is_err());
    assert!(Ranks::SINGLE.combine(Op::Max, &mut [(1 << 63) - 1]).is_ok());
}

#[test]
fn structures_that_contradict_themselves_are_refused() {
    Threads::new(1).run(|comm| {
        let context = Context { comm, left: Cell::new(0), transfers: false };
        let good = callbacks(&context);
        let refused = |change: fn(&mut Callbacks)| {
            let mut bad = good;
            change(&mut bad);
            // SAFETY: the structure exists; the functions are not called.
            unsafe { Ranks::new(&bad) }.unwrap_err().message
        };
        assert!(refused(|bad| bad.struct_size -= 1).contains("struct_size"));
        assert!(refused(|bad| bad.struct_size += 8).contains("struct_size"));
        assert!(refused(|bad| bad.size = 0).contains("rank 0 of 0"));
        assert!(refused(|bad| bad.size = -3).contains("rank 0 of -3"));
        assert!(refused(|bad| bad.rank = 1).contains("rank 1 of 1"));
        assert!(refused(|bad| bad.rank = -1).contains("rank -1 of 1"));
        assert!(refused(|bad| bad.node_leader = 1).contains("rank 1 as the lowest"));
        assert!(refused(|bad| bad.node_leader = -1).contains("rank -1 as the lowest"));
        // A single rank needs none.
        for remove in [
            (|bad| bad.combine = None) as fn(&mut Callbacks),
            |bad| bad.broadcast = None,
            |bad| bad.counts = None,
            |bad| bad.exchange = None,
        ] {
            let mut bad = good;
            remove(&mut bad);
            // SAFETY: the structure exists; the functions are not called.
            assert!(unsafe { Ranks::new(&bad) }.is_ok());
            bad.size = 2;
            // SAFETY: as above.
            let error = unsafe { Ranks::new(&bad) }.unwrap_err();
            assert!(error.message.contains("missing"));
            bad = Callbacks { transfer: Some(transfer), ..bad };
            // SAFETY: as above.
            let with_transfer = unsafe { Ranks::new(&bad) };
            assert_eq!(with_transfer.is_ok(), bad.combine.is_some() && bad.broadcast.is_some());
        }
        // SAFETY: a pointer that is not aligned is not read.
        let unaligned = unsafe { Ranks::new(ptr::from_ref(&good).cast::<u8>().wrapping_add(1).cast()) };
        assert!(unaligned.unwrap_err().message.contains("aligned"));
    });
}

/// Writes a file on all ranks, and reads it. Returns the data of rank 0.
fn write_and_read(ranks: &Ranks, path: &Path) -> Result<Vec<u8>, linkstream_parallel::Error> {
    let lost = |fault| linkstream_parallel::Error { rank: 0, fault };
    let engine = IoRanks::new(ranks, SystemDisk).map_err(lost)?;
    let mut writer = Writer::create(ranks, &engine, path, b"file", &Default::default())?;
    let own = vec![b'a' + ranks.rank() as u8; 1000];
    writer.array(b"array", Partition::Own(10), 100, Elements::Contiguous(&own), true)?;
    writer.varray(b"varray", Partition::Own(1), &[1000], Elements::Contiguous(&own), false)?;
    writer.close()?;
    let mut reader = Reader::open(ranks, &engine, path, &Default::default())?;
    reader.section_header(true)?;
    let all = if ranks.rank() == 0 { 10 * ranks.size() as u64 } else { 0 };
    let mut room = vec![0; 100 * all as usize];
    reader.array_data(Partition::Own(all), Some(ElementsMut::Contiguous(&mut room)))?;
    reader.section_header(true)?;
    reader.skip()?;
    assert!(reader.section_header(true)?.is_none());
    reader.close()?;
    Ok(room)
}

#[test]
fn files_are_those_of_other_ranks() {
    let (ours, theirs) = (scratch("ours"), scratch("theirs"));
    let jobs = [Threads::new(1), Threads::new(4), Threads::on_nodes(5, 2)];
    for (job, transfers) in jobs.into_iter().flat_map(|job| [(job, false), (job, true)]) {
        let rooms = run(job, transfers, ALWAYS, |ranks| write_and_read(ranks, &ours).unwrap());
        let expected: Vec<_> = (0..rooms.len()).flat_map(|rank| [b'a' + rank as u8; 1000]).collect();
        assert_eq!(rooms[0], expected);
        job.run(|comm| {
            let engine = IoRanks::new(comm, SystemDisk).unwrap();
            let mut writer = Writer::create(comm, &engine, &theirs, b"file", &Default::default()).unwrap();
            let own = vec![b'a' + comm.rank() as u8; 1000];
            writer.array(b"array", Partition::Own(10), 100, Elements::Contiguous(&own), true).unwrap();
            let all = Elements::Contiguous(&own);
            writer.varray(b"varray", Partition::Own(1), &[1000], all, false).unwrap();
            writer.close().unwrap();
        });
        assert!(std::fs::read(&ours).unwrap() == std::fs::read(&theirs).unwrap());
    }
}

#[test]
fn functions_that_fail_end_every_call_with_an_error() {
    end_every_call("counts", false);
    end_every_call("transfer", true);
}

fn end_every_call(name: &str, transfers: bool) {
    let path = scratch(&format!("failing-{name}"));
    let mut failures = 0;
    for left in 0.. {
        // Rank 1 fails at some time; the others get errors, or have finished.
        let outcomes = run(
            Threads::new(3),
            transfers,
            |rank| if rank == 1 { left } else { u64::MAX },
            |ranks| write_and_read(ranks, &path),
        );
        let Err(error) = &outcomes[1] else { break };
        assert_eq!(error.fault.kind, linkstream_parallel::ErrorKind::Communication);
        assert!(error.fault.message.contains("failed with code 7"), "{error}");
        for outcome in &outcomes {
            if let Err(error) = outcome {
                assert_eq!(error.fault.kind, linkstream_parallel::ErrorKind::Communication, "{error}");
            }
        }
        failures += 1;
    }
    assert!(failures > if transfers { 20 } else { 30 }, "{failures}");
}

/// Functions that return success, and wrong results.
mod lies {
    use super::*;

    pub unsafe extern "C" fn smaller(_: *mut c_void, _: c_int, numbers: *mut u64, _: usize) -> c_int {
        // SAFETY: there is one number.
        unsafe { *numbers = 1 };
        0
    }

    pub unsafe extern "C" fn many(_: *mut c_void, _: *const u64, from: *mut u64) -> c_int {
        // SAFETY: there are two ranks.
        let from = unsafe { from_raw_parts_mut(from, 2) };
        from.fill(u64::MAX);
        0
    }

    /// Receives messages of these ranks and lengths.
    unsafe fn receive(room: Room, receiver: *mut c_void, messages: &[(c_int, u64)]) -> c_int {
        let mut code = 0;
        for (rank, length) in messages {
            // SAFETY: as `linkstream_comm.h` says.
            let to = unsafe { room(receiver, *rank, *length) };
            code |= c_int::from(to.is_null());
        }
        code
    }

    pub unsafe extern "C" fn own(
        _: *mut c_void,
        _: *const Outgoing,
        _: usize,
        room: Room,
        to: *mut c_void,
    ) -> c_int {
        // SAFETY: as `linkstream_comm.h` says.
        unsafe { receive(room, to, &[(0, 1)]) }
    }

    pub unsafe extern "C" fn twice(
        _: *mut c_void,
        _: *const Outgoing,
        _: usize,
        room: Room,
        to: *mut c_void,
    ) -> c_int {
        // SAFETY: as `linkstream_comm.h` says.
        unsafe { receive(room, to, &[(1, 1), (1, 2)]) }
    }

    pub unsafe extern "C" fn huge(
        _: *mut c_void,
        _: *const Outgoing,
        _: usize,
        room: Room,
        to: *mut c_void,
    ) -> c_int {
        // SAFETY: as `linkstream_comm.h` says.
        unsafe { receive(room, to, &[(1, u64::MAX)]) }
    }
}

#[test]
fn impossible_results_are_errors() {
    Threads::new(1).run(|comm| {
        let context = Context { comm, left: Cell::new(0), transfers: false };
        let mut wrong = callbacks(&context);
        wrong.size = 2;
        wrong.combine = Some(lies::smaller);
        wrong.counts = Some(lies::many);
        // SAFETY: the functions write no more than they may.
        let ranks = unsafe { Ranks::new(&wrong) }.unwrap();
        assert!(ranks.combine(Op::Max, &mut [2]).unwrap_err().message.contains("wrong number"));
        assert!(ranks.combine(Op::Scan, &mut [2]).unwrap_err().message.contains("wrong number"));
        assert_eq!(ranks.combine(Op::Max, &mut [1]), Ok(()));
        let message = vec![Message { rank: 1, bytes: vec![1] }];
        assert!(ranks.exchange(message).unwrap_err().message.contains("memory"));
        assert!(ranks.exchange(vec![Message { rank: 2, bytes: vec![1] }]).is_err());
        for (lie, part) in [
            (lies::own as unsafe extern "C" fn(_, _, _, _, _) -> _, "cannot have sent"),
            (lies::twice, "two messages"),
            (lies::huge, "memory"),
        ] {
            // SAFETY: as above.
            let ranks = unsafe { Ranks::new(&Callbacks { transfer: Some(lie), ..wrong }) }.unwrap();
            let message = ranks.exchange(Vec::new()).unwrap_err().message;
            assert!(message.contains(part), "{message}");
        }
        // Rank 1 exists, but its sum of lower ranks may be anything.
        wrong.rank = 1;
        // SAFETY: as above.
        let ranks = unsafe { Ranks::new(&wrong) }.unwrap();
        assert_eq!(ranks.combine(Op::Scan, &mut [2]), Ok(()));
    });
}
