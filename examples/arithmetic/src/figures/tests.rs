//! Compares the observables with their definitions, evaluated directly over the whole lattice.

use linkstream::field::{DescribedBy, Field, LinkLayout};
use linkstream::ildg::{GaugeKind, Group, reconstruct};
use linkstream::lattice::{Extents, Precision, Region};
use linkstream::lime::Record;

use super::{Measured, Observables};

type Complex = [f64; 2];
/// The elements row by row.
type Matrix = Vec<Complex>;

/// A gauge field: the kind and layout of its links, and its extents.
struct Case {
    kind: Option<GaugeKind>,
    extents: &'static [u32],
    links: u32,
    colors: u32,
    rows: u32,
    parts: u32,
    precision: Precision,
}

impl Case {
    fn of(name: &str, extents: &'static [u32]) -> Self {
        let kind = GaugeKind::parse(name.as_bytes()).expect("the name of a kind");
        let links = extents.len() as u32;
        let colors = u32::from(kind.colors());
        let parts = if kind.is_real() { 1 } else { 2 };
        Self { kind: Some(kind), extents, links, colors, rows: colors, parts, precision: Precision::F64 }
    }

    fn reduced(mut self) -> Self {
        self.rows = self.kind.and_then(GaugeKind::reduced_rows).expect("a kind with reduced storage").into();
        self
    }

    fn narrow(self) -> Self {
        Self { precision: Precision::F32, ..self }
    }

    fn is_phase(&self) -> bool {
        self.kind.is_some_and(|kind| kind.group() == Group::U1Phase)
    }

    /// Count of numbers in a link of the file.
    fn numbers(&self) -> usize {
        (self.rows * self.colors * self.parts) as usize
    }

    fn field(&self) -> Field {
        let mut links = LinkLayout::new(self.links, self.rows, self.colors, self.precision);
        (links.parts, links.absent_is_ones) = (self.parts, self.is_phase());
        let record = Record { offset: 0, length: 0, message: 1, number: 1, begin: true, end: true };
        Field::with_links(
            record,
            DescribedBy::Ildg,
            Extents::new(self.extents).expect("valid extents"),
            links,
        )
    }

    /// Random numbers between -1 and 1 that are exact in single precision.
    fn random(&self) -> Vec<f64> {
        let mut state = 1_u32;
        let sites: u32 = self.extents.iter().product();
        let count = sites as usize * self.links as usize * self.numbers();
        (0..count)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                f64::from(state >> 16) / 32_768.0 - 1.0
            })
            .collect()
    }

    fn bytes(&self, numbers: &[f64]) -> Vec<u8> {
        match self.precision {
            Precision::F32 => numbers.iter().flat_map(|number| (*number as f32).to_be_bytes()).collect(),
            Precision::F64 => numbers.iter().flat_map(|number| number.to_be_bytes()).collect(),
        }
    }

    fn observables(&self) -> Observables {
        Observables::of(&self.field(), self.kind, true).expect("a field that can be measured")
    }

    fn measure(&self, numbers: &[f64]) -> Measured {
        self.measure_by(self.observables(), numbers)
    }

    fn measure_by(&self, mut observables: Observables, numbers: &[f64]) -> Measured {
        let bytes = self.bytes(numbers);
        assert_eq!(observables.feed(&bytes), bytes.len());
        observables.finish().expect("all sites were read")
    }

    /// The links of all sites as complex matrices.
    fn matrices(&self, numbers: &[f64]) -> Vec<Vec<Matrix>> {
        let links: Vec<_> = numbers.chunks(self.numbers()).map(|link| self.matrix(link)).collect();
        links.chunks(self.links as usize).map(<[Matrix]>::to_vec).collect()
    }

    fn matrix(&self, numbers: &[f64]) -> Matrix {
        if self.is_phase() {
            return vec![[numbers[0].cos(), numbers[0].sin()]];
        }
        let mut whole = numbers.to_vec();
        if self.rows < self.colors {
            whole.resize((self.colors * self.colors * self.parts) as usize, 0.0);
            reconstruct(self.kind.expect("reduced links have a kind"), &mut whole)
                .expect("a kind with reduced storage");
        }
        match self.parts {
            1 => whole.iter().map(|re| [*re, 0.0]).collect(),
            _ => whole.as_chunks().0.to_vec(),
        }
    }

    /// The directions that have links.
    fn directions(&self) -> Vec<usize> {
        let all = self.links as usize == self.extents.len();
        (0..self.extents.len()).filter(|d| all || self.extents[*d] > 1).collect()
    }

    /// The next site in a direction, with periodic boundary conditions.
    fn ahead(&self, site: usize, direction: usize) -> usize {
        let stride: usize = self.extents[..direction].iter().map(|extent| *extent as usize).product();
        let extent = self.extents[direction] as usize;
        let coordinate = site / stride % extent;
        site - coordinate * stride + (coordinate + 1) % extent * stride
    }
}

fn mul(a: &Matrix, b: &Matrix) -> Matrix {
    let n = a.len().isqrt();
    let element = |i: usize, j: usize| {
        (0..n).fold([0.0; 2], |[re, im], k| {
            let ([ar, ai], [br, bi]) = (a[i * n + k], b[k * n + j]);
            [re + ar * br - ai * bi, im + ar * bi + ai * br]
        })
    };
    (0..n * n).map(|e| element(e / n, e % n)).collect()
}

fn dagger(a: &Matrix) -> Matrix {
    let n = a.len().isqrt();
    (0..n * n).map(|e| a[e % n * n + e / n]).map(|[re, im]| [re, -im]).collect()
}

fn re_trace(a: &Matrix) -> f64 {
    let n = a.len().isqrt();
    (0..n).map(|i| a[i * n + i][0]).sum()
}

fn deviation(a: &Matrix) -> f64 {
    let n = a.len().isqrt();
    let product = mul(a, &dagger(a));
    let element = |e: usize| {
        let one = if e / n == e % n { 1.0 } else { 0.0 };
        (product[e][0] - one).hypot(product[e][1])
    };
    (0..n * n).map(element).fold(0.0, f64::max)
}

/// The determinant, expanded along the first row.
fn determinant(a: &[Complex]) -> Complex {
    let n = a.len().isqrt();
    if n == 0 {
        return [1.0, 0.0];
    }
    let mut sum = [0.0, 0.0];
    for column in 0..n {
        let rest = (n..n * n).filter(|index| index % n != column).map(|index| a[index]);
        let [re, im] = mul(&vec![a[column]], &vec![determinant(&rest.collect::<Vec<_>>())])[0];
        let sign = if column % 2 == 0 { 1.0 } else { -1.0 };
        sum = [sum[0] + sign * re, sum[1] + sign * im];
    }
    sum
}

/// The link trace in each direction, averaged over some sites.
fn link_traces(case: &Case, links: &[Vec<Matrix>]) -> Vec<(u8, f64)> {
    let scale = links.len() as f64 * f64::from(case.colors);
    let trace = |link: usize| links.iter().map(|site| re_trace(&site[link])).sum::<f64>() / scale;
    case.directions().into_iter().enumerate().map(|(link, mu)| (mu as u8, trace(link))).collect()
}

/// The plaquette in each plane and the link trace, averaged over the sites of a range.
fn averages(case: &Case, links: &[Vec<Matrix>], sites: std::ops::Range<usize>) -> (Vec<(u8, u8, f64)>, f64) {
    let (directions, count) = (case.directions(), sites.len() as f64);
    let colors = f64::from(case.colors);
    let mut planes = Vec::new();
    for (j, nu) in directions.iter().enumerate() {
        for (i, mu) in directions.iter().enumerate().take(j) {
            let sum: f64 = sites
                .clone()
                .map(|x| {
                    let there = mul(&links[x][i], &links[case.ahead(x, *mu)][j]);
                    let back = mul(&links[x][j], &links[case.ahead(x, *nu)][i]);
                    re_trace(&mul(&there, &dagger(&back)))
                })
                .sum();
            planes.push((*mu as u8, *nu as u8, sum / (count * colors)));
        }
    }
    let trace: f64 = sites.flat_map(|x| &links[x]).map(re_trace).sum();
    (planes, trace / (count * colors * directions.len() as f64))
}

/// The Polyakov loop: the product of the links along each line in the direction of time.
fn polyakov_loop(case: &Case, links: &[Vec<Matrix>]) -> Option<Complex> {
    let time = case.extents.len() - 1;
    let link = case.directions().iter().position(|direction| *direction == time && time > 0)?;
    let lines = links.len() / case.extents[time] as usize;
    let mut sum = [0.0; 2];
    for line in 0..lines {
        let mut sites = (line..links.len()).step_by(lines).map(|site| links[site][link].clone());
        let first = sites.next().expect("a slice");
        let product = sites.fold(first, |product, link| mul(&product, &link));
        let n = case.colors as usize;
        (0..n).for_each(|i| sum = [0, 1].map(|part| sum[part] + product[i * n + i][part]));
    }
    let count = lines as f64 * f64::from(case.colors);
    Some(sum.map(|sum| sum / count))
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<_> = values.collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[track_caller]
fn assert_close(found: Option<f64>, expected: Option<f64>) {
    match (found, expected) {
        (Some(a), Some(b)) => assert!((a - b).abs() <= 1e-12 * b.abs().max(1.0), "{a} is not {b}"),
        (found, expected) => assert_eq!(found, expected),
    }
}

#[track_caller]
fn assert_is_the_definition(case: &Case) {
    let numbers = case.random();
    let found = case.measure_by(case.observables().with_polyakov_loop(), &numbers);
    assert_eq!(Measured { polyakov_loop: None, ..found.clone() }, case.measure(&numbers));
    let links = case.matrices(&numbers);
    let (planes, trace) = averages(case, &links, 0..links.len());
    let polyakov_loop = polyakov_loop(case, &links);
    assert_eq!(found.polyakov_loop.is_some(), polyakov_loop.is_some());
    for (found, expected) in found.polyakov_loop.iter().flatten().zip(polyakov_loop.iter().flatten()) {
        assert_close(Some(*found), Some(*expected));
    }
    let time = (case.extents.len() - 1) as u8;
    let is_temporal = |nu: u8| time > 0 && nu == time;
    assert_eq!(found.planes.len(), planes.len());
    for (found, (mu, nu, plaquette)) in found.planes.iter().zip(&planes) {
        assert_eq!((found.mu, found.nu), (*mu, *nu));
        assert_close(Some(found.plaquette), Some(*plaquette));
    }
    assert_close(found.plaquette, mean(planes.iter().map(|plane| plane.2)));
    assert_close(found.spatial, mean(planes.iter().filter(|p| !is_temporal(p.1)).map(|plane| plane.2)));
    assert_close(found.temporal, mean(planes.iter().filter(|p| is_temporal(p.1)).map(|plane| plane.2)));
    assert_close(Some(found.link_trace), Some(trace));
    let traces = link_traces(case, &links);
    assert_eq!(found.directions.len(), traces.len());
    for (found, (mu, trace)) in found.directions.iter().zip(&traces) {
        assert_eq!(found.mu, *mu);
        assert_close(Some(found.link_trace), Some(*trace));
    }
    assert_close(mean(found.directions.iter().map(|direction| direction.link_trace)), Some(found.link_trace));
    let elements = links.iter().flatten().flatten();
    assert_close(Some(found.squared_norm), Some(elements.map(|[re, im]| re * re + im * im).sum()));
    let largest = links.iter().flatten().map(deviation).fold(0.0, f64::max);
    assert_close(Some(found.max_unitarity_deviation), Some(largest));
    let has_determinant = case.kind.is_some_and(|kind| matches!(kind.group(), Group::Su | Group::So));
    let farthest = links.iter().flatten().map(|link| {
        let [re, im] = determinant(link);
        (re - 1.0).hypot(im)
    });
    let farthest = has_determinant.then(|| farthest.fold(0.0, f64::max));
    assert_close(found.max_determinant_deviation, farthest);
    assert_close(Some(found.max_group_deviation()), Some(largest.max(farthest.unwrap_or(0.0))));

    let slices = if time == 0 { 1 } else { case.extents[usize::from(time)] as usize };
    assert_eq!(found.slices.len(), slices);
    let sites = links.len() / slices;
    for (t, slice) in found.slices.iter().enumerate() {
        let (planes, trace) = averages(case, &links, t * sites..(t + 1) * sites);
        assert_eq!(slice.time as usize, t);
        assert_close(slice.plaquette, mean(planes.iter().map(|plane| plane.2)));
        assert_close(slice.temporal, mean(planes.iter().filter(|p| is_temporal(p.1)).map(|plane| plane.2)));
        assert_close(Some(slice.link_trace), Some(trace));
    }
}

#[test]
fn su3_in_four_dimensions_of_all_shapes() {
    let shapes: [&[u32]; 11] = [
        &[4, 3, 2, 5],
        &[2, 2, 2, 1],
        &[1, 3, 2, 2],
        &[3, 3, 3, 3],
        &[1, 1, 1, 1],
        &[5, 1, 1, 2],
        &[1, 2, 1, 3],
        &[2, 1, 4, 1],
        &[1, 1, 1, 4],
        &[9, 2, 2, 2],
        &[16, 2, 1, 2],
    ];
    for extents in shapes {
        assert_is_the_definition(&Case::of("su3gauge", extents));
        assert_is_the_definition(&Case::of("su3gauge", extents).narrow());
        assert_is_the_definition(&Case::of("su3gauge", extents).reduced());
    }
}

#[test]
fn every_group() {
    for name in [
        "su2gauge", "su4gauge", "su6gauge", "u1gauge", "u2gauge", "so3gauge", "so4gauge", "sp4gauge",
        "u1phase",
    ] {
        assert_is_the_definition(&Case::of(name, &[3, 2, 2, 3]));
        assert_is_the_definition(&Case::of(name, &[3, 2, 2, 3]).narrow());
    }
    for name in ["su2gauge", "su4gauge", "so3gauge", "so4gauge", "sp4gauge", "sp6gauge"] {
        assert_is_the_definition(&Case::of(name, &[3, 2, 1, 3]).reduced());
    }
}

#[test]
fn every_number_of_dimensions() {
    let shapes: [&[u32]; 9] = [
        &[5],
        &[1],
        &[5, 4],
        &[4, 3, 2],
        &[2, 3, 2, 2, 3],
        &[2, 1, 2, 2, 1, 3],
        &[2, 2, 1, 2, 2, 2, 2],
        &[2, 2, 2, 1, 2, 2, 1, 2],
        &[3, 1, 1, 1, 1, 1, 1, 2],
    ];
    for extents in shapes {
        for name in ["su3gauge", "su2gauge", "u1phase"] {
            assert_is_the_definition(&Case::of(name, extents));
        }
    }
}

#[test]
fn directions_with_one_site_have_no_links_in_ildg() {
    for extents in [&[3, 1, 2, 2], &[1, 2, 3, 1], &[1, 1, 1, 4], &[4, 2, 1, 1]] as [&'static [u32]; 4] {
        let links = extents.iter().filter(|extent| **extent > 1).count() as u32;
        let case = Case { links, ..Case::of("su3gauge", extents) };
        assert_is_the_definition(&case);
        // Without an ILDG document, the directions of the links are unknown.
        assert!(Observables::of(&case.field(), None, false).is_none());
    }
}

#[test]
fn what_is_no_gauge_field_is_not_measured() {
    let case = Case::of("su3gauge", &[2, 2, 2, 2]);
    assert!(Observables::of(&case.field(), None, false).is_some());
    let reduced = Case::of("su3gauge", &[2, 2, 2, 2]).reduced();
    assert!(Observables::of(&reduced.field(), None, false).is_none());
    let single = Case { links: 1, ..Case::of("su3gauge", &[2, 2, 2, 2]) };
    assert!(Observables::of(&single.field(), single.kind, false).is_none());
    let mut hypercube = case.field();
    hypercube.region = Region::Global;
    assert!(Observables::of(&hypercube, case.kind, false).is_none());
    // Links with this many colors are not reconstructed.
    let large = Case::of("su40gauge", &[2, 1, 1, 1]).reduced();
    assert!(Observables::of(&large.field(), large.kind, false).is_none());
}

#[test]
fn what_is_not_finite_spoils_all_figures() {
    let case = Case::of("su3gauge", &[2, 3, 1, 3]);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for number in [0, 7 * 72 + 3 * 18 + 3, 17 * 72 + 2 * 18 + 17, 16 * 72 + 3 * 18 + 1] {
            let mut numbers = case.random();
            numbers[number] = bad;
            let found = case.measure(&numbers);
            let numbers = [found.link_trace, found.squared_norm].map(Some);
            let all = [found.plaquette, found.spatial, found.temporal, numbers[0], numbers[1]];
            assert!(all.iter().all(|figure| figure.is_some_and(f64::is_nan)), "{found:?}");
            assert!(found.max_unitarity_deviation.is_nan());
            assert!(found.planes.iter().all(|plane| plane.plaquette.is_nan()));
            assert!(found.directions.iter().all(|direction| direction.link_trace.is_nan()));
            assert!(found.slices.iter().all(|slice| slice.link_trace.is_nan()));
        }
    }
}

#[test]
fn links_that_do_not_exist_count_in_averages_and_not_in_unitarity() {
    let case = Case::of("su2gauge", &[2, 2, 2, 3]);
    let one = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let mut numbers = one.repeat(24 * 4);
    for site in numbers.chunks_mut(32).skip(16) {
        site[24..].fill(0.0);
    }
    let found = case.measure(&numbers);
    assert_eq!((found.max_unitarity_deviation, found.temporal), (0.0, Some(2.0 / 3.0)));
    assert_eq!(found.link_trace, 1.0 - 8.0 / (24.0 * 4.0));
    let traces: Vec<_> = found.directions.iter().map(|direction| direction.link_trace).collect();
    assert_eq!(traces, [1.0, 1.0, 1.0, 2.0 / 3.0]);
    // With a negative zero, a link is not absent.
    numbers[16 * 32 + 31] = -0.0;
    assert_eq!(case.measure(&numbers).max_unitarity_deviation, 1.0);

    let case = Case::of("u1phase", &[2, 1, 1, 2]);
    let mut numbers = [0.0; 16];
    numbers[15] = f64::from_bits(u64::MAX);
    let found = case.measure(&numbers);
    assert_eq!((found.max_unitarity_deviation, found.link_trace), (0.0, 15.0 / 16.0));
}

/// Unitary matrices with a phase belong to U(N), not to SU(N), and reflections belong to O(N), not to SO(N).
#[test]
fn a_determinant_other_than_1_is_a_deviation_from_the_group() {
    for (name, is_special) in
        [("su2gauge", true), ("su3gauge", true), ("su4gauge", true), ("so3gauge", true), ("u3gauge", false)]
    {
        let case = Case::of(name, &[2, 2, 1, 2]);
        let (colors, parts) = (case.colors as usize, case.parts as usize);
        let one: Vec<f64> = (0..colors * colors)
            .flat_map(|e| [if e / colors == e % colors { 1.0 } else { 0.0 }, 0.0].into_iter().take(parts))
            .collect();
        let mut numbers = one.repeat(8 * 4);
        let whole = case.measure(&numbers);
        let deviation = is_special.then_some(0.0);
        assert_eq!((whole.max_determinant_deviation, whole.has_unitary_link), (deviation, true), "{name}");
        // The first row of one link, and then of all of them.
        let last = numbers.len() - one.len();
        for (links, has_unitary_link) in [(last..last + 1, true), (0..last + 1, !is_special)] {
            links.step_by(one.len()).for_each(|first| numbers[first] = -1.0);
            let found = case.measure(&numbers);
            assert_eq!(found.max_unitarity_deviation, 0.0);
            assert_eq!(found.max_determinant_deviation, is_special.then_some(2.0), "{name}");
            assert_eq!(found.max_group_deviation(), if is_special { 2.0 } else { 0.0 });
            assert_eq!(found.has_unitary_link, has_unitary_link, "{name}");
        }
    }
}

#[test]
fn doubles_that_are_all_singles_are_noticed() {
    let case = Case::of("su3gauge", &[4, 2, 2, 2]);
    let mut numbers = case.random();
    assert!(case.measure(&numbers).widened);
    assert!(!Case::of("su3gauge", &[4, 2, 2, 2]).narrow().measure(&numbers).widened);
    let last = numbers.len() - 1;
    for wide in [0.1, 1e300, 1e-300] {
        numbers[last] = wide;
        assert!(!case.measure(&numbers).widened, "{wide}");
    }
}

#[test]
fn rows_can_come_in_any_portions() {
    let case = Case::of("su3gauge", &[3, 2, 2, 3]);
    let bytes = case.bytes(&case.random());
    let whole = case.measure(&case.random());
    let row = case.observables().row_bytes();
    for portion in [row, 2 * row + 1, 3 * row - 1, 5 * row] {
        let (mut observables, mut rest) = (case.observables(), &bytes[..]);
        while !rest.is_empty() {
            let taken = observables.feed(&rest[..portion.min(rest.len())]);
            assert!(taken > 0);
            rest = &rest[taken..];
        }
        assert_eq!(observables.finish().as_ref(), Some(&whole));
    }
    let mut read = case.observables();
    let Ok(()) = read.read(&bytes[..]);
    assert_eq!(read.finish().as_ref(), Some(&whole));
}

#[test]
fn a_layout_that_contradicts_a_phase_is_not_measured() {
    for (rows, colors) in [(1, 2), (2, 1), (0, 1), (1, 0)] {
        let case = Case { rows, colors, ..Case::of("u1phase", &[2, 2]) };
        assert!(Observables::of(&case.field(), case.kind, false).is_none(), "{rows} by {colors}");
    }
    // Real matrices instead.
    let case = Case { rows: 2, colors: 2, ..Case::of("u1phase", &[2, 2]) };
    assert_eq!(case.observables().feed(&case.bytes(&case.random())), 2 * 2 * 2 * 4 * 8);
}

#[test]
fn figures_need_all_sites_and_no_more() {
    let case = Case::of("su3gauge", &[3, 2, 2, 3]);
    let bytes = case.bytes(&case.random());
    let mut observables = case.observables();
    assert_eq!(observables.feed(&bytes[..bytes.len() - 1]), bytes.len() - observables.row_bytes());
    assert_eq!(observables.finish(), None);
    let mut observables = case.observables();
    assert_eq!(observables.feed(&[&bytes[..], &bytes[..]].concat()), bytes.len());
    assert!(observables.finish().is_some());
    // Bytes that are not there.
    for missing in [1, bytes.len() / 2, bytes.len()] {
        let mut observables = case.observables();
        let Ok(()) = observables.read(&bytes[..bytes.len() - missing]);
        assert_eq!(observables.finish(), None, "{missing} bytes are missing");
    }
    // The first rows of a slice, and then the whole field.
    let mut observables = case.observables();
    assert!(observables.feed(&bytes[..observables.row_bytes()]) > 0);
    let Ok(()) = observables.read(&bytes[..]);
    assert_eq!(observables.finish(), None);
    // No memory is allocated for the size that a header claims.
    let huge = Case { extents: &[u32::MAX, 2, 1, 1], ..Case::of("su3gauge", &[1]) };
    let mut field = case.field();
    field.extents = Extents::new(huge.extents).expect("valid extents");
    let observables = Observables::of(&field, case.kind, false).expect("a slice that memory could hold");
    assert_eq!(observables.finish(), None);
}

#[cfg(feature = "parallel")]
#[test]
fn figures_do_not_depend_on_the_number_of_threads() {
    // Large enough for several threads, with an incomplete last tile.
    let case = Case::of("su3gauge", &[6, 7, 31, 25]);
    let bytes = case.bytes(&case.random());
    let measure = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a thread pool");
        pool.install(|| {
            let mut observables = case.observables();
            let Ok(()) = observables.read(&bytes[..]);
            observables.finish().expect("all sites were read")
        })
    };
    let one = measure(1);
    for threads in [2, 3, 8] {
        assert_eq!(measure(threads), one);
    }
}

/// Measures slabs of time slices that end at these slices, and puts the sums together.
fn measure_in_slabs(case: &Case, bytes: &[u8], ends: &[u32], portion: usize) -> Measured {
    let mut whole = case.observables();
    let slice = whole.slice_bytes() as usize;
    let slices = whole.slices();
    let mut sums = vec![0_u64; whole.slab_words().expect("a few words")];
    let mut start = 0;
    for end in ends.iter().map(|end| *end.min(&slices)).chain([slices]) {
        let mut slab = whole.of_slab(start..end);
        let is_part = start < end && (start, end) != (0, slices);
        let with_next = (start..end).chain(is_part.then_some(end % slices));
        let rows: Vec<u8> =
            with_next.flat_map(|t| bytes[t as usize * slice..][..slice].iter().copied()).collect();
        let (mut rest, row) = (&rows[..], slab.row_bytes());
        while !rest.is_empty() {
            let taken = slab.feed(&rest[..(portion * row).min(rest.len())]);
            assert!(taken > 0, "{start}..{end} of {slices}");
            rest = &rest[taken..];
        }
        assert_eq!(slab.feed(bytes), 0, "a slab takes no more than its slices and the next one");
        let of_slab = slab.into_slab_sums().expect("a few words");
        sums.iter_mut().zip(of_slab).for_each(|(sum, word)| *sum = sum.wrapping_add(word));
        start = end;
    }
    assert_eq!(whole.supply(&sums[1..]), None);
    assert_eq!(whole.supply(&sums), Some(()));
    assert_eq!(whole.supply(&sums), None);
    whole.finish().expect("the sums of all slices")
}

#[test]
fn slabs_measure_the_same_to_the_last_bit() {
    let shapes: [&[u32]; 7] =
        [&[3, 2, 2, 7], &[2, 2, 2, 1], &[1, 3, 2, 2], &[5], &[2, 1, 4], &[5, 2, 2, 3], &[2, 2, 1, 2, 4]];
    let divisions: [&[u32]; 7] = [&[], &[1], &[0, 1, 1], &[1, 2, 3, 4, 5, 6], &[3, 5], &[0, 0], &[99, 99]];
    for extents in shapes {
        for name in ["su3gauge", "so4gauge", "u1phase"] {
            let case = Case::of(name, extents);
            let narrow = Case::of(name, extents).narrow();
            for case in [case, narrow] {
                let mut numbers = case.random();
                for spoilt in [false, true] {
                    if spoilt {
                        *numbers.last_mut().expect("numbers") = f64::NAN;
                    }
                    let bytes = case.bytes(&numbers);
                    let whole = format!("{:?}", case.measure(&numbers));
                    for ends in divisions {
                        for portion in [1, 3, 100] {
                            let slabs = measure_in_slabs(&case, &bytes, ends, portion);
                            assert_eq!(format!("{slabs:?}"), whole, "{name} {extents:?} {ends:?}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn slabs_report_what_a_single_one_has() {
    let case = Case::of("su2gauge", &[2, 2, 2, 4]);
    let one = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let site = case.numbers() * case.links as usize;
    // Numbers that are not exact in single precision, and the only unitary link, are in one slice.
    for slice in 0..4 {
        let mut numbers = case.random();
        numbers[slice * 8 * site + 3] = 0.1;
        numbers[slice * 8 * site + 8..][..8].copy_from_slice(&one);
        let measured = measure_in_slabs(&case, &case.bytes(&numbers), &[1, 2, 3], 2);
        assert!(!measured.widened && measured.has_unitary_link);
        assert_eq!(measured, case.measure(&numbers));
    }
    assert!(measure_in_slabs(&case, &case.bytes(&case.random()), &[2], 1).widened);
}
