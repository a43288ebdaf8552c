//! The basis of all rules, for help texts.

use super::answer::Evidence;
use super::rules;

/// A sentence with the number of rules for each kind of evidence.
pub fn basis() -> String {
    let count = |kind| rules::evidence().filter(|evidence| *evidence == kind).count();
    let [read, inferred, run] = [Evidence::Read, Evidence::Inferred, Evidence::Run].map(count);
    format!(
        "The rules are derived from the sources of the programs: {read} read there, {inferred} inferred and not tried, \
         {run} observed when a program ran."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_counted_once() {
        let numbers: usize = basis()
            .split(|character: char| !character.is_ascii_digit())
            .filter_map(|number| number.parse::<usize>().ok())
            .sum();
        assert_eq!(numbers, rules::evidence().count());
        // A rule about several formats is in several of the tables that are evaluated.
        let evaluated = rules::before_all().chain(rules::all()).count()
            + rules::before_archives().chain(rules::of_nersc()).chain(rules::of_milc()).count();
        assert!(numbers > 100 && numbers < evaluated, "{numbers} of {evaluated}");
    }
}
