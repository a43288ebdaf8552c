"""Runs the program under strace, each time in a new directory."""

import os
import re
import resource
import shutil
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

# The system calls that errors are injected into. Calls for memory, signals and clocks are excluded: the Rust runtime
# makes them, and gives up if they fail.
CALLS = """open openat read pread64 readv write pwrite64 writev lseek stat lstat fstat newfstatat statx readlink
    readlinkat ftruncate fallocate fsync fdatasync syncfs link linkat rename renameat renameat2 unlink unlinkat mkdir
    mkdirat chmod fchmod fcntl dup dup3 flock copy_file_range sendfile splice getdents64 pipe2 socketpair""".split()
# The system call that creates a thread. It fails with EAGAIN at the limit of threads.
THREAD = "clone3"
# The first call that the program itself makes: see stdio.rs.
FIRST = re.compile(r"fcntl\(1\b.*F_GETFD")
LINE = re.compile(r"^(?:(?P<pid>\d+) +)?(?P<name>\w+)\((?P<rest>.*)$")
SECONDS = 30


@dataclass(frozen=True)
class Call:
    """The `index`th call with this name, counted from 1, in the main thread; `text` is the line of strace."""

    name: str
    index: int
    text: str

    def is_on(self, what):
        """True if strace's line of the call contains `what`, such as `/proc/` or `2<`."""
        return what in self.text


@dataclass
class Ran:
    """Result of a run. A negative status is the number of a signal."""

    status: int
    stdout: bytes
    stderr: str
    tree: dict
    log: str


def tree(folder):
    """Every path below a directory, with the content of a file, the target of a link, or "directory"."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = os.readlink(path)
        elif path.is_file():
            found[name] = path.read_bytes()
        else:
            found[name] = "directory"
    return found


class Sandbox:
    """Runs commands, each in a fresh copy of `files` below the directory `scratch`."""

    def __init__(self, program, files, scratch, preload=None):
        self.program, self.files, self.scratch, self.preload = program, files, scratch, preload
        self.before = tree(files)

    def run(self, command, inject=(), short=None, file_size=None, strace=True):
        """Runs a command with the faults `inject`, in the syntax of strace."""
        with tempfile.TemporaryDirectory(dir=self.scratch) as top:
            folder, log = Path(top) / "work", Path(top) / "log"
            shutil.copytree(self.files, folder, symlinks=True)
            (Path(top) / "tmp").mkdir()
            line = [self.program, *command.arguments]
            environment = {**os.environ, "TMPDIR": f"{top}/tmp"}
            if strace:
                traced = [f"--trace={','.join('?' + call for call in (*CALLS, THREAD))}"]
                injected = [f"--inject={fault}" for fault in inject]
                # `--seccomp-bpf` is faster, but with it strace cannot inject signals.
                fast = [] if any(":signal=" in fault for fault in inject) else ["--seccomp-bpf"]
                line = ["strace", "-f", *fast, "-qq", "-y", "-o", log, *traced, *injected, *line]
            if short:
                line = ["env", f"LD_PRELOAD={self.preload}", f"SHORT_TRANSFERS={short}", *line]

            def limit():
                if file_size is not None:
                    resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, resource.RLIM_INFINITY))

            with open(folder / command.stdin if command.stdin else os.devnull, "rb") as stdin:
                ran = subprocess.run(line, stdin=stdin, cwd=folder, env=environment, capture_output=True,
                                     timeout=SECONDS, check=False, preexec_fn=limit)
            files = tree(folder)
            files.update({f"TMPDIR/{name}": data for name, data in tree(Path(top) / "tmp").items()})
            text = log.read_text(errors="replace") if strace else ""
            stderr = ran.stderr.decode(errors="replace")
            return Ran(ran.returncode, ran.stdout, stderr, files, text)


def calls(log):
    """The calls of the program's main thread, without the calls of the loader, numbered as strace's `when` counts them."""
    counted, found, main, begun = Counter(), [], None, False
    for line in log.splitlines():
        match = LINE.match(line)
        if not match:
            continue
        main = main or match["pid"]
        if match["pid"] != main:
            continue
        begun = begun or FIRST.match(line.partition(" ")[2].strip()) is not None
        counted[match["name"]] += 1
        if begun:
            found.append(Call(match["name"], counted[match["name"]], line))
    return found
