//! Building for a target: with rustup's library for it, or else with Debian's compiler, which brings the
//! source of the library.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context as _, Result, bail, ensure};

/// The project's folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn firmware() -> PathBuf {
    root().join("examples/firmware")
}

/// What is built: of which package, how hard optimised, with what.
#[derive(Debug, Clone, Copy)]
pub struct Build<'a> {
    pub package: &'a str,
    pub profile: &'a str,
    pub features: &'a str,
    /// Its programs; all if empty.
    pub only: &'a [&'a str],
}

impl Build<'_> {
    /// Builds the programs for `target`; the folder they are in.
    pub fn run(&self, target: &str) -> Result<PathBuf> {
        let folder = target_folder()?.join("firmware");
        let mut cargo = if has_target(target)? { rustup_cargo() } else { debian_cargo(target)? };
        cargo
            .current_dir(firmware())
            .args(["build", "--quiet", "--package", self.package])
            .args(self.programs()?.iter().flat_map(|name| ["--bin", name]))
            .args(["--profile", self.profile, "--target", target, "--features", self.features])
            .arg("--target-dir")
            .arg(&folder)
            // What holds for the build of this program (coverage, say) is not meant for a board.
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env_remove("RUSTC_WORKSPACE_WRAPPER");
        let status = cargo.status().with_context(|| format!("{cargo:?} cannot be run"))?;
        ensure!(status.success(), "the firmware does not build for {target}");
        // The next choice of features makes programs of the same names.
        let features = if self.features.is_empty() { "plain" } else { self.features };
        let kept = folder.join("programs").join(target).join(self.profile).join(features);
        fs::create_dir_all(&kept)?;
        for name in self.programs()? {
            let built = folder.join(target).join(self.profile).join(&name);
            fs::copy(&built, kept.join(&name))
                .with_context(|| format!("{} was not built", built.display()))?;
        }
        Ok(kept)
    }

    /// The names of the programs; all are those in the package's source.
    pub fn programs(&self) -> Result<Vec<String>> {
        if !self.only.is_empty() {
            return Ok(self.only.iter().map(|name| (*name).to_owned()).collect());
        }
        let package = if self.package == "firmware" { firmware() } else { firmware().join(self.package) };
        let source = package.join("src/bin");
        let mut names = Vec::new();
        for entry in fs::read_dir(&source).with_context(|| source.display().to_string())? {
            names.push(entry?.path().file_stem().unwrap_or_default().to_string_lossy().into_owned());
        }
        names.sort();
        Ok(names)
    }
}

/// Absolute, as the compiler runs in another folder.
fn target_folder() -> Result<PathBuf> {
    let folder = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    Ok(std::path::absolute(folder)?)
}

fn rustup_cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Whether the compiler in use has the library for this target.
fn has_target(target: &str) -> Result<bool> {
    let output = Command::new("rustc").args(["--print", "target-libdir", "--target", target]).output();
    let output = output.context("rustc cannot be run")?;
    let folder = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok(output.status.success() && Path::new(&folder).is_dir())
}

fn debian_cargo(target: &str) -> Result<Command> {
    let (cargo, rustc) = ("/usr/bin/cargo", "/usr/bin/rustc");
    if ![cargo, rustc, "/usr/bin/ld.lld"].iter().all(|tool| Path::new(tool).exists()) {
        bail!(
            "the compiler has no library for {target}: please run rustup target add {target}, or on Debian \
             apt-get install rustc-web cargo-web rust-web-src lld"
        );
    }
    let mut command = Command::new(cargo);
    let linker = format!("CARGO_TARGET_{}_LINKER", target.to_uppercase().replace('-', "_"));
    // Outside of rustup, whose variables would lead it back there.
    command
        .args(["-Z", "build-std=core"])
        .env("RUSTC", rustc)
        .env("RUSTC_BOOTSTRAP", "1")
        .env(linker, "ld.lld");
    command.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").env_remove("RUSTDOC");
    Ok(command)
}
