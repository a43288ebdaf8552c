//! Rules for every call: a failure has a description, a success leaves none, and nothing is a defect.

use std::sync::OnceLock;

use linkstream_c_border::{Failure, fail, last};

/// Prints each call if `FUZZ_C_TRACE` is set.
fn trace(name: &str, message: &str) {
    static IS_ON: OnceLock<bool> = OnceLock::new();
    if *IS_ON.get_or_init(|| std::env::var_os("FUZZ_C_TRACE").is_some()) {
        println!("{name}: {message}");
    }
}

/// Makes a call.
pub fn call<R>(name: &str, is_failure: impl FnOnce(&R) -> bool, call: impl FnOnce() -> R) -> R {
    fail(&Failure::default());
    let result = call();
    let message = last().message();
    trace(name, &message);
    assert!(!message.contains("a defect of this library"), "{name} panicked");
    if is_failure(&result) {
        assert!(!message.is_empty(), "{name} failed without a description");
    } else {
        assert!(message.is_empty(), "{name} succeeded, but there is an error: {message}");
    }
    result
}

/// Makes a call whose result does not say whether it failed.
pub fn silent<R>(name: &str, call: impl FnOnce() -> R) -> R {
    fail(&Failure::default());
    let result = call();
    let message = last().message();
    trace(name, &message);
    assert!(!message.contains("a defect of this library"), "{name} panicked");
    result
}
