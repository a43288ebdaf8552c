//! Errors and descriptions can get more variants and fields without breaking programs: they are `#[non_exhaustive]`. The
//! macros `rules!` and `messages!` add the attribute; the other types must have it, too. Verdicts and severities must not
//! have it.

use std::collections::BTreeSet;
use std::path::Path;

use crate::examples::rust_files;
use syn::{Attribute, Item, Type};

/// Exempt, since a `match` must need no wildcard. Either a call fails or its callback does, and nothing can be added. A
/// wildcard for verdicts and severities would decide whether data are good without knowing why.
const CLOSED: [&str; 3] = ["CallbackError", "Verdict", "Severity"];

/// The types that are not errors.
const OPEN: [&str; 5] = ["Verdict", "Severity", "Mode", "Field", "LinkLayout"];

#[test]
fn errors_are_open_and_verdicts_are_closed() {
    let mut errors = BTreeSet::from(OPEN.map(str::to_owned));
    let mut declared = Vec::new();
    for file in rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../codec/src")) {
        let text = std::fs::read_to_string(&file).expect("readable");
        for item in syn::parse_file(&text).expect("Rust").items {
            match item {
                Item::Struct(item) => declared.push((item.ident.to_string(), is_open(&item.attrs))),
                Item::Enum(item) => declared.push((item.ident.to_string(), is_open(&item.attrs))),
                Item::Impl(item) => errors.extend(error(&item)),
                _ => {}
            }
        }
    }
    let of_errors: Vec<_> = declared.iter().filter(|(name, _)| errors.contains(name)).collect();
    assert!(of_errors.len() >= 12, "{of_errors:?}");
    let closed: Vec<_> = of_errors.iter().filter(|(_, is_open)| !is_open).map(|(name, _)| name).collect();
    assert_eq!(closed, CLOSED);
}

fn is_open(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident("non_exhaustive"))
}

/// Name of the type if the `impl` implements `Error` for it.
fn error(item: &syn::ItemImpl) -> Option<String> {
    let (path, _) = item.trait_.as_ref()?;
    let Type::Path(of) = &*item.self_ty else { return None };
    let is_error = path.segments.last()?.ident == "Error";
    is_error.then(|| Some(of.path.segments.last()?.ident.to_string())).flatten()
}
