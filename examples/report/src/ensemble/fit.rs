//! Values that most files of an ensemble share, and relations that hold for most of them.

use std::collections::BTreeMap;

/// A relation between the number in a name and a number in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// The other number is larger by this.
    Offset(i128),
    /// The other number is so many times as large.
    Times(u64),
    /// The number in the name is so many times as large.
    Part(u64),
}

impl Relation {
    /// True if it holds.
    #[must_use]
    pub fn holds(self, number: u64, other: u64) -> bool {
        match self {
            Self::Offset(offset) => i128::from(number).saturating_add(offset) == i128::from(other),
            Self::Times(factor) => number.checked_mul(factor) == Some(other),
            Self::Part(factor) => other.checked_mul(factor) == Some(number),
        }
    }

    /// The other number, by this relation.
    #[must_use]
    pub fn expected(self, number: u64) -> Option<u64> {
        match self {
            Self::Offset(offset) => u64::try_from(i128::from(number).checked_add(offset)?).ok(),
            Self::Times(factor) => number.checked_mul(factor),
            Self::Part(factor) => {
                (number.checked_rem(factor)? == 0).then(|| number.checked_div(factor)).flatten()
            }
        }
    }
}

/// The relation that holds for more than half of at least three pairs.
#[must_use]
pub fn relation(pairs: &[(u64, u64)]) -> Option<Relation> {
    if pairs.len() < 3 {
        return None;
    }
    let mut counts: BTreeMap<(u8, i128), (usize, Relation)> = BTreeMap::new();
    let mut add = |rank: u8, value: i128, relation: Relation| {
        let count = &mut counts.entry((rank, value)).or_insert((0, relation)).0;
        *count = count.saturating_add(1);
    };
    for (number, other) in pairs {
        let offset = i128::from(*other).saturating_sub((*number).into());
        add(0, offset, Relation::Offset(offset));
        if let Some(factor) = other
            .checked_div(*number)
            .filter(|factor| *factor > 1 && factor.checked_mul(*number) == Some(*other))
        {
            add(1, factor.into(), Relation::Times(factor));
        }
        if let Some(factor) = number
            .checked_div(*other)
            .filter(|factor| *factor > 1 && factor.checked_mul(*other) == Some(*number))
        {
            add(2, factor.into(), Relation::Part(factor));
        }
    }
    // 0 is 0 times anything.
    let zeros = pairs.iter().filter(|pair| **pair == (0, 0)).count();
    let holds = |(count, relation): &(usize, Relation)| match relation {
        Relation::Offset(_) => *count,
        Relation::Times(_) | Relation::Part(_) => count.saturating_add(zeros),
    };
    let best = counts.into_values().max_by_key(holds)?;
    (holds(&best).saturating_mul(2) > pairs.len()).then_some(best.1)
}

/// Another value, and the indices of its files.
pub type Other = (Option<String>, Vec<usize>);

/// The most common value, and the others with the indices of their files. A file without a value is another one if most have
/// a value. `None` if no two differ.
#[must_use]
pub fn others(values: &[Option<String>]) -> Option<(String, Vec<Other>)> {
    let mut indices: BTreeMap<&Option<String>, Vec<usize>> = BTreeMap::new();
    for (index, value) in values.iter().enumerate() {
        indices.entry(value).or_default().push(index);
    }
    let known = indices.iter().filter(|(value, _)| value.is_some());
    let (usual, most) =
        known.max_by_key(|(_, of)| of.len()).map(|(value, of)| ((*value).clone(), of.len()))?;
    let rest = indices.into_iter().filter(|(value, of)| {
        **value != usual && (value.is_some() || most.saturating_mul(2) > values.len() && of.len() < most)
    });
    let rest: Vec<_> = rest.map(|(value, of)| (value.clone(), of)).collect();
    if rest.is_empty() { None } else { Some((usual?, rest)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_differ_by_a_constant_or_a_factor() {
        let of = |pairs: &[(u64, u64)]| relation(pairs);
        assert_eq!(of(&[(1, 1), (2, 2), (3, 4)]), Some(Relation::Offset(0)));
        assert_eq!(of(&[(1, 101), (2, 102), (3, 103)]), Some(Relation::Offset(100)));
        assert_eq!(of(&[(0, 0), (1, 10), (2, 20), (3, 31)]), Some(Relation::Times(10)));
        assert_eq!(of(&[(10, 1), (20, 2), (30, 3)]), Some(Relation::Part(10)));
        assert_eq!(of(&[(1, 5), (2, 9), (3, 1), (4, 3)]), None);
        assert_eq!(of(&[(1, 1), (2, 2)]), None);
        assert_eq!(Relation::Part(10).expected(25), None);
        assert_eq!(Relation::Offset(-5).expected(3), None);
        assert_eq!(of(&[(u64::MAX, 0), (u64::MAX, 1), (0, u64::MAX)]), None);
        assert_eq!(of(&[(0, 0), (7, 0), (5, 10), (9, 1)]), None);
        // 0 counts, although it is 0 times anything.
        assert_eq!(of(&[(0, 0), (0, 0), (5, 10), (6, 12), (9, 7)]), Some(Relation::Times(2)));
    }

    #[test]
    fn the_odd_one_is_found() {
        let of = |values: &[Option<&str>]| {
            let values: Vec<Option<String>> = values.iter().map(|value| value.map(str::to_owned)).collect();
            others(&values)
        };
        assert_eq!(of(&[Some("a"), Some("a")]), None);
        assert_eq!(of(&[None, None]), None);
        let (usual, rest) = of(&[Some("a"), Some("b"), Some("a"), None]).expect("another");
        assert_eq!((usual.as_str(), rest), ("a", vec![(Some("b".to_owned()), vec![1])]));
        let (_, rest) = of(&[Some("a"), Some("a"), Some("a"), None]).expect("another");
        assert_eq!(rest, [(None, vec![3])]);
    }
}
