//! The budget: the maximum of every figure, read from a file `budget.toml`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Deserialize;

/// Figures by group and name.
pub type Figures = BTreeMap<String, BTreeMap<String, f64>>;

#[derive(Deserialize)]
#[serde(transparent)]
pub struct Budget(Figures);

impl Budget {
    /// Reads the budget of the programs in this directory.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join("budget.toml");
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        toml::from_str(&text).with_context(|| path.display().to_string())
    }

    /// The limits of one group whose names end in `end`.
    pub fn of_group(&self, group: &str, end: &str) -> Self {
        let mut limits = self.0.get(group).cloned().unwrap_or_default();
        limits.retain(|name, _| name.ends_with(end));
        Self(Figures::from([(group.to_owned(), limits)]))
    }

    /// Returns a message for each figure that exceeds its budget or has none, and for each budget without a figure.
    pub fn violations(&self, measured: &Figures) -> Vec<String> {
        let mut violations = Vec::new();
        for (group, figures) in measured {
            for (name, figure) in figures {
                match self.0.get(group).and_then(|limits| limits.get(name)) {
                    Some(limit) if figure <= limit => {}
                    Some(limit) => {
                        violations.push(format!("{group}, {name}: {figure} exceeds the budget of {limit}"))
                    }
                    None => violations.push(format!("{group}, {name}: {figure} has no budget")),
                }
            }
        }
        for (group, limits) in &self.0 {
            for name in limits.keys() {
                if !measured.get(group).is_some_and(|figures| figures.contains_key(name)) {
                    violations.push(format!("{group}, {name}: there is a budget, but no measurement"));
                }
            }
        }
        violations
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(entries: &[(&str, &str, f64)]) -> Figures {
        let mut figures = Figures::new();
        for (group, name, figure) in entries {
            figures.entry((*group).to_owned()).or_default().insert((*name).to_owned(), *figure);
        }
        figures
    }

    #[test]
    fn every_figure_has_a_budget_and_is_within_it() {
        let budget: Budget = toml::from_str("[flash]\n\"lime::Decoder\" = 100\ngone = 1").unwrap();
        let violations =
            budget.violations(&figures(&[("flash", "lime::Decoder", 101.0), ("stack", "verify", 1.0)]));
        assert_eq!(
            violations,
            [
                "flash, lime::Decoder: 101 exceeds the budget of 100",
                "stack, verify: 1 has no budget",
                "flash, gone: there is a budget, but no measurement",
            ]
        );
        let within =
            budget.violations(&figures(&[("flash", "lime::Decoder", 100.0), ("flash", "gone", 0.5)]));
        assert!(within.is_empty());
    }
}
