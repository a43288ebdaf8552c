"""Tables of files."""

from __future__ import annotations

import importlib
from typing import Any, Iterator


class Table(dict[str, list[Any]]):
    """A table: a dictionary of columns, which are lists of the same length. What a file does not have is ``None``.

    ``pandas.DataFrame(table)`` and ``polars.DataFrame(table)`` take it as it is; ``table.rows()`` are its rows.

    Examples
    --------
    >>> import linkstream as ls
    >>> table = ls.scan(["lat.ildg", "damaged.ildg"], xml={"what": "info"})
    >>> table["update"], table["x"], table["what"][0][:5]
    ([None, None], [4, 4], 'SU(3)')
    """

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yields a dictionary for each file."""
        for values in zip(*self.values()):
            yield dict(zip(self, values))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table as a stream of Arrow C data, which DuckDB, polars, pandas and others take. pyarrow must be installed."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> Any:
        """The table as a data frame of pandas."""
        return importlib.import_module("pandas").DataFrame(dict(self))

    def to_polars(self) -> Any:
        """The table as a data frame of polars."""
        return importlib.import_module("polars").DataFrame(dict(self), infer_schema_length=None)

    def to_arrow(self) -> Any:
        """The table as one of pyarrow."""
        return importlib.import_module("pyarrow").table(dict(self))
