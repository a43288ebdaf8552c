//! Layouts of the program and of the library.

use std::mem::MaybeUninit;

use super::*;

impl Program {
    pub(super) fn new_layout(&mut self, input: &mut Input<'_>) {
        if self.layouts.len() > 6 {
            return;
        }
        let dimensions = input.near(4);
        let extents: Vec<c_int> = (0..8)
            .map(|_| match input.byte() {
                0 => 2,
                byte @ 1..=240 => c_int::from(byte) % 6 + 1,
                _ => input.number() as c_int,
            })
            .collect();
        let known = &extents[..(dimensions as usize).min(8)];
        let volume = known.iter().fold(1_u64, |all, it| all.wrapping_mul(*it as u64));
        // So many nodes have memory, but not in this test.
        let nodes = match input.near(1) {
            nodes @ 4096..0x8000_0000 => nodes % 4096,
            nodes => nodes,
        };
        let functions = input.byte();
        let boxed: Box<[c_int; 8]> = Box::new(extents.clone().try_into().expect("8 numbers"));
        let sites = (volume.wrapping_add(nodes).wrapping_sub(1)).checked_div(nodes).unwrap_or(0);
        let has = |bit: u8| functions & bit == 0;
        let layout = QioLayout {
            node_number: has(1).then_some(node_number as unsafe extern "C" fn(*const c_int) -> c_int),
            node_index: has(1).then_some(node_index as unsafe extern "C" fn(*const c_int) -> c_int),
            get_coords: (has(1) || functions == 255)
                .then_some(get_coords as unsafe extern "C" fn(*mut c_int, c_int, c_int)),
            num_sites: has(3).then_some(num_sites as unsafe extern "C" fn(c_int) -> c_int),
            extended: MaybeUninit::new(Extended {
                node_number: has(4)
                    .then_some(node_number_ext as unsafe extern "C" fn(*const c_int, *mut c_void) -> c_int),
                node_index: has(4)
                    .then_some(node_index_ext as unsafe extern "C" fn(*const c_int, *mut c_void) -> u64),
                get_coords: has(4)
                    .then_some(get_coords_ext as unsafe extern "C" fn(*mut c_int, c_int, u64, *mut c_void)),
                num_sites: has(8).then_some(num_sites_ext as unsafe extern "C" fn(c_int, *mut c_void) -> u64),
                arg: ptr::without_provenance_mut(ARGUMENT),
            }),
            latsize: if input.rarely(64) { ptr::null_mut() } else { boxed.as_ptr().cast_mut().cast() },
            latdim: dimensions as c_int,
            volume: input.near(volume) as usize,
            sites_on_node: input.near(sites) as usize,
            this_node: input.near(0) as c_int,
            number_of_nodes: nodes as c_int,
        };
        // One lattice for all functions: the last one.
        let choices =
            if input.rarely(4) { (0..input.below(12)).map(|_| input.byte()).collect() } else { Vec::new() };
        // With 0 dimensions, the file decides: functions for 4.
        let known = if dimensions == 0 { &extents[..4] } else { known };
        let small = known.iter().all(|it| (1..64).contains(it));
        LATTICE.set(Lattice {
            extents: if small { known.to_vec() } else { vec![2; known.len()] },
            nodes: nodes.clamp(1, 8),
            choices,
            size: 0,
            got: BTreeMap::new(),
        });
        self.extents.push(boxed);
        self.layouts.push(Box::new(layout));
    }

    pub(super) fn make_layout(&mut self, input: &mut Input<'_>) {
        let layout = self.layout(input).cast_mut();
        let mut filesystem = Self::filesystem(input);
        let filesystem = filesystem.as_mut().map_or(ptr::null_mut(), ptr::from_mut);
        if self.made_layouts.len() > 6 {
            return;
        }
        let kind = input.below(3) as u8;
        let new = made("a layout", || unsafe {
            match kind {
                0 => QIO_create_ionode_layout(layout, filesystem),
                1 => QIO_create_scalar_layout(layout, filesystem),
                _ => QIO_check_layout_ext(layout),
            }
        });
        if !new.is_null() {
            self.made_layouts.push((kind, new));
        }
    }

    pub(super) fn delete_layout(kind: u8, layout: *mut QioLayout) {
        silent("the end of a layout", || match kind {
            0 => QIO_delete_ionode_layout(layout),
            1 => QIO_delete_scalar_layout(layout),
            _ => QIO_free_layout_ext(layout),
        });
    }

    pub(super) fn use_layout(&mut self, input: &mut Input<'_>) {
        let Some((kind, layout)) = self.made_layouts.last().copied() else { return };
        let [node, index] = [input.near(0) as c_int, input.number() as c_int];
        silent("QIO_ionode_io_node", || QIO_ionode_io_node(node));
        silent("QIO_get_io_node_rank", || QIO_get_io_node_rank(node));
        silent("QIO_ionode_to_scalar_index", || QIO_ionode_to_scalar_index(node, index));
        silent("QIO_scalar_to_ionode_index", || QIO_scalar_to_ionode_index(node, index));
        let mut coords = [0; 16].map(|_: c_int| input.near(1) as c_int);
        let coords = coords.as_mut_ptr();
        // SAFETY: the layout exists, and has functions; there is room for coordinates.
        unsafe {
            let Extended { node_number, node_index, get_coords, num_sites, arg } =
                (*layout).extended.assume_init();
            silent("node_number_ext", || node_number.expect("a function")(coords, arg));
            silent("node_index_ext", || node_index.expect("a function")(coords, arg));
            silent("get_coords_ext", || get_coords.expect("a function")(coords, node, index as u64, arg));
            silent("num_sites_ext", || num_sites.expect("a function")(node, arg));
            if input.rarely(4) {
                let wrong = ptr::without_provenance_mut(input.number() as usize);
                silent("num_sites_ext", || num_sites.expect("a function")(node, wrong));
            }
        }
        if input.rarely(2) {
            if input.rarely(8) {
                // Another call than the right one.
                Self::delete_layout((kind + 1) % 3, layout);
            }
            self.made_layouts.pop();
            Self::delete_layout(kind, layout);
        }
    }
}
