//! Files that `linkstream-access` has opened and listed, and its errors in the form that JavaScript receives.

use std::cell::RefCell;
use std::rc::Rc;

use linkstream::Class;
use linkstream_access::{Error, File};
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::source::{Source, failed, sources, volumes};

/// The file that was opened last. It is kept so that the list of its contents, the order of the sites in a file set,
/// and the sums of its time slices are found only once, as long as the calls about it reach the same worker.
struct Last {
    /// The number that JavaScript gave the file.
    number: u32,
    sizes: Vec<Option<u64>>,
    file: Rc<File>,
}

thread_local! {
    static LAST: RefCell<Option<Last>> = const { RefCell::new(None) };
}

/// Opens the only source of the present call or, with a `count`, the file set whose volumes are the first `count`
/// sources. Calls with the same `number` have the same sources, so that the file opened last can be used again.
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

/// The failure of a file that cannot be opened or read, or of a call that requests data that the file does not have.
pub fn refused(error: Error) -> JsValue {
    let message = match &error {
        Error::Io(error) | Error::Sink(error) => return failed(error),
        // The message leaves out the offset, which is a property of its own.
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
