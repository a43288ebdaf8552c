"""Compares the behaviour of lyncs_io on every fixture with the prediction of `check --for lyncs`.

    lyncs_answers.py PROGRAM DIRECTORY...

A file is accepted if lyncs_io reads it and the numbers equal the data record, refused if lyncs_io raises an error, and
misread otherwise. Only files for which the program has an answer are compared: LIME files with a gauge
field.
"""

import json
import subprocess
import sys
import warnings
from collections import Counter
from pathlib import Path

import numpy
from lyncs_io import lime

PROGRAM, FOLDERS = Path(sys.argv[1]).resolve(), sys.argv[2:]
MAGIC = bytes.fromhex("456789ab")


def is_safe(file):
    """True if lyncs_io may read the file: it unpickles records `lyncs-io-info`, which can execute arbitrary code."""
    data = file.read_bytes()
    return data[:4] == MAGIC and b"lyncs-io-info" not in data


def reports(files):
    """The program's report on each file, in the order of the files."""
    arguments = [PROGRAM, "check", "--json", "--for", "lyncs", "--volume", *files]
    ran = subprocess.run(arguments, capture_output=True, check=False)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def of_lyncs_io(file, report):
    """The behaviour of lyncs_io on the file ("accepted", "refused" or "misread"), and the error."""
    field = next(field for field in report["fields"] if field.get("links"))
    dtype = {32: ">c8", 64: ">c16"}[field["precision"]]
    record = next(record for record in report["records"] if record["offset"] == field["offset"])
    count = record["length"] // numpy.dtype(dtype).itemsize
    expected = numpy.fromfile(file, dtype, count, offset=record["offset"] + 144)
    try:
        found = numpy.asarray(lime.load(str(file))).reshape(-1)
    except Exception as error:  # any exception is a refusal
        return "refused", repr(error)
    return ("accepted" if numpy.array_equal(found, expected, equal_nan=True) else "misread"), ""


def main():
    warnings.simplefilter("ignore")
    files = sorted(path for folder in FOLDERS for path in Path(folder).rglob("*") if path.is_file() and is_safe(path))
    counts, wrong = Counter(), []
    for report in reports(files):
        if not report.get("readers"):
            continue
        (answer,) = report["readers"]
        actual, error = of_lyncs_io(Path(report["file"]), report)
        counts[actual] += 1
        if actual != answer["answer"]:
            why = "; ".join(reason["message"] for reason in answer["reasons"])
            wrong.append(f"{report['file']}: {actual} {error}, but expected {answer['answer']} {why}")
    for line in wrong:
        print(line)
    assert not wrong, f"{len(wrong)} predictions are wrong"
    assert counts["accepted"] >= 5 and counts["refused"] >= 20, counts
    print(f"ok: lyncs_io behaves as predicted on {counts.total()} fixtures: {dict(counts)}")


main()
