//! Copies the board's memory map to where the linker scripts find it, and compiles in defmt's logs of level info and
//! above.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    // There is one board for each kind of processor, so the target selects the board.
    let target = env::var("TARGET").unwrap_or_default();
    let memory = match target.as_str() {
        "thumbv6m-none-eabi" => "microbit.x",
        "thumbv7m-none-eabi" => "lm3s6965.x",
        "thumbv7em-none-eabihf" => "mps2-an386.x",
        "riscv32imac-unknown-none-elf" => "sifive_e.x",
        _ => return println!("cargo:warning=no board has the processor {target}"),
    };
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let from = PathBuf::from("memory").join(memory);
    if let Err(error) = fs::copy(&from, out.join("memory.x")) {
        panic!("{} cannot be copied: {error}", from.display());
    }
    println!("cargo:rustc-link-search={}", out.display());
    println!("cargo:rerun-if-changed={}", from.display());
    println!("cargo:rustc-env=DEFMT_LOG=info");
    if target.starts_with("riscv") {
        println!("cargo:rustc-link-arg-bins=-Tmemory.x");
    }
    println!("cargo:rustc-link-arg-bins=-Tlink.x");
    println!("cargo:rustc-link-arg-bins=-Tdefmt.x");
}
