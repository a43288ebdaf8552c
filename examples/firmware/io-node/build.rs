//! Copies the memory map of the board to a place where the linker finds it.

use std::path::PathBuf;
use std::{env, fs};

const MEMORY: &str = "../memory/lm3s6965.x";

fn main() {
    println!("cargo:rerun-if-changed={MEMORY}");
    if env::var("TARGET").is_ok_and(|target| target.starts_with("thumb")) {
        let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
        if let Err(error) = fs::copy(MEMORY, out.join("memory.x")) {
            panic!("{MEMORY} cannot be copied: {error}");
        }
        println!("cargo:rustc-link-search={}", out.display());
        println!("cargo:rustc-link-arg-bins=-Tlink.x");
        // Equal functions are linked once.
        println!("cargo:rustc-link-arg-bins=--icf=all");
        // Functions that are not linked would have address 0 in the debug information, where others are.
        for (section, address) in [
            ("info", "0xffffffff"),
            ("line", "0xffffffff"),
            ("aranges", "0xffffffff"),
            ("ranges", "0xfffffffe"),
        ] {
            println!("cargo:rustc-link-arg-bins=-zdead-reloc-in-nonalloc=.debug_{section}={address}");
        }
    }
}
