//! The functions of a program, and the branches between them.

use anyhow::Result;
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SectionKind, SymbolKind};
use rustc_demangle::demangle;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    pub address: u64,
    pub size: u64,
}

impl Function {
    pub fn contains(&self, address: u64) -> bool {
        self.address <= address && address - self.address < self.size
    }
}

/// A call of a function, or a jump to its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Branch {
    pub from: u64,
    pub to: u64,
}

/// All functions. Several have the same address if the linker has found them to be equal.
pub fn functions(file: &object::File<'_>) -> Vec<Function> {
    let symbols = file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.size() > 0);
    let function = |name: &str, address: u64, size| Function {
        name: format!("{:#}", demangle(name)),
        // The lowest bit of an address marks Thumb code.
        address: address & !1,
        size,
    };
    symbols.map(|symbol| function(symbol.name().unwrap_or("?"), symbol.address(), symbol.size())).collect()
}

/// All branches that code for the Arm or RISC-V architecture can lead to other functions.
pub fn branches(file: &object::File<'_>) -> Result<Vec<Branch>> {
    let is_arm = file.architecture() == object::Architecture::Arm;
    decode(file, |from, word| {
        let first = word(0)?;
        if is_arm { thumb_branch(from, first) } else { riscv_branch(from, first, word(4)) }
    })
}

/// All jumps of Thumb code inside of functions; none for other architectures.
pub fn jumps(file: &object::File<'_>) -> Result<Vec<Branch>> {
    let is_arm = file.architecture() == object::Architecture::Arm;
    decode(file, |from, word| {
        let first = word(0).filter(|_| is_arm)?;
        thumb_jump(from, first).or_else(|| thumb_branch(from, first))
    })
}

/// The targets that `target` finds for each address of an instruction; it can read words relative to that.
fn decode(
    file: &object::File<'_>,
    target: impl Fn(u64, &dyn Fn(usize) -> Option<u32>) -> Option<u64>,
) -> Result<Vec<Branch>> {
    let mut branches = Vec::new();
    for section in file.sections().filter(|section| section.kind() == SectionKind::Text) {
        let code = section.data()?;
        for at in (0..code.len()).step_by(2) {
            let from = section.address() + at as u64;
            let word = |offset: usize| {
                let bytes = code.get(at + offset..at + offset + 4)?;
                Some(u32::from_le_bytes(bytes.try_into().ok()?))
            };
            branches.extend(target(from, &word).map(|to| Branch { from, to }));
        }
    }
    Ok(branches)
}

/// Target of a conditional `b`, a short `b`, `cbz` or `cbnz` (encodings T1, T2 and T3 of B; T1 of CBZ).
fn thumb_jump(from: u64, word: u32) -> Option<u64> {
    let bits = |from: u32, n: u32| word >> from & ((1 << n) - 1);
    let signed = |value: u32, n: u32| (value << (32 - n)) as i32 >> (32 - n);
    let offset = match bits(12, 4) {
        0xd if bits(8, 4) < 14 => signed(bits(0, 8) << 1, 9),
        0xe if bits(11, 1) == 0 => signed(bits(0, 11) << 1, 12),
        0xb if bits(8, 1) == 1 && bits(10, 1) == 0 => (bits(9, 1) << 6 | bits(3, 5) << 1) as i32,
        0xf if word & 0xd000_f800 == 0x8000_f000 && bits(7, 3) != 7 => {
            let high = bits(10, 1) << 3 | bits(27, 1) << 2 | bits(29, 1) << 1;
            signed(high << 17 | bits(0, 6) << 12 | bits(16, 11) << 1, 21)
        }
        _ => return None,
    };
    Some(from.wrapping_add(4).wrapping_add_signed(offset.into()))
}

/// Target of `bl` or `b.w` (Arm architecture, encodings T1 of BL and T4 of B). The first halfword of the instruction is
/// in the low half of `word`.
pub fn thumb_branch(from: u64, word: u32) -> Option<u64> {
    if word & 0x9000_f800 != 0x9000_f000 {
        return None;
    }
    let bit = |n: u32| word >> n & 1;
    let sign = bit(10);
    let (i1, i2) = (1 ^ bit(29) ^ sign, 1 ^ bit(27) ^ sign);
    let offset = sign << 24 | i1 << 23 | i2 << 22 | (word & 0x3ff) << 12 | (word >> 16 & 0x7ff) << 1;
    let offset = (offset << 7) as i32 >> 7;
    Some(from.wrapping_add(4).wrapping_add_signed(offset.into()))
}

/// Target of `jal`, or of `auipc` followed by `jalr`.
pub fn riscv_branch(from: u64, first: u32, second: Option<u32>) -> Option<u64> {
    let bits = |from: u32, n: u32| first >> from & ((1 << n) - 1);
    let offset = match (first & 0x7f, second) {
        (0x6f, _) => {
            let offset = bits(31, 1) << 20 | bits(12, 8) << 12 | bits(20, 1) << 11 | bits(21, 10) << 1;
            (offset << 11) as i32 >> 11
        }
        (0x17, Some(second)) if second & 0x7f == 0x67 && second >> 15 & 0x1f == bits(7, 5) => {
            ((first & 0xffff_f000) as i32).wrapping_add(second as i32 >> 20)
        }
        _ => return None,
    };
    Some(from.wrapping_add_signed(offset.into()) & 0xffff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_lead_where_the_assembler_meant() {
        // bl . + 4 + 0x100, bl . + 4 - 4, b.w . + 4 + 0x100, bx lr: as encoded by llvm-mc.
        assert_eq!(thumb_branch(0x1000, 0xf880_f000), Some(0x1104));
        assert_eq!(thumb_branch(0x1000, 0xfffe_f7ff), Some(0x1000));
        assert_eq!(thumb_branch(0x1000, 0xb880_f000), Some(0x1104));
        assert_eq!(thumb_branch(0x1000, 0xbf00_4770), None);
        // beq . + 4 + 0x10, b . + 4 - 0x20, cbz r0, . + 4 + 0x22, bne.w . + 4 - 0x400
        assert_eq!(thumb_jump(0x1000, 0xbf00_d008), Some(0x1014));
        assert_eq!(thumb_jump(0x1000, 0xbf00_e7f0), Some(0x0fe4));
        assert_eq!(thumb_jump(0x1000, 0xbf00_b188), Some(0x1026));
        assert_eq!(thumb_jump(0x1000, 0xae00_f47f), Some(0x0c04));
        assert_eq!(thumb_jump(0x1000, 0xbf00_4770), None);
        // jal ra, . + 0x100; jal ra, . - 4; auipc ra, 0x1 with jalr -4(ra); addi
        assert_eq!(riscv_branch(0x1000, 0x1000_00ef, None), Some(0x1100));
        assert_eq!(riscv_branch(0x1000, 0xffdf_f0ef, None), Some(0x0ffc));
        assert_eq!(riscv_branch(0x1000, 0x0000_1097, Some(0xffc0_80e7)), Some(0x1ffc));
        assert_eq!(riscv_branch(0x1000, 0x0015_0513, None), None);
    }
}
