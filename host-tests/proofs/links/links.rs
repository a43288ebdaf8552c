//! Proof by linking: no function of linkstream can panic, and none allocates.
//!
//! The package beside this one is a program without std and without an allocator that calls every public function
//! of the crate (features off). Its panic handler needs a symbol that nobody defines. So if the optimiser
//! leaves a single way to a panic, the program does not link; a second program, with such a way on purpose,
//! shows that this is so. What the optimiser can see depends on how hard it tries, hence several profiles.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use object::{Object, ObjectSection, ObjectSymbol};
use rustc_demangle::demangle;

/// The symbol of proofs/src/lib.rs that nobody defines.
const UNDEFINED: &str = "linkstream_has_a_panic_path";

/// Parts of names, mangled or not, that no symbol of a proven program has.
const FORBIDDEN: [&str; 6] = ["panicking", "begin_unwind", "eh_personality", "_Unwind_", "alloc", UNDEFINED];

#[test]
fn links_at_opt_level_3() {
    prove("proof-3", &[]);
    a_deliberate_panic_path_does_not_link("proof-3");
}

#[test]
fn links_at_opt_level_s() {
    prove("proof-s", &[]);
    a_deliberate_panic_path_does_not_link("proof-s");
}

/// Without the documents: what nom does cannot be proven at this level.
#[test]
fn links_at_opt_level_z() {
    prove("proof-z", &["--features", "without-nom"]);
}

#[test]
fn links_with_overflow_checks() {
    prove("proof-checks", &[]);
}

/// A public function that the program does not call is not proven. Names are compared as text, so that no
/// one has to keep a list; what cannot be proven is named in a comment, with the reason.
#[test]
fn every_public_function_is_called() {
    let codec = proofs().join("../../codec/src");
    let root = read(&codec.join("lib.rs"));
    let mut missing = Vec::new();
    let mut count = 0;
    for file in source_files(&codec) {
        let place = file.strip_prefix(&codec).unwrap();
        // The proof is of the crate without features: futures are state machines of the compiler's own, and what
        // inflates calls others.
        let name = place.file_stem().unwrap().to_string_lossy();
        if name.starts_with("async")
            || ["deflate", "element_unpacker", "inflate", "stored", "unpack"].contains(&&*name)
        {
            continue;
        }
        // codec/src/lime/encode.rs and codec/src/lime.rs belong to proofs/src/lime.rs.
        let module = place.with_extension("");
        let module = module.iter().next().unwrap().to_string_lossy();
        // A file that only the documentation includes is not of the crate.
        if !root.contains(&format!("mod {module};")) {
            continue;
        }
        let proof = Path::new("src").join(&*module).with_extension("rs");
        let called = fs::read_to_string(proofs().join(&proof)).unwrap_or_default();
        for path in public_functions(&read(&file)) {
            count += 1;
            if !mentions(&called, &path) {
                missing.push(format!("{path} (codec/src/{}) in {}", place.display(), proof.display()));
            }
        }
    }
    assert!(count > 50, "only {count} public functions found: the search in the source is broken");
    assert!(missing.is_empty(), "host-tests/proofs should call, by their path:\n  {}", missing.join("\n  "));
}

fn a_deliberate_panic_path_does_not_link(profile: &str) {
    let failure = build(profile, "deliberate", &[]).expect_err("the counter-test links: the proof is void");
    let undefined = failure.undefined_symbols();
    assert_eq!(undefined, BTreeSet::from([UNDEFINED.to_owned()]), "not for this reason:\n{}", failure.0);
    // With a handler that links nothing else is wrong with it, and the place is found.
    let places = panic_places(profile, "deliberate", &[]);
    assert!(places.contains("deliberate.rs:10:"), "{places}");
}

fn prove(profile: &str, features: &[&str]) {
    let program = match build(profile, "no_panic", features) {
        Ok(program) => program,
        Err(failure) if failure.undefined_symbols().contains(UNDEFINED) => {
            panic!(
                "{profile}: linkstream, or what it calls, can panic:\n{}",
                panic_places(profile, "no_panic", features)
            );
        }
        Err(failure) => panic!("{profile}: the proof does not build, for another reason:\n{}", failure.0),
    };

    let bytes = fs::read(&program).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let names: Vec<String> =
        file.symbols().chain(file.dynamic_symbols()).map(|s| s.name().unwrap().to_owned()).collect();
    assert!(
        names.iter().any(|name| name.contains("linkstream")),
        "no symbol of linkstream: stripped, or nothing is in it"
    );
    for name in &names {
        let found = FORBIDDEN.iter().find(|word| name.contains(**word));
        assert!(found.is_none(), "{profile}: the finished program has the symbol {:#}", demangle(name));
    }

    // It also runs to its end, so no call in it was dropped as never reached.
    let output = Command::new(&program).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{profile}: {:?}", output.status);
    let said = String::from_utf8(output.stdout).unwrap();
    let main = read(&proofs().join("src/no_panic.rs"));
    let lines: Vec<&str> = main.lines().collect();
    let modules: BTreeSet<&str> = lines
        .windows(2)
        .filter(|two| features.is_empty() || !two[0].starts_with("#[cfg(not(feature"))
        .filter_map(|two| two[1].strip_prefix("mod ")?.strip_suffix(';'))
        .collect();
    assert!(modules.len() > 3);
    assert_eq!(said.lines().collect::<BTreeSet<_>>(), modules, "each module says that it has been run");
}

fn proofs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// What cargo said when it failed.
struct Failure(String);

impl Failure {
    /// The symbols that the linker misses, in the words of lld and of GNU ld.
    fn undefined_symbols(&self) -> BTreeSet<String> {
        let behind = |line: &str, words: &str| {
            let rest = line.split_once(words)?.1;
            let name: String =
                rest.chars().skip_while(|c| " `'".contains(*c)).take_while(|c| !"`' ".contains(*c)).collect();
            Some(name)
        };
        let lines = self.0.lines();
        lines
            .filter_map(|line| {
                behind(line, "undefined symbol:").or_else(|| behind(line, "undefined reference to"))
            })
            .collect()
    }
}

/// Builds one program of the proofs' workspace and reports where it lies.
fn build(profile: &str, program: &str, more: &[&str]) -> Result<PathBuf, Failure> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(["rustc", "--message-format=json-render-diagnostics", "--color=never"])
        .args(["--profile", profile, "--bin", program, "--manifest-path"])
        .arg(proofs().join("Cargo.toml"))
        // Each profile has a folder of its own, as cargo lets only one build at a time work in one.
        .arg("--target-dir")
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join(profile))
        .args(more)
        // What holds for the build of this test (coverage, sanitizers) is not meant for the program.
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
    Ok(executable.unwrap_or_else(|| panic!("cargo names no executable:\n{messages}")).into())
}

/// Where the program can panic, for people: builds it with a panic handler that links, and lists the places
/// in the source that it could name in a message.
fn panic_places(profile: &str, program: &str, features: &[&str]) -> String {
    let program = match build(profile, program, &[features, &["--features", "diagnose"]].concat()) {
        Ok(program) => program,
        Err(failure) => return format!("(where, could not be found out)\n{}", failure.0),
    };
    let bytes = fs::read(&program).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let at = |address: u64, length: u64| {
        file.sections().find_map(|section| section.data_range(address, length).ok().flatten())
    };
    // core::panic::Location is the address of a path, its length, line and column. The address is a
    // relocation, for the program can be loaded anywhere.
    let place = |(offset, relocation): (u64, object::Relocation)| {
        let number = |from, to| at(offset, 24)?.get(from..to)?.try_into().ok().map(u32::from_le_bytes);
        let path = at(relocation.addend() as u64, number(8, 12)?.into())?;
        let path = std::str::from_utf8(path).ok().filter(|path| path.ends_with(".rs"))?;
        Some(format!("{path}:{}:{}", number(16, 20)?, number(20, 24)?))
    };
    let places: BTreeSet<String> =
        file.dynamic_relocations().into_iter().flatten().filter_map(place).collect();
    format!(
        "{}\n(found in {}, the same with a panic handler that links; `objdump -dC` shows who calls it)",
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

/// `Type::function` of every public function in a source file laid out by rustfmt; free functions alone.
/// Of the traits those are taken that a user calls; `Diagnostic` is proven for a whole list of errors at once.
fn public_functions(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let mut functions = Vec::new();
    // The type whose implementation we are in, and whether its functions need not say `pub`.
    let mut inside: Option<(String, bool)> = None;
    // What is indented deeper belongs to functions and private modules.
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
                "Decode" | "SeekPayload" => inside = Some((leading_name(of), true)),
                "Diagnostic" => functions.push("error::kind".to_owned()),
                _ => {}
            }
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

/// Whether `source` calls `path`, or says in a comment why not (`path: reason`).
fn mentions(source: &str, path: &str) -> bool {
    source.match_indices(path).any(|(at, _)| {
        let before = source[..at].chars().next_back();
        let behind = source[at + path.len()..].chars().next();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_') && matches!(behind, Some('(' | ':'))
    })
}

fn function_name(item: &str) -> Option<String> {
    let item = ["const ", "async "].iter().fold(item, |item, word| item.strip_prefix(word).unwrap_or(item));
    item.strip_prefix("fn ").map(leading_name)
}

fn leading_name(text: &str) -> String {
    // What is lent is called by the name of the lender.
    let text = text.strip_prefix("&mut ").unwrap_or(text);
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// Passes over `<…>` and blanks.
fn skip_generics(text: &str) -> &str {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            // Not the head of an arrow.
            '>' if !text[..at].ends_with('-') => depth -= 1,
            ' ' => {}
            _ if depth == 0 => return &text[at..],
            _ => {}
        }
    }
    ""
}
