//! NERSC archives. Checks the contract of the decoder in every mode, and that an archive without errors has the same
//! values and data when it is written again.

use linkstream::Resumable as _;
use linkstream::nersc::{Decoder, Encoder, ErrorKind, Event, Header, Verdict};
use linkstream::{Encode as _, Error, Mode, drive};

use crate::stream::{self, Checked, FEW_WAYS, Item, WAYS};

impl Checked for Decoder {
    fn is_payload(event: &Event) -> bool {
        *event == Event::Data
    }

    fn finding(event: &Event) -> Option<Error<ErrorKind>> {
        match event {
            Event::Finding(finding) => Some(*finding),
            _ => None,
        }
    }

    fn without_payload(event: &Event) -> Event {
        match event {
            Event::Verdict(_) => Event::Verdict(Verdict::Unchecked),
            other => *other,
        }
    }

    fn is_about_payload(kind: &ErrorKind) -> bool {
        matches!(kind, ErrorKind::Checksum { .. } | ErrorKind::OtherByteOrder { .. })
    }

    fn through_bytes(&self) -> Result<Self, Error<ErrorKind>> {
        Ok(Self::load(&self.save()?).expect("a saved state loads"))
    }
}

/// Checks the decoder and the encoder with this file.
pub fn check(file: &[u8]) {
    let strict = stream::check(|| Decoder::new(Mode::Strict), file, &FEW_WAYS);
    let lenient = stream::check(|| Decoder::new(Mode::Lenient), file, &FEW_WAYS);
    let survey = stream::check(|| Decoder::new(Mode::Survey), file, &WAYS);
    stream::milder::<Decoder>(&strict, &lenient);
    stream::milder::<Decoder>(&lenient, &survey);
    let header = survey.events.iter().find_map(|item| match item {
        Item::Event(Event::Header(header), at) => Some((*header, *at as usize)),
        _ => None,
    });
    let Some((header, at)) = header.filter(|_| strict.end.is_ok()) else { return };
    write_again(&header, &file[at..]);
}

fn write_again(header: &Header, data: &[u8]) {
    let mut text = vec![0; 4096];
    let length = header.write(&[], &[], &mut text).expect("the header fits into the buffer");
    let mut encoder = Encoder::new(header, length).expect("the data are in memory, so their length is valid");
    encoder.put(data).expect("no more data than the header describes");
    let whole = encoder.final_header().expect("the data are complete");
    whole.write(&[], &[], &mut text).expect("the header is as long as before");
    text.truncate(length);
    text.extend_from_slice(data);
    let mut decoder = Decoder::new(Mode::Survey);
    drive(&mut decoder, &text, |_, _, _| {}).expect("an archive that was written can be read");
    let again = decoder.header().expect("the archive has a header");
    assert_eq!(
        (again.extents(), again.precision(), again.rows()),
        (header.extents(), header.precision(), header.rows())
    );
    assert_eq!((again.order(), &again.plaquette), (header.order(), &header.plaquette));
    assert_eq!(again.checksum, whole.checksum);
}

/// Valid archives of every form, and archives with one error each.
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    let file = |datatype: &str, floating: &str, bytes: usize, more: &str| {
        let data: Vec<u8> = (0..bytes).map(|at| (at * 7) as u8).collect();
        let sum = data.as_chunks::<4>().0.iter().fold(0, |sum: u32, word| {
            let big = !floating.contains("LITTLE");
            sum.wrapping_add(if big { u32::from_be_bytes(*word) } else { u32::from_le_bytes(*word) })
        });
        let header = format!(
            "BEGIN_HEADER\nDATATYPE = {datatype}\nDIMENSION_1 = 2\nDIMENSION_2 = 1\nDIMENSION_3 = 1\nDIMENSION_4 = 1\n\
             LINK_TRACE = 0.5\nPLAQUETTE = 5.0e-01\n{more}CHECKSUM = {sum:x}\nFLOATING_POINT = {floating}\nEND_HEADER\n"
        );
        [header.as_bytes(), &data].concat()
    };
    let two = |more: &str| file("4D_SU3_GAUGE", "IEEE32BIG", 2 * 192, more);
    let cut = |mut file: Vec<u8>, length: usize| {
        file.truncate(length);
        file
    };
    let replaced = |from: &[u8], to: &[u8]| {
        let file = two("");
        let at = file
            .windows(from.len())
            .position(|window| window == from)
            .expect("the archive contains the text");
        [&file[..at], to, &file[at + from.len()..]].concat()
    };
    [
        ("two-rows", two("")),
        ("three-rows", file("4D_SU3_GAUGE_3x3", "IEEE64BIG", 2 * 576, "")),
        ("little", file("4D_SU3_GAUGE", "IEEE64LITTLE", 2 * 384, "")),
        ("generic", file("4D_SU3_GAUGE", "IEEE32", 2 * 192, "")),
        ("lines", two("MILC_INFO = ----BEGIN----\nno equals sign\nPLAQUETTE = 0.1\nKEY = a = b\n")),
        ("carriage-return", two("LABEL = a\r\n")),
        ("long-line", two(&format!("LABEL = {}\n", "x".repeat(1100)))),
        ("no-checksum", replaced(b"CHECKSUM", b"CHECKSUN")),
        ("no-floating-point", replaced(b"FLOATING", b"FLOATINH")),
        ("huge", replaced(b"DIMENSION_1 = 2", b"DIMENSION_1 = 4294967295")),
        ("zero", replaced(b"DIMENSION_1 = 2", b"DIMENSION_1 = 0")),
        ("flipped", {
            let mut file = two("");
            if let Some(last) = file.last_mut() {
                *last ^= 1;
            }
            file
        }),
        ("trailing", [two(""), b"\n".to_vec()].concat()),
        ("cut-in-magic", cut(two(""), 5)),
        ("cut-in-header", cut(two(""), 100)),
        ("cut-in-data", cut(two(""), 400)),
    ]
    .map(|(name, file)| (name.to_owned(), file))
    .into()
}
