//! Files without damage: processes read what a serial reader reads, under any partition.

use super::support::{MODES, Plan, RANKS, plan, read, serial};
use host_tests::drive::Random;
use host_tests::fixtures::Fixtures;
use host_tests::sections::load;

#[test]
fn every_fixture_under_any_partition() {
    let mut random = Random(26);
    let mut compressed = 0;
    for file in load(Fixtures::Ours) {
        let bytes = file.bytes();
        for decode in [true, false] {
            for mode in MODES {
                let serial = serial(&bytes, mode, decode);
                let meant = &serial.sections;
                for ranks in RANKS {
                    for in_order in [true, false] {
                        let plan = Plan { in_order, ..plan(mode, decode, ranks) };
                        let reading = read(&bytes, plan, &mut random);
                        let what = format!("{}, {plan:?}", file.path);
                        assert_eq!(
                            (reading.end, &reading.findings),
                            (serial.end, &serial.findings),
                            "{what}"
                        );
                        assert!(reading.sections == *meant, "{what}");
                        compressed +=
                            reading.sections.iter().filter(|part| !part.elements.is_empty()).count();
                    }
                }
            }
        }
    }
    assert!(compressed > 1000, "{compressed}");
}

/// One read of a header for each section, two for a compressed variable array, and one at the end of the file.
#[test]
fn number_of_header_windows() {
    let mut random = Random(1);
    for file in load(Fixtures::Ours) {
        let bytes = file.bytes();
        for skip_data in [false, true] {
            let plan = Plan { skip_data, ..plan(linkstream::Mode::Lenient, true, 3) };
            let reading = read(&bytes, plan, &mut random);
            let is_varray = |section: &linkstream::scda::Section| {
                section.is_compressed() && section.section_type == linkstream::scda::SectionType::Varray
            };
            let varrays = reading.sections.iter().filter(|part| is_varray(&part.section)).count();
            let expected = reading.sections.len() + varrays + 1 + reading.findings.len();
            assert_eq!(reading.windows, expected, "{}", file.path);
            assert!(
                reading.header_bytes
                    <= reading.windows * linkstream_parallel::scda::parts::PartDecoder::HEADER_LEN
            );
        }
    }
}
