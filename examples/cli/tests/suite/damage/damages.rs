//! Damage to files: bits flip, blocks are lost, repeated or exchanged, and jobs are killed while they write.

use std::ops::Range;

use super::dice::Dice;
use super::subjects::{Format, Subject};

/// Lengths of blocks: words, numbers, links, sites, sectors and pages.
const BLOCKS: [usize; 12] = [1, 4, 8, 16, 48, 72, 96, 144, 288, 512, 576, 4096];

/// The files of a subject after some damage, and its description. At least one byte differs.
pub fn damaged(subject: &Subject, dice: &mut Dice) -> (Vec<Vec<u8>>, String) {
    loop {
        let mut files = subject.files.clone();
        let number = dice.below(files.len());
        let mut what = if files.len() > 1 { format!("volume {number}: ") } else { String::new() };
        if files.len() > 1 && dice.below(12) == 0 {
            let other = dice.below(files.len());
            files.swap(number, other);
            what += &format!("exchanged with volume {other}");
        } else {
            what += &damage(&mut files[number], subject.format, dice);
        }
        if files != subject.files {
            return (files, what);
        }
    }
}

fn damage(bytes: &mut Vec<u8>, format: Format, dice: &mut Dice) -> String {
    let length = bytes.len();
    match dice.below(13) {
        0 => flips(bytes, dice),
        1 => {
            let at = block(length, dice);
            let value = *dice.choose(&[0, 0xff, b' ', b'0']);
            bytes[at.clone()].fill(value);
            format!("{at:?} filled with {value:#04x}")
        }
        2 => {
            let at = block(length, dice);
            let noise = dice.bytes(at.len());
            bytes[at.clone()].copy_from_slice(&noise);
            format!("{at:?} overwritten with noise")
        }
        3 => {
            let at = block(length, dice);
            let from = dice.below(length - at.len() + 1);
            bytes.copy_within(from..from + at.len(), at.start);
            format!("{at:?} overwritten with the bytes at {from}")
        }
        4 => {
            let end = position(length, dice);
            bytes.truncate(end);
            format!("cut at {end}")
        }
        5 => {
            let at = block(length, dice);
            bytes.drain(at.clone());
            format!("{at:?} cut out")
        }
        6 => {
            let at = block(length, dice);
            let copy = bytes[at.clone()].to_vec();
            bytes.splice(at.end..at.end, copy);
            format!("{at:?} repeated")
        }
        7 | 8 => {
            let one = block(length, dice);
            let other = aligned(length, one.len(), one.start % one.len().max(1), dice);
            if one.end <= other || other + one.len() <= one.start {
                let (first, second) = (one.start.min(other), one.start.max(other));
                let (before, after) = bytes.split_at_mut(second);
                before[first..first + one.len()].swap_with_slice(&mut after[..one.len()]);
            }
            format!("{one:?} exchanged with the bytes at {other}")
        }
        9 => {
            let n = dice.up_to(5000);
            let more = match dice.below(3) {
                0 => vec![0; n],
                1 => dice.bytes(n),
                _ => bytes.clone(),
            };
            bytes.extend_from_slice(&more);
            format!("{} bytes appended", more.len())
        }
        // Remains of a file after a crash of the file system: the length is right, the rest was never written.
        10 => {
            let at = position(length, dice);
            bytes[at..].fill(0);
            format!("zeros from {at} on")
        }
        11 if format == Format::Lime => records(bytes, dice),
        11 | 12 => lines(bytes, dice),
        _ => unreachable!("below 13"),
    }
}

fn flips(bytes: &mut [u8], dice: &mut Dice) -> String {
    let mut what = "flipped: ".to_owned();
    for _ in 0..dice.up_to(6) {
        let (at, bit) = (position(bytes.len(), dice), dice.below(8));
        bytes[at] ^= 1 << bit;
        what += &format!("bit {bit} of byte {at}, ");
    }
    what
}

/// An offset, in the first bytes more often than elsewhere: headers and documents are short.
fn position(length: usize, dice: &mut Dice) -> usize {
    let end = if dice.below(3) == 0 { length.min(2000) } else { length };
    dice.below(end)
}

/// A block that may be aligned, as sectors and sites are.
fn block(length: usize, dice: &mut Dice) -> Range<usize> {
    let size = if dice.below(3) == 0 { dice.up_to(length) } else { *dice.choose(&BLOCKS) };
    let size = size.min(length);
    let start = position(length, dice).min(length - size);
    let start = if dice.below(2) == 0 { start - start % size } else { start };
    start..start + size
}

/// The start of another block of this size, at the same offset modulo the size.
fn aligned(length: usize, size: usize, offset: usize, dice: &mut Dice) -> usize {
    let blocks = (length - offset) / size;
    offset + dice.below(blocks.max(1)) * size
}

/// Exchanges, repeats or removes whole records, as their headers delimit them.
fn records(bytes: &mut Vec<u8>, dice: &mut Dice) -> String {
    let (mut places, mut at) = (Vec::new(), 0);
    while let Some(length) = bytes.get(at + 8..at + 16) {
        let length = u64::from_be_bytes(length.try_into().expect("8 bytes"));
        let end = at + 144 + usize::try_from(length).expect("the file is in memory").next_multiple_of(8);
        places.push(at..end.min(bytes.len()));
        at = end;
    }
    if places.is_empty() {
        return "no records".to_owned();
    }
    let mut order: Vec<usize> = (0..places.len()).collect();
    let (one, other) = (dice.below(order.len()), dice.below(order.len()));
    match dice.below(4) {
        0 => order.swap(one, other),
        1 => order.insert(other, one),
        2 => drop(order.drain(one.min(other)..=one.max(other))),
        _ => {
            let moved = order.remove(one);
            order.insert(other.min(order.len()), moved);
        }
    }
    *bytes = order.iter().flat_map(|index| bytes[places[*index].clone()].to_vec()).collect();
    format!("records in the order {order:?}")
}

/// Exchanges, repeats or removes lines of text at the beginning.
fn lines(bytes: &mut Vec<u8>, dice: &mut Dice) -> String {
    let head = bytes.len().min(2000);
    let mut lines: Vec<Vec<u8>> =
        bytes[..head].split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let (one, other) = (dice.below(lines.len()), dice.below(lines.len()));
    let what = match dice.below(3) {
        0 => {
            lines.swap(one, other);
            "exchanged with"
        }
        1 => {
            let copy = lines[one].clone();
            lines.insert(other, copy);
            "also before"
        }
        _ => {
            lines.remove(one);
            "removed, not"
        }
    };
    let rest = bytes.split_off(head);
    *bytes = [lines.concat(), rest].concat();
    format!("line {one} {what} line {other}")
}
