//! The lines of the answers, as `protocol.md` lists them.

use crate::catalogue::{Record, State};
use crate::digest::Digest;
use crate::job::JobError;
use crate::meter::{Clock, Meter};
use crate::store::StoreError;
use crate::text::Text;
use crate::verify::{Fault, Part, Verifier};

/// One or two lines: of `put` for a stored file, the longest ones have 223 bytes.
pub type Line = Text<240>;

/// The first line of every connection. The number is the version of the protocol.
pub const GREETING: &str = "linkstream-node 2\n";

pub fn refusal(line: &mut Line, code: &str, words: &str) {
    line.word("error ").word(code).byte(b' ').word(words).byte(b'\n');
}

pub fn error(line: &mut Line, error: JobError, verifier: &Verifier) {
    match error {
        JobError::Store(StoreError::Card) => refusal(line, "card", "the card is removed or does not work"),
        JobError::Store(StoreError::Full) => refusal(line, "full", "the card has no room for this file"),
        JobError::Store(StoreError::TooManyFiles) => {
            refusal(line, "files", "the card has no place for more files")
        }
        JobError::Store(StoreError::NotFound) => {
            refusal(line, "card", "a file of the list is not on the card")
        }
        JobError::File(Fault::Unrecognised) => refusal(line, "unrecognised", "the format is not known"),
        JobError::File(Fault::Damaged { rule, at }) => {
            line.word("error damaged ").word(rule).word(" at").number(at).byte(b'\n');
        }
        JobError::Digest => {
            line.word("error digest the bytes on the card have the digest");
            digest(line, &verifier.digester.digest());
            line.byte(b'\n');
        }
    }
}

/// `so_far` is the digest of the bytes before the offset.
pub fn resume(line: &mut Line, offset: u32, so_far: &Digest) {
    line.word("resume").number(offset.into());
    digest(line, so_far);
    line.byte(b'\n');
}

pub fn data(line: &mut Line, record: &Record) {
    line.word("ok data").number(record.length.into());
    digest(line, &record.digest);
    line.byte(b'\n');
}

pub fn stored(line: &mut Line, record: &Record, verifier: Option<&Verifier>) {
    named(line, "ok stored ", record);
    facts(line, verifier);
}

pub fn checked(line: &mut Line, record: &Record, verifier: &Verifier) {
    named(line, "ok checked ", record);
    facts(line, Some(verifier));
}

pub fn file(line: &mut Line, record: &Record) {
    named(line, "file ", record);
    match record.state {
        State::Stored => line.word(" stored\n"),
        State::Unfinished => line.word(" unfinished").number(record.safe.into()).byte(b'\n'),
    };
}

pub fn slice(line: &mut Line, part: &Part) {
    line.word("ok slice").number(part.offset).number(part.length);
    line.number(part.first).number(part.sites).byte(b'\n');
}

pub fn figures(line: &mut Line, meter: &Meter, clock: &impl Clock) {
    let (statics, stack) = clock.memory();
    line.word("ok figures");
    for (name, value) in [
        (" ticks=", clock.ticks()),
        (" network=", meter.network.get()),
        (" written=", meter.written.get()),
        (" read=", meter.read.get()),
        (" codec=", meter.codec.get()),
        (" digest=", meter.digest.get()),
        (" idle=", meter.idle.get()),
        (" bytes=", meter.bytes.get()),
        (" retried=", meter.retried.get()),
        (" statics=", statics.into()),
        (" stack=", stack.into()),
    ] {
        line.word(name).digits(value);
    }
    line.byte(b'\n');
}

fn named(line: &mut Line, words: &str, record: &Record) {
    line.word(words).bytes(record.name.text().as_bytes());
    line.number(record.length.into());
    digest(line, &record.digest);
}

fn digest(line: &mut Line, digest: &Digest) {
    line.hexadecimal(&digest.crc.to_be_bytes()).hexadecimal(&digest.sha);
}

fn facts(line: &mut Line, verifier: Option<&Verifier>) {
    if let Some(verifier) = verifier {
        let facts = verifier.facts();
        line.word(" format=").word(verifier.format());
        for (name, value) in
            [(" data=", facts.data), (" verified=", facts.verified), (" findings=", facts.findings)]
        {
            line.word(name).digits(value.into());
        }
    }
    line.byte(b'\n');
}
