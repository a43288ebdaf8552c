//! Damage as a table: every command that reads, on every class of damage, with the verdicts of `check` and of `check
//! --lenient`, and whether a command may use the data. Exit statuses follow from these: no command makes a good file of
//! a damaged one, and no damage that can be noticed is called good.

mod archives;
mod containers;
mod fields;
mod sets;
mod table;
