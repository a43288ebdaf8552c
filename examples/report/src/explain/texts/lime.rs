//! LIME: records and messages.

use super::super::row::Text;
use super::remedies::{COPY_AGAIN, REWRITE};

pub const TEXTS: &[Text] = &[
    Text {
        rule: "lime-magic",
        meaning: "No record begins at the end of the previous one. The rest of the file cannot be read.",
        causes: "Bytes were lost, inserted or changed; the length in an earlier header is wrong; or 144 or more \
                 bytes that are not LIME follow the last record.",
        remedy: "Copy the file again. The records before this offset can still be read: `linkstream lime \
                 unpack --damaged FILE` writes them.",
    },
    Text {
        rule: "lime-version",
        meaning: "The version number in a record header is not 1, the only one that exists. c-lime ends the \
                  program at such a record.",
        causes: "Almost always damage in the header.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "lime-reserved-bits",
        meaning: "Bits of the header that have no meaning are set. All programs ignore them.",
        causes: "GPT sets all bits of the two flag bytes in each record.",
        remedy: REWRITE,
    },
    Text {
        rule: "lime-type-garbage",
        meaning: "The name of the record type is followed by bytes that are not zero. Programs read the name \
                  only up to the first NUL.",
        causes: "A program that does not clear its header buffer before it copies a shorter name into it.",
        remedy: REWRITE,
    },
    Text {
        rule: "lime-mb-missing",
        meaning: "A message begins at this record, but the record is not marked as the beginning. Data are \
                  found by the record types, so no value is in doubt.",
        causes: "c-lime checks these flags only for some of the records that it writes, so that wrong arguments \
                 of the calling program reach the file. GPT and lyncs_io ignore the flags. A message may also \
                 be missing its first record.",
        remedy: "List the records with `linkstream inspect FILE`. If all are there, `linkstream convert FILE \
                 OUT` writes the flags correctly.",
    },
    Text {
        rule: "lime-mb-unexpected",
        meaning: "A record is marked as the first of a message although the message before it has not ended.",
        causes: "The last record of the previous message is missing (often scidac-checksum), or the writing \
                 program set its flags wrongly, which c-lime does not always notice.",
        remedy: "List the records with `linkstream inspect FILE`. If none is missing, `linkstream convert FILE \
                 OUT` writes the flags correctly.",
    },
    Text {
        rule: "lime-length-overflow",
        meaning: "The length in a record header is impossible: the record would end after the largest offset of \
                  64 bits.",
        causes: "Damage in the header, or a negative number that a program stored as a length.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "lime-padding-nonzero",
        meaning: "Records are padded with zeros to a multiple of 8 bytes, but here the padding is not zero. \
                  Programs skip it without looking.",
        causes: "A program that pads with whatever its buffer contains. If an error about the next record \
                 follows, the length in the header is too short instead.",
        remedy: REWRITE,
    },
    Text {
        rule: "lime-header-truncated",
        meaning: "The file ends within the header of a record. c-lime reports this as the normal end of the \
                  file.",
        causes: "The copy, the disk quota or the job ended before the file was complete; or fewer than 144 \
                 foreign bytes were appended.",
        remedy: "Copy the file again. The complete records are written by `linkstream lime unpack --damaged \
                 FILE`.",
    },
    Text {
        rule: "lime-payload-truncated",
        meaning: "The file ends before the end of a record. QIO, c-lime and others notice this only if they \
                  read that record to its end.",
        causes: "The copy, the disk quota or the job ended before the file was complete. c-lime itself reports \
                 success if a program writes less data than it announced.",
        remedy: "Copy the file again and compare the lengths. The complete records are written by `linkstream \
                 lime unpack --damaged FILE`.",
    },
    Text {
        rule: "lime-padding-truncated",
        meaning: "The last record is complete, but the zeros that pad it to a multiple of 8 bytes are missing. \
                  No data are lost.",
        causes: "GPT and other writers that do not pad the last record, or a copy that lost the last few bytes.",
        remedy: REWRITE,
    },
    Text {
        rule: "lime-trailing-bytes",
        meaning: "A few bytes follow the last record, or zeros up to the end of a block of 512 bytes or a multiple of it. \
                  Most programs ignore them; GPT refuses such a file.",
        causes: "An editor or a script appended a line feed, or the file was rounded up to the block size of a \
                 tape or a file system.",
        remedy: REWRITE,
    },
    Text {
        rule: "lime-message-open",
        meaning: "The last record is not marked as the end of its message. This is common and harmless, but \
                  a file that was cut off exactly between two records looks the same.",
        causes: "Old writers that rely on the end of the file, or a missing last record.",
        remedy: "List the records with `linkstream inspect FILE`, and compare the length with the original. \
                 `linkstream convert FILE OUT` sets the mark.",
    },
    Text {
        rule: "lime-terminal-null",
        meaning: "An empty record without a type ends the file. No reader needs it.",
        causes: "Old versions of c-lime wrote it when the last message was not ended.",
        remedy: "Nothing to do. `linkstream convert FILE OUT` leaves it out.",
    },
];
