//! Copies the memory map of the board to a place where the linker finds it.

use std::path::PathBuf;
use std::{env, fs};

const MEMORY: &str = "../memory/sifive_u.x";

fn main() {
    println!("cargo:rerun-if-changed={MEMORY}");
    if env::var("TARGET").is_ok_and(|target| target.starts_with("riscv64")) {
        let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
        if let Err(error) = fs::copy(MEMORY, out.join("memory.x")) {
            panic!("{MEMORY} cannot be copied: {error}");
        }
        println!("cargo:rustc-link-search={}", out.display());
        println!("cargo:rustc-link-arg-bins=-Tmemory.x");
        println!("cargo:rustc-link-arg-bins=-Tlink.x");
    }
}
