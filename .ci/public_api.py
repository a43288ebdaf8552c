#!/usr/bin/env python3
"""Shortens the list of public items that `cargo public-api -sss` prints, from standard input to standard output.

Each type is a heading, followed by its variants or fields, its constants and functions, and the names of the traits
that it implements. Functions of traits are listed with the trait only. Paths are relative to the module; items of the
standard library have no path.
"""

import re
import sys
import textwrap

HEAD = re.compile(r"((?:#\[[^]]*\] )*)pub (mod|struct|enum|union|trait|type) (\S.*)")
MEMBER = re.compile(r"(?:#\[[^]]*\] )*pub ((?:const |async |unsafe )*fn|const) (.*)")


def top_level(text, word):
    """Where `word` is outside of all brackets; -1 if nowhere."""
    depth = 0
    for i, c in enumerate(text):
        if depth == 0 and text.startswith(word, i):
            return i
        if c in "<([":
            depth += 1
        elif c in ")]" or c == ">" and text[i - 1] != "-":
            depth -= 1
    return -1


def short(text, module):
    """The text with paths relative to the module."""
    text = re.sub(r"\b(?:core|alloc|std)::(?:\w+::)*(\w+)", r"\1", text)
    text = re.sub(r"\b(?:embedded_io|embedded_io_async|defmt)::(?:\w+::)*(\w+)", r"\1", text)
    text = re.sub(r"<(\w+) as [\w:]+>", r"\1", text)
    if module:
        text = re.sub(rf"\blinkstream::{module}::(?=\w)", "", text)
    return re.sub(r"\blinkstream::", "", text)


def inside(line, owner):
    """What follows the path of `owner`, and its generic parameters, in the path of an item; None if it is not inside.

    The module does not count: a type that is re-exported is listed under one of its paths, its functions under another.
    """
    path = re.match(r"\w+(?:::\w+)*", line).group()
    start = path.find("::" + owner.rpartition("::")[2] + "::") + 2
    if not owner:
        return None
    if start > 1:
        return line[start + len(owner.rpartition("::")[2]) + 2 :]
    if path.rpartition("::")[2] != owner.rpartition("::")[2]:
        return None
    rest = line[len(path) :]
    rest = rest[max(top_level(rest, "::"), 0) :]
    return rest[2:] if rest.startswith("::") else None


def is_of_module(line):
    """True for a function or constant that is an item of a module. One can follow the members of a trait."""
    match = MEMBER.fullmatch(line)
    path = match and re.match(r"linkstream(?:::\w+)+", match.group(2))
    if not path:
        return False
    rest = match.group(2)[path.end() :]
    # After its parameters, a type has the name of its member, and a function has its arguments.
    head = rest if top_level(rest, "(") < 0 else rest[: top_level(rest, "(")]
    of_type = rest.startswith("<") and top_level(head, "::") >= 0
    return path.group().rpartition("::")[0].rpartition("::")[2].islower() and not of_type


class Item:
    """A heading, and what is listed below it."""

    def __init__(self, heading):
        self.heading, self.parts, self.lines, self.traits = heading, [], [], []

    def variants(self):
        """Variants or fields. The fields of a variant are in braces."""
        fields = {}
        for part in self.parts:
            variant, colons, field = part.partition("::")
            if colons and variant in fields:
                fields[variant].append(field)
            else:
                fields[part] = []
        return [f"{name} {{ {', '.join(of)} }}" if of else name for name, of in fields.items()]

    def implement(self, target):
        """The functions of `target` follow, which is this type, or this type with types in place of parameters."""
        name, _, arguments = re.sub(r"'\w+(, )?", "", target).partition("<")
        is_general = re.fullmatch(r"(([A-Z], )*[A-Z])?>?", arguments)
        if self.lines and self.lines[-1].startswith("impl "):
            self.lines.pop()
        line = "impl " + (name if is_general else f"{name}<{arguments}")
        before = [line for line in self.lines if line.startswith("impl ")][-1:]
        if before != [line] and (before or not is_general):
            self.lines.append(line)

    def print(self):
        print(self.heading)
        wrap = dict(width=120, break_long_words=False, break_on_hyphens=False)
        if self.parts:
            joined = ", ".join(self.variants())
            print(textwrap.fill(joined, initial_indent="    = ", subsequent_indent="      ", **wrap))
        for line in self.lines:
            print("    " + line)
        if self.traits:
            joined = ", ".join(sorted(set(self.traits)))
            print(textwrap.fill(joined, initial_indent="    : ", subsequent_indent="      ", **wrap))


def main():
    item, module, owner, in_trait = None, "?", "", False

    def begin(heading):
        nonlocal item
        if item:
            item.print()
        item = Item(heading)

    def enter(path):
        nonlocal module, owner, in_trait
        if path != "linkstream" + ("::" + module if module else ""):
            module, owner, in_trait = path.removeprefix("linkstream").removeprefix("::"), "", False
            begin(f"\nmod {module or 'linkstream'}")

    for line in sys.stdin.read().splitlines():
        if match := HEAD.fullmatch(line):
            attributes, kind, rest = match.groups()
            alias = re.sub(r"<[^<>]*>", "", rest.partition(" = ")[0])
            if kind == "type" and not re.fullmatch(r"linkstream::([a-z_]+::)*[A-Z]\w*", alias):
                if not in_trait:
                    item.lines.append("type " + short(inside(rest, owner), module))
            elif kind == "mod":
                enter(rest)
            else:
                path = re.match(r"\w+(?:::\w+)*", rest).group()
                enter(path.rpartition("::")[0])
                owner, in_trait = path, False
                attributes = "non_exhaustive " if "non_exhaustive" in attributes else ""
                begin(f"{attributes}{kind} {short(rest, module)}")
        elif line.startswith("impl"):
            rest = line[len("impl") :]
            rest = rest[top_level(rest, " ") + 1 :]
            end = top_level(rest, " for ")
            in_trait = end >= 0
            if in_trait:
                path, generic, arguments = rest[:end].partition("<")
                item.traits.append(path.rsplit("::", 1)[-1] + generic + short(arguments, module))
            else:
                item.implement(short(re.sub(r" where .*", "", rest), module))
        elif in_trait and not is_of_module(line):
            continue
        elif match := MEMBER.fullmatch(line):
            kind, rest = match.groups()
            inner = inside(rest, owner)
            if inner:
                item.lines.append(f"{kind} {short(inner, module)}")
            else:
                enter(re.match(r"\w+(?:::\w+)*", rest).group().rpartition("::")[0])
                begin(f"{kind} {short(rest, module)}")
                owner = ""
        elif line.startswith("pub ") and (inner := inside(line.removeprefix("pub "), owner)):
            item.parts.append(short(inner, module))
        elif line:
            sys.exit(f"not understood: {line}")
    item.print()


main()
