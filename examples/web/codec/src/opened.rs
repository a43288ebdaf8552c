//! Files as `linkstream-access` opens and lists them, and its errors as JavaScript gets them.

use std::cell::RefCell;
use std::rc::Rc;

use linkstream::Class;
use linkstream_access::{Error, File};
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::source::{Source, failed, sources, volumes};

/// The file that was opened last. Listing it, finding the sites of a set and summing its time slices are done once, as
/// long as the calls about it reach the same worker.
struct Last {
    /// The number that JavaScript gave the file.
    number: u32,
    sizes: Vec<Option<u64>>,
    file: Rc<File>,
}

thread_local! {
    static LAST: RefCell<Option<Last>> = const { RefCell::new(None) };
}

/// The file that consists of the sources of the present call, or the set of so many `volumes`. Calls with the same
/// `number` have the same sources.
pub fn opened(number: u32, count: Option<u32>) -> Result<Rc<File>, JsValue> {
    let sources = sources(count.unwrap_or(1));
    let sizes: Vec<_> = sources.iter().map(Source::size).collect();
    // A file whose length has changed is opened again.
    let last = LAST.take().filter(|last| last.number == number && last.sizes == sizes);
    let last = match last {
        Some(last) => last,
        None => {
            let file = match (count, sources.as_slice()) {
                (None, [source]) => File::open(source.shared()),
                _ => File::open_set(&volumes(&sources)),
            };
            Last { number, sizes, file: Rc::new(file.map_err(refused)?) }
        }
    };
    let file = last.file.clone();
    LAST.set(Some(last));
    Ok(file)
}

/// The error of a file that cannot be opened or read, or of a call that asks for what it does not have.
pub fn refused(error: Error) -> JsValue {
    let message = match &error {
        Error::Io(error) | Error::Sink(error) => return failed(error),
        // Its offset is a value of its own.
        Error::Broken(broken) | Error::ChecksumMismatch { broken, .. } => match &broken.file {
            Some(file) => format!("{file}: {}", broken.message),
            None => broken.message.clone(),
        },
        error => error.to_string(),
    };
    match error.rule() {
        Some((class, rule)) => Failure::thrown(rule, class, error.offset().unwrap_or(0), message),
        None if matches!(error, Error::Changed) => Failure::thrown("not-read", Class::Misuse, 0, message),
        None => Failure::request(&message),
    }
}
