//! The call graph of a linked program, with the stack frame of each function.
//!
//! Frames are from the section `.stack_sizes`, which the compiler writes (`-Z emit-stack-sizes`). Functions in assembly
//! have no entry: for these, all pushes are added up. A tail call counts like a call, so that the bound is never too low.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result, bail, ensure};
use object::{Architecture, Object as _, ObjectSection as _, ObjectSymbol as _, SectionKind, SymbolKind};
use rustc_demangle::demangle;

use crate::code::{Encoding, Flow, decode};

/// Size of the registers that a Cortex-M saves, floating-point registers and the alignment of the stack included. On
/// RISC-V, the handler saves them.
const EXCEPTION: u64 = 108;

#[derive(Debug, Default)]
pub struct Function {
    pub name: String,
    /// Bytes of stack.
    pub frame: u64,
    /// Addresses of the functions that it calls or jumps to.
    pub calls: BTreeSet<u64>,
    /// Offsets of the calls to an address in a register.
    pub indirect: Vec<u64>,
    pub size: u64,
}

#[derive(Debug)]
pub struct Graph {
    /// By address.
    pub functions: BTreeMap<u64, Function>,
    /// Functions whose address is in a register or in a table: an indirect call can reach these only.
    pub taken: BTreeSet<u64>,
    pub entry: u64,
    /// Handlers of interrupts.
    pub handlers: BTreeSet<u64>,
    /// Bytes of registers that the processor itself saves for an interrupt.
    pub saved: u64,
}

impl Graph {
    pub fn of(bytes: &[u8]) -> Result<Self> {
        let file = object::File::parse(bytes)?;
        let encoding = match file.architecture() {
            Architecture::Arm => Encoding::Thumb,
            Architecture::Riscv32 => Encoding::Riscv32,
            Architecture::Riscv64 => Encoding::Riscv64,
            other => bail!("programs for {other:?} are not read"),
        };
        let is_arm = encoding == Encoding::Thumb;
        let mut functions = functions(&file);
        let frames = frames(&file)?;
        ensure!(!frames.is_empty(), "the program has no sizes of stack frames: it needs Debian's compiler");
        let starts: BTreeSet<u64> = functions.keys().copied().collect();
        let mut taken = words(&file, |name| name != ".vector_table")?;
        for (address, function) in &mut functions {
            let Some(code) = code_of(&file, *address, function.size)? else { continue };
            let (inside, mut pushed) = (*address..*address + function.size, 0);
            for (at, flow) in decode(encoding, *address, &code) {
                match flow {
                    Flow::Jump(to) if inside.contains(&to) => {}
                    Flow::Direct(to) | Flow::Jump(to) if starts.contains(&to) => {
                        function.calls.insert(to);
                    }
                    // A constant in the code that looks like a branch, or a jump into the middle of assembly.
                    Flow::Direct(_) | Flow::Jump(_) => {}
                    Flow::Indirect => function.indirect.push(at),
                    Flow::Push(bytes) => pushed += bytes,
                    Flow::Address(to) => {
                        taken.insert(to);
                    }
                }
            }
            function.frame = frames.get(address).copied().unwrap_or(pushed);
        }
        // The lowest bit of an address marks Thumb code; an even number is no address of a function there.
        let is_address = |word: &u64| !is_arm || word & 1 == 1;
        let to_function = |words: BTreeSet<u64>| -> BTreeSet<u64> {
            words
                .iter()
                .filter(|word| is_address(word))
                .map(|word| word & !1)
                .filter(|at| starts.contains(at))
                .collect()
        };
        let entry = file.entry() & !1;
        ensure!(starts.contains(&entry), "the entry point {entry:#x} is no function");
        let mut handlers = to_function(words(&file, |name| name == ".vector_table")?);
        handlers.extend(functions.iter().filter(|(_, f)| f.name.contains("_start_trap")).map(|(at, _)| *at));
        handlers.remove(&entry);
        Ok(Self {
            taken: to_function(taken),
            functions,
            entry,
            handlers,
            saved: if is_arm { EXCEPTION } else { 0 },
        })
    }
}

/// The functions by address, without their calls.
fn functions(file: &object::File<'_>) -> BTreeMap<u64, Function> {
    let mut functions = BTreeMap::new();
    let text = |symbol: &object::Symbol<'_, '_>| {
        let section = symbol.section_index().and_then(|index| file.section_by_index(index).ok());
        section.is_some_and(|section| section.kind() == SectionKind::Text)
    };
    for symbol in file.symbols() {
        let name = symbol.name().unwrap_or("?");
        // Symbols without a type are labels of assembly; mapping symbols begin with `$`.
        let is_function =
            symbol.kind() == SymbolKind::Text || symbol.is_global() && symbol.kind() != SymbolKind::Data;
        if is_function && text(&symbol) && !name.starts_with('$') && !name.is_empty() {
            let function = functions.entry(symbol.address() & !1).or_insert_with(Function::default);
            if function.name.is_empty() || symbol.size() > 0 {
                function.name = format!("{:#}", demangle(name));
            }
            function.size = function.size.max(symbol.size());
        }
    }
    // Assembly often has no sizes: such a function ends where the next one begins.
    let starts: Vec<u64> = functions.keys().copied().collect();
    for (n, at) in starts.iter().enumerate() {
        let end = starts.get(n + 1).copied().unwrap_or(at + 256);
        if let Some(function) = functions.get_mut(at).filter(|function| function.size == 0) {
            function.size = end - at;
        }
    }
    functions
}

/// Frame by address, from `.stack_sizes`: pairs of an address, of the size of the machine's, and a number in LEB128.
fn frames(file: &object::File<'_>) -> Result<BTreeMap<u64, u64>> {
    let mut frames = BTreeMap::new();
    for section in file.sections().filter(|section| section.name() == Ok(".stack_sizes")) {
        let mut rest = section.data()?;
        let address_size = if file.is_64() { 8 } else { 4 };
        while let Some((address, after)) = rest.split_at_checked(address_size) {
            rest = after;
            let address = address.iter().rev().fold(0, |address, byte| address << 8 | u64::from(*byte));
            let (mut size, mut shift) = (0_u64, 0);
            loop {
                let (byte, after) = rest.split_first().context("`.stack_sizes` is cut off")?;
                rest = after;
                size |= u64::from(byte & 0x7f).checked_shl(shift).context("a frame beyond 64 bits")?;
                shift += 7;
                if byte & 0x80 == 0 {
                    break;
                }
            }
            frames.insert(address & !1, size);
        }
        if !rest.is_empty() {
            bail!("`.stack_sizes` is cut off");
        }
    }
    Ok(frames)
}

/// The words in the loaded sections whose name is `wanted`, of a program that was linked with `--emit-relocs` only those
/// that the linker has set: others look like an address by chance. All addresses have 32 bits, or the upper ones are zeros.
fn words(file: &object::File<'_>, wanted: fn(&str) -> bool) -> Result<BTreeSet<u64>> {
    let mut words = BTreeSet::new();
    let is_linked = file.sections().any(|section| section.relocations().next().is_some());
    for section in
        file.sections().filter(|section| section.address() > 0 || section.name() == Ok(".vector_table"))
    {
        let is_loaded = matches!(
            section.kind(),
            SectionKind::Text | SectionKind::Data | SectionKind::ReadOnlyData | SectionKind::ReadOnlyString
        );
        if is_loaded && wanted(section.name()?) {
            let set: BTreeSet<u64> = section.relocations().map(|(at, _)| at).collect();
            let (words_of, _) = section.data()?.as_chunks::<4>();
            let places = (section.address()..).step_by(4).zip(words_of);
            // The linker makes this table itself, so no object file asks for its addresses.
            let is_table = section.name()?.starts_with(".got");
            let addresses = places.filter(|(at, _)| !is_linked || is_table || set.contains(at));
            words.extend(addresses.map(|(_, word)| u64::from(u32::from_le_bytes(*word))));
        }
    }
    Ok(words)
}

/// The code of a function, without the constants between its instructions.
fn code_of(file: &object::File<'_>, address: u64, size: u64) -> Result<Option<Vec<u8>>> {
    for section in file.sections().filter(|section| section.kind() == SectionKind::Text) {
        let Some(from) = address.checked_sub(section.address()) else { continue };
        let (data, from) = (section.data()?, usize::try_from(from)?);
        if let Some(code) =
            data.get(from..data.len().min(from + usize::try_from(size)?)).filter(|code| !code.is_empty())
        {
            return Ok(Some(without_constants(file, address, code.to_vec())));
        }
    }
    Ok(None)
}

/// Clears the constants, which the assembler marks with the symbols `$d`; an instruction of zeros has no flow.
fn without_constants(file: &object::File<'_>, address: u64, mut code: Vec<u8>) -> Vec<u8> {
    let mut marks: Vec<(u64, bool)> = Vec::new();
    for symbol in file.symbols() {
        let name = symbol.name().unwrap_or("");
        if name.starts_with("$d") || name.starts_with("$t") || name.starts_with("$x") {
            marks.push((symbol.address() & !1, name.starts_with("$d")));
        }
    }
    marks.sort_unstable();
    let mut marks = marks.into_iter().peekable();
    let mut is_data = false;
    for (at, byte) in (address..).zip(&mut code) {
        while let Some((_, data)) = marks.next_if(|(mark, _)| *mark <= at) {
            is_data = data;
        }
        if is_data {
            *byte = 0;
        }
    }
    code
}
