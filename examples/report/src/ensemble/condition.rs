//! Conditions on files: `precision == 64 and (beta == 6.3 or header:ENSEMBLE_ID != 'test')`.

use super::columns::{Value, by_name};
use super::entry::Entry;

/// Maximum depth of parentheses and `not`.
const DEEPEST: usize = 64;

/// A condition of `--where`.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
    Not(Box<Self>),
    Compare(Operand, Comparison, Operand),
    /// The file has such a value.
    Has(String),
}

/// A side of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    Name(String),
    Constant(Value),
}

/// A comparison of values: as numbers if both are numbers, else as texts. Names and sums are texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// Reason why a text is no condition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("at character {at} of the condition: {what}")]
pub struct ConditionError {
    /// Counted from 1.
    pub at: usize,
    pub what: &'static str,
}

impl Condition {
    /// True if it holds for the file. A comparison with a value that the file does not have does not hold.
    #[must_use]
    pub fn holds(&self, entry: &Entry) -> bool {
        match self {
            Self::And(a, b) => a.holds(entry) && b.holds(entry),
            Self::Or(a, b) => a.holds(entry) || b.holds(entry),
            Self::Not(of) => !of.holds(entry),
            Self::Has(name) => by_name(entry, name).is_some(),
            Self::Compare(a, how, b) => {
                let of = |operand: &Operand| match operand {
                    Operand::Name(name) => by_name(entry, name),
                    Operand::Constant(value) => Some(value.clone()),
                };
                of(a).zip(of(b)).is_some_and(|(a, b)| how.holds(&a, &b))
            }
        }
    }

    /// The names of values in the condition.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        match self {
            Self::And(a, b) | Self::Or(a, b) => [a.names(), b.names()].concat(),
            Self::Not(of) => of.names(),
            Self::Has(name) => vec![name],
            Self::Compare(a, _, b) => [a, b].into_iter().filter_map(Operand::name).collect(),
        }
    }
}

impl Operand {
    fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            Self::Constant(_) => None,
        }
    }
}

impl Comparison {
    fn holds(self, a: &Value, b: &Value) -> bool {
        let whole = a.integer().zip(b.integer()).map(|(a, b)| a.cmp(&b));
        let order = whole.or_else(|| match (a.number(), b.number()) {
            (Some(a), Some(b)) => a.partial_cmp(&b),
            _ => Some(a.text().cmp(&b.text())),
        });
        order.is_some_and(|order| match self {
            Self::Equal => order.is_eq(),
            Self::Unequal => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
        })
    }
}

impl std::str::FromStr for Condition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let mut parser = Parser { rest: text, text };
        let condition = parser.any(0)?;
        parser.rest = parser.rest.trim_start();
        if parser.rest.is_empty() {
            Ok(condition)
        } else {
            Err(parser.error("the end, 'and' or 'or' is expected"))
        }
    }
}

struct Parser<'t> {
    rest: &'t str,
    text: &'t str,
}

impl<'t> Parser<'t> {
    fn error(&self, what: &'static str) -> ConditionError {
        let read = self.text.len().saturating_sub(self.rest.len());
        let at = self.text.get(..read).unwrap_or_default().chars().count().saturating_add(1);
        ConditionError { at, what }
    }

    /// Takes a sign.
    fn sign(&mut self, sign: &str) -> bool {
        self.rest = self.rest.trim_start();
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Takes a word of the language.
    fn keyword(&mut self, keyword: &str) -> bool {
        self.rest = self.rest.trim_start();
        let rest = self.rest.strip_prefix(keyword).filter(|rest| !rest.starts_with(is_of_word));
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn any(&mut self, depth: usize) -> Result<Condition, ConditionError> {
        let mut condition = self.all(depth)?;
        while self.keyword("or") {
            condition = Condition::Or(Box::new(condition), Box::new(self.all(depth)?));
        }
        Ok(condition)
    }

    fn all(&mut self, depth: usize) -> Result<Condition, ConditionError> {
        let mut condition = self.one(depth)?;
        while self.keyword("and") {
            condition = Condition::And(Box::new(condition), Box::new(self.one(depth)?));
        }
        Ok(condition)
    }

    fn one(&mut self, depth: usize) -> Result<Condition, ConditionError> {
        if depth > DEEPEST {
            return Err(self.error("the condition is nested too deeply"));
        }
        if self.keyword("not") {
            return Ok(Condition::Not(Box::new(self.one(depth.saturating_add(1))?)));
        }
        if self.sign("(") {
            let condition = self.any(depth.saturating_add(1))?;
            return if self.sign(")") { Ok(condition) } else { Err(self.error("a ')' is missing")) };
        }
        let left = self.operand()?;
        let comparisons = [
            ("==", Comparison::Equal),
            ("!=", Comparison::Unequal),
            ("<=", Comparison::LessOrEqual),
            (">=", Comparison::GreaterOrEqual),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
        ];
        match comparisons.into_iter().find(|(sign, _)| self.sign(sign)) {
            Some((_, how)) => Ok(Condition::Compare(left, how, self.operand()?)),
            None if self.rest.starts_with('=') => Err(self.error("= is not a comparison; equality is ==")),
            None => match left {
                Operand::Name(name) => Ok(Condition::Has(name)),
                Operand::Constant(_) => Err(self.error("one of == != < <= > >= is expected")),
            },
        }
    }

    fn operand(&mut self) -> Result<Operand, ConditionError> {
        self.rest = self.rest.trim_start();
        for quote in ['\'', '"'] {
            if let Some(rest) = self.rest.strip_prefix(quote) {
                let (text, rest) =
                    rest.split_once(quote).ok_or_else(|| self.error("the quote has no end"))?;
                self.rest = rest;
                return Ok(Operand::Constant(Value::Text(text.to_owned())));
            }
        }
        let end = self.rest.find(|c| !is_of_word(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        if word.is_empty() || ["and", "or", "not"].contains(&word) {
            return Err(self.error("a name, a number or a quoted text is expected"));
        }
        let begins_like_number =
            word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'));
        let number = word.parse::<f64>().ok().filter(|_| begins_like_number);
        if number.is_some_and(|number| !number.is_finite()) {
            return Err(self.error("a finite number is expected"));
        }
        self.rest = rest;
        // A number is kept as it is written: it may be compared with a sum, such as 00e12345.
        Ok(if number.is_some() {
            Operand::Constant(Value::Text(word.to_owned()))
        } else {
            Operand::Name(word.to_owned())
        })
    }
}

/// True for characters of names and numbers.
fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | ':' | '/' | '@' | '.' | '-' | '+')
}

#[cfg(test)]
mod tests {
    use super::super::entry::{Field, Verdict};
    use super::super::name::Name;
    use super::super::stamp::Stamp;
    use super::*;

    fn entry() -> Entry {
        let name = Name::new(b"lat.1".to_vec()).expect("a name");
        let mut entry = Entry::new(name, 5, Stamp::EPOCH, Verdict::Ok);
        entry.fields.push(Field { precision: Some(64), plaquette: Some(0.5), ..Field::default() });
        entry.xml.insert("beta".to_owned(), "6.30".to_owned());
        entry.header.insert("ENSEMBLE_ID".to_owned(), "x y".to_owned());
        entry.header.insert("run".to_owned(), "9007199254740993".to_owned());
        let sums = [("suma", "00e12345"), ("sumb", "12345678")];
        entry.fields[0].checksums = sums.map(|(name, sum)| (name.to_owned(), sum.to_owned())).into();
        entry
    }

    #[test]
    fn conditions_hold_or_not() {
        let entry = entry();
        let holds = |text: &str| text.parse::<Condition>().expect(text).holds(&entry);
        for text in [
            "precision == 64 and beta == 6.3",
            "beta=='6.3'",
            "xml:beta < 7 and not beta >= 7",
            "header:ENSEMBLE_ID == 'x y' and ENSEMBLE_ID == \"x y\"",
            "verdict == 'ok' and file != 'a'",
            "precision == 32 or (precision == 64)",
            "plaquette > -1e3 and plaquette <= .5",
            "beta and not gamma",
            "not (nothing == 1 or nothing != 1)",
            "precision == 32 and beta == 1 or verdict == 'ok'",
            "run == 9007199254740993 and run > 9007199254740992 and run < 9007199254740993.5e1",
            "suma == '00e12345' and suma == 00e12345 and sumb == 12345678 and suma != 0",
        ] {
            assert!(holds(text), "{text}");
        }
        for text in [
            "precision == 32",
            "nothing != 5",
            "beta > 6.3",
            "notbeta",
            "precision == 64 and nothing",
            "run == 9007199254740992",
            "suma == '00e99999'",
            "suma == 0",
            "sumb == '12345678.0'",
        ] {
            assert!(!holds(text), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused_with_the_place() {
        for (text, at) in [
            ("", 1),
            ("a ==", 5),
            ("a == 1 b", 8),
            ("(a == 1", 8),
            ("5", 2),
            ("a = 5", 3),
            ("a == 'b", 6),
            ("and", 1),
            ("a and or b", 7),
            ("ä == §", 6),
            ("a < 1e999", 5),
            ("-inf < a", 1),
        ] {
            assert_eq!(text.parse::<Condition>().expect_err(text).at, at, "{text}");
        }
        assert!("(".repeat(100_000).parse::<Condition>().is_err());
        assert!("not ".repeat(100_000).parse::<Condition>().is_err());
    }
}
