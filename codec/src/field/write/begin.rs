//! Beginning a message: it is judged as a whole before a byte of it is written.

use super::begun::BegunMessage;
use super::emit::check_documents;
use super::encoder::{Encoder, Phase};
use super::message::{OutgoingMessage, Part};
use crate::counter::Counter as _;
use crate::field::digest::Digest;
use crate::field::inventory::Inventory;
use crate::field::layout::Field;
use crate::field::write_error::EncodeErrorKind;
use crate::lattice::Extents;
use crate::lime::Header;

impl Encoder {
    /// Begins a message, which is then passed to [`next`](Self::next). Its documents are written to `scratch` as a check; it must hold the longest of them. 512
    /// bytes are enough unless dates or data types are very long.
    ///
    /// # Errors
    /// The message is invalid, or not allowed in this file; see [`EncodeErrorKind`].
    pub fn begin<'m>(
        &mut self,
        message: &OutgoingMessage<'m>,
        scratch: &mut [u8],
    ) -> Result<BegunMessage<'m>, EncodeErrorKind> {
        if self.phase != Phase::Idle {
            return Err(EncodeErrorKind::MessageOpen);
        }
        message.check_parts()?;
        let first = message.next(None).ok_or(EncodeErrorKind::MessageInvalid)?;
        message.check_texts()?;
        if let Some((record_type, _)) = message.foreign {
            if !Part::Foreign.has_type(record_type) {
                return Err(EncodeErrorKind::MessageInvalid);
            }
            Header::new(record_type, 0, true, true)?;
        }
        let extents = message.lattice(self.extents)?;
        check_documents(message)?;
        let begun = BegunMessage::new(message, scratch)?;
        if message.has_data() {
            let field = message.layout(self.extents)?;
            let length = field.data_length().ok_or(EncodeErrorKind::DataOverflow)?;
            // Documents and headers are shorter than this by far.
            length
                .checked_add(self.lime.position())
                .and_then(|end| end.checked_add(1 << 32))
                .ok_or(EncodeErrorKind::DataOverflow)?;
        }
        admit(&mut self.inventory, message)?;
        self.extents = extents;
        self.part = first;
        self.phase = Phase::Header;
        self.data = None;
        self.begun = begun.fingerprint();
        if !self.lime.message_is_open() {
            self.message.increase(1);
            self.number = 0;
        }
        Ok(begun)
    }

    /// Continues the message that was begun: with a restored encoder, or in another function. All of the message is
    /// compared. `scratch` is needed as for [`begin`](Self::begin).
    ///
    /// # Errors
    /// [`EncodeErrorKind::MessageOther`]; [`EncodeErrorKind::NoData`] if no message is open; the buffer is too small.
    pub fn resume<'m>(
        &self,
        message: &OutgoingMessage<'m>,
        scratch: &mut [u8],
    ) -> Result<BegunMessage<'m>, EncodeErrorKind> {
        if self.phase == Phase::Idle {
            return Err(EncodeErrorKind::NoData);
        }
        BegunMessage::again(message, self.begun, scratch)
    }

    /// Whether so many bytes hold a site of this message. A message that [`begin`](Self::begin) refuses for another
    /// reason may pass.
    pub(crate) fn site_fits(
        &self,
        message: &OutgoingMessage<'_>,
        room: usize,
    ) -> Result<(), EncodeErrorKind> {
        match message.layout(self.extents) {
            Ok(Field { bytes_per_site: needed, .. }) if needed > room as u64 => {
                Err(EncodeErrorKind::SiteTooLarge { needed })
            }
            _ => Ok(()),
        }
    }

    /// Whether [`begin`](Self::begin) takes this message, after a file message with this lattice if there has been
    /// none.
    pub(crate) fn would_begin(
        &self,
        message: &OutgoingMessage<'_>,
        lattice: Extents,
        scratch: &mut [u8],
    ) -> Result<(), EncodeErrorKind> {
        let mut trial = self.clone();
        trial.extents = trial.extents.or(Some(lattice));
        trial.begin(message, scratch).map(drop)
    }
}

/// Adds a message to the inventory of its file, or refuses it and changes nothing.
pub(crate) fn admit(inventory: &mut Inventory, message: &OutgoingMessage<'_>) -> Result<(), EncodeErrorKind> {
    let update = message.update.map(Digest::of);
    if let Some(format) = message.format {
        // SciDAC files that lack updates break no rule, and QIO knows none.
        if message.record.is_none() && inventory.update_is_missing(format.kind(), update) {
            return Err(EncodeErrorKind::UpdateMissing);
        }
        if inventory.field_is_repeated(format.kind(), update) {
            return Err(EncodeErrorKind::UpdateRepeated);
        }
    }
    if message.lfn.is_some() && inventory.lfn.is_some() {
        return Err(EncodeErrorKind::LfnRepeated);
    }
    if let Some(format) = message.format {
        inventory.insert(format.kind(), update);
    }
    inventory.lfn = inventory.lfn.or(message.lfn.map(Digest::of));
    Ok(())
}
