//! Tests of the programs of `dma-ring`, which run under QEMU. `run-tests` builds them and calls the tests.

mod files;
mod frames;
mod order;
mod programs;
mod verdicts;
