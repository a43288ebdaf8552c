//! Calls of [`MatrixReader`].

use std::fmt::Debug;

use host_tests::matrices;
use linkstream::inebin::Value;
use linkstream::io::{MatrixReader, ReadError};

use super::{Case, replaced, run};

const CALLS: &[&str] = &[
    "read",
    "read",
    "next_row",
    "next_row",
    "read_entries_seeking",
    "read_entries_seeking",
    "resume",
    "finish",
];

/// A matrix, and the place in it.
struct Model<'m, T> {
    entries: &'m [T],
    columns: usize,
    /// The possible places of the next entry: several after a call that failed while it passed entries.
    places: Vec<usize>,
    /// The beginning of the row that `read_entries_seeking` was to go to. If it has failed inside a byte of the row
    /// before, the next row is this one, and there is no next entry.
    row: Option<usize>,
    /// The number of entries that the call before has delivered although it failed.
    pending: usize,
}

impl<T: Copy + PartialEq + Debug> Model<'_, T> {
    /// A call has delivered entries. It began at one of the places.
    fn deliver(&mut self, entries: &[T]) {
        assert_eq!(self.pending, 0);
        self.places.retain(|place| self.entries[*place..].starts_with(entries));
        assert!(!self.places.is_empty(), "{entries:?}");
        self.places.iter_mut().for_each(|place| *place += entries.len());
        self.row = None;
    }

    /// The beginnings of the next row.
    fn rows(&self) -> Vec<usize> {
        self.places.iter().map(|place| place.next_multiple_of(self.columns)).chain(self.row).collect()
    }

    /// A call that begins at one of these places has failed. It has replaced entries.
    fn fail(&mut self, places: &[usize], entries: &[T]) {
        if !entries.is_empty() {
            self.places = places.to_vec();
            self.deliver(entries);
            self.pending = entries.len();
        }
    }
}

/// A slice for a call that begins at this place: each entry is another than the one that is to be delivered.
fn others<T: Copy + PartialEq>(entries: &[T], from: usize, length: usize, values: [T; 2]) -> Vec<T> {
    let entry = |place: usize| entries.get(place).copied().unwrap_or(values[0]);
    (from..from + length).map(|place| if entry(place) == values[0] { values[1] } else { values[0] }).collect()
}

/// `values` are two different ones.
fn case<T: Value + PartialEq + Debug>(
    case: &mut Case,
    file: &[u8],
    entries: &[T],
    columns: usize,
    values: [T; 2],
) {
    let mut reader = MatrixReader::new(case.source(file), case.buffer());
    let mut model = Model { entries, columns, places: vec![0], row: None, pending: 0 };
    for _ in 0..30 {
        let result = match case.call(CALLS) {
            "read" => {
                let before = others(entries, model.places[0], case.random.below(9), values);
                let mut out = before.clone();
                let result = case.check(reader.read(&mut out));
                match &result {
                    Ok(n) => {
                        model.deliver(&out[..*n]);
                        assert!(*n == out.len() || model.places.contains(&entries.len()));
                        case.delivered += 1;
                    }
                    Err(_) => model.fail(&model.places.clone(), &out[..replaced(&out, &before)]),
                }
                result.map(|_| ())
            }
            "next_row" => {
                let rows = model.rows();
                let before = others(entries, rows[0], columns, values);
                let mut out = before.clone();
                match case.check(reader.next_row(&mut out)) {
                    Ok(true) => {
                        model.places = rows;
                        model.deliver(&out);
                        case.delivered += 1;
                        Ok(())
                    }
                    Ok(false) => {
                        assert!(rows.contains(&entries.len()));
                        return;
                    }
                    Err(error) => {
                        // It may have passed any part of the rest of the row before.
                        let passed = model.places.iter().zip(&rows).flat_map(|(place, row)| *place..=*row);
                        let passed: Vec<usize> = passed.collect();
                        if model.places == rows {
                            model.fail(&rows, &out[..replaced(&out, &before)]);
                        } else if model.pending == 0 {
                            // The slice has been used for that part, too.
                            model.fail(&rows, &out[..reader.resume()]);
                            if model.pending == 0 {
                                model.places = passed;
                            }
                            model.pending = 0;
                        }
                        Err(error)
                    }
                }
            }
            "read_entries_seeking" => {
                let place = case.random.below(entries.len());
                let before = others(entries, place, case.random.below(9).min(entries.len() - place), values);
                let mut out = before.clone();
                let (row, column) = ((place / columns) as u32, (place % columns) as u32);
                let pending = model.pending;
                let result = reader.read_entries_seeking(row, column, &mut out);
                if matches!(result, Err(ReadError::Format(_))) {
                    // The matrix is complete.
                    return;
                }
                match case.check(result) {
                    Ok(()) => {
                        (model.places, model.pending) = (vec![place], 0);
                        model.deliver(&out);
                        case.delivered += 1;
                        Ok(())
                    }
                    Err(error) => {
                        let n = replaced(&out, &before);
                        model.pending = 0;
                        model.fail(&[place], &out[..n]);
                        if n == 0 {
                            // It may have failed before or after it moved.
                            model.places.push(place);
                            model.row = Some(place - place % columns);
                            let done = reader.resume();
                            assert!(done == 0 || done == pending, "{done}");
                        }
                        Err(error)
                    }
                }
            }
            "resume" => {
                assert_eq!(reader.resume(), model.pending);
                model.pending = 0;
                Ok(())
            }
            "finish" if !case.is_chosen(4) => continue,
            "finish" => match case.check(reader.finish()) {
                Ok(()) => return,
                error => error,
            },
            call => panic!("{call}"),
        };
        match result {
            Ok(()) | Err(ReadError::Io(_) | ReadError::Lost | ReadError::NotOpen) => {}
            Err(ReadError::Interrupted { done }) => assert!(done > 0 && done == model.pending as u64),
            Err(error) => panic!("{error:?}"),
        }
    }
}

#[test]
fn entries_are_read_by_any_calls() {
    let integers: Vec<u128> = (0..20).collect();
    let file = matrices::file('Z', 4, 5, &integers);
    let entries: Vec<i64> = (0..20).collect();
    let delivered = run(1000, |each| case(each, &file, &entries, 5, [-1, -2]));
    assert!(delivered > 1000, "{delivered}");

    let bits: Vec<u128> =
        host_tests::archives::noise(65).into_iter().map(|byte| (byte >> 7).into()).collect();
    let file = matrices::file('B', 5, 13, &bits);
    let entries: Vec<bool> = bits.iter().map(|bit| *bit == 1).collect();
    let delivered = run(1000, |each| case(each, &file, &entries, 13, [false, true]));
    assert!(delivered > 1000, "{delivered}");
}
