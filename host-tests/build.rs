//! Sets `cfg(other_projects)` if the fixtures of other projects exist. Without it, their tests are compiled as ignored
//! ones.

use std::path::PathBuf;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(other_projects)");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=LINKSTREAM_FIXTURES");
    let folder =
        std::env::var_os("LINKSTREAM_FIXTURES").map_or("../../shared/fixtures".into(), PathBuf::from);
    let files = ["wild", "qio/wild", "scda/libsc-sc_test_scda.scd"].map(|path| folder.join(path));
    if files.iter().all(|path| path.exists()) {
        println!("cargo::rustc-cfg=other_projects");
        // Only existing files: cargo treats a missing file as changed in every build.
        for path in files {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
}
