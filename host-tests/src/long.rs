//! Tests with many cases. They test a sample of the cases, or all if the variable `LINKSTREAM_LONG_TESTS` is set, as in
//! the stage `test-full`.

use std::iter::StepBy;

/// True if all cases are tested.
pub fn is_wanted() -> bool {
    std::env::var_os("LINKSTREAM_LONG_TESTS").is_some()
}

/// One case in `share`, or all.
pub fn sample<I: Iterator>(cases: I, share: usize) -> StepBy<I> {
    cases.step_by(if is_wanted() { 1 } else { share })
}

/// Number of random cases: `all`, or one in `share`.
pub fn number(all: u32, share: u32) -> u32 {
    if is_wanted() { all } else { all / share }
}
