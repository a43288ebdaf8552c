//! The message that an encoder has begun.

use super::emit::fingerprint;
use super::message::OutgoingMessage;
use crate::field::write_error::EncodeErrorKind;
use crate::state::saved;

/// A message that an encoder has begun. [`Encoder::begin`](crate::field::Encoder::begin) of this module or of
/// [`volume`](crate::volume) returns it, and `next` of the same encoder takes it.
///
/// It borrows the documents and texts of the message, so that they cannot change while the message is written. An encoder
/// compares a digest of them, which is computed once. To continue with a restored encoder, or when the message has been
/// given up in between, call `resume`, which compares the whole message with the one that was begun.
///
/// ```
/// use linkstream::field::{EncodeErrorKind, Encoder, OutgoingMessage, Want};
///
/// let message = OutgoingMessage::foreign(b"my-notes", b"any bytes");
/// let (mut encoder, mut scratch) = (Encoder::new(), [0; 512]);
/// let begun = encoder.begin(&message, &mut scratch)?;
/// assert!(matches!(encoder.next(&begun, &mut scratch)?, Want::Bytes(_)));
///
/// // Continue elsewhere, where the same message lies at another address.
/// let mut encoder = Encoder::load(&encoder.save())?;
/// let payload = b"any bytes".to_vec();
/// let begun = encoder.resume(&OutgoingMessage::foreign(b"my-notes", &payload), &mut scratch)?;
/// assert_eq!(encoder.next(&begun, &mut scratch)?, Want::Bytes(b"any bytes"));
/// let other = encoder.resume(&OutgoingMessage::foreign(b"my-notes", b"other text"), &mut scratch);
/// assert_eq!(other.err(), Some(EncodeErrorKind::MessageOther));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// A text that is modified while its message is written does not compile:
///
/// ```compile_fail,E0502
/// use linkstream::field::{Encoder, OutgoingMessage};
///
/// let (mut text, mut encoder, mut scratch) = (*b"any bytes", Encoder::new(), [0; 512]);
/// let begun = encoder.begin(&OutgoingMessage::foreign(b"my-notes", &text), &mut scratch)?;
/// text.fill(0);
/// encoder.next(&begun, &mut scratch)?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[must_use = "the message is not written: pass it to `next` until nothing is left"]
pub struct BegunMessage<'a> {
    pub(crate) message: OutgoingMessage<'a>,
    fingerprint: Fingerprint,
}

/// A digest that distinguishes a message from others: only the same message can be continued.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    value: u32,
}

saved!(struct Fingerprint { value });

/// Compares the digests.
impl PartialEq for BegunMessage<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
    }
}

impl Eq for BegunMessage<'_> {}

impl<'a> BegunMessage<'a> {
    /// Documents are written to `scratch` to be part of the digest.
    pub(crate) fn new(message: &OutgoingMessage<'a>, scratch: &mut [u8]) -> Result<Self, EncodeErrorKind> {
        let fingerprint = Fingerprint { value: fingerprint(message, scratch)? };
        Ok(Self { message: *message, fingerprint })
    }

    /// The message with this fingerprint.
    pub(crate) fn again(
        message: &OutgoingMessage<'a>,
        fingerprint: Fingerprint,
        scratch: &mut [u8],
    ) -> Result<Self, EncodeErrorKind> {
        let begun = Self::new(message, scratch)?;
        begun.check(fingerprint)?;
        Ok(begun)
    }

    pub(crate) const fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// Whether it is the message with this fingerprint.
    pub(crate) fn check(&self, fingerprint: Fingerprint) -> Result<(), EncodeErrorKind> {
        if self.fingerprint == fingerprint { Ok(()) } else { Err(EncodeErrorKind::MessageOther) }
    }
}
