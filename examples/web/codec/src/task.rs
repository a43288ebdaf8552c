//! Calls that read sources.
//!
//! A call takes three functions: one prepares it, [`run`] runs it, and [`result`] returns its result. Only [`run`]
//! reads sources. If the engine can suspend WebAssembly (JavaScript Promise Integration), JavaScript wraps [`run`] so
//! that sources can be read asynchronously. It has neither parameters nor a result, so that it can be wrapped directly.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::failure::Failure;

type Result = std::result::Result<Vec<u8>, JsValue>;

enum State {
    Idle,
    Prepared(Box<dyn FnOnce() -> Result>),
    Done(Result),
}

thread_local! {
    static STATE: RefCell<State> = const { RefCell::new(State::Idle) };
}

/// Prepares a call.
pub fn prepare(call: impl FnOnce() -> Result + 'static) {
    STATE.set(State::Prepared(Box::new(call)));
}

/// Runs the call that has been prepared.
#[wasm_bindgen]
pub fn run() {
    if let State::Prepared(call) = STATE.replace(State::Idle) {
        STATE.set(State::Done(call()));
    }
}

/// The result of the call that has been run.
#[wasm_bindgen]
pub fn result() -> Result {
    match STATE.replace(State::Idle) {
        State::Done(result) => result,
        _ => Err(Failure::request("no call has been run")),
    }
}
