//! Seeds: programs whose calls all succeed, and some whose calls fail.

use crate::input::Input;
use crate::scratch::fixture;

/// Programs whose calls all succeed, and some whose calls fail.
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    // For each record: header, questions, data, end of the record.
    let [next, ask, piece, all, end] = [&[4, 0][..], &[9, 0, b't'], &[5, 0, 10], &[5, 0, 0], &[6, 0]];
    let read = |kind: u8| {
        let open = [0, kind];
        Input::program(&[
            &open,
            &[1],
            next,
            ask,
            piece,
            all,
            all,
            end,
            next,
            piece,
            end,
            next,
            all,
            next,
            next,
            next,
            &[11],
        ])
    };
    let header: &[u8] = &[3, 0, 0, 4, b't', b'y', b'p', b'e', 0, 10];
    let write = |kind: u8| {
        let open = [0, kind];
        let (begin, end) = (&[12][..], &[14][..]);
        Input::program(&[
            &open,
            &[2],
            header,
            begin,
            &[13, 0, 6],
            &[13, 0, 4],
            end,
            header,
            begin,
            &[15, 0, 5],
            &[13, 0, 5],
            &[15],
            &[13, 0, 5],
            &[16, 0, 2],
            end,
            &[17],
            &[18],
        ])
    };
    let states = Input::program(&[
        &[0],
        &[1],
        next,
        piece,
        &[1],
        &[10],
        &[5, 0, 3],
        &[10, 0, 2, 3],
        &[10, 0, 3, 1, 20],
        &[7, 0, 3],
        &[8],
        next,
    ]);
    let valid = fixture("lime/two-messages.lime");
    let mut seeds = Vec::new();
    for kind in [0, 2, 3, 5, 6] {
        seeds.push((format!("read-{kind}"), Input::join(&read(kind), &valid)));
    }
    for kind in [1, 2, 3, 4, 7, 8] {
        seeds.push((format!("write-{kind}"), Input::join(&write(kind), &valid)));
    }
    seeds.push(("states".to_owned(), Input::join(&states, &valid)));
    for broken in ["length-2e64m1", "second-header-truncated", "padding-nonzero"] {
        seeds.push((
            broken.to_owned(),
            Input::join(&read(0), &fixture(&format!("broken/lime/{broken}.lime"))),
        ));
    }
    seeds
}
