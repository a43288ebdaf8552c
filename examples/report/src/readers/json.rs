//! Answers in JSON.

use serde_json::{Value, json};

use super::answer::{Answer, Reason};

/// An entry of `readers`.
pub fn answer(answer: &Answer) -> Value {
    json!({
        "program": answer.program.key(),
        "version": answer.program.version(),
        "answer": answer.effect.as_str(),
        "reasons": answer.reasons.iter().map(reason).collect::<Vec<_>>(),
    })
}

fn reason(reason: &Reason) -> Value {
    json!({
        "effect": reason.effect.as_str(),
        "offset": reason.offset,
        "message": reason.why,
        "remedy": reason.remedy,
        "source": reason.source,
        "evidence": reason.evidence.as_str(),
    })
}
