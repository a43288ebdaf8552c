//! Copying between places that differ in alignment.

/// Copies as many bytes as both have, and returns their number. The compiler's function for slices takes words apart
/// and puts them together if only one of the places is aligned, in three times the instructions. A Cortex-M3 loads words
/// from any address.
#[inline(never)]
pub fn copy(to: &mut [u8], from: &[u8]) -> usize {
    let length = to.len().min(from.len());
    let (words, rest) = to.get_mut(..length).unwrap_or(&mut []).as_chunks_mut();
    let (from_words, from_rest) = from.get(..length).unwrap_or(&[]).as_chunks();
    let ((blocks, tail), (from_blocks, from_tail)) = (words.as_chunks_mut(), from_words.as_chunks());
    for ([a, b, c, d], [from_a, from_b, from_c, from_d]) in blocks.iter_mut().zip(from_blocks) {
        // As numbers, one by one, since the compiler calls its function for arrays.
        *a = u32::from_ne_bytes(*from_a).to_ne_bytes();
        *b = u32::from_ne_bytes(*from_b).to_ne_bytes();
        *c = u32::from_ne_bytes(*from_c).to_ne_bytes();
        *d = u32::from_ne_bytes(*from_d).to_ne_bytes();
    }
    let ends = tail.as_flattened_mut().iter_mut().zip(from_tail.as_flattened());
    for (to, from) in ends.chain(rest.iter_mut().zip(from_rest)) {
        *to = *from;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_is_copied_between_all_alignments() {
        let from: std::vec::Vec<u8> = (0..100).collect();
        for at in 0..5 {
            for length in 0..80 {
                let mut to = [255; 100];
                let wanted = &from[at..at + length];
                assert_eq!(copy(&mut to[1..][..length + at], wanted), length);
                assert!(&to[1..=length] == wanted && to[0] == 255 && to[length + 1] == 255);
                assert_eq!(copy(&mut to[3..][..length], &from[at..]), length);
                assert!(&to[3..][..length] == wanted && to[length + 3] == 255);
            }
        }
    }
}
