//! Driving a decoder with input that arrives in chunks.

use core::ops::ControlFlow;

use crate::callback::{CallbackError, Outcome};
use crate::counter::Counter as _;
use crate::error::Error;
use crate::step::Decode;

/// Pushes a chunk of input through a decoder and passes each event to a callback, together with the bytes
/// that the event consumed and the decoder.
///
/// The bytes are payload if the event says so; they are empty if the event consumed nothing. The callback returns
/// `()`, a [`Result`] if it can fail, or a [`ControlFlow`] if it can stop; see [`Outcome`].
///
/// Returns how many bytes of the chunk were consumed: all of them, unless the callback stopped. Pass the rest of the
/// chunk to the next call. After the last chunk, call [`finish`].
///
/// ```
/// use linkstream::lime::{Decoder, Event, Header};
/// use linkstream::{Mode, drive, finish};
///
/// let mut file = Header::new(b"greeting", 5, true, true)?.as_bytes().to_vec();
/// file.extend_from_slice(b"hello\0\0\0");
///
/// let mut decoder = Decoder::new(Mode::Strict);
/// let mut text = Vec::new();
/// let mut each = |event, bytes: &[u8], decoder: &Decoder| {
///     if event == Event::Payload && decoder.record_type() == b"greeting" {
///         text.extend_from_slice(bytes);
///     }
/// };
/// for chunk in file.chunks(10) {
///     drive(&mut decoder, chunk, &mut each)?;
/// }
/// finish(&mut decoder, &mut each)?;
/// assert_eq!(text, b"hello");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// Those of the decoder and of the callback. After an error of the callback its event counts as consumed: reading
/// can continue at [`Decode::position`].
pub fn drive<D: Decode, O: Outcome>(
    decoder: &mut D,
    chunk: &[u8],
    mut each: impl FnMut(D::Event, &[u8], &D) -> O,
) -> Result<usize, CallbackError<Error<D::ErrorKind>, O::Error>> {
    let mut rest = chunk;
    loop {
        let step = decoder.push(rest)?;
        let (bytes, after) = rest.split_at_checked(step.consumed).unwrap_or((rest, &[]));
        rest = after;
        let flow = match step.event {
            Some(event) => each(event, bytes, decoder).into_result().map_err(CallbackError::Callback)?,
            None => ControlFlow::Break(()),
        };
        if flow.is_break() {
            return Ok(chunk.len().minus(rest.len()));
        }
    }
}

/// Declares the end of the input, and passes the events that are only known then to a callback of the same type as
/// that of [`drive`], with no bytes.
///
/// If the callback stops, call it again to continue: when everything has been reported, the decoder's demand is
/// [`Demand::End`](crate::Demand::End).
///
/// ```
/// use linkstream::lime::{Decoder, ErrorKind};
/// use linkstream::{Error, Mode, drive, finish};
///
/// let mut decoder = Decoder::new(Mode::Strict);
/// drive(&mut decoder, b"\x45\x67\x89\xab\0\x01", |_, _, _| {})?;
/// let finished = finish(&mut decoder, |_, _, _| {});
/// assert_eq!(finished, Err(Error::new(6, ErrorKind::HeaderTruncated { have: 6 }).into()));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// The input ends too early, a rule about its end is broken, or the callback failed.
pub fn finish<D: Decode, O: Outcome>(
    decoder: &mut D,
    mut each: impl FnMut(D::Event, &[u8], &D) -> O,
) -> Result<(), CallbackError<Error<D::ErrorKind>, O::Error>> {
    while let Some(event) = decoder.finish()? {
        if each(event, &[], decoder).into_result().map_err(CallbackError::Callback)?.is_break() {
            break;
        }
    }
    Ok(())
}
