#!/usr/bin/env python3
"""Compares the functions that C headers declare with the functions of the libraries, argument by argument.

    declarations.py RUST-DIRECTORY... < PREPROCESSED-HEADERS

A C compiler cannot see how a function of Rust is declared, so a header that is wrong would compile. Types are compared
by what they are to a caller: a pointer, a signed or an unsigned number of some size, a floating-point number, nothing.
Prints what differs. Functions without a declaration and declarations without a function are no matter of this program.
"""

import re
import sys
from pathlib import Path

C_TYPES = {
    "void": "nothing", "int": "i32", "unsigned int": "u32", "unsigned": "u32", "char": "i8", "double": "f64",
    "float": "f32", "long": "i64", "long int": "i64", "unsigned long": "u64", "long unsigned int": "u64",
    "size_t": "u64", "off_t": "i64", "int32_t": "i32", "uint32_t": "u32", "int64_t": "i64", "uint64_t": "u64",
    "uint8_t": "u8", "uint16_t": "u16",
}
RUST_TYPES = {
    "c_int": "i32", "i32": "i32", "u32": "u32", "c_uint": "u32", "usize": "u64", "u64": "u64", "i64": "i64",
    "size_t": "u64", "off_t": "i64", "f64": "f64", "c_double": "f64", "c_char": "i8", "u8": "u8",
}


def split(arguments):
    """The parts of a list that commas separate, without those within brackets."""
    parts, depth, part = [], 0, ""
    for character in arguments.replace("->", "  "):
        depth += (character in "([<{") - (character in ")]>}")
        if character == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += character
    return [part.strip() for part in [*parts, part] if part.strip()]


def matching(text, start):
    """The position after the bracket that closes the one at `start`."""
    depth = 0
    for position in range(start, len(text)):
        depth += (text[position] == "(") - (text[position] == ")")
        if depth == 0:
            return position + 1
    sys.exit(f"no end of {text[start:start + 60]!r}")


class Headers:
    """The functions and the names of types in preprocessed headers."""

    def __init__(self, text):
        text = re.sub(r"^#.*$", "", text, flags=re.M)
        text = re.sub(r'extern\s+"C"\s*\{', "", text)
        text = re.sub(r"__attribute__\s*\(\(.*?\)\)|__extension__|__inline\b|\b__restrict\b", "", text)
        while re.search(r"\{[^{}]*\}", text):
            text = re.sub(r"\{[^{}]*\}", " ", text)
        self.names = dict(C_TYPES)
        self.functions = {}
        for statement in (re.sub(r"\s+", " ", part).strip() for part in text.split(";")):
            if statement.startswith("typedef"):
                self.typedef(statement.removeprefix("typedef").strip())
            elif not statement.startswith("static"):
                self.function(statement.removeprefix("extern").strip())

    def typedef(self, text):
        if found := re.search(r"\(\s*\*\s*(\w+)\s*\)\s*\(", text):
            self.names[found[1]] = "pointer"
        elif found := re.fullmatch(r"(.*?)(\w+)(\[.*\])?", text):
            if not found[3]:
                self.names.setdefault(found[2], self.kind(found[1]))

    def kind(self, text):
        """What a type is, from its text with or without the name of an argument."""
        if "*" in text or "[" in text or "(" in text:
            return "pointer"
        words = [word for word in re.findall(r"\w+", text) if word not in ("const", "extern", "struct", "enum")]
        for number in (len(words), len(words) - 1):
            name = " ".join(words[:number])
            if name in self.names:
                return self.names[name]
        return "structure " + " ".join(words)

    def function(self, text):
        found = re.match(r"([\w\s*]+?)\b(\w+)\s*\(", text)
        if not found or found[2] in ("__asm__", "sizeof"):
            return
        end = matching(text, found.end() - 1)
        arguments = [self.kind(part) for part in split(text[found.end() : end - 1])]
        if arguments == ["nothing"]:
            arguments = []
        self.functions[found[2]] = (arguments, self.kind(found[1]))


def rust_kind(text):
    text = text.strip()
    if text == "" or text == "!":
        return "nothing"
    if text.startswith("*") or text.startswith("Option<"):
        return "pointer"
    return RUST_TYPES.get(text.split("::")[-1], "structure " + text)


def rust_functions(directory):
    for path in sorted(Path(directory).rglob("*.rs")):
        text = re.sub(r"^\s*//.*$", "", path.read_text(), flags=re.M)
        for found in re.finditer(r'#\[unsafe\(no_mangle\)\]\s*pub (?:unsafe )?extern "C" fn (\w+)\s*\(', text):
            end = matching(text, found.end() - 1)
            arguments = [rust_kind(part.split(":", 1)[1]) for part in split(text[found.end() : end - 1])]
            result = re.match(r"\s*(?:->\s*([^{]+))?\{", text[end:])
            yield found[1], (arguments, rust_kind(result[1] or ""))


def main():
    headers = Headers(sys.stdin.read())
    compared, differences = 0, 0
    for directory in sys.argv[1:]:
        for name, function in rust_functions(directory):
            declared = headers.functions.get(name)
            if declared is None:
                continue
            compared += 1
            if declared != function:
                differences += 1
                print(f"{name}: the header has {declared}, the library {function}")
    if compared == 0:
        print("no function was compared")
    return differences > 0 or compared == 0


if __name__ == "__main__":
    sys.exit(main())
