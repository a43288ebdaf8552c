//! Random sections under random partitions.

use super::support::{RANKS, STYLES, plan, read, serial};
use super::writing::{Logical, together, whole};
use host_tests::drive::Random;
use linkstream::Mode;
use linkstream::scda::SectionType;
use proptest::collection::vec;
use proptest::prelude::*;

fn elements() -> impl Strategy<Value = (SectionType, usize, Vec<Vec<u8>>)> {
    let varray = vec(vec(any::<u8>(), 0..70), 0..12);
    let array = (0..50_usize).prop_flat_map(|e| (Just(e), vec(vec(any::<u8>(), e), 0..12)));
    prop_oneof![
        vec(any::<u8>(), 32).prop_map(|data| (SectionType::Inline, 0, vec![data])),
        vec(any::<u8>(), 0..200).prop_map(|data| (SectionType::Block, 0, vec![data])),
        array.prop_map(|(e, elements)| (SectionType::Array, e, elements)),
        varray.prop_map(|elements| (SectionType::Varray, 0, elements)),
    ]
}

fn section() -> impl Strategy<Value = Logical> {
    (vec(any::<u8>(), 0..=58), elements(), any::<bool>()).prop_map(
        |(user, (section_type, e, elements), compressed)| {
            let is_compressed = compressed && section_type != SectionType::Inline;
            Logical { user, section_type, e, is_compressed, elements }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(host_tests::long::number(300, 4)) })]

    /// Several processes write the bytes that one writes, and other processes read them.
    #[test]
    fn written_by_some_and_read_by_others(
        style in prop::sample::select(&STYLES[..]),
        level in 0..10_u8,
        sections in vec(section(), 0..5),
        [writers, readers] in [prop::sample::select(&RANKS[..]), prop::sample::select(&RANKS[..])],
        seed in 1..u64::MAX,
    ) {
        let mut random = Random(seed);
        let meant = whole(style, level, &sections);
        let file = together(style, level, &sections, writers, &mut random);
        prop_assert!(file == meant);
        for decode in [true, false] {
            let serial = serial(&file, Mode::Strict, decode);
            let reading = read(&file, plan(Mode::Strict, decode, readers), &mut random);
            prop_assert_eq!(reading.end, Ok(()));
            prop_assert_eq!(&reading.sections, &serial.sections);
            if decode {
                prop_assert_eq!(reading.sections.len(), sections.len() + 1);
                for (part, section) in reading.sections[1..].iter().zip(&sections) {
                    prop_assert_eq!(&part.user, &section.user);
                    if section.is_compressed {
                        prop_assert_eq!(&part.elements, &section.elements);
                    } else {
                        prop_assert_eq!(&part.data, &section.elements.concat());
                    }
                }
            }
        }
    }
}
