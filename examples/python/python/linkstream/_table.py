"""Tables of files."""

from __future__ import annotations

import importlib
from typing import Any, Iterator

from ._text import plural


class Table(dict[str, list[Any]]):
    """A table: a dictionary of columns, which are lists of the same length. What a file does not have is ``None``.

    ``pandas.DataFrame(table)`` takes it as it is; ``table.rows()`` are its rows. In frames and Arrow data, a column with
    numbers and texts has texts.

    Examples
    --------
    >>> import linkstream as ls
    >>> table = ls.scan(["lat.ildg", "damaged.ildg"], xml={"what": "info"})
    >>> table["update"], table["x"], table["what"][0][:5]
    ([None, None], [4, 4], 'SU(3)')
    """

    def __repr__(self) -> str:
        return f"<linkstream.Table of {plural(max(map(len, self.values()), default=0), 'row')}: {', '.join(self)}>"

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yields a dictionary for each file."""
        for values in zip(*self.values()):
            yield dict(zip(self, values))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table as a stream of Arrow C data, which DuckDB, polars, pandas and others take. nanoarrow or pyarrow must be
        installed.
        """
        try:
            na = importlib.import_module("nanoarrow")
        except ImportError:
            return self.to_arrow().__arrow_c_stream__(requested_schema)
        types = {int: na.int64(), float: na.float64(), str: na.string()}
        length = max(map(len, self.values()), default=0)
        columns = {}
        for name, values in self._uniform().items():
            kind = next((type(value) for value in values if value is not None), None)
            nulls = na.c_array_from_buffers(na.null(), length, [], null_count=length)
            columns[name] = na.c_array(values, types[kind]) if kind else nulls
        schema = na.struct({name: column.schema for name, column in columns.items()})
        array = na.c_array_from_buffers(schema, length, [None], children=list(columns.values()))
        return na.Array(array).__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> Any:
        """The table as a data frame of pandas."""
        return importlib.import_module("pandas").DataFrame(self._uniform())

    def to_polars(self) -> Any:
        """The table as a data frame of polars."""
        return importlib.import_module("polars").DataFrame(self._uniform(), infer_schema_length=None)

    def to_arrow(self) -> Any:
        """The table as one of pyarrow."""
        return importlib.import_module("pyarrow").table(self._uniform())

    def _uniform(self) -> dict[str, list[Any]]:
        """The columns with values of one type each, beside ``None``."""
        return {name: _of_one_type(values) for name, values in self.items()}


def _of_one_type(values: list[Any]) -> list[Any]:
    kinds = {type(value) for value in values if value is not None}
    is_large = any(kind is int for kind in kinds) and any(isinstance(value, int) and value >> 63 for value in values)
    if is_large or len(kinds) > 1:
        kind: type = str if is_large or str in kinds else float
        return [value if value is None else kind(value) for value in values]
    return values
