//! Saving and loading state machines, and the values inside saved states.

pub(crate) mod state;
pub(crate) mod values;
