//! Kinds of gauge fields: the values of the element `<field>` (ILDG 1.2, appendix A.1 and section 2.5.1).

use core::fmt;

use crate::counter::Counter as _;
use crate::state::saved;
use crate::xml::{self, Found};

/// The gauge group.
///
/// # Example
/// ```
/// use linkstream::ildg::{GaugeKind, Group};
///
/// assert_eq!(GaugeKind::SU3.group(), Group::Su);
/// assert_eq!(GaugeKind::parse(b"u1phase").map(GaugeKind::group), Some(Group::U1Phase));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Group {
    /// Unitary matrices of determinant 1.
    #[default]
    Su,
    /// Unitary matrices.
    U,
    /// Real orthogonal matrices of determinant 1.
    So,
    /// Unitary symplectic matrices.
    Sp,
    /// U(1), stored as the real phase of each link.
    U1Phase,
}

saved!(enum Group: Su, U, So, Sp, U1Phase);

/// The names of groups before the number of colors.
const GROUPS: [(&str, Group); 4] = [("su", Group::Su), ("so", Group::So), ("sp", Group::Sp), ("u", Group::U)];

/// A gauge group and its number of colors.
///
/// ```
/// use linkstream::ildg::{GaugeKind, Group};
///
/// let kind = GaugeKind::parse(b"su3gauge").ok_or("a kind of gauge field")?;
/// assert_eq!((kind.group(), kind.colors()), (Group::Su, 3));
/// assert_eq!(kind.reduced_rows(), Some(2));
/// assert!(GaugeKind::parse(b"su1gauge").is_none());
/// assert!(GaugeKind::parse(b"sp5gauge").is_none());
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct GaugeKind {
    group: Group,
    colors: u16,
}

saved!(struct GaugeKind { group, colors });

impl Default for GaugeKind {
    /// SU(3); also the default, which is assumed for files without an `ildg-format`.
    fn default() -> Self {
        Self::SU3
    }
}

impl GaugeKind {
    /// `su3gauge`.
    pub const SU3: Self = Self { group: Group::Su, colors: 3 };

    /// The kind with this name, such as `su3gauge`; `None` for names that the schema does not allow, and for more
    /// than 9999 colors.
    #[must_use]
    pub fn parse(name: &[u8]) -> Option<Self> {
        if name == b"u1phase" {
            return Some(Self { group: Group::U1Phase, colors: 1 });
        }
        let (group, digits) = GROUPS.iter().find_map(|(prefix, group)| {
            let digits = name.strip_prefix(prefix.as_bytes())?.strip_suffix(b"gauge")?;
            Some((*group, digits))
        })?;
        if digits.len() > 4 || digits.first() == Some(&b'0') {
            return None;
        }
        let mut colors = 0_u16;
        for digit in digits {
            if !digit.is_ascii_digit() {
                return None;
            }
            // At most 9999.
            colors = colors.times(10).plus(u16::from(digit & 0xf));
        }
        let allowed = match group {
            Group::U | Group::U1Phase => colors >= 1,
            Group::Su | Group::So => colors >= 2,
            Group::Sp => colors >= 4 && colors & 1 == 0,
        };
        allowed.then_some(Self { group, colors })
    }

    /// The group.
    #[must_use]
    pub const fn group(self) -> Group {
        self.group
    }

    /// N_c, the number of columns of a link.
    #[must_use]
    pub const fn colors(self) -> u16 {
        self.colors
    }

    /// The number of stored rows in reduced storage; `None` if the kind has no reduced storage.
    #[must_use]
    pub const fn reduced_rows(self) -> Option<u16> {
        match self.group {
            Group::Su | Group::So => self.colors.checked_sub(1),
            Group::Sp => Some(self.colors / 2),
            Group::U | Group::U1Phase => None,
        }
    }

    /// Whether the elements of links are real: one number each, instead of two.
    ///
    /// # Example
    /// ```
    /// use linkstream::ildg::GaugeKind;
    ///
    /// let orthogonal = GaugeKind::parse(b"so4gauge").ok_or("a kind of gauge field")?;
    /// assert!(orthogonal.is_real() && !GaugeKind::SU3.is_real());
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub const fn is_real(self) -> bool {
        matches!(self.group, Group::So | Group::U1Phase)
    }
}

impl xml::Value for GaugeKind {
    fn read(&mut self, text: &[u8]) -> Found {
        let Some(kind) = Self::parse(text) else { return Found::Value };
        *self = kind;
        Found::Nothing
    }
}

/// The name, as in the element `<field>`.
impl fmt::Display for GaugeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let group = match self.group {
            Group::Su => "su",
            Group::U => "u",
            Group::So => "so",
            Group::Sp => "sp",
            Group::U1Phase => return f.write_str("u1phase"),
        };
        write!(f, "{group}{}gauge", self.colors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn names_of_the_schema_and_no_others() {
        for name in [
            "su2gauge",
            "su10gauge",
            "so2gauge",
            "so100gauge",
            "sp4gauge",
            "sp10gauge",
            "u1phase",
            "u1gauge",
            "u12gauge",
        ] {
            assert_eq!(GaugeKind::parse(name.as_bytes()).unwrap().to_string(), name);
        }
        for name in [
            "su1gauge",
            "su0gauge",
            "so1gauge",
            "sp2gauge",
            "sp7gauge",
            "sp11gauge",
            "u0gauge",
            "u2phase",
            "su03gauge",
            "SU3gauge",
            "su3",
            "su3gauge ",
            "gauge",
            "",
            "su3g\u{e4}uge",
            "su99999gauge",
        ] {
            assert_eq!(GaugeKind::parse(name.as_bytes()), None, "{name}");
        }
    }
}
