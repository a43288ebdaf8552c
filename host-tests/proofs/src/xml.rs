//! Texts of XML documents. The parser is called through the documents of `scidac` and `ildg`.

use linkstream::scidac::Text;
use linkstream::xml::{Element, EmitError, ErrorKind, NumberFault, Spacing};
use proofs::{unknown, used};

use crate::error;

pub fn all() {
    used(Element::as_str(unknown(Element::Version)));
    error::value(Element::Version);
    error::kind(ErrorKind::Empty);
    error::value(NumberFault::Empty);
    error::message(EmitError::TooSmall { needed: 0 });
    error::value(EmitError::Text(Element::Date));
    error::value(Spacing::Lines);
    let text: Text<8> = unknown(Text::new());
    used(Text::as_str(&text));
    used(Text::as_bytes(&text));
}
