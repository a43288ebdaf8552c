//! The contract of [`Decode`], verified at every step.

use super::sources::Random;
use linkstream::{Class, Decode, Demand, Diagnostic as _, Error, Step};

/// Pushes once and verifies the contract.
pub(super) fn push<D: Decode + Clone>(
    decoder: &mut D,
    piece: &[u8],
    is_payload: fn(&D::Event) -> bool,
) -> Result<Step<D::Event>, Error<D::ErrorKind>> {
    let (before, demand) = (decoder.position(), decoder.demand());
    if demand == Demand::Bytes(0) {
        let waiting = decoder.clone().push(&[]);
        assert!(!matches!(waiting, Ok(Step { event: None, .. })), "no event was pending at {before}");
    } else {
        // On the decoder itself: if this push changed its state after all, the trace would differ.
        let nothing = decoder.push(&[]);
        assert!(
            matches!(nothing, Ok(Step { consumed: 0, event: None })),
            "an empty push reported something at {before}"
        );
    }
    let result = decoder.push(piece);
    let after = decoder.position();
    match &result {
        Ok(step) => {
            assert!(step.consumed <= piece.len(), "consumed more than the input at {before}");
            let done = step.event.is_some() || step.consumed == piece.len();
            assert!(done, "neither an event nor all of the input consumed at {before}");
            assert_eq!(after, before + step.consumed as u64, "the position must count the bytes consumed");
            if let Demand::Skip(n) = demand
                && !piece.is_empty()
            {
                assert!(step.event.as_ref().is_some_and(is_payload), "no payload at {before}");
                assert!(step.consumed as u64 <= n, "more payload than could be skipped at {before}");
            }
        }
        Err(error) => {
            assert!(
                (before..=before + piece.len() as u64).contains(&after),
                "the position after an error must be within the input"
            );
            assert_sticky(decoder, *error);
        }
    }
    result
}

/// Skips payload if the decoder allows it. If it does not, a skip must be refused without an effect.
pub(super) fn skip<D: Decode>(decoder: &mut D, room: usize, random: &mut Random) -> Option<usize> {
    let (before, demand) = (decoder.position(), decoder.demand());
    let available = if let Demand::Skip(n) = demand { n } else { 0 };
    let refused = decoder.skip(available + 1).expect_err("more than all was skipped");
    assert_eq!(refused.kind.class(), Class::Misuse);
    assert_eq!((decoder.position(), decoder.demand()), (before, demand), "a refused skip changes nothing");
    if available == 0 {
        return None;
    }
    let most = usize::try_from(available).map_or(room, |n| n.min(room));
    let n = 1 + random.below(most);
    decoder.skip(n as u64).expect("within what can be skipped");
    assert_eq!(decoder.position(), before + n as u64);
    Some(n)
}

pub(super) fn assert_sticky<D: Decode>(decoder: &mut D, error: Error<D::ErrorKind>) {
    assert_ne!(error.kind.class(), Class::Misuse, "the harness must not misuse the decoder: {error}");
    let position = decoder.position();
    for piece in [&b""[..], b"more"] {
        assert_eq!(decoder.push(piece).err(), Some(error), "errors are sticky");
        assert_eq!(decoder.finish().err(), Some(error), "errors are sticky");
        assert_eq!(decoder.skip(piece.len() as u64).err(), Some(error), "errors are sticky");
    }
    assert_eq!(decoder.position(), position, "the position must not change after an error");
}

/// Verifies that nothing is reported after the end, and that more input is refused without an effect.
pub(super) fn assert_ended<D: Decode>(decoder: &mut D) {
    let position = decoder.position();
    for _ in 0..2 {
        assert_eq!(decoder.demand(), Demand::End);
        let refused = decoder.push(b"more").err().expect("input after the end is refused");
        assert_eq!(refused.kind.class(), Class::Misuse, "{refused}");
        assert!(matches!(decoder.finish(), Ok(None)), "no event may follow the end");
        assert_eq!(decoder.position(), position);
    }
}
