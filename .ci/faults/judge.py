"""What a run with a fault may do."""

REASONS = {
    "EIO": "Input/output error",
    "ENOSPC": "No space left on device",
    "EINTR": "Interrupted system call",
    "EMFILE": "Too many open files",
}
# Calls whose failure need not matter: what is asked of the system about itself, messages on standard error, how long a
# file is that is read to its end all the same, whether a call exists (`statx` of nothing), and what is tried before
# something else that does the same.
FREE = ("/proc/", "/sys/", "(2<", "F_GETFD", "AT_EMPTY_PATH", "SEEK_CUR", ", NULL, AT_STATX", "copy_file_range(",
        "splice(", "sendfile(")
# Statuses of shells and runtimes for programs that crash.
PANIC = 101


def is_whole(whole, ran):
    """Whether a run did all that it does without a fault."""
    return (ran.status, ran.stdout, ran.tree) == (whole.status, whole.stdout, whole.tree)


def crashed(ran):
    if ran.status == PANIC or ran.status < 0 or "panicked" in ran.stderr:
        yield f"crashed with {ran.status}: {ran.stderr[-300:]!r}"


def names(ran):
    """Names of temporary files mean nothing to whoever reads a message."""
    for word in (".part", ".tmp", "/proc/self/fd"):
        if word in ran.stderr:
            yield f"a temporary name is in the message: {ran.stderr[-300:]!r}"


def left(command, whole, before, ran):
    """What is in the folder after a failure: what was there, or for commands that write many files whole ones, and no
    folders without them."""
    for name, data in ran.tree.items():
        if name in before:
            continue
        if not (command.many and whole.tree.get(name) == data):
            yield f"left {name}"
        elif data == "folder" and not any(other.startswith(f"{name}/") for other in ran.tree):
            yield f"left the empty folder {name}"
    for name, data in before.items():
        if ran.tree.get(name) != data:
            yield f"{name} is not as it was"


def judge_fault(command, whole, before, ran, call, kind):
    """An error of one system call, or of all of that name from there on."""
    error = "EIO" if kind == "sticky" else kind
    # Nobody can be told, or `std` takes another call. Files that are checked are opened after they were looked at.
    is_free = any(call.is_on(word) for word in FREE) or kind == "sticky" and call.name in ("write", "statx")
    is_free = is_free or command.arguments[0] in ("check", "inspect") and call.name == "statx"
    yield from crashed(ran)
    yield from names(ran)
    if is_whole(whole, ran):
        # The work was done; that is right where the fault had no effect.
        if error != "EINTR" and not is_free and whole.status == 0:
            yield f"reported nothing: {call.text}"
        return
    if ran.status == 0:
        yield f"status 0, but not what was asked for: {call.text}"
    if REASONS[error] not in ran.stderr and not is_free:
        yield f"another reason than {error}: {ran.stderr[-300:]!r} {call.text}"
    yield from left(command, whole, before, ran)


def judge_short(whole, ran):
    """Short transfers make no difference."""
    yield from crashed(ran)
    if not is_whole(whole, ran):
        yield f"differs: status {ran.status}, {ran.stderr[-300:]!r}"
