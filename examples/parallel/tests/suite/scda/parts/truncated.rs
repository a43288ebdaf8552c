//! Files that end early.

use super::support::{MODES, Plan, plan, read, serial};
use super::writing::{every_type, whole};
use host_tests::drive::Random;
use host_tests::long;
use linkstream::scda::Style;
use linkstream::{Class, Diagnostic as _, Mode};

/// The processes agree on the error of a serial reader, whether they read data or only headers and sizes.
#[test]
fn truncation_at_every_byte() {
    let mut random = Random(11);
    let file = whole(Style::Mime, 9, &every_type(3, b'\n'));
    let mut complete = 0;
    for end in long::sample(0..=file.len(), 5) {
        let cut = &file[..end];
        for decode in [true, false] {
            for mode in MODES {
                // Errors of compression are findings in survey mode, which only the serial decoder continues after.
                if decode && mode == Mode::Survey {
                    continue;
                }
                let serial = serial(cut, mode, decode);
                for (ranks, skip_data) in [(1, false), (1, true), (3, false), (3, true)] {
                    let plan = Plan { skip_data, ..plan(mode, decode, ranks) };
                    let reading = read(cut, plan, &mut random);
                    assert_eq!(
                        (reading.end, reading.findings),
                        (serial.end, serial.findings.clone()),
                        "{end}, {plan:?}"
                    );
                }
                match serial.end {
                    Ok(()) => complete += 1,
                    Err(error) => assert_eq!(error.kind.class(), Class::Truncated, "{end}"),
                }
            }
        }
    }
    // Between two sections, also between the halves of a compressed one, and in the padding in survey mode.
    assert!(complete > if long::is_wanted() { 60 } else { 10 }, "{complete}");
}
