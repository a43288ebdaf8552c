"""The command lines into which faults are injected, and the files that they use."""

import struct
import subprocess
from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """A command line. `stdin` names a file of the directory. `many`: the command writes files one after the other."""

    name: str
    arguments: tuple
    stdin: str = ""
    many: bool = False


def make_files(program, folder):
    """Creates the files with the program itself: the tests are about its failures, not about the contents it writes."""

    def run(*arguments):
        subprocess.run([program, *arguments], cwd=folder, check=True, capture_output=True, timeout=60)

    def put(name, data):
        (folder / name).write_bytes(data)

    # 16 sites with 4 links of 9 complex numbers of 8 bytes each: the unit matrix with rows exchanged, in turn.
    rows = [struct.pack(">6f", *(1.0 if i == 2 * column else 0.0 for i in range(6))) for column in range(3)]
    links = b"".join(rows[(link + row) % 3] for link in range(64) for row in range(3))
    put("raw", links)
    put("little", b"".join(links[at:at + 4][::-1] for at in range(0, len(links), 4)))
    run("ildg", "make", "nameless", "--data", "raw", "--extents", "2x2x2x2", "--precision", "32")
    run("ildg", "make", "named", "--data", "raw", "--extents", "2x2x2x2", "--precision", "32", "--lfn", "lfn://old")
    run("ildg", "make", "scidac", "--data", "raw", "--extents", "2x2x2x2", "--precision", "32", "--scidac",
        "--date", "today", "--lfn", "lfn://both", "--update", "7")
    run("ildg", "make", "native", "--data", "raw", "--extents", "2x2x2x2", "--precision", "32", "--scidac",
        "--date", "today")
    run("export", "native", "links.npy")
    # A complex source, and three color vectors, at each of 16 sites.
    put("source", bytes(range(128)))
    put("solutions", bytes(range(192)) * 6)
    put("text", b"a text of two lines,\nof which this is the second\n")
    put("list", b"text notes\nraw numbers\n\ntext again\n")
    run("lime", "pack", "list", "packed")
    put("table", b"1.5 2 3\n4 5 6.25\n" * 40)
    run("inebin", "from-csv", "--type", "R", "table", "matrix")
    put("names", b"text\nraw\n")
    put("pieces", b"block:notes=text\narray:numbers:8=raw\n")
    run("scda", "create", "plain", "text:step=42", "block:notes=text", "array:numbers:64=raw")
    run("scda", "create", "--compress", "compressed", "array:numbers:64=raw", "varray:files=text,raw", "block:b=raw")
    put("exists", b"an output that exists already\n")
    run("convert", "scidac", "set", "--volumes", "2x1x1x2", "--io", "1x1x1x2")
    (folder / "folder").mkdir()
    for name in ("named", "matrix", "text"):
        (folder / "folder" / name).write_bytes((folder / name).read_bytes())
    (folder / "sets").mkdir()
    for volume in folder.glob("set.vol*"):
        (folder / "sets" / volume.name).write_bytes(volume.read_bytes())
    (folder / "link").symlink_to("nameless")
    (folder / "to-exists").symlink_to("exists")


def commands():
    """All commands except two: `sample` computes for seconds and writes its file like `lime sample`, and `man` writes
    dozens of files like `lime unpack`. The names are unique."""
    listed = [
        *(Command(f"{verb}{option} {file}", (verb, *option.split(), file))
          for verb, option, file in (
              ("inspect", "", "scidac"), ("inspect", " --json", "scidac"), ("inspect", "", "compressed"),
              ("check", "", "scidac"), ("check", " --json", "named"), ("check", "", "matrix"),
              ("check", "", "compressed"), ("check", "", "table"))),
        Command("check -", ("check", "-"), "scidac"),
        Command("inspect -", ("inspect", "-"), "plain"),
        Command("check, three files", ("check", "named", "matrix", "plain")),
        Command("check --quiet, a directory", ("check", "--quiet", "folder")),
        Command("check, a set", ("check", "set")),
        Command("check, a set in a directory", ("check", "--json", "sets")),
        Command("diff", ("diff", "named", "scidac")),
        Command("diff --json, same", ("diff", "--json", "matrix", "matrix")),
        Command("diff -", ("diff", "plain", "-"), "compressed"),
        Command("convert", ("convert", "scidac", "out", "--precision", "64")),
        Command("convert --to ildg", ("convert", "scidac", "out", "--to", "ildg")),
        Command("convert - out", ("convert", "-", "out", "--precision", "64"), "scidac"),
        Command("convert - -", ("convert", "-", "-", "--precision", "64"), "scidac"),
        Command("convert --force", ("convert", "--force", "scidac", "exists")),
        Command("convert --force to-exists", ("convert", "--force", "scidac", "to-exists")),
        Command("convert --volumes", ("convert", "scidac", "out", "--volumes", "1x1x2"), many=True),
        Command("convert --volumes, directories", ("convert", "scidac", "new/out", "--volumes", "1x1x2", "--layout", "directory"),
                many=True),
        Command("convert, a set", ("convert", "set", "out")),
        Command("volumes copy", ("volumes", "copy", "set", "out"), many=True),
        Command("export", ("export", "matrix", "out.npy")),
        Command("ildg make --data", ("ildg", "make", "out", "--data", "little", "--extents", "2x2x2x2",
                                     "--precision", "32", "--little-endian")),
        Command("ildg make --data -", ("ildg", "make", "out", "--data", "-", "--extents", "2x2x2x2",
                                       "--precision", "32"), "raw"),
        Command("ildg make --from", ("ildg", "make", "out", "--from", "scidac", "--lfn", "lfn://new")),
        Command("ildg make - --from", ("ildg", "make", "-", "--from", "scidac")),
        Command("ildg set-lfn", ("ildg", "set-lfn", "nameless", "lfn://new")),
        Command("ildg set-lfn link", ("ildg", "set-lfn", "link", "lfn://new")),
        Command("ildg set-lfn, rewritten", ("ildg", "set-lfn", "native", "lfn://new")),
        Command("ildg set-lfn --force", ("ildg", "set-lfn", "--force", "named", "lfn://another.name")),
        *(Command(f"make propagator {option}", ("make", "propagator", *option.split(), "--type", "C1V3", "--extents", "2x2x2x2",
                                                "--precision", "32", "--date", "today", "--source", "source", "--solution", solutions), stdin)
          for option, solutions, stdin in (
              ("out", "solutions", ""), ("- --little-endian", "solutions", ""), ("--force exists", "-", "solutions"))),
        Command("make field", ("make", "field", "out", "--data", "links.npy", "--datatype", "QDP_F3_ColorMatrix", "--date", "today")),
        Command("make field --append", ("make", "field", "native", "--append", "--data", "links.npy",
                                        "--datatype", "QDP_F3_ColorMatrix", "--date", "today")),
        Command("lime contents", ("lime", "contents", "packed")),
        Command("lime contents --json", ("lime", "contents", "--json", "packed")),
        Command("lime contents -", ("lime", "contents", "-"), "packed"),
        Command("lime pack", ("lime", "pack", "list", "out")),
        Command("lime pack - out", ("lime", "pack", "-", "out"), "list"),
        Command("lime pack list -", ("lime", "pack", "list", "-")),
        Command("lime pack --force", ("lime", "pack", "--force", "list", "exists")),
        Command("lime unpack", ("lime", "unpack", "packed", "new"), many=True),
        Command("lime unpack -", ("lime", "unpack", "-", "new"), "packed", many=True),
        Command("lime extract", ("lime", "extract", "packed", "1", "2", "out")),
        Command("lime extract to -", ("lime", "extract", "packed", "1", "2")),
        Command("lime extract-type -", ("lime", "extract-type", "-", "numbers"), "packed"),
        Command("lime sample", ("lime", "sample", "out")),
        Command("inebin to-csv", ("inebin", "to-csv", "matrix", "out")),
        Command("inebin to-csv - -", ("inebin", "to-csv", "-", "-"), "matrix"),
        Command("inebin from-csv", ("inebin", "from-csv", "--type", "R", "table", "out")),
        Command("inebin from-csv - out", ("inebin", "from-csv", "--type", "R", "-", "out"), "table"),
        Command("scda create", ("scda", "create", "out", "text:step=42", "block:n=text", "array:a:64=raw")),
        Command("scda create --list", ("scda", "create", "out", "--list", "pieces")),
        Command("scda create varray -", ("scda", "create", "out", "varray:v=@-"), "names"),
        Command("scda create --compress", ("scda", "create", "--compress", "out", "array:a:64=raw",
                                           "varray:v=text,raw", "block:b=raw")),
        Command("scda create --compress -", ("scda", "create", "--compress", "-", "block:b=-"), "raw"),
        Command("scda cat", ("scda", "cat", "plain", "3")),
        Command("scda cat compressed", ("scda", "cat", "compressed", "1")),
        Command("scda cat --element", ("scda", "cat", "compressed", "2", "--element", "1")),
        Command("scda cat -", ("scda", "cat", "-", "3"), "compressed"),
        Command("completions", ("completions", "bash")),
        Command("explain", ("explain", "lime-magic")),
        Command("explain --json", ("explain", "--json")),
    ]
    assert len({command.name for command in listed}) == len(listed)
    return listed
