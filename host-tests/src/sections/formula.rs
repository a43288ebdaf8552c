//! The payload bytes and element sizes by the formulas at the head of `scda/MANIFEST.toml`.

use crate::formula::mix64;

/// `length` bytes by a payload formula.
///
/// # Panics
/// If the formula is not one of those described.
pub fn payload(formula: &str, length: u64) -> Vec<u8> {
    let length = usize::try_from(length).expect("in memory");
    let (body, line_feed) = match (formula.strip_suffix("+nl"), formula.strip_suffix("-nl")) {
        (Some(body), _) => (body, Some(true)),
        (_, Some(body)) => (body, Some(false)),
        _ => (formula, None),
    };
    let (name, arguments) = body.split_once(':').expect("a formula and its arguments");
    let numbers: Vec<u64> = match name {
        "lit" | "rep" => Vec::new(),
        _ => arguments.split(',').map(|item| item.parse().expect("a number")).collect(),
    };
    let mut bytes: Vec<u8> = match (name, numbers.as_slice()) {
        ("lin", [a, b]) => (0..length as u64).map(|i| ((a * i + b) % 256) as u8).collect(),
        ("sm64", [seed]) => random(*seed, length),
        ("quad", [c, s]) => quadratic(*c as i64, *s as i32).take(length).collect(),
        ("per", [period, seed]) => {
            let period = random(*seed, usize::try_from(*period).expect("in memory"));
            period.into_iter().cycle().take(length).collect()
        }
        ("rep", []) => hex(arguments).expect("hexadecimal").into_iter().cycle().take(length).collect(),
        ("lit", []) => hex(arguments).expect("hexadecimal"),
        _ => panic!("formula {formula:?}"),
    };
    assert_eq!(bytes.len(), length, "{formula}");
    if let (Some(last), Some(line_feed)) = (bytes.last_mut(), line_feed) {
        if line_feed {
            *last = 0x0a;
        } else if *last == 0x0a {
            *last = 0x2e;
        }
    }
    bytes
}

/// Sizes of `n` elements.
///
/// # Panics
/// If the formula is not one of those described, or gives another number of sizes.
pub fn sizes(formula: &str, n: u128) -> Vec<u64> {
    let (name, arguments) = formula.split_once(':').expect("a formula and its arguments");
    let items = arguments.split(',').filter(|item| !item.is_empty());
    let numbers: Vec<u64> = items.map(|item| item.parse().expect("a number")).collect();
    let n = u64::try_from(n).expect("as many as there are");
    let sizes: Vec<u64> = match (name, numbers.as_slice()) {
        ("list", list) => list.to_vec(),
        ("const", [k]) => vec![*k; usize::try_from(n).expect("in memory")],
        ("mod", [a, b, m]) => (0..n).map(|i| (a * i + b) % m).collect(),
        _ => panic!("formula {formula:?}"),
    };
    assert_eq!(sizes.len() as u64, n, "{formula}");
    sizes
}

/// Pairs of hexadecimal digits.
pub fn hex(text: &str) -> Option<Vec<u8>> {
    let pair = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    text.as_bytes().chunks(2).map(pair).collect()
}

fn random(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed;
    let next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix64(state).to_le_bytes()
    };
    std::iter::repeat_with(next).flatten().take(length).collect()
}

/// Integers up to the division, because 0 * -c would be a negative zero.
fn quadratic(c: i64, s: i32) -> impl Iterator<Item = u8> {
    (0_i64..).flat_map(move |k| ((k * (k - c)) as f64 / 2_f64.powi(s)).to_le_bytes())
}
