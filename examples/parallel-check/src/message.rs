//! Messages of the first rank to all others.

use linkstream::conformance::Decoder;
use linkstream::{Resumable as _, State};
use linkstream_parallel::Fault;

/// Length of a message in bytes.
pub const LEN: usize = 1 + 8 + State::<Decoder>::LEN;

/// The next step of all ranks.
pub enum Message {
    /// The file has been read to its end.
    End,
    /// All ranks read the data of a field.
    Field {
        /// The decoder that has just reported the field.
        decoder: Box<Decoder>,
        /// The number of rows of each link whose words are summed.
        rows: Option<u32>,
    },
}

const FIELD: u8 = 1;

/// The message [`Message::End`].
pub const END: [u8; LEN] = [0; LEN];

/// The message [`Message::Field`]. `None` for a decoder that has stopped.
pub fn of_field(decoder: &Decoder, rows: Option<u32>) -> Option<[u8; LEN]> {
    let state = decoder.save().ok()?;
    let mut message = [0; LEN];
    let (head, body) = message.split_at_mut(LEN - State::<Decoder>::LEN);
    head[0] = FIELD;
    head[1..].copy_from_slice(&rows.map_or(u64::MAX, u64::from).to_le_bytes());
    body.copy_from_slice(state.as_bytes());
    Some(message)
}

impl Message {
    /// The message with these bytes.
    ///
    /// # Errors
    /// The ranks do not run the same version of the program.
    pub fn parse(message: &[u8; LEN]) -> Result<Self, Fault> {
        let foreign = || Fault::usage("the ranks run different versions of the program");
        let (head, body) = message.split_at(LEN - State::<Decoder>::LEN);
        let [kind, rows @ ..] = head else { return Err(foreign()) };
        if *kind != FIELD {
            return Ok(Self::End);
        }
        let rows = u64::from_le_bytes(rows.try_into().map_err(|_| foreign())?);
        let state = State::from_bytes(body).map_err(|_| foreign())?;
        let decoder = Box::new(Decoder::load(&state).map_err(|_| foreign())?);
        Ok(Self::Field { decoder, rows: u32::try_from(rows).ok() })
    }
}
