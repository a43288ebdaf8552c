//! The input of a target, as a source of choices.

/// A program and a file.
#[derive(Debug)]
pub struct Input<'i> {
    program: &'i [u8],
    pub file: &'i [u8],
}

/// Numbers at the limits of types.
const LIMITS: [u64; 24] = [
    64,
    127,
    128,
    144,
    255,
    256,
    1 << 12,
    1 << 16,
    (1 << 31) - 1,
    1 << 31,
    (1 << 32) - 1,
    1 << 32,
    (1 << 61) - 1,
    1 << 61,
    (1 << 62) + 1,
    (1 << 63) - 1,
    1 << 63,
    (1 << 63) + 7,
    u64::MAX - 144,
    u64::MAX - 7,
    u64::MAX - 1,
    u64::MAX,
    1 << 20,
    1 << 40,
];

impl<'i> Input<'i> {
    /// Most calls of a program.
    pub const CALLS: usize = 64;

    /// The first two bytes are the length of the program.
    pub fn new(input: &'i [u8]) -> Self {
        let Some((length, rest)) = input.split_first_chunk() else { return Self { program: &[], file: &[] } };
        let length = usize::from(u16::from_le_bytes(*length)).min(rest.len());
        let (program, file) = rest.split_at(length);
        Self { program, file }
    }

    /// An input with this program and this file.
    pub fn join(program: &[u8], file: &[u8]) -> Vec<u8> {
        let length = u16::try_from(program.len()).expect("a short program");
        [&length.to_le_bytes()[..], program, file].concat()
    }

    /// A program of calls: each is the number of a function and its first arguments; all others are 0, the right ones.
    pub fn program(calls: &[&[u8]]) -> Vec<u8> {
        let mut program = Vec::new();
        for call in calls {
            let (number, arguments) = call.split_first().expect("a function");
            program.push(number + 1);
            program.extend_from_slice(arguments);
            program.extend([0; 28]);
        }
        program
    }

    /// The next function of a program, below a number; `None` at its end. Zeros are no functions: a call may have more
    /// of them than it has arguments.
    pub fn function(&mut self, end: usize) -> Option<usize> {
        while self.program.first() == Some(&0) {
            self.program = &self.program[1..];
        }
        let (number, rest) = self.program.split_first()?;
        self.program = rest;
        Some(usize::from(number - 1) % end)
    }

    /// The next byte of the program; 0 after its end.
    pub fn byte(&mut self) -> u8 {
        let Some((byte, rest)) = self.program.split_first() else { return 0 };
        self.program = rest;
        *byte
    }

    /// A number below another one.
    pub fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end.max(1)
    }

    /// True for one byte of `number`.
    pub fn rarely(&mut self, number: u8) -> bool {
        self.byte() % number == number - 1
    }

    /// A number: a small one, or one at a limit.
    pub fn number(&mut self) -> u64 {
        match self.byte() {
            byte @ ..=200 => u64::from(byte),
            201..=224 => LIMITS[self.below(LIMITS.len())],
            _ => u64::from_le_bytes([0; 8].map(|_: u8| self.byte())),
        }
    }

    /// A number for an argument that has a right value, which 0 chooses.
    pub fn near(&mut self, right: u64) -> u64 {
        match self.byte() {
            ..=240 => right,
            241..=243 => right.wrapping_add(1),
            244..=246 => right.wrapping_sub(1),
            247..=248 => 0,
            249..=250 => right.wrapping_mul(2),
            _ => self.number(),
        }
    }

    /// Bytes with a zero byte at their end.
    pub fn text(&mut self) -> Vec<u8> {
        let length = match self.byte() {
            byte @ ..=200 => usize::from(byte) % 40,
            byte => usize::from(byte) * 3,
        };
        let mut text: Vec<u8> =
            (0..length).map(|_| self.byte()).map(|byte| if byte == 0 { b'a' } else { byte }).collect();
        text.push(0);
        text
    }

    /// A handle: the last one, any one, null, or another pointer.
    pub fn handle<T>(&mut self, handles: &[*mut T], others: &[*mut std::ffi::c_void]) -> *mut T {
        let last = handles.last().copied().unwrap_or(std::ptr::null_mut());
        match self.byte() {
            ..=159 => last,
            byte @ 160..=239 => {
                handles.get(usize::from(byte) % handles.len().max(1)).copied().unwrap_or(last)
            }
            240..=247 => std::ptr::null_mut(),
            byte => others
                .get(usize::from(byte) % others.len().max(1))
                .copied()
                .unwrap_or(std::ptr::null_mut())
                .cast(),
        }
    }
}
