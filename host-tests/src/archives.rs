//! NERSC archives and MILC files, written and verified by the description of the formats, without linkstream.

/// The sum modulo 2^32 of the 32-bit words of data, in either byte order.
pub fn word_sum(data: &[u8], is_big: bool) -> u32 {
    data.chunks_exact(4).fold(0, |sum: u32, word| sum.wrapping_add(self::word(word, is_big)))
}

/// The sums of a MILC file: the exclusive or of word `i` rotated left by `i` mod 29 and mod 31.
pub fn milc_sums(data: &[u8], is_big: bool) -> (u32, u32) {
    let words = || (0..).zip(data.chunks_exact(4).map(|bytes| word(bytes, is_big)));
    let sum =
        |modulus: u32| words().fold(0, |sum, (i, word): (u32, u32)| sum ^ word.rotate_left(i % modulus));
    (sum(29), sum(31))
}

fn word(bytes: &[u8], is_big: bool) -> u32 {
    let bytes = bytes.try_into().expect("4 bytes");
    if is_big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
}

/// Pseudorandom bytes.
pub fn noise(count: usize) -> Vec<u8> {
    (1..=count as u64).map(|n| (crate::formula::splitmix(0xa5c1, n) >> 56) as u8).collect()
}

/// The single-precision numbers of different links of SU(3): diagonal matrices.
pub fn links(count: usize, is_big: bool) -> Vec<u8> {
    let link = |index: usize| {
        let (a, b) = (index as f32, 0.3 * index as f32);
        let mut numbers = [0_f32; 18];
        for (row, angle) in [a, b, -(a + b)].into_iter().enumerate() {
            (numbers[8 * row], numbers[8 * row + 1]) = (angle.cos(), angle.sin());
        }
        numbers
    };
    let bytes = |number: f32| if is_big { number.to_be_bytes() } else { number.to_le_bytes() };
    (0..count).flat_map(link).flat_map(bytes).collect()
}

/// A NERSC archive with these lines, which are not checked, between the first and the last line of the header.
pub fn nersc(lines: &[&str], data: &[u8]) -> Vec<u8> {
    let mut file = b"BEGIN_HEADER\n".to_vec();
    for line in lines {
        file.extend_from_slice(line.as_bytes());
        file.push(b'\n');
    }
    file.extend_from_slice(b"END_HEADER\n");
    file.extend_from_slice(data);
    file
}

/// A MILC file of version 5 with correct checksums. The site list is `list`, if given.
pub fn milc(extents: [u32; 4], list: Option<&[u32]>, data: &[u8], is_big: bool) -> Vec<u8> {
    let bytes = |word: u32| if is_big { word.to_be_bytes() } else { word.to_le_bytes() };
    let mut file = bytes(20103).to_vec();
    extents.iter().for_each(|extent| file.extend(bytes(*extent)));
    file.extend_from_slice(b"Tue Jan  2 03:04:05 2024");
    file.resize(84, 0);
    file.extend(bytes(u32::from(list.is_some())));
    list.into_iter().flatten().for_each(|rank| file.extend(bytes(*rank)));
    let (sum29, sum31) = milc_sums(data, is_big);
    file.extend(bytes(sum29));
    file.extend(bytes(sum31));
    file.extend_from_slice(data);
    file
}
