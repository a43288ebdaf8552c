//! The texts of records, and limits on how much of them is kept.

/// Maximum length of a text. Of longer texts, only the beginning is kept.
pub const LONGEST: usize = 64 << 10;
/// Maximum length of all texts of a file together, since a file can have millions.
pub const LONGEST_IN_ALL: usize = 4 << 20;

/// The payload of a record, as long as it looks like text.
#[derive(Debug, Default)]
pub struct Text {
    bytes: Vec<u8>,
    /// The payload is longer than the part that is kept.
    pub cut: bool,
}

impl Text {
    /// The part of the payload that is kept.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The text up to the first NUL, which ends the texts of QIO. Bytes that are not UTF-8 become replacement
    /// characters.
    pub fn shown(&self) -> String {
        let shown = self.bytes.split(|byte| *byte == 0).next().unwrap_or_default();
        String::from_utf8_lossy(shown).into_owned()
    }
}

/// The number of bytes that may still be kept of all texts.
#[derive(Debug)]
pub struct Room(usize);

impl Room {
    pub const fn new() -> Self {
        Self(LONGEST_IN_ALL)
    }

    /// Makes room again for other texts, in place of one that is dropped.
    pub fn give_back(&mut self, text: Option<Text>) {
        self.0 = self.0.saturating_add(text.map_or(0, |text| text.bytes.len()));
    }

    /// Adds payload of a record to its text. If a byte cannot be part of a text, `kept_text` becomes `None`.
    pub fn take(&mut self, bytes: &[u8], kept_text: &mut Option<Text>) {
        let Some(text) = kept_text else { return };
        let is_text = |byte: &u8| *byte >= b' ' || matches!(byte, b'\t' | b'\n' | b'\r' | 0);
        if !bytes.iter().all(is_text) {
            self.0 = self.0.saturating_add(text.bytes.len());
            *kept_text = None;
            return;
        }
        let kept = bytes.len().min(LONGEST.saturating_sub(text.bytes.len())).min(self.0);
        text.bytes.extend_from_slice(bytes.get(..kept).unwrap_or(bytes));
        text.cut |= kept < bytes.len();
        self.0 = self.0.saturating_sub(kept);
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
