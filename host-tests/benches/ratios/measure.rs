//! Measures alternating runs and prints ratios.

use std::time::{Duration, Instant};

/// The amount of work in a run.
pub struct Scale {
    /// Size of the data in bytes.
    pub bytes: usize,
    repetitions: usize,
}

impl Scale {
    /// Parses the arguments: `--quick` requests a smoke test; others are cargo's.
    pub fn from_arguments() -> Self {
        if std::env::args().any(|argument| argument == "--quick") {
            Self { bytes: 4 << 20, repetitions: 3 }
        } else {
            Self { bytes: 64 << 20, repetitions: 15 }
        }
    }

    /// The best time of each piece of work. They run alternately, so that other work on the machine disturbs all of
    /// them alike.
    pub fn measure(&self, work: &mut [&mut dyn FnMut()]) -> Vec<Duration> {
        let mut best = vec![Duration::MAX; work.len()];
        for _ in 0..self.repetitions {
            for (best, work) in best.iter_mut().zip(work.iter_mut()) {
                let start = Instant::now();
                work();
                *best = start.elapsed().min(*best);
            }
        }
        best
    }
}

/// A table with a title.
pub struct Table;

impl Table {
    pub fn new(title: &str) -> Self {
        println!("\n{title}");
        Self
    }

    /// Prints our rate relative to the rate of the reference for the same bytes.
    pub fn row(&mut self, name: &str, bytes: usize, ours: Duration, reference: Duration, goal: Option<f64>) {
        let rate = bytes as f64 / ours.as_secs_f64() / 1e9;
        let ratio = reference.as_secs_f64() / ours.as_secs_f64();
        println!("  {name:<58} {ratio:>6.2} of the reference ({rate:.1} GB/s){}", judged(ratio, goal));
    }

    /// Prints our time per item.
    pub fn each(&mut self, name: &str, count: usize, ours: Duration, goal: Option<f64>) {
        let nanoseconds = ours.as_secs_f64() * 1e9 / count as f64;
        let goal = goal.map(|goal| format!("  goal: at most {goal} ns")).unwrap_or_default();
        println!("  {name:<58} {nanoseconds:>6.1} ns each{goal}");
    }
}

fn judged(ratio: f64, goal: Option<f64>) -> String {
    match goal {
        Some(goal) if ratio >= goal => format!("  goal {goal}: reached"),
        Some(goal) => format!("  goal {goal}: MISSED in this run"),
        None => String::new(),
    }
}
