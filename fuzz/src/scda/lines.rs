//! Sections written byte by byte from the paper (sections 2.1 to 2.6), not by the code under test.

/// The bytes of consecutive sections, with methods to append to and change them.
pub struct Lines {
    pub bytes: Vec<u8>,
    mime: bool,
}

impl Lines {
    /// A file header.
    #[must_use]
    pub fn file(mime: bool, vendor: &[u8], user: &[u8]) -> Self {
        let mut lines = Self { bytes: b"scdata0 ".to_vec(), mime };
        lines.field(vendor, 24);
        lines.head(b'F', user).pad(b"")
    }

    #[must_use]
    pub fn inline(self, user: &[u8], data: &[u8; 32]) -> Self {
        self.head(b'I', user).and(data)
    }

    #[must_use]
    pub fn block(self, user: &[u8], data: &[u8]) -> Self {
        self.head(b'B', user).count(b'E', data.len() as u128).and(data).pad(data)
    }

    #[must_use]
    pub fn array(self, user: &[u8], n: u128, e: u128, data: &[u8]) -> Self {
        self.head(b'A', user).count(b'N', n).count(b'E', e).and(data).pad(data)
    }

    #[must_use]
    pub fn varray(self, user: &[u8], elements: &[&[u8]]) -> Self {
        let head = self.head(b'V', user).count(b'N', elements.len() as u128);
        let sizes = elements.iter().fold(head, |lines, element| lines.count(b'E', element.len() as u128));
        let data = elements.concat();
        sizes.and(&data).pad(&data)
    }

    #[must_use]
    pub fn head(mut self, letter: u8, user: &[u8]) -> Self {
        self.bytes.extend([letter, b' ']);
        self.field(user, 62);
        self
    }

    #[must_use]
    pub fn count(mut self, letter: u8, value: u128) -> Self {
        self.bytes.extend([letter, b' ']);
        self.field(value.to_string().as_bytes(), 30);
        self
    }

    /// `padding('-' to d)`.
    fn field(&mut self, content: &[u8], d: usize) {
        let end = self.bytes.len() + d;
        self.bytes.extend_from_slice(content);
        self.bytes.push(b' ');
        self.bytes.resize(end - 2, b'-');
        self.bytes.extend_from_slice(if self.mime { b"\r\n" } else { b"-\n" });
    }

    /// `padding('=' mod 32)`.
    #[must_use]
    pub fn pad(mut self, data: &[u8]) -> Self {
        let (line, end): (&[u8], &[u8]) = if self.mime { (b"\r\n", b"\r\n\r\n") } else { (b"\n", b"\n\n") };
        let begin = if data.ends_with(b"\n") { b"==" } else { line };
        let mut length = 32 - data.len() % 32;
        if length < 7 {
            length += 32;
        }
        let middle = vec![b'='; length - begin.len() - end.len()];
        self.bytes.extend([begin, &middle, end].concat());
        self
    }

    #[must_use]
    pub fn with(mut self, at: usize, bytes: &[u8]) -> Self {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        self
    }

    #[must_use]
    pub fn cut(mut self, length: usize) -> Self {
        self.bytes.truncate(length);
        self
    }

    #[must_use]
    pub fn and(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend_from_slice(bytes);
        self
    }
}
