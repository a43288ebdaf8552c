//! Communication between the ranks.

use linkstream_mpi::World;
use linkstream_mpi::mpi::topology::{Color, SimpleCommunicator};
use linkstream_mpi::mpi::traits::Communicator;
use linkstream_parallel::Fault;
use linkstream_parallel::comm::{Comm, Message, Op};
use linkstream_parallel::file::Engine;

use super::support::{Case, Job, Random, content, ensure};

pub fn cases<E: Engine<World>>() -> Vec<Case<E>> {
    vec![
        Case { name: "combine", run: combine },
        Case { name: "broadcast", run: broadcast },
        Case { name: "exchange", run: |job| exchange(job, usize::MAX) },
        Case { name: "exchange-in-parts", run: |job| exchange(job, 1000) },
        Case { name: "split", run: split },
    ]
}

fn combine<E: Engine<World>>(job: &Job<'_, E>) -> Result<(), Fault> {
    let (rank, size) = (job.rank() as u64, job.size() as u64);
    let numbers = |rank: u64| [rank + 1, u64::MAX - rank, rank << 61, (1 << 63) + rank];
    let fold = |ranks: std::ops::Range<u64>, op: fn(u64, u64) -> u64| {
        ranks.map(numbers).fold([0; 4], |a, b| std::array::from_fn(|i| op(a[i], b[i])))
    };
    for (op, expected) in [
        (Op::Sum, fold(0..size, u64::wrapping_add)),
        (Op::Xor, fold(0..size, |a, b| a ^ b)),
        (Op::Scan, fold(0..rank, u64::wrapping_add)),
    ] {
        let mut found = numbers(rank);
        job.world.combine(op, &mut found)?;
        ensure(found == expected, || format!("{op:?}: {found:x?} instead of {expected:x?}"))?;
        job.world.combine(op, &mut [])?;
    }
    let mut largest = [rank, (1 << 63) - 1 - rank];
    job.world.combine(Op::Max, &mut largest)?;
    ensure(largest == [size - 1, (1 << 63) - 1], || format!("Max: {largest:x?}"))?;
    let refused = job.world.combine(Op::Max, &mut [1 << 63]);
    ensure(refused.is_err(), || "Max with 2^63 was accepted".into())?;
    let leader = job.world.node_leader();
    ensure(leader == 0, || format!("the lowest rank of the only node is {leader}"))
}

/// Every other rank has a communicator of its own, in the reverse order.
fn split<E: Engine<World>>(job: &Job<'_, E>) -> Result<(), Fault> {
    let (rank, size) = (job.rank(), job.size());
    let number = |rank: usize| i32::try_from(rank).unwrap_or(0);
    let whole = SimpleCommunicator::world();
    let half = whole.split_by_color_with_key(Color::with_value(number(rank % 2)), -number(rank));
    let half = half.ok_or_else(|| Fault::usage("no communicator was created"))?;
    let world = World::from_communicator(&half)?;
    drop(half);
    let ranks: Vec<_> = (0..size).rev().filter(|other| other % 2 == rank % 2).collect();
    let own = ranks.iter().position(|other| *other == rank);
    ensure((Some(world.rank()), world.size()) == (own, ranks.len()), || format!("{world:?} for {ranks:?}"))?;
    let mut sum = [rank as u64];
    world.combine(Op::Sum, &mut sum)?;
    ensure(sum == [ranks.iter().sum::<usize>() as u64], || format!("the sum of {ranks:?} is {sum:?}"))
}

fn broadcast<E: Engine<World>>(job: &Job<'_, E>) -> Result<(), Fault> {
    for root in 0..job.size() {
        for length in [0, 1, 512, 100_000] {
            let expected = content((root + length) as u64, length);
            let mut bytes = if root == job.rank() { expected.clone() } else { vec![0; length] };
            job.world.broadcast(root, &mut bytes)?;
            ensure(bytes == expected, || format!("{length} bytes of rank {root}"))?;
        }
    }
    let refused = job.world.broadcast(job.size(), &mut [0]);
    ensure(refused.is_err(), || "a root that does not exist was accepted".into())
}

fn exchange<E: Engine<World>>(job: &Job<'_, E>, largest: usize) -> Result<(), Fault> {
    job.world.set_largest_message(largest);
    let length = |round: u64, from: usize, to: usize| {
        let mut random = Random(round ^ ((from as u64) << 32) ^ ((to as u64) << 16));
        // Some ranks send nothing at all.
        if random.below(3) == 0 || from == 1 { 0 } else { random.below(100_000) as usize }
    };
    let message = |round: u64, from: usize, to: usize| content(round + from as u64, length(round, from, to));
    for round in 0..5 {
        let messages = (0..job.size())
            .map(|rank| Message { rank, bytes: message(round, job.rank(), rank) })
            // Round 0 exchanges nothing.
            .filter(|message| round > 0 && (round > 1 || !message.bytes.is_empty()))
            .collect();
        let received = job.world.exchange(messages)?;
        let expected: Vec<_> = (0..job.size())
            .map(|rank| Message { rank, bytes: message(round, rank, job.rank()) })
            .filter(|message| round > 0 && !message.bytes.is_empty())
            .collect();
        ensure(received == expected, || format!("round {round}: other messages were received"))?;
    }
    job.world.set_largest_message(usize::MAX);
    Ok(())
}
