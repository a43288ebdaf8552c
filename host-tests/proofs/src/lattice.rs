use linkstream::lattice::{
    ByteOrder, Checksum, Coordinates, Extents, ExtentsError, Hypercube, HypercubeError, Precision, Region,
    Residues, SiteOrder, Word, reverse_words,
};
use proofs::{unknown, used};

use crate::error;

pub fn all() {
    checksum();
    if let (Some(coordinates), Ok(extents)) = (any_coordinates(), any_extents()) {
        of_extents(coordinates, extents);
        if let Ok(cube) = Hypercube::new(coordinates, unknown(coordinates), &extents) {
            of_cube(coordinates, unknown(cube));
        }
        walk(extents);
    }
    let precision = unknown(Precision::F32);
    used(Precision::bits(precision));
    used(Precision::size(precision));
    used(Precision::read(precision, unknown(b"12345678"), unknown(0)));
    used(Precision::read(precision, unknown::<&[u8]>(b"12345678"), unknown(0)));
    let mut bytes = [0; 16];
    let bytes: &mut [u8] = unknown(&mut bytes);
    used(Precision::write(precision, bytes, unknown(0), unknown(0.0)));
    let mut numbers = [0.0_f64; 2];
    let numbers: &mut [f64] = unknown(&mut numbers);
    Precision::load(precision, bytes, numbers);
    Precision::store(precision, numbers, bytes);
    used(Precision::overflow(precision, numbers));
    used(Word::put(unknown::<&[u32]>(&[0; 3]), bytes));
    used(Word::get(bytes, unknown::<&mut [u32]>(&mut [0; 3])));
    reverse_words(bytes, unknown(4));
    error::value(precision);
    used(ByteOrder::u32(unknown(ByteOrder::Big), unknown([0; 4])));
    used(ByteOrder::other(unknown(ByteOrder::Big)));
    error::message(ByteOrder::Big);
    error::value(ByteOrder::Big);
    error::message(ExtentsError::Zero);
    error::value(ExtentsError::Zero);
    error::message(HypercubeError::Outside);
    error::value(HypercubeError::Outside);
}

fn any_coordinates() -> Option<Coordinates> {
    let numbers: &[u32] = unknown(&[0, 0, 0, 0]);
    Coordinates::new(numbers).map(unknown)
}

pub fn any_extents() -> Result<Extents, ExtentsError> {
    let numbers: &[u32] = unknown(&[4, 4, 4, 4]);
    Extents::new(numbers).map(unknown)
}

pub fn any_region() -> Region {
    unknown(Region::Lattice)
}

fn checksum() {
    let mut checksum = unknown(Checksum::default());
    Checksum::add(&mut checksum, unknown(0), unknown::<&[u8]>(b"site"));
    Checksum::add_at(&mut checksum, unknown(Residues::of(unknown(0))), unknown::<&[u8]>(b"site"));
    used(Checksum::combine(checksum, unknown(checksum)));
    let residues = unknown(Residues::of(unknown(0)));
    used((residues.mod_29, residues.mod_31));
    error::message(checksum);
    error::value(checksum);
    error::value(Residues::of(0));
}

fn of_extents(coordinates: Coordinates, extents: Extents) {
    used(Coordinates::as_slice(&coordinates));
    error::value(coordinates);
    used(Extents::as_slice(&extents));
    used(Extents::dimensions(&extents));
    used(Extents::sites(&extents));
    used(Extents::directions(&extents));
    used(Extents::rank(&extents, &coordinates));
    used(Extents::coordinates(&extents, unknown(0)));
    error::message(extents);
    error::value(extents);
}

fn of_cube(coordinates: Coordinates, cube: Hypercube) {
    used(Hypercube::lower(&cube));
    used(Hypercube::upper(&cube));
    used(Hypercube::sites(&cube));
    used(Hypercube::contains(&cube, &coordinates));
    used(Hypercube::index(&cube, &coordinates));
    used(Hypercube::intersection(&cube, &unknown(cube)));
    if let Ok(extents) = any_extents() {
        used(Hypercube::time_slice(&cube, &extents));
    }
    error::value(cube);
}

fn walk(extents: Extents) {
    let region = any_region();
    used(Region::sites(&region, &extents));
    used(SiteOrder::new(extents, region));
    let mut walk = unknown(SiteOrder::at(extents, region, unknown(0)));
    used(SiteOrder::rank(&walk));
    used(SiteOrder::coordinates(&walk));
    used(SiteOrder::residues(&walk));
    used(SiteOrder::done(&walk));
    SiteOrder::step(&mut walk);
    error::value(walk);
    error::value(region);
}
