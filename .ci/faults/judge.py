"""Rules for the outcome of a run with a fault. Each function yields a message for every broken rule."""

import re

REASONS = {
    "EIO": "Input/output error",
    "ENOSPC": "No space left on device",
    "EMFILE": "Too many open files",
    "EAGAIN": "Resource temporarily unavailable",
}
# Calls whose failure may have no effect: queries about the system, messages on standard error, the length of a file
# that is read to its end anyway, the test whether a call exists (`statx` without a file), and calls that are tried
# before a replacement with the same effect.
FREE = ("/proc/", "/sys/", "(2<", "F_GETFD", "AT_EMPTY_PATH", "SEEK_CUR", ", NULL, AT_STATX", "copy_file_range(",
        "splice(", "sendfile(")
# The message if the directory of a file that replaced another one could not be synchronised.
WRITTEN = re.compile("was written, but its directory was not synchronised")
# The exit status of a Rust program after a panic.
PANIC = 101


def is_whole(whole, ran):
    """True if a run had the same result as the run without a fault, `whole`."""
    return (ran.status, ran.stdout, ran.tree) == (whole.status, whole.stdout, whole.tree)


def crashed(ran):
    if ran.status == PANIC or ran.status < 0 or "panicked" in ran.stderr:
        yield f"crashed with {ran.status}: {ran.stderr[-300:]!r}"


def names(ran):
    """Messages must not contain names of temporary files, which mean nothing to users."""
    for word in (".part", ".tmp", "/proc/self/fd"):
        if word in ran.stderr:
            yield f"a temporary name is in the message: {ran.stderr[-300:]!r}"


def left(command, whole, before, ran):
    """After a failure, the directory must be as before. Only commands that write many files may leave new ones, if these
    are complete, and the directories that contain them."""
    for name, data in ran.tree.items():
        if name in before:
            continue
        if not (command.many and whole.tree.get(name) == data):
            yield f"left {name}"
        elif data == "directory" and not any(other.startswith(f"{name}/") for other in ran.tree):
            yield f"left the empty directory {name}"
    for name, data in before.items():
        if ran.tree.get(name) != data:
            yield f"{name} is not as it was"


def judge_fault(command, whole, before, ran, call, kind):
    """A run in which one system call failed or, if `kind` is `sticky`, this and all later calls of the same name."""
    error = "EIO" if kind == "sticky" else kind
    # If every `write` fails, the error cannot be reported; if every `statx` fails, `std` uses another call. A file to
    # be checked is opened even if the `statx` before fails, and opening it reports errors.
    is_free = any(call.is_on(word) for word in FREE) or kind == "sticky" and call.name in ("write", "statx")
    is_free = is_free or command.arguments[0] in ("check", "inspect") and call.name == "statx"
    yield from crashed(ran)
    yield from names(ran)
    if error == "EINTR":
        # The program repeats a call that was interrupted; nothing of it is visible.
        if not is_whole(whole, ran) or ran.stderr != whole.stderr:
            yield f"the interruption is visible: status {ran.status}, {ran.stderr[-300:]!r} {call.text}"
        return
    if is_whole(whole, ran):
        # The result is complete. This is right only if the fault may have no effect. If a thread cannot be created,
        # fewer threads do the work.
        if error != "EAGAIN" and not is_free and whole.status == 0:
            yield f"reported nothing: {call.text}"
        return
    if WRITTEN.search(ran.stderr) and REASONS[error] in ran.stderr and ran.status != 0:
        # Replacing another file cannot be undone: the new file is complete, and the error is reported.
        if ran.tree != whole.tree:
            yield f"the file was not written: {ran.stderr[-300:]!r}"
        return
    if ran.status == 0:
        yield f"status 0, but the result is incomplete: {call.text}"
    # `check --quiet` has one line for each file, on standard output, also for one that is unreadable.
    said = ran.stderr + ran.stdout.decode("utf-8", "replace")
    if REASONS[error] not in said and not is_free:
        yield f"another reason than {error}: {ran.stderr[-300:]!r} {call.text}"
    yield from left(command, whole, before, ran)


def judge_short(whole, ran):
    """A run in which reads and writes transferred fewer bytes than asked for, which must make no difference."""
    yield from crashed(ran)
    if not is_whole(whole, ran):
        yield f"differs: status {ran.status}, {ran.stderr[-300:]!r}"
