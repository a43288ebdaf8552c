//! Appending to a file that has been read.

use super::decoder::Decoder;
use crate::field::Encoder;

/// Appending.
impl Encoder {
    /// An encoder that appends to what `decoder` has read. It knows the gauge fields and the logical file name of
    /// the file, and refuses additions that the rules do not allow. `None` if the decoder is not at the end of a
    /// record, padding included, if it is not known whether the last message is open, or if the file is one volume
    /// of a set.
    ///
    /// ```
    /// use linkstream::conformance::Decoder;
    /// use linkstream::field::{Encoder, OutgoingMessage};
    /// use linkstream::{Decode, Mode};
    /// # let file = linkstream_example::file();
    ///
    /// let mut decoder = Decoder::new(Mode::Lenient);
    /// let mut rest = &file[..];
    /// loop {
    ///     let step = decoder.push(rest)?;
    ///     rest = &rest[step.consumed..];
    ///     if step.event.is_none() {
    ///         break;
    ///     }
    /// }
    /// let mut encoder = Encoder::after(&decoder).ok_or("the file is not complete")?;
    /// assert_eq!(encoder.position(), file.len() as u64);
    /// encoder.begin(&OutgoingMessage::lfn("lfn://example/appended"), &mut [0; 512])?;
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn after(decoder: &Decoder) -> Option<Self> {
        Self::continuing(decoder, decoder.rules.inventory.clone())
    }
}
