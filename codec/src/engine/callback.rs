//! Driving a decoder with input that arrives in chunks, and the callbacks that take its events.

use core::convert::Infallible;
use core::fmt;
use core::ops::ControlFlow;

use crate::counter::Counter as _;
use crate::error::Error;
use crate::step::{Decode, Demand};

/// Return types of callbacks: `()` if it always continues, [`ControlFlow`] if it can stop, [`Result`] of either if
/// it can fail. The function that takes the callback then returns a [`CallbackError`]: its own error or the error of
/// the callback.
///
/// ```
/// use core::ops::ControlFlow;
/// use linkstream::inebin::{Decoder, Event, Header, MatrixType};
/// use linkstream::{CallbackError, Mode, drive};
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
/// let failed = drive(&mut decoder, &[0; 8], |event, _, _| {
///     if event == Event::Data { Err("no data wanted") } else { Ok(()) }
/// });
/// assert_eq!(failed, Err(CallbackError::Callback("no data wanted")));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub trait Outcome {
    /// The error of the callback; [`Infallible`] if it cannot fail.
    type Error;

    /// The decision to continue or to stop, or the error.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use linkstream::Outcome;
    ///
    /// assert_eq!(Outcome::into_result(ControlFlow::Break(())), Ok(ControlFlow::Break(())));
    /// assert_eq!(Outcome::into_result(Err::<(), _>("failed")), Err("failed"));
    /// ```
    ///
    /// # Errors
    /// The error of the callback.
    fn into_result(self) -> Result<ControlFlow<()>, Self::Error>;
}

impl Outcome for () {
    type Error = Infallible;

    fn into_result(self) -> Result<ControlFlow<()>, Infallible> {
        Ok(ControlFlow::Continue(()))
    }
}

impl Outcome for ControlFlow<()> {
    type Error = Infallible;

    fn into_result(self) -> Result<Self, Infallible> {
        Ok(self)
    }
}

impl<E> Outcome for Result<(), E> {
    type Error = E;

    fn into_result(self) -> Result<ControlFlow<()>, E> {
        self.map(ControlFlow::Continue)
    }
}

impl<E> Outcome for Result<ControlFlow<()>, E> {
    type Error = E;

    fn into_result(self) -> Self {
        self
    }
}

/// Why a call that takes a callback ended early: the call itself failed, or the callback did.
///
/// Unlike the other error types of this crate, this one is exhaustive: a `match` needs no wildcard arm. The error of
/// a callback only has to implement `Display`, so that `Box<dyn Error>` and `&str` are possible; therefore its
/// [source](core::error::Error::source) is only available through the variant. If the callback cannot fail, this
/// error converts to the error of the call.
///
/// ```
/// use linkstream::CallbackError;
/// use linkstream::field::{Sites, SitesError};
///
/// let mut buffer = [0; 16];
/// let fed = Sites::new(&mut buffer).feed(None, b"data", |_| Err("no site is handed out"));
/// assert_eq!(fed, Err(CallbackError::Failed(SitesError::NotBegun)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[allow(clippy::exhaustive_enums, reason = "a call fails, or its callback does")]
pub enum CallbackError<F, C> {
    /// The call failed.
    Failed(F),
    /// The callback returned this error.
    Callback(C),
}

impl<F, C> CallbackError<F, C> {
    /// Converts the error of the call.
    pub(crate) fn map_failed<G>(self, to: impl FnOnce(F) -> G) -> CallbackError<G, C> {
        match self {
            Self::Failed(error) => CallbackError::Failed(to(error)),
            Self::Callback(error) => CallbackError::Callback(error),
        }
    }
}

impl<F> CallbackError<F, Infallible> {
    /// Returns the error of the call, for a callback that cannot fail. `?` also converts it; `into_failed` serves where
    /// the error is not returned as it is.
    ///
    /// ```
    /// use linkstream::lime::Decoder;
    /// use linkstream::{Diagnostic, Mode, drive};
    ///
    /// /// The name of the broken rule, for a log.
    /// fn broken_rule(chunk: &[u8]) -> Option<&'static str> {
    ///     let mut decoder = Decoder::new(Mode::Strict);
    ///     match drive(&mut decoder, chunk, |_, _, _| {}) {
    ///         Ok(_) => None,
    ///         Err(error) => Some(error.into_failed().kind.rule()),
    ///     }
    /// }
    /// assert_eq!(broken_rule(&[0; 144]), Some("lime-magic"));
    /// ```
    pub fn into_failed(self) -> F {
        match self {
            Self::Failed(error) => error,
            Self::Callback(error) => match error {},
        }
    }
}

impl<F: fmt::Display, C: fmt::Display> fmt::Display for CallbackError<F, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(error) => error.fmt(f),
            Self::Callback(error) => error.fmt(f),
        }
    }
}

impl<F: core::error::Error, C: fmt::Debug + fmt::Display> core::error::Error for CallbackError<F, C> {
    // The message repeats the message of the cause, so the source is the source of the cause.
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Failed(error) => error.source(),
            Self::Callback(_) => None,
        }
    }
}

impl<F, C> From<F> for CallbackError<F, C> {
    fn from(error: F) -> Self {
        Self::Failed(error)
    }
}

impl<K> From<CallbackError<Self, Infallible>> for Error<K> {
    fn from(error: CallbackError<Self, Infallible>) -> Self {
        error.into_failed()
    }
}

/// Pushes a chunk of input through a decoder and passes each event to a callback, together with the bytes
/// that the event consumed and the decoder.
///
/// The bytes are payload for an event such as `Payload` or `Data`; they are empty if the event consumed nothing. The
/// callback returns `()`, a [`Result`] if it can fail, or a [`ControlFlow`] if it can stop; see [`Outcome`].
///
/// Returns the number of bytes consumed from the chunk: all of them, unless the callback stopped. Pass the rest of the
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
/// The error of the decoder or of the callback. After an error of the callback, its event counts as consumed: reading
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
        // Without input, a push returns an event only if the demand announces one: the call is spared.
        let is_over = rest.is_empty() && decoder.demand() != Demand::Bytes(0);
        if flow.is_break() || is_over {
            return Ok(chunk.len().minus(rest.len()));
        }
    }
}

/// Declares the end of the input, and passes the events that are only known then to a callback. The callback has the
/// same type as in [`drive`]; its bytes are empty.
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
