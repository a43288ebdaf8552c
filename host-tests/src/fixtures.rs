//! Where the fixtures lie. They belong to other projects, so they stand beside the checkout, never inside it.

use std::path::{Path, PathBuf};

/// The fixtures folder, if there is one: the environment variable `LINKSTREAM_FIXTURES`, or
/// `../shared/fixtures` seen from the project's root.
///
/// # Panics
/// If the variable is set but names no folder: a typing error must not turn into skipped tests.
pub fn folder() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("LINKSTREAM_FIXTURES") {
        let path = PathBuf::from(path);
        assert!(path.is_dir(), "LINKSTREAM_FIXTURES names no folder: {}", path.display());
        return Some(path);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/fixtures");
    path.is_dir().then_some(path)
}

/// As [`folder`], for a test that cannot do without: says so when it has to be skipped.
///
/// # Panics
/// Where `CI` is `true`, because there the fixtures are always present and a skipped test would be a lie.
pub fn required(test: &str) -> Option<PathBuf> {
    let found = folder();
    if found.is_none() {
        assert!(
            std::env::var("CI").as_deref() != Ok("true"),
            "{test}: no fixtures folder, but CI must have one"
        );
        println!("skipped: {test}: no fixtures folder beside the project");
    }
    found
}
