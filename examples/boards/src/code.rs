//! Decodes as much of the machine code as a call graph needs: calls, jumps, changes of the stack pointer, and addresses
//! of functions in registers. Thumb (encodings of the Armv7-M architecture reference manual) and RISC-V (RV32IMAC and
//! RV64IMAC).

use boards_elf::functions::{riscv_branch, thumb_branch};

/// The encoding of the instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Thumb,
    Riscv32,
    Riscv64,
}

/// An instruction that matters for the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// A call of this address.
    Direct(u64),
    /// A jump to this address: inside the function, or to a function in its last place.
    Jump(u64),
    /// A call or a jump to an address in a register.
    Indirect,
    /// The stack grows by so many bytes.
    Push(u64),
    /// An address is put into a register.
    Address(u64),
}

/// The flow of the code that begins at `address`, with the offset of each instruction.
pub fn decode(encoding: Encoding, address: u64, code: &[u8]) -> Vec<(u64, Flow)> {
    let is_64 = encoding == Encoding::Riscv64;
    let mut decoder = Decoder { is_64, upper: [None; 32], set: None, recent: [0; 6] };
    let (mut flow, mut at) = (Vec::new(), 0);
    while let Some(first) = half(code, at) {
        let from = address + at as u64;
        let second = half(code, at + 2).unwrap_or(0);
        let word = u32::from(second) << 16 | u32::from(first);
        let next =
            half(code, at + 4).map(|low| u32::from(half(code, at + 6).unwrap_or(0)) << 16 | u32::from(low));
        let (length, found) = if encoding == Encoding::Thumb {
            let length = if first >> 11 >= 0b11101 { 4 } else { 2 };
            (length, decoder.thumb(from, first, second))
        } else if first & 3 == 3 {
            decoder.riscv(from, word, next)
        } else {
            (2, decoder.compressed(from, first))
        };
        flow.extend(found.map(|found| (at as u64, found)));
        at += length;
    }
    flow
}

fn half(code: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes([*code.get(at)?, *code.get(at + 1)?]))
}

/// The register that the RISC-V instruction before has set to an address, and the address.
type Before = Option<(usize, u64)>;

struct Decoder {
    /// RV64.
    is_64: bool,
    /// The last value that `movw`, `lui` or `auipc` has put into each register.
    upper: [Option<u64>; 32],
    set: Before,
    /// The last instructions of RISC-V code.
    recent: [u32; 6],
}

impl Decoder {
    fn thumb(&mut self, from: u64, first: u16, second: u16) -> Option<Flow> {
        let word = u32::from(second) << 16 | u32::from(first);
        let wide = first >> 11 >= 0b11101;
        match first {
            // BLX and BX of a register; BX LR returns.
            _ if first & 0xff87 == 0x4780 || first & 0xff87 == 0x4700 && first != 0x4770 => {
                Some(Flow::Indirect)
            }
            _ if first & 0xfe00 == 0xb400 => Some(Flow::Push(u64::from((first & 0x1ff).count_ones()) * 4)),
            _ if first & 0xff80 == 0xb080 => Some(Flow::Push(u64::from(first & 0x7f) * 4)),
            // B (T2) and B with a condition (T1, without UDF and SVC).
            _ if first & 0xf800 == 0xe000 => {
                let offset = i64::from((first << 5) as i16 >> 4);
                Some(Flow::Jump(from.wrapping_add(4).wrapping_add_signed(offset)))
            }
            _ if first & 0xf000 == 0xd000 && first >> 9 & 7 != 7 => {
                Some(Flow::Jump(from.wrapping_add(4).wrapping_add_signed(i64::from(first as i8) * 2)))
            }
            _ if !wide => None,
            // STMDB SP!, VPUSH, STR with SP as the base that is decremented before.
            0xe92d => Some(Flow::Push(u64::from(second.count_ones()) * 4)),
            0xed2d | 0xed6d => Some(Flow::Push(u64::from(second & 0xff) * 4)),
            0xf84d if second & 0xf00 == 0xd00 => Some(Flow::Push(u64::from(second & 0xff))),
            // SUB SP, SP, a modified immediate (T2) or 12 bits (T3).
            0xf1ad | 0xf5ad if second & 0x8f00 == 0x0d00 => {
                let immediate = first >> 10 & 1;
                Some(Flow::Push(modified(immediate, second >> 12 & 7, second & 0xff)))
            }
            0xf2ad | 0xf6ad if second & 0x8f00 == 0x0d00 => {
                let immediate = (first >> 10 & 1) << 11 | (second >> 12 & 7) << 8 | second & 0xff;
                Some(Flow::Push(immediate.into()))
            }
            // MOVW and MOVT.
            _ if first & 0xfbf0 == 0xf240 && second & 0x8000 == 0 => {
                self.upper[usize::from(second >> 8 & 15)] = Some(wide_immediate(first, second));
                None
            }
            _ if first & 0xfbf0 == 0xf2c0 && second & 0x8000 == 0 => {
                let low = self.upper[usize::from(second >> 8 & 15)].take()?;
                Some(Flow::Address(wide_immediate(first, second) << 16 | low))
            }
            // B.W with a condition (T3).
            _ if word & 0xd000_f800 == 0x8000_f000 && first >> 7 & 7 != 7 => {
                let bit = |n: u16, of: u16| u32::from(of >> n & 1);
                let offset = bit(10, first) << 20
                    | bit(11, second) << 19
                    | bit(13, second) << 18
                    | u32::from(first & 0x3f) << 12
                    | u32::from(second & 0x7ff) << 1;
                let offset = i64::from((offset << 11) as i32 >> 11);
                Some(Flow::Jump(from.wrapping_add(4).wrapping_add_signed(offset)))
            }
            _ => thumb_branch(from, word).map(linking(second & 0x4000 != 0)),
        }
    }

    /// Returns the length as well: `auipc` and `jalr` are one call.
    fn riscv(&mut self, from: u64, word: u32, next: Option<u32>) -> (usize, Option<Flow>) {
        let (rd, rs1) = ((word >> 7 & 31) as usize, word >> 15 & 31);
        let before = self.set.take();
        let flow = match word & 0x7f {
            0x17 if next.is_some_and(|next| next & 0x7f == 0x67 && next >> 15 & 31 == rd as u32) => {
                let is_call = next.is_some_and(|next| next >> 7 & 31 != 0);
                return (8, riscv_branch(from, word, next).map(linking(is_call)));
            }
            0x6f => riscv_branch(from, word, None).map(linking(rd != 0)),
            // Conditional branches.
            0x63 => {
                let bits = |from: u32, n: u32| word >> from & ((1 << n) - 1);
                let offset = bits(31, 1) << 12 | bits(7, 1) << 11 | bits(25, 6) << 5 | bits(8, 4) << 1;
                let offset = i64::from((offset << 19) as i32 >> 19);
                Some(Flow::Jump(from.wrapping_add_signed(offset) & 0xffff_ffff))
            }
            0x67 => self.jump(before, rd as u32, rs1, i64::from(word as i32 >> 20)),
            0x37 | 0x17 => {
                let base = if word & 0x7f == 0x17 { from } else { 0 };
                let address = base.wrapping_add(u64::from(word & 0xffff_f000)) & 0xffff_ffff;
                self.upper[rd] = Some(address);
                self.set = Some((rd, address));
                None
            }
            0x13 if word >> 12 & 7 == 0 => {
                let immediate = i64::from(word as i32 >> 20);
                match (rd, rs1) {
                    (2, 2) if immediate < 0 => Some(Flow::Push(immediate.unsigned_abs())),
                    _ => self.address(before, rs1, immediate, rd),
                }
            }
            _ => None,
        };
        self.remember(word);
        (4, flow)
    }

    fn compressed(&mut self, from: u64, word: u16) -> Option<Flow> {
        let bit = |from: u16, to: u32| u32::from(word >> from & 1) << to;
        let register = u32::from(word >> 7 & 31);
        let negative = word >> 12 & 1 == 1;
        let before = self.set.take();
        let flow = match (word & 3, word >> 13) {
            // C.ADDIW, in place of C.JAL.
            (1, 1) if self.is_64 => None,
            // C.JAL and C.J.
            (1, 1 | 5) => {
                let offset = bit(12, 11)
                    | bit(11, 4)
                    | bit(10, 9)
                    | bit(9, 8)
                    | bit(8, 10)
                    | bit(7, 6)
                    | bit(6, 7)
                    | bit(5, 3)
                    | bit(4, 2)
                    | bit(3, 1)
                    | bit(2, 5);
                let offset = i64::from((offset << 20) as i32 >> 20);
                Some(linking(word >> 13 == 1)(from.wrapping_add_signed(offset) & 0xffff_ffff))
            }
            // C.ADDI and C.ADDI16SP of the stack pointer.
            (1, 0) if register == 2 && negative => Some(Flow::Push(u64::from(32 - (word >> 2 & 31)))),
            (1, 3) if register == 2 && negative => {
                let amount = bit(6, 4) | bit(5, 6) | bit(4, 8) | bit(3, 7) | bit(2, 5);
                Some(Flow::Push(u64::from(512 - amount)))
            }
            // C.ADDI of a register that LUI or AUIPC has set.
            (1, 0) => {
                let immediate = i64::from(word >> 2 & 31) - if negative { 32 } else { 0 };
                self.address(before, register, immediate, register as usize)
            }
            // C.JR and C.JALR.
            (2, 4) if word >> 2 & 31 == 0 && register != 0 => {
                self.jump(before, u32::from(negative), register, 0)
            }
            _ => None,
        };
        self.remember(word.into());
        flow
    }

    /// The sum of what LUI or AUIPC has put into the register `from` and an immediate, in the register `to`. A jump follows
    /// it only if the instruction `before` has set `from`: the register may have been loaded since.
    fn address(&mut self, before: Before, from: u32, immediate: i64, to: usize) -> Option<Flow> {
        let address = self.upper[from as usize]?.wrapping_add_signed(immediate) & 0xffff_ffff;
        self.set = before.filter(|(set, _)| *set == from as usize).map(|_| (to, address));
        Some(Flow::Address(address))
    }

    /// A jump to a register: to the address that the instruction `before` has set it to, a return, a jump inside the
    /// function through a table, or an indirect call.
    fn jump(&self, before: Before, link: u32, register: u32, offset: i64) -> Option<Flow> {
        if let Some((_, address)) = before.filter(|(set, _)| *set == register as usize) {
            return Some(linking(link != 0)(address.wrapping_add_signed(offset) & 0xffff_ffff));
        }
        // A table: the index is shifted by 2 (C.SLLI or SLLI) shortly before the jump, for addresses of 64 bits by 3.
        let is_shift_by = |word: u32, by: u32| {
            word >> 16 == 0 && word & 0xf07f == by << 2 | 2 || word & 0xfff0_707f == by << 20 | 0x1013
        };
        let is_shift = |word: &u32| is_shift_by(*word, 2) || self.is_64 && is_shift_by(*word, 3);
        match (link, register) {
            (0, 1 | 5) => None,
            (0, _) if self.recent.iter().any(is_shift) => None,
            _ => Some(Flow::Indirect),
        }
    }

    fn remember(&mut self, word: u32) {
        self.recent.rotate_left(1);
        self.recent[5] = word;
    }
}

/// A call if the instruction stores the address of the next one, else a jump.
fn linking(is_call: bool) -> fn(u64) -> Flow {
    if is_call { Flow::Direct } else { Flow::Jump }
}

/// The immediate of MOVW and MOVT.
fn wide_immediate(first: u16, second: u16) -> u64 {
    let immediate = (first & 15) << 12 | (first >> 10 & 1) << 11 | (second >> 12 & 7) << 8 | second & 0xff;
    immediate.into()
}

/// A modified immediate of Thumb, from its parts `i`, `imm3` and `imm8`.
fn modified(i: u16, imm3: u16, imm8: u16) -> u64 {
    let (rotation, value) = (i << 4 | imm3 << 1 | imm8 >> 7, u32::from(imm8));
    let value = match rotation >> 1 {
        0 => value,
        1 => value << 16 | value,
        2 => value << 24 | value << 8,
        3 => value * 0x0101_0101,
        _ => (value | 0x80).rotate_right(rotation.into()),
    };
    value.into()
}

#[cfg(test)]
mod tests {
    use super::Encoding::{Riscv32, Riscv64, Thumb};
    use super::*;

    fn flow(encoding: Encoding, halves: &[u16]) -> Vec<Flow> {
        let code: Vec<u8> = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
        decode(encoding, 0x1000, &code).into_iter().map(|(_, flow)| flow).collect()
    }

    #[test]
    fn thumb_is_decoded_as_the_assembler_encodes_it() {
        // push {r4, r5, lr}; sub sp, #24; push.w {r4-r8, lr}; sub.w sp, sp, #1024; subw sp, sp, #2052
        assert_eq!(flow(Thumb, &[0xb530, 0xb086]), [Flow::Push(12), Flow::Push(24)]);
        assert_eq!(flow(Thumb, &[0xe92d, 0x41f0, 0xf5ad, 0x6d80]), [Flow::Push(24), Flow::Push(1024)]);
        assert_eq!(flow(Thumb, &[0xf6ad, 0x0d04]), [Flow::Push(2052)]);
        // blx r3; bx lr; bx r3; bl . + 4 + 0x100; b . + 4 - 4; beq . + 4 + 4
        assert_eq!(flow(Thumb, &[0x4798, 0x4770, 0x4718]), [Flow::Indirect, Flow::Indirect]);
        assert_eq!(flow(Thumb, &[0xf000, 0xf880]), [Flow::Direct(0x1104)]);
        assert_eq!(flow(Thumb, &[0xe7fe, 0xd002]), [Flow::Jump(0x1000), Flow::Jump(0x100a)]);
        // movw r0, #0x1235; movt r0, #0x2000
        assert_eq!(flow(Thumb, &[0xf241, 0x2035, 0xf2c2, 0x0000]), [Flow::Address(0x2000_1235)]);
    }

    #[test]
    fn riscv_is_decoded_as_the_assembler_encodes_it() {
        // addi sp, sp, -32 in both lengths; c.addi16sp sp, -64; addi sp, sp, 32
        assert_eq!(flow(Riscv32, &[0x1101, 0x0113, 0xfe01]), [Flow::Push(32), Flow::Push(32)]);
        assert_eq!(flow(Riscv32, &[0x7139, 0x6105]), [Flow::Push(64)]);
        // jal ra, . + 0x100; auipc ra, 1 with jalr -4(ra); c.jr ra; c.jalr a5; c.jr a5
        assert_eq!(flow(Riscv32, &[0x00ef, 0x1000]), [Flow::Direct(0x1100)]);
        assert_eq!(flow(Riscv32, &[0x1097, 0x0000, 0x80e7, 0xffc0]), [Flow::Direct(0x1ffc)]);
        assert_eq!(flow(Riscv32, &[0x8082, 0x9782, 0x8782]), [Flow::Indirect, Flow::Indirect]);
        // lui ra, 0x20400; jr 8(ra); then auipc t0, 0; addi t0, t0, 448; jr t0: no returns.
        assert_eq!(flow(Riscv32, &[0x00b7, 0x2040, 0x8067, 0x0080]), [Flow::Jump(0x2040_0008)]);
        assert_eq!(
            flow(Riscv64, &[0x0297, 0x0000, 0x8293, 0x1c02, 0x8067, 0x0002]),
            [Flow::Address(0x11c0), Flow::Jump(0x11c0)]
        );
        // auipc t0, 0; c.addi t0, 16; c.jr t0: no return. With a call between: the value is not followed.
        assert_eq!(
            flow(Riscv32, &[0x0297, 0x0000, 0x02c1, 0x8282]),
            [Flow::Address(0x1010), Flow::Jump(0x1010)]
        );
        assert_eq!(
            flow(Riscv32, &[0x0297, 0x0000, 0x1097, 0x0000, 0x80e7, 0xffc0, 0x8282]),
            [Flow::Direct(0x2000)]
        );
        // lui a5, 0x20000; lw a5, 0(a5); addi a5, a5, 64; c.jr a5: the register has been loaded, so this is any address.
        assert_eq!(
            flow(Riscv32, &[0x07b7, 0x2000, 0xa783, 0x0007, 0x8793, 0x0407, 0x8782]),
            [Flow::Address(0x2000_0040), Flow::Indirect]
        );
        // slli a5, a5, 2; c.jr a5: a table.
        assert_eq!(flow(Riscv32, &[0x078a, 0x8782]), []);
        // slli a5, a5, 3; c.jr a5: a table of long addresses.
        assert_eq!(flow(Riscv32, &[0x078e, 0x8782]), [Flow::Indirect]);
        assert_eq!(flow(Riscv64, &[0x078e, 0x8782]), []);
        // c.jal . + 0x620 is c.addiw a0, 1 there; c.j . + 4
        assert_eq!(flow(Riscv32, &[0x2505]), [Flow::Direct(0x1620)]);
        assert_eq!(flow(Riscv64, &[0x2505, 0xa011]), [Flow::Jump(0x1006)]);
        // lui a0, 0x20000; addi a0, a0, 64
        assert_eq!(flow(Riscv32, &[0x0537, 0x2000, 0x0513, 0x0405]), [Flow::Address(0x2000_0040)]);
    }
}
