//! The message that an encoder has begun.

use super::emit::fingerprint;
use super::identity::Identity;
use super::message::OutgoingMessage;
use crate::field::write_error::EncodeErrorKind;
use crate::state::saved;

/// What distinguishes it from others: only the same message can be continued.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Begun {
    fingerprint: u32,
    /// The message that was last found to have it.
    checked: Identity,
}

saved!(struct Begun { fingerprint } skipping { checked });

impl Begun {
    /// Documents are written to `scratch` to be compared.
    pub(crate) fn of(message: &OutgoingMessage<'_>, scratch: &mut [u8]) -> Result<Self, EncodeErrorKind> {
        Ok(Self { fingerprint: fingerprint(message, scratch)?, checked: Identity::of(message) })
    }

    /// Whether `message` is the one that was begun. Its content is compared when it is not the one that was passed
    /// before: after a state has been restored, or when its parts lie elsewhere.
    pub(crate) fn check(
        &mut self,
        message: &OutgoingMessage<'_>,
        scratch: &mut [u8],
    ) -> Result<(), EncodeErrorKind> {
        let identity = Identity::of(message);
        if self.checked.is(identity) {
            return Ok(());
        }
        if fingerprint(message, scratch)? != self.fingerprint {
            return Err(EncodeErrorKind::MessageOther);
        }
        self.checked = identity;
        Ok(())
    }
}
