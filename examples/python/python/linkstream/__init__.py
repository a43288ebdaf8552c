"""Files of lattice QCD as verified NumPy arrays.

>>> import linkstream as ls
>>> file = ls.open("lat.ildg")
>>> links = file[0].numpy()
>>> links.shape, links.dtype
((8, 4, 4, 4, 4, 3, 3), dtype('complex64'))
>>> file[0]
<linkstream.Field 0: USQCD_F3_ColorMatrix, (t: 8, z: 4, y: 4, x: 4, mu: 4, row: 3, column: 3), complex64, verified>

:func:`open` reads LIME files with ILDG or SciDAC documents, file sets of QIO, NERSC and MILC archives, openQCD
configurations, scda files and INEBIN matrices; :func:`scan` makes a table of many files; :func:`manifest` and
:func:`ensemble` look at all files of a directory; :func:`check` reports whether a
file is complete and correct; :func:`explain` explains its findings; :func:`write`, :func:`write_matrix` and
:func:`write_scda` make new ones; :func:`edit` changes the texts of one.
"""

import atexit
import os

from . import _linkstream
from ._edit import Edit, edit
from ._ensemble import open_ensemble
from ._errors import (
    ChangedError,
    ChecksumError,
    DataError,
    Error,
    FormatError,
    InternalError,
    TruncatedError,
    UnverifiedError,
    UnverifiedWarning,
    WriteWarning,
)
from ._explain import explain
from ._field import Field
from ._file import File, Record
from ._layouts import Layout, direction_axis, layouts
from ._linkstream import __version__
from ._new_field import NewField
from ._open import check, open
from ._reference import reference
from ._report import Report
from ._sample import sample
from ._scan import scan
from ._sections import Section, Sections
from ._store import Changes, Ensembles, Manifest, ensemble, manifest
from ._table import Table
from ._write import Volumes, write
from ._write_other import NewSection, write_matrix, write_scda

# Threads that read must not outlive the interpreter.
atexit.register(_linkstream.end_work)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_linkstream.forget_work)
del atexit, os

__all__ = [
    "ChangedError",
    "Changes",
    "ChecksumError",
    "DataError",
    "Edit",
    "Ensembles",
    "Error",
    "Field",
    "File",
    "FormatError",
    "InternalError",
    "Layout",
    "Manifest",
    "NewField",
    "NewSection",
    "Record",
    "Report",
    "Section",
    "Sections",
    "Table",
    "TruncatedError",
    "UnverifiedError",
    "UnverifiedWarning",
    "Volumes",
    "WriteWarning",
    "__version__",
    "check",
    "direction_axis",
    "edit",
    "ensemble",
    "explain",
    "layouts",
    "manifest",
    "open",
    "open_ensemble",
    "reference",
    "sample",
    "scan",
    "write",
    "write_matrix",
    "write_scda",
]

# Tracebacks and `help` show the names that users import.
for _name in __all__:
    if hasattr(globals()[_name], "__module__"):
        globals()[_name].__module__ = __name__
del _name
