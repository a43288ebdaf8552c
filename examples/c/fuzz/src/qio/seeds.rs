//! Seeds: programs whose calls all succeed, and some whose calls fail.

use crate::input::Input;
use crate::scratch::fixture;

/// A layout with these extents.
fn layout(extents: &[u8]) -> Vec<u8> {
    let mut layout = vec![0];
    // 4 is the right number of dimensions, for all others the number follows.
    layout.extend(if extents.len() == 4 { vec![0] } else { vec![255, extents.len() as u8] });
    layout.extend((0..8).map(|dimension| match extents.get(dimension) {
        None | Some(2) => 0,
        Some(extent) => extent + 5,
    }));
    layout
}

/// Programs whose calls all succeed, and some whose calls fail.
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    let (string, open, ask, info_of) = (&[11][..], &[1][..], &[12, 0, 0, 0, 3][..], &[13][..]);
    // 16 bounds, their number, the datatype.
    let info = [&[10, 0][..], &[0; 16], &[0, 4, b'R', b'e', b'a', b'l']].concat();
    let info = &info[..];
    let (read, again) = (&[3][..], &[3, 0, 0, 0, 0, 0, 0, 0, 201, 3, 210, 210][..]);
    let (next, close) = (&[6][..], &[8][..]);
    let program = |extents: &[u8]| {
        let layout = layout(extents);
        Input::program(&[&layout, string, info, open, ask, info_of, read, again, next, close])
    };
    let four = layout(&[2, 2, 2, 2]);
    let four = &four[..];
    let create: &[u8] = &[2, 1];
    let write = Input::program(&[
        four,
        string,
        info,
        create,
        &[7],
        &[7, 0, 0, 0, 0, 0, 0, 201, 3, 210, 245],
        &[9],
        &[1, 1],
        read,
        read,
        close,
    ]);
    let six = layout(&[1, 1, 1, 6]);
    let part = |function: u8| [&[17, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &[function]].concat();
    let [kind, target, skip, end, text, field] = [part(0), part(1), part(4), part(5), part(6), part(9)];
    let parts = Input::program(&[&six, string, info, open, &kind, &skip, &end, &text, &target, &end, &field]);
    let sites = |function: u8| [&[24, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0][..], &[function]].concat();
    let [begin, site, stop] = [sites(0), sites(1), sites(2)];
    let sites = Input::program(&[&six, string, info, open, &begin, &site, &stop, close]);
    let layouts =
        Input::program(&[four, &[15], &[16, 0, 3], &[15, 0, 0, 1], &[16], &[15, 0, 0, 2], &[16], &[26]]);
    // A layout of a layout that the library has made, whose functions without an argument belong to the last one.
    let itself = Input::program(&[four, &[15], &[15, 201], &[16], &[15, 201, 0, 2], &[16]]);
    let convert = Input::program(&[&six, string, &[23, 0, 0, 0, 0, 0, 1], &[23, 0, 0, 0, 0, 0, 0]]);
    let world = [Input::program(&[&[14, 2, 6, 0, 0, 0, 0, 0, 220]]), program(&[1, 1, 1, 6])].concat();
    let documents =
        Input::program(&[string, &[22], &[22, 0, 3, b'a', b'b', b'c'], &[21, 3, b'a', b'b', b'c']]);
    let valid = fixture("qio/single/dim4_1x1x1x6.lime");
    vec![
        ("write".to_owned(), Input::join(&write, b"")),
        ("parts".to_owned(), Input::join(&parts, &valid)),
        ("sites".to_owned(), Input::join(&sites, &valid)),
        ("layout-of-itself".to_owned(), Input::join(&itself, b"")),
        ("layouts".to_owned(), Input::join(&layouts, b"")),
        ("convert".to_owned(), Input::join(&convert, &valid)),
        ("world".to_owned(), Input::join(&world, &valid)),
        ("documents".to_owned(), Input::join(&documents, b"")),
        ("read".to_owned(), Input::join(&program(&[1, 1, 1, 6]), &valid)),
        ("dimension".to_owned(), Input::join(&program(&[1]), &fixture("qio/single/dim1_1.lime"))),
        ("global".to_owned(), Input::join(&program(&[2, 3, 4, 5]), &fixture("qio/single/global.lime"))),
        (
            "bit-flip".to_owned(),
            Input::join(&program(&[2, 2, 2, 4]), &fixture("broken/scidac/payload-bit-flip.lime")),
        ),
        ("sums".to_owned(), Input::join(&program(&[2, 2, 2, 4]), &fixture("broken/scidac/suma-wrong.lime"))),
    ]
}
