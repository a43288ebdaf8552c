//! Builds for a target: with Debian's compiler, which includes the source of the library, if it is installed, otherwise
//! with rustup's library for the target. The budget holds for Debian's compiler: others make programs of other sizes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context as _, Result, ensure};

/// The project's directory.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn firmware() -> PathBuf {
    root().join("examples/firmware")
}

/// Package, profile and features of a build.
#[derive(Debug, Clone, Copy)]
pub struct Build<'a> {
    /// Directory of the package's workspace, relative to examples/firmware.
    pub workspace: &'a str,
    pub package: &'a str,
    pub profile: &'a str,
    pub features: &'a str,
    /// Names of the programs to build; all if empty.
    pub only: &'a [&'a str],
    /// Arguments for the compiler of the only program.
    pub arguments: &'a [&'a str],
    /// The linker keeps the places of addresses, for `boards stack`. Not for programs whose debug information is read:
    /// `addr2line` would add the addresses again.
    pub keeps_addresses: bool,
}

impl<'a> Build<'a> {
    /// A build of all programs of a package.
    pub const fn new(package: &'a str, profile: &'a str) -> Self {
        Self {
            workspace: "",
            package,
            profile,
            features: "",
            only: &[],
            arguments: &[],
            keeps_addresses: true,
        }
    }

    /// Builds the programs for `target` and returns their directory.
    pub fn run(&self, target: &str) -> Result<PathBuf> {
        self.compile(&[target])?;
        let folder = target_folder()?.join("firmware");
        // Copied, because a build with other features overwrites programs of the same name.
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

    /// Compiles the programs for several targets at the same time, so that all cores are used: the library and the codec
    /// use one core each.
    pub fn compile(&self, targets: &[&str]) -> Result<()> {
        let mut cargo =
            if has_debian() { debian_cargo(targets, self.keeps_addresses) } else { rustup_cargo(targets)? };
        cargo
            .current_dir(firmware().join(self.workspace))
            .args([
                if self.arguments.is_empty() { "build" } else { "rustc" },
                "--quiet",
                "--package",
                self.package,
            ])
            .args(self.programs()?.iter().flat_map(|name| ["--bin", name]))
            .args(["--profile", self.profile, "--features", self.features])
            .args(targets.iter().flat_map(|target| ["--target", target]))
            .arg("--target-dir")
            .arg(target_folder()?.join("firmware"))
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env_remove("RUSTC_WORKSPACE_WRAPPER");
        for (name, _) in env::vars_os() {
            if name.to_string_lossy().starts_with("CARGO_PROFILE_") {
                cargo.env_remove(name);
            }
        }
        if !self.arguments.is_empty() {
            cargo.arg("--").args(self.arguments);
        }
        let status = cargo.status().with_context(|| format!("{cargo:?} cannot be run"))?;
        ensure!(status.success(), "the firmware does not build for {}", targets.join(", "));
        Ok(())
    }

    /// The directory of the package.
    pub fn source(&self) -> PathBuf {
        if self.package == "firmware" { firmware() } else { firmware().join(self.package) }
    }

    /// The names of the programs; if [`only`](Self::only) is empty, the names of all files in the package's `src/bin`.
    pub fn programs(&self) -> Result<Vec<String>> {
        if !self.only.is_empty() {
            return Ok(self.only.iter().map(|name| (*name).to_owned()).collect());
        }
        let source = self.source().join("src/bin");
        let mut names = Vec::new();
        for entry in fs::read_dir(&source).with_context(|| source.display().to_string())? {
            names.push(entry?.path().file_stem().unwrap_or_default().to_string_lossy().into_owned());
        }
        names.sort();
        Ok(names)
    }
}

/// The target directory as an absolute path, because cargo runs in another directory.
fn target_folder() -> Result<PathBuf> {
    let folder = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    Ok(std::path::absolute(folder)?)
}

fn rustup_cargo(targets: &[&str]) -> Result<Command> {
    for target in targets {
        ensure!(
            has_target(target)?,
            "there is no compiler for {target}: please run rustup target add {target}, or on Debian apt-get install \
             rustc-web cargo-web rust-web-src lld"
        );
    }
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Flags for the build of this program, such as those for coverage, do not apply to boards.
    command.env_remove("RUSTFLAGS");
    Ok(command)
}

/// True if the compiler in use has the library for this target.
fn has_target(target: &str) -> Result<bool> {
    let output = Command::new("rustc").args(["--print", "target-libdir", "--target", target]).output();
    let output = output.context("rustc cannot be run")?;
    let folder = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok(output.status.success() && Path::new(&folder).is_dir())
}

const DEBIAN_CARGO: &str = "/usr/bin/cargo";
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
/// Directory of the source of the library.
const DEBIAN_LIBRARY: &str = "/usr/lib/rustlib/src/rust/library/core";

fn has_debian() -> bool {
    [DEBIAN_CARGO, DEBIAN_RUSTC, DEBIAN_LIBRARY, "/usr/bin/ld.lld"]
        .iter()
        .all(|path| Path::new(path).exists())
}

fn debian_cargo(targets: &[&str], keeps_addresses: bool) -> Command {
    let mut command = Command::new(DEBIAN_CARGO);
    command.args(["-Z", "build-std=core"]).env("RUSTC", DEBIAN_RUSTC).env("RUSTC_BOOTSTRAP", "1");
    for target in targets {
        let linker = format!("CARGO_TARGET_{}_LINKER", target.to_uppercase().replace('-', "_"));
        command.env(linker, "ld.lld");
    }
    // For `boards stack`: sizes of frames, and the places of addresses, both in sections that are not loaded.
    let addresses = if keeps_addresses { "-C link-arg=--emit-relocs" } else { "" };
    command.env("RUSTFLAGS", format!("-Z emit-stack-sizes {addresses}"));
    // Rustup's variables would make cargo use the compiler of rustup.
    command.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").env_remove("RUSTDOC");
    command
}
