//! Calls that write.

use super::*;

impl Program {
    pub(super) fn userstr(input: &mut Input<'_>) -> (Vec<u8>, usize) {
        let mut text = input.text();
        let length = input.near(text.len() as u64 - 1).min(1 << 50) as usize;
        let length = if length <= 58 { length.min(text.len()) } else { length };
        text.truncate(80);
        if text.last() != Some(&0) {
            text.push(0);
        }
        (text, length)
    }

    pub(super) fn write_inline(&mut self, f: *mut Context, input: &mut Input<'_>) {
        let mut data = Memory::new(32);
        let (text, length) = Self::userstr(input);
        let root = input.near(0) as c_int;
        let from: *const c_void = if input.rarely(32) { ptr::null() } else { data.address() };
        let how = input.rarely(2);
        on_file(self, "scda_fwrite_inline", f, input, |err| unsafe {
            if how {
                scda_fwrite_inline(f, from, text.as_ptr().cast(), root, err)
            } else {
                scda_fwrite_inline_n(f, from, text.as_ptr().cast(), length, root, err)
            }
        });
    }

    pub(super) fn write_block(&mut self, f: *mut Context, input: &mut Input<'_>) {
        let e = input.number();
        let mut data = Memory::new(e.min(1 << 12));
        let (text, length) = Self::userstr(input);
        let (root, encode) = (input.near(0) as c_int, c_int::from(input.rarely(2)));
        // There is no memory of larger sizes, and a null pointer is one for it.
        let from: *const c_void = if e > 1 << 12 { ptr::null() } else { data.address() };
        let how = input.rarely(2);
        on_file(self, "scda_fwrite_block", f, input, |err| unsafe {
            if how {
                scda_fwrite_block(f, from, e, text.as_ptr().cast(), root, encode, err)
            } else {
                scda_fwrite_block_n(f, from, e, text.as_ptr().cast(), length, root, encode, err)
            }
        });
    }

    pub(super) fn write_array(&mut self, f: *mut Context, input: &mut Input<'_>) {
        let ranks = self.file(f).map_or(1, |file| file.ranks);
        let (n, e) = (input.number(), input.number());
        // So many elements without bytes can be written, and compressed, but not in this test.
        let n = if e == 0 && (4096..1 << 61).contains(&n) { n % 4096 } else { n };
        let mut table = Self::table(ranks, n);
        if input.rarely(8) {
            table[1] = input.number();
        }
        let total = n.saturating_mul(e);
        let mut data = Memory::new(total.min(1 << 14));
        let is_indirect = input.rarely(4) && n < 512 && total <= 1 << 14;
        let base: *mut u8 = data.address();
        let mut pointers: Vec<*mut u8> = Vec::new();
        if is_indirect {
            pointers.extend((0..n).map(|at| base.wrapping_add((at * e) as usize)));
            if input.rarely(8) && !pointers.is_empty() {
                let at = input.below(pointers.len());
                pointers[at] = ptr::null_mut();
            }
        }
        let from: *const c_void = match (is_indirect, total > 1 << 14) {
            (true, _) => pointers.as_ptr().cast(),
            (_, true) => ptr::null(),
            _ => base.cast(),
        };
        let table: *const u64 = if input.rarely(32) { ptr::null() } else { table.as_ptr() };
        let encode = c_int::from(input.rarely(2));
        let (text, length) = Self::userstr(input);
        let how = input.rarely(2);
        on_file(self, "scda_fwrite_array", f, input, |err| unsafe {
            let text = text.as_ptr();
            if how {
                scda_fwrite_array(f, from, table, e, is_indirect.into(), text.cast(), encode, err)
            } else {
                scda_fwrite_array_n(f, from, table, e, is_indirect.into(), text.cast(), length, encode, err)
            }
        });
    }

    pub(super) fn write_varray(&mut self, f: *mut Context, input: &mut Input<'_>) {
        let ranks = self.file(f).map_or(1, |file| file.ranks);
        let n = input.number();
        // A null pointer for more sizes than there can be.
        let sizes: Vec<u64> = (0..n.min(64)).map(|_| input.number()).collect();
        let total = sizes.iter().fold(0_u64, |sum, size| sum.saturating_add(*size));
        let (table, sums) = (Self::table(ranks, n), Self::table(ranks, input.near(total)));
        let sizes: *const u64 = if n > 64 { ptr::null() } else { sizes.as_ptr() };
        let mut data = Memory::new(total.min(1 << 14));
        let from: *const c_void = if total > 1 << 14 { ptr::null() } else { data.address() };
        let encode = c_int::from(input.rarely(2));
        let (text, length) = Self::userstr(input);
        let how = input.rarely(2);
        on_file(self, "scda_fwrite_varray", f, input, |err| unsafe {
            let (text, table, sums) = (text.as_ptr().cast(), table.as_ptr(), sums.as_ptr());
            if how {
                scda_fwrite_varray(f, from, table, sizes, sums, 0, text, encode, err)
            } else {
                scda_fwrite_varray_n(f, from, table, sizes, sums, 0, text.cast(), length, encode, err)
            }
        });
    }
}
