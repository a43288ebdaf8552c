//! The requests of each call do not depend on the number of ranks. The example `requests` prints the same numbers, also
//! for 10,000 ranks.

#[path = "../../examples/requests/measure.rs"]
mod measure;

use measure::{Call, measure};

/// Small collective calls; independent reads and writes of rank 0, and of any other rank; collective accesses, and the
/// small collective calls of the engine in them; exchanges between ranks.
type Row = (&'static str, u64, [u64; 2], [u64; 2], [u64; 2], u64);

#[rustfmt::skip]
const EXPECTED: [Row; 39] = [
    ("scda: open to write", 3, [0, 1], [0, 0], [0, 0], 0),
    ("inline", 2, [0, 1], [0, 1], [0, 0], 0),
    ("block", 2, [0, 1], [0, 1], [0, 0], 0),
    ("block, encoded", 3, [0, 1], [0, 1], [0, 0], 0),
    ("array", 2, [0, 0], [0, 0], [1, 1], 1),
    ("array, encoded", 4, [0, 0], [0, 0], [1, 1], 1),
    ("varray", 4, [0, 0], [0, 0], [1, 1], 1),
    ("varray, encoded", 4, [0, 0], [0, 0], [1, 1], 1),
    ("close", 4, [0, 1], [0, 0], [0, 0], 0),
    ("scda: open to read", 3, [2, 0], [0, 0], [0, 0], 0),
    ("header of a section", 3, [1, 0], [0, 0], [0, 0], 0),
    ("read inline", 2, [0, 0], [1, 0], [0, 0], 0),
    ("header of a block", 3, [1, 0], [0, 0], [0, 0], 0),
    ("read block", 2, [0, 0], [1, 0], [0, 0], 0),
    ("header of a block, encoded", 3, [1, 0], [0, 0], [0, 0], 0),
    ("read block, encoded", 2, [0, 0], [1, 0], [0, 0], 0),
    ("header of an array", 3, [1, 0], [0, 0], [0, 0], 0),
    ("read array", 2, [0, 0], [0, 0], [1, 1], 2),
    ("header of an array, encoded", 3, [1, 0], [0, 0], [0, 0], 0),
    ("read array, encoded", 5, [0, 0], [0, 0], [2, 2], 4),
    ("header of a varray", 3, [1, 0], [0, 0], [0, 0], 0),
    ("read varray sizes", 4, [0, 0], [0, 0], [1, 1], 2),
    ("read varray data", 2, [0, 0], [0, 0], [1, 1], 2),
    ("header of a varray, encoded", 4, [2, 0], [0, 0], [0, 0], 0),
    ("read varray sizes, encoded", 4, [0, 0], [0, 0], [1, 1], 2),
    ("read varray data, encoded", 3, [0, 0], [0, 0], [1, 1], 2),
    ("field file: open to write", 5, [0, 0], [0, 0], [0, 0], 0),
    ("write gauge field", 5, [0, 2], [0, 0], [1, 1], 1),
    ("finish", 3, [0, 1], [0, 0], [0, 0], 0),
    ("field file: open to read", 4, [3, 0], [0, 0], [0, 0], 0),
    ("read and verify gauge field", 6, [0, 0], [0, 0], [1, 1], 2),
    ("close", 2, [0, 0], [0, 0], [0, 0], 0),
    ("file set: open to write", 5, [0, 0], [0, 0], [0, 0], 2),
    ("write first gauge field", 5, [0, 2], [0, 1], [0, 0], 2),
    ("write next gauge field", 5, [0, 2], [0, 1], [0, 0], 1),
    ("finish", 3, [0, 1], [0, 1], [0, 0], 0),
    ("file set: open to read", 5, [7, 0], [4, 0], [0, 0], 0),
    ("read and verify gauge field", 6, [3, 0], [3, 0], [0, 0], 1),
    ("close", 2, [0, 0], [0, 0], [0, 0], 0),
];

fn row(call: &Call) -> Row {
    let Call { name, first, others } = call;
    let independent = [first, others].map(|counts| [counts.reads, counts.writes]);
    (name, first.small, independent[0], independent[1], [first.collective, first.engine], first.exchanges)
}

#[test]
fn requests_do_not_depend_on_the_number_of_ranks() {
    let [hundred, thousand] = [[5, 5, 2, 2], [10, 5, 5, 4]].map(|grid| {
        let folder = tempfile::tempdir().unwrap();
        measure(grid, folder.path()).unwrap()
    });
    assert_eq!(thousand.iter().map(row).collect::<Vec<_>>(), EXPECTED);
    for ((less, more), expected) in hundred.iter().zip(&thousand).zip(EXPECTED) {
        let name = less.name;
        match name {
            // The site list of a volume is ten times as long: one more read.
            "file set: open to read" => assert_eq!(less.first.reads + 1, more.first.reads),
            _ => assert_eq!(row(less), expected),
        }
        for Call { first, others, .. } in [less, more] {
            let collective = [first, others].map(|c| [c.small, c.engine, c.collective, c.exchanges]);
            assert_eq!(collective[0], collective[1], "{name}: every rank enters every collective call");
        }
        // The rank that reads or writes for a node has the data of ten times as many ranks. The others have their own,
        // even if they exchange them. Compressed data differ by a few bytes.
        assert!(more.first.bytes <= 11 * less.first.bytes, "{name}: {more:?}");
        let growth = if name.starts_with("file set: open") || more.others.reads > 0 { 11 } else { 1 };
        assert!(more.others.bytes <= growth * less.others.bytes + 16, "{name}: {more:?}");
    }
}
