//! The sections and data that the manifest of the scda fixtures describes.

use toml::{Table, Value};

/// The manifest's entries for the sections of a file.
pub fn sections(about: &Table) -> Vec<Table> {
    let all = about["section"].as_array().expect("sections").iter();
    all.map(|section| section.as_table().expect("a table").clone()).collect()
}

/// The same as they are listed: of a compressed section, which is two in the file, only the half with the data, with the
/// offset of the first half.
pub fn listed(about: &Table) -> Vec<Table> {
    let mut all: Vec<Table> = Vec::new();
    let mut offset = None;
    for mut section in sections(about) {
        if text(&section, "convention").ends_with("-header") {
            offset = section.get("offset").cloned();
            continue;
        }
        if let Some(offset) = offset.take() {
            section.insert("offset".to_owned(), offset);
        }
        all.push(section);
    }
    all
}

pub fn text<'t>(section: &'t Table, key: &str) -> &'t str {
    section.get(key).and_then(Value::as_str).unwrap_or("")
}

/// Numbers beyond 64 bits are strings in the manifest.
pub fn number(section: &Table, key: &str) -> Option<u128> {
    match section.get(key)? {
        Value::Integer(n) => u128::try_from(*n).ok(),
        Value::String(n) => n.parse().ok(),
        _ => None,
    }
}

pub fn from_hex(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).expect("digits"));
    digits.map(|pair| u8::from_str_radix(pair, 16).expect("digits")).collect()
}

/// Sizes as the manifest writes them: `list:a,b,c`, `const:k` or `mod:a,b,m`.
pub fn sizes(formula: &str, n: usize) -> Vec<usize> {
    let (kind, rest) = formula.split_once(':').expect("a formula");
    let numbers = rest.split(',').filter(|number| !number.is_empty());
    let numbers: Vec<usize> = numbers.map(|number| number.parse().expect("a number")).collect();
    let sizes: Vec<usize> = match (kind, &numbers[..]) {
        ("list", _) => numbers,
        ("const", [k]) => vec![*k; n],
        ("mod", [a, b, m]) => (0..n).map(|i| (a * i + b) % m).collect(),
        _ => panic!("{formula}"),
    };
    assert_eq!(sizes.len(), n, "{formula}");
    sizes
}

/// The data that a formula of the manifest describes.
pub fn payload(formula: &str, length: usize) -> Vec<u8> {
    let (formula, suffix) = match formula.strip_suffix("+nl").or(formula.strip_suffix("-nl")) {
        Some(bare) => (bare, &formula[bare.len()..]),
        None => (formula, ""),
    };
    let (kind, rest) = formula.split_once(':').expect("a formula");
    let numbers: Vec<u64> = rest.split(',').filter_map(|number| number.parse().ok()).collect();
    let mut bytes: Vec<u8> = match (kind, &numbers[..]) {
        ("lin", [a, b]) => (0..length as u64).map(|i| a.wrapping_mul(i).wrapping_add(*b) as u8).collect(),
        ("sm64", [seed]) => splitmix(*seed, length),
        ("quad", [c, s]) => {
            let scale = 2_f64.powi(i32::try_from(*s).expect("small"));
            let c = i64::try_from(*c).expect("small");
            let values = (0..=length as i64 / 8).map(|k| (k * (k - c)) as f64 / scale);
            values.flat_map(f64::to_le_bytes).take(length).collect()
        }
        ("per", [period, seed]) => {
            let first = splitmix(*seed, usize::try_from(*period).expect("small"));
            first.into_iter().cycle().take(length).collect()
        }
        ("rep", _) => from_hex(rest).into_iter().cycle().take(length).collect(),
        ("lit", _) => from_hex(rest),
        _ => panic!("{formula}"),
    };
    assert_eq!(bytes.len(), length, "{formula}");
    match (suffix, bytes.last_mut()) {
        ("+nl", Some(last)) => *last = b'\n',
        ("-nl", Some(last)) if *last == b'\n' => *last = b'.',
        _ => {}
    }
    bytes
}

fn splitmix(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)).to_le_bytes()
    };
    (0..=length / 8).flat_map(|_| next()).take(length).collect()
}

/// Splits data into elements.
pub fn cut(data: &[u8], sizes: &[usize]) -> Vec<Vec<u8>> {
    let mut rest = data;
    let each = sizes.iter().map(|size| {
        let (element, others) = rest.split_at(*size);
        rest = others;
        element.to_vec()
    });
    each.collect()
}

/// A file header.
pub fn header() -> Vec<u8> {
    let vendor = padded(b"scdata0 libsc", 32);
    [vendor, padded(b"F demo", 64), b"\n=============================\n\n".to_vec()].concat()
}

/// Type letter and user string of a section.
pub fn head(letter: char, user: &str) -> Vec<u8> {
    padded(format!("{letter} {user}").as_bytes(), 64)
}

/// A count entry.
pub fn count(letter: char, n: usize) -> Vec<u8> {
    padded(format!("{letter} {n}").as_bytes(), 32)
}

fn padded(content: &[u8], length: usize) -> Vec<u8> {
    let dashes = "-".repeat(length - content.len() - 2);
    [content, b" ", dashes.as_bytes(), b"\n"].concat()
}
