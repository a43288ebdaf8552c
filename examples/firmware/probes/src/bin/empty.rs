//! Does nothing: the program that the other probes are compared with.
#![no_std]
#![no_main]

probes::probe!({});
