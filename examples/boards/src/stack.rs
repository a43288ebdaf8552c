//! An upper bound of the stack of each program, from its call graph. It holds for every input, while the deepest stack in
//! a run is the one of one input.
//!
//! The bound is the deepest path from the entry point, plus the deepest one of an interrupt and the registers that the
//! processor saves for it: interrupts do not interrupt each other in these programs. An indirect call is counted as if it
//! reached every function whose address is taken. Functions that could call each other only through such calls are
//! listed, and the frames of all of them are added up. Recursion by direct calls has no bound, so it is an error.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use crate::board::Board;
use crate::budget::{Budget, Figures};
use crate::graph::{Function, Graph};
use crate::run::{INFLATING_SCDA, SHIPPED};
use crate::toolchain::firmware;

/// The boards whose bounds are limited, and compared with the stacks of runs. The code for the MPS2 is like that for the
/// LM3S6965.
const LIMITED: [Board; 3] = [Board::Microbit, Board::Lm3s6965, Board::SifiveE];
/// The group of the budget.
pub const GROUP: &str = "memory: bound of the stack";
/// The group of the largest stacks in runs.
pub const DEEPEST: &str = "memory: deepest stack";
#[derive(Args)]
pub struct Choice {
    /// The board of the programs; those for the MPS2 have no limits
    #[arg(long, default_value = "lm3s6965")]
    board: Board,
    /// Only this linked program, which was built with `-Z emit-stack-sizes`; it has no limit
    #[arg(long)]
    file: Option<PathBuf>,
}

/// The bound of a program.
#[derive(Debug)]
struct Bound {
    bytes: u64,
    /// The deepest path: names and frames.
    path: Vec<(String, u64)>,
    /// The deepest path of an interrupt.
    interrupt: Vec<(String, u64)>,
    /// The sites of indirect calls.
    indirect: Vec<String>,
    /// The functions whose address is taken.
    taken: Vec<String>,
    /// Functions that could call each other if each indirect call reached every function whose address is taken.
    cycles: Vec<String>,
    /// Functions that call themselves or each other by direct calls.
    recursion: Vec<String>,
}

/// The bounds of the programs on a board.
fn programs(board: Board) -> Result<Vec<(String, Bound)>> {
    let folder = SHIPPED.run(board.target())?;
    let mut bounds = Vec::new();
    for name in SHIPPED.programs()? {
        bounds.push((format!("{name} on {}", board.name()), bound(&folder.join(&name))?));
    }
    if board.has_room_to_inflate() {
        let program = INFLATING_SCDA.run(board.target())?.join("scda");
        bounds.push((format!("scda with inflate on {}", board.name()), bound(&program)?));
    }
    Ok(bounds)
}

/// Adds the bounds to the figures. Returns messages about recursion.
pub fn figures(put: &mut impl FnMut(&str, &str, f64)) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for board in LIMITED {
        for (name, bound) in programs(board)? {
            put(GROUP, &name, bound.bytes as f64);
            wrong.extend(bound.recursion.iter().map(|cycle| format!("{name}: recursion: {cycle}")));
        }
    }
    Ok(wrong)
}

/// Returns a message for each program whose stack was deeper in a run than its bound, or that has no bound: the call
/// graph is then wrong.
pub fn below_measured(figures: &Figures) -> Vec<String> {
    let bounds = figures.get(GROUP);
    let measured = figures.get(DEEPEST).into_iter().flatten();
    let wrong = measured.filter_map(|(name, deepest)| match bounds.and_then(|bounds| bounds.get(name)) {
        Some(bound) if deepest <= bound => None,
        Some(bound) => {
            Some(format!("{name}: {deepest} bytes of stack were used, more than the bound of {bound}"))
        }
        None => Some(format!("{name}: the stack was measured, but has no bound")),
    });
    wrong.collect()
}

/// Prints the bounds with their paths, and compares them with the budget.
pub fn check(choice: &Choice) -> Result<bool> {
    if let Some(file) = &choice.file {
        let bound = bound(file)?;
        bound.print(&file.display().to_string());
        return Ok(bound.recursion.is_empty());
    }
    let board = choice.board;
    let (mut figures, mut wrong) = (Figures::new(), 0);
    for (name, bound) in programs(board)? {
        bound.print(&name);
        wrong += bound.recursion.len();
        figures.entry(GROUP.to_owned()).or_default().insert(name, bound.bytes as f64);
    }
    if LIMITED.contains(&board) {
        let budget = Budget::read(&firmware())?.of_group(GROUP, board.name());
        for violation in budget.violations(&figures) {
            println!("BUDGET VIOLATED: {violation}");
            wrong += 1;
        }
    }
    Ok(wrong == 0)
}

impl Bound {
    fn print(&self, name: &str) {
        println!("{} bytes: {name}", self.bytes);
        for (title, path) in [("deepest path", &self.path), ("deepest interrupt", &self.interrupt)] {
            println!("  {title}");
            for (name, frame) in path {
                println!("    {frame:6} {name}");
            }
        }
        for site in &self.indirect {
            println!("  indirect: {site}");
        }
        if !self.indirect.is_empty() {
            println!("  an indirect call can reach: {}", self.taken.join(", "));
        }
        for cycle in &self.cycles {
            println!("  each at most once at a time: {cycle}");
        }
        for cycle in &self.recursion {
            println!("  RECURSION: {cycle}");
        }
    }
}

/// The bound of a linked program in bytes. Recursion is an error.
pub fn bytes(program: &Path) -> Result<u64> {
    let bound = bound(program)?;
    ensure!(bound.recursion.is_empty(), "{}: recursion: {}", program.display(), bound.recursion.join("; "));
    Ok(bound.bytes)
}

fn bound(program: &Path) -> Result<Bound> {
    let bytes = fs::read(program).with_context(|| program.display().to_string())?;
    let graph = Graph::of(&bytes).with_context(|| program.display().to_string())?;
    Ok(of_graph(&graph))
}

fn of_graph(graph: &Graph) -> Bound {
    let mut search =
        Search { graph, order: BTreeMap::new(), open: Vec::new(), groups: Vec::new(), of: BTreeMap::new() };
    let main = search.depth(graph.entry);
    let handler = graph.handlers.iter().map(|at| (search.depth(*at), *at)).max();
    let (interrupt, at) = handler.map_or((0, None), |(depth, at)| (depth + graph.saved, Some(at)));
    let reached: Vec<_> = search.of.keys().filter_map(|at| graph.functions.get(at)).collect();
    let site = |name: &str, at: &u64| format!("{name} + {at:#x}");
    let name = |at: &u64| graph.functions.get(at).map(|function| function.name.clone());
    Bound {
        bytes: main + interrupt,
        path: search.path(graph.entry),
        interrupt: at.map_or_else(Vec::new, |at| search.path(at)),
        indirect: reached.iter().flat_map(|f| f.indirect.iter().map(|at| site(&f.name, at))).collect(),
        taken: graph.taken.iter().filter_map(name).collect(),
        cycles: search
            .groups
            .iter()
            .filter(|group| group.is_cycle)
            .map(|group| group.names.clone())
            .collect(),
        recursion: search
            .groups
            .iter()
            .filter(|group| group.is_unbounded)
            .map(|group| group.names.clone())
            .collect(),
    }
}

/// Functions that can call each other (a strongly connected component of the graph), or a single function.
struct Group {
    names: String,
    frames: u64,
    /// Depth from here, and the next group on the deepest path.
    depth: u64,
    next: Option<usize>,
    is_cycle: bool,
    is_unbounded: bool,
}

/// Tarjan's search for the groups. A group is complete after all groups that it calls, so its depth is known then.
struct Search<'a> {
    graph: &'a Graph,
    /// Number of each function in the order of the search.
    order: BTreeMap<u64, usize>,
    /// The functions whose group is not complete.
    open: Vec<u64>,
    groups: Vec<Group>,
    /// The group of each function.
    of: BTreeMap<u64, usize>,
}

impl Search<'_> {
    fn depth(&mut self, at: u64) -> u64 {
        if !self.order.contains_key(&at) {
            self.visit(at);
        }
        self.of.get(&at).and_then(|group| self.groups.get(*group)).map_or(0, |group| group.depth)
    }

    /// Returns the smallest number of an open function that this one reaches.
    fn visit(&mut self, at: u64) -> usize {
        let Some(function) = self.graph.functions.get(&at) else { return usize::MAX };
        let own = self.order.len();
        self.order.insert(at, own);
        self.open.push(at);
        let mut lowest = own;
        for to in called(self.graph, function) {
            lowest = lowest.min(match self.order.get(&to) {
                None => self.visit(to),
                Some(number) if !self.of.contains_key(&to) => *number,
                Some(_) => usize::MAX,
            });
        }
        if lowest == own {
            let from = self.open.iter().position(|open| *open == at).unwrap_or(0);
            let members = self.open.split_off(from);
            self.close(&members);
        }
        lowest
    }

    fn close(&mut self, members: &[u64]) {
        let functions: Vec<_> = members.iter().filter_map(|at| self.graph.functions.get(at)).collect();
        let calls = |only_direct: bool| {
            let called = |f: &&Function| if only_direct { f.calls.clone() } else { called(self.graph, f) };
            functions.iter().flat_map(called).collect::<BTreeSet<_>>()
        };
        let is_cycle = members.len() > 1 || members.iter().any(|at| calls(false).contains(at));
        let names = functions.iter().map(|f| f.name.as_str()).collect::<Vec<_>>().join(", ");
        let frames: u64 = functions.iter().map(|f| f.frame).sum();
        let is_unbounded = is_cycle && direct_cycle(self.graph, members);
        let next: Vec<usize> = calls(false).iter().filter_map(|to| self.of.get(to)).copied().collect();
        let next =
            next.into_iter().max_by_key(|group| self.groups.get(*group).map_or(0, |group| group.depth));
        let deeper = next.and_then(|group| self.groups.get(group)).map_or(0, |group| group.depth);
        for at in members {
            self.of.insert(*at, self.groups.len());
        }
        self.groups.push(Group { names, frames, depth: frames + deeper, next, is_cycle, is_unbounded });
    }

    fn path(&self, from: u64) -> Vec<(String, u64)> {
        let mut path = Vec::new();
        let mut at = self.of.get(&from).copied();
        while let Some(group) = at.and_then(|at| self.groups.get(at)) {
            path.push((group.names.clone(), group.frames));
            at = group.next;
        }
        path
    }
}

/// The functions that this one can call.
fn called(graph: &Graph, function: &Function) -> BTreeSet<u64> {
    let mut called = function.calls.clone();
    if !function.indirect.is_empty() {
        called.extend(&graph.taken);
    }
    called
}

/// True if a function of the group reaches itself by direct calls alone.
fn direct_cycle(graph: &Graph, members: &[u64]) -> bool {
    members.iter().any(|start| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![*start]);
        while let Some(at) = next.pop() {
            for to in graph.functions.get(&at).into_iter().flat_map(|f| &f.calls) {
                if to == start {
                    return true;
                }
                if members.contains(to) && seen.insert(*to) {
                    next.push(*to);
                }
            }
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(functions: &[(u64, u64, &[u64], bool)], taken: &[u64], handlers: &[u64]) -> Graph {
        let function = |(at, frame, calls, is_indirect): &(u64, u64, &[u64], bool)| {
            let indirect = if *is_indirect { vec![2] } else { Vec::new() };
            let calls = calls.iter().copied().collect();
            (*at, Function { name: format!("f{at}"), frame: *frame, calls, indirect, ..Function::default() })
        };
        Graph {
            functions: functions.iter().map(function).collect(),
            taken: taken.iter().copied().collect(),
            entry: 0,
            handlers: handlers.iter().copied().collect(),
            saved: 50,
        }
    }

    #[test]
    fn the_deepest_path_counts() {
        let bound = of_graph(&graph(
            &[(0, 8, &[1, 2], false), (1, 100, &[], false), (2, 16, &[1, 3], false), (3, 90, &[], false)],
            &[],
            &[],
        ));
        assert_eq!((bound.bytes, bound.recursion.len()), (124, 0));
        let names: Vec<_> = bound.path.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["f0", "f2", "f1"]);
    }

    #[test]
    fn an_indirect_call_reaches_each_function_whose_address_is_taken() {
        let functions = [(0, 8, &[][..], true), (1, 100, &[], false), (2, 200, &[], false)];
        let bound = of_graph(&graph(&functions, &[1], &[]));
        assert_eq!((bound.bytes, bound.indirect.len()), (108, 1));
        // An interrupt comes at the deepest place.
        assert_eq!(of_graph(&graph(&functions, &[1], &[2])).bytes, 108 + 200 + 50);
    }

    #[test]
    fn a_bound_below_the_measured_stack_is_wrong() {
        let figures = |bound: f64| -> Figures {
            [
                (GROUP, "a on lm3s6965", bound),
                (DEEPEST, "a on lm3s6965", 100.0),
                (DEEPEST, "b on lm3s6965", 1.0),
            ]
            .into_iter()
            .fold(Figures::new(), |mut figures, (group, name, figure)| {
                figures.entry(group.to_owned()).or_default().insert(name.to_owned(), figure);
                figures
            })
        };
        assert_eq!(
            below_measured(&figures(100.0)),
            ["b on lm3s6965: the stack was measured, but has no bound"]
        );
        let wrong = below_measured(&figures(99.0));
        assert_eq!(wrong[0], "a on lm3s6965: 100 bytes of stack were used, more than the bound of 99");
        assert_eq!(wrong.len(), 2);
    }

    #[test]
    fn recursion_is_reported_by_name() {
        let functions = [(0, 8, &[1][..], false), (1, 8, &[2], false), (2, 8, &[1], false)];
        assert_eq!(of_graph(&graph(&functions, &[], &[])).recursion, ["f1, f2"]);
        assert_eq!(of_graph(&graph(&[(0, 8, &[0][..], false)], &[], &[])).recursion, ["f0"]);
    }
}
