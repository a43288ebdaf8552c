//! The node's report on a file.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub verdict: String,
    figures: BTreeMap<String, u64>,
}

impl Report {
    pub fn parse(text: &[u8]) -> Result<Self> {
        let text = std::str::from_utf8(text)?;
        let (verdict, figures) = text.split_once('\n').context("the report has one line only")?;
        let figures = figures
            .split_whitespace()
            .map(|figure| {
                let (name, value) =
                    figure.split_once('=').with_context(|| format!("{figure:?} is no figure"))?;
                Ok((name.to_owned(), value.parse()?))
            })
            .collect::<Result<_>>()?;
        Ok(Self { verdict: verdict.to_owned(), figures })
    }

    pub fn figure(&self, name: &str) -> Result<u64> {
        self.figures.get(name).copied().with_context(|| format!("the report has no figure {name}"))
    }
}
