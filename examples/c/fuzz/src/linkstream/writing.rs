//! Calls that write.

use super::*;

impl Program {
    pub(super) fn finish(&mut self, w: *mut Writer, discards: bool) {
        set_again(Some(Box::new(move || {
            let code = linkstream_writer_discard(w);
            assert!(code < 0, "a writer is discarded while it is used");
        })));
        if discards {
            answered("linkstream_writer_discard", || linkstream_writer_discard(w));
        } else {
            answered("linkstream_writer_finish", || linkstream_writer_finish(w));
        }
        set_again(None);
        self.live_writers.retain(|it| *it != w);
    }

    pub(super) fn create(&mut self, input: &mut Input<'_>) {
        if self.writers.len() > 4 {
            return;
        }
        let mut how = sized::<NewFile>(input);
        how.flags = input.near(1) as u32;
        how.documents = input.below(4) as i32;
        how.dimensions = input.near(4) as u32;
        for extent in &mut how.extents {
            *extent = input.near(2) as u32;
        }
        let texts = [input.text(), input.text(), input.text()]
            .map(|text| if input.rarely(4) { Some(text) } else { None });
        let [file_xml, lfn, date] =
            texts.each_ref().map(|it| it.as_ref().map_or(ptr::null(), |it| it.as_ptr().cast()));
        (how.file_xml, how.lfn, how.date) = (file_xml, lfn, date);
        (how.progress, how.context) = progress_of(input);
        let mut new = ptr::dangling_mut();
        let place = place(input, &mut new);
        let (path, _) = self.path(input);
        let path = path.as_ref().map_or(ptr::null(), |path| path.as_ptr());
        let how = if input.rarely(64) { ptr::null() } else { &raw const how };
        let code = answered("linkstream_create", || unsafe { linkstream_create(path, how, place) });
        if !place.is_null() {
            assert_eq!(code == 0, !new.is_null());
            if code == 0 {
                self.writers.push(new);
                self.live_writers.push(new);
            }
        }
    }

    /// Numbers of an array.
    pub(super) fn numbers(input: &mut Input<'_>, right: u64, element: i32) -> Memory {
        let size = input.near(right);
        let mut memory = Memory::new(size.min(1 << 16));
        let value = match input.below(4) {
            0 => 1.0,
            1 => f64::NAN,
            2 => 1e300,
            _ => 0.0,
        };
        let (count, place) = (memory.length as usize / 8, memory.address::<u8>());
        for index in 0..count {
            // SAFETY: the memory has room for so many numbers.
            unsafe {
                if element == 1 {
                    place.cast::<f32>().add(2 * index).write_unaligned(value as f32);
                } else {
                    place.cast::<f64>().add(index).write_unaligned(value);
                }
            }
        }
        memory
    }

    pub(super) fn again_with_writer(&self, w: *mut Writer) {
        set_again(Some(Box::new(move || {
            assert!(linkstream_writer_finish(w) < 0, "a writer is finished while it is used");
        })));
    }

    pub(super) fn write_gauge(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let w = input.handle(&self.writers, others);
        let mut how = sized::<NewGauge>(input);
        (how.element, how.stored) = (1 + input.near(0) as i32, input.below(4) as i32);
        let (kind, xml, update) = (input.text(), input.text(), input.text());
        if input.rarely(4) {
            how.kind = [c"su2gauge".as_ptr(), kind.as_ptr().cast()][input.below(2)];
            how.record_xml = xml.as_ptr().cast();
            how.update = update.as_ptr().cast();
        }
        let size = if how.element == 1 { 4 } else { 8 };
        let mut memory = Self::numbers(input, 16 * 72 * size, how.element);
        let links: *const c_void = memory.address();
        self.again_with_writer(w);
        answered("linkstream_write_gauge", || unsafe {
            linkstream_write_gauge(w, &raw const how, links, memory.length as usize)
        });
        set_again(None);
    }

    pub(super) fn write_field(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let w = input.handle(&self.writers, others);
        let mut how = sized::<NewField>(input);
        (how.element, how.stored) = (1 + input.near(0) as i32, input.below(4) as i32);
        how.flags = input.near(0) as u32;
        (how.colors, how.spins) = (input.number() as u32, input.number() as u32);
        (how.items, how.components) = (input.near(1) as u32, input.near(6) as u32);
        let (datatype, xml) = (input.text(), input.text());
        how.datatype = if input.rarely(16) { ptr::null() } else { datatype.as_ptr().cast() };
        how.record_xml = if input.rarely(4) { xml.as_ptr().cast() } else { ptr::null() };
        let sites = if how.flags & 1 == 0 { 16 } else { 1 };
        let size = if how.element == 1 { 4 } else { 8 };
        let right = u64::from(how.items).saturating_mul(how.components.into()).saturating_mul(sites * size);
        let mut memory = Self::numbers(input, right, how.element);
        let numbers: *const c_void = memory.address();
        self.again_with_writer(w);
        answered("linkstream_write_field", || unsafe {
            linkstream_write_field(w, &raw const how, numbers, memory.length as usize)
        });
        set_again(None);
    }
}
