//! Taking times in turns, and showing ratios.

use std::time::{Duration, Instant};

/// How much work a run does.
pub struct Scale {
    /// Size of the data in bytes.
    pub bytes: usize,
    repetitions: usize,
}

impl Scale {
    /// `--quick` for a smoke test; other arguments are cargo's.
    pub fn from_arguments() -> Self {
        if std::env::args().any(|argument| argument == "--quick") {
            Self { bytes: 4 << 20, repetitions: 3 }
        } else {
            Self { bytes: 64 << 20, repetitions: 15 }
        }
    }

    /// Best time of each piece of work. They take turns, so that a disturbance hits all alike.
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

/// Rows under a title.
pub struct Table;

impl Table {
    pub fn new(title: &str) -> Self {
        println!("\n{title}");
        Self
    }

    /// Our rate as a share of the reference's, over the same bytes.
    pub fn row(&mut self, name: &str, bytes: usize, ours: Duration, reference: Duration, goal: Option<f64>) {
        let rate = bytes as f64 / ours.as_secs_f64() / 1e9;
        let ratio = reference.as_secs_f64() / ours.as_secs_f64();
        println!("  {name:<58} {ratio:>6.2} of the reference ({rate:.1} GB/s){}", judged(ratio, goal));
    }

    /// Our time for each of `count` things.
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
