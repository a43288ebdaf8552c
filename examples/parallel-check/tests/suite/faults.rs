//! Every fault of the system at every request of any rank ends on all ranks with the same outcome.

use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::Duration;

use linkstream_parallel::Error;
use linkstream_parallel::comm::{Comm, ThreadComm, Threads};
use linkstream_parallel::file::{Direct, Engine, Faulty, Injection, IoRanks, SystemDisk};
use linkstream_parallel_check::{Settings, file};

use crate::support::{OPTIONS, json, serial};

const EIO: i32 = 5;

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../su3-4x4x4x8.lime")
}

/// JSON of the report, which only rank 0 has, or the error.
type Outcome = Result<Option<String>, Error>;

/// Outcome of each rank, and the number of its requests, if `request` of rank `disturbed` is disturbed.
fn run(
    ranks: usize,
    by_io_ranks: bool,
    disturbed: usize,
    fault: Option<(usize, Injection)>,
) -> Vec<(Outcome, usize)> {
    fn check<E: Engine<ThreadComm>>(comm: &ThreadComm, engine: &E) -> Outcome {
        let settings = Settings { window: 20_000, least: 0, ..Settings::new(&OPTIONS) };
        let report = file(comm, engine, &sample(), "file", &settings)?;
        Ok(report.as_ref().map(json))
    }
    let (to, from) = channel();
    // A rank that waits for ever must not make the test wait for ever.
    std::thread::spawn(move || {
        let outcomes = Threads::new(ranks).run(|comm| {
            let disk = Faulty::new(SystemDisk, fault.filter(|_| comm.rank() == disturbed));
            let outcome = if by_io_ranks {
                let engine =
                    IoRanks::with(comm, disk.clone(), comm.rank() % 2 == 0, 0).expect("threads communicate");
                check(comm, &engine)
            } else {
                check(comm, &Direct { disk: disk.clone() })
            };
            (outcome, disk.requests().list.len())
        });
        let _ = to.send(outcomes);
    });
    from.recv_timeout(Duration::from_secs(30)).expect("all ranks end")
}

#[test]
fn every_fault_at_every_request() {
    let expected = json(&serial(&std::fs::read(sample()).expect("the sample"), "file", &OPTIONS));
    let (mut errors, mut reports) = (0, 0);
    for (ranks, by_io_ranks) in [(1, false), (3, false), (3, true), (4, true)] {
        let undisturbed = run(ranks, by_io_ranks, 0, None);
        assert_eq!(undisturbed[0].0, Ok(Some(expected.clone())));
        for (disturbed, (_, requests)) in undisturbed.iter().enumerate() {
            for request in 0..*requests {
                for injection in
                    [Injection::Error(EIO), Injection::Short, Injection::Interrupted, Injection::Ends]
                {
                    let what = format!("{injection:?} at request {request} of rank {disturbed} of {ranks}");
                    let outcomes = run(ranks, by_io_ranks, disturbed, Some((request, injection)));
                    match (&outcomes[0].0, injection) {
                        (Err(error), Injection::Error(_)) => {
                            assert_eq!(error.rank, disturbed, "{what}");
                            assert!(error.fault.message.ends_with("Input/output error"), "{error}, {what}");
                            assert!(
                                outcomes.iter().all(|(outcome, _)| outcome == &Err(error.clone())),
                                "{what}"
                            );
                            errors += 1;
                        }
                        (Ok(Some(report)), Injection::Short | Injection::Interrupted) => {
                            assert_eq!(*report, expected, "{what}");
                            reports += 1;
                        }
                        // The first rank may notice that documents end too early: a report about damage.
                        (Ok(Some(report)), Injection::Ends) => {
                            reports += usize::from(*report == expected);
                        }
                        (outcome, _) => panic!("{outcome:?}, {what}"),
                    }
                    assert!(outcomes[1..].iter().all(|(outcome, _)| *outcome != Ok(Some(String::new()))));
                    let is_same =
                        outcomes[1..].iter().all(|(outcome, _)| outcome.is_ok() == outcomes[0].0.is_ok());
                    assert!(is_same, "{outcomes:?}, {what}");
                }
            }
        }
    }
    assert!(errors > 40 && reports > 100, "{errors} errors, {reports} reports");
}
