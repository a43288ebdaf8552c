//! Any lattice of up to 5 dimensions, any region and any box, in windows of any length.

use host_tests::cases::{corner, lattice, sites};
use host_tests::oracle;
use linkstream::field::{Field, FieldDocuments};
use linkstream::lattice::{Checksum, Extents, Hypercube, Precision, Region};
use linkstream::scidac::PrivateRecord;
use linkstream_parallel::field::BoxPart;
use proptest::prelude::*;

/// A box from two numbers for each dimension.
fn cube(extents: &[u32], bounds: &[(u32, u32)], lattice: &Extents) -> Hypercube {
    let [lower, upper]: [Vec<u32>; 2] = [0, 1].map(|end| {
        let bound = |((a, b), extent): (&(u32, u32), &u32)| {
            let (a, b) = (a % extent, b % extent);
            if end == 0 { a.min(b) } else { a.max(b) }
        };
        bounds.iter().zip(extents).map(bound).collect()
    });
    Hypercube::new(corner(&lower), corner(&upper), lattice).expect("inside")
}

/// A field of two numbers per site, with the data in a file of 1000 bytes before them.
fn field(lattice: &Extents, region: Option<Hypercube>, precision: Precision) -> Field {
    let mut record = PrivateRecord::complex_field(precision);
    if let Some(cube) = region {
        record = record.covering(&Region::Hypercube(cube));
    }
    let mut field = FieldDocuments::scidac(record).layout(lattice).expect("legal");
    field.record.offset = 1000;
    field
}

fn bounds() -> impl Strategy<Value = Vec<(u32, u32)>> {
    prop::collection::vec((0_u32..6, 0_u32..6), 5)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn any_box_of_any_region(
        extents in prop::collection::vec(1_u32..5, 1..6),
        region in prop::option::of(bounds()),
        inside in bounds(),
        window in 1_u64..40,
        double in any::<bool>(),
    ) {
        let lattice = lattice(&extents);
        let region = region.map(|bounds| cube(&extents, &bounds, &lattice));
        let precision = if double { Precision::F64 } else { Precision::F32 };
        let field = field(&lattice, region, precision);
        let cube = cube(&extents, &inside, &lattice);
        let part = BoxPart::new(&field, cube).expect("inside");
        let expected = sites(&field, Some(cube));
        prop_assert_eq!(part.sites(), expected.len() as u64);

        // The data of the whole field: the rank of the site, and its negative.
        let size = field.bytes_per_site as usize;
        let start = field.record.payload_offset() as usize;
        let mut file = vec![0xaa; start + field.data_length().expect("short") as usize];
        let (mut numbers, mut sum) = (Vec::new(), Checksum::default());
        for (rank, index) in &expected {
            let pair = [*rank as f64, -(*rank as f64)];
            numbers.extend(pair);
            let bytes: Vec<u8> = match precision {
                Precision::F32 => pair.iter().flat_map(|n| (*n as f32).to_be_bytes()).collect(),
                Precision::F64 => pair.iter().flat_map(|n| n.to_be_bytes()).collect(),
            };
            let (suma, sumb) = oracle::checksum(&bytes, size, *rank..*rank + 1);
            sum = sum.combine(Checksum { suma, sumb });
            file[start + *index as usize * size..][..size].copy_from_slice(&bytes);
        }

        let mut found = vec![0xaa; file.len()];
        let mut total = Checksum::default();
        let (mut again, mut buffer) = (vec![0.0; numbers.len()], vec![0; window as usize * size]);
        let mut offset = 0;
        for window in part.windows(buffer.len()).expect("room for a site") {
            let bytes = window.fill(&numbers, &mut buffer).expect("the numbers of the box");
            prop_assert_eq!(bytes.len() as u64, window.byte_count());
            for run in window.runs() {
                // In ascending order.
                prop_assert!(run.offset >= offset && run.length > 0);
                offset = run.offset + run.length;
                let bytes = run.slice(bytes).expect("of this window");
                found[run.offset as usize..][..bytes.len()].copy_from_slice(bytes);
            }
            total = total.combine(window.checksum(bytes).expect("of this window"));
            window.take(bytes, &mut again).expect("of this window");
        }
        prop_assert_eq!(found, file);
        prop_assert_eq!(total, sum);
        prop_assert_eq!(again, numbers);
    }
}
