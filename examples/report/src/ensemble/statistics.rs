//! Robust statistics: values far from the others, in a series whose mean may drift.

/// Number of neighbours on each side.
const NEIGHBOURS: usize = 4;
/// The standard deviation of a normal distribution over its median absolute deviation.
const SIGMA: f64 = 1.482_602_218_505_602;
/// Fewer values show no spread.
const FEWEST: usize = 5;
/// Values at the beginning that are farther from the median than this, in standard deviations, may belong to a
/// thermalisation.
const RELAXED: f64 = 7.0;
/// A thermalisation makes no larger step than this part of the whole way: what ends at once is another ensemble.
const STEEPEST: f64 = 0.8;

/// A value that is far from the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outlier {
    pub index: usize,
    /// Distances in standard deviations, as the median absolute deviation estimates them: from the median of all values, and
    /// from the median of the neighbours.
    pub from_all: f64,
    pub from_neighbours: f64,
}

/// The median; `None` without values.
#[must_use]
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = sorted.get(sorted.len() / 2)?;
    if sorted.len() % 2 == 1 {
        return Some(*upper);
    }
    let lower = sorted.get((sorted.len() / 2).saturating_sub(1))?;
    Some(lower / 2.0 + upper / 2.0)
}

/// Median, and standard deviation as estimated from the median absolute deviation.
#[must_use]
pub fn spread(values: &[f64]) -> Option<(f64, f64)> {
    let center = median(values)?;
    let distances: Vec<f64> = values.iter().map(|value| (value - center).abs()).collect();
    Some((center, median(&distances)? * SIGMA))
}

/// The outliers of a series. A value is one if it is far from its neighbours; a drift is none, and neither is the approach to
/// the other values while an ensemble thermalises. The fewer the values, the farther it must be.
#[must_use]
pub fn outliers(series: &[f64]) -> Vec<Outlier> {
    let (mut found, mut begin) = (Vec::new(), 0);
    // The rest may still thermalise, more slowly.
    while let Some((length, of)) = thermalisation(series.get(begin..).unwrap_or_default()) {
        found.extend(of.into_iter().map(|outlier| outlier.after(begin)));
        begin = begin.saturating_add(length);
    }
    let rest = around_a_line(series.get(begin..).unwrap_or_default());
    found.extend(rest.into_iter().map(|outlier| outlier.after(begin)));
    found
}

impl Outlier {
    const fn after(mut self, number: usize) -> Self {
        self.index = self.index.saturating_add(number);
        self
    }
}

/// The standard deviation of the differences from a line through the neighbours.
fn noise(series: &[f64]) -> Option<f64> {
    let residuals: Vec<f64> =
        (0..series.len()).map(|index| residual(series, index).unwrap_or_default()).collect();
    Some(spread(&residuals)?.1.max(rounding(median(series)?)))
}

/// Rounding is no spread.
fn rounding(center: f64) -> f64 {
    center.abs().max(1.0) * 1e-12
}

/// The length of a thermalisation at the beginning of a series, if there is one, and the outliers in it: at least two values
/// far from the median, each at most as far as the one before.
fn thermalisation(series: &[f64]) -> Option<(usize, Vec<Outlier>)> {
    // The later half is the quieter one.
    let later = series.get(series.len() / 2..).filter(|later| later.len() >= FEWEST)?;
    let (center, noise) = (median(series)?, noise(later)?);
    let sign = (series.first()? - center).signum();
    let distances: Vec<f64> = series.iter().map(|value| (value - center) * sign / noise).collect();
    // The values that continue the approach, with their places.
    let mut approach: Vec<(usize, f64)> = Vec::new();
    let mut outliers = Vec::new();
    let mut left = distances.iter().copied().enumerate().peekable();
    let fits = |last: f64, next: f64| next <= last + RELAXED;
    while let Some((index, distance)) = left.next() {
        let Some((_, last)) = approach.last().copied() else {
            approach.push((index, distance));
            continue;
        };
        let next = left.peek().map(|(_, next)| *next).filter(|next| *next > RELAXED);
        // A value that is left out does not change the approach, but fits neither to the one before nor to the next.
        let is_out = match next {
            _ if !fits(last, distance) => true,
            Some(next) => !fits(distance, next) && fits(last, next),
            None => false,
        };
        if is_out && next.is_some_and(|next| fits(last, next)) {
            let from_neighbours = (distance - last).abs();
            outliers.push(Outlier { index, from_all: distance.abs(), from_neighbours });
        } else if is_out || distance <= RELAXED {
            break;
        } else {
            approach.push((index, distance));
        }
    }
    let (first, last) = (approach.first()?.1, approach.last()?);
    let length = last.0.saturating_add(1);
    let after = distances.get(length).copied().unwrap_or_default();
    let ways = approach.iter().map(|(_, distance)| *distance).chain([after]);
    let steps = approach.iter().zip(ways.skip(1)).map(|((_, before), after)| before - after);
    let is_gradual = steps.fold(0.0, f64::max) <= STEEPEST * first;
    (approach.len() > 1 && is_gradual).then_some((length, outliers))
}

/// The values far from a line through their neighbours.
fn around_a_line(series: &[f64]) -> Vec<Outlier> {
    let Some((center, sigma)) = spread(series).filter(|_| series.len() >= FEWEST) else { return Vec::new() };
    let residuals: Vec<f64> =
        (0..series.len()).map(|index| residual(series, index).unwrap_or_default()).collect();
    let Some((_, local)) = spread(&residuals) else { return Vec::new() };
    let least = rounding(center);
    let (sigma, local) = (sigma.max(least), local.max(least));
    let most = match series.len() {
        // Of so few, four can be close to a line by chance.
        0..6 => 60.0,
        6..10 => 20.0,
        10..20 => 10.0,
        _ => 7.0,
    };
    let of = |(index, residual): (usize, &f64)| {
        let value = series.get(index)?;
        let from_all = (value - center).abs() / sigma;
        let from_neighbours = residual.abs() / local;
        (from_neighbours > most).then_some(Outlier { index, from_all, from_neighbours })
    };
    residuals.iter().enumerate().filter_map(of).collect()
}

/// The distance from the line through the neighbours that has the median of the slopes between any two of them (Theil and
/// Sen). At the ends of the series, there are as many neighbours on one side.
fn residual(series: &[f64], index: usize) -> Option<f64> {
    let length = NEIGHBOURS.saturating_mul(2).saturating_add(1);
    let from = index.saturating_sub(NEIGHBOURS).min(series.len().saturating_sub(length));
    let window = series.iter().enumerate().skip(from).take(length).filter(|(at, _)| *at != index);
    let points: Vec<(f64, f64)> = window.map(|(at, value)| (at as f64 - index as f64, *value)).collect();
    let mut slopes = Vec::new();
    for (first, a) in points.iter().enumerate() {
        slopes.extend(points.iter().skip(first).filter(|b| b.0 > a.0).map(|b| (b.1 - a.1) / (b.0 - a.0)));
    }
    let slope = median(&slopes)?;
    let heights: Vec<f64> = points.iter().map(|(at, value)| value - slope * at).collect();
    Some(series.get(index)? - median(&heights)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers between -1 and 1 that look random.
    fn noise(count: usize) -> Vec<f64> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        // Nearly normal.
        (0..count).map(|_| ((0..12).map(|_| next()).sum::<f64>() - 6.0) / 3.0).collect()
    }

    const NONE: [usize; 0] = [];

    fn found(series: &[f64]) -> Vec<usize> {
        outliers(series).iter().map(|outlier| outlier.index).collect()
    }

    #[test]
    fn only_what_is_far_from_its_neighbours_is_an_outlier() {
        for count in [5, 9, 10, 19, 20, 50, 1000, 5000] {
            let mut series: Vec<f64> = noise(count).iter().map(|x| 0.6 + x * 1e-3).collect();
            assert_eq!(found(&series), NONE, "{count}");
            // It thermalises.
            if count >= 50 {
                for (index, value) in series.iter_mut().enumerate() {
                    *value += 0.05 * (-(index as f64) / (count as f64)).exp();
                }
                assert_eq!(found(&series), NONE, "{count} with a drift");
            }
            series[count / 2] += 0.3;
            assert!(found(&series).contains(&(count / 2)), "{count} with an outlier");
        }
        assert_eq!(found(&[0.5; 10]), NONE);
        assert_eq!(found(&[0.5, 0.5, 0.5, 0.6, 0.5, 0.5]), [3]);
        assert_eq!(found(&[0.1, 0.9, 0.1, 0.9]), NONE);
    }

    #[test]
    fn the_approach_of_a_thermalisation_has_no_outliers() {
        for start in [1.0, 0.0] {
            for (steps, noise_of) in [(1.0, 1e-3), (3.0, 1e-3), (10.0, 1e-3), (30.0, 1e-4), (30.0, 1e-3)] {
                for count in [10, 12, 19, 20, 40, 100, 500] {
                    let approach = |index: usize| (start - 0.6) * (-(index as f64) / steps).exp();
                    let noise = noise(count);
                    let mut series: Vec<f64> =
                        (0..count).map(|index| 0.6 + approach(index) + noise_of * noise[index]).collect();
                    let about = format!("from {start}, {steps} steps, noise {noise_of}, {count} values");
                    assert_eq!(found(&series), NONE, "{about}");
                    if count >= 40 {
                        for at in [count / 2, count - 1] {
                            series[at] += 0.3;
                            assert!(found(&series).contains(&at), "{about}, {at}");
                            series[at] -= 0.3;
                        }
                    }
                }
            }
        }
        // Outliers on the way, and at the beginning.
        let mut series: Vec<f64> =
            (0..100).map(|index| 0.6 + 0.4 * (-f64::from(index) / 10.0).exp()).collect();
        for (value, noise) in series.iter_mut().zip(noise(100)) {
            *value += 1e-3 * noise;
        }
        for (at, by) in [(5, 0.2), (5, -0.1), (8, 0.3)] {
            let mut with = series.clone();
            with[at] += by;
            assert_eq!(found(&with), [at], "{at} {by}");
        }
        let mut series: Vec<f64> = noise(50).iter().map(|x| 0.6 + x * 1e-3).collect();
        series[0] = 1.0;
        assert_eq!(found(&series), [0]);
        // A block of another ensemble is no thermalisation.
        (0..5).for_each(|index| series[index] = 0.65);
        assert!(!found(&series).is_empty());
    }

    #[test]
    fn medians() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
    }
}
