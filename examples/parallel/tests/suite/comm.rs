//! Ranks that are threads: results of the calls, and errors instead of waiting for ever.

use linkstream_parallel::comm::{Comm, CommError, Message, Op, Solo, Threads};

/// The same calls on every kind of job.
fn calls(comm: &impl Comm) -> Result<(), CommError> {
    let (rank, size) = (comm.rank() as u64, comm.size() as u64);
    let combine = |op, number| {
        let mut numbers = [number, 1 << rank];
        comm.combine(op, &mut numbers).map(|()| numbers)
    };
    let all = (1 << size) - 1;
    assert_eq!(combine(Op::Sum, rank)?, [size * (size - 1) / 2, all]);
    assert_eq!(combine(Op::Max, rank)?, [size - 1, 1 << (size - 1)]);
    assert_eq!(combine(Op::Xor, 5)?, [if size % 2 == 0 { 0 } else { 5 }, all]);
    assert_eq!(combine(Op::Scan, 3)?, [3 * rank, (1 << rank) - 1]);
    for root in 0..comm.size() {
        let mut bytes = vec![rank as u8; 1000];
        comm.broadcast(root, &mut bytes)?;
        assert_eq!(bytes, vec![root as u8; 1000]);
    }
    // Each rank sends to itself and to all ranks above, nothing to rank 2.
    let text =
        |from: usize, to: usize| if to == 2 { Vec::new() } else { vec![(16 * from + to) as u8; from + 1] };
    let messages =
        (comm.rank()..comm.size()).rev().map(|to| Message { rank: to, bytes: text(comm.rank(), to) });
    let inbox = comm.exchange(messages.collect())?;
    let expected: Vec<_> = (0..=comm.rank())
        .map(|from| Message { rank: from, bytes: text(from, comm.rank()) })
        .filter(|message| !message.bytes.is_empty())
        .collect();
    assert_eq!(inbox, expected);
    Ok(())
}

#[test]
fn every_call() {
    calls(&Solo).unwrap();
    for ranks in [1, 2, 3, 7, 20] {
        for outcome in Threads::new(ranks).run(calls) {
            outcome.unwrap();
        }
    }
}

#[test]
fn calls_without_data() {
    for outcome in Threads::new(3).run(|comm| {
        comm.combine(Op::Max, &mut [])?;
        comm.broadcast(2, &mut [])?;
        comm.exchange(Vec::new())
    }) {
        assert_eq!(outcome, Ok(Vec::new()));
    }
}

#[test]
fn nobody_waits_for_a_rank_that_has_left() {
    let outcomes = Threads::new(4).run(|comm| {
        if comm.rank() == 2 {
            return Ok(());
        }
        comm.combine(Op::Sum, &mut [1])
    });
    for (rank, outcome) in outcomes.into_iter().enumerate() {
        let expected = if rank == 2 { Ok(()) } else { Err(CommError::new("rank 2 has left the job")) };
        assert_eq!(outcome, expected);
    }
}

#[test]
fn nobody_waits_for_a_rank_that_panics() {
    let outcomes = std::sync::Mutex::new(Vec::new());
    let job = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        Threads::new(3).run(|comm| {
            assert!(comm.rank() != 0, "a panic for the test");
            let outcome = comm.broadcast(1, &mut [0]);
            outcomes.lock().unwrap().push(outcome);
        })
    }));
    assert!(job.is_err());
    assert_eq!(outcomes.into_inner().unwrap(), vec![Err(CommError::new("rank 0 has left the job")); 2]);
}

#[test]
fn different_calls_are_an_error_on_all_ranks() {
    for (first, second) in [((Op::Sum, 1), (Op::Max, 1)), ((Op::Sum, 1), (Op::Sum, 2))] {
        for outcome in Threads::new(3).run(|comm| {
            let (op, length) = if comm.rank() == 1 { second } else { first };
            comm.combine(op, &mut vec![0; length])
        }) {
            assert!(outcome.unwrap_err().message.contains("different calls"));
        }
    }
}

#[test]
fn arguments_that_mpi_cannot_take_are_refused() {
    let refused = Threads::new(1).run(|comm| {
        [
            comm.combine(Op::Max, &mut [1 << 63]),
            comm.broadcast(1, &mut [0]),
            comm.exchange(vec![Message { rank: 1, bytes: vec![0] }]).map(drop),
        ]
    });
    assert!(refused[0].iter().all(Result::is_err), "{refused:?}");
}
