"""Files of lattice QCD as verified NumPy arrays.

>>> import linkstream as ls
>>> file = ls.open("lat.ildg")                    # doctest: +SKIP
>>> links = file[0].numpy()                       # doctest: +SKIP

:func:`open` reads LIME files with ILDG or SciDAC documents, file sets of QIO, NERSC and MILC archives, scda files and
INEBIN matrices; :func:`check` reports whether a file is whole; :func:`write`, :func:`write_matrix` and
:func:`write_scda` make new ones.
"""

from ._errors import (
    ChangedError,
    ChecksumError,
    DataError,
    Error,
    FormatError,
    UnverifiedError,
    UnverifiedWarning,
    WriteWarning,
)
from ._field import Field
from ._file import File, Record
from ._linkstream import __version__
from ._open import check, open
from ._sections import Section, Sections
from ._write import NewField, Volumes, write
from ._write_other import NewSection, write_matrix, write_scda

__all__ = [
    "ChangedError",
    "ChecksumError",
    "DataError",
    "Error",
    "Field",
    "File",
    "FormatError",
    "NewField",
    "NewSection",
    "Record",
    "Section",
    "Sections",
    "UnverifiedError",
    "UnverifiedWarning",
    "Volumes",
    "WriteWarning",
    "__version__",
    "check",
    "open",
    "write",
    "write_matrix",
    "write_scda",
]
