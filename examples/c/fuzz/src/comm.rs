//! The functions of a program with ranks. There is only one rank, which answers for the others as if they did the same,
//! or does it wrong.

use std::cell::RefCell;
use std::ffi::{c_int, c_void};

use linkstream_c_border::{Failure, fail, last};
use linkstream_c_ranks::{Callbacks, Outgoing, Room};

/// Behaviour of the functions, and what they may call.
#[derive(Debug, Default)]
pub struct World {
    /// A choice for each call of a function; after the last one, all goes well.
    choices: Vec<u8>,
}

thread_local! {
    static WORLD: RefCell<World> = RefCell::default();
    /// A call of the library, which a function makes.
    static AGAIN: RefCell<Option<Box<dyn Fn()>>> = const { RefCell::new(None) };
}

/// Sets the behaviour, and the structure for it.
pub fn callbacks(size: usize, choices: Vec<u8>) -> Callbacks {
    let transfers = choices.first().is_some_and(|choice| choice % 2 == 0);
    WORLD.set(World { choices });
    Callbacks {
        struct_size: size_of::<Callbacks>(),
        context: std::ptr::without_provenance_mut(size),
        rank: 0,
        size: size as c_int,
        node_leader: 0,
        combine: Some(combine),
        broadcast: Some(broadcast),
        transfer: transfers.then_some(transfer),
        counts: (!transfers).then_some(counts),
        exchange: (!transfers).then_some(exchange),
    }
}

/// Sets the call that functions make.
pub fn set_again(again: Option<Box<dyn Fn()>>) {
    AGAIN.set(again);
}

/// Calls the library from inside a function that it runs.
pub fn again() {
    // Not once more from inside this one.
    if let Some(call) = AGAIN.take() {
        let before = last();
        call();
        AGAIN.set(Some(call));
        // Only errors of the call that is watched count.
        let message = last().message();
        assert!(!message.contains("a defect of this library"));
        fail(&Failure { message: before.message(), ..Failure::default() });
    }
}

/// The next choice: 0 if all goes well.
fn choice() -> u8 {
    WORLD.with_borrow_mut(|world| world.choices.pop().unwrap_or(0))
}

/// The fault, if there is one.
enum Wrong {
    No,
    Fails,
    DoesNothing,
    Garbage(u64),
}

fn wrong(context: *mut c_void) -> (Wrong, usize) {
    let choice = choice();
    let wrong = match choice {
        ..=199 => Wrong::No,
        200..=219 => {
            again();
            Wrong::No
        }
        220..=229 => Wrong::Fails,
        230..=239 => Wrong::DoesNothing,
        240..=249 => Wrong::Garbage(u64::from(choice)),
        // Nothing between: the other ranks would have so many bytes, and this one would exchange them for years.
        _ => Wrong::Garbage(u64::MAX - u64::from(choice)),
    };
    // The number of ranks is the context.
    (wrong, context.addr())
}

unsafe extern "C" fn combine(context: *mut c_void, op: c_int, numbers: *mut u64, count: usize) -> c_int {
    // SAFETY: as linkstream_comm.h says.
    let numbers = unsafe { std::slice::from_raw_parts_mut(numbers, count) };
    let (wrong, size) = wrong(context);
    match wrong {
        Wrong::Fails => return 7,
        Wrong::DoesNothing => return 0,
        Wrong::Garbage(garbage) => numbers.fill(garbage),
        Wrong::No => {
            for number in numbers {
                match op {
                    0 => *number = number.wrapping_mul(size as u64),
                    1 => {}
                    2 => *number *= size as u64 % 2,
                    3 => *number = 0,
                    _ => panic!("there is no operation {op}"),
                }
            }
        }
    }
    0
}

unsafe extern "C" fn broadcast(
    context: *mut c_void,
    root: c_int,
    bytes: *mut c_void,
    length: usize,
) -> c_int {
    let (wrong, size) = wrong(context);
    assert!((0..size as c_int).contains(&root) && length > 0);
    match wrong {
        Wrong::Fails => return 7,
        Wrong::Garbage(garbage) => {
            // SAFETY: as linkstream_comm.h says.
            unsafe { std::slice::from_raw_parts_mut(bytes.cast::<u8>(), length) }.fill(garbage as u8);
        }
        Wrong::DoesNothing | Wrong::No => {}
    }
    0
}

unsafe extern "C" fn counts(context: *mut c_void, to: *const u64, from: *mut u64) -> c_int {
    let (wrong, size) = wrong(context);
    // SAFETY: as linkstream_comm.h says.
    let to = unsafe { std::slice::from_raw_parts(to, size) };
    // SAFETY: as linkstream_comm.h says.
    let from = unsafe { std::slice::from_raw_parts_mut(from, size) };
    match wrong {
        Wrong::Fails => return 7,
        Wrong::DoesNothing => {}
        Wrong::Garbage(garbage) => from.fill(garbage),
        // Each rank sends as much as this one.
        Wrong::No => from.copy_from_slice(to),
    }
    0
}

unsafe extern "C" fn exchange(
    context: *mut c_void,
    send: *const c_void,
    to: *const u64,
    receive: *mut c_void,
    from: *const u64,
) -> c_int {
    let (wrong, size) = wrong(context);
    // SAFETY: as linkstream_comm.h says.
    let (to, from) =
        unsafe { (std::slice::from_raw_parts(to, size), std::slice::from_raw_parts(from, size)) };
    let (sent, received) = (to.iter().sum::<u64>() as usize, from.iter().sum::<u64>() as usize);
    // SAFETY: as linkstream_comm.h says.
    let send = unsafe { std::slice::from_raw_parts(send.cast::<u8>(), sent) };
    // SAFETY: as linkstream_comm.h says.
    let receive = unsafe { std::slice::from_raw_parts_mut(receive.cast::<u8>(), received) };
    match wrong {
        Wrong::Fails => return 7,
        Wrong::DoesNothing => {}
        Wrong::Garbage(garbage) => receive.fill(garbage as u8),
        Wrong::No => {
            for (to, from) in receive.iter_mut().zip(send) {
                *to = *from;
            }
        }
    }
    0
}

unsafe extern "C" fn transfer(
    context: *mut c_void,
    messages: *const Outgoing,
    count: usize,
    room: Room,
    receiver: *mut c_void,
) -> c_int {
    let (wrong, size) = wrong(context);
    // SAFETY: as linkstream_comm.h says.
    let messages = unsafe { std::slice::from_raw_parts(messages, count) };
    // SAFETY: as linkstream_comm.h says.
    let room = |rank: c_int, length: u64| unsafe { room(receiver, rank, length) };
    match wrong {
        Wrong::Fails => return 7,
        Wrong::DoesNothing => {}
        Wrong::Garbage(garbage) => {
            let _ = room(garbage as c_int, garbage);
            return c_int::from(garbage % 2 == 0);
        }
        // Each rank sends as much as this one.
        Wrong::No => {
            for (from, message) in (1..size).zip(messages) {
                let to = room(from as c_int, message.length);
                if to.is_null() {
                    return 1;
                }
                // SAFETY: both have this length.
                unsafe { to.copy_from(message.bytes, message.length as usize) };
            }
        }
    }
    0
}
