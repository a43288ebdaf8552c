"""Many configurations as one dataset of xarray."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Mapping

from ._scan import _sources
from ._verification import Verify

if TYPE_CHECKING:
    import os

    import xarray


def open_ensemble(
    files: str | os.PathLike[str] | Iterable[Any],
    *,
    dim: str = "cfg",
    xml: Mapping[str, str] | None = None,
    verify: Verify = True,
    chunk_bytes: int = 64 << 20,
    storage_options: dict[str, Any] | None = None,
) -> xarray.Dataset:
    """Opens configurations as one dataset of xarray, whose data are read on demand by Dask.

    What each file says are coordinates along the new axis: ``lfn``, ``update``, ``source`` (the name of the file) and
    the values chosen by ``xml``. If all files have different update numbers, the configurations are in their order, and
    ``update`` is the index: ``ensemble.sel(update=190)``, ``ensemble.sel(update=slice(100, 200))``.

    ``ensemble.to_zarr(…)`` and ``ensemble.to_netcdf(…, engine="h5netcdf", invalid_netcdf=True)`` write it; netCDF has no
    complex numbers of its own.

    Parameters
    ----------
    files :
        A directory, a pattern such as ``"ens/*.lime"``, or any sources of :func:`open`.
    dim : str
        The name of the new axis.
    xml : mapping of str to str, optional
        Further coordinates, as for :func:`scan`.
    verify, chunk_bytes, storage_options :
        As for the engine ``linkstream`` of xarray.
    """
    import xarray  # noqa: PLC0415

    sources = list(_sources(files))
    if not sources:
        raise FileNotFoundError(f"there are no files {files!r}")
    options: dict[str, Any] = {"verify": verify, "chunk_bytes": chunk_bytes, "xml": xml, "storage_options": storage_options}
    opened = []
    for source in sources:
        one = xarray.open_dataset(source, engine="linkstream", chunks={}, **options)
        opened.append(one.assign_coords(source=str(one.encoding.get("source", source))))
    scalars = [name for name, of in opened[0].coords.items() if of.dims == ()]
    # Coordinates of one file each, even if all are the same.
    ensemble = xarray.concat(
        [one.assign_coords({name: (dim, [one[name].item()]) for name in scalars}) for one in opened],
        dim=dim,
        data_vars="all",
        coords="minimal",
        compat="override",
        combine_attrs="drop_conflicts",
        join="exact",
    )
    updates = ensemble["update"].values.tolist()
    if len(set(updates)) == len(updates) and min(updates) >= 0:
        return ensemble.sortby("update").set_xindex("update")
    return ensemble
