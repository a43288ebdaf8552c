//! Every request of every rank is disturbed in turn.

use linkstream_parallel::file::{Faulty, Injection, Request, Requests, SystemDisk};
use linkstream_parallel::{Error, ErrorKind};

/// A rank, the number of one of its requests, and the disturbance of it.
pub type Disturbance = Option<(usize, usize, Injection)>;

/// Outcome of each rank, and its requests.
pub type Outcomes = Vec<(Result<(), Error>, Requests)>;

/// The file system of a rank.
pub fn disk(rank: usize, disturbance: Disturbance) -> Faulty<SystemDisk> {
    let own = disturbance.filter(|(disturbed, ..)| *disturbed == rank);
    Faulty::new(SystemDisk, own.map(|(_, number, injection)| (number, injection)))
}

/// Runs a job once for each request and injection: requests that are short or interrupted change nothing, and errors are
/// the same on all ranks. At most `sample` requests of each rank are disturbed. `is_whole` is true if the job has had no
/// effect other than the one that it has without a disturbance; `after` is called after each disturbance that can have
/// one. Returns the number of errors.
pub fn every_fault(
    sample: usize,
    run: impl Fn(Disturbance) -> Outcomes,
    is_whole: impl Fn() -> bool,
    after: impl Fn(Request, Injection),
) -> usize {
    let mut faults = 0;
    for (rank, (outcome, requests)) in run(None).into_iter().enumerate() {
        assert_eq!(outcome, Ok(()));
        let step = requests.list.len().div_ceil(sample).max(1);
        for (number, (request, _)) in requests.list.into_iter().enumerate().step_by(step) {
            for injection in [Injection::Short, Injection::Interrupted] {
                for (outcome, _) in run(Some((rank, number, injection))) {
                    assert_eq!(outcome, Ok(()), "{injection:?} of request {number} of rank {rank}");
                }
                assert!(is_whole(), "{injection:?} of request {number} of rank {rank}");
            }
            for injection in [Injection::Error(5), Injection::Error(28), Injection::Ends] {
                let outcomes: Vec<_> =
                    run(Some((rank, number, injection))).into_iter().map(|(outcome, _)| outcome).collect();
                assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]), "{outcomes:?}");
                match (&outcomes[0], injection) {
                    // Only requests that read can find the end of the file.
                    (Ok(()), Injection::Ends) => {}
                    (Err(_), Injection::Ends) => faults += 1,
                    (Err(error), _) => {
                        assert_eq!((error.rank, error.fault.kind), (rank, ErrorKind::System), "{error}");
                        faults += 1;
                    }
                    (Ok(()), _) => panic!("{injection:?} of request {number} of rank {rank}"),
                }
                after(request, injection);
            }
        }
    }
    faults
}
