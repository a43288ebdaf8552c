//! Counts the instructions of the most expensive chunk of a file, for each decoder of its format: the longest time that
//! an interrupt handler, or a task without priority, spends on one block. The file may be one that a decoder refuses; it is
//! then read up to there. QEMU must count instructions (`-icount shift=0`).
#![no_std]
#![no_main]

use embedded_io::{Read, Seek, SeekFrom};
use firmware::board::{instructions_in, ticks};
use firmware::{Buffers, Failure, File};
use linkstream::{Decode, Mode, conformance, drive, field, finish, inebin, lime, scda};

firmware::program!(worst);

/// One block of a card.
const CHUNK: usize = 512;
/// The file is read several times, with another first chunk each time: the costs of a chunk depend on what is in it.
const SHIFT: usize = 128;

static BUFFER: Buffers<[u8; CHUNK]> = Buffers::new([0; CHUNK]);

fn worst(mut file: File) -> Result<(), Failure> {
    let buffer = BUFFER.take().ok_or(Failure::Other("the buffer is lent already"))?;
    let n = fill(&mut file, buffer, 8)?;
    match buffer.get(..n) {
        Some([0x45, 0x67, 0x89, 0xab, ..]) => {
            each(&mut file, buffer, "lime::Decoder", || lime::Decoder::new(Mode::Strict))?;
            each(&mut file, buffer, "field::Decoder", || field::Decoder::new(Mode::Strict))?;
            each(&mut file, buffer, "conformance::Decoder", || conformance::Decoder::new(Mode::Survey))
        }
        Some([b's', b'c', ..]) => {
            each(&mut file, buffer, "scda::PlainDecoder", || scda::PlainDecoder::new(Mode::Strict))?;
            let sections = || scda::Decoder::new(Mode::Strict, true);
            each(&mut file, buffer, "scda::Decoder", sections)
        }
        Some([b'I', b'N', ..]) => {
            each(&mut file, buffer, "inebin::Decoder", || inebin::Decoder::new(Mode::Strict))
        }
        _ => Err(Failure::Other("the file has another format")),
    }
}

/// Reads the file with a new decoder for each shift, and logs the most expensive chunk.
#[inline(never)]
fn each<D: Decode>(
    file: &mut File,
    buffer: &mut [u8; CHUNK],
    name: &str,
    new: fn() -> D,
) -> Result<(), Failure> {
    let (mut most, mut at) = (0, 0);
    for shift in (0..CHUNK).step_by(SHIFT) {
        file.seek(SeekFrom::Start(0))?;
        let mut decoder = new();
        let (mut length, mut is_valid) = (CHUNK - shift, true);
        while is_valid {
            let n = fill(file, buffer, length)?;
            let chunk = buffer.get(..n).unwrap_or_default();
            let position = decoder.position();
            let count = ticks(|| {
                is_valid = match chunk {
                    [] => finish(&mut decoder, |_, _, _| {}).is_ok(),
                    chunk => drive(&mut decoder, chunk, |_, _, _| {}).is_ok(),
                }
            });
            if count > most {
                (most, at) = (count, position);
            }
            if chunk.is_empty() {
                break;
            }
            length = CHUNK;
        }
        if !is_valid && shift == 0 {
            defmt::info!("{=str} refuses the file at byte {=u64}", name, decoder.position());
        }
    }
    let most = instructions_in(most);
    defmt::info!("most expensive chunk of {=str}: {=u64} instructions at byte {=u64}", name, most, at);
    Ok(())
}

/// Fills the front of the buffer, except at the end of the file. Returns the number of bytes.
fn fill(file: &mut File, buffer: &mut [u8; CHUNK], length: usize) -> Result<usize, Failure> {
    let mut filled = 0;
    while let Some(rest @ [_, ..]) = buffer.get_mut(filled..length) {
        let n = file.read(rest)?;
        if n == 0 {
            break;
        }
        filled += n;
    }
    Ok(filled)
}
