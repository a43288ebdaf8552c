//! Proof by linking: no function of linkstream can panic, and none allocates.
//!
//! The package `proofs` has a program without std and without an allocator that calls every public function of the
//! crate (without features). Its panic handler calls a function that is defined nowhere: if the optimiser leaves a
//! single path to a panic, linking fails. A second program, which can panic on purpose, shows that this
//! works. The proofs of the optimiser depend on the optimisation level, so several profiles are tested.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use object::{Object, ObjectSection, ObjectSymbol};
use rustc_demangle::demangle;

/// The symbol that proofs/src/lib.rs uses and that is defined nowhere.
const UNDEFINED: &str = "linkstream_has_a_panic_path";

/// Parts of names, mangled or not, that must not occur in the symbols of a proven program.
const FORBIDDEN: [&str; 6] = ["panicking", "begin_unwind", "eh_personality", "_Unwind_", "alloc", UNDEFINED];

#[test]
fn links_at_opt_level_3() {
    prove("proof-3");
    a_deliberate_panic_path_does_not_link("proof-3");
}

#[test]
fn links_at_opt_level_s() {
    prove("proof-s");
    a_deliberate_panic_path_does_not_link("proof-s");
}

#[test]
fn links_at_opt_level_z() {
    prove("proof-z");
}

#[test]
fn links_with_overflow_checks() {
    prove("proof-checks");
}

/// Checks that the program calls every public function, since only functions that are called are proven. The names are
/// searched for in the source text, so that no list has to be maintained. A function that cannot be proven must be
/// named in a comment with the reason.
#[test]
fn every_public_function_is_called() {
    let codec = proofs().join("../../codec/src");
    let root = read(&codec.join("lib.rs"));
    let mut missing = Vec::new();
    let mut count = 0;
    for file in source_files(&codec) {
        let place = file.strip_prefix(&codec).unwrap();
        // Only the crate without features is proven: the compiler's state machines for futures can panic, and
        // decompression calls other crates.
        let name = place.file_stem().unwrap().to_string_lossy();
        if name.starts_with("async") || ["deflate", "inflate", "stored", "unpack"].contains(&&*name) {
            continue;
        }
        // codec/src/lime/encode.rs belongs to proofs/src/lime.rs. The files of these rooms have a proof each.
        let module = place.with_extension("");
        let module = module.iter().next().unwrap().to_string_lossy();
        // A file that only the documentation includes is not part of the crate.
        if module == "guide" || !root.contains(&format!("mod {module};")) {
            continue;
        }
        let proof = if ["engine", "errors", "saved", "util"].contains(&&*module) { &name } else { &module };
        let proof = Path::new("src").join(&**proof).with_extension("rs");
        let called = fs::read_to_string(proofs().join(&proof)).unwrap_or_default();
        for path in public_functions(&read(&file)) {
            count += 1;
            if !mentions(&called, &path) {
                missing.push(format!("{path} (codec/src/{}) in {}", place.display(), proof.display()));
            }
        }
    }
    assert!(count > 50, "only {count} public functions found: the search in the source is broken");
    assert!(
        missing.is_empty(),
        "host-tests/proofs does not call, by their path:\n  {}",
        missing.join("\n  ")
    );
}

fn a_deliberate_panic_path_does_not_link(profile: &str) {
    let failure =
        build(profile, "deliberate", &[]).expect_err("the counter-test links, so the proof is void");
    let undefined = failure.undefined_symbols();
    assert_eq!(
        undefined,
        BTreeSet::from([UNDEFINED.to_owned()]),
        "linking failed for another reason:\n{}",
        failure.0
    );
    // With a panic handler that links, the program builds, and the place of the panic is found.
    let places = panic_places(profile, "deliberate");
    assert!(places.contains("deliberate.rs:10:"), "{places}");
}

fn prove(profile: &str) {
    let program = match build(profile, "no_panic", &[]) {
        Ok(program) => program,
        Err(failure) if failure.undefined_symbols().contains(UNDEFINED) => {
            panic!(
                "{profile}: linkstream, or a function that it calls, can panic:\n{}",
                panic_places(profile, "no_panic")
            );
        }
        Err(failure) => panic!("{profile}: the program does not build, for another reason:\n{}", failure.0),
    };

    let bytes = fs::read(&program).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let names: Vec<String> =
        file.symbols().chain(file.dynamic_symbols()).map(|s| s.name().unwrap().to_owned()).collect();
    assert!(
        names.iter().any(|name| name.contains("linkstream")),
        "the program has no symbol of linkstream: it is stripped, or calls nothing"
    );
    for name in &names {
        let found = FORBIDDEN.iter().find(|word| name.contains(**word));
        assert!(found.is_none(), "{profile}: the linked program has the symbol {:#}", demangle(name));
    }

    // The program also runs to its end, so the optimiser has removed no call as unreachable.
    let output = Command::new(&program).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{profile}: {:?}", output.status);
    let said = String::from_utf8(output.stdout).unwrap();
    let main = read(&proofs().join("src/no_panic.rs"));
    let modules: BTreeSet<&str> =
        main.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';')).collect();
    assert!(modules.len() > 3);
    assert_eq!(said.lines().collect::<BTreeSet<_>>(), modules, "a module was not run, or is not listed");
}

fn proofs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Output of a failed run of cargo.
struct Failure(String);

impl Failure {
    /// The symbols that are reported as undefined by lld or GNU ld.
    fn undefined_symbols(&self) -> BTreeSet<String> {
        let after = |line: &str, words: &str| {
            let rest = line.split_once(words)?.1;
            let name: String =
                rest.chars().skip_while(|c| " `'".contains(*c)).take_while(|c| !"`' ".contains(*c)).collect();
            Some(name)
        };
        let lines = self.0.lines();
        lines
            .filter_map(|line| {
                after(line, "undefined symbol:").or_else(|| after(line, "undefined reference to"))
            })
            .collect()
    }
}

/// Builds one program of the package `proofs` and returns its path.
fn build(profile: &str, program: &str, more: &[&str]) -> Result<PathBuf, Failure> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(["rustc", "--message-format=json-render-diagnostics", "--color=never"])
        .args(["--profile", profile, "--bin", program, "--manifest-path"])
        .arg(proofs().join("Cargo.toml"))
        // Each profile has a target directory of its own, because cargo locks the directory during a build.
        .arg("--target-dir")
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join(profile))
        .args(more)
        // Flags for the build of this test, such as those for coverage or sanitizers, do not apply to the program.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("CARGO_BUILD_TARGET")
        .env_remove("RUSTC_WORKSPACE_WRAPPER");
    let output = cargo.output().unwrap_or_else(|error| panic!("{cargo:?}: {error}"));
    if !output.status.success() {
        return Err(Failure(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let messages = String::from_utf8(output.stdout).unwrap();
    let executable =
        messages.lines().find_map(|line| line.split_once("\"executable\":\"")?.1.split('"').next());
    Ok(executable.unwrap_or_else(|| panic!("the output of cargo names no executable:\n{messages}")).into())
}

/// Source locations of possible panics, for the message of the test. Builds the program with a panic handler that
/// links, and lists the locations that it contains for panic messages.
fn panic_places(profile: &str, program: &str) -> String {
    let program = match build(profile, program, &["--features", "diagnose"]) {
        Ok(program) => program,
        Err(failure) => return format!("(the locations could not be determined)\n{}", failure.0),
    };
    let bytes = fs::read(&program).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let at = |address: u64, length: u64| {
        file.sections().find_map(|section| section.data_range(address, length).ok().flatten())
    };
    // A `core::panic::Location` has the address of a path, its length, line and column. The address is a relocation,
    // because the program is position-independent.
    let place = |(offset, relocation): (u64, object::Relocation)| {
        let number = |from, to| at(offset, 24)?.get(from..to)?.try_into().ok().map(u32::from_le_bytes);
        let path = at(relocation.addend() as u64, number(8, 12)?.into())?;
        let path = std::str::from_utf8(path).ok().filter(|path| path.ends_with(".rs"))?;
        Some(format!("{path}:{}:{}", number(16, 20)?, number(20, 24)?))
    };
    let places: BTreeSet<String> =
        file.dynamic_relocations().into_iter().flatten().filter_map(place).collect();
    format!(
        "{}\n(found in {}, the same program with a panic handler that links; `objdump -dC` shows the callers)",
        Vec::from_iter(places).join("\n"),
        program.display()
    )
}

fn source_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The paths of all public functions in a source file formatted by rustfmt: `Type::function`, or `function` for free
/// functions. Methods of the traits `Decode`, `SeekPayload` and `Resumable` are included; `Diagnostic` is proven for all errors of a
/// list at once, by `error::kind`.
fn public_functions(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let mut functions = Vec::new();
    // The type of the current `impl` block, and whether its functions are public without `pub`.
    let mut inside: Option<(String, bool)> = None;
    // Lines with deeper indentation belong to functions and private modules.
    for line in source.lines() {
        if line.starts_with('}') {
            inside = None;
        } else if let Some(header) = line.strip_prefix("impl") {
            let (of_trait, of) = match skip_generics(header).split_once(" for ") {
                Some((of_trait, of)) => (of_trait, of),
                None => ("", skip_generics(header)),
            };
            match of_trait {
                "" => inside = Some((leading_name(of), false)),
                "Decode" | "SeekPayload" | "Resumable" => inside = Some((leading_name(of), true)),
                "Diagnostic" => functions.push("error::kind".to_owned()),
                _ => {}
            }
        } else if let Some(name) = line.strip_prefix("decoder!(") {
            let derived = derived_functions("engine/machine.rs", "decoder", &leading_name(name));
            // A decoder over another one does not move inside a payload.
            let is_over = line.contains(", over ");
            let moves = |path: &String| path.ends_with("::seek") || path.ends_with("::payload_position");
            functions.extend(derived.into_iter().filter(|path| !is_over || !moves(path)));
        } else if let Some(name) = line.strip_prefix("nested_decoder!(") {
            functions.extend(derived_functions("engine/machine.rs", "nested", &leading_name(name)));
        } else if let Some(name) = line.strip_prefix("saved_encoder!(") {
            functions.extend(derived_functions("saved/state.rs", "encoder", &leading_name(name)));
        } else if line == "rules! {" {
            // The macro implements `Diagnostic`.
            functions.push("error::kind".to_owned());
        } else if let Some((name, for_all)) = &inside {
            let Some(item) = line.strip_prefix("    ") else { continue };
            let public = item.strip_prefix("pub ").or(if *for_all { Some(item) } else { None });
            if let Some(function) = public.and_then(function_name) {
                functions.push(format!("{name}::{function}"));
            }
        } else if let Some(function) = line.strip_prefix("pub ").and_then(function_name) {
            functions.push(function);
        }
    }
    functions
}

/// The public functions that a macro in this file of the codec derives for the type `name`, which is its parameter. All
/// arms of the macro count.
fn derived_functions(file: &str, parameter: &str, name: &str) -> Vec<String> {
    let source = read(&proofs().join("../../codec/src").join(file));
    let arm = format!("${parameter}:ident, $tag:literal");
    let mut functions = Vec::new();
    for (at, _) in source.match_indices(&arm) {
        let (_, body) = source[at..].split_once("=> {\n").expect("the body of the arm");
        let (body, _) = body.split_once("\n    };\n").expect("the end of the arm");
        let body: String = body
            .lines()
            .map(|line| line.strip_prefix("        ").unwrap_or(line).to_owned() + "\n")
            .collect();
        let plain = body
            .replace(&format!("${parameter}"), name)
            .replace("$crate::step::", "")
            .replace("$crate::state::", "");
        functions.extend(public_functions(&plain));
    }
    assert!(functions.len() >= 2, "the search in {file} is broken: {functions:?}");
    functions
}

/// True if `source` calls `path`, or has a comment with the reason why not (`path: reason`).
fn mentions(source: &str, path: &str) -> bool {
    source.match_indices(path).any(|(at, _)| {
        let before = source[..at].chars().next_back();
        let after = source[at + path.len()..].chars().next();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_') && matches!(after, Some('(' | ':'))
    })
}

fn function_name(item: &str) -> Option<String> {
    let item = ["const ", "async "].iter().fold(item, |item, word| item.strip_prefix(word).unwrap_or(item));
    item.strip_prefix("fn ").map(leading_name)
}

fn leading_name(text: &str) -> String {
    // An implementation for `&mut D` is listed as `D`.
    let text = text.strip_prefix("&mut ").unwrap_or(text);
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// `text` without generic parameters `<…>` and spaces at its beginning.
fn skip_generics(text: &str) -> &str {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            // The `>` of `->` closes nothing.
            '>' if !text[..at].ends_with('-') => depth -= 1,
            ' ' => {}
            _ if depth == 0 => return &text[at..],
            _ => {}
        }
    }
    ""
}
