//! Sets `cfg(emulator)` where a board can be emulated and built for: without it, the test that does so is compiled as
//! an ignored one.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(emulator)");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=PATH");
    println!("cargo::rerun-if-env-changed=LINKSTREAM_SKIP_BOARDS");
    let is_skipped = env::var_os("LINKSTREAM_SKIP_BOARDS").is_some_and(|skip| skip == "1");
    let emulator = Command::new("qemu-system-arm").arg("--version").output();
    let is_installed = emulator.is_ok_and(|output| output.status.success());
    if !is_skipped && is_installed && (rustup_has_target() || debian_can_build_it()) {
        println!("cargo::rustc-cfg=emulator");
    }
}

/// The library for the processor of the micro:bit.
fn rustup_has_target() -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output =
        Command::new(rustc).args(["--print", "target-libdir", "--target", "thumbv6m-none-eabi"]).output();
    output.is_ok_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir())
}

/// See `src/toolchain.rs`.
fn debian_can_build_it() -> bool {
    ["/usr/bin/cargo", "/usr/bin/rustc", "/usr/bin/ld.lld"].iter().all(|tool| Path::new(tool).exists())
}
