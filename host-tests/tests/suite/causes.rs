//! A chain of errors prints each message once: either an error's message contains its cause, or its `source` returns
//! it.

use std::error::Error as StdError;
use std::io;

use linkstream::field::{self, DocumentName, SitesError};
use linkstream::io::{FieldError, ReadError, WriteError};
use linkstream::{CallbackError, Error, Misuse, lime, xml};

/// The messages of an error and of its sources.
fn chain(error: &(dyn StdError + 'static)) -> Vec<String> {
    std::iter::successors(Some(error), |&error| error.source()).map(ToString::to_string).collect()
}

#[test]
fn a_message_contains_its_cause_or_source_returns_it() {
    type Read = ReadError<io::Error, field::ErrorKind>;
    type Write = WriteError<io::Error, field::EncodeErrorKind>;
    let io = || io::Error::other("disk on fire");
    let of_source: [&(dyn StdError + 'static); 4] = [
        &Read::Io(io()),
        &CallbackError::<Read, &str>::Failed(Read::Io(io())),
        &FieldError::Read(Read::Io(io())),
        &CallbackError::<FieldError<io::Error>, &str>::Failed(FieldError::Read(Read::Io(io()))),
    ];
    for error in of_source {
        assert_eq!(chain(error), ["the source failed", "disk on fire"], "{error:?}");
    }
    assert_eq!(chain(&Write::Io(io())), ["the sink failed", "disk on fire"]);

    let magic = lime::ErrorKind::Magic { found: 7 };
    let document = xml::ErrorKind::NotXml;
    let contained: [(&(dyn StdError + 'static), String); 6] = [
        (&Read::Format(Error::new(5, field::ErrorKind::Lime(magic))), magic.to_string()),
        (&field::ErrorKind::Lime(lime::ErrorKind::Misuse(Misuse::Outside)), Misuse::Outside.to_string()),
        (&field::ErrorKind::Document(DocumentName::Format, document), document.to_string()),
        (&field::EncodeErrorKind::Document(DocumentName::Format, document), document.to_string()),
        (&FieldError::<io::Error>::Sites(SitesError::NotBegun), SitesError::NotBegun.to_string()),
        (&CallbackError::<SitesError, &str>::Callback("stop"), "stop".to_owned()),
    ];
    for (error, cause) in contained {
        let [message] = &chain(error)[..] else { panic!("{error:?} has a source") };
        assert!(message.contains(&cause), "{message}");
    }
}
