//! The explanations of rules, as the command `explain` has them.

use linkstream_report::explain::{Explanation, groups};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The format, and the explanation of each of its rules, as dictionaries with the keys of `linkstream explain --json`.
#[pyfunction]
pub fn explanations<'py>(py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let rules = groups().into_iter().flat_map(|group| {
        let title = group.title;
        group.rules.into_iter().map(move |rule| (title, rule))
    });
    rules.map(|(format, rule)| explanation(py, format, &rule)).collect()
}

fn explanation<'py>(py: Python<'py>, format: &str, rule: &Explanation) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("rule", rule.rule)?;
    dict.set_item("format", format)?;
    dict.set_item("severity", rule.severity())?;
    dict.set_item("meaning", rule.meaning)?;
    dict.set_item("causes", rule.causes)?;
    dict.set_item("remedy", rule.remedy)?;
    let mut cases = Vec::new();
    for case in &rule.cases {
        let of_case = PyDict::new(py);
        of_case.set_item("severity", case.severity)?;
        of_case.set_item("class", case.class.as_str())?;
        of_case.set_item("clause", Some(case.clause).filter(|clause| !clause.is_empty()))?;
        of_case.set_item("message", &case.message)?;
        cases.push(of_case);
    }
    dict.set_item("cases", cases)?;
    Ok(dict)
}
