//! The budget: the maximum of every figure, read from `examples/firmware/budget.toml`.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context as _, Result};
use serde::Deserialize;

use crate::toolchain::firmware;

/// Figures by group and name.
pub type Figures = BTreeMap<String, BTreeMap<String, f64>>;

#[derive(Deserialize)]
#[serde(transparent)]
pub struct Budget(Figures);

impl Budget {
    pub fn read() -> Result<Self> {
        let path = firmware().join("budget.toml");
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        toml::from_str(&text).with_context(|| path.display().to_string())
    }

    /// A message for each figure that exceeds its budget or has none, and for each budget without a figure.
    pub fn complaints(&self, measured: &Figures) -> Vec<String> {
        let mut complaints = Vec::new();
        for (group, figures) in measured {
            for (name, figure) in figures {
                match self.0.get(group).and_then(|limits| limits.get(name)) {
                    Some(limit) if figure <= limit => {}
                    Some(limit) => {
                        complaints.push(format!("{group}, {name}: {figure}, but the budget is {limit}"))
                    }
                    None => complaints.push(format!("{group}, {name}: {figure}, and no budget")),
                }
            }
        }
        for (group, limits) in &self.0 {
            for name in limits.keys() {
                if !measured.get(group).is_some_and(|figures| figures.contains_key(name)) {
                    complaints.push(format!("{group}, {name}: has a budget, but was not measured"));
                }
            }
        }
        complaints
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
    fn every_figure_needs_a_budget_and_keeps_to_it() {
        let budget: Budget = toml::from_str("[flash]\n\"lime::Decoder\" = 100\ngone = 1").unwrap();
        let complaints =
            budget.complaints(&figures(&[("flash", "lime::Decoder", 101.0), ("stack", "verify", 1.0)]));
        assert_eq!(
            complaints,
            [
                "flash, lime::Decoder: 101, but the budget is 100",
                "stack, verify: 1, and no budget",
                "flash, gone: has a budget, but was not measured",
            ]
        );
        let within =
            budget.complaints(&figures(&[("flash", "lime::Decoder", 100.0), ("flash", "gone", 0.5)]));
        assert!(within.is_empty());
    }
}
