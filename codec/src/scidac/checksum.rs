//! `scidac-checksum`: the checksum that the writer computed (QIO 2.3, section 2.1.1).

use crate::error::Error;
use crate::lattice::Checksum;
use crate::state::saved;
use crate::xml::{
    self, Document, ElementName, EmitError, Emitter, ErrorKind, Problems, Schema, Seen, Slot, Spacing, Text,
};

/// The document `scidacChecksum`, version 1.0.
///
/// QIO omits both sums if either is zero, so a missing sum is not an error. Sums are hexadecimal numbers of up to 32
/// bits: either case, leading zeros and `0x` are accepted. [`Checksum`] computes them.
///
/// ```
/// use linkstream::lattice::Checksum;
/// use linkstream::scidac::StoredChecksum;
///
/// let stored = StoredChecksum::parse(
///     b"<scidacChecksum><version>1.0</version><suma>2a</suma><sumb>0x4FDED841</sumb></scidacChecksum>",
/// )?;
/// assert_eq!(stored.checksum(), Some(Checksum { suma: 0x2a, sumb: 0x4fde_d841 }));
/// # Ok::<(), linkstream::Error<linkstream::xml::ErrorKind>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StoredChecksum {
    version: Text<8>,
    sums: Checksum,
    seen: Seen,
}

saved!(struct StoredChecksum { version, sums, seen });

impl StoredChecksum {
    /// The state before a document is read.
    pub(crate) const EMPTY: Self =
        Self { version: Text::new(), sums: Checksum { suma: 0, sumb: 0 }, seen: Seen::NONE };

    const SCHEMA: &Schema = &Schema {
        root: "scidacChecksum",
        elements: Seen::of(&[ElementName::Version, ElementName::Suma, ElementName::Sumb]),
        // Not the sums: QIO omits both if one of them is zero.
        required: Seen::of(&[ElementName::Version]),
        latest: b'0',
        namespaced: false,
    };

    /// A document with these sums, which are stored even if they are zero.
    #[must_use]
    pub fn new(sums: Checksum) -> Self {
        Self { version: Text::fixed("1.0"), sums, seen: Self::SCHEMA.elements }
    }

    /// Reads a document from a slice that contains all of it.
    ///
    /// # Errors
    /// The first broken rule above [`Severity::Info`](crate::Severity::Info), so warnings as well. Its offset is
    /// counted from the first byte of the document.
    pub fn parse(document: &[u8]) -> Result<Self, Error<ErrorKind>> {
        xml::read(document)
    }

    /// Writes the document; [`Spacing::Line`] is as QIO does, with a terminating NUL. Returns its length in bytes.
    /// Unlike QIO, it also writes sums that are zero. Missing sums remain missing.
    ///
    /// # Errors
    /// The buffer is too small, or a text contains characters that readers would not see unchanged.
    ///
    /// # Example
    /// ```
    /// use linkstream::lattice::Checksum;
    /// use linkstream::scidac::StoredChecksum;
    /// use linkstream::xml::Spacing;
    ///
    /// let stored = StoredChecksum::new(Checksum { suma: 0xab, sumb: 0x1c });
    /// assert_eq!((stored.suma(), stored.sumb()), (Some(0xab), Some(0x1c)));
    /// let mut buffer = [0; 256];
    /// let length = stored.emit(Spacing::Lines, &mut buffer)?;
    /// assert_eq!(StoredChecksum::parse(&buffer[..length])?.checksum(), stored.checksum());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn emit(&self, spacing: Spacing, buffer: &mut [u8]) -> Result<usize, EmitError> {
        let mut emitter = Emitter::new(buffer, spacing, Self::SCHEMA.root, &[]);
        emitter.text(ElementName::Version, &self.version);
        for (element, sum) in [(ElementName::Suma, self.suma()), (ElementName::Sumb, self.sumb())] {
            if let Some(sum) = sum {
                emitter.sum(element, sum);
            }
        }
        emitter.finish(Self::SCHEMA.root)
    }

    /// The first sum, if it is stored.
    #[must_use]
    pub fn suma(&self) -> Option<u32> {
        self.seen.contains(ElementName::Suma).then_some(self.sums.suma)
    }

    /// The second sum, if it is stored.
    #[must_use]
    pub fn sumb(&self) -> Option<u32> {
        self.seen.contains(ElementName::Sumb).then_some(self.sums.sumb)
    }

    /// The checksum, if both sums are stored.
    #[must_use]
    pub fn checksum(&self) -> Option<Checksum> {
        Some(Checksum { suma: self.suma()?, sumb: self.sumb()? })
    }
}

impl Document for StoredChecksum {
    fn schema(&self) -> &'static Schema {
        Self::SCHEMA
    }

    fn seen(&mut self) -> &mut Seen {
        &mut self.seen
    }

    fn slot(&mut self, element: ElementName) -> Option<Slot<'_>> {
        Some(match element {
            ElementName::Suma => Slot::Hexadecimal(&mut self.sums.suma),
            ElementName::Sumb => Slot::Hexadecimal(&mut self.sums.sumb),
            ElementName::Version => Slot::Text { to: self.version.place(), cut: false },
            _ => return None,
        })
    }

    fn problems(&self) -> Problems {
        Problems::of(Self::SCHEMA, self.version.as_bytes(), self.seen)
    }
}
