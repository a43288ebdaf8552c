"""Files of lattice QCD as verified NumPy arrays.

>>> import linkstream as ls
>>> file = ls.open("lat.ildg")                    # doctest: +SKIP
>>> links = file[0].numpy()                       # doctest: +SKIP

:func:`open` reads LIME files with ILDG or SciDAC documents, file sets of QIO, NERSC and MILC archives, scda files and
INEBIN matrices; :func:`check` reports whether a file is whole.
"""

from ._errors import ChangedError, ChecksumError, Error, FormatError, UnverifiedError, UnverifiedWarning
from ._field import Field
from ._file import File, Record
from ._linkstream import __version__
from ._open import check, open
from ._reference import reference
from ._sections import Section, Sections

__all__ = [
    "ChangedError",
    "ChecksumError",
    "Error",
    "Field",
    "File",
    "FormatError",
    "Record",
    "Section",
    "Sections",
    "UnverifiedError",
    "UnverifiedWarning",
    "__version__",
    "check",
    "open",
    "reference",
]
