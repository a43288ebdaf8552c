//! Lists the sections of an scda file with sums over their contents. With the feature `inflate`, compressed elements
//! are decompressed; without it, they are skipped.
#![no_std]
#![no_main]

use firmware::{Buffers, Failure, File};
use linkstream::Mode;
use linkstream::io::Reader;
use linkstream::scda::{Decoder, Element, Elements, Event, Section};

firmware::program!(sections);

/// The read buffer, and the table of element sizes of a variable array.
static BUFFERS: Buffers<([u8; 512], [u64; 64])> = Buffers::new(([0; 512], [0; 64]));
/// The window of decompression: a deflate stream may refer 32 KiB back. Elements longer than the window are delivered
/// in parts.
#[cfg(feature = "inflate")]
static WINDOW: Buffers<[u8; 32 << 10]> = Buffers::new([0; 32 << 10]);

/// Sums over the contents of a section.
#[derive(Default)]
struct Sum {
    /// Wrapping sum of all bytes.
    bytes: u64,
    /// Sum of all elements of 8 bytes, taken as little-endian numbers.
    numbers: f64,
    /// The current element of 8 bytes, as far as it has arrived.
    word: [u8; 8],
}

impl Sum {
    fn add(&mut self, part: &Element, bytes: &[u8]) {
        self.bytes = bytes.iter().fold(self.bytes, |sum, byte| sum.wrapping_add(u64::from(*byte)));
        if part.size != 8 {
            return;
        }
        for (to, from) in self.word.iter_mut().skip(part.offset as usize).zip(bytes) {
            *to = *from;
        }
        if part.is_complete() {
            self.numbers += f64::from_le_bytes(self.word);
        }
    }
}

fn sections(file: File) -> Result<(), Failure> {
    let (buffer, table) = BUFFERS.take().ok_or(Failure::Other("the buffers are lent already"))?;
    let mut elements = Elements::new(table);
    let (mut sum, mut is_split) = (Sum::default(), false);
    let decoder = Decoder::new(Mode::Lenient, true);
    #[cfg(feature = "inflate")]
    let decoder = {
        let window = WINDOW.take().ok_or(Failure::Other("the window is lent already"))?;
        &mut linkstream::scda::Unpacker::new(decoder, window)
    };
    let mut reader = Reader::new(file, &mut buffer[..], decoder);
    while let Some(event) = reader.next()? {
        match event {
            Event::Section(section) => {
                sum = Sum::default();
                announce(&section, user(reader.decoder()));
                // A variable array whose sizes do not fit into the table is listed, but its elements are not summed.
                is_split = !section.is_compressed();
                if is_split && let Err(error) = elements.begin(&section) {
                    defmt::warn!("{}", error);
                    is_split = false;
                }
            }
            Event::Size(size) if is_split => elements.size(size)?,
            Event::Data if is_split => elements.feed(reader.bytes(), |part, bytes| sum.add(&part, bytes))?,
            #[cfg(feature = "inflate")]
            Event::Element(element) => sum.add(&element, reader.decoder().bytes()),
            Event::End => defmt::info!("  bytes sum to {=u64}, numbers to {=f64}", sum.bytes, sum.numbers),
            Event::Finding(finding) => defmt::warn!("finding {}", finding),
            _ => {}
        }
    }
    Ok(())
}

fn announce(section: &Section, user: &[u8]) {
    let compressed = if section.is_compressed() { ", compressed" } else { "" };
    // Counts have 128 bits; in real files, they fit into 64.
    let (n, e) = (section.n.to_u64().unwrap_or(u64::MAX), section.e.to_u64().unwrap_or(u64::MAX));
    defmt::info!(
        "{} {=[u8]:a} at {=u64}: n {=u64}, e {=u64}{=str}",
        section.section_type,
        user,
        section.offset,
        n,
        e,
        compressed
    );
}

#[cfg(not(feature = "inflate"))]
fn user(decoder: &Decoder) -> &[u8] {
    decoder.user()
}

#[cfg(feature = "inflate")]
fn user<'a, D>(unpacker: &'a D) -> &'a [u8]
where
    D: core::ops::Deref<Target = linkstream::scda::Unpacker<&'static mut [u8; 32 << 10]>>,
{
    unpacker.sections().user()
}
