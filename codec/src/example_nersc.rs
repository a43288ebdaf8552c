// The archive that the examples of this module's documentation read: one site with four unit links of two rows.
pub fn file() -> Vec<u8> {
    let mut file = b"BEGIN_HEADER\nDATATYPE = 4D_SU3_GAUGE\nDIMENSION_1 = 1\nDIMENSION_2 = 1\nDIMENSION_3 = 1\n\
        DIMENSION_4 = 1\nLINK_TRACE = 1.0\nPLAQUETTE = 1.0\nCHECKSUM = fc000000\nFLOATING_POINT = IEEE32BIG\n\
        END_HEADER\n"
        .to_vec();
    for _ in 0..4 {
        let mut link = [0.0_f32; 12];
        (link[0], link[8]) = (1.0, 1.0);
        file.extend(link.iter().flat_map(|number| number.to_be_bytes()));
    }
    file
}
