// The file that the examples of this module's documentation read: one site, big endian, its links of one number each.
pub fn file() -> Vec<u8> {
    let mut file = [20103_u32, 1, 1, 1, 1].map(u32::to_be_bytes).concat();
    file.extend_from_slice(b"Tue Jan  2 03:04:05 2024");
    file.resize(88, 0);
    // Word 0 of the data is 2, all others are 0.
    file.extend([2_u32, 2, 2].map(u32::to_be_bytes).concat());
    file.resize(96 + 288, 0);
    file
}
