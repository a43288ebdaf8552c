//! Texts of XML documents. The parser is called through the documents of `scidac` and `ildg`.

use linkstream::scidac::Text;
use linkstream::xml::{ElementName, EmitError, ErrorKind, NumberFault, Spacing};
use proofs::{unknown, used};

use crate::error;

pub fn all() {
    used(ElementName::as_str(unknown(ElementName::Version)));
    error::value(ElementName::Version);
    error::kind(ErrorKind::Empty);
    error::value(NumberFault::Empty);
    error::message(EmitError::TooSmall { needed: 0 });
    error::value(EmitError::Text(ElementName::Date));
    error::value(Spacing::Lines);
    let text: Text<8> = unknown(Text::new());
    used(Text::as_str(&text));
    used(Text::as_bytes(&text));
}
