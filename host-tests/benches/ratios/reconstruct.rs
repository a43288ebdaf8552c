//! Reconstruction of reduced rows: third rows of SU(3) links relative to a plain loop over arrays, and the time for one
//! link with more colors.

use std::hint::black_box;

use linkstream::ildg::{GaugeKind, Real, deviation, reconstruct};

use crate::files;
use crate::measure::{Scale, Table};

/// Number of sites in one pass. Their links stay in the cache, as they do when a site has just been read.
const SITES: usize = 256;

pub fn all(scale: &Scale) {
    let title = "SU(3), third rows in place, per site of 4 links, against plain code over arrays";
    let mut table = Table::new(title);
    third_rows(scale, &mut table, "f32", plain_f32, |byte| f32::from(byte) / 256.0);
    third_rows(scale, &mut table, "f64", plain_f64, |byte| f64::from(byte) / 256.0);
    more_colors(scale);
}

macro_rules! plain {
    ($name:ident, $real:ty) => {
        #[inline(always)]
        fn $name(link: &mut [$real; 18]) {
            let a = [[link[0], link[1]], [link[2], link[3]], [link[4], link[5]]];
            let b = [[link[6], link[7]], [link[8], link[9]], [link[10], link[11]]];
            let product = |i: usize, j: usize| {
                [a[i][0] * b[j][0] - a[i][1] * b[j][1], a[i][0] * b[j][1] + a[i][1] * b[j][0]]
            };
            for (k, i, j) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
                let (plus, minus) = (product(i, j), product(j, i));
                link[12 + 2 * k] = plus[0] - minus[0];
                link[13 + 2 * k] = minus[1] - plus[1];
            }
        }
    };
}

plain!(plain_f32, f32);
plain!(plain_f64, f64);

fn third_rows<T: Real>(
    scale: &Scale,
    table: &mut Table,
    name: &str,
    plain: impl Fn(&mut [T; 18]),
    number: impl Fn(u8) -> T,
) {
    let passes = scale.bytes / (SITES * 72 * size_of::<T>());
    let links: Vec<T> = files::noise(SITES * 72).into_iter().map(number).collect();
    let [mut alone, mut together, mut ours] = [links.clone(), links.clone(), links.clone()];
    let kind = black_box(GaugeKind::SU3);
    let times = scale.measure(&mut [
        &mut || {
            for _ in 0..passes {
                alone.as_chunks_mut().0.iter_mut().for_each(|link| plain(black_box(link)));
            }
        },
        // The compiler may process several links with one instruction here.
        &mut || {
            for _ in 0..passes {
                black_box(&mut together).as_chunks_mut().0.iter_mut().for_each(&plain);
            }
        },
        &mut || {
            for _ in 0..passes {
                for link in black_box(&mut ours).chunks_exact_mut(18) {
                    reconstruct(kind, link).expect("a complete link");
                }
            }
        },
        &mut || {
            for _ in 0..passes {
                let links = black_box(&links).chunks_exact(18);
                black_box(
                    links.map(|link| deviation(kind, link).expect("a complete link")).fold(0.0, f64::max),
                );
            }
        },
    ]);
    let sites = passes * SITES;
    let bytes = sites * 72 * size_of::<T>();
    table.row(&format!("{name}, against plain code link by link"), bytes, times[2], times[0], Some(0.8));
    table.row(&format!("{name}, against a plain loop over all links"), bytes, times[2], times[1], None);
    table.row(&format!("{name}, compared with what is stored, likewise"), bytes, times[3], times[1], None);
    table.each(&format!("{name}, reconstructed, a site"), sites, times[2], None);
    table.each(&format!("{name}, compared, a site"), sites, times[3], None);
}

/// Runs once per repetition, because it sums N! products.
fn more_colors(scale: &Scale) {
    let mut table = Table::new("SU(N), one link");
    for (name, links) in [("su2gauge", 10_000), ("su4gauge", 1000), ("su6gauge", 20), ("su9gauge", 1)] {
        let kind = GaugeKind::parse(name.as_bytes()).expect("a kind");
        let numbers = usize::from(kind.colors()).pow(2) * 2;
        let mut link: Vec<f64> =
            files::noise(numbers).into_iter().map(|byte| f64::from(byte) / 256.0).collect();
        let times = scale.measure(&mut [&mut || {
            for _ in 0..links {
                reconstruct(black_box(kind), black_box(&mut link)).expect("a complete link");
            }
        }]);
        table.each(name, links, times[0], None);
    }
}
