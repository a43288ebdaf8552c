//! Axes and kinds of arrays.

use super::*;
use crate::array::ElementType;

fn shape(extents: &[u64], names: Option<&str>, is_complex: bool) -> Shape {
    let names = names.map(|names| names.split(' ').map(str::to_owned).collect());
    let precision = Precision::F64;
    Shape { extents: extents.to_vec(), names, is_complex, is_global: false, precision }
}

fn kind(extents: &[u64], names: Option<&str>, is_complex: bool) -> Result<String, ShapeError> {
    shape(extents, names, is_complex).describe(None).map(|described| described.kind.to_string())
}

#[test]
fn kinds_follow_from_unambiguous_axes() {
    let inside = |inside: &[u64], is_complex| kind(&[&[4, 3, 2, 5], inside].concat(), None, is_complex).ok();
    let some = |name: &str| Some(name.to_owned());
    assert_eq!(inside(&[4, 3, 3], true), some("su3gauge"));
    assert_eq!(inside(&[4, 2, 3], true), some("su3gauge"));
    assert_eq!(inside(&[3, 2, 2], true), some("su2gauge"));
    assert_eq!(inside(&[4, 4, 3, 3], true), some("propagator"));
    assert_eq!(inside(&[4, 3], true), some("dirac_fermion"));
    // A time slice of a fermion would look like a color vector.
    for (other, is_complex) in [
        (&[4, 3, 3][..], false),
        (&[5, 3, 3], true),
        (&[4, 3, 2], true),
        (&[3, 4], true),
        (&[3], true),
        (&[3], false),
        (&[], true),
        (&[], false),
    ] {
        assert_eq!(inside(other, is_complex), None, "{other:?}");
    }
    assert!(matches!(kind(&[4, 3, 2], None, true), Err(ShapeError::NoLattice(_))));
    let global = Shape { is_global: true, ..shape(&[5], None, false) };
    assert_eq!(global.describe(None).map(|described| described.kind.to_string()).as_deref(), Ok("real"));
}

#[test]
fn names_decide_and_must_be_in_order() {
    let links = "t z y x mu row column";
    assert_eq!(kind(&[4, 3, 2, 5, 4, 3, 3], Some(links), true).as_deref(), Ok("su3gauge"));
    assert_eq!(kind(&[4, 4, 2, 2], Some("y x row column"), true).as_deref(), Ok("color_matrix"));
    assert_eq!(kind(&[4, 5, 4, 3], Some("x item spin color"), true).as_deref(), Ok("dirac_fermion"));
    assert_eq!(kind(&[4, 5, 4, 3], Some("x item gamma momentum"), true).as_deref(), Ok("complex"));
    assert_eq!(kind(&[4, 5], Some("x item"), false).as_deref(), Ok("real"));
    let matrix = shape(&[4, 1, 3, 3], Some("x mu row column"), true);
    assert!(matrix.describe(Some(Kind::Items(ItemKind::ColorMatrix))).is_ok());
    for (wrong, extents) in [
        ("mu t z y x row column", &[4, 4, 3, 2, 5, 3, 3][..]),
        ("x y z t mu row column", &[4, 3, 2, 5, 4, 3, 3]),
        ("t z y x mu column row", &[4, 3, 2, 5, 4, 3, 3]),
        ("t z y x color spin", &[4, 3, 2, 5, 3, 4]),
        ("x spin item color", &[4, 4, 2, 3]),
        ("item x", &[2, 4]),
    ] {
        let refused = kind(extents, Some(wrong), true);
        assert!(matches!(refused, Err(ShapeError::Order { .. })), "{wrong}: {refused:?}");
    }
    assert!(matches!(kind(&[4, 5], Some("x"), true), Err(ShapeError::Names { axes: 2, names: 1 })));
}

#[test]
fn a_direction_in_front_is_recognised() {
    let question = "is mu the first axis?";
    // The direction, and then t, z, y, x: the axis of directions would have 5 links.
    let extents = [4, 4, 3, 2, 5, 3, 3];
    let described = |extents: &[u64], kind| shape(extents, None, true).describe(kind);
    let su3 = Some(Kind::Links(GaugeKind::SU3));
    let refused = described(&extents, su3).expect_err("5 links at each site");
    assert!(matches!(refused, ShapeError::Directions { links: 5, directions: 4, is_mu_first: true }));
    assert!(refused.to_string().contains(question), "{refused}");
    let refused = described(&extents, None).expect_err("5 matrices at each site");
    assert!(matches!(&refused, ShapeError::Ambiguous { is_mu_first: true, .. }), "{refused}");
    assert!(refused.to_string().contains(question), "{refused}");
    // Without 4 directions in front there is no reason to ask.
    for kind in [su3, None] {
        let refused = described(&[6, 4, 3, 2, 5, 3, 3], kind).expect_err("5 links at each site");
        assert!(!refused.to_string().contains(question), "{refused}");
    }
}

#[test]
fn axes_of_another_kind_are_refused() {
    let describe = |kind: &str, extents: &[u64], is_complex| {
        let kind = Some(kind.parse().expect("a kind"));
        shape(extents, None, is_complex).describe(kind).map(|described| described.sites)
    };
    assert_eq!(describe("su3gauge", &[4, 3, 2, 5, 4, 3, 3], true), Ok(vec![5, 2, 3, 4]));
    assert_eq!(describe("so3gauge", &[4, 3, 2, 5, 4, 3, 3], false), Ok(vec![5, 2, 3, 4]));
    let refused = describe("so3gauge", &[4, 3, 2, 5, 4, 3, 3], true);
    assert!(matches!(refused, Err(ShapeError::Numbers { is_complex: false, .. })));
    for (kind, extents) in [
        ("su3gauge", &[4, 3, 2, 5, 4, 2, 2][..]),
        ("su3gauge", &[4, 3, 2, 5, 4, 1, 3]),
        ("su3gauge", &[4, 3, 2, 5, 3, 3]),
        ("propagator", &[4, 3, 2, 5, 4, 3, 4, 3]),
        ("half_fermion", &[4, 3, 2, 5, 4, 3]),
        ("color_matrix", &[4, 3, 2, 5, 3, 2]),
        ("dirac_fermion", &[4, 3, 2, 5, 2, 2, 4, 3]),
        ("complex", &[4, 3, 2, 5, 0]),
    ] {
        let refused = describe(kind, extents, true);
        assert!(matches!(refused, Err(ShapeError::Inside { .. })), "{kind}: {refused:?}");
    }
    assert_eq!(describe("real", &[4, 0, 2, 5], false), Err(ShapeError::Extent(0)));
    let unknown = "quark".parse::<Kind>().expect_err("no kind").to_string();
    assert!(unknown.contains("real, complex, color_vector"), "{unknown}");
}

/// A field that is read has the axes of the array that was written.
#[test]
fn records_have_the_axes_of_the_array() {
    use std::sync::Arc;

    use linkstream::lattice::Extents;

    use crate::write::{FieldsPlan, FileSink, NewField, SCRATCH, Wish};

    for (kind, inside, is_complex) in [
        ("real", &[][..], false),
        ("real", &[6], false),
        ("complex", &[], true),
        ("complex", &[5], true),
        ("color_vector", &[3], true),
        ("color_vector", &[2, 2], true),
        ("color_matrix", &[4, 3, 3], true),
        ("half_fermion", &[2, 3], true),
        ("dirac_fermion", &[7, 4, 2], true),
        ("propagator", &[4, 4, 3, 3], true),
        ("propagator", &[4, 4, 4, 4], true),
    ] {
        let extents = [&[4, 3, 2, 5], inside].concat();
        let shape = shape(&extents, None, is_complex);
        let described = shape.describe(Some(kind.parse().expect("a kind"))).expect("its axes");
        let content = described.content(&Region::Lattice, None).expect("consistent");
        let count: u64 = extents.iter().product::<u64>() * if is_complex { 2 } else { 1 };
        let numbers = vec![0.0_f64; count as usize];
        let field = NewField { content, ..NewField::links(&numbers[..], GaugeKind::SU3) };
        let lattice = Extents::new(&described.sites).expect("a lattice");
        let plan = FieldsPlan::new(&lattice, &[field], &Wish::default()).expect("the right length");
        let (mut bytes, mut scratch) = (Vec::new(), [0; SCRATCH]);
        let mut sink = FileSink::new(&mut bytes, &mut scratch);
        plan.write_to(&mut sink, &mut Vec::new()).expect("memory");
        drop(sink);
        let file = crate::File::open(Arc::new(bytes)).expect("an intact file");
        let array = file.field(0).expect("a field").array();
        let parts: &[u64] = if is_complex { &[2] } else { &[] };
        assert_eq!(array.shape(), [&extents, parts].concat(), "{kind}");
        assert_eq!(array.element, ElementType::F64);
    }
}
