//! The texts of records, and how much of them is kept.

/// Texts are kept up to this length; of what is longer the beginning.
pub const LONGEST: usize = 64 << 10;
/// All texts of a file together are kept up to this length, as a file can have millions.
pub const LONGEST_IN_ALL: usize = 4 << 20;

/// The payload of a record, as long as it looks like text.
#[derive(Debug, Default)]
pub struct Text {
    bytes: Vec<u8>,
    /// It is longer.
    pub cut: bool,
}

impl Text {
    /// As in the file, as much of it as is kept.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Up to the first NUL, which ends the texts of QIO; what is not UTF-8 is shown by its replacement character.
    pub fn shown(&self) -> String {
        let end = self.bytes.iter().position(|byte| *byte == 0).unwrap_or(self.bytes.len());
        String::from_utf8_lossy(&self.bytes[..end]).into_owned()
    }
}

/// What is left of the room for texts.
#[derive(Debug)]
pub struct Room(usize);

impl Room {
    pub const fn new() -> Self {
        Self(LONGEST_IN_ALL)
    }

    /// More payload of a record. It is no text any more once a byte is none.
    pub fn take(&mut self, bytes: &[u8], kept_text: &mut Option<Text>) {
        let Some(text) = kept_text else { return };
        let is_text = |byte: &u8| *byte >= b' ' || matches!(byte, b'\t' | b'\n' | b'\r' | 0);
        if !bytes.iter().all(is_text) {
            self.0 += text.bytes.len();
            *kept_text = None;
            return;
        }
        let kept = bytes.len().min(LONGEST.saturating_sub(text.bytes.len())).min(self.0);
        text.bytes.extend_from_slice(&bytes[..kept]);
        text.cut |= kept < bytes.len();
        self.0 -= kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_longer_is_cut() {
        let mut room = Room::new();
        let mut long = Some(Text::default());
        room.take(&vec![b'a'; LONGEST], &mut long);
        assert!(!long.as_ref().unwrap().cut);
        room.take(b"b", &mut long);
        let text = long.unwrap();
        assert!(text.cut && text.shown().len() == LONGEST);
    }

    #[test]
    fn all_texts_together_are_bounded() {
        let mut room = Room::new();
        let mut kept = 0;
        for _ in 0..100 {
            let mut long = Some(Text::default());
            room.take(&vec![b'a'; LONGEST], &mut long);
            kept += long.unwrap().shown().len();
        }
        assert_eq!(kept, LONGEST_IN_ALL);
    }

    #[test]
    fn what_turns_out_to_be_binary_is_dropped() {
        let mut room = Room::new();
        let mut binary = Some(Text::default());
        room.take(b"begins like text", &mut binary);
        room.take(&[0xff, 1], &mut binary);
        assert!(binary.is_none());
        assert_eq!(room.0, LONGEST_IN_ALL);
    }

    #[test]
    fn a_nul_ends_a_text() {
        let mut read = Some(Text::default());
        Room::new().take(b"<a/>\0 rest", &mut read);
        assert_eq!(read.unwrap().shown(), "<a/>");
    }
}
