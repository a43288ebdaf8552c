//! JSON values that all formats share.

use linkstream_access::Array;
pub use linkstream_access::text::hex;
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::findings::Finding;

/// Version of the JSON that the programs print: the entry `schema`, the first of each object. It increases when an
/// entry is moved, renamed or removed, or changes its meaning, but not when one is added.
pub const SCHEMA: u32 = 3;

/// A value that is an object in JSON. Its entries are written one after the other, without a tree of values, because a
/// file can have millions of objects, and the trees' code would be part of each wasm module.
pub trait Entries {
    /// Writes the entries in their order.
    ///
    /// # Errors
    /// Errors of the serializer.
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error>;
}

/// An object that has these entries.
#[derive(Debug)]
pub struct Object<T>(pub T);

impl<T: Entries> Serialize for Object<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        self.0.entries(&mut object)?;
        object.end()
    }
}

impl<T: Entries> Entries for &T {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        (*self).entries(object)
    }
}

/// A list of items, and a function that converts each of them to JSON.
pub fn each<'a, T, V: Serialize>(items: &'a [T], show: impl Fn(&'a T) -> V) -> impl Serialize {
    Each(items, show)
}

struct Each<'a, T, F>(&'a [T], F);

impl<'a, T, V: Serialize, F: Fn(&'a T) -> V> Serialize for Each<'a, T, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(&self.1))
    }
}

/// A list of objects.
pub fn objects<T: Entries>(items: &[T]) -> impl Serialize {
    each(items, Object)
}

/// The entry `array` of a field: the numbers as they are exported.
impl Entries for Array {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("type", self.element.as_str())?;
        object.serialize_entry("shape", &each(&self.axes, |axis| axis.extent))?;
        object.serialize_entry("axes", &each(&self.axes, |axis| &axis.name))
    }
}

/// An entry of `findings`.
impl Entries for Finding {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("severity", self.severity.as_str())?;
        object.serialize_entry("class", self.class.as_str())?;
        object.serialize_entry("rule", self.rule)?;
        object.serialize_entry("clause", &Some(self.clause).filter(|clause| !clause.is_empty()))?;
        object.serialize_entry("offset", &self.offset)?;
        object.serialize_entry("message", &self.message)
    }
}

/// Integers whose absolute value is larger are strings in JSON, because many readers convert every number to a double.
const EXACT: u64 = 1 << 53;

/// An integer of a file.
#[derive(Debug, Clone, Copy)]
pub struct Integer(pub i64);

impl Serialize for Integer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(n) = self;
        if n.unsigned_abs() > EXACT {
            serializer.serialize_str(&n.to_string())
        } else {
            n.serialize(serializer)
        }
    }
}

/// A count.
pub fn count(n: impl Into<u128>) -> Count {
    Count(n.into())
}

/// A count: see [`count`].
#[derive(Debug, Clone, Copy)]
pub struct Count(u128);

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(self.0) {
            Ok(n) if n <= EXACT => n.serialize(serializer),
            _ => serializer.serialize_str(&self.0.to_string()),
        }
    }
}

/// The number of entries that a list does not have; absent if it has all.
pub(crate) fn left_out<M: SerializeMap>(line: &mut M, key: &'static str, n: u64) -> Result<(), M::Error> {
    if n == 0 { Ok(()) } else { line.serialize_entry(key, &count(n)) }
}
