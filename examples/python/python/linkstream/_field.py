"""Fields as arrays."""

from __future__ import annotations

import builtins
import html
import math
import os
import threading
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Callable, Iterator

import numpy as np

from . import _html
from ._errors import ChangedError, Error, UnverifiedError
from ._index import Selection, select
from ._layouts import LayoutName, check_layout, to_layout
from ._locks import Lock
from ._memory import reals, writable
from ._named import named
from ._text import one_line
from ._verification import HINT, Demand, Judgement, Verify, demanded

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    import datetime

    from . import _linkstream
    from ._file import File

Progress = Callable[[int, int], object]

_REASONS = {
    "not requested": "verification was not requested",
    "no checksum": "the file has no checksum of these data",
    "no full pass": "the time slice cannot be compared with verified ones",
    "part of slices": "a part of a time slice cannot be verified",
    "site list": "the checksum does not cover the list of sites in the file",
}


@named(lambda field: (field.file.name, field.index, None))
class Field:
    """The data of one record of a file, as an array that is read on demand.

    A field behaves like a dataset of h5py: ``field[...]`` reads all data, ``field[3:5, ..., 0, :, :]`` a part.
    The axes of the lattice come first, the slowest one at the front: ``t, z, y, x``. The numbers are in native byte
    order.

    Data are verified: what contradicts the checksum in the file raises :class:`linkstream.ChecksumError`, and data
    without a checksum raise :class:`linkstream.UnverifiedError` unless ``verify="if possible"``. A part is verified by
    one pass over all data, which the first part needs; the sums of the time slices are kept, so that later parts read
    only their own time slices. ``verify=False`` reads without any of this.

    Examples
    --------
    >>> import linkstream as ls
    >>> field = ls.open("lat.ildg")[0]
    >>> field.dims
    ('t', 'z', 'y', 'x', 'mu', 'row', 'column')
    >>> temporal = field[3:5, ..., 3, :, :]
    >>> temporal.shape, field.verification
    ((2, 4, 4, 4, 3, 3), 'verified')
    """

    def __init__(self, file: File, index: int, raw: _linkstream.Field, verify: Verify) -> None:
        self._file = file
        self._raw = raw
        self._verify = verify
        self._judgement = Judgement(f"{file.name}: field {index}")
        self._pass = Lock(threading.RLock)
        # The sums of all time slices are known, so that a part needs no pass over all data.
        self._is_summed = False
        self.index = index
        """Index of the field in its file, counted from 0."""

    # --- Description ---

    @property
    def file(self) -> File:
        """The file of the field."""
        return self._file

    @property
    def shape(self) -> tuple[int, ...]:
        """The extent of each axis."""
        return tuple(self._raw.shape)

    @property
    def dims(self) -> tuple[str, ...]:
        """The name of each axis: ``t``, ``z``, ``y``, ``x``; then ``mu``, ``row``, ``column`` for links, ``spin``,
        ``spin_source``, ``color``, ``color_source`` for propagators, and ``item``, ``number`` for data of other kinds.
        """
        return tuple(self._raw.dims)

    @property
    def lattice(self) -> tuple[int, ...]:
        """The extents of the axes of the lattice, or of the hypercube, that the field has: ``(t, z, y, x)``."""
        return self.shape[: self._raw.lattice_axes]

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the numbers, in native byte order."""
        return np.dtype(self._raw.dtype)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of numbers."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """Size of the data in bytes."""
        return self._raw.nbytes

    @property
    def attrs(self) -> dict[str, Any]:
        """What the file says about the field: datatype, lattice, region, stored checksum as hexadecimal digits; and, if
        there are any, the logical file name ``lfn``, the update number ``update`` and the user's text ``record_xml``.
        Extents and coordinates have the order of the axes: ``(t, z, y, x)``.
        """
        return {**self._raw.attrs, **self._file._documents[self.index].entries()}

    @property
    def verification(self) -> str:
        """What is known about the data that were read last: ``"verified"``, ``"unverified"`` if nothing verifies them, or
        ``"not read"``, also after the file has changed. Data that contradict the checksum are ``"wrong"``, until all
        data are read and right.
        """
        return self._judgement.verification

    @property
    def verified_by(self) -> tuple[str, ...]:
        """The reasons of the :attr:`verification` ``"verified"``: ``("checksum",)``; or ``("checksum", "plaquette",
        "link trace")`` for a NERSC archive, whose checksum does not depend on the order of the links, so that they are
        also compared with the observables that the header records. Empty unless the data are verified.

        A SciDAC checksum proves that the data are what a program wrote. :func:`linkstream.check` also asks
        whether the program can have meant them: numbers that are not finite, links that are not in SU(3), and
        plaquettes in texts of the file that the links do not have make its verdict ``"wrong"``.

        Examples
        --------
        >>> import linkstream as ls
        >>> field = ls.open("lat.ildg")[0]
        >>> field.verify(), field.verified_by
        ('verified', ('checksum',))
        """
        if self.verification != "verified":
            return ()
        return ("checksum", *self._raw.measured)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a field without axes has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        if self._file.is_closed:
            return f"<closed linkstream.Field {self.index}>"
        axes = ", ".join(f"{name}: {extent}" for name, extent in zip(self.dims, self.shape))
        name = one_line(self._raw.attrs.get("datatype", "data"))
        return f"<linkstream.Field {self.index}: {name}, ({axes}), {self.dtype}, {self.verification}>"

    def _repr_html_(self) -> str:
        return html.escape(repr(self)) if self._file.is_closed else _html.of_field(self)

    # --- Reading ---

    def numpy(
        self,
        dtype: DTypeLike | None = None,
        *,
        layout: LayoutName | None = None,
        verify: Verify | None = None,
        progress: Progress | None = None,
    ) -> NDArray[Any]:
        """Reads all data into a new array, and compares them with the checksum in the file; :attr:`verified_by` says with
        what else. Plaquettes in texts of LIME files are only compared by :func:`linkstream.check`.

        Parameters
        ----------
        dtype : optional
            Another precision: ``"c8"`` or ``"c16"``, ``"f4"`` or ``"f8"``; or another byte order: ``">c16"``.
        layout : str, optional
            The order of axes, sites and directions in a program: one of :data:`linkstream.layouts`, for fields on the
            whole lattice.
        verify : True, "if possible", "once" or False, optional
            As for :func:`linkstream.open`. By default, as the file was opened.
        progress : callable, optional
            Called with the number of bytes read so far and their total number. An exception ends the call. It must not
            resize an array that is being read into.

        Examples
        --------
        >>> import linkstream as ls
        >>> links = ls.open("lat.ildg")[0].numpy("c16")
        >>> links.shape, links.dtype
        ((8, 4, 4, 4, 4, 3, 3), dtype('complex128'))
        """
        wanted = self.dtype if dtype is None else np.dtype(dtype)
        self._refuse_other_kind(wanted, dtype)
        if layout is not None:
            if len(self.lattice) != 4 or self.attrs["region"] != "lattice" or "item" in self.dims:
                raise ValueError(f"only a field on a whole lattice of four dimensions has the layout {layout!r}")
            # Before anything is read.
            check_layout(layout, self.lattice, has_links=self._has_links)
        demand = self._demand(verify)
        out = self._empty(self.shape, wanted.newbyteorder("="))
        self._read(reals(out), None, demand, progress)
        if layout is not None:
            out = to_layout(out, layout, has_links=self._has_links)
        return out if wanted.isnative else out.byteswap(inplace=True).view(wanted)

    def read_into(
        self,
        out: Any,
        dtype: DTypeLike | None = None,
        *,
        verify: Verify | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Reads all data into memory that exists: a writable, contiguous array of the shape of the field, or a buffer
        of the right size whose numbers have the type ``dtype``. The other precision is converted.

        After an error, the contents of the memory are undefined.

        Examples
        --------
        >>> import linkstream as ls, numpy as np
        >>> field = ls.open("lat.ildg")[0]
        >>> links = np.empty(field.shape, "c16")
        >>> field.read_into(links)
        >>> bool(np.isclose(np.linalg.det(links[0, 0, 0, 0, 0]), 1))
        True
        """
        array = writable(out, self.shape, self.dtype, dtype)
        self._refuse_other_kind(array.dtype, array.dtype)
        self._read(reals(array), None, self._demand(verify), progress)

    def __getitem__(self, key: Any) -> Any:
        return self.read(key)

    def read(self, key: Any = ..., *, verify: Verify | None = None, progress: Progress | None = None) -> Any:
        """Reads a part, like ``field[key]``."""
        selection = select(key, self.shape, self._raw.lattice_axes)
        demand = self._demand(verify)
        if not self.lattice or selection.shape == self.shape and _is_in_order(selection):
            # All data are verified while they are read.
            out = self._empty(self.shape, None)
            self._read(reals(out), None, demand, progress)
            return out[selection.inside]
        if demand.verify:
            self._sum_all(demand, progress)
            if demand.is_once:
                demand = demand._replace(verify=False)
        out = self._empty(selection.shape, None)
        if out.size:
            self._read_part(selection, out, demand)
        # As NumPy does it, a single number is no array.
        return out if selection.shape else out[()]

    def _read_part(self, selection: Selection, out: NDArray[Any], demand: Demand) -> None:
        """Reads a part into a new array, one time slice after the other unless it consists of all data of a block."""
        block, inside = selection.block, selection.inside
        is_whole = out.size == math.prod(stop - start for start, stop in block) * self._of_site
        # Only whole time slices can be verified.
        of_slices = all((0, extent) == range_ for extent, range_ in zip(self.lattice[1:], block[1:]))
        if is_whole and _is_in_order(selection) and (of_slices or not demand.verify):
            self._read(reals(out), block, demand, None)
            return
        if demand.verify:
            wide = [(0, extent) for extent in self.lattice[1:]]
            lattice_inside = tuple(
                _shifted(item, start) for item, (start, _) in zip(inside[1:], block[1:])
            ) + inside[len(block) :]
        else:
            wide, lattice_inside = block[1:], inside[1:]
        shape = [stop - start for start, stop in wide] + list(self.shape[len(block) :])
        scratch = self._empty(tuple(shape), None)
        first = inside[0]
        if isinstance(first, slice):
            times = range(block[0][1] - block[0][0])[first]
            targets: Any = ((block[0][0] + t, out[place : place + 1][0]) for place, t in enumerate(times))
            if out.ndim == 1:
                targets = ((block[0][0] + t, out[place : place + 1]) for place, t in enumerate(times))
        else:
            targets = [(block[0][0], out)]
        for t, target in targets:
            self._read(reals(scratch), [(t, t + 1), *wide], demand, None)
            target[...] = scratch[lattice_inside]

    @property
    def _of_site(self) -> int:
        return math.prod(self.shape[self._raw.lattice_axes :])

    def slices(self, *, verify: Verify | None = None) -> Iterator[NDArray[Any]]:
        """Yields the array of each time slice, in order, in constant memory: a new array each time.

        Examples
        --------
        >>> import linkstream as ls
        >>> [slice_.shape for slice_ in ls.open("lat.ildg")[0].slices()][:2]
        [(4, 4, 4, 4, 3, 3), (4, 4, 4, 4, 3, 3)]
        """
        self._no_global("time slices")
        for t in range(self.shape[0]):
            yield self.read(t, verify=verify)

    def sites(self, *, verify: Verify | None = None) -> Iterator[tuple[tuple[int, ...], Any]]:
        """Yields the indices of each site, such as ``(t, z, y, x)``, and its data, in the order of the file.

        Examples
        --------
        >>> import linkstream as ls
        >>> place, links = next(ls.open("lat.ildg")[0].sites())
        >>> place, links.shape
        ((0, 0, 0, 0), (4, 3, 3))
        """
        self._no_global("sites")
        for t, slice_ in enumerate(self.slices(verify=verify)):
            for place in np.ndindex(*self.lattice[1:]):
                yield (t, *place), slice_[place]

    def verify(self, progress: Progress | None = None) -> str:
        """Reads all data once, without keeping them, and returns the :attr:`verification`.

        Raises :class:`linkstream.ChecksumError` if they contradict the checksum in the file. Data without a checksum are
        not read: nothing could verify them.

        Examples
        --------
        >>> import linkstream as ls
        >>> ls.open("lat.ildg")[0].verify()
        'verified'
        """
        if not self._raw.has_checksum:
            self._file._check_unchanged(self._judgement)
            self._judge("no checksum", Demand(verify=True, is_strict=False), is_all=True)
        else:
            with self._one_pass(progress):
                self._verify_all(Demand(verify=True, is_strict=False), progress)
        return self.verification

    def memmap(self, *, verify: Verify | None = None) -> np.memmap[Any, Any]:
        """Maps the data of a local file into memory, without a copy, read-only and in the byte order of the file:
        mostly ``">c16"``.

        The data are verified once, before the mapping is returned. Later changes of the file change the array, and
        nothing notices it. If another program shortens the file, using the array kills Python with ``SIGBUS``.

        Examples
        --------
        >>> import linkstream as ls
        >>> mapped = ls.open("lat.ildg")[0].memmap()
        >>> mapped.dtype.str, mapped.shape
        ('>c8', (8, 4, 4, 4, 4, 3, 3))
        """
        path = self._file._path
        if path is None or self._raw.contiguous() is None:
            raise Error("the data are not in one place of one local file: they cannot be mapped into memory")
        demand = self._demand(verify)
        if demand.verify:
            # Always: what another process, or an earlier pass, has verified need not be what is there now.
            self._verify_all(demand, None)
        else:
            self._judge("not requested", demand, is_all=True)
        # After the pass, because the checksum can show the byte order of an archive.
        offset, _, order = self._raw.contiguous() or (0, 0, "=")
        with builtins.open(path, "rb") as file:
            about = os.fstat(file.fileno())
            if self._file._raw.identity not in (None, (about.st_dev, about.st_ino)):
                raise ChangedError(f"{path} is another file than the one that was opened")
            mapped = np.memmap(file, dtype=self.dtype.newbyteorder(order), mode="r", offset=offset, shape=self.shape)
        self._file._check_unchanged(self._judgement)
        return mapped

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("the data of a file cannot be used without a copy")
        array = self.numpy()
        return array if dtype is None else array.astype(dtype, copy=False)

    @property
    def _has_links(self) -> bool:
        return "mu" in self.dims

    def __dlpack__(self, **options: Any) -> Any:
        """All data, as an array in the memory of the host, for ``from_dlpack`` of NumPy, PyTorch, JAX and others."""
        return self.numpy().__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The host."""
        return (1, 0)

    # --- Pickles ---

    def __reduce__(self) -> tuple[Any, ...]:
        verified_at = self._judgement.verified_at
        sums = None if verified_at is None else self._raw.slice_sums()
        return _unpickled, (self._file, self.index, self._verify, sums, verified_at)

    # --- Parts ---

    def _refuse_other_kind(self, dtype: np.dtype[Any], named: DTypeLike | None) -> None:
        own = self.dtype
        if own.kind != dtype.kind:
            raise TypeError(f"the field has numbers of type {own}, which are not converted to {dtype}")
        possible = [own.str[1:]] if own.kind not in "fc" else [f"{own.kind}{size * (1 + (own.kind == 'c'))}" for size in (4, 8)]
        if dtype.str[1:] not in possible:
            message = f"the field has numbers of type {own}, which are converted to {' or '.join(possible)}, not to"
            raise TypeError(f"{message} {named if isinstance(named, str) else dtype}")

    def _demand(self, verify: Verify | None) -> Demand:
        """What the caller demands. Refuses data without a checksum before they are read."""
        verify = demanded(verify, self._verify)
        if verify is False:
            return Demand(verify=False, is_strict=False, is_chosen=True)
        is_strict = verify != "if possible"
        if self._raw.has_checksum:
            return Demand(True, is_strict, is_once=verify == "once")
        if is_strict:
            raise self._unverified(_REASONS["no checksum"])
        return Demand(verify=False, is_strict=False)

    def _no_global(self, what: str) -> None:
        if not self.lattice:
            raise TypeError(f"global data have no {what}")

    def _empty(self, shape: tuple[int, ...], dtype: DTypeLike | None) -> NDArray[Any]:
        # Each number is read, or the call raises an exception. Not `zeros`: NumPy 1 uses small pages for it, and reading
        # would need twice the time. No header claims more than the file has, which was listed strictly.
        return np.empty(shape, self.dtype if dtype is None else np.dtype(dtype))

    def _one_pass(self, progress: Progress | None) -> AbstractContextManager[Any]:
        """One pass is enough for all threads that want a part. A pass with a callback is for its thread alone: the
        callback may wait for another thread that reads the field.
        """
        return self._pass if progress is None else nullcontext()

    def _sum_all(self, demand: Demand, progress: Progress | None) -> None:
        """A pass over all data, unless there has been one."""
        with self._one_pass(progress):
            if not self._is_summed:
                self._verify_all(demand, progress)

    def _verify_all(self, demand: Demand, progress: Progress | None) -> None:
        with self._judgement.reading(), self._file._planned(self, None):
            found = self._raw.verify(progress)
        self._judge(found, demand, is_all=True)
        self._is_summed = True

    def _read(
        self, out: NDArray[Any], block: list[tuple[int, int]] | None, demand: Demand, progress: Progress | None
    ) -> None:
        with self._judgement.reading(), self._file._planned(self, block):
            found = self._raw.read_into(out, block, demand.verify, progress)
        self._judge(found, demand, is_all=block is None)
        self._is_summed = self._is_summed or block is None and demand.verify

    def _judge(self, found: str, demand: Demand, *, is_all: bool) -> None:
        """Keeps what a verification found, and refuses, or warns of, data that are not verified."""
        # After the one pass, which has verified all data.
        if found == "verified" or demand.is_once and self._judgement.verified_at is not None:
            self._judgement.verified(is_all)
            return
        is_absent = found == "not requested" and not self._raw.has_checksum
        reason = _REASONS.get("no checksum" if is_absent else found, "nothing verifies the data")
        if demand.is_strict:
            raise self._unverified(reason)
        self._judgement.unverified(reason, is_chosen=demand.is_chosen)

    def _as_links(self, kind: str) -> Field | None:
        """The same data as links, if no document says what they are and their size fits."""
        raw = self._raw.as_links(kind)
        return None if raw is None else Field(self._file, self.index, raw, self._verify)

    def _unverified(self, reason: str) -> UnverifiedError:
        lost = self._raw.lost_checksum
        if lost is None:
            message = f"field {self.index}: {reason}; {HINT}"
            return UnverifiedError(message, class_="unverified", file=self._file.name)
        message = f"field {self.index}: {lost['message']}; {HINT}"
        of_rule = lost["rule"], lost["class"], lost["clause"], lost["offset"]
        return UnverifiedError(message, *of_rule, self._file.name)


def _unpickled(
    file: File,
    index: int,
    verify: Verify,
    sums: list[tuple[int, int]] | None,
    verified_at: datetime.datetime | None,
) -> Field:
    """A field of another process. Its sums verify time slices without another pass, but nothing has been read here."""
    field = file[index]
    field._verify = verify
    if sums is not None and not field._is_summed:
        field._raw.verify_by(sums)
        field._is_summed, field._judgement.verified_at = True, verified_at
    return field


def _is_in_order(selection: Selection) -> bool:
    return all(not isinstance(item, slice) or (item.step or 1) > 0 for item in selection.inside)


def _shifted(item: int | slice, start: int) -> int | slice:
    """A place in a block, as a place in the whole axis."""
    if not isinstance(item, slice):
        return item + start
    if item.step is None:
        return item
    stop = None if item.stop is None else item.stop + start
    if item.step < 0 and item.stop is None:
        stop = start - 1 if start > 0 else None
    return slice((item.start or 0) + start, stop, item.step)
