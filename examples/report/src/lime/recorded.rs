//! An observable that a text of a file records, together with the one computed from the data.

use linkstream_access::recorded::{Printed, shown_like};

use super::note::{Note, Noted};

/// A quantity as recorded, and as computed from the data.
#[derive(Debug, Clone)]
pub struct Recorded {
    pub note: Note,
    /// Type and offset of the record with the text.
    pub record_type: String,
    pub offset: u64,
    /// `None` if it was not computed.
    pub computed: Option<Computed>,
}

/// A value computed from the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Computed {
    Number {
        value: f64,
        /// Largest difference in the value that the rounding of stored links explains.
        rounding: f64,
    },
    Sum(u32),
}

impl Recorded {
    /// True if both values agree within the printed digits and rounding; `None` if nothing was computed.
    pub fn agrees(&self) -> Option<bool> {
        self.compared(Printed::agrees)
    }

    /// True if the data contradict the recorded value even if a program computed it in single precision.
    pub fn is_contradicted(&self) -> bool {
        self.compared(|printed, computed, rounding| !printed.is_contradicted(computed, rounding))
            == Some(false)
    }

    /// The comparison of both values: of numbers by `agree`, which is called with the computed value and its rounding.
    fn compared(&self, agree: impl Fn(&Printed, f64, f64) -> bool) -> Option<bool> {
        Some(match (self.note.value, self.computed?) {
            (Noted::Number { value, unit }, Computed::Number { value: computed, rounding }) => {
                agree(&Printed { value, unit }, computed, rounding)
            }
            (Noted::Sum(sum), Computed::Sum(computed)) => sum == computed,
            _ => false,
        })
    }
}

impl Computed {
    /// The value in the format of `text`, which is the recorded one.
    pub fn shown(self, text: &str) -> String {
        match self {
            Self::Number { value, .. } => shown_like(text, value),
            Self::Sum(sum) => format!("{sum:x} ({sum} in decimal)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lime::note::Quantity;
    use crate::lime::notes;

    fn recorded(text: &str, computed: f64) -> Option<bool> {
        let value = notes::number(text).unwrap();
        let note = Note { quantity: Quantity::Plaquette, value, text: text.to_owned() };
        let computed = Some(Computed::Number { value: computed, rounding: 1e-12 });
        Recorded { note, record_type: "xlf-info".to_owned(), offset: 0, computed }.agrees()
    }

    #[test]
    fn large_values_are_shown_with_an_exponent() {
        let shown = |value: f64| Computed::Number { value, rounding: 0.0 }.shown("0.5");
        assert_eq!(shown(-3.052_447_378_713_4e139), "-3.052447379e139");
        assert_eq!(
            [shown(0.25), shown(999_999.0), shown(1e6)],
            ["0.250000000", "999999.000000000", "1.000000000e6"]
        );
    }

    #[test]
    fn numbers_are_compared_as_exactly_as_they_are_printed() {
        assert_eq!(recorded("0.5956", 0.595_67), Some(true));
        assert_eq!(recorded("0.5956", 0.595_78), Some(false));
        assert_eq!(recorded("5.956709e-01", 0.595_670_9), Some(true));
        assert_eq!(recorded("5.956709e-01", 0.595_671_2), Some(false));
        assert_eq!(recorded("-1", -0.5), Some(true));
        assert_eq!(recorded("0.5", f64::NAN), Some(false));
    }
}
