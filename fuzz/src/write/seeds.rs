//! The seeds: one for each kind of message, and files with several messages.

/// The name and the bytes of each seed.
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    // A lattice of 2x1x2x1 sites.
    let lattice: &[u8] = &[0, 1, 0, 1, 0];
    let file: &[u8] = &[1, 0, 5, b't', b'i', b't', b'l', b'e', 0, 0];
    let field: &[u8] =
        &[2, 0, 0, 0, 1, 4, b'R', b'e', b'a', b'l', 0, 0, 0, 2, 2, 0, 0, 3, b'<', b'i', b'>', 0, 0];
    let global: &[u8] = &[2, 1, 2, 0, 0, 0, 0, 3, 4, 1, 3, 0, 1, 9, 9, 0, 0, 0];
    let cube: &[u8] = &[2, 0, 3, 1, 0, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3, 2, 0, 0, 0, 0];
    let both: &[u8] = &[3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, b'x', 1, 2, 3, 4, 0, 0];
    let gauge: &[u8] = &[4, 1, 0, 0, 2, 0, 1, 3, 1, 2, 3, 0, 0];
    let phases: &[u8] = &[4, 1, 0, 1, 2, 1, 1, 2, 7, 7, 0, 0];
    let name: &[u8] = &[5, 1, 7, b'l', b'f', b'n', b':', b'/', b'/', b'x', 0];
    let own: &[u8] = &[0, 0, 3, b'o', b'w', b'n', 5, 1, 2, 3, 4, 5, 0];
    let seeds: [(&str, &[&[u8]]); 12] = [
        ("file", &[lattice, file]),
        ("scidac-field", &[lattice, file, field]),
        ("scidac-global", &[lattice, file, global]),
        ("scidac-hypercube", &[lattice, file, cube]),
        ("scidac-and-ildg", &[lattice, file, both, name]),
        ("scidac-several", &[lattice, file, field, cube, global, own]),
        ("ildg", &[lattice, gauge, name]),
        ("ildg-several", &[lattice, gauge, gauge, phases, name]),
        ("ildg-name-first", &[lattice, name, phases]),
        ("foreign", &[lattice, own, own]),
        ("refused", &[lattice, field, name, name, own]),
        ("mixed", &[lattice, &[0xff; 40], file, &[0xef; 20]]),
    ];
    seeds.into_iter().map(|(name, parts)| (name.to_owned(), parts.concat())).collect()
}
