//! Options that are given either once for all records or once for each.

use crate::human::counted;

/// The values of one option.
pub struct Each<'v, T> {
    /// Name of the option, for messages.
    pub option: &'static str,
    pub values: &'v [T],
}

impl<'v, T> Each<'v, T> {
    /// The value for the record with this number, counted from 0.
    pub fn get(&self, number: usize) -> anyhow::Result<Option<&'v T>> {
        match self.values {
            [] => Ok(None),
            [all] => Ok(Some(all)),
            values => {
                let value = values.get(number);
                if value.is_none() {
                    anyhow::bail!(
                        "{} is given {} times, but there are more records",
                        self.option,
                        values.len()
                    );
                }
                Ok(value)
            }
        }
    }

    /// Checks that several values are as many as the records.
    pub fn check(&self, records: usize) -> anyhow::Result<()> {
        match self.values.len() {
            0 | 1 => Ok(()),
            given if given == records => Ok(()),
            given => {
                let are = if records == 1 { "is" } else { "are" };
                let records = counted(records, "record", "records");
                anyhow::bail!("{} is given {given} times, but there {are} {records}", self.option)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_for_all_or_for_each() {
        let each = |values| Each { option: "--x", values };
        assert_eq!(each(&[]).get(5).expect("no value is needed"), None::<&u8>);
        assert_eq!(each(&[7]).get(5).expect("one value for all records"), Some(&7));
        assert_eq!(each(&[7, 8]).get(1).expect("one value per record"), Some(&8));
        assert!(each(&[7, 8]).get(2).is_err());
        assert!(each(&[7, 8]).check(2).is_ok() && each(&[7]).check(0).is_ok());
        assert!(each(&[7, 8]).check(3).is_err() && each(&[7, 8]).check(1).is_err());
    }
}
