//! Driving a decoder with input that arrives in chunks.

use core::ops::ControlFlow;

use crate::counter::Counter as _;
use crate::error::Error;
use crate::step::Decode;

/// Pushes a chunk of input through a decoder and passes each event to a callback, together with the bytes
/// that the event consumed and the decoder.
///
/// The bytes are payload where the event says so; events that consume nothing have none. The callback returns
/// `()`, or a [`Result`] to fail, or a [`ControlFlow`] to stop, see [`Outcome`].
///
/// Returns how many bytes of the chunk were consumed: all of them, unless the callback stopped. What is left of
/// the chunk is then passed to the next call. After the last chunk call [`finish`].
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
/// The decoder's, and those of the callback. After an error of the callback the event counts as consumed:
/// [`Decode::position`] is the place at which reading can go on.
pub fn drive<D: Decode, O: Outcome<Error<D::ErrorKind>>>(
    decoder: &mut D,
    chunk: &[u8],
    mut each: impl FnMut(D::Event, &[u8], &D) -> O,
) -> Result<usize, O::Error> {
    let mut rest = chunk;
    loop {
        let step = decoder.push(rest)?;
        let (bytes, after) = rest.split_at_checked(step.consumed).unwrap_or((rest, &[]));
        rest = after;
        let flow = match step.event {
            Some(event) => each(event, bytes, decoder).into_result()?,
            None => ControlFlow::Break(()),
        };
        if flow.is_break() {
            return Ok(chunk.len().minus(rest.len()));
        }
    }
}

/// Declares the end of the input and passes the events that are only known then to a callback, which is that
/// of [`drive`]: the bytes are none.
///
/// Where the callback stops, another call goes on; [`Demand::End`](crate::Demand::End) is what the decoder demands
/// when all is reported.
///
/// ```
/// use linkstream::lime::{Decoder, ErrorKind};
/// use linkstream::{Mode, drive, finish};
///
/// let mut decoder = Decoder::new(Mode::Strict);
/// drive(&mut decoder, b"\x45\x67\x89\xab\0\x01", |_, _, _| {})?;
/// let error = finish(&mut decoder, |_, _, _| {}).err().ok_or("the file ends inside a header")?;
/// assert_eq!((error.at, error.kind), (6, ErrorKind::HeaderTruncated { have: 6 }));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// The input ends too early, a rule about its end is broken, or the callback failed.
pub fn finish<D: Decode, O: Outcome<Error<D::ErrorKind>>>(
    decoder: &mut D,
    mut each: impl FnMut(D::Event, &[u8], &D) -> O,
) -> Result<(), O::Error> {
    while let Some(event) = decoder.finish()? {
        if each(event, &[], decoder).into_result()?.is_break() {
            break;
        }
    }
    Ok(())
}

/// What a callback can return: `()` to go on, a [`ControlFlow`] to go on or stop, a [`Result`] of either to fail
/// as well.
///
/// The error type of a callback is also that of the call which takes it, so it must hold what the call itself
/// can fail with, `F`: a `Box<dyn Error>` does, as does any type with a `From<F>`.
///
/// ```
/// use core::ops::ControlFlow;
/// use linkstream::inebin::{Decoder, Event, Header, MatrixType};
/// use linkstream::{Mode, drive};
///
/// let file = Header::new(MatrixType::Real, 1, 1)?.to_bytes();
/// let mut decoder = Decoder::new(Mode::Strict);
/// // Stops at the header.
/// let consumed = drive(&mut decoder, &[&file[..], &[0; 8]].concat(), |event, _, _| match event {
///     Event::Header(_) => ControlFlow::Break(()),
///     _ => ControlFlow::Continue(()),
/// })?;
/// assert_eq!(consumed, 16);
/// // Fails at the data.
/// let failed = drive(&mut decoder, &[0; 8], |event, _, _| -> Result<(), Box<dyn core::error::Error>> {
///     if event == Event::Data { Err("no data wanted".into()) } else { Ok(()) }
/// });
/// assert_eq!(failed.err().map(|error| error.to_string()).as_deref(), Some("no data wanted"));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub trait Outcome<F> {
    /// What the callback fails with.
    type Error: From<F>;

    /// Whether to go on.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use linkstream::{Error, Outcome, lime};
    ///
    /// let flow = Outcome::<Error<lime::ErrorKind>>::into_result(ControlFlow::Break(()))?;
    /// assert!(flow.is_break());
    /// # Ok::<(), Error<lime::ErrorKind>>(())
    /// ```
    ///
    /// # Errors
    /// The callback's.
    fn into_result(self) -> Result<ControlFlow<()>, Self::Error>;
}

impl<F> Outcome<F> for () {
    type Error = F;

    fn into_result(self) -> Result<ControlFlow<()>, F> {
        Ok(ControlFlow::Continue(()))
    }
}

impl<F> Outcome<F> for ControlFlow<()> {
    type Error = F;

    fn into_result(self) -> Result<Self, F> {
        Ok(self)
    }
}

impl<F, E: From<F>> Outcome<F> for Result<(), E> {
    type Error = E;

    fn into_result(self) -> Result<ControlFlow<()>, E> {
        self.map(ControlFlow::Continue)
    }
}

impl<F, E: From<F>> Outcome<F> for Result<ControlFlow<()>, E> {
    type Error = E;

    fn into_result(self) -> Self {
        self
    }
}
