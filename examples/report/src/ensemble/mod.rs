//! A store of many files as a whole: its manifest, and what has changed since the last one.
//!
//! | Module | Contents |
//! |---|---|
//! | [`name`] | names of files in a store, which need not be UTF-8 |
//! | [`stamp`] | times |
//! | [`entry`] | what a manifest says about a file |
//! | [`facts`] | the part of it that comes from the report on the file |
//! | [`values`] | values in the texts of a file: elements of XML, keys of headers |
//! | [`manifest`] | a manifest as JSON lines |
//! | [`members`] | files of archives, instead of the archives |
//! | `packed` | compressed files and archives, with the feature `store` |
//! | [`plan`] | which files are read again |
//! | `store` | the files of a store |
//! | [`changes`] | what differs between a manifest and the store |
//! | [`words`] | the same as text |
//! | [`groups`] | files whose names differ in a number |
//! | [`duplicates`] | files with the same content or data |
//! | [`findings`] | what does not fit in an ensemble |
//! | [`statistics`] | values far from the others |
//! | [`columns`], [`condition`] | tables of files |
//!
//! No name of a manifest is ever opened: only what was found in the store is read, and compared with the manifest.

pub mod changes;
pub mod columns;
pub mod condition;
pub mod duplicates;
pub mod entry;
pub mod facts;
mod finding;
pub mod findings;
mod fit;
pub mod groups;
pub mod manifest;
pub mod members;
pub mod name;
mod origins;
#[cfg(feature = "store")]
pub mod packed;
pub mod plan;
#[cfg(feature = "store")]
pub mod read;
pub mod stamp;
pub mod statistics;
#[cfg(feature = "store")]
pub mod store;
pub mod values;
pub mod words;
