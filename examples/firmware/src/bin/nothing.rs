//! Does nothing: the program that the flash of the others is compared with. It has what all programs share: the startup
//! code, semihosting, defmt, and the report of memory.
#![no_std]
#![no_main]

use firmware::{Failure, File};

firmware::program!(nothing);

fn nothing(_: File) -> Result<(), Failure> {
    Ok(())
}
