#!/usr/bin/env python3
"""Finds import cycles between the source files of a crate, and imports that violate the order of its layers.

    import_cycles.py CRATE_ROOT...      such as codec/src/lib.rs
    import_cycles.py --edges ROOT       also lists all imports
    import_cycles.py --self-test

File A imports file B if the code of A names, in a `use` or in a path, an item that B defines. Re-exports are followed
to the definition. Therefore a `mod.rs` that only declares and re-exports its children is in no cycle, but one that also
defines items that its children use is in one. `mod child;` is not an import, and neither are method calls, since they
name no file. Code under `#[cfg(test)]`, comments and documentation are ignored.

A crate root may list its top-level modules in layers, in a comment:

    // Layers, from the top. (Any text up to the end of the paragraph.)
    //
    //     io
    //     reading, writing

A module may import only from layers below its own, and not from other modules of its layer. Modules that are not listed
are below all layers.
"""

import os
import re
import sys
import tempfile


def blank(text):
    """The text with comments, strings and characters replaced by spaces. Line breaks are kept."""
    out, i, n = [], 0, len(text)

    def skip(to):
        nonlocal i
        out.append(re.sub(r"[^\n]", " ", text[i:to]))
        i = to

    while i < n:
        if text.startswith("//", i):
            end = text.find("\n", i)
            skip(n if end < 0 else end)
        elif text.startswith("/*", i):
            depth, j = 1, i + 2
            while depth and j < n:
                if text.startswith("/*", j):
                    depth, j = depth + 1, j + 2
                elif text.startswith("*/", j):
                    depth, j = depth - 1, j + 2
                else:
                    j += 1
            skip(j)
        elif (raw := re.compile(r'\b[bc]?r(#*)"').match(text, i)) and not text[i - 1 : i].isalnum():
            end = text.find('"' + raw.group(1), raw.end())
            skip(n if end < 0 else end + 1 + len(raw.group(1)))
        elif text[i] == '"':
            j = i + 1
            while j < n and text[j] != '"':
                j += 2 if text[j] == "\\" else 1
            skip(min(j + 1, n))
        elif char := re.compile(r"'(\\(x..|u\{[^}]*\}|.)|[^\\'\n])'").match(text, i):
            skip(char.end())
        else:
            out.append(text[i])
            i += 1
    return "".join(out)


def end_of_item(text, i):
    """The index after the `;` or the block that ends the item at `i`."""
    depth = 0
    while i < len(text):
        c = text[i]
        if c in "{([":
            depth += 1
        elif c in "})]":
            depth -= 1
            if depth == 0 and c == "}":
                return i + 1
        elif c == ";" and depth == 0:
            return i + 1
        i += 1
    return i


def without_tests(text):
    while match := re.search(r"#\s*\[\s*cfg\s*\(\s*(test|all\(test\b[^\]]*)\)\s*\]", text):
        i = match.end()
        while attribute := re.compile(r"\s*#\s*\[[^\]]*\]").match(text, i):
            i = attribute.end()
        end = end_of_item(text, i)
        text = text[: match.start()] + re.sub(r"[^\n]", " ", text[match.start() : end]) + text[end:]
    return text


def use_tree(tree, prefix=()):
    """Pairs of a path and the name that it is bound to (`*` for a glob, None for `_`)."""
    tree = tree.strip()
    if tree.endswith("}") and "{" in tree:
        head, _, rest = tree.partition("{")
        prefix += tuple(part.strip() for part in head.split("::") if part.strip())
        parts, depth, piece = [], 0, ""
        for c in rest[:-1]:
            depth += (c == "{") - (c == "}")
            if c == "," and depth == 0:
                parts.append(piece)
                piece = ""
            else:
                piece += c
        return [pair for part in parts + [piece] if part.strip() for pair in use_tree(part, prefix)]
    path, _, name = re.sub(r"\s+as\s+", " as ", tree).partition(" as ")
    segments = prefix + tuple(part.strip() for part in path.split("::") if part.strip())
    if segments and segments[-1] == "self":
        segments = segments[:-1]
    if not segments:
        return []
    return [(segments, None if name.strip() == "_" else name.strip() or segments[-1])]


class Module:
    def __init__(self, name, parent, file, text):
        self.name, self.parent, self.file = name, parent, file
        self.children, self.bindings, self.globs, self.items, self.paths = {}, {}, [], set(), []
        self.read(text)

    def folder(self):
        base = os.path.basename(self.file)
        folder = os.path.dirname(self.file)
        if self.parent and self.parent.file == self.file:
            return os.path.join(self.parent.folder(), self.name)
        return folder if base in ("mod.rs", "lib.rs", "main.rs") else os.path.join(folder, base[:-3])

    def read(self, text):
        # Inline modules are modules of their own.
        while match := re.search(r"\bmod\s+(\w+)\s*\{", text):
            end = end_of_item(text, match.start())
            inner = "\n" * text.count("\n", 0, match.end()) + text[match.end() : end - 1]
            self.children[match.group(1)] = Module(match.group(1), self, self.file, inner)
            text = text[: match.start()] + re.sub(r"[^\n]", " ", text[match.start() : end]) + text[end:]
        for match in re.finditer(r"\bmod\s+(\w+)\s*;", text):
            name = match.group(1)
            places = [os.path.join(self.folder(), name + ".rs"), os.path.join(self.folder(), name, "mod.rs")]
            file = next((place for place in places if os.path.exists(place)), None)
            if file is None:
                sys.exit(f"{self.file}: no file for `mod {name};`")
            with open(file, encoding="utf-8") as source:
                self.children[name] = Module(name, self, file, without_tests(blank(source.read())))
        for match in re.finditer(r"\buse\s+([^;]+);", text):
            line = text.count("\n", 0, match.start()) + 1
            for segments, name in use_tree(match.group(1)):
                self.paths.append((segments, line))
                if segments[-1] == "*":
                    self.globs.append(segments[:-1])
                elif name:
                    self.bindings[name] = segments
        text = re.sub(r"\buse\s+[^;]+;", lambda use: re.sub(r"[^\n]", " ", use.group()), text)
        kinds = r"\b(?:struct|enum|union|trait|type)\s+(\w+)|\bmacro_rules!\s*(\w+)"
        self.items.update(a or b for a, b in re.findall(kinds, text))
        depth, last = 0, 0
        for match in re.finditer(r"[{}]|\b(?:fn|const|static)\s+(?:mut\s+)?(\w+)", text):
            depth += (match.group() == "{") - (match.group() == "}")
            if depth == 0 and match.group(1):
                self.items.add(match.group(1))
        for match in re.finditer(r"(?<![\w:.])\$?([a-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)+)", text):
            segments = tuple(part.strip() for part in match.group(1).split("::"))
            self.paths.append((segments, text.count("\n", 0, match.start()) + 1))


def root_of(module):
    return root_of(module.parent) if module.parent else module


def resolve(module, segments, seen=None):
    """The module that a path names, or the file that defines the item that it names; None if it is in another crate.

    `seen` has what was found before on behalf of the same path, and None for what is being looked for: files that
    import everything of each other would otherwise be searched again and again.
    """
    seen = {} if seen is None else seen
    key = (id(module), segments)
    if key not in seen:
        seen[key] = None
        seen[key] = resolve_new(module, segments, seen)
    return seen[key]


def resolve_new(module, segments, seen):
    first, rest = segments[0], segments[1:]
    if first == "crate":
        here = root_of(module)
    elif first == "self":
        here = module
    elif first == "super":
        here = module.parent or module
    else:
        here = lookup(module, first, seen)
    for i, name in enumerate(rest):
        if not isinstance(here, Module):
            return here
        if name == "super":
            here = here.parent or here
            continue
        if name == "*":
            return here
        found = lookup(here, name, seen)
        # A name without a definition in the source text is defined by a macro of the file.
        here = here.file if found is None else found
    return here


def lookup(module, name, seen):
    """The module or the file that `name` refers to inside a module, or None."""
    key = (id(module), name)
    if key not in seen:
        seen[key] = None
        seen[key] = lookup_new(module, name, seen)
    return seen[key]


def lookup_new(module, name, seen):
    if name in module.children:
        return module.children[name]
    if name in module.items:
        return module.file
    if name in module.bindings:
        segments = module.bindings[name]
        if segments == (name,):
            return None
        return resolve(module, segments, seen)
    for segments in module.globs:
        origin = resolve(module, segments, seen)
        if isinstance(origin, Module) and origin is not module:
            found = lookup(origin, name, seen)
            if found is not None:
                return found
    return None


def modules(module):
    yield module
    for child in module.children.values():
        yield from modules(child)


def imports(root):
    """Edges between files: {(importer, imported): (line, path)}."""
    edges = {}
    for module in modules(root):
        for segments, line in module.paths:
            target = resolve(module, segments)
            # A path to a module is not an import; paths to items of the module are.
            if isinstance(target, str) and target != module.file:
                edges.setdefault((module.file, target), (line, "::".join(segments)))
    return edges


def components(edges):
    """Groups of two or more files in which every file imports every other, directly or indirectly."""
    graph = {}
    for a, b in edges:
        graph.setdefault(a, []).append(b)
        graph.setdefault(b, [])
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph[node]:
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            group = []
            while not group or group[-1] != node:
                group.append(stack.pop())
            if len(group) > 1:
                found.append(sorted(group))

    sys.setrecursionlimit(10_000)
    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def load(path):
    with open(path, encoding="utf-8") as source:
        return Module("crate", None, path, without_tests(blank(source.read())))


def layers(path):
    """The number of the layer, from the top, of each module that the crate root lists."""
    with open(path, encoding="utf-8") as source:
        found = re.search(r"^// Layers\b.*\n(?:// .*\n)*//\n((?://     .*\n)+)", source.read(), re.M)
    lines = found.group(1).splitlines() if found else []
    return {name.strip(): layer for layer, line in enumerate(lines) for name in line.removeprefix("//").split(",")}


def top_module(path, folder):
    """The top-level module that a file belongs to."""
    return os.path.relpath(path, folder).split(os.sep)[0].removesuffix(".rs")


def upward(path, root, edges):
    """Errors: imports of top-level modules outside lower layers, and listed modules that do not exist."""
    layer, folder = layers(path), os.path.dirname(path)
    errors = [f"{path} lists `{name}` in a layer, but there is no such module" for name in layer if name not in root.children]
    for (a, b), (line, name) in sorted(edges.items()):
        above, below = top_module(a, folder), top_module(b, folder)
        if path in (a, b) or above == below:
            continue
        lowest = len(layer)
        if below in layer and layer.get(above, lowest) >= layer[below]:
            errors.append(f"{a}:{line} imports {os.path.relpath(b, folder)} as {name}, which is not in a lower layer")
    return errors


def check(path, list_edges=False):
    root = load(path)
    edges = imports(root)
    files = {module.file for module in modules(root)}
    groups = components(edges)
    print(f"{path}: {len(files)} files, {len(edges)} imports between them, {len(groups)} import cycles")
    folder = os.path.dirname(path)
    if list_edges:
        for (a, b), (line, name) in sorted(edges.items()):
            print(f"  {os.path.relpath(a, folder)}:{line} imports {os.path.relpath(b, folder)} as {name}")
    for group in groups:
        print(f"error: {len(group)} files import each other:")
        for (a, b), (line, name) in sorted(edges.items()):
            if a in group and b in group:
                print(f"  {a}:{line} imports {os.path.relpath(b, folder)} as {name}")
    errors = upward(path, root, edges)
    for error in errors:
        print(f"error: {error}")
    return len(groups) + len(errors)


def written(folder, files):
    """Writes the files into `folder` and returns the path of the crate root."""
    for file, text in files.items():
        with open(os.path.join(folder, file + ".rs"), "w", encoding="utf-8") as out:
            out.write(text)
    return os.path.join(folder, "lib.rs")


def self_test():
    cases = {
        "two siblings": ({"lib": "mod a; mod b;", "a": "use crate::b::B; pub struct A;", "b": "use super::a::A; pub struct B;"}, 1),
        "over a re-export": (
            {"lib": "mod a; mod b; pub use b::B;", "a": "use crate::B; pub struct A;", "b": "fn f() { crate::a::A; } pub struct B;"},
            1,
        ),
        "a parent that defines what its child uses": (
            {"lib": "mod a; use a::f; pub struct P;", "a": "use super::P; pub fn f(p: P) {}"},
            1,
        ),
        "a parent that re-exports only": ({"lib": "mod a; mod b; pub use a::A; pub use b::B;", "a": "pub struct A;", "b": "use crate::A; pub struct B;"}, 0),
        "over a module bound to a name": (
            {"lib": "mod a; mod b;", "a": "use crate::b; fn f() -> b::B { b::B }  pub struct A;", "b": "use crate::{a}; type B = a::A;"},
            1,
        ),
        "in tests, comments and strings": (
            {
                "lib": "mod a; mod b;",
                "a": '// use crate::b::B;\nfn f() { "crate::b::B" }\n#[cfg(test)]\nmod tests { use crate::b::B; }\npub struct A;',
                "b": "use crate::a::A; pub struct B;",
            },
            0,
        ),
    }
    order = "// Layers, from the top.\n// Checked.\n//\n//     io\n//     a, b\nmod io; mod a; mod b; mod low;\n"
    sources = {"lib": order, "io": "use crate::a::A;", "a": "use crate::low::L; pub struct A;", "b": "pub struct B;", "low": "pub struct L;"}
    layered = {
        "to lower layers": ({}, 0),
        "to an upper layer": ({"b": "use crate::io::I;", "io": "pub struct I;"}, 1),
        "to the same layer": ({"b": "use crate::a::A;"}, 1),
        "from a module that is not listed": ({"low": "use crate::b::B; pub struct L;"}, 1),
        "a layer of no module": ({"lib": order.replace("//     io", "//     io, none")}, 1),
    }
    for name, (files, wanted) in cases.items():
        with tempfile.TemporaryDirectory() as folder:
            found = len(components(imports(load(written(folder, files)))))
            if found != wanted:
                sys.exit(f"self-test: {name}: {found} cycles instead of {wanted}")
    for name, (files, wanted) in layered.items():
        with tempfile.TemporaryDirectory() as folder:
            path = written(folder, sources | files)
            root = load(path)
            found = upward(path, root, imports(root))
            if len(found) != wanted:
                sys.exit(f"self-test: {name}: {found} instead of {wanted} errors")
    print(f"self-test: {len(cases) + len(layered)} cases")


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if not arguments or "--help" in arguments:
        sys.exit(__doc__)
    if arguments == ["--self-test"]:
        self_test()
        sys.exit()
    listed = "--edges" in arguments
    roots = [argument for argument in arguments if argument != "--edges"]
    sys.exit(1 if sum(check(root, listed) for root in roots) else 0)
