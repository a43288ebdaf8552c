"""Files of the program read by lyncs_io and the other way round, compared element by element.

    interop.py PROGRAM FOLDER

The numbers to compare with never went through either: they are made by numpy, or read by numpy.fromfile from where
`inspect --json` says that the data are. lyncs_io knows su3gauge with all rows, in either precision, in documents that
do not end in a NUL.
"""

import json
import subprocess
import sys
from pathlib import Path

import lyncs_io
import numpy
from lyncs_io import lime

PROGRAM, FOLDER = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
EXTENTS = (2, 3, 4, 5)
SHAPE = (*reversed(EXTENTS), 4, 3, 3)


def path(name):
    return str(FOLDER / name)


def program(*arguments, status=0):
    """Runs the program; what it prints."""
    ran = subprocess.run([PROGRAM, *arguments], capture_output=True, check=False)
    assert ran.returncode == status, (arguments, ran.returncode, ran.stdout, ran.stderr)
    return ran.stdout


def report(command, file, status=0):
    return json.loads(program(command, "--json", file, status=status))


def make(*arguments):
    return program("ildg", "make", *arguments)


def stored(file, dtype):
    """The numbers of the only data record, without lyncs_io."""
    records = report("inspect", file)["records"]
    (data,) = (record for record in records if record["type"].endswith("-binary-data"))
    count = data["length"] // numpy.dtype(dtype).itemsize
    return numpy.fromfile(file, dtype, count, offset=data["offset"] + 144)


def same(found, expected, what):
    """Equal in shape, and bit by bit."""
    found, expected = numpy.asarray(found), numpy.asarray(expected)
    assert found.shape == expected.shape, (what, found.shape, expected.shape)
    assert found.dtype == expected.dtype, (what, found.dtype, expected.dtype)
    different = numpy.count_nonzero(found.view("u1") != expected.view("u1"))
    assert different == 0, (what, different)
    print(f"ok: {what}: {expected.size:,} numbers {expected.dtype.str} of shape {expected.shape}")


def random(dtype):
    """Numbers of every size and sign, in native byte order."""
    generator = numpy.random.default_rng(20261121)
    parts = generator.standard_normal((2, *SHAPE)) * 10.0 ** generator.integers(-20, 20, SHAPE)
    return (parts[0] + 1j * parts[1]).astype(dtype)


def unitary():
    """SU(3) matrices."""
    generator = numpy.random.default_rng(3)
    matrices = generator.standard_normal(SHAPE) + 1j * generator.standard_normal(SHAPE)
    first = matrices[..., 0, :] / numpy.linalg.norm(matrices[..., 0, :], axis=-1, keepdims=True)
    second = matrices[..., 1, :]
    second = second - (first.conj() * second).sum(-1, keepdims=True) * first
    second = second / numpy.linalg.norm(second, axis=-1, keepdims=True)
    return numpy.stack([first, second, numpy.cross(first, second).conj()], -2)


def raw_data_become_what_lyncs_io_reads():
    extents = "x".join(map(str, EXTENTS))
    for bits, native in [("64", "c16"), ("32", "c8")]:
        numbers = random(native)
        for order, option in [(">", "--big-endian"), ("<", "--little-endian")]:
            numbers.astype(order + native).tofile(path("raw"))
            file = path(f"made-{bits}{option}.lime")
            make(file, "--data", path("raw"), option, "--extents", extents, "--precision", bits)
            same(lime.load(file), numbers.astype(">" + native), f"ildg make --precision {bits} {option}")
    same(lyncs_io.load(file), numbers.astype(">c8"), "the format told by the name")
    program("ildg", "set-lfn", file, "lfn://linkstream/interop")
    same(lime.load(file), numbers.astype(">c8"), "ildg set-lfn")


def a_qio_file_becomes_what_lyncs_io_reads():
    program("sample", path("sample.lime"))
    expected = stored(path("sample.lime"), ">c8").reshape((8, 4, 4, 4, 4, 3, 3))
    program("convert", path("sample.lime"), path("single.lime"), "--to", "ildg")
    same(lime.load(path("single.lime")), expected, "convert --to ildg")
    program("convert", path("sample.lime"), path("double.lime"), "--to", "ildg", "--precision", "64")
    same(lime.load(path("double.lime")), expected.astype(">c16"), "convert --precision 64")
    make(path("from.lime"), "--from", path("sample.lime"))
    same(lime.load(path("from.lime")), expected, "ildg make --from")


def rows_left_out_come_back():
    links = unitary().astype(">c16")
    links[-1, ..., 3, :, :] = 0  # an open boundary
    links.tofile(path("links"))
    extents = "x".join(map(str, EXTENTS))
    make(path("full.lime"), "--data", path("links"), "--extents", extents)
    program("convert", path("full.lime"), path("reduced.lime"), "--rows", "reduced")
    rows = stored(path("reduced.lime"), ">c16").reshape((*SHAPE[:-2], 2, 3))
    same(rows, numpy.ascontiguousarray(links[..., :2, :]), "convert --rows reduced, by numpy")
    program("convert", path("reduced.lime"), path("again.lime"), "--rows", "full")
    again = numpy.asarray(lime.load(path("again.lime")))
    same(numpy.ascontiguousarray(again[..., :2, :]), rows, "convert --rows full, the rows that were stored")
    third = numpy.cross(again[..., 0, :], again[..., 1, :]).conj()
    deviation = abs(again[..., 2, :] - third).max()
    assert deviation < 1e-15, deviation
    assert not again[-1, ..., 3, :, :].view("u1").any()
    print(f"ok: convert --rows full, the third row: within {deviation:.1e} of numpy's")


def what_lyncs_io_writes_is_read():
    numbers = random("c16").astype(">c16")
    lime.save(numbers, path("saved.lime"))
    # Without an ildg-format it is no ILDG file, and nothing else is wrong with it.
    found = report("check", path("saved.lime"), status=1)
    assert [finding["rule"] for finding in found["findings"]] == ["data-undescribed"], found
    program("lime", "extract-type", path("saved.lime"), "ildg-binary-data", path("saved"))
    same(numpy.fromfile(path("saved"), ">c16").reshape(SHAPE), numbers, "lyncs_io.lime.save")
    program("lime", "extract-type", path("made-64--big-endian.lime"), "ildg-format", path("format"))
    records = {"ildg-format": Path(path("format")).read_bytes(), "ildg-binary-data": numbers}
    lime.write_records(path("records.lime"), records)
    (field,) = report("check", path("records.lime"))["fields"]
    assert (field["dims"], field["precision"]) == (list(EXTENTS), 64), field
    program("convert", path("records.lime"), path("copied.lime"), "--to", "both")
    program("convert", path("copied.lime"), path("back.lime"), "--to", "ildg")
    same(lime.load(path("back.lime")), numbers, "lyncs_io.lime.write_records, converted there and back")


raw_data_become_what_lyncs_io_reads()
a_qio_file_becomes_what_lyncs_io_reads()
rows_left_out_come_back()
what_lyncs_io_writes_is_read()
