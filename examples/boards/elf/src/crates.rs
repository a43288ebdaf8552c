//! The crates whose code is in a program, from its debug information, which also describes inlined code.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use addr2line::Loader;
use anyhow::{Result, anyhow};

use crate::functions::{Branch, Function, branches, functions, jumps};
use crate::panics::is_forbidden;

/// Crates of the compiler. Their code is counted for the crate that calls it.
const LIBRARY: [&str; 3] = ["core", "alloc", "compiler_builtins"];
/// Code without debug information: parts of several functions that the compiler has merged.
const UNKNOWN: &str = "merged code";

/// A program with debug information.
pub struct Crates {
    loader: Loader,
    functions: Vec<Function>,
    branches: Vec<Branch>,
    jumps: Vec<Branch>,
    /// Name of the crate of each source file.
    names: RefCell<HashMap<String, String>>,
}

impl std::fmt::Debug for Crates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Crates").field("functions", &self.functions.len()).finish_non_exhaustive()
    }
}

/// A place in a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    /// Name of the crate.
    name: String,
    file: String,
    /// 0 if the code is for several places.
    line: u32,
}

impl Place {
    fn is_library(&self) -> bool {
        LIBRARY.contains(&&*self.name)
    }
}

impl Crates {
    pub fn read(program: &Path) -> Result<Self> {
        let bytes = fs::read(program)?;
        let file = object::File::parse(&*bytes)?;
        let loader = Loader::new(program).map_err(|error| anyhow!("{}: {error}", program.display()))?;
        Ok(Self {
            loader,
            functions: functions(&file),
            branches: branches(&file)?,
            jumps: jumps(&file)?,
            names: RefCell::default(),
        })
    }

    /// Bytes of code by crate.
    pub fn sizes(&self) -> Result<BTreeMap<String, u64>> {
        let mut sizes = BTreeMap::new();
        let mut counted = BTreeSet::new();
        for function in &self.functions {
            for at in (function.address..function.address + function.size).step_by(2) {
                if counted.insert(at) {
                    let places = self.places(at)?;
                    let own = places.iter().find(|place| !place.is_library()).or(places.first());
                    let name = own.map_or(UNKNOWN, |place| &place.name);
                    *sizes.entry(name.to_owned()).or_default() += 2;
                }
            }
        }
        Ok(sizes)
    }

    /// The places that call a function that panics, by the crate that they belong to.
    pub fn panics(&self) -> Result<BTreeMap<String, BTreeSet<String>>> {
        let mut origins = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for function in self.functions.iter().filter(|function| is_forbidden(&function.name)) {
            self.add_callers(function, &mut seen, &mut origins)?;
        }
        Ok(origins)
    }

    fn add_callers(
        &self,
        function: &Function,
        seen: &mut BTreeSet<u64>,
        origins: &mut BTreeMap<String, BTreeSet<String>>,
    ) -> Result<()> {
        if !seen.insert(function.address) {
            return Ok(());
        }
        for branch in self.branches.iter().filter(|branch| branch.to == function.address) {
            let Some(caller) = self.functions.iter().find(|caller| caller.contains(branch.from)) else {
                continue;
            };
            if is_forbidden(&caller.name) {
                continue;
            }
            let origin =
                |at| Ok::<_, anyhow::Error>(self.places(at)?.into_iter().find(|place| !place.is_library()));
            let Some(place) = origin(branch.from)? else {
                // A function of the library or merged code: its callers have the reason.
                self.add_callers(caller, seen, origins)?;
                continue;
            };
            let mut places = Vec::new();
            if place.line == 0 {
                // One call for several reasons: those are where it is jumped to.
                for jump in self.jumps.iter().filter(|jump| {
                    caller.contains(jump.from) && branch.from - 4 <= jump.to && jump.to <= branch.from
                }) {
                    places.extend(origin(jump.from)?.filter(|place| place.line > 0));
                }
            }
            if places.is_empty() {
                places.push(place);
            }
            for place in places {
                origins.entry(place.name).or_default().insert(format!("{}:{}", place.file, place.line));
            }
        }
        Ok(())
    }

    /// The places of the code at an address: the innermost inlined function first.
    fn places(&self, at: u64) -> Result<Vec<Place>> {
        let mut frames = self.loader.find_frames(at).map_err(|error| anyhow!("{error}"))?;
        let mut places = Vec::new();
        while let Some(frame) = frames.next()? {
            if let Some(location) = frame.location
                && let Some(file) = location.file
            {
                let line = location.line.unwrap_or(0);
                places.push(Place { name: self.name(file), file: short(file).to_owned(), line });
            }
        }
        Ok(places)
    }

    /// Name of the crate that a source file belongs to.
    fn name(&self, file: &str) -> String {
        let mut names = self.names.borrow_mut();
        names.entry(file.to_owned()).or_insert_with(|| name(file)).clone()
    }
}

/// A path without the directories above the crate's.
fn short(file: &str) -> &str {
    let from = file.rfind("/src/").and_then(|src| file.get(..src)?.rfind('/')).map_or(0, |slash| slash + 1);
    file.get(from..).unwrap_or(file)
}

fn name(file: &str) -> String {
    // The compiler's library may have been compiled elsewhere.
    for library in LIBRARY {
        let folder = format!("/library/{}/", library.replace('_', "-"));
        if file.contains(&folder) {
            return library.to_owned();
        }
    }
    let manifest = Path::new(file).ancestors().skip(1).map(|folder| folder.join("Cargo.toml"));
    let manifest = manifest.filter_map(|path| fs::read_to_string(path).ok()).next().unwrap_or_default();
    let name = manifest.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    name.unwrap_or(UNKNOWN).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_file_belongs_to_the_crate_of_the_nearest_manifest() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(name(here.join("src/crates.rs").to_str().unwrap()), "boards-elf");
        assert_eq!(name(here.join("../src/main.rs").to_str().unwrap()), "boards");
        assert_eq!(name("/rustc/0123/library/core/src/slice/index.rs"), "core");
        assert_eq!(
            name("/rust/library/compiler-builtins/compiler-builtins/src/mem/impls.rs"),
            "compiler_builtins"
        );
        assert_eq!(short("/home/user/smoltcp-0.14.0/src/wire/ip.rs"), "smoltcp-0.14.0/src/wire/ip.rs");
    }
}
