//! Small files in memory, written by the project's own writer.

use linkstream::io::RecordWriter;

/// Type and payload of a record to be written. The flags follow from the grouping into messages.
pub type Part = (&'static str, Vec<u8>);

/// A file of these messages.
pub fn file(messages: &[Vec<Part>]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut writer = RecordWriter::create(&mut file);
    for message in messages {
        for (n, (kind, payload)) in message.iter().enumerate() {
            let (begin, end) = (n == 0, n + 1 == message.len());
            writer.write_record(kind.as_bytes(), begin, end, payload).expect("memory does not fail");
        }
    }
    writer.finish().expect("no record is open");
    file
}

/// The messages of another program's file. Its flags must be consistent and its padding complete.
pub fn messages(file: &[u8]) -> Vec<Vec<(Vec<u8>, Vec<u8>)>> {
    let mut messages: Vec<Vec<_>> = Vec::new();
    let mut open = false;
    for record in host_tests::oracle::records(file) {
        assert_eq!(record.mb, !open, "the flags must be consistent");
        open = !record.me;
        if record.mb {
            messages.push(Vec::new());
        }
        let payload = record.payload(file).to_vec();
        messages.last_mut().expect("begun").push((record.kind, payload));
    }
    messages
}

/// A file of messages with any types.
pub fn of_messages(messages: &[Vec<(Vec<u8>, Vec<u8>)>]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut writer = RecordWriter::create(&mut file);
    for message in messages {
        for (n, (kind, payload)) in message.iter().enumerate() {
            let (begin, end) = (n == 0, n + 1 == message.len());
            writer.write_record(kind, begin, end, payload).expect("memory does not fail");
        }
    }
    writer.finish().expect("no record is open");
    file
}

/// One record with these flags, valid or not.
pub fn raw_record(kind: &str, begin: bool, end: bool, payload: &[u8]) -> Vec<u8> {
    let header = linkstream::lime::Header::new(kind.as_bytes(), payload.len() as u64, begin, end);
    let mut record = header.expect("a short type").as_bytes().to_vec();
    record.extend_from_slice(payload);
    record.resize(record.len().next_multiple_of(8), 0);
    record
}
