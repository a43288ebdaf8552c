//! Tests of the codec that need no fixtures; all others are in `host-tests`.

#[cfg(feature = "defmt")]
mod defmt;
mod sizes;
